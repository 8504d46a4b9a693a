//! The engines for the 0-1 knapsack problem.
//!
//! [`ENGINES`] lists them; each has a file or a folder here. They return a best selection for one capacity or the
//! whole front up to it ([`Wanted`]). Of several best selections of one capacity they return one of the least
//! weight, so profit and weight are unique, as are the points of a front. The selections themselves are not unique:
//! any may be returned, and the witness checks its sums.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod answer;
mod bundles;
mod core;
#[cfg(feature = "cuda")]
pub mod cuda;
mod decisions;
mod dense;
mod family;
mod reference;
mod slack;
mod sweep;

pub use answer::{Answer, Selections};
pub use decisions::Decisions;
pub use family::{Knapsack, Wanted};
pub use slack::slack;

use isx_engine::{Auto, Entry, Hardware, Registry, Threads};

/// Every engine, one per line.
#[rustfmt::skip]
pub static ENGINES: Registry<Knapsack> = Registry(&[
    Entry { name: "reference", about: "the textbook table", hardware: Hardware::Cpu, threads: Threads::One, auto: Auto::ByEstimate, judge: true, engine: &reference::Reference },
    Entry { name: "dense", about: "a row of cells on vector units", hardware: Hardware::Cpu, threads: Threads::Many, auto: Auto::ByEstimate, judge: false, engine: &dense::Dense },
    #[cfg(feature = "cuda")]
    Entry { name: "cuda", about: "rows of losses on an NVIDIA GPU", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::ByEstimate, judge: false, engine: &cuda::Cuda(cuda::Options::DEFAULT) },
    Entry { name: "core", about: "lists of states around the break item", hardware: Hardware::Cpu, threads: Threads::One, auto: Auto::TriedFirst, judge: false, engine: &core::Core },
]);
