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

impl Answer {
    /// Of one thread, and neither counted nor timed.
    #[must_use]
    pub fn new(weights: Vec<u64>, profits: Values, picks: Option<Arc<dyn Selections>>) -> Self {
        let (solve, traceback) = Default::default();
        Self { weights, profits, picks, how: String::new(), threads: 1, updates: 0, solve, traceback }
    }

    /// The items chosen for the one point there is, as [`Answer::picks`] holds them.
    #[must_use]
    pub fn one_selection(chosen: Vec<u32>) -> Option<Arc<dyn Selections>> {
        Some(Arc::new(vec![chosen]))
    }
}
