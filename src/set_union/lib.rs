//! The dynamic programs for the multiple-choice set-union knapsack problem.
//!
//! [`ENGINES`] lists them; each has a file or a folder here. They return the whole front up to the capacity. Of all
//! selections with exactly a point's weight and value they return the canonical one: selections are compared from
//! the last class to the first, no item before the first item in the file.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod dense;
mod entry;
mod family;
mod fields;
mod layer;
mod list;
mod most;
mod order;
mod state;

pub use family::{Answer, SetUnion};
pub use fields::Selections;

use isx_engine::{Auto, Entry, Hardware, Registry, Threads};

/// Every engine, one per line.
#[rustfmt::skip]
pub static ENGINES: Registry<SetUnion> = Registry(&[
    Entry { name: "list", about: "Pareto lists, one for every set of open elements", hardware: Hardware::Cpu, threads: Threads::Many, auto: Auto::TriedFirst, judge: false, engine: &list::List },
    Entry { name: "dense", about: "a row of values for every set of open elements", hardware: Hardware::Cpu, threads: Threads::Many, auto: Auto::ByEstimate, judge: false, engine: &dense::Dense },
]);
