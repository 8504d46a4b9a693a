//! Engines for the multiple knapsack problem: several knapsacks with their own capacities, and every item in at most
//! one of them.
//!
//! [`ENGINES`] lists them; each has a file or a folder here. They find a distribution with the most profit, or, if a
//! search ends before that, the best one found and a bound that none exceeds. Of several best distributions any may be
//! returned.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod branch;
mod family;
mod reference;

pub use family::{Answer, Multiple, STEPS, Wanted};

use isx_engine::{Auto, Entry, Hardware, Registry, Threads};

/// Every engine, one per line.
#[rustfmt::skip]
pub static ENGINES: Registry<Multiple> = Registry(&[
    Entry { name: "reference", about: "the textbook table over all capacities", hardware: Hardware::Cpu, threads: Threads::One, auto: Auto::Never, judge: true, engine: &reference::Reference },
    Entry { name: "branch", about: "branch and bound, a knapsack at a time", hardware: Hardware::Cpu, threads: Threads::One, auto: Auto::ByEstimate, judge: false, engine: &branch::Branch },
]);
