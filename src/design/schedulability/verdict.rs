//! Verdicts at an area budget, and the smallest area at which the set becomes schedulable.
//!
//! The design of least utilization within the budget decides alone where utilization does (EDF, every D_i >= P_i), where
//! it has U > 1, and where it passes the scheduler's test. Where it fails, a design of more utilization may still pass:
//! it may spend the area on a task with a short deadline and a long period, which hardly counts in U. Worked instance: see
//! the module `search`, which looks for such a design and for the smallest.

use super::design_test::{DesignTest, Failure, Outcome, Requirement};
use super::effort::{Effort, Undecided};
use super::search::{Found, search};
use super::task::scheduled_tasks;
use isx_taskset::formulate::Formulation;

/// Whether some design within an area budget is schedulable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The design shown is schedulable.
    Schedulable {
        /// The choice of every task, in file order; `None` is software.
        choices: Vec<Option<u32>>,
    },
    /// No design within the budget is.
    NotSchedulable {
        /// Why.
        reason: NotSchedulable,
    },
    /// Not decided.
    Unknown {
        /// Where the design of least utilization fails; `None` where even that was not decided.
        least: Option<Failure>,
        /// What ended the search.
        reason: Undecided,
    },
}

/// Why no design within a budget is schedulable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotSchedulable {
    /// The least utilization is above 1.
    Overload,
    /// Every design fails the scheduler's test or has U > 1.
    EveryDesignFails {
        /// Where the design of least utilization fails; `None` where its own test did not end, but what the failures
        /// of others require rules it out.
        least: Option<Failure>,
    },
}

/// The smallest area of a schedulable design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SmallestArea {
    /// This design is schedulable, and none of less area is.
    At {
        /// The choice of every task, in file order; `None` is software.
        choices: Vec<Option<u32>>,
    },
    /// No design within the capacity is schedulable.
    None,
    /// Not decided.
    Unknown {
        /// What ended the search.
        reason: Undecided,
        /// The smallest schedulable design found; a smaller one may exist.
        best: Option<Vec<Option<u32>>>,
    },
}

/// What is asked of an area budget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtBudget {
    /// Whether some design within the budget is schedulable.
    pub verdict: Verdict,
    /// The smallest schedulable design within the budget; where there is none, a larger one may exist.
    pub smallest: SmallestArea,
}

/// Decides whether some design of at most `budget` area units is schedulable, and which is the smallest. `least` is a
/// design of least utilization within the budget; if it passes, it is the design of the verdict, else the smallest
/// is. One search answers both; `known` is a schedulable design within the budget to start it from, if one is known.
///
/// # Panics
///
/// If `least` or `known` is not one choice a task, or names a choice that is not there.
#[must_use]
pub fn verdict(
    formulation: &Formulation,
    budget: u64,
    least: &[Option<u32>],
    known: Option<&[Option<u32>]>,
    effort: &mut Effort,
) -> AtBudget {
    use NotSchedulable::{EveryDesignFails, Overload};
    let tasks = scheduled_tasks(formulation, least);
    let test = DesignTest::new(formulation);
    let failed = match test.test(&tasks, effort) {
        Outcome::Passes => {
            let smallest = smallest_area(formulation, budget, Some(known.unwrap_or(least)), effort);
            return AtBudget { verdict: Verdict::Schedulable { choices: least.to_vec() }, smallest };
        }
        Outcome::Overload => {
            let verdict = Verdict::NotSchedulable { reason: Overload };
            return AtBudget { verdict, smallest: SmallestArea::None };
        }
        Outcome::Fails(failure) => Some(failure),
        Outcome::Undecided(_) => None,
    };
    let required = failed.as_ref().map(|failure| test.requirements(&tasks, failure));
    let smallest = smallest_from(formulation, budget, known, required, effort);
    let verdict = match &smallest {
        SmallestArea::At { choices } | SmallestArea::Unknown { best: Some(choices), .. } => {
            Verdict::Schedulable { choices: choices.clone() }
        }
        SmallestArea::None => Verdict::NotSchedulable { reason: EveryDesignFails { least: failed } },
        SmallestArea::Unknown { reason, best: None } => Verdict::Unknown { least: failed, reason: *reason },
    };
    AtBudget { verdict, smallest }
}

/// The area of a design, in units; `u64::MAX` if it is more.
pub(super) fn area_of(formulation: &Formulation, choices: &[Option<u32>]) -> u64 {
    formulation.area_units(choices).unwrap_or(u64::MAX)
}

/// Finds the schedulable design of least area within `capacity` area units; of these the one of least utilization;
/// of these the canonical one: compared from the last task to the first, software comes before hardware and
/// choices come in file order.
///
/// Right for any scheduler and deadlines. Where utilization decides it is the first point of the front with U <= 1, which costs
/// nothing to look up. The smaller a design is `known` to be schedulable, the faster.
///
/// # Panics
///
/// If `known` is not one choice a task, or names a choice that is not there.
#[must_use]
pub fn smallest_area(
    formulation: &Formulation,
    capacity: u64,
    known: Option<&[Option<u32>]>,
    effort: &mut Effort,
) -> SmallestArea {
    smallest_from(formulation, capacity, known, None, effort)
}

/// As [`smallest_area`]; `required` is what the failure of some design requires of all.
fn smallest_from(
    formulation: &Formulation,
    capacity: u64,
    known: Option<&[Option<u32>]>,
    required: Option<Vec<Requirement>>,
    effort: &mut Effort,
) -> SmallestArea {
    let mut capacity = known.map_or(capacity, |known| capacity.min(area_of(formulation, known)));
    let mut best: Option<Vec<Option<u32>>> = None;
    let mut undecided = None;
    // A design is searched at its own clock, and at slower ones, where it passes only if it does at its own.
    for clock in 0..formulation.clocks.count() {
        if formulation.least_area_at(clock) > capacity {
            continue;
        }
        let found = match search(&formulation.at_clock(clock), capacity, required.clone(), effort) {
            Found::Design(choices) => Some(choices),
            Found::Nothing => None,
            Found::Undecided(reason, found) => {
                undecided.get_or_insert(reason);
                found
            }
        };
        let Some(found) = found else { continue };
        capacity = capacity.min(area_of(formulation, &found));
        if best.as_ref().is_none_or(|best| is_better(formulation, &found, best)) {
            best = Some(found);
        }
    }
    match (undecided, best) {
        (None, Some(choices)) => SmallestArea::At { choices },
        (None, None) => SmallestArea::None,
        (Some(reason), best) => SmallestArea::Unknown { reason, best: best.or(known.map(<[_]>::to_vec)) },
    }
}

/// Whether a design has less area than another, or as much and less utilization, or comes first in canonical order.
fn is_better(formulation: &Formulation, design: &[Option<u32>], other: &[Option<u32>]) -> bool {
    let merit = |choices| (area_of(formulation, choices), formulation.utilization(choices));
    let canonical = || design.iter().rev().cmp(other.iter().rev());
    merit(design).cmp(&merit(other)).then_with(canonical).is_lt()
}
