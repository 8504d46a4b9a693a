//! Sets with several modes: the front of area against the largest utilization of any mode.
//!
//! Over the hyperperiod of the set every task has a demand in each mode, so the front is that of weight against the
//! largest of several loads, for which there is an engine of its own. Designs of different clocks are compared as in one
//! mode, see [`clocks`](super::clocks).

use super::error::ExploreError;
use isx_engine::{Choice, Context, EngineError, Refusal};
use isx_minmax::Answer;
use isx_problems::account::{Account, Timings};
use isx_problems::mckp::Claim;
use isx_problems::resources::Problem;
use isx_problems::value::Value;
use isx_solve::{self as solve, Solution, SolveError};
use num_bigint::BigInt;
use std::sync::Arc;
use std::time::Duration;

/// The name of the engine.
const ENGINE: &str = "minmax";

/// Solves the problem of one area and several modes: the value of a point is minus its largest demand.
pub(super) fn solve(problem: &Problem, options: &solve::Options) -> Result<Solution, ExploreError> {
    let refused = |cause| SolveError::Engine(Refusal { engine: ENGINE, cause });
    if let Choice::Named(asked) = options.engine {
        let cause = EngineError::Unavailable("several modes have an engine of their own".to_owned());
        return Err(SolveError::Engine(Refusal { engine: asked.name, cause }).into());
    }
    if options.arithmetic.is_some() {
        return Err(ExploreError::NoArithmetic);
    }
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
