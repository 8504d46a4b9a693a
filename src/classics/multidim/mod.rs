//! The dynamic programs for the multi-dimensional 0-1 knapsack problem.
//!
//! [`ENGINES`] lists them; each has a file or a folder here. They solve a [`Batch`]: many problems together keep all
//! threads, or a GPU, busy where a single one would not; one problem is a batch of one. They return the best profit
//! of each problem and a set of items with that profit; of several best sets any may be returned.

mod answer;
#[cfg(feature = "cuda")]
pub mod cuda;
pub mod dense;
mod family;
mod layers;
mod reference;

pub use answer::{Answer, Best};
pub use family::{Batch, Multidim, map_each};
pub use layers::Layers;

use isx_engine::{Auto, Entry, Hardware, Registry, Threads};

/// Every engine, one per line.
#[rustfmt::skip]
pub static ENGINES: Registry<Multidim> = Registry(&[
    Entry { name: "reference", about: "the textbook table", hardware: Hardware::Cpu, threads: Threads::One, auto: Auto::ByEstimate, judge: true, engine: &reference::Reference },
    Entry { name: "dense", about: "tables on vector units, two items a pass", hardware: Hardware::Cpu, threads: Threads::Many, auto: Auto::ByEstimate, judge: false, engine: &dense::Dense::AUTO },
    #[cfg(feature = "cuda")]
    Entry { name: "cuda", about: "tables on an NVIDIA GPU, two items a pass", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::ByEstimate, judge: false, engine: &cuda::Pairs },
]);
