//! The claim of an answer to a multiple knapsack problem: plain data, independent of the engine.

use num_bigint::BigInt;

/// The best distribution of items that was found, and what no distribution exceeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The profit of all chosen items.
    pub profit: BigInt,
    /// No distribution has more profit; equal to `profit` if the distribution is proved to be the best.
    pub bound: BigInt,
    /// The weight in every knapsack.
    pub weights: Vec<u64>,
    /// The items in every knapsack, as ascending 0-based indices in file order.
    pub chosen: Vec<Vec<usize>>,
}

impl Claim {
    /// Whether no distribution has more profit.
    pub fn is_proved(&self) -> bool {
        self.profit == self.bound
    }
}
