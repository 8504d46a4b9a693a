//! Reduces a set-union problem to a smaller one with the same front.
//!
//! The steps, repeated while something changes:
//!
//! - Items that no point of the front takes are removed: items without value, items heavier than the capacity with
//!   their elements, items using two elements that exclude each other, and dominated items. An item dominates another
//!   of its class if it uses only elements that the other uses, weighs no more, has no less value, and is better in
//!   weight or value or comes first.
//! - Elements that only one class uses become weight of its items, since a class contributes at most one item;
//!   elements of weight 0 are removed; elements used by the same items are merged into one with their total weight.
//!   An element of a group remains as long as another of the group is used.
//!
//! Every selection of the reduced problem is a selection of the original with the same weight and value, and the
//! canonical selection of every front point (compared from the last class to the first, no item before the first in
//! the file) is preserved, so mapping back only needs the items' positions in the file.

mod settled;

pub use settled::Settled;

use crate::mckp::{Choice, Mckp};
use crate::set_union::{Element, Sharing};
use crate::value::Tier;
use num_bigint::BigInt;
use std::collections::HashMap;

/// An item that may be on the front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its value, above 0.
    pub value: BigInt,
    /// Its own weight.
    pub weight: u64,
    /// The elements it uses, in ascending order.
    pub uses: Vec<u32>,
    /// Its index in the original class.
    pub origin: u32,
}

/// A reduced problem with optional choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced {
    /// The original classes, each with its remaining items, in order.
    pub classes: Vec<Vec<Item>>,
    /// The remaining elements.
    pub elements: Vec<Element>,
    /// The capacity.
    pub capacity: u64,
    /// Whether an item was removed because it exceeded the capacity.
    pub cut: bool,
}

/// Reduces a problem with optional choice.
///
/// Time O(n^2 e) for classes of n items that use e elements.
pub fn reduce(problem: &Mckp<BigInt>, sharing: &Sharing) -> Reduced {
    debug_assert_eq!(problem.choice, Choice::Optional, "a class may give nothing");
    let class = |(at, items): (usize, &Vec<crate::mckp::Item<BigInt>>)| {
        let item = |(origin, item): (u32, &crate::mckp::Item<BigInt>)| {
            let mut uses = sharing.uses_of(at, origin).to_vec();
            uses.sort_unstable();
            Item { value: item.value.clone(), weight: item.weight, uses, origin }
        };
        (0u32..).zip(items).map(item).collect()
    };
    let classes = problem.classes.iter().enumerate().map(class).collect();
    let mut reduced =
        Reduced { classes, elements: sharing.elements.clone(), capacity: problem.capacity, cut: false };
    loop {
        let before = (reduced.items(), reduced.elements.len());
        reduced.drop_items();
        reduced.drop_elements();
        if before == (reduced.items(), reduced.elements.len()) {
            return reduced;
        }
    }
}

impl Reduced {
    /// Number of remaining items.
    pub fn items(&self) -> usize {
        self.classes.iter().map(Vec::len).sum()
    }

    /// The narrowest tier that holds the value of every selection.
    pub fn tier(&self) -> Tier {
        let largest = |items: &Vec<Item>| items.iter().map(|item| &item.value).max().cloned();
        Tier::narrowest(&self.classes.iter().filter_map(largest).sum())
    }

    /// The same as a multiple-choice knapsack problem, if no shared element remains.
    pub fn without_elements(&self) -> Option<Mckp<BigInt>> {
        let item = |item: &Item| crate::mckp::Item { value: item.value.clone(), weight: item.weight };
        let class = |items: &Vec<Item>| items.iter().map(item).collect();
        self.elements.is_empty().then(|| Mckp {
            classes: self.classes.iter().map(class).collect(),
            capacity: self.capacity,
            choice: Choice::Optional,
        })
    }

    fn drop_items(&mut self) {
        let Self { classes, elements, capacity, cut } = self;
        for items in classes {
            items.retain(|item| item.value > BigInt::ZERO && is_possible(item, elements));
            let before = items.len();
            items.retain(|item| fits(item, elements, *capacity));
            *cut |= items.len() < before;
            let dominated: Vec<bool> =
                items.iter().map(|item| items.iter().any(|other| dominates(other, item))).collect();
            let mut dominated = dominated.into_iter();
            items.retain(|_| dominated.next() == Some(false));
        }
    }

    fn drop_elements(&mut self) {
        let users = self.users();
        let mut named: HashMap<u32, usize> = HashMap::new();
        let groups = self.elements.iter().zip(&users).filter(|(_, users)| !users.is_empty());
        groups.filter_map(|(element, _)| element.group).for_each(|name| *named.entry(name).or_default() += 1);
        for element in &mut self.elements {
            element.group = element.group.filter(|name| named.get(name).is_some_and(|&count| count > 1));
        }
        // The result for each element: the element that replaces it, or none.
        let mut kept: Vec<Element> = Vec::new();
        let mut twins: HashMap<&[(usize, u32)], u32> = HashMap::new();
        let mut becomes = vec![None; users.len()];
        let mut own = vec![false; users.len()];
        for (at, (element, users)) in self.elements.iter().zip(&users).enumerate() {
            let Some((&(first, _), &(last, _))) = users.first().zip(users.last()) else { continue };
            match element.group {
                None if first == last || element.weight == 0 => own[at] = true,
                None => {
                    let twin = *twins.entry(users).or_insert(kept.len() as u32);
                    becomes[at] = Some(twin);
                    match kept.get_mut(twin as usize) {
                        Some(kept) => kept.weight += element.weight,
                        None => kept.push(*element),
                    }
                }
                Some(_) => {
                    becomes[at] = Some(kept.len() as u32);
                    kept.push(*element);
                }
            }
        }
        for item in self.classes.iter_mut().flatten() {
            let alone = item.uses.iter().filter(|&&at| own[at as usize]);
            item.weight += alone.map(|&at| self.elements[at as usize].weight).sum::<u64>();
            item.uses = item.uses.iter().filter_map(|&at| becomes[at as usize]).collect();
            item.uses.sort_unstable();
            item.uses.dedup();
        }
        self.elements = kept;
    }

