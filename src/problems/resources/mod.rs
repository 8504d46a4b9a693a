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

mod cost;
mod dominance;
mod envelope;
mod page;
mod pages;

pub use cost::{Cost, Wide};
pub use dominance::{Stairs, undominated};
pub use envelope::{Source, Ties, envelope, envelope_with};
pub use pages::{Pages, Vector};

use num_bigint::BigInt;

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
    /// The greatest amount of a resource that some selection costs, or more; saturates.
    pub fn reach(&self, resource: usize) -> u64 {
        let most = |items: &Vec<Item>| items.iter().map(|item| item.cost[resource]).max();
        let items = self.classes.iter().filter_map(most);
        let elements = self.elements.iter().map(|e| e.built[resource].max(e.unbuilt[resource]));
        items.chain(elements).fold(0, u64::saturating_add)
    }
}
