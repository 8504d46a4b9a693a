//! The multiple knapsack problem: several knapsacks, each with its own capacity, and every item in at most one of them.
//!
//! ```text
//! max  sum_k sum_i p_i x_ik   s.t.   sum_i w_i x_ik <= c_k for every knapsack k,   sum_k x_ik <= 1 for every item i
//! ```

mod claim;
pub mod generate;
pub mod text;
mod witness;

pub use crate::knapsack::Item;
pub use claim::Claim;
pub use witness::witness;

/// A multiple knapsack problem.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Multiple {
    /// The capacities in file order, each below 2^62.
    pub capacities: Vec<u64>,
    /// The items in file order.
    pub items: Vec<Item>,
}
