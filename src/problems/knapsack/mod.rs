//! The 0-1 knapsack problem: every item is taken once or not at all.
//!
//! Maximize the sum of profits under a capacity on the sum of weights:
//!
//! ```text
//! max  sum_i p_i x_i   s.t.   sum_i w_i x_i <= C,   x_i in {0, 1}
//! ```

mod claim;
pub mod generate;
mod layouts;
mod pisinger;
mod raw;
pub mod text;
mod witness;

pub use claim::{Claim, Selections};
pub use witness::witness;

/// An item with its profit and weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// Profit, of any sign, with an absolute value below 2^120.
    pub profit: i128,
    /// Weight, below 2^62, in units of the capacity.
    pub weight: u64,
}

/// A 0-1 knapsack problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knapsack {
    /// The items in file order.
    pub items: Vec<Item>,
    /// C: the maximum weight of an answer.
    pub capacity: u64,
}
