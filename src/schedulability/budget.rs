//! The verdicts on a [`DesignFront`]: what the modules beside this one decide about any list of designs, in its terms.

use super::effort::Effort;
use super::points::{Designs, at_budget, verdicts};
use super::task::edf_tasks;
use super::utilization::unconstrained;
use super::verdict::{SmallestArea, Verdict};
use crate::formulate::Formulation;
use crate::front::{ChosenDesign, Design, DesignFront, SmallestSchedulable};
use crate::quantity::{Rational, format_decimal};
use crate::taskset::TimeBase;
use num_bigint::BigInt;
use num_traits::ToPrimitive;

impl Designs for DesignFront {
    fn count(&self) -> usize {
        self.len()
    }

    fn area(&self, index: usize) -> u64 {
        self.area_units(index)
    }

    fn demand(&self, index: usize) -> BigInt {
        self.demand(index)
    }

    fn write_choices(&self, index: usize, choices: &mut [Option<u32>], scratch: &mut Vec<usize>) {
        self.write_choices(index, choices, scratch);
    }
}

/// Fills in the verdict of every point and the smallest schedulable design.
pub fn mark(front: &mut DesignFront, effort: &mut Effort) {
    let verdicts = verdicts(front.formulation(), front, effort);
    front.smallest = match verdicts.smallest {
        SmallestArea::At { choices } => {
            SmallestSchedulable::At(schedulable_design(front.formulation(), choices))
        }
        SmallestArea::None => SmallestSchedulable::None,
        SmallestArea::Unknown { reason, .. } => SmallestSchedulable::Unknown(reason.to_string()),
    };
    front.schedulable = verdicts.points;
    front.base.schedulable = verdicts.base;
}

fn schedulable_design(formulation: &Formulation, choices: Vec<Option<u32>>) -> ChosenDesign {
    let (area, utilization) = (formulation.area(&choices), formulation.utilization(&choices));
    ChosenDesign { design: Design { area, utilization, schedulable: Some(true) }, choices }
}

/// The verdict at an area budget, with everything a designer asks next.
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
    pub fn new(front: DesignFront, budget: Rational, effort: &mut Effort) -> Self {
        // Software alone needs no area, so some point is within every budget.
        let least = front.within(&budget).unwrap_or(0);
        let least = ChosenDesign { design: front.design(least), choices: front.choices(least) };
        let formulation = front.formulation();
        let units = (&budget / &formulation.area_unit).floor().to_integer();
        let capacity = units.to_u64().unwrap_or(u64::MAX).min(formulation.problem.capacity);
        let verdict = at_budget(formulation, &front, capacity, effort).verdict;
        Self { front, budget, least, verdict }
    }

    /// The design to show: the schedulable one where there is one, else the one of least utilization.
    #[must_use]
    pub fn shown(&self) -> ChosenDesign {
        match &self.verdict {
            Verdict::Schedulable { choices } => schedulable_design(self.front.formulation(), choices.clone()),
            Verdict::NotSchedulable { .. } | Verdict::Unknown { .. } => self.least.clone(),
        }
    }

    /// Why the verdict is what it is, in one sentence.
    #[must_use]
    pub fn reason(&self) -> String {
        let formulation = self.front.formulation();
        let unit = match self.front.taskset.time_base {
            TimeBase::Cycles { .. } => " cycles",
            TimeBase::Seconds => " s",
            TimeBase::Unnamed => "",
        };
        let time = |units: &BigInt| {
            let time = Rational::from(units.clone()) * &formulation.time_unit;
            format!("{}{unit}", format_decimal(&time))
        };
        let constrained = !unconstrained(&edf_tasks(formulation, &self.least.choices));
        self.verdict.reason(constrained, time)
    }
}
