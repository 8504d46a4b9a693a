//! The dynamic programs for the multiple-choice set-union knapsack problem.
//!
//! [`ENGINES`] lists them; each has a file or a folder here. They return the whole front up to the capacity. Of all
//! selections with exactly a point's weight and value they return the canonical one, which comes first if selections
//! are compared from the last class to the first: no item comes before any item, and items are in file order.
//!
//! The classes are processed one after another. An element is *open* from the first class that can use it to the
//! last; while it is open, an engine has to know whether it is paid for.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod dense;
mod entry;
mod family;
mod fields;
mod layer;
mod list;
mod most;
pub mod order;

pub use family::{Answer, SetUnion};
pub use fields::{Fields, Selections};

use isx_engine::{Auto, Entry, Hardware, Registry, Threads};

/// Every engine, one per line.
#[rustfmt::skip]
pub static ENGINES: Registry<SetUnion> = Registry(&[
    Entry { name: "list", about: "Pareto lists, one for every set of open elements", hardware: Hardware::Cpu, threads: Threads::Many, auto: Auto::TriedFirst, judge: false, engine: &list::List },
    Entry { name: "dense", about: "a row of values for every set of open elements", hardware: Hardware::Cpu, threads: Threads::Many, auto: Auto::ByEstimate, judge: false, engine: &dense::Dense },
]);
