//! Verdicts at an area budget, and the smallest area at which the set becomes schedulable.
//!
//! The design of least utilization within the budget decides alone where every D_i >= P_i, where it has U > 1, and
//! where it passes the demand test. Where it fails, a design of more utilization may still pass: it may spend the
//! area on a task with a short deadline and a long period, which hardly counts in U. Worked instance: see
//! the module `search`, which looks for such a design and for the smallest.

use super::search::{Found, Goal, search};
use super::{Demand, Limits, Undecided, demand_test, edf_tasks};
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

/// Decides whether some design of at most `budget` area units is schedulable. `least` is one of least utilization
/// within the budget; if it passes, it is the design shown.
///
/// # Panics
///
/// If `least` is not one choice a task, or names a choice that is not there.
#[must_use]
pub fn verdict(formulation: &Formulation, budget: u64, least: &[Option<u32>], limits: &Limits) -> Verdict {
    let failed = match demand_test(&edf_tasks(formulation, least), limits.design_steps) {
        Demand::Passes => return Verdict::Schedulable { choices: least.to_vec() },
        Demand::Overload => return Verdict::NotSchedulable { reason: NotSchedulable::Overload },
        Demand::Fails { time, demand } => Some((time, demand)),
        Demand::Undecided(_) => None,
    };
    let time = failed.as_ref().map(|(time, _)| time);
    match search(formulation, budget, Goal::Any, time, limits) {
        Found::Design(choices) => Verdict::Schedulable { choices },
        Found::Nothing => {
            Verdict::NotSchedulable { reason: NotSchedulable::EveryDesignFails { least: failed } }
        }
        Found::Undecided(reason, _) => Verdict::Unknown { time: time.cloned(), reason },
    }
}

/// Finds the schedulable design of least area within `capacity` area units; of these the one of least utilization;
/// of these the canonical one: compared from the last task to the first, software comes before hardware and
/// choices come in file order.
///
/// Right for any deadlines. Where every D_i >= P_i it is the first point of the front with U <= 1, which costs
/// nothing to look up. A smaller `capacity`, such as the area of a design known to be schedulable, is faster.
#[must_use]
pub fn smallest_area(formulation: &Formulation, capacity: u64, limits: &Limits) -> SmallestArea {
    match search(formulation, capacity, Goal::Best, None, limits) {
        Found::Design(choices) => SmallestArea::At { choices },
        Found::Nothing => SmallestArea::None,
        Found::Undecided(reason, best) => SmallestArea::Unknown { reason, best },
    }
}
