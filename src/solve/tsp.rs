//! Solves a travelling salesman problem: plan, run an engine, and sum the tour again.

use super::SolveError;
pub use isx_classics::tsp::check_cities;
use isx_classics::tsp::{Answer, ENGINES, Tsp as Family};
use isx_engine::{Choice, Context, NoProgress, Planned, Progress, Request, planner};
use isx_machine::{Machine, faults};
use isx_problems::account::{Account, Arithmetic, Timings};
use isx_problems::tsp::{Claim, Tsp, witness};
use isx_problems::value::Tier;
use std::fmt;
use std::time::Duration;

/// How to solve.
#[derive(Clone)]
pub struct Options<'a> {
    /// The engine.
    pub engine: Choice<Family>,
    /// Threads, memory, a GPU.
    pub machine: Machine,
    /// Told of the progress.
    pub progress: &'a dyn Progress,
}

impl Default for Options<'_> {
    /// The fastest engine.
    fn default() -> Self {
        Self { engine: Choice::Auto, machine: Machine::default(), progress: &NoProgress }
    }
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { engine, machine, .. } = self;
        f.debug_struct("Options").field("engine", engine).field("machine", machine).finish_non_exhaustive()
    }
}

/// The shortest tour, and how it was found.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Length and tour.
    pub claim: Claim,
    /// How they were found.
    pub account: Account,
}

/// Solves a problem and sums its tour again.
///
/// # Errors
///
/// [`SolveError`]: an engine refused, or the answer does not hold. There is always a tour.
///
/// ```
/// use isx_problems::tsp::Tsp;
/// use isx_solve::tsp::{Options, solve};
/// let line = |at: i64| (at / 4 - at % 4).abs();
/// let problem = Tsp::new(vec![1, 2, 3, 4], (0..16).map(line).collect()).unwrap();
/// let claim = solve(&problem, &Options::default()).unwrap().claim;
/// assert_eq!((claim.length, claim.tour), (6, vec![0, 3, 2, 1]));
/// ```
pub fn solve(problem: &Tsp, options: &Options) -> Result<Solution, SolveError> {
    let context = Context { progress: options.progress, ..Context::new(&options.machine) };
    let request = Request { problem, wanted: (), context: &context };
    let Planned { answer, engine, why } = planner::solve(&ENGINES, options.engine, request)?;
    let Answer { length, tour, how, threads, updates, solve, traceback } = answer;
    let mut claim = Claim { length, tour };
    faults::figure(&mut claim.length);
    witness(problem, &claim)?;
    let arithmetic = Arithmetic::Exact(Tier::narrowest(&problem.bound().into()).min(Tier::I64));
    let timings = Timings { reduce: Duration::ZERO, solve, traceback };
    let account = Account { engine, how, threads, arithmetic, why, updates, timings };
    Ok(Solution { claim, account })
}
