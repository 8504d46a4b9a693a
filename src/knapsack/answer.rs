//! What an engine returns: points, and the items behind them.

pub use isx_problems::knapsack::Selections;
pub use isx_problems::value::{Stored, Values};
use std::sync::Arc;
use std::time::Duration;

/// The best of one capacity, or the front up to it, in the terms of the reduced problem.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Weights of the points, in the reduced problem's units: of the front strictly rising, the first one 0. Of one
    /// capacity, the least weight that brings the most profit.
    pub weights: Vec<u64>,
    /// Profits of the points, in the reduced problem's units.
    pub profits: Values,
    /// The items behind every point, where they were wanted, as indices into the reduced problem's items.
    pub picks: Option<Arc<dyn Selections>>,
    /// What the engine used, for example `AVX-512, 2 threads`.
    pub how: String,
    /// Threads of the CPU that took part, at least 1.
    pub threads: usize,
    /// Candidates looked at: cells written, or states made.
    pub updates: u64,
    /// Time of the forward pass.
    pub solve: Duration,
    /// Time of finding the items.
    pub traceback: Duration,
}
