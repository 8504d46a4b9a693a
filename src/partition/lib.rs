//! Partitions tasks with choices among equal cores, at the least area: exact, in plain numbers.
//!
//! Each task takes one of its choices and runs on one core. The sizes on a core add up to at most its capacity; the area is
//! that of the choices and of the blocks they use, those of the chip counted once, those of cores once on every core that uses
//! them. Two engines:
//!
//! - [`Engine::Aggregate`]: it is decided how many cores have which blocks; all cores as one give a lower bound, and
//!   designs by rising area are packed exactly.
//! - [`Engine::Plans`]: column generation gives a lower bound, and every plan of a core that a design near it can use
//!   is listed.
//!
//! Between them local search looks for a good design (`local`). Which blocks the chip builds is decided before by branch
//! and bound. Limits of other resources are met by prices of
//! their amounts and branch and bound around all that (`limits`). Whatever an engine finds is summed again by
//! [`Problem::area_of`].

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod aggregate;
mod budget;
mod chip;
mod classes;
mod core_design;
mod cover;
mod limits;
mod local;
mod master;
mod packing;
mod plans;
mod pricing;
mod problem;
mod profit;
mod suffixes;
#[cfg(test)]
mod tests;

pub use budget::{Budget, Stopped};
pub use chip::prices;
pub use limits::solve;
pub use problem::{Block, Choice, Design, Limit, Problem};

/// How to solve.
pub struct How<'a> {
    /// The engine; `None` chooses by the problem.
    pub engine: Option<Engine>,
    /// Steps of a few nanoseconds, after which the bounds known are the answer.
    pub steps: u64,
    /// Called often; ends the search if it returns false.
    pub go_on: &'a dyn Fn() -> bool,
    /// Called with a lower bound and the least area found, whenever one of them is better.
    pub report: &'a dyn Fn(i64, Option<i64>),
    /// Decides whether a core holds tasks, if sizes alone do not.
    pub test: Option<&'a dyn CoreTest>,
}

/// The engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// All cores as one, then packing.
    Aggregate,
    /// Plans of a core as columns.
    Plans,
}

/// Decides exactly what one core needs for tasks, where the sum of sizes is necessary and not sufficient. Fewer tasks
/// never need more.
pub trait CoreTest {
    /// The least area with which one core holds these tasks, if of the blocks of the chip it builds `built` and no
    /// others; these cost nothing here.
    fn least(&self, tasks: &[usize], chip: u64, built: u64) -> LeastOnCore;
    /// The choice that each of these tasks takes in the design of that area.
    fn picks(&self, tasks: &[usize], chip: u64, built: u64) -> Option<Vec<usize>>;
    /// The same test with the areas of this problem, and without the choices that are larger than a core in it.
    fn with_areas(&self, problem: &Problem) -> Box<dyn CoreTest + '_>;
}

/// What one core needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeastOnCore {
    /// This area.
    Area(i64),
    /// No area suffices.
    Nothing,
    /// It was not decided.
    Undecided,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether the least area is known.
    pub status: Status,
    /// No design has less area than this, without that of the cores.
    pub bound: i64,
    /// The best design found.
    pub best: Option<Design>,
    /// The steps it took.
    pub steps: u64,
}

/// Prices of the tasks: no design has less area than (sum of `worth` - cores * `largest`) / 2^`shift`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskPrices {
    /// What each task is worth, in units of area over 2^`shift`.
    pub worth: Vec<i64>,
    /// The binary places.
    pub shift: u32,
    /// No core gains more: the worth of its tasks less the area of their choices and blocks.
    pub largest: i64,
}

/// Whether the least area is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The best design is the least.
    Proved,
    /// There is no design.
    Infeasible(Reason),
    /// The search ended before.
    Unknown,
}

/// Why there is no design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// This task is pinned to a core that does not exist.
    Pinned(usize),
    /// This task alone is too large for a core, with every choice.
    TaskTooLarge(usize),
    /// The least sizes of all tasks are more than all cores hold together.
    TooLarge,
    /// The tasks do not fit the cores, each with its least size.
    Packing,
    /// Every design breaks a rule or fails the test of a core.
    EveryDesign,
    /// Every design takes at least this amount of the resource of this number, which is more than its limit.
    Limit(usize, i64),
    /// No design is within all limits.
    Limits,
}

/// What an engine finds.
pub(crate) enum Found {
    /// A design: for each task its option and its core.
    Design { taken: Vec<usize>, cores: Vec<u32> },
    /// The tasks of each core that is used.
    Plans(Vec<u128>),
    /// No design below the cutoff.
    Nothing,
}
