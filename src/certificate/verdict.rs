//! Certificates of verdicts at an area.

use super::cases::{Search, Step};
use super::certify::{proved, refuse_unstated};
use super::error::CertifyError;
use super::numbers::Numbers;
use super::problem::of_variants;
use super::reasons::{Why, found, refute};
use super::selection::Selections;
use isx_checker::Proved;
use isx_checker::shared::cases::Cases;
use isx_checker::shared::format::{claim, reason};
use isx_checker::shared::problem::Problem;
use isx_checker::shared::reason::Reason;
use isx_design::schedulability::{
    BudgetVerdict, Effort, Limits, NotSchedulable, Outcome, SmallestWithin, Verdict, schedulable,
};
use isx_taskset::formulate::Formulation;
use std::io::{self, Write};

/// Writes the certificate of a verdict at an area and checks it concurrently; without a budget, that of the smallest
/// schedulable area, if it is known.
///
/// For each clock, the proof that no design is schedulable uses the utilization, one time by which the jobs of every
/// design take too long, or one job that is late in all designs; where none is enough, a tree of cases with such a
/// reason each. Fails with [`CertifyError`], also if the search for one takes too long; the bytes written so far are not
/// a certificate.
///
/// `formulations` are those of the question: see [`formulate_allowed`](isx_taskset::formulate::formulate_allowed).
pub fn certify_verdict(
    decided: &BudgetVerdict,
    formulations: &[Formulation],
    max_bytes: u64,
    out: &mut dyn Write,
) -> Result<Proved, CertifyError> {
    if decided.verdict != OVERLOAD {
        refuse_unstated(formulations)?;
    }
    let bytes = of_variants(formulations);
    let problem = Problem::read(&bytes)?;
    let own = decided.formulation();
    let variant = formulations.iter().take_while(|one| one.variant != own.variant).count();
    let design = |numbers: &mut Numbers, choices: &[Option<u32>]| {
        if formulations.len() > 1 {
            numbers.count(variant)?;
        }
        Selections::new(choices.len()).write(numbers, choices)
    };
    match &decided.verdict {
        Verdict::Schedulable { choices } if is_smallest(decided) => {
            let amounts = formulations.get(variant).and_then(|own| own.amounts(choices));
            let area = amounts.and_then(|amounts| amounts.first().copied());
            let area = area.ok_or_else(|| CertifyError::Refused("the area is beyond 64 bits".into()))?;
            let refuted = match area.checked_sub(1) {
                Some(most) => refuted(&problem, formulations, decided, Some(most), max_bytes)?,
                None => Vec::new(),
            };
            proved(&bytes, &problem, claim::LEAST_AREA, out, &|numbers| {
                design(numbers, choices)?;
                refuted.iter().try_for_each(|variant| variant.write(numbers, max_bytes))
            })
        }
        Verdict::Schedulable { choices } => {
            proved(&bytes, &problem, claim::SCHEDULABLE, out, &|numbers| Ok(design(numbers, choices)?))
        }
        Verdict::NotSchedulable { .. } => {
            let refuted = refuted(&problem, formulations, decided, None, max_bytes)?;
            proved(&bytes, &problem, claim::NOT_SCHEDULABLE, out, &|numbers| {
                refuted.iter().try_for_each(|variant| variant.write(numbers, max_bytes))
            })
        }
        Verdict::Unknown { .. } => Err(CertifyError::Refused("the verdict is unknown".into())),
    }
}

/// Whether the design of the verdict is the smallest of any area.
fn is_smallest(decided: &BudgetVerdict) -> bool {
    let is_known = matches!(decided.smallest, SmallestWithin::At(_));
    decided.budget.is_none() && decided.formulation().costs.is_line() && is_known
}

/// A variant within its area, and for each clock why no design is schedulable.
struct Refuted {
    problem: Problem,
    clocks: Vec<Vec<Step>>,
}

/// Why no variant has a schedulable design, of at most this area if it is given. Fails if that is not found.
fn refuted(
    problem: &Problem,
    formulations: &[Formulation],
    decided: &BudgetVerdict,
    most: Option<u64>,
    max_bytes: u64,
) -> Result<Vec<Refuted>, CertifyError> {
    let refusal = || match most {
        Some(_) => {
            format!("that no smaller area is enough: {NO_CASES}; a verdict about this area alone is proved")
        }
        None => NO_CASES.into(),
    };
    let mut all = Vec::new();
    let within = most.map_or_else(|| problem.clone(), |most| problem.with_most(most));
    for (variant, formulation) in within.variants().zip(formulations) {
        let problem = Problem { others: Vec::new(), ..variant.clone() };
        let mut clocks = Vec::new();
        for clock in 0..problem.clocks {
            // Overload is the reason at every clock: no search is needed.
            if decided.verdict == OVERLOAD {
                clocks.push(vec![Step::Fails((Reason::Overload, 0))]);
                continue;
            }
            let formulation = formulation.at_clock(clock);
            let reasons = reasons(&formulation, &decided.least.choices);
            let proof = Search::new(&formulation, clock, max_bytes).proof(&problem, reasons);
            clocks.push(proof.ok_or_else(|| CertifyError::Refused(refusal()))?);
        }
        all.push(Refuted { problem, clocks });
    }
    Ok(all)
}

/// The verdict that every design overloads the processor.
const OVERLOAD: Verdict = Verdict::NotSchedulable { reason: NotSchedulable::Overload };

/// Why a verdict has no certificate although it may be correct.
const NO_CASES: &str = "no single time or late job shows that every design fails, and no proof by cases was found within \
     its limits of steps and reasons; such a verdict rests on the search alone";

impl Refuted {
    fn write(&self, numbers: &mut Numbers, max_bytes: u64) -> Result<(), CertifyError> {
        for (clock, steps) in self.clocks.iter().enumerate() {
            let mut problem = self.problem.clone();
            let mut cases = Cases::new(&mut problem);
            for step in steps {
                match step {
                    Step::Divide(class, listed) => {
                        numbers.small(reason::CASES)?;
                        numbers.count(*class)?;
                        numbers.count(listed.len())?;
                        listed.iter().try_for_each(|&option| numbers.small(option.into()))?;
                        cases.divide(*class, listed)?;
                    }
                    Step::Fails(why) => {
                        self.reason(numbers, why)?;
                        refute(numbers, cases.problem(), clock, why, max_bytes)?;
                        cases.advance();
                    }
                }
            }
        }
        Ok(())
    }

    fn reason(&self, numbers: &mut Numbers, (why, mode): &Why) -> io::Result<()> {
        match why {
            Reason::Overload => return numbers.small(reason::OVERLOAD),
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
        if self.problem.modes.len() < 2 { Ok(()) } else { numbers.count(*mode) }
    }
}

/// Candidate reasons: overload, and the failures of the design of least utilization and of software only.
fn reasons(formulation: &Formulation, least: &[Option<u32>]) -> Vec<Why> {
    let mut reasons = vec![(Reason::Overload, 0)];
    let mut effort = Effort::new(Limits::default());
    for choices in [least, &formulation.forced()] {
        let Outcome::Fails(failure) = schedulable(formulation, choices, &mut effort) else { continue };
        let why = found(&failure);
        if !reasons.contains(&why) {
            reasons.push(why);
        }
    }
    reasons
}
