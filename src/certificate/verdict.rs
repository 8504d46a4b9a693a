//! Certificates of verdicts at an area.

use super::certify::{CertifyError, header, proved, refuse_unproved};
use super::covers::Asked;
use super::lists;
use super::numbers::Numbers;
use super::problem::of_variants;
use super::selection::Selections;
use super::unproved::Unproved;
use isx_checker::Proved;
use isx_checker::format::{claim, reason};
use isx_checker::problem::Problem;
use isx_checker::reason::{Reason, moment_scenario};
use isx_checker::scenario::Scenario;
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
///
/// `formulations` are those of the question: see [`formulate_allowed`](isx_taskset::formulate::formulate_allowed).
pub fn certify_verdict(
    decided: &BudgetVerdict,
    formulations: &[Formulation],
    max_bytes: u64,
    out: &mut dyn Write,
) -> Result<Proved, CertifyError> {
    refuse_unproved(formulations)?;
    let bytes = of_variants(formulations);
    let problem = Problem::read(&bytes)?;
    let area = problem.capacity;
    match &decided.verdict {
        Verdict::Schedulable { choices } => proved(&problem, out, &|numbers| {
            header(numbers, &bytes)?;
            numbers.small(claim::SCHEDULABLE)?;
            numbers.small(area)?;
            if formulations.len() > 1 {
                let own = decided.formulation().variant;
                numbers.count(formulations.iter().take_while(|one| one.variant != own).count())?;
            }
            Ok(Selections::new(choices.len()).write(numbers, choices)?)
        }),
        Verdict::NotSchedulable { reason: why } => {
            let of_variant = |(problem, formulation): (&Problem, &Formulation)| {
                // Overload is the reason at every clock: no search is needed.
                if *why == NotSchedulable::Overload {
                    return Some(vec![(Reason::Overload, 0); problem.clocks]);
                }
                let tried = reasons(formulation, &decided.least.choices);
                let reason = |clock| {
                    let holds = |why: &&Why| {
                        let mut nowhere = std::io::sink();
                        let mut numbers = Numbers::new(&mut nowhere);
                        matches!(refute(&mut numbers, problem, clock, why, max_bytes), Ok(true))
                    };
                    tried.iter().find(holds).cloned()
                };
                (0..problem.clocks).map(reason).collect()
            };
            let reasons: Option<Vec<Vec<Why>>> =
                problem.variants().zip(formulations).map(of_variant).collect();
            let reasons = reasons.ok_or_else(|| CertifyError::Refused(NO_SINGLE_REASON.into()))?;
            proved(&problem, out, &|numbers| {
                header(numbers, &bytes)?;
                numbers.small(claim::NOT_SCHEDULABLE)?;
                numbers.small(area)?;
                let mut variants = problem.variants().zip(&reasons);
                variants
                    .try_for_each(|(variant, reasons)| write_refutation(numbers, variant, reasons, max_bytes))
            })
        }
        Verdict::Unknown { .. } => Err(CertifyError::Refused("the verdict is unknown".into())),
    }
}

/// A reason, and the mode that it is about.
type Why = (Reason, usize);

fn write_refutation(
    numbers: &mut Numbers,
    problem: &Problem,
    reasons: &[Why],
    max_bytes: u64,
) -> Result<(), Unproved> {
    for (why, mode) in reasons {
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
        if !problem.modes.is_empty() && *why != Reason::Overload {
            numbers.count(*mode)?;
        }
    }
    for (clock, why) in reasons.iter().enumerate() {
        refute(numbers, problem, clock, why, max_bytes)?;
    }
    Ok(())
}

/// Writes the proofs that a reason covers all designs of a clock; returns whether it does.
fn refute(
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

/// Candidate reasons: overload, and the failures of the design of least utilization and of software only.
fn reasons(formulation: &Formulation, least: &[Option<u32>]) -> Vec<Why> {
    let mut reasons = vec![(Reason::Overload, 0)];
    let mut effort = Effort::new(Limits::default());
    for choices in [least, &formulation.forced()] {
        let Outcome::Fails(failure) = schedulable(formulation, choices, &mut effort) else { continue };
        let positive = |number: &BigInt| number.to_biguint().unwrap_or_default();
        let (mode, failure) = failure.in_mode();
        let reason = match failure {
            Failure::Demand { time, .. } => Reason::Demand(positive(time)),
            Failure::Response { task, job } => Reason::Late(*task, positive(job).max(BigUint::from(1u32))),
            Failure::InMode { .. } => continue,
        };
        if !reasons.contains(&(reason.clone(), mode)) {
            reasons.push((reason, mode));
        }
    }
    reasons
}
