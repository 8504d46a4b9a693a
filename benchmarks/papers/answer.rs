//! What the engines of all families answer, and what is checked of it.

use isx_engine::{Choice, Context, Family, Planned, Refusal, Registry, Request, planner};
use isx_machine::Machine;
use isx_problems::account::{Account, Timings};
use isx_problems::mismatch::Mismatch;
use isx_problems::value::Tier;
use isx_solve::{Solution, SolveError};
use std::time::Duration;

/// What an engine found, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<T> {
    /// What it found.
    pub found: T,
    /// What it used, for example `2 threads`.
    pub how: String,
    /// Threads of the CPU that took part, at least 1.
    pub threads: usize,
    /// Candidates computed, including those computed again on the way back.
    pub updates: u64,
    /// Time of filling the table.
    pub solve: Duration,
    /// Time of finding what is behind the value.
    pub traceback: Duration,
}

/// A family of problems whose answers can be summed again.
pub trait Question: Family<Answer = Answer<Self::Found>, Wanted: Default> {
    /// What an engine finds.
    type Found;

    /// Sums an answer again, with the problem's own numbers and without any engine. It cannot show that nothing is better.
    /// Fails with the first difference.
    fn check(problem: &Self::Problem, found: &Self::Found) -> Result<(), Mismatch>;

    /// The integers that the engines compute in.
    fn tier(problem: &Self::Problem) -> Tier;
}

/// Solves a problem by an engine, or by the one of the CPU that is expected to be fastest, and sums its answer again.
/// Fails if the engine refuses, or its answer is not what its own parts sum to.
pub fn solve<Q: Question>(
    engines: &'static Registry<Q>,
    problem: &Q::Problem,
    wanted: Q::Wanted,
    engine: Choice<Q>,
    machine: &Machine,
) -> Result<Solution<Q::Found>, SolveError> {
    let context = Context::new(machine);
    let planned = planner::solve(engines, engine, Request { problem, wanted, context: &context });
    let Planned { answer, engine, why } = planned.map_err(|refusal: Refusal| SolveError::from(refusal))?;
    let Answer { found, how, threads, updates, solve, traceback } = answer;
    Q::check(problem, &found)?;
    let timings = Timings { reduce: Duration::ZERO, solve, traceback };
    let account = Account { engine, how, threads, arithmetic: Q::tier(problem), why, updates, timings };
    Ok(Solution { claim: found, account })
}
