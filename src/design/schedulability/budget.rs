//! The verdicts on a [`DesignFront`]: what the modules beside this one decide about any list of designs, in its terms.

use super::design_test::decided_by_utilization;
use super::effort::Effort;
use super::points::{Designs, at_budget, verdicts};
use super::response::{ResponseTime, response_times};
use super::verdict::{NotSchedulable, SmallestArea, Verdict, smallest_area};
use crate::front::{ChosenDesign, Design, DesignFront, Point};
use isx_exact::quantity::Rational;
use isx_problems::account::Account;
use isx_taskset::TaskSet;
use isx_taskset::formulate::{Formulation, Policy};
use num_bigint::BigInt;
use std::convert::Infallible;
use std::ops::Range;

impl Designs for DesignFront {
    fn count(&self) -> usize {
        self.len()
    }

    fn area(&self, index: usize) -> u64 {
        self.claim().weights[index]
    }

    fn demand(&self, index: usize) -> BigInt {
        self.get(index).map(|point| point.demand()).unwrap_or_default()
    }

    fn choices(&self, points: Range<usize>) -> Vec<Option<u32>> {
        let mut all = Vec::with_capacity(points.len() * self.claim().classes);
        let Ok(()) = self.each_chosen(points, |_, choices| {
            all.extend_from_slice(choices);
            Ok::<(), Infallible>(())
        });
        all
    }
}

/// The smallest area at which some design is schedulable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SmallestSchedulable {
    /// The design that needs it. Where utilization alone does not decide it need not be on the front.
    At(ChosenDesign),
    /// No design within the explored area is schedulable.
    None,
    /// Not decided, and why.
    Unknown(String),
}

/// What the scheduler makes of a front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrontVerdicts {
    /// Whether the software-only design is schedulable.
    pub base: Option<bool>,
    /// Whether each point's own design is schedulable, see [`Design::schedulable`].
    pub points: Vec<Option<bool>>,
    /// The points of which it is open whether any design of no more area is schedulable: before them none is, after
    /// them some is. See [`FrontVerdicts::within`].
    pub open_within: Range<usize>,
    /// The smallest schedulable design.
    pub smallest: SmallestSchedulable,
}

/// Decides every point of a front, whose choices must all be known, and finds the smallest schedulable design. Runs in
/// the current thread pool.
#[must_use]
pub fn judge(front: &DesignFront, effort: &mut Effort) -> FrontVerdicts {
    let formulation = front.formulation();
    let decided = verdicts(formulation, front, effort);
    let smallest = match decided.smallest {
        SmallestArea::At { choices } => {
            let design = schedulable_design(formulation, choices);
            design.map_or(SmallestSchedulable::None, SmallestSchedulable::At)
        }
        SmallestArea::None => SmallestSchedulable::None,
        SmallestArea::Unknown { reason, .. } => SmallestSchedulable::Unknown(reason.to_string()),
    };
    let (base, points, open_within) = (decided.base, decided.points, decided.open_within);
    FrontVerdicts { base, points, open_within, smallest }
}

impl FrontVerdicts {
    /// Whether any design of no more area than point `index` is schedulable, see [`Design::schedulable_within`].
    #[must_use]
    pub fn within(&self, index: usize) -> Option<bool> {
        if self.open_within.contains(&index) { None } else { Some(index >= self.open_within.end) }
    }
}

fn schedulable_design(formulation: &Formulation, choices: Vec<Option<u32>>) -> Option<ChosenDesign> {
    let (area, utilization) = (formulation.area(&choices)?, formulation.utilization(&choices));
    let schedulable = Some(true);
    Some(ChosenDesign {
        design: Design { area, utilization, schedulable, schedulable_within: schedulable },
        choices,
    })
}

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

impl SmallestWithin {
    /// Searches all designs within the formulation's budget.
    #[must_use]
    pub fn searched(formulation: &Formulation, effort: &mut Effort) -> Self {
        Self::of(formulation, smallest_area(formulation, formulation.problem.capacity, None, effort))
    }

    fn of(formulation: &Formulation, smallest: SmallestArea) -> Self {
        match smallest {
            SmallestArea::At { choices } => formulation.area(&choices).map_or(Self::None, Self::Area),
            SmallestArea::None => Self::None,
            SmallestArea::Unknown { reason, .. } => Self::Unknown(reason.to_string()),
        }
    }
}

/// The verdict at an area budget, or with any area, with everything a designer asks next.
#[derive(Clone, Debug)]
pub struct BudgetVerdict {
    /// The task set: names and units.
    pub task_set: TaskSet,
    /// The budget, in the task set's area unit; `None` where any area will do.
    pub budget: Option<Rational>,
    /// The design of least utilization within the budget.
    pub least: ChosenDesign,
    /// Whether some design within the budget is schedulable.
    pub verdict: Verdict,
    /// The smallest area that is enough; within the budget where the verdict is positive. Where any area will do, the
    /// verdict shows the design that needs it.
    pub smallest: SmallestWithin,
    /// Under fixed priorities the response times of the design shown, one a task in file order.
    pub response_times: Option<Vec<ResponseTime>>,
    /// How the front up to the budget was computed.
    pub account: Account,
    formulation: Formulation,
}

