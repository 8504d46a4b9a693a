//! The results of sweeps over losses, and the options of such a sweep.

use super::cell::Width;
use isx_problems::knapsack::Selections;
use std::sync::Arc;
use std::time::Duration;

/// Options of a sweep; the profit of the answer does not depend on them.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The minimum width of cells.
    pub at_least: Width,
    /// Whether the heaviest items come first.
    pub heaviest_first: bool,
    /// The most bytes of decisions: items with more are halved, which takes less time than the memory for them.
    pub most_decisions: u64,
}

impl Options {
    /// What is fastest.
    pub const DEFAULT: Self = Self { at_least: Width::W16, heaviest_first: true, most_decisions: 16 << 30 };
}

impl Default for Options {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The best of one capacity, or the front up to it.
#[derive(Clone, Debug)]
pub struct Found {
    /// Weights of the points, strictly rising; for one capacity the weight of the best selection.
    pub weights: Vec<u64>,
    /// Their profits.
    pub profits: Vec<i128>,
    /// The items of every point, if requested.
    pub picks: Option<Arc<dyn Selections>>,
    /// How wide the cells were.
    pub width: Width,
    /// Cells filled, counted per item, by the attempt that found the answer.
    pub updates: u64,
    /// Bytes of rows and decisions of all launched blocks of cells; those of dead blocks were not transferred.
    pub bytes: u64,
    /// Time of the first sweep, which determines the profits.
    pub solve: Duration,
    /// Time of finding the items, or of reading the front.
    pub traceback: Duration,
}

impl Found {
    /// Nothing yet.
    pub(super) fn new(width: Width) -> Self {
        let (weights, profits, picks) = Default::default();
        let (solve, traceback) = Default::default();
        Self { weights, profits, picks, width, updates: 0, bytes: 0, solve, traceback }
    }
}
