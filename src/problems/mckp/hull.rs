//! The upper concave hull of a class's items: those that are best at some price per unit of weight.
//!
//! Items in order of weight; one is dropped if the line from the previous corner to the next item passes above it.
//! (A. M. Andrew, "Another efficient algorithm for convex hulls in two dimensions", Information Processing Letters
//! 9(5), 1979.) Exact in every arithmetic.
//!
//! Worked instance: (0,0), (1,3), (2,4), (3,4), (4,6) as (weight, value). (3,4) has no more value than (2,4); (2,4)
//! lies on the line from (1,3) to (4,6), slope 1, and is dropped: the corners are (0,0), (1,3), (4,6).

use super::Item;
use crate::value::Value;
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// Indices of the corners of the hull of the items of at most `capacity`, lightest first: from the lightest item on
/// as long as the value rises.
pub fn upper_hull<V: Value + ToPrimitive>(items: &[Item<V>], capacity: u64) -> Vec<usize> {
    let mut order: Vec<(u64, usize)> = Vec::with_capacity(items.len());
    order.extend(items.iter().map(|item| item.weight).zip(0..).filter(|&(weight, _)| weight <= capacity));
    sort(&mut order);
    let mut corners: Vec<usize> = Vec::new();
    for (weight, at) in order {
        if corners.last().is_some_and(|&last| items[at].value <= items[last].value) {
            continue;
        }
        while let Some(&last) = corners.last() {
            let before = corners.len().checked_sub(2).map(|before| &items[corners[before]]);
            let stays = before.is_none_or(|before| bends_down(before, &items[last], &items[at]));
            if stays && items[last].weight < weight {
                break;
            }
            corners.pop();
        }
        corners.push(at);
    }
    corners
}

/// A separate function, since the one above is compiled for every arithmetic.
fn sort(order: &mut [(u64, usize)]) {
    order.sort_unstable();
}

/// Whether `b` lies above the line from `a` to `c`; weights and values rise from `a` to `b` to `c`.
fn bends_down<V: Value + ToPrimitive>(a: &Item<V>, b: &Item<V>, c: &Item<V>) -> bool {
    let (to_b, to_c) = (b.weight - a.weight, c.weight - a.weight);
    if let (Some(a), Some(b), Some(c)) = (a.value.to_i64(), b.value.to_i64(), c.value.to_i64()) {
        // The differences are at most 2^64, so a product may exceed 2^127: compared as unsigned, since values rise.
        let rise = |to: i64| u128::from(to.abs_diff(a));
        return rise(b) * u128::from(to_c) > rise(c) * u128::from(to_b);
    }
    let rise = |to: &V| to.to_big() - a.value.to_big();
    rise(&b.value) * BigInt::from(to_c) > rise(&c.value) * BigInt::from(to_b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items<V: Clone>(items: &[(u64, V)]) -> Vec<Item<V>> {
        items.iter().map(|(weight, value)| Item { weight: *weight, value: value.clone() }).collect()
    }

    #[test]
    fn the_worked_instance_has_the_documented_corners() {
        let points = [(0, 0), (1, 3), (2, 4), (3, 4), (4, 6)];
        assert_eq!(upper_hull(&items(&points), 9), [0, 1, 4]);
        assert_eq!(upper_hull(&items(&points), 3), [0, 1, 2], "what is too heavy is no corner");
    }

    #[test]
    fn every_arithmetic_gives_the_same_corners() {
        let points: Vec<(u64, i64)> =
            (0..200).map(|at| (at * 7919 % 1000, (at * at * 31 % 997) as i64)).collect();
        let corners = upper_hull(&items(&points), 1000);
        let scale = BigInt::from(1) << 100;
        let big: Vec<(u64, BigInt)> =
            points.iter().map(|(weight, value)| (*weight, value * &scale)).collect();
        assert_eq!(upper_hull(&items(&big), 1000), corners);
        let wide: Vec<(u64, i128)> =
            points.iter().map(|&(weight, value)| (weight, i128::from(value) << 90)).collect();
        assert_eq!(upper_hull(&items(&wide), 1000), corners);
        assert!(corners.len() > 3);
    }

    #[test]
    fn no_item_lies_above_the_hull() {
        let points: Vec<(u64, i64)> =
            (0..300).map(|at| (at * 104_729 % 1009, (at * at * 37 % 1013) as i64)).collect();
        let items = items(&points);
        let corners = upper_hull(&items, 1009);
        for pair in corners.windows(2) {
            let (a, b) = (&items[pair[0]], &items[pair[1]]);
            for item in items.iter().filter(|item| (a.weight..=b.weight).contains(&item.weight)) {
                let (run, rise) = (i128::from(b.weight - a.weight), i128::from(b.value - a.value));
                let on_line = i128::from(a.value) * run + rise * i128::from(item.weight - a.weight);
                assert!(i128::from(item.value) * run <= on_line);
            }
        }
    }

    #[test]
    fn the_ends_of_64_bits_do_not_overflow() {
        let ends = [(0, i64::MIN), (u64::MAX - 1, i64::MAX - 1), (u64::MAX, i64::MAX)];
        assert_eq!(upper_hull(&items(&ends), u64::MAX), [0, 2]);
    }
}
