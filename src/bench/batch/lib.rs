//! Many small multiple-choice knapsack problems together: of each the most value within its one capacity, the least
//! weight that brings it, and the canonical items behind it.
//!
//! [`ENGINES`] names the engines. They answer in flat arrays and take no memory of their own for a problem. What is too
//! wide or too hard for them they leave ([`Found::Left`]) to whoever solves a problem by itself.

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

/// Multiple-choice knapsack problems together.
#[derive(Debug)]
pub struct MckpBatch;

impl Family for MckpBatch {
    const NAME: &'static str = "mckp batch";
    type Problem = Batch;
    /// The best of the one capacity, and its items.
    type Wanted = ();
    type Answer = Answers;
}

/// What was found of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The most value, and the least weight that brings it.
    Best {
        /// The value.
        value: i128,
        /// The weight.
        weight: u64,
    },
    /// Nothing fits.
    Infeasible,
    /// Nothing: it passes the engine's integers or its room.
    Left,
}

/// Stands in [`Answers::picks`] for no item.
pub const NO_ITEM: u32 = u32::MAX;

/// What was found of every problem, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answers {
    /// One a problem.
    pub found: Vec<Found>,
    /// The items, one a class, class after class as the batch has them; [`NO_ITEM`] for none, and where none was found.
    pub picks: Vec<u32>,
    /// What the engine used, for example `2 threads`.
    pub how: String,
    /// Threads of the CPU that took part, at least 1.
    pub threads: usize,
    /// The integers it computed in.
    pub tier: Tier,
    /// Candidates looked at, where the engine counts them.
    pub updates: u64,
    /// Wall-clock time.
    pub solve: Duration,
}

/// Bytes of the answers to a batch.
fn answer_bytes(batch: &Batch) -> u64 {
    (batch.len() * size_of::<Found>() + batch.classes() * size_of::<u32>()) as u64
}

/// Every engine there is, one line each.
#[rustfmt::skip]
pub static ENGINES: Registry<MckpBatch> = Registry(&[
    Entry { name: "bounded-lists", about: "Pareto lists within bounds, a thread a problem", hardware: Hardware::Cpu, threads: Threads::Many, auto: Auto::ByEstimate, judge: true, engine: &lists::Lists },
    #[cfg(feature = "cuda")]
    Entry { name: "cuda-lists", about: "Pareto lists within bounds, a warp a problem", hardware: Hardware::Gpu, threads: Threads::Many, auto: Auto::ByEstimate, judge: false, engine: &cuda::Warps },
    #[cfg(feature = "cuda")]
    Entry { name: "cuda-rows", about: "dense rows within bounds, a block a problem", hardware: Hardware::Gpu, threads: Threads::Many, auto: Auto::ByEstimate, judge: false, engine: &cuda::rows::Rows },
]);
