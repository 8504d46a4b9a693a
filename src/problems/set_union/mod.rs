//! The multiple-choice set-union knapsack problem: items that need shared elements, each paid for once.
//!
//! A multiple-choice knapsack problem with optional choice, whose items each use a set of *elements*. The weight of a
//! selection is the sum of its items' weights plus the weights of all elements used, each counted once:
//!
//! ```text
//! max  sum_i v_{i,k(i)}   s.t.   sum_i w_{i,k(i)} + sum_{e in union of S_{i,k(i)}} w_e <= C
//! ```
//!
//! A selection uses at most one element of a *group*. With one item per class and item weights of 0 it is the
//! set-union knapsack problem (O. Goldschmidt, D. Nehme, G. Yu, "Note: On the set-union knapsack problem", Naval
//! Research Logistics 41, 1994), which is NP-hard in the strong sense.

mod settled;

pub use settled::Settled;

use super::mckp::Item;
use isx_exact::order;
use num_bigint::BigInt;

/// The maximum number of group combinations that are enumerated.
const MOST_WAYS: usize = 256;

/// An element that any number of items may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// Its weight, paid once if any item taken uses it.
    pub weight: u64,
    /// Elements of the same group exclude each other.
    pub group: Option<u32>,
}

/// The shared elements of a multiple-choice knapsack problem's items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sharing {
    /// The elements.
    pub elements: Vec<Element>,
    /// `uses[class][item]`: indices into `elements`, without duplicates.
    pub uses: Vec<Vec<Vec<u32>>>,
}

impl Sharing {
    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// The elements that an item uses; empty if the item does not exist.
    pub fn uses_of(&self, class: usize, item: u32) -> &[u32] {
        self.uses.get(class).and_then(|items| items.get(item as usize)).map_or(&[], Vec::as_slice)
    }

    /// The elements that a selection uses (one item or none per class), in order; `None` if two of them exclude each
    /// other.
    pub fn used(&self, items: &[Option<u32>]) -> Option<Vec<u32>> {
        let taken = items.iter().enumerate().filter_map(|(class, item)| Some((class, (*item)?)));
        let mut used: Vec<u32> = taken.flat_map(|(class, item)| self.uses_of(class, item)).copied().collect();
        used.sort_unstable();
        used.dedup();
        let mut groups: Vec<u32> =
            used.iter().filter_map(|&element| self.elements.get(element as usize)?.group).collect();
        groups.sort_unstable();
        groups.windows(2).all(|pair| pair[0] != pair[1]).then_some(used)
    }

    /// The weight of all elements that a selection uses; `None` if two exclude each other, or the sum exceeds 2^64.
    pub fn weight(&self, items: &[Option<u32>]) -> Option<u64> {
        let weights =
            self.used(items)?.into_iter().map(|at| self.elements.get(at as usize).map(|e| e.weight));
        weights.into_iter().try_fold(0u64, |sum, weight| sum.checked_add(weight?))
    }

    /// The greatest value of a selection with optional choice, regardless of weight. With more than 256 group
    /// combinations, groups are ignored, which may give a larger value.
    pub fn greatest_value(&self, classes: &[Vec<Item<BigInt>>]) -> BigInt {
        let grouped = self.elements.iter().enumerate().filter_map(|(at, element)| Some((element.group?, at)));
        let mut grouped: Vec<(u32, usize)> = grouped.collect();
        order::sort(&mut grouped);
        let mut groups: Vec<&[(u32, usize)]> = grouped.chunk_by(|a, b| a.0 == b.0).collect();
        let ways = groups
            .iter()
            .try_fold(1usize, |ways, group| ways.checked_mul(group.len()).filter(|&ways| ways <= MOST_WAYS));
        if ways.is_none() {
            groups.clear();
        }
        let value = |mut way: usize| -> BigInt {
            let mut excluded = vec![false; self.elements.len()];
            for group in &groups {
                group.iter().for_each(|&(_, element)| excluded[element] = true);
                excluded[group[way % group.len()].1] = false;
                way /= group.len();
            }
            let is_left = |class: usize, item: u32| {
                !self.uses_of(class, item).iter().any(|&element| excluded[element as usize])
            };
            let greatest = |(class, items): (usize, &Vec<Item<BigInt>>)| {
                let left = (0u32..).zip(items).filter(|&(item, _)| is_left(class, item));
                left.map(|(_, item)| &item.value).max().cloned().unwrap_or_default().max(BigInt::ZERO)
            };
            classes.iter().enumerate().map(greatest).sum()
        };
        (0..ways.unwrap_or(1)).map(value).max().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_twice_is_paid_once_and_what_excludes_each_other_is_refused() {
        let element = |weight, group| Element { weight, group };
        let elements = vec![element(5, None), element(7, Some(1)), element(11, Some(1))];
        let sharing =
            Sharing { elements, uses: vec![vec![vec![0], vec![0, 1]], vec![], vec![vec![1], vec![2]]] };
        assert_eq!(sharing.weight(&[None, None, None]), Some(0));
        assert_eq!(sharing.weight(&[Some(0), None, Some(0)]), Some(12));
        assert_eq!(sharing.weight(&[Some(1), None, Some(0)]), Some(12));
        assert_eq!(sharing.used(&[Some(1), None, Some(0)]), Some(vec![0, 1]));
        assert_eq!(sharing.weight(&[Some(1), None, Some(1)]), None);
        let item = |value: i64| Item { value: value.into(), weight: 1 };
        let classes = |last: i64| vec![vec![item(3), item(10)], vec![item(-1)], vec![item(2), item(last)]];
        assert_eq!(sharing.greatest_value(&classes(8)), 12.into(), "10 and 8 exclude each other");
        assert_eq!(sharing.greatest_value(&classes(10)), 13.into());
    }
}
