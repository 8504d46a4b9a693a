//! Solves many small multiple-choice knapsack problems together: for each the most value within its one capacity, the
//! least weight with that value, and the canonical items behind it.
//!
//! [`ENGINES`] lists the engines. They answer in flat arrays and allocate no memory per problem. Problems that exceed
//! their integers or work limit are returned unsolved ([`Found::Left`]), for an engine that solves single problems.

#[cfg(feature = "cuda")]
pub mod cuda;
mod family;
mod lists;
mod problems;
mod solve;

pub use family::{Answers, Found, MckpBatch, NO_ITEM};
pub use problems::{Batch, One};
pub use solve::{Best, Options, solve_many};

use isx_engine::{Auto, Entry, Hardware, Registry, Threads};

/// All engines, one per line.
#[rustfmt::skip]
pub static ENGINES: Registry<MckpBatch> = Registry(&[
    Entry { name: "bounded-lists", about: "Pareto lists within bounds, a thread a problem", hardware: Hardware::Cpu, threads: Threads::Many, auto: Auto::ByEstimate, judge: true, engine: &lists::Lists },
    #[cfg(feature = "cuda")]
    Entry { name: "cuda-lists", about: "Pareto lists within bounds, a warp a problem", hardware: Hardware::Gpu, threads: Threads::Many, auto: Auto::ByEstimate, judge: false, engine: &cuda::Warps },
    #[cfg(feature = "cuda")]
    Entry { name: "cuda-rows", about: "dense rows within bounds, a block a problem", hardware: Hardware::Gpu, threads: Threads::Many, auto: Auto::ByEstimate, judge: false, engine: &cuda::rows::Rows },
]);
