//! The family of engines: what they are asked, and what they answer.

use crate::Batch;
use isx_engine::Family;
use isx_problems::value::Tier;
use std::time::Duration;

/// A batch of multiple-choice knapsack problems.
#[derive(Clone, Copy, Debug)]
pub struct MckpBatch;

impl Family for MckpBatch {
    const NAME: &'static str = "mckp batch";
    type Problem = Batch;
    /// The best value within the one capacity, and its items.
    type Wanted = ();
    type Answer = Answers;
}

/// The result for one problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The most value, and the least weight with that value.
    Best {
        /// The value.
        value: i128,
        /// The weight.
        weight: u64,
    },
    /// Nothing fits.
    Infeasible,
    /// Not solved: the problem exceeds the engine's integers or memory.
    Left,
}

/// Stands for no item in [`Answers::picks`].
pub const NO_ITEM: u32 = u32::MAX;

/// The results of all problems, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answers {
    /// One per problem.
    pub found: Vec<Found>,
    /// The items, one per class, in the batch's order of classes; [`NO_ITEM`] for none, and for unsolved problems.
    pub picks: Vec<u32>,
    /// What the engine used, for example `2 threads`.
    pub how: String,
    /// Number of CPU threads used, at least 1.
    pub threads: usize,
    /// The integers it computed in.
    pub tier: Tier,
    /// Candidates examined, if the engine counts them.
    pub updates: u64,
    /// Wall-clock time.
    pub solve: Duration,
}

/// Bytes of the answers to a batch.
pub(crate) fn answer_bytes(batch: &Batch) -> u64 {
    (batch.len() * size_of::<Found>() + batch.classes() * size_of::<u32>()) as u64
}
