//! The dynamic programs for the multi-dimensional 0-1 knapsack problem.
//!
//! [`ENGINES`] lists them; each has a file or a folder here. They solve a [`Batch`]: many problems together keep all
//! threads, or a GPU, busy where a single one would not; one problem is a batch of one. They return the best profit
//! of each problem and a set of items with that profit; of several best sets any may be returned.

mod answer;
#[cfg(feature = "cuda")]
pub mod cuda;
pub mod dense;
mod layers;
mod reference;

pub use answer::{Answer, Best};
pub use layers::Layers;

use isx_engine::{Auto, Entry, Family, Hardware, Registry, Threads};
use isx_problems::reduce::multidim::Reduced;
use isx_problems::value::Tier;

/// The multi-dimensional 0-1 knapsack problem.
#[derive(Clone, Copy, Debug)]
pub struct Multidim;

impl Family for Multidim {
    const NAME: &'static str = "multidim";
    type Problem = Batch;
    /// There is only one kind of answer: profit and items.
    type Wanted = ();
    type Answer = Answer;
}

/// Problems that are solved together, in integers of one width.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    problems: Vec<Reduced>,
}

impl Batch {
    /// These problems together.
    #[must_use]
    pub fn new(problems: Vec<Reduced>) -> Self {
        Self { problems }
    }

    /// The problems in order.
    #[must_use]
    pub fn problems(&self) -> &[Reduced] {
        &self.problems
    }

    /// The narrowest integers that hold every sum of profits of every problem.
    #[must_use]
    pub fn tier(&self) -> Tier {
        self.problems.iter().map(Reduced::tier).max().unwrap_or(Tier::I32)
    }
}

/// Every engine, one per line.
#[rustfmt::skip]
pub static ENGINES: Registry<Multidim> = Registry(&[
    Entry { name: "reference", about: "the textbook table", hardware: Hardware::Cpu, threads: Threads::One, auto: Auto::ByEstimate, judge: true, engine: &reference::Reference },
    Entry { name: "dense", about: "tables on vector units, two items a pass", hardware: Hardware::Cpu, threads: Threads::Many, auto: Auto::ByEstimate, judge: false, engine: &dense::Dense::AUTO },
    #[cfg(feature = "cuda")]
    Entry { name: "cuda", about: "tables on an NVIDIA GPU, two items a pass", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::ByEstimate, judge: false, engine: &cuda::Pairs },
]);
