//! What the sweeps over losses find, and in how many ways they can be done.

use super::cell::Width;
use isx_problems::knapsack::Selections;
use std::sync::Arc;
use std::time::Duration;

/// How a sweep is done, where it can be done in several ways; the answer's profit is the same.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Cells at least so wide.
    pub at_least: Width,
    /// The heaviest items first.
    pub heaviest_first: bool,
    /// Decisions take no more bytes than this.
    pub most_decisions: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { at_least: Width::W16, heaviest_first: true, most_decisions: u64::MAX }
    }
}

/// The best of one capacity, or the front up to it.
#[derive(Clone, Debug)]
pub struct Found {
    /// Weights of the points, strictly rising; of one capacity what the best selection weighs.
    pub weights: Vec<u64>,
    /// Their profits.
    pub profits: Vec<i128>,
    /// The items of every point, where they were wanted.
    pub picks: Option<Arc<dyn Selections>>,
    /// How wide the cells were.
    pub width: Width,
    /// Cells filled, an item at a time.
    pub updates: u64,
    /// Bytes of rows and decisions that blocks of cells were launched for; those of dead blocks were not moved.
    pub bytes: u64,
    /// Time of the first sweep, which says the profits.
    pub solve: Duration,
    /// Time of finding the items, or of reading the front.
    pub traceback: Duration,
}
