//! The multiple-choice problem with several resources: items that cost an amount of each resource, with shared
//! elements paid for once.
//!
//! One item is taken from every class. A selection costs, in every resource r, the sum of its items' costs plus the
//! cost of every element, which is one amount if some item taken uses it and another if none does:
//!
//! ```text
//! cost_r(k) = sum_i c_{i,k(i),r} + sum_e (built_{e,r} if e in union of S_{i,k(i)}, else unbuilt_{e,r})  <=  L_r
//! ```
//!
//! Amounts are non-negative integers: what frees a resource is given by adding a constant to all items of a class, or to
//! both amounts of an element. At most one element of a *group* is built.
//!
//! With several *modes*, an item has no value but a load in each mode, and a selection is worth less the greater its
//! largest load: its value is minus that.
//!
//! The first resources are *objectives*: a selection is dominated if another within the limits costs no more of any
//! objective and has no less value, one of them strictly better. The other resources have limits only. It is the
//! multi-dimensional multiple-choice knapsack problem (H. Kellerer, U. Pferschy, D. Pisinger, *Knapsack Problems*,
//! Springer 2004, section 11.10), asked for a front.

mod dominance;
mod envelope;

pub use dominance::undominated;
pub use envelope::{Source, Ties, envelope, envelope_with};

use isx_exact::order;
use num_bigint::BigInt;

/// The maximum number of group combinations that are enumerated.
const MOST_WAYS: usize = 256;

/// An item with its value and its cost in every resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Value, of any sign.
    pub value: BigInt,
    /// Amount of every resource, in units of the limits.
    pub cost: Vec<u64>,
    /// Its load in every mode; then it has no value.
    pub loads: Vec<BigInt>,
    /// The elements it uses, as ascending indices without duplicates.
    pub uses: Vec<u32>,
    /// What the answer calls it; [`NO_ITEM`](crate::mckp::NO_ITEM) stands for taking nothing.
    pub number: u32,
}

/// An element that any number of items may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// Amount of every resource if an item taken uses it.
    pub built: Vec<u64>,
    /// Amount of every resource if none does.
    pub unbuilt: Vec<u64>,
    /// At most one element of a group is built.
    pub group: Option<u32>,
}

/// What is asked of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Every selection within the limits that none dominates; one per cost in the objectives.
    Front,
    /// The greatest value within the limits.
    Greatest,
    /// The minimal costs in the objectives at which a selection within the limits has at least this value, each with
    /// the greatest value at that cost.
    AtLeast(BigInt),
}

/// A problem of some classes and resources.
///
/// Of all selections with a point's value and cost in the objectives, the answer is the one whose costs in the other
/// resources come first lexicographically, and of those the *canonical* one: compared from the last class to the first,
/// the item that comes first in its class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The classes, each with its items in order; one item of each is taken. An empty class makes the problem
    /// infeasible.
    pub classes: Vec<Vec<Item>>,
    /// The shared elements.
    pub elements: Vec<Element>,
    /// L: the greatest amount of every resource.
    pub limits: Vec<u64>,
    /// The number of objectives: they are the first resources. At least 1.
    pub objectives: usize,
    /// The number of modes; 0 if items have values.
    pub modes: usize,
    /// What is asked.
    pub goal: Goal,
}

impl Problem {
    /// What no selection is worth more than, whatever it costs; `None` if a class has no item. Without modes it is the
    /// greatest value of a selection, if there are no more than 256 combinations of elements of groups.
    pub fn greatest_value(&self) -> Option<BigInt> {
        let most = |of: &dyn Fn(&Item) -> BigInt, is_left: &dyn Fn(&Item) -> bool| {
            let class = |items: &Vec<Item>| items.iter().filter(|item| is_left(item)).map(of).max();
            self.classes.iter().map(class).sum::<Option<BigInt>>()
        };
        if self.modes > 0 {
            return (0..self.modes).filter_map(|mode| most(&|item| -&item.loads[mode], &|_| true)).min();
        }
        let mut grouped: Vec<(u32, u32)> =
            (0u32..).zip(&self.elements).filter_map(|(at, element)| Some((element.group?, at))).collect();
        order::sort(&mut grouped);
        let mut groups: Vec<&[(u32, u32)]> = grouped.chunk_by(|a, b| a.0 == b.0).collect();
        let ways = groups
            .iter()
            .try_fold(1usize, |ways, group| ways.checked_mul(group.len()).filter(|&ways| ways <= MOST_WAYS));
        if ways.is_none() {
            groups.clear();
        }
        let value = |mut way: usize| {
            let mut excluded: Vec<u32> = Vec::new();
            for group in &groups {
                let kept = way % group.len();
                let others = group.iter().enumerate().filter(|(at, _)| *at != kept);
                excluded.extend(others.map(|(_, (_, element))| *element));
                way /= group.len();
            }
            most(&|item| item.value.clone(), &|item| !item.uses.iter().any(|used| excluded.contains(used)))
        };
        (0..ways.unwrap_or(1)).filter_map(value).max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_excludes_each_other_is_not_worth_both() {
        let item = |value: i64, uses: &[u32], number: u32| Item {
            value: value.into(),
            cost: vec![0],
            loads: vec![],
            uses: uses.to_vec(),
            number,
        };
        let element = |group| Element { built: vec![1], unbuilt: vec![0], group };
        let problem = |last: i64| Problem {
            classes: vec![
                vec![item(0, &[], 9), item(3, &[0], 0), item(10, &[0, 1], 1)],
                vec![item(0, &[], 9), item(-1, &[], 0)],
                vec![item(0, &[], 9), item(2, &[1], 0), item(last, &[2], 1)],
            ],
            elements: vec![element(None), element(Some(1)), element(Some(1))],
            limits: vec![0],
            objectives: 1,
            modes: 0,
            goal: Goal::Front,
        };
        assert_eq!(problem(8).greatest_value(), Some(12.into()), "10 and 8 exclude each other");
        assert_eq!(problem(10).greatest_value(), Some(13.into()));
        let mut none = problem(1);
        none.classes.push(Vec::new());
        assert_eq!(none.greatest_value(), None);
    }
}
