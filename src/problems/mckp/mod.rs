//! The multiple-choice knapsack problem: classes of items, one item (or at most one) taken from each.
//!
//! Maximize the sum of values under a capacity on the sum of weights:
//!
//! ```text
//! max  sum_i v_{i,k(i)}   s.t.   sum_i w_{i,k(i)} <= C,   one k(i) per class (or none, where choice is optional)
//! ```

mod claim;
pub mod generate;
mod hull;
pub mod text;
mod witness;

pub use crate::mismatch::Mismatch;
pub use claim::{Claim, Configurations, NO_ITEM, Without};
pub use hull::upper_hull;
pub use witness::witness;

/// An item with its value and weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item<V> {
    /// Value, of any sign.
    pub value: V,
    /// Weight, in units of the capacity.
    pub weight: u64,
}

/// How many items of a class are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Exactly one, as in the textbook problem.
    ExactlyOne,
    /// One or none; none has value 0 and weight 0.
    Optional,
}

/// A multiple-choice knapsack problem of m classes and capacity C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mckp<V> {
    /// The classes in file order, each with its items in file order.
    pub classes: Vec<Vec<Item<V>>>,
    /// C: the maximum weight of an answer. A capacity beyond 2^62 counts as 2^62 above the lightest selection.
    pub capacity: u64,
    /// Whether a class may contribute no item.
    pub choice: Choice,
}
