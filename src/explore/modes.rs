//! Sets with several modes: the front of area against the largest utilization of any mode.
//!
//! Over the hyperperiod of the set every task has a demand in each mode, so the front is that of weight against the
//! largest of several loads. Where tasks run in one mode only, or blocks are shared, an engine that branches on the blocks
//! and takes the modes one by one is up to a hundred times as fast as lists of vectors; where all tasks run in several modes
//! and no blocks are shared, the lists are ten times as fast as that engine. Designs of different clocks are compared as in
//! one mode, see [`clocks`](super::clocks).

use super::error::ExploreError;
use isx_engine::{Choice, Context, Refusal};
use isx_minmax::Answer;
use isx_problems::account::{Account, Timings};
use isx_problems::mckp::Claim;
use isx_problems::resources::{Item, Problem};
use isx_problems::value::Value;
use isx_solve::{self as solve, Solution, SolveError};
use num_bigint::BigInt;
use std::sync::Arc;
use std::time::Duration;

/// The name of the engine.
const ENGINE: &str = "minmax";

/// Whether the engine is the one for this problem of one area; not if another is asked for. Sums may have any number of digits.
pub(super) fn suits(problem: &Problem, options: &solve::Options) -> bool {
    let is_shared = |items: &Vec<Item>| {
        let runs = |&mode: &usize| items.iter().any(|item| item.loads[mode] != BigInt::ZERO);
        (0..problem.modes).filter(runs).count() > 1
    };
    let is_list = problem.elements.is_empty()
        && problem.classes.iter().all(is_shared)
        && isx_resources::most_value(problem).bits() < isx_resources::MOST_BITS;
    problem.modes > 0 && matches!(options.engine, Choice::Auto) && !is_list
}

/// Solves the problem of one area and several modes: the value of a point is minus its largest demand.
pub(super) fn solve(problem: &Problem, options: &solve::Options) -> Result<Solution, ExploreError> {
    let refused = |cause| SolveError::Engine(Refusal { engine: ENGINE, cause });
    let context = Context { progress: options.progress, ..Context::new(&options.machine) };
    let answer = isx_minmax::solve(problem, &context).map_err(refused)?;
    let Answer { weights, loads, picks, tier, updates, solve, traceback } = answer;
    let threads = options.machine.threads();
    let account = Account {
        engine: ENGINE,
        how: if threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") },
        threads,
        arithmetic: tier,
        why: "the engine for several modes".to_owned(),
        updates,
        timings: Timings { reduce: Duration::ZERO, solve, traceback },
    };
    let values = BigInt::store((0..loads.len()).map(|at| -loads.get(at)).collect());
    let claim = Claim::new(weights, values, problem.classes.len(), true);
    Ok(Solution { claim: claim.with_configurations(0, Arc::new(picks)), account })
}
