//! The dynamic programs: a reduced problem in, its whole front (and the items behind every point) out.
//!
//! Every engine computes the same function and answers byte for byte alike; they differ in speed and in what
//! they need. An engine is one value of the trait [`Engine`] and one line of [`ENGINES`].

pub mod answer;
mod cell_picks;
mod context;
pub mod cuda;
pub mod dense;
mod error;
mod hull;
pub mod list;
mod plan;
mod reference;
mod rises;
mod team;

pub use answer::{Answer, Picks};
pub use context::{Context, NoProgress, Progress};
pub use error::EngineError;
pub use plan::{Planned, solve};

use crate::reduce::Tiered;

/// For which points of the front the chosen items are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Values only.
    Values,
    /// The items of the last point of the front, the best value within the capacity.
    BestPicks,
    /// The items of every point of the front.
    AllPicks,
}

/// What an engine is expected to need for a problem.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// Wall-clock time, in seconds.
    pub seconds: f64,
    /// Peak memory of tables, in bytes.
    pub bytes: u64,
}

/// A dynamic program for the multiple-choice knapsack problem.
pub trait Engine: Sync {
    /// The name by which `--engine` knows it.
    fn name(&self) -> &'static str;

    /// Time and memory for this problem, from the engine's model of itself.
    ///
    /// # Errors
    ///
    /// When the engine cannot run here ([`EngineError::Unavailable`]) or not on this problem
    /// ([`EngineError::Unsupported`]).
    fn estimate(&self, problem: &Tiered, wanted: Wanted, context: &Context) -> Result<Estimate, EngineError>;

    /// The whole front up to the problem's capacity, with the canonical items of the points that are wanted.
    ///
    /// # Errors
    ///
    /// As [`Engine::estimate`], and [`EngineError::Memory`] before any table is allocated that would pass
    /// the context's limit.
    fn solve(&self, problem: &Tiered, wanted: Wanted, context: &Context) -> Result<Answer, EngineError>;
}

/// Every engine there is.
pub static ENGINES: &[&dyn Engine] = &[&reference::Reference, &list::List, &dense::Dense::AUTO, &cuda::Cuda];

/// The engine of that name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static dyn Engine> {
    ENGINES.iter().copied().find(|engine| engine.name() == name)
}
