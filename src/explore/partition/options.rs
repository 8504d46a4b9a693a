//! How tasks are distributed among cores.

use isx_design::partition::Row;
use isx_design::schedulability::Limits;
use isx_exact::quantity::Rational;
use isx_partition::Engine;
use std::time::Duration;

/// The default range of numbers of cores.
pub const CORES: (u32, u32) = (1, 4);
/// Steps per number of cores if no time is given: some tens of seconds.
pub const STEPS: u64 = 20_000_000_000;

/// How to distribute tasks.
pub struct PartitionOptions<'a> {
    /// The numbers of cores, the least and the greatest.
    pub cores: (u32, u32),
    /// The engine; `None` chooses by the problem.
    pub engine: Option<Engine>,
    /// Steps per number of cores, each of some nanoseconds.
    pub steps: u64,
    /// Time for all numbers of cores together; answers then depend on the machine.
    pub max_time: Option<Duration>,
    /// The work limit of exact tests, per number of cores.
    pub limits: Limits,
    /// Ends the search if it returns false.
    pub go_on: &'a dyn Fn() -> bool,
    /// Called during the search with the number of cores, a lower bound and the least area found.
    pub searching: &'a dyn Fn(u32, &Rational, Option<&Rational>),
    /// Called with every row as soon as it is known.
    pub report: &'a dyn Fn(&Row),
}
