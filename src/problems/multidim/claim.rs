//! What an answer to a multi-dimensional knapsack problem claims: plain data, whoever computed it.

use super::Figures;
use num_bigint::BigInt;

/// The best profit within the capacities, and items that bring it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The sum of the items' profits.
    pub profit: BigInt,
    /// The sum of their weights in each dimension.
    pub weights: Figures,
    /// The chosen items, numbered from 0 in the order of the file, smallest first.
    pub chosen: Vec<usize>,
}
