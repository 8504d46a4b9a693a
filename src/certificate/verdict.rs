//! Certificates of verdicts at an area.

use super::certify::{CertifyError, Tee, header, proved, refuse_variants};
use super::covers::Asked;
use super::lists;
use super::numbers::Numbers;
use super::problem::of_task_set;
use super::selection::Selections;
use super::unproved::Unproved;
use isx_checker::Proved;
use isx_checker::format::{claim, reason};
use isx_checker::problem::{Problem, TaskSet};
use isx_checker::reason::{Reason, moment_scenario};
use isx_design::schedulability::{
    BudgetVerdict, Effort, Failure, Limits, NotSchedulable, Outcome, Verdict, schedulable,
};
use isx_taskset::formulate::Formulation;
use num_bigint::{BigInt, BigUint};
use std::io::Write;

/// Why a verdict has no certificate although it may be correct.
const NO_SINGLE_REASON: &str = "no single time or late job shows that every design fails; such a verdict rests on the \
     search alone";

/// Writes the certificate of a verdict at an area and checks it concurrently.
///
/// For each clock, the proof that no design is schedulable uses the utilization, one time by which the jobs of every
/// design take too long, or one job that is late in all designs. Some negative verdicts have no such simple reason.
/// Fails with [`CertifyError`]; the bytes written so far are not a certificate.
pub fn certify_verdict(
    decided: &BudgetVerdict,
    max_bytes: u64,
    out: &mut dyn Write,
) -> Result<Proved, CertifyError> {
    let formulation = decided.formulation();
    refuse_variants(formulation)?;
    let bytes = of_task_set(formulation);
    let problem = Problem::read(&bytes)?;
    let area = problem.capacity;
    match &decided.verdict {
        Verdict::Schedulable { choices } => proved(&problem, out, |numbers| {
            header(numbers, &bytes)?;
            numbers.small(claim::SCHEDULABLE)?;
            numbers.small(area)?;
            Ok(Selections::new(choices.len()).write(numbers, choices)?)
        }),
        Verdict::NotSchedulable { reason: why } => {
            let set = problem.task_set.as_ref();
            let set = set.ok_or_else(|| CertifyError::Refused("no task set".into()))?;
            let tried = reasons(formulation, &decided.least.choices);
            let reason = |clock| {
                let holds = |reason: &&Reason| {
                    let mut nowhere = std::io::sink();
                    let mut numbers = Numbers::new(&mut nowhere);
                    matches!(refute(&mut numbers, &problem, set, clock, reason, max_bytes), Ok(true))
                };
                tried.iter().find(holds).cloned()
            };
            let reasons: Option<Vec<Reason>> = match why {
                // Overload is the reason at every clock: no search is needed.
                NotSchedulable::Overload => Some(vec![Reason::Overload; problem.clocks]),
                NotSchedulable::EveryDesignFails { .. } => (0..problem.clocks).map(reason).collect(),
            };
            let reasons = reasons.ok_or_else(|| CertifyError::Refused(NO_SINGLE_REASON.into()))?;
            proved(&problem, out, |numbers| {
                write_refutation(numbers, &bytes, &problem, set, &reasons, max_bytes)
            })
        }
        Verdict::Unknown { .. } => Err(CertifyError::Refused("the verdict is unknown".into())),
    }
}

fn write_refutation(
    numbers: &mut Numbers<&mut Tee>,
    bytes: &[u8],
    problem: &Problem,
    set: &TaskSet,
    reasons: &[Reason],
    max_bytes: u64,
) -> Result<(), Unproved> {
    header(numbers, bytes)?;
    numbers.small(claim::NOT_SCHEDULABLE)?;
    numbers.small(problem.capacity)?;
    for why in reasons {
        match why {
            Reason::Overload => numbers.small(reason::OVERLOAD)?,
            Reason::Demand(time) => {
                numbers.small(reason::DEMAND)?;
                numbers.big(time)?;
            }
            Reason::Late(task, job) => {
                numbers.small(reason::LATE)?;
                numbers.count(*task)?;
                numbers.big(job)?;
            }
        }
    }
    for (clock, reason) in reasons.iter().enumerate() {
        refute(numbers, problem, set, clock, reason, max_bytes)?;
    }
    Ok(())
}

/// Writes the proofs that a reason covers all designs of a clock; returns whether it does.
fn refute<W: Write>(
    numbers: &mut Numbers<W>,
    problem: &Problem,
    set: &TaskSet,
    clock: usize,
    reason: &Reason,
    max_bytes: u64,
) -> Result<bool, Unproved> {
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

/// Candidate reasons: overload, and the failures of the design of least utilization and of software only.
fn reasons(formulation: &Formulation, least: &[Option<u32>]) -> Vec<Reason> {
    let mut reasons = vec![Reason::Overload];
    let mut effort = Effort::new(Limits::default());
    for choices in [least, &formulation.forced()] {
        let Outcome::Fails(failure) = schedulable(formulation, choices, &mut effort) else { continue };
        let positive = |number: &BigInt| number.to_biguint().unwrap_or_default();
        let reason = match &failure {
            Failure::Demand { time, .. } => Reason::Demand(positive(time)),
            Failure::Response { task, job } => Reason::Late(*task, positive(job).max(BigUint::from(1u32))),
        };
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    reasons
}
