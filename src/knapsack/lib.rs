//! The engines for the 0-1 knapsack problem.
//!
//! [`ENGINES`] names them all; each has a file or a folder here. They answer with a best selection of one capacity or
//! with the whole front up to it ([`Wanted`]). Of several best selections of one capacity it is one of the least weight,
//! so that profit and weight are unique, as the points of a front are. The selections behind them are not: any will do,
//! and the witness sums it again.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod answer;
mod boyer;
mod bundles;
mod core;
#[cfg(feature = "cuda")]
pub mod cuda;
mod decisions;
mod dense;
mod grouped;
mod reference;
mod slack;
mod sweep;

pub use answer::{Answer, Selections};
pub use decisions::Decisions;
pub use slack::slack;

use isx_engine::{Auto, Entry, Family, Hardware, Registry, Threads};
use isx_problems::reduce::knapsack::{Goal, Reduced};

/// The 0-1 knapsack problem.
#[derive(Debug)]
pub struct Knapsack;

impl Family for Knapsack {
    const NAME: &'static str = "knapsack";
    type Problem = Reduced;
    type Wanted = Wanted;
    type Answer = Answer;
}

/// What of the answer is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// The most profit within the capacity.
    Value,
    /// The most profit within the capacity, and items that bring it.
    #[default]
    Best,
    /// The front: the most profit of every capacity.
    AllValues,
    /// The front, and the items of every point.
    AllPicks,
}

impl Wanted {
    /// What a reduction must keep for it.
    #[must_use]
    pub fn goal(self) -> Goal {
        if self.is_one_capacity() { Goal::OneCapacity } else { Goal::AllCapacities }
    }

    /// Whether it is the best of one capacity.
    #[must_use]
    pub fn is_one_capacity(self) -> bool {
        matches!(self, Self::Value | Self::Best)
    }

    /// Whether items are wanted.
    #[must_use]
    pub fn picks(self) -> bool {
        matches!(self, Self::Best | Self::AllPicks)
    }
}

/// Every engine there is, one line each.
#[rustfmt::skip]
pub static ENGINES: Registry<Knapsack> = Registry(&[
    Entry { name: "reference", about: "the textbook table", hardware: Hardware::Cpu, threads: Threads::One, auto: Auto::ByEstimate, judge: true, engine: &reference::Reference },
    Entry { name: "dense", about: "a row of cells on vector units", hardware: Hardware::Cpu, threads: Threads::Many, auto: Auto::ByEstimate, judge: false, engine: &dense::Dense },
    Entry { name: "grouped", about: "rows of cells, items of one weight in one go", hardware: Hardware::Cpu, threads: Threads::Many, auto: Auto::ByEstimate, judge: false, engine: &grouped::Grouped },
    Entry { name: "boyer", about: "a row of cells, the decisions compressed", hardware: Hardware::Cpu, threads: Threads::Many, auto: Auto::ByEstimate, judge: false, engine: &boyer::Boyer },
    #[cfg(feature = "cuda")]
    Entry { name: "cuda", about: "rows of losses on an NVIDIA GPU", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::ByEstimate, judge: false, engine: &cuda::Cuda },
    #[cfg(feature = "cuda")]
    Entry { name: "cuda-grouped", about: "rows of cells on an NVIDIA GPU, items of one weight in one go", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::ByEstimate, judge: false, engine: &cuda::Grouped },
    Entry { name: "core", about: "lists of states around the break item", hardware: Hardware::Cpu, threads: Threads::One, auto: Auto::TriedFirst, judge: false, engine: &core::Core },
]);
