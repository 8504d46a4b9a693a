//! The result of an engine: points, and their items.

pub use isx_problems::knapsack::Selections;
pub use isx_problems::value::{Value, Values};
use std::sync::Arc;
use std::time::Duration;

/// The best of one capacity, or the front up to it, for the reduced problem.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Weights of the points, in the reduced problem's units. For a front they rise strictly from 0; for one
    /// capacity it is the least weight with the greatest profit.
    pub weights: Vec<u64>,
    /// Profits of the points, in the reduced problem's units.
    pub profits: Values,
    /// The items of every point, if requested, as indices into the reduced problem's items.
    pub picks: Option<Arc<dyn Selections>>,
    /// What the engine used, for example `AVX-512, 2 threads`.
    pub how: String,
    /// Threads of the CPU that took part, at least 1.
    pub threads: usize,
    /// Candidates computed: cells written, or states created.
    pub updates: u64,
    /// Time of the forward pass.
    pub solve: Duration,
    /// Time of finding the items.
    pub traceback: Duration,
}

impl Answer {
    /// An answer of one thread, without counts and times.
    pub fn new(weights: Vec<u64>, profits: Values, picks: Option<Arc<dyn Selections>>) -> Self {
        let (solve, traceback) = Default::default();
        Self { weights, profits, picks, how: String::new(), threads: 1, updates: 0, solve, traceback }
    }

    /// The items of the only point, in the format of [`Answer::picks`].
    pub fn one_selection(chosen: Vec<u32>) -> Option<Arc<dyn Selections>> {
        Some(Arc::new(vec![chosen]))
    }
}
