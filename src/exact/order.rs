//! Sorting that is compiled once for all types. A call per comparison takes a few nanoseconds more than a sort compiled for
//! its type, so the lists are those whose order takes little of the time.

use std::cmp::Ordering;

/// Sorts a list; equal elements stay in their order.
pub fn sort_by<T>(list: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let order = ordered(list.len(), &|a, b| compare(&list[a], &list[b]));
    arrange(order, &mut |a, b| list.swap(a, b));
}

/// Sorts a list; equal elements stay in their order.
pub fn sort<T: Ord>(list: &mut [T]) {
    sort_by(list, T::cmp);
}

/// The numbers below `count` in the order of a comparison; equal ones ascend.
fn ordered(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| compare(a, b));
    order
}

/// Moves to every place what stands at the place that `order` names, cycle by cycle.
fn arrange(mut order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for first in 0..order.len() {
        let mut at = first;
        while order[at] != first {
            let from = std::mem::replace(&mut order[at], at);
            swap(at, from);
            at = from;
        }
        order[at] = at;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::Sampler;

    #[test]
    fn lists_are_in_the_order_of_a_stable_sort() {
        let mut sampler = Sampler::new(5);
        for length in 0..200 {
            let mut list: Vec<(u64, u64)> = (0..length).map(|at| (sampler.uniform(0, 20), at)).collect();
            let mut expected = list.clone();
            expected.sort_by_key(|(key, _)| std::cmp::Reverse(*key));
            sort_by(&mut list, |a, b| b.0.cmp(&a.0));
            assert_eq!(list, expected);
            sort(&mut list);
            assert!(list.is_sorted());
        }
    }
}
