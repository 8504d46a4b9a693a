//! The verdict at an area budget, with everything a designer asks next.

use super::{Limits, Verdict, edf_tasks, smallest_area, unconstrained, verdict};
use super::{SmallestArea, mark};
use crate::formulate::Formulation;
use crate::front::{ChosenDesign, DesignFront, Point};
use crate::quantity::Rational;
use crate::taskset::TaskSet;

/// The smallest area at which some design is schedulable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SmallestWithin {
    /// This area, in the task set's unit.
    Area(Rational),
    /// None that was looked at is enough.
    None,
    /// Not decided, and why.
    Unknown(String),
}

/// The verdict at an area budget.
#[derive(Clone, Debug)]
pub struct BudgetVerdict {
    /// The task set: names and units.
    pub task_set: TaskSet,
    /// The budget, in the task set's area unit.
    pub budget: Rational,
    /// The design of least utilization within the budget.
    pub least: ChosenDesign,
    /// Whether EDF schedules some design within the budget.
    pub verdict: Verdict,
    /// The smallest area that is enough; within the budget where the verdict is positive.
    pub smallest: SmallestWithin,
    formulation: Formulation,
}

impl BudgetVerdict {
    /// Decides whether EDF schedules some design of a task set within `budget`, from the front up to that budget, whose
    /// last point's choices must be known; `None` where they are not.
    ///
    /// Where the verdict is negative, [`BudgetVerdict::smallest`] says that no area within the budget is enough; the
    /// caller may know more.
    #[must_use]
    pub fn new(front: &DesignFront, budget: Rational, limits: &Limits) -> Option<Self> {
        let formulation = front.formulation();
        let last = front.iter().next_back()?;
        let least = ChosenDesign { design: last.design(), choices: last.choices()? };
        let capacity = formulation.problem.capacity;
        let verdict = verdict(formulation, capacity, &least.choices, limits);
        let smallest = match &verdict {
            Verdict::NotSchedulable { .. } => SmallestWithin::None,
            Verdict::Unknown { reason, .. } => SmallestWithin::Unknown(reason.to_string()),
            Verdict::Schedulable { .. } => smallest_within(front, limits),
        };
        let (task_set, formulation) = (front.task_set().clone(), formulation.clone());
        Some(Self { task_set, budget, least, verdict, smallest, formulation })
    }

    /// The design to show: the schedulable one where there is one, else the one of least utilization.
    #[must_use]
    pub fn shown(&self) -> ChosenDesign {
        let Verdict::Schedulable { choices } = &self.verdict else { return self.least.clone() };
        mark::chosen(&self.formulation, choices.clone(), true).unwrap_or_else(|| self.least.clone())
    }

    /// Why the verdict is what it is, in one sentence.
    #[must_use]
    pub fn reason(&self) -> String {
        use super::NotSchedulable::{EveryDesignFails, Overload};
        let time_unit = &self.formulation.time_unit;
        let unit = match self.task_set.time_base {
            crate::taskset::TimeBase::Cycles { .. } => " cycles",
            crate::taskset::TimeBase::Seconds => " s",
            crate::taskset::TimeBase::Unnamed => "",
        };
        let time = |units: &num_bigint::BigInt| {
            let time = Rational::from(units.clone()) * time_unit;
            format!("{}{unit}", crate::quantity::format_decimal(&time))
        };
        let constrained = !unconstrained(&edf_tasks(&self.formulation, &self.least.choices));
        match &self.verdict {
            Verdict::Schedulable { .. } if constrained => {
                "the processor demand never exceeds the time at hand".into()
            }
            Verdict::Schedulable { .. } => {
                "the utilization is at most 1 and no deadline is shorter than its period".into()
            }
            Verdict::NotSchedulable { reason: Overload } => "the least utilization is above 1".into(),
            Verdict::NotSchedulable { reason: EveryDesignFails { least: Some((at, demand)) } } => format!(
                "every design within the budget fails; the one of least utilization demands {} by time {}",
                time(demand),
                time(at)
            ),
            Verdict::NotSchedulable { reason: EveryDesignFails { least: None } } => {
                "every design within the budget fails the processor demand test".into()
            }
            Verdict::Unknown { time: Some(at), reason } => {
                format!("the design of least utilization misses a deadline at time {}; {reason}", time(at))
            }
            Verdict::Unknown { time: None, reason } => reason.to_string(),
        }
    }
}

/// The smallest area that is enough, where some area within the front's budget is.
fn smallest_within(front: &DesignFront, limits: &Limits) -> SmallestWithin {
    let formulation = front.formulation();
    let software = vec![None; formulation.tasks.len()];
    if unconstrained(&edf_tasks(formulation, &software)) {
        let fitting = front.iter().find(Point::fits);
        return fitting.map_or(SmallestWithin::None, |point| SmallestWithin::Area(point.area()));
    }
    SmallestWithin::searched(formulation, limits)
}

impl SmallestWithin {
    /// Searches all designs within the formulation's budget.
    #[must_use]
    pub fn searched(formulation: &Formulation, limits: &Limits) -> Self {
        match smallest_area(formulation, formulation.problem.capacity, limits) {
            SmallestArea::At { choices } => formulation.area(&choices).map_or(Self::None, Self::Area),
            SmallestArea::None => Self::None,
            SmallestArea::Unknown { reason, .. } => Self::Unknown(reason.to_string()),
        }
    }
}
