//! Classes whose item is fixed in advance: the remaining problem, and the mapping back.
//!
//! A fixed item is in every selection. The remaining problem lacks its class, has a capacity reduced by its weight
//! and that of its elements, and in it these elements weigh 0. An item that uses another element of one of their
//! groups is in no selection: its value is set to 0.

use super::{Element, Sharing};
use crate::mckp::{Claim, Item, Mckp};
use num_bigint::BigInt;
use num_traits::One;

/// A problem with some items fixed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The remaining problem: the classes in their original positions, fixed ones without items.
    pub problem: Mckp<BigInt>,
    /// The sharing of its items.
    pub sharing: Sharing,
    /// The weight of the fixed items, with their elements.
    pub weight: u64,
    /// The value of the fixed items.
    pub value: BigInt,
    items: Vec<Option<u32>>,
}

impl Settled {
    /// Fixes `items`: an item for some of the classes of a problem with optional choice. `None` if no selection has
    /// them all: one does not exist, two of their elements exclude each other, or they exceed the capacity.
    pub fn new(problem: &Mckp<BigInt>, sharing: &Sharing, items: &[Option<u32>]) -> Option<Self> {
        let (mut weight, mut value) = (sharing.weight(items)?, BigInt::ZERO);
        for (class, taken) in problem.classes.iter().zip(items) {
            if let Some(taken) = taken {
                let item = class.get(*taken as usize)?;
                weight = weight.checked_add(item.weight)?;
                value += &item.value;
            }
        }
        let capacity = problem.capacity.checked_sub(weight)?;
        let used = sharing.used(items)?;
        let (sharing, excluded) = without(sharing, &used);
        let left = |(at, class): (usize, &Vec<Item<BigInt>>)| {
            if items.get(at).is_some_and(Option::is_some) {
                return Vec::new();
            }
            let item = |(number, item): (u32, &Item<BigInt>)| {
                let is_excluded =
                    sharing.uses_of(at, number).iter().any(|&element| excluded[element as usize]);
                // Without value it is in no selection, but not because of the capacity.
                let value = if is_excluded { BigInt::ZERO } else { item.value.clone() };
                Item { value, weight: item.weight }
            };
            (0u32..).zip(class).map(item).collect()
        };
        let classes = problem.classes.iter().enumerate().map(left).collect();
        let problem = Mckp { classes, capacity, choice: problem.choice };
        Some(Self { problem, sharing, weight, value, items: items.to_vec() })
    }

    /// Maps a claim about the remaining problem to one about the whole problem.
    pub fn put_back(&self, claim: Claim) -> Claim {
        let weights = claim.weights.iter().map(|weight| weight + self.weight).collect();
        let values = claim.values.scaled(&self.value, &BigInt::one());
        let items = self.items.clone();
        claim.changed(weights, values, move |count, columns| {
            for (column, settled) in columns.chunks_exact_mut(count).zip(&items) {
                if let Some(settled) = settled {
                    column.fill(*settled);
                }
            }
        })
    }
}

/// The sharing once the elements `used` are paid for, and the elements that they exclude.
fn without(sharing: &Sharing, used: &[u32]) -> (Sharing, Vec<bool>) {
    let mut sharing = sharing.clone();
    let groups: Vec<u32> = used.iter().filter_map(|&at| sharing.elements[at as usize].group).collect();
    let in_taken_group = |element: &Element| element.group.is_some_and(|group| groups.contains(&group));
    let mut excluded: Vec<bool> = sharing.elements.iter().map(in_taken_group).collect();
    for &at in used {
        sharing.elements[at as usize] = Element { weight: 0, group: None };
        excluded[at as usize] = false;
    }
    (sharing, excluded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mckp::Choice;
    use crate::value::Values;
    use std::sync::Arc;

    fn problem(capacity: u64) -> (Mckp<BigInt>, Sharing) {
        let item = |value: i64, weight| Item { value: value.into(), weight };
        let classes = vec![vec![item(5, 2), item(9, 3)], vec![item(4, 1), item(7, 0), item(1, 0)], vec![]];
        let element = |weight, group| Element { weight, group };
        let elements = vec![element(10, Some(0)), element(20, Some(0)), element(40, None)];
        let uses = vec![vec![vec![0, 2], vec![1]], vec![vec![0], vec![1], vec![]], vec![]];
        (Mckp { classes, capacity, choice: Choice::Optional }, Sharing { elements, uses })
    }

    #[test]
    fn what_is_settled_is_paid_for_and_keeps_out_what_excludes_it() {
        let (whole, sharing) = problem(60);
        let settled = Settled::new(&whole, &sharing, &[Some(0), None, None]).unwrap();
        assert_eq!((settled.weight, &settled.value), (52, &5.into()));
        assert_eq!(settled.problem.capacity, 8);
        assert!(settled.problem.classes[0].is_empty());
        let values = settled.problem.classes[1].iter().map(|item| item.value.clone());
        let wanted = [4, 0, 1].map(BigInt::from);
        assert!(values.eq(wanted), "the second item uses the other element of the group");
        let elements: Vec<u64> = settled.sharing.elements.iter().map(|element| element.weight).collect();
        assert_eq!(elements, [0, 20, 0]);
    }

    #[test]
    fn what_cannot_be_settled_is_none() {
        let (whole, sharing) = problem(51);
        assert_eq!(Settled::new(&whole, &sharing, &[Some(0), None, None]), None, "too heavy by 1");
        let (whole, sharing) = problem(1000);
        assert_eq!(Settled::new(&whole, &sharing, &[Some(0), Some(1), None]), None, "one group");
        assert_eq!(Settled::new(&whole, &sharing, &[None, None, Some(0)]), None, "no such item");
        let mut beyond = whole.clone();
        beyond.classes[0][1].weight = u64::MAX;
        assert_eq!(Settled::new(&beyond, &sharing, &[Some(1), None, None]), None);
    }

    #[test]
    fn a_claim_is_put_back_in_full() {
        let (whole, sharing) = problem(60);
        let settled = Settled::new(&whole, &sharing, &[Some(0), None, None]).unwrap();
        let choices = vec![vec![None; 3], vec![None, Some(0), None]];
        let claim = Claim::new(vec![0, 1], Values::I64(vec![0, 4]), 3, true);
        let back = settled.put_back(claim.clone().with_configurations(0, Arc::new(choices.clone())));
        assert_eq!((back.weights.clone(), back.value(1)), (vec![52, 53], Some(9.into())));
        assert_eq!(back.items(0), Some(vec![Some(0), None, None]));
        assert_eq!(back.items(1), Some(vec![Some(0), Some(0), None]));
        let last = settled.put_back(claim.clone().with_configurations(1, Arc::new(choices[1..].to_vec())));
        assert_eq!((last.items(0), last.items(1)), (None, Some(vec![Some(0), Some(0), None])));
        assert_eq!(settled.put_back(claim).items(1), None);
    }
}
