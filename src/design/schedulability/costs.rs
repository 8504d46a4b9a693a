//! The verdict on a task set with several resources within their limits.
//!
//! The design of least utilization within the limits is decisive if utilization decides, if its U > 1, or if it passes
//! the scheduler's test. Otherwise all designs are searched, see the module `minimal`.

use super::analysis::{Analysis, decided_by_utilization};
use super::effort::Effort;
use super::minimal::{Minimal, minimal_designs};
use super::outcome::{Failure, Outcome};
use super::points::{Smallest, SmallestWithin, schedulable_design};
use super::task::scheduled_tasks;
use super::verdict::{NotSchedulable, Verdict};
use crate::front::{ChosenDesign, DesignFront};
use isx_taskset::formulate::Formulation;

/// The front of the minimal costs at which enough demand is saved, if utilization decides; `None` if there is no such
/// design. If utilization does not decide, the designs are searched, and this says nothing.
pub type MinimalFront = Option<DesignFront>;

/// A verdict within limits.
pub(super) struct VerdictOfCosts {
    pub verdict: Verdict,
    pub smallest: SmallestWithin,
    pub minimal: Option<Vec<ChosenDesign>>,
}

impl VerdictOfCosts {
    /// Decides; `least` is the design of least utilization within the limits. `None` if choices are not known.
    pub fn new(
        least: &ChosenDesign,
        formulation: &Formulation,
        minimal: Option<&MinimalFront>,
        effort: &mut Effort,
    ) -> Option<Self> {
        let tasks = scheduled_tasks(formulation, &least.choices);
        let (is_passing, failed) = match Analysis::new(formulation).test(&tasks.tasks(), effort) {
            Outcome::Passes => (true, None),
            Outcome::Overload => {
                let verdict = Verdict::NotSchedulable { reason: NotSchedulable::Overload };
                return Some(Self {
                    verdict,
                    smallest: Smallest::None,
                    minimal: minimal.map(|_| Vec::new()),
                });
            }
            Outcome::Fails(failure) => (false, Some(failure)),
            Outcome::Undecided(_) => (false, None),
        };
        if is_passing && minimal.is_none() {
            let verdict = Verdict::Schedulable { choices: least.choices.clone() };
            let smallest = Smallest::At(least.design.cost.first()?.clone());
            return Some(Self { verdict, smallest, minimal: None });
        }
        let found = match minimal {
            Some(front) if decided_by_utilization(formulation) => {
                let points = front.as_ref().into_iter().flat_map(|front| front.iter());
                let designs = points.map(|point| point.choices()).collect::<Option<Vec<_>>>()?;
                Minimal { designs, undecided: None }
            }
            _ => {
                let known = is_passing.then(|| least.choices.clone()).into_iter().collect();
                effort.keeping_some(|effort| minimal_designs(formulation, known, effort))
            }
        };
        Self::of_minimal(found, formulation, failed, minimal.is_some())
    }

    fn of_minimal(
        Minimal { designs, undecided }: Minimal,
        formulation: &Formulation,
        failed: Option<Failure>,
        are_minimal_asked: bool,
    ) -> Option<Self> {
        let verdict = Verdict::of(designs.first(), undecided, failed);
        let minimal = designs.into_iter().map(|choices| schedulable_design(formulation, choices));
        let minimal = minimal.collect::<Option<Vec<ChosenDesign>>>()?;
        let least = minimal.first().and_then(|first| first.design.cost.first().cloned());
        let smallest = Smallest::found(least, undecided);
        Some(Self { verdict, smallest, minimal: are_minimal_asked.then_some(minimal) })
    }
}
