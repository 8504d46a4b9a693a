//! The dynamic programs for the multiple-choice problem with several resources.
//!
//! [`ENGINES`] lists them; each has a file or a folder here. They return the points that the problem's goal asks for, in
//! lexicographic order of their costs in the objectives, and of all selections behind a point the one that
//! [`Problem`](isx_problems::resources::Problem) names.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[cfg(feature = "cuda")]
pub mod cuda;
mod dense;
mod family;
mod labels;
mod number;
mod reference;

pub use family::{Answer, Resources, Wanted};
pub use number::most_value;

use isx_engine::{Auto, Entry, Hardware, Registry, Threads};

/// The engine, other than the judge, that computes the widest values.
pub const WIDEST: &str = "list";
pub use labels::{LABELS, MOST_BITS};

/// Every engine, one per line.
#[rustfmt::skip]
pub static ENGINES: Registry<Resources> = Registry(&[
    Entry { name: "list", about: "lists of undominated sums, one for every set of open elements", hardware: Hardware::Cpu, threads: Threads::Many, auto: Auto::TriedFirst, judge: false, engine: &LABELS },
    Entry { name: "dense", about: "a table of values within every vector of amounts", hardware: Hardware::Cpu, threads: Threads::Many, auto: Auto::ByEstimate, judge: false, engine: &dense::Dense },
    #[cfg(feature = "cuda")]
    Entry { name: "cuda", about: "a table of values within every vector of amounts, on an NVIDIA GPU", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::ByEstimate, judge: false, engine: &cuda::Cuda },
    Entry { name: "reference", about: "every sum, compared at the end", hardware: Hardware::Cpu, threads: Threads::One, auto: Auto::ByEstimate, judge: true, engine: &reference::Reference },
]);

#[cfg(test)]
mod tests;
