//! Reasons why no design of a clock is schedulable, and their proofs.

use super::covers::Asked;
use super::lists;
use super::numbers::Numbers;
use super::unproved::Unproved;
use isx_checker::problem::Problem;
use isx_checker::reason::{Reason, moment_scenario};
use isx_checker::scenario::Scenario;
use isx_design::schedulability::Failure;
use num_bigint::{BigInt, BigUint};

/// A reason, and the mode that it is about.
pub(super) type Why = (Reason, usize);

/// Writes the proofs that a reason covers all designs of a clock; returns whether it does.
pub(super) fn refute(
    numbers: &mut Numbers,
    problem: &Problem,
    clock: usize,
    (reason, mode): &Why,
    max_bytes: u64,
) -> Result<bool, Unproved> {
    let Some(whole) = &problem.task_set else { return Ok(false) };
    if !problem.modes.is_empty() && *reason == Reason::Overload {
        let scenario = &Scenario::of_modes(problem, clock)?;
        let most = scenario.above_least(&BigInt::from(whole.hyperperiod.clone()));
        return Asked { problem, scenario, most: most.as_ref(), claimed: &[], max_bytes }.write(numbers);
    }
    let set = problem.modes.get(*mode).unwrap_or(whole);
    let Ok(moments) = reason.moments(set) else { return Ok(false) };
    for moment in moments {
        let scenario = moment_scenario(problem, set, clock, problem.capacity, &moment);
        let limit = BigInt::from(moment.time.clone());
        let Some(target) = scenario.above_least(&limit) else { continue };
        if problem.resources.is_some() {
            let (scenario, most) = (&scenario, Some(&target));
            if !(Asked { problem, scenario, most, claimed: &[], max_bytes }).write(numbers)? {
                return Ok(false);
            }
            continue;
        }
        if lists::write(numbers, &scenario, Some(&target), max_bytes)?.is_some_and(|least| least <= target) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Where a design fails, as a reason.
pub(super) fn found(failure: &Failure) -> Why {
    let positive = |number: &BigInt| number.to_biguint().unwrap_or_default();
    match failure {
        Failure::Demand { time, .. } => (Reason::Demand(positive(time)), 0),
        Failure::Response { task, job } => (Reason::Late(*task, positive(job).max(BigUint::from(1u32))), 0),
        Failure::InMode { mode, failure } => (found(failure).0, *mode),
    }
}
