//! The dynamic programs for the multiple-choice knapsack problem.
//!
//! [`ENGINES`] lists them; each has a file or a folder here. They return the whole front up to the capacity
//! ([`Answer`]). Of all selections with exactly a point's weight and value they return the canonical one, which comes
//! first if selections are compared from the last class to the first: no item comes before any item, and items are in
//! file order.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod answer;
mod cell_picks;
#[cfg(feature = "cuda")]
pub mod cuda;
pub mod dense;
mod family;
pub mod least;
pub mod list;
mod reference;

pub use answer::{Answer, Picks};
pub use family::{Mckp, Wanted};

use isx_engine::{Auto, Entry, Hardware, Registry, Threads};

/// An engine of this family with its name.
pub type MckpEngine = Entry<Mckp>;

/// Every engine, one per line.
#[rustfmt::skip]
pub static ENGINES: Registry<Mckp> = Registry(&[
    Entry { name: "reference", about: "the textbook table", hardware: Hardware::Cpu, threads: Threads::One, auto: Auto::Never, judge: true, engine: &reference::Reference },
    Entry { name: "list", about: "Pareto lists", hardware: Hardware::Cpu, threads: Threads::Many, auto: Auto::TriedFirst, judge: false, engine: &list::List },
    Entry { name: "dense", about: "rows of cells on vector units", hardware: Hardware::Cpu, threads: Threads::Many, auto: Auto::ByEstimate, judge: false, engine: &dense::Dense::AUTO },
    #[cfg(feature = "cuda")]
    Entry { name: "cuda", about: "rows of cells on an NVIDIA GPU", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::ByEstimate, judge: false, engine: &cuda::Cuda },
]);
