//! The 0-1 knapsack problem with a capacity in each of up to three dimensions: the textbook's table, and the schemes of Lemos
//! and others for a batch of such problems.
//!
//! ```text
//! max  sum_{i in S} p_i   s.t.   sum_{i in S} w_{i,k} <= c_k   for every dimension k
//! ```
//!
//! Engines solve a batch; one problem is a batch of one. An item is taken where that is better than to leave it, so every
//! engine finds the same items.

pub mod generate;
mod lemos;
mod multidim_lemos;
mod problem;
mod reference;
mod text;

pub use lemos::Lemos;
pub use multidim_lemos::Grid;
pub use problem::{Batch, Best, Item, MAX_DIMENSIONS, Multidim, Problem};
pub use text::{Text, parse};

use isx_engine::{Auto, Entry, Hardware, Registry, Threads};

/// All engines, one per line.
#[rustfmt::skip]
pub static ENGINES: Registry<Multidim> = Registry(&[
    Entry { name: "reference", about: "the textbook table", hardware: Hardware::Cpu, threads: Threads::One, auto: Auto::ByEstimate, judge: true, engine: &reference::Reference },
    Entry { name: "cuda-lemos", about: "Lemos's scheme on an NVIDIA GPU", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::Never, judge: false, engine: &Lemos { together: true, grid: None } },
    Entry { name: "cuda-lemos-one", about: "the same with one problem after the other, walks back on the CPU", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::Never, judge: false, engine: &Lemos { together: false, grid: None } },
]);
