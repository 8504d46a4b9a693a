//! Solves many small multiple-choice knapsack problems together: for each the most value within its one capacity, the
//! least weight with that value, and the canonical items behind it.
//!
//! [`ENGINES`] lists the engines. They answer in flat arrays and allocate no memory per problem. Problems that exceed
//! their integers or work limit are returned unsolved ([`Found::Left`]), for an engine that solves single problems.

#[cfg(feature = "cuda")]
pub mod cuda;
mod lists;
mod problems;
mod solve;

pub use problems::{Batch, One};
pub use solve::{Best, Options, solve_many};

use isx_engine::{Auto, Entry, Family, Hardware, Registry, Threads};
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
fn answer_bytes(batch: &Batch) -> u64 {
    (batch.len() * size_of::<Found>() + batch.classes() * size_of::<u32>()) as u64
}

/// All engines, one per line.
#[rustfmt::skip]
pub static ENGINES: Registry<MckpBatch> = Registry(&[
    Entry { name: "bounded-lists", about: "Pareto lists within bounds, a thread a problem", hardware: Hardware::Cpu, threads: Threads::Many, auto: Auto::ByEstimate, judge: true, engine: &lists::Lists },
    #[cfg(feature = "cuda")]
    Entry { name: "cuda-lists", about: "Pareto lists within bounds, a warp a problem", hardware: Hardware::Gpu, threads: Threads::Many, auto: Auto::ByEstimate, judge: false, engine: &cuda::Warps },
    #[cfg(feature = "cuda")]
    Entry { name: "cuda-rows", about: "dense rows within bounds, a block a problem", hardware: Hardware::Gpu, threads: Threads::Many, auto: Auto::ByEstimate, judge: false, engine: &cuda::rows::Rows },
]);
