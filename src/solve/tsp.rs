//! Solves a travelling salesman problem: plan, run an engine, and recheck the tour.

use super::SolveError;
pub use isx_classics::tsp::check_cities;
use isx_classics::tsp::{Answer, ENGINES, Tsp as Family};
use isx_engine::{Planned, Request, planner};
use isx_machine::faults;
use isx_problems::account::{Account, Timings};
use isx_problems::tsp::{Claim, Tsp, witness};
use isx_problems::value::Tier;
use std::time::Duration;

/// How to solve.
pub type Options<'a> = super::Options<'a, Family>;

/// The shortest tour and its length.
pub type Solution = super::Solution<Claim>;

/// Solves a problem and rechecks its tour. Fails if an engine refused, or the answer failed the recheck. There is
/// always a tour.
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
    let request = Request { problem, wanted: (), context: &options.context() };
    let Planned { answer, engine, why } = planner::solve(&ENGINES, options.engine, request)?;
    let Answer { length, tour, how, threads, updates, solve, traceback } = answer;
    let mut claim = Claim { length, tour };
    faults::figure(&mut claim.length);
    witness(problem, &claim)?;
    let arithmetic = Tier::narrowest(&problem.bound().into()).min(Tier::I64);
    let timings = Timings { reduce: Duration::ZERO, solve, traceback };
    let account = Account { engine, how, threads, arithmetic, why, updates, timings };
    Ok(Solution { claim, account })
}
