//! Verdicts at an area budget, and the smallest area at which the set becomes schedulable.
//!
//! The design of least utilization within the budget is decisive if utilization decides (EDF, every D_i >= P_i), if
//! its U > 1, or if it passes the scheduler's test. If it fails, a design with more utilization may still pass: it
//! may spend the area on a task with a short deadline and a long period, which contributes little to U. For a worked
//! instance see the module `search`, which searches for such a design and for the smallest one.

use super::analysis::Analysis;
use super::effort::{Effort, Undecided};
use super::outcome::{Failure, Outcome, Requirement, SmallestArea, Strict};
use super::search::search;
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
    /// No design within the budget is schedulable.
    NotSchedulable {
        /// The reason.
        reason: NotSchedulable,
    },
    /// Undecided.
    Unknown {
        /// Where the design of least utilization fails; `None` if even that was undecided.
        least: Option<Failure>,
        /// The limit that ended the search.
        reason: Undecided,
    },
}

impl Verdict {
    /// Whether some design is schedulable; `None` if that is not known.
    pub fn is_schedulable(&self) -> Option<bool> {
        match self {
            Self::Schedulable { .. } => Some(true),
            Self::NotSchedulable { .. } => Some(false),
            Self::Unknown { .. } => None,
        }
    }

    /// The verdict of a search that found this design; `least` is where the design of least utilization fails.
    pub(super) fn of(
        found: Option<&Vec<Option<u32>>>,
        undecided: Option<Undecided>,
        least: Option<Failure>,
    ) -> Self {
        match (found, undecided) {
            (Some(choices), _) => Self::Schedulable { choices: choices.clone() },
            (None, None) => Self::NotSchedulable { reason: NotSchedulable::EveryDesignFails { least } },
            (None, Some(reason)) => Self::Unknown { least, reason },
        }
    }
}

/// Why no design within a budget is schedulable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotSchedulable {
    /// The least utilization is above 1.
    Overload,
    /// Every design fails the scheduler's test or has U > 1.
    EveryDesignFails {
        /// Where the design of least utilization fails; `None` if its own test was undecided, but requirements from
        /// the failures of other designs rule it out.
        least: Option<Failure>,
    },
}

/// The question asked about an area budget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtBudget {
    /// Whether some design within the budget is schedulable.
    pub verdict: Verdict,
    /// The smallest schedulable design within the budget; if there is none, a larger one may exist.
    pub smallest: SmallestArea,
}

/// Decides whether some design of at most `budget` area units is schedulable, and finds the smallest one. `least` is
/// a design of least utilization within the budget; if it passes, it is the design of the verdict, otherwise the
/// smallest is. One search answers both questions; `known` is an optional schedulable design within the budget to
/// start from. Panics if `least` or `known` does not have one entry per task, or names a choice that does not exist.
pub fn verdict(
    formulation: &Formulation,
    budget: u64,
    least: &[Option<u32>],
    known: Option<&[Option<u32>]>,
    effort: &mut Effort,
) -> AtBudget {
    let tasks = scheduled_tasks(formulation, least);
    let tasks = tasks.tasks();
    let test = Analysis::new(formulation);
    let failed = match test.test(&tasks, effort) {
        Outcome::Passes => {
            let smallest = smallest_area(formulation, budget, Some(known.unwrap_or(least)), effort);
            return AtBudget { verdict: Verdict::Schedulable { choices: least.to_vec() }, smallest };
        }
        Outcome::Overload => {
            let verdict = Verdict::NotSchedulable { reason: NotSchedulable::Overload };
            return AtBudget { verdict, smallest: SmallestArea::default() };
        }
        Outcome::Fails(failure) => Some(failure),
        Outcome::Undecided(_) => None,
    };
    let required = failed.as_ref().map(|failure| test.requirements(&tasks, failure));
    let smallest = smallest_from(formulation, budget, known, required, Strict::No, effort);
    let verdict = Verdict::of(smallest.best.as_ref(), smallest.undecided, failed);
    AtBudget { verdict, smallest }
}

/// The area of a design, in units, capped at `u64::MAX`.
pub(super) fn area_of(formulation: &Formulation, choices: &[Option<u32>]) -> u64 {
    formulation.weight(choices).unwrap_or(u64::MAX)
}

/// Finds the schedulable design of least area within `capacity` area units. Ties are broken by utilization, then by
/// canonical order: compared from the last task to the first, software comes before hardware and choices come in file
/// order.
///
/// Correct for any scheduler and deadlines. If utilization decides, it is the first point of the front with U <= 1,
/// which is a lookup. The smaller the `known` schedulable design, the faster the search. Panics if `known` does not
/// have one entry per task, or names a choice that does not exist.
pub fn smallest_area(
    formulation: &Formulation,
    capacity: u64,
    known: Option<&[Option<u32>]>,
    effort: &mut Effort,
) -> SmallestArea {
    smallest_from(formulation, capacity, known, None, Strict::No, effort)
}

/// As [`smallest_area`]; `required` are requirements on all designs from the failure of some design. If `strict`, only
/// designs count whose margin is above 1.
pub(super) fn smallest_from(
    formulation: &Formulation,
    capacity: u64,
    known: Option<&[Option<u32>]>,
    required: Option<Vec<Requirement>>,
    strict: Strict,
    effort: &mut Effort,
) -> SmallestArea {
    let mut capacity = known.map_or(capacity, |known| capacity.min(area_of(formulation, known)));
    let mut best: Option<Vec<Option<u32>>> = None;
    let mut undecided = None;
    // A design is searched at its own clock and at slower ones, where it passes only if it also passes at its own
    // clock.
    for clock in 0..formulation.clocks.count() {
        if formulation.least_amounts_at(clock)[0] > capacity {
            continue;
        }
        let found = search(&formulation.at_clock(clock), capacity, required.clone(), strict, effort);
        undecided = undecided.or(found.undecided);
        let Some(found) = found.best else { continue };
        capacity = capacity.min(area_of(formulation, &found));
        if best.as_ref().is_none_or(|best| is_better(formulation, &found, best)) {
            best = Some(found);
        }
    }
    SmallestArea { best: best.or(undecided.and(known).map(<[_]>::to_vec)), undecided }
}

/// Whether a design has less area than another, or equal area and less utilization, or precedes it in canonical
/// order.
fn is_better(formulation: &Formulation, design: &[Option<u32>], other: &[Option<u32>]) -> bool {
    let merit = |choices| (area_of(formulation, choices), formulation.utilization(choices));
    let canonical = || design.iter().rev().cmp(other.iter().rev());
    merit(design).cmp(&merit(other)).then_with(canonical).is_lt()
}