    /// For each element the items that use it, as (class, origin), in order.
    fn users(&self) -> Vec<Vec<(usize, u32)>> {
        let mut users = vec![Vec::new(); self.elements.len()];
        for (class, items) in self.classes.iter().enumerate() {
            for item in items {
                item.uses.iter().for_each(|&element| users[element as usize].push((class, item.origin)));
            }
        }
        users
    }
}

/// Whether no two of its elements exclude each other.
fn is_possible(item: &Item, elements: &[Element]) -> bool {
    let groups: Vec<u32> = item.uses.iter().filter_map(|&at| elements[at as usize].group).collect();
    (1..groups.len()).all(|at| !groups[..at].contains(&groups[at]))
}

fn fits(item: &Item, elements: &[Element], capacity: u64) -> bool {
    let mut used = item.uses.iter().map(|&at| elements[at as usize].weight);
    let weight = used.try_fold(item.weight, u64::checked_add);
    weight.is_some_and(|weight| weight <= capacity)
}

fn dominates(other: &Item, item: &Item) -> bool {
    other.weight <= item.weight
        && other.value >= item.value
        && (other.weight < item.weight || other.value > item.value || other.origin < item.origin)
        && other.uses.iter().all(|element| item.uses.binary_search(element).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mckp::Item as Plain;

    /// Classes of items (value, weight, uses), elements (weight, group).
    fn reduced(classes: &[&[(i32, u64, &[u32])]], elements: &[(u64, Option<u32>)], capacity: u64) -> Reduced {
        let plain = |&(value, weight, _): &(i32, u64, &[u32])| Plain { value: value.into(), weight };
        let problem = Mckp {
            classes: classes.iter().map(|items| items.iter().map(plain).collect()).collect(),
            capacity,
            choice: Choice::Optional,
        };
        let uses = classes.iter().map(|items| items.iter().map(|item| item.2.to_vec()).collect()).collect();
        let elements = elements.iter().map(|&(weight, group)| Element { weight, group }).collect();
        reduce(&problem, &Sharing { elements, uses })
    }

    fn left(reduced: &Reduced) -> Vec<Vec<(u64, Vec<u32>, u32)>> {
        let item = |item: &Item| (item.weight, item.uses.clone(), item.origin);
        reduced.classes.iter().map(|items| items.iter().map(item).collect()).collect()
    }

    #[test]
    fn what_one_class_alone_uses_is_weight_of_its_items() {
        let small =
            reduced(&[&[(5, 1, &[0]), (9, 2, &[0, 1])], &[(3, 4, &[1])]], &[(10, None), (20, None)], 99);
        assert_eq!(left(&small), [vec![(11, vec![], 0), (12, vec![0], 1)], vec![(4, vec![0], 0)]]);
        assert_eq!(small.elements, [Element { weight: 20, group: None }]);
    }

    #[test]
    fn only_a_choice_of_no_more_elements_dominates() {
        // The second needs less own weight and more elements.
        let both: &[(i32, u64, &[u32])] = &[(5, 3, &[0]), (5, 2, &[0, 1]), (5, 3, &[0])];
        let small = reduced(&[both, &[(1, 0, &[0]), (1, 0, &[1])]], &[(10, None), (20, None)], 99);
        assert_eq!(small.classes[0].iter().map(|item| item.origin).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn twins_weigh_together_and_weightless_elements_go() {
        let class: &[(i32, u64, &[u32])] = &[(5, 3, &[0, 1, 2])];
        let small = reduced(&[class, class], &[(10, None), (20, None), (0, None)], 99);
        assert_eq!(small.elements, [Element { weight: 30, group: None }]);
        assert_eq!(left(&small), [[(3, vec![0], 0)], [(3, vec![0], 0)]]);
    }

    #[test]
    fn of_a_group_what_stands_alone_is_free_and_pairs_are_refused() {
        let classes: [&[(i32, u64, &[u32])]; 2] = [&[(5, 3, &[0, 1]), (4, 3, &[0])], &[(4, 3, &[0])]];
        let small = reduced(&classes, &[(10, Some(4)), (20, Some(4))], 99);
        assert_eq!(left(&small), [[(3, vec![0], 1)], [(3, vec![0], 0)]]);
        assert_eq!(small.elements, [Element { weight: 10, group: None }]);
        let apart: [&[(i32, u64, &[u32])]; 2] = [&[(5, 3, &[1])], &[(4, 3, &[0])]];
        assert_eq!(
            reduced(&apart, &[(10, Some(4)), (20, Some(4))], 99).elements.len(),
            2,
            "they exclude each other"
        );
    }

    #[test]
    fn what_never_fits_goes_and_the_rest_may_need_no_elements_at_all() {
        let classes: [&[(i32, u64, &[u32])]; 2] =
            [&[(5, 3, &[0]), (0, 0, &[]), (-2, 0, &[])], &[(4, 30, &[0])]];
        let small = reduced(&classes, &[(10, None)], 20);
        assert_eq!(left(&small), [vec![(13, vec![], 0)], vec![]]);
        assert_eq!(small.without_elements().unwrap().classes[0][0].weight, 13);
    }
}
