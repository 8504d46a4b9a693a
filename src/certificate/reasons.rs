//! Reasons why no design of a clock is schedulable, and their proofs.

use super::asked::Asked;
use super::error::CertifyError;
use super::numbers::Numbers;
use isx_checker::shared::problem::Problem;
use isx_checker::shared::reason::{Reason, moment_scenario};
use isx_checker::shared::scenario::Scenario;
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
) -> Result<bool, CertifyError> {
    let refuted = |numbers: &mut Numbers, scenario: &Scenario, most: &BigUint| {
        let most = scenario.above_least(&BigInt::from(most.clone()));
        let write = |most| Asked { scenario, most: Some(&most), claimed: &[], max_bytes }.write(numbers);
        most.map_or(Ok(true), write)
    };
    if *reason == Reason::Overload {
        return refuted(numbers, &Scenario::of(problem, clock)?, &problem.hyperperiod);
    }
    let set = &problem.modes[*mode];
    let Ok(moments) = reason.moments(set) else { return Ok(false) };
    for moment in moments {
        if !refuted(numbers, &moment_scenario(problem, set, clock, &moment), &moment.time)? {
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
