//! The verdict at an area budget, with everything a designer asks next.

use super::{Limits, Verdict, edf_tasks, unconstrained, verdict};
use crate::front::{ChosenDesign, Design, DesignFront};
use crate::quantity::Rational;
use num_traits::ToPrimitive;

/// The verdict at an area budget.
#[derive(Clone, Debug)]
pub struct BudgetVerdict {
    /// The whole front of the task set; its `smallest` is the smallest area that would do.
    pub front: DesignFront,
    /// The budget, in the task set's area unit.
    pub budget: Rational,
    /// The design of least utilization within the budget.
    pub least: ChosenDesign,
    /// Whether EDF schedules some design within the budget.
    pub verdict: Verdict,
}

impl BudgetVerdict {
    /// Decides whether EDF schedules some design of the front's task set within `budget`. The front must be complete.
    #[must_use]
    pub fn new(front: DesignFront, budget: Rational) -> Self {
        // Software alone needs no area, so some point is within every budget.
        let least = front.within(&budget).unwrap_or(0);
        let least = ChosenDesign { design: front.design(least), choices: front.choices(least) };
        let formulation = front.formulation();
        let units = (&budget / &formulation.area_unit).floor().to_integer();
        let capacity = units.to_u64().unwrap_or(u64::MAX).min(formulation.problem.capacity);
        let verdict = verdict(formulation, capacity, &least.choices, &Limits::default());
        Self { front, budget, least, verdict }
    }

    /// The design to show: the schedulable one where there is one, else the one of least utilization.
    #[must_use]
    pub fn shown(&self) -> ChosenDesign {
        let Verdict::Schedulable { choices } = &self.verdict else { return self.least.clone() };
        let formulation = self.front.formulation();
        let (area, utilization) = (formulation.area(choices), formulation.utilization(choices));
        ChosenDesign {
            design: Design { area, utilization, schedulable: Some(true) },
            choices: choices.clone(),
        }
    }

    /// Why the verdict is what it is, in one sentence.
    #[must_use]
    pub fn reason(&self) -> String {
        use super::NotSchedulable::{EveryDesignFails, Overload};
        let time_unit = &self.front.formulation().time_unit;
        let unit = match self.front.taskset.time_base {
            crate::taskset::TimeBase::Cycles { .. } => " cycles",
            crate::taskset::TimeBase::Seconds => " s",
            crate::taskset::TimeBase::Unnamed => "",
        };
        let time = |units: &num_bigint::BigInt| {
            let time = Rational::from(units.clone()) * time_unit;
            format!("{}{unit}", crate::quantity::format_decimal(&time))
        };
        let constrained = !unconstrained(&edf_tasks(self.front.formulation(), &self.least.choices));
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
