//! The family of engines: what they are asked, and what they answer.

use isx_engine::{EngineError, Family};
use isx_problems::reduce::multiple::Reduced;
use std::time::{Duration, Instant};

/// The multiple knapsack problem.
#[derive(Clone, Copy, Debug)]
pub struct Multiple;

impl Family for Multiple {
    const NAME: &'static str = "multiple";
    type Problem = Reduced;
    type Wanted = Wanted;
    type Answer = Answer;
}

/// The steps of a search unless others are asked for: about a minute on a common core.
pub const STEPS: u64 = 20_000_000_000;

/// When a search ends without a proof.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// After this many steps of a few nanoseconds.
    pub steps: u64,
    /// At this moment.
    pub ends: Option<Instant>,
}

impl Default for Wanted {
    fn default() -> Self {
        Self { steps: STEPS, ends: None }
    }
}

/// The best distribution that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Its profit, in the reduced problem's units.
    pub profit: i128,
    /// No distribution has more; equal to `profit` if that is the most.
    pub bound: i128,
    /// The knapsack of every item of the reduced problem.
    pub knapsack_of: Vec<Option<u32>>,
    /// Candidates computed: cells per item and knapsack, or sets of items and 0-1 problems that the search looked at.
    pub updates: u64,
    /// Time of the search.
    pub solve: Duration,
    /// Time of finding the items, if it was measured separately.
    pub traceback: Duration,
}

/// Sums of all profits stay below 2^this many bits, and sums of all weights below 2^62.
const PROFIT_BITS: u32 = 124;

/// Refuses a problem whose sums the engines cannot hold.
pub(crate) fn check_sums(problem: &Reduced) -> Result<(), EngineError> {
    let profit = problem.items.iter().try_fold(0i128, |sum, item| sum.checked_add(item.profit));
    let weight: u128 = problem.items.iter().map(|item| u128::from(item.weight)).sum();
    match profit {
        Some(profit) if profit < 1 << PROFIT_BITS && weight < 1 << 62 => Ok(()),
        Some(profit) if profit < 1 << PROFIT_BITS => {
            Err(EngineError::TooLarge("holds weights of up to 2^62 in all, and these pass it".into()))
        }
        _ => Err(EngineError::TooLarge(format!(
            "holds profits of up to 2^{PROFIT_BITS} in all, and these pass it"
        ))),
    }
}