impl BudgetVerdict {
    /// Decides whether some design of a task set within `budget` is schedulable, from the front up to that budget. The
    /// choices of its last point must be known, and of all points where utilization alone does not decide; `None`
    /// where the last point's are not.
    ///
    /// Where the verdict is negative, [`BudgetVerdict::smallest`] says that no area within the budget is enough; the
    /// caller may know more.
    #[must_use]
    pub fn new(front: &DesignFront, budget: Option<Rational>, effort: &mut Effort) -> Option<Self> {
        let formulation = front.formulation();
        let last = front.iter().next_back()?;
        let least = ChosenDesign { design: last.design(), choices: last.choices()? };
        let (verdict, smallest) = if decided_by_utilization(formulation) {
            by_utilization(front, &least, budget.is_none())?
        } else {
            let decide =
                |effort: &mut Effort| at_budget(formulation, front, formulation.problem.capacity, effort);
            let decided = match formulation.policy {
                Policy::Edf => decide(effort),
                Policy::FixedPriority(_) => effort.share(effort.left() - effort.left() / KEPT_PART, decide),
            };
            let verdict = match &decided.smallest {
                SmallestArea::At { choices } if budget.is_none() => {
                    Verdict::Schedulable { choices: choices.clone() }
                }
                _ => decided.verdict,
            };
            (verdict, SmallestWithin::of(formulation, decided.smallest))
        };
        let (task_set, account) = (front.task_set().clone(), front.account().clone());
        let formulation = formulation.clone();
        let response_times = None;
        let mut decided =
            Self { task_set, budget, least, verdict, smallest, response_times, account, formulation };
        decided.response_times = response_times_of(&decided, effort);
        Some(decided)
    }

    /// The task set in integers, its capacity the budget.
    #[must_use]
    pub fn formulation(&self) -> &Formulation {
        &self.formulation
    }

    /// The design to show: the schedulable one where there is one, else the one of least utilization.
    #[must_use]
    pub fn shown(&self) -> ChosenDesign {
        let (schedulable, schedulable_within) = match &self.verdict {
            Verdict::Schedulable { choices } => {
                let shown = schedulable_design(&self.formulation, choices.clone());
                return shown.unwrap_or_else(|| self.least.clone());
            }
            Verdict::NotSchedulable { .. } => (Some(false), Some(false)),
            Verdict::Unknown { least, .. } => (least.as_ref().map(|_| false), None),
        };
        let ChosenDesign { design, choices } = self.least.clone();
        ChosenDesign { design: Design { schedulable, schedulable_within, ..design }, choices }
    }

    /// A time in the unit of the task set's times.
    #[must_use]
    pub fn time(&self, units: &BigInt) -> Rational {
        Rational::from(units.clone()) * &self.formulation.time_unit
    }

    /// The clock that a design runs at, in hertz; `None` where no block limits the clock.
    #[must_use]
    pub fn clock_of(&self, design: &ChosenDesign) -> Option<&Rational> {
        self.formulation.clock_of(&design.choices)
    }

    /// Why the verdict is what it is, in one sentence.
    #[must_use]
    pub fn reason(&self) -> String {
        let unit = self.task_set.shown_times();
        let time = |units: &BigInt| unit.in_words(&self.time(units));
        let task = |at: usize| self.task_set.tasks.get(at).map_or_else(String::new, |task| task.name.clone());
        let within = if self.budget.is_some() { " within the budget" } else { "" };
        self.verdict.reason(&self.formulation, within, time, task)
    }
}

/// Of the steps that are left this part is kept for the response times of the design shown.
const KEPT_PART: u64 = 16;

/// The response times of the design that a verdict shows, under fixed priorities.
fn response_times_of(decided: &BudgetVerdict, effort: &mut Effort) -> Option<Vec<ResponseTime>> {
    response_times(&decided.formulation, &decided.shown().choices, effort)
}

/// The verdict and the smallest area where U <= 1 decides: the last point of the front has the least utilization. The
/// design of the verdict is that one, or the smallest; `None` where its choices are not known.
fn by_utilization(
    front: &DesignFront,
    least: &ChosenDesign,
    is_smallest_shown: bool,
) -> Option<(Verdict, SmallestWithin)> {
    let Some(first) = front.iter().find(Point::fits) else {
        let verdict = Verdict::NotSchedulable { reason: NotSchedulable::Overload };
        return Some((verdict, SmallestWithin::None));
    };
    let choices = if is_smallest_shown { first.choices()? } else { least.choices.clone() };
    Some((Verdict::Schedulable { choices }, SmallestWithin::Area(first.area())))
}
