//! Verdicts at an area budget, and the smallest area at which the set becomes schedulable.
//!
//! The design of least utilization within the budget decides alone where every D_i >= P_i, where it has U > 1, and
//! where it passes the demand test. Where it fails, a design of more utilization may still pass: it may spend the
//! area on a task with a short deadline and a long period, which hardly counts in U. Worked instance: see
//! the module `search`, which looks for such a design and for the smallest.

use super::demand::{Demand, test_design};
use super::effort::{Effort, Undecided};
use super::search::{Found, search};
use super::task::edf_tasks;
use super::utilization::Frequencies;
use crate::formulate::Formulation;
use num_bigint::BigInt;

/// Whether some design within an area budget is schedulable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// EDF schedules the design shown.
    Schedulable {
        /// The choice of every task, in file order; `None` is software.
        choices: Vec<Option<u32>>,
    },
    /// EDF schedules no design within the budget.
    NotSchedulable {
        /// Why.
        reason: NotSchedulable,
    },
    /// Not decided.
    Unknown {
        /// Where the design of least utilization fails; `None` where even that was not decided.
        time: Option<BigInt>,
        /// What ended the search.
        reason: Undecided,
    },
}

/// Why no design within a budget is schedulable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotSchedulable {
    /// The least utilization is above 1.
    Overload,
    /// Every design fails the demand test or has U > 1.
    EveryDesignFails {
        /// A time at which the design of least utilization fails, with its demand by then; `None` where its own
        /// test did not end, but the times at which others fail rule it out.
        least: Option<(BigInt, BigInt)>,
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
    let tasks = edf_tasks(formulation, least);
    let failed = match test_design(&tasks, &Frequencies::new(formulation).load(&tasks), effort) {
        Demand::Passes => {
            let smallest = smallest_area(formulation, budget, Some(known.unwrap_or(least)), effort);
            return AtBudget { verdict: Verdict::Schedulable { choices: least.to_vec() }, smallest };
        }
        Demand::Overload => {
            let verdict = Verdict::NotSchedulable { reason: Overload };
            return AtBudget { verdict, smallest: SmallestArea::None };
        }
        Demand::Fails { time, demand } => Some((time, demand)),
        Demand::Undecided(_) => None,
    };
    let time = failed.as_ref().map(|(time, _)| time);
    let smallest = smallest_from(formulation, budget, known, time, effort);
    let verdict = match &smallest {
        SmallestArea::At { choices } | SmallestArea::Unknown { best: Some(choices), .. } => {
            Verdict::Schedulable { choices: choices.clone() }
        }
        SmallestArea::None => Verdict::NotSchedulable { reason: EveryDesignFails { least: failed } },
        SmallestArea::Unknown { reason, best: None } => {
            Verdict::Unknown { time: time.cloned(), reason: *reason }
        }
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
/// Right for any deadlines. Where every D_i >= P_i it is the first point of the front with U <= 1, which costs
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

/// As [`smallest_area`]; at the time `failing` some design is known to fail.
fn smallest_from(
    formulation: &Formulation,
    capacity: u64,
    known: Option<&[Option<u32>]>,
    failing: Option<&BigInt>,
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
        let found = match search(&formulation.at_clock(clock), capacity, failing, effort) {
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

impl Verdict {
    /// Why the verdict is what it is, in one sentence. `constrained`: some deadline is shorter than its period;
    /// `time` writes a time, which comes in the formulation's units, with its unit.
    #[must_use]
    pub fn reason(&self, constrained: bool, time: impl Fn(&BigInt) -> String) -> String {
        use NotSchedulable::{EveryDesignFails, Overload};
        match self {
            Self::Schedulable { .. } if constrained => {
                "the processor demand never exceeds the time at hand".into()
            }
            Self::Schedulable { .. } => {
                "the utilization is at most 1 and no deadline is shorter than its period".into()
            }
            Self::NotSchedulable { reason: Overload } => "the least utilization is above 1".into(),
            Self::NotSchedulable { reason: EveryDesignFails { least: Some((at, demand)) } } => format!(
                "every design within the budget fails; the one of least utilization demands {} by time {}",
                time(demand),
                time(at)
            ),
            Self::NotSchedulable { reason: EveryDesignFails { least: None } } => {
                "every design within the budget fails the processor demand test".into()
            }
            Self::Unknown { time: Some(at), reason } => {
                format!("the design of least utilization misses a deadline at time {}; {reason}", time(at))
            }
            Self::Unknown { time: None, reason } => reason.to_string(),
        }
    }
}
