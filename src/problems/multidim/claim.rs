//! The claim of an answer to a multi-dimensional knapsack problem: plain data, independent of the engine.

use super::PerDimension;
use num_bigint::BigInt;

/// The maximum profit within the capacities, and items that reach it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The sum of the items' profits.
    pub profit: BigInt,
    /// The sum of their weights in each dimension.
    pub weights: PerDimension,
    /// The chosen items, as ascending 0-based indices in file order.
    pub chosen: Vec<usize>,
}
