//! The dynamic programs for the multiple-choice set-union knapsack problem.
//!
//! [`ENGINES`] lists them; each has a file or a folder here. They return the whole front up to the capacity. Of all
//! selections with exactly a point's weight and value they return the canonical one: selections are compared from
//! the last class to the first, no item before the first item in the file.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod dense;
mod entry;
mod fields;
mod layer;
mod list;
mod most;
mod order;
mod state;

pub use fields::Selections;

use isx_engine::{Auto, Entry, Family, Hardware, Registry, Threads};
use isx_problems::reduce::set_union::Reduced;
use isx_problems::value::{Tier, Values};
use std::time::Duration;

/// The multiple-choice set-union knapsack problem.
#[derive(Clone, Copy, Debug)]
pub struct SetUnion;

impl Family for SetUnion {
    const NAME: &'static str = "set-union";
    type Problem = Reduced;
    type Wanted = Tier;
    type Answer = Answer;
}

/// The front of a reduced problem: weights and values strictly rising, complete up to the capacity.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Weights of the points.
    pub weights: Vec<u64>,
    /// Values of the points.
    pub values: Values,
    /// The items behind the points.
    pub selections: Selections,
    /// Whether the capacity excluded some selection.
    pub cut: bool,
    /// The arithmetic it was computed in.
    pub tier: Tier,
    /// What the engine used.
    pub how: String,
    /// Threads of the CPU that took part, at least 1.
    pub threads: usize,
    /// Candidates computed.
    pub updates: u64,
    /// Time of the computation.
    pub solve: Duration,
}

/// Every engine, one per line.
#[rustfmt::skip]
pub static ENGINES: Registry<SetUnion> = Registry(&[
    Entry { name: "list", about: "Pareto lists, one for every set of open elements", hardware: Hardware::Cpu, threads: Threads::Many, auto: Auto::TriedFirst, judge: false, engine: &list::List },
    Entry { name: "dense", about: "a row of values for every set of open elements", hardware: Hardware::Cpu, threads: Threads::Many, auto: Auto::ByEstimate, judge: false, engine: &dense::Dense },
]);

/// The elements that each class uses, without duplicates.
fn used_by_class(problem: &Reduced) -> Vec<Vec<u32>> {
    let used = problem.classes.iter().map(|items| {
        let mut used: Vec<u32> = items.iter().flat_map(|item| &item.uses).copied().collect();
        used.sort_unstable();
        used.dedup();
        used
    });
    used.collect()
}
