//! The verdict on a task set at an area budget, with the details that a designer needs next.

use super::analysis::{ModeVerdict, decided_by_utilization, mode_verdicts, modes};
use super::costs::{MinimalFront, VerdictOfCosts};
use super::effort::Effort;
use super::margin::{is_lowest_clock_reached, lowest_clock};
use super::outcome::{Failure, SmallestArea};
use super::points::{Smallest, SmallestWithin, at_budget, schedulable_design};
use super::response::{ResponseTime, response_times};
use super::terms::terms_in_words;
use super::verdict::{NotSchedulable, Verdict};
use crate::front::{ChosenDesign, Design, DesignFront, Point};
use isx_exact::quantity::Rational;
use isx_problems::account::Account;
use isx_taskset::TaskSet;
use isx_taskset::formulate::{Formulation, Policy, TimedTask, critical_mode};
use num_bigint::BigInt;

/// The verdict at an area budget, or without one, with the details that a designer needs next.
#[derive(Clone, Debug)]
pub struct BudgetVerdict {
    /// The task set: names and units.
    pub task_set: TaskSet,
    /// The budget, in the task set's area unit; `None` if the area is unlimited.
    pub budget: Option<Rational>,
    /// The design of least utilization within the budget.
    pub least: ChosenDesign,
    /// Whether some design within the budget is schedulable.
    pub verdict: Verdict,
    /// The smallest schedulable area; within the budget if the verdict is positive. With unlimited area, the verdict
    /// shows the design of this area. With several resources, the first component of the first of `minimal`.
    pub smallest: SmallestWithin,
    /// With several resources, the schedulable designs of minimal costs within the limits, in lexicographic order, if they
    /// were asked for; there may be others if `smallest` is unknown.
    pub minimal: Option<Vec<ChosenDesign>>,
    /// Under fixed priorities the response times of the design shown, one per task in file order.
    pub response_times: Option<Vec<ResponseTime>>,
    /// The lowest clock of the design shown, see [`lowest_clock`].
    pub lowest_clock: Option<Rational>,
    /// Whether it is schedulable at that clock too, not only at every higher one.
    pub is_clock_reached: bool,
    /// The design shown in every mode; empty if the set has no modes.
    pub modes: Vec<ModeVerdict>,
    /// How the front up to the budget was computed.
    pub account: Account,
    formulation: Formulation,
    /// Those of all variants of the processor, if there are several.
    formulations: Vec<Formulation>,
}

impl BudgetVerdict {
    /// Decides whether some design of a task set within `budget` is schedulable, from the front up to that budget.
    /// The choices must be known for its last point (otherwise `None` is returned), and for all points if utilization
    /// alone does not decide.
    ///
    /// If the verdict is negative, [`BudgetVerdict::smallest`] says that no area within the budget suffices; the
    /// caller may know more.
    pub fn new(front: &DesignFront, budget: Option<Rational>, effort: &mut Effort) -> Option<Self> {
        let formulation = front.formulation();
        let last = front.iter().next_back()?;
        let least = ChosenDesign { design: last.design(), choices: last.choices()? };
        let (verdict, smallest) = if decided_by_utilization(formulation) {
            by_utilization(front, &least, budget.is_none())?
        } else {
            let decide = |effort: &mut Effort| at_budget(front, formulation.capacity(), effort);
            let decided = match formulation.policy {
                Policy::Edf => decide(effort),
                Policy::FixedPriority(_) => effort.keeping_some(decide),
            };
            let verdict = match &decided.smallest {
                SmallestArea { best: Some(choices), undecided: None } if budget.is_none() => {
                    Verdict::Schedulable { choices: choices.clone() }
                }
                _ => decided.verdict,
            };
            (verdict, Smallest::of(decided.smallest, |choices| formulation.area(&choices)))
        };
        let of_costs = VerdictOfCosts { verdict, smallest, minimal: None };
        Some(Self::with_details(front, budget, least, of_costs, effort))
    }

    /// Decides whether some design of a set with several resources is schedulable within their limits. `least` is a front
    /// whose only point is the design of least utilization. With `minimal`, the designs of minimal costs are found too:
    /// if utilization decides, it is the front of those with enough saved demand (empty if there is none). `None` if
    /// choices are not known.
    pub fn within_limits(
        least: &DesignFront,
        minimal: Option<&MinimalFront>,
        effort: &mut Effort,
    ) -> Option<Self> {
        let formulation = least.formulation();
        let point = least.get(0)?;
        let chosen = ChosenDesign { design: point.design(), choices: point.choices()? };
        let of_costs = VerdictOfCosts::new(&chosen, formulation, minimal, effort)?;
        Some(Self::with_details(least, None, chosen, of_costs, effort))
    }

    /// A verdict from a front, with the details of the design shown.
    fn with_details(
        front: &DesignFront,
        budget: Option<Rational>,
        least: ChosenDesign,
        VerdictOfCosts { verdict, smallest, minimal }: VerdictOfCosts,
        effort: &mut Effort,
    ) -> Self {
        let mut decided = Self {
            task_set: front.task_set().clone(),
            budget,
            least,
            verdict,
            smallest,
            minimal,
            response_times: None,
            lowest_clock: None,
            is_clock_reached: true,
            modes: Vec::new(),
            account: front.account().clone(),
            formulation: front.formulation().clone(),
            formulations: Vec::new(),
        };
        let shown = decided.shown().choices;
        let (set, formulation) = (&decided.task_set, &decided.formulation);
        decided.response_times = response_times(formulation, &shown, effort);
        decided.lowest_clock = lowest_clock(set, formulation, &shown, effort);
        decided.is_clock_reached =
            decided.lowest_clock.is_none() || is_lowest_clock_reached(formulation, &shown, effort);
        decided.modes = mode_verdicts(set, formulation, &shown, effort);
        decided
    }

    /// The verdict on a set with several variants of the processor, of which these are the formulations; the design shown
    /// belongs to the variant of [`BudgetVerdict::formulation`].
    #[must_use]
    pub fn with_variants(mut self, formulations: Vec<Formulation>) -> Self {
        self.formulations = formulations;
        self
    }

    /// The formulated task set, in the variant of the processor of the design shown; its capacity is the budget.
    pub fn formulation(&self) -> &Formulation {
        &self.formulation
    }

    /// The design to show: the schedulable one if there is one, otherwise the one of least utilization.
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

    /// Why the smallest area, or the minimal costs, are not known, if so.
    pub fn smallest_unknown(&self) -> Option<&str> {
        match &self.smallest {
            SmallestWithin::Unknown(why) => Some(why),
            SmallestWithin::At(_) | SmallestWithin::None => None,
        }
    }

    /// Whether the set has several resources, some of which are limited.
    pub fn is_limited(&self) -> bool {
        self.task_set.resources.limits.iter().any(Option::is_some)
    }

    /// A time in the task set's time unit.
    pub fn time(&self, units: &BigInt) -> Rational {
        Rational::from(units.clone()) * &self.formulation.time_unit
    }

    /// The clock that a design runs at, in hertz; `None` if no block limits the clock.
    pub fn clock_of(&self, design: &ChosenDesign) -> Option<&Rational> {
        let own = self.formulations.iter().find(|one| one.variant == design.design.variant);
        own.unwrap_or(&self.formulation).clock_of(&design.choices)
    }

    /// The reason for the verdict, in one sentence.
    pub fn reason(&self) -> String {
        use NotSchedulable::{EveryDesignFails, Overload};
        let Self { task_set, formulation, .. } = self;
        let is_edf = formulation.policy == Policy::Edf;
        let within = match self.budget {
            Some(_) => " within the budget",
            None if self.is_limited() => " within the limits",
            None => "",
        };
        let time = |units: &BigInt| task_set.shown_times().in_words(&self.time(units));
        let mode = |number: usize| {
            task_set.modes.get(number).map(|mode| format!(" in mode `{mode}`")).unwrap_or_default()
        };
        let late = |at: usize, number: usize| {
            let name = task_set.tasks.get(at).map_or("", |task| task.name.as_str());
            let deadline = time(&modes(formulation)[number].tasks[at].deadline);
            format!("task `{name}` responds later than its deadline of {deadline}{}", mode(number))
        };
        let terms = |failure: &Failure| terms_in_words(task_set, formulation, &self.least.choices, failure);
        match &self.verdict {
            Verdict::Schedulable { .. } if decided_by_utilization(formulation) => {
                "the utilization is at most 1 and no deadline is shorter than its period".into()
            }
            Verdict::Schedulable { .. } if is_edf => {
                let is_delayed = |task: &TimedTask| task.kernel.is_some() || !task.locks.most.is_empty();
                let waits = formulation.tasks.iter().any(is_delayed);
                let and_waits = if waits { ", waits included," } else { "" };
                format!("the processor demand{and_waits} never exceeds the time at hand")
            }
            Verdict::Schedulable { .. } => "every task responds within its deadline".into(),
            Verdict::NotSchedulable { reason: Overload } if self.is_limited() => {
                "the least utilization within the limits is above 1".into()
            }
            Verdict::NotSchedulable { reason: Overload } => {
                let critical = critical_mode(&formulation.mode_utilizations(&self.least.choices));
                format!("the least utilization is above 1{}", mode(critical))
            }
            Verdict::NotSchedulable { reason: EveryDesignFails { least } } => {
                let terms = least.as_ref().map(terms).unwrap_or_default();
                match least.as_ref().map(Failure::in_mode) {
                    Some((number, Failure::Demand { time: at, demand })) => format!(
                        "every design{within} fails; the one of least utilization demands {} by time {}{}{terms}",
                        time(demand),
                        time(at),
                        mode(number)
                    ),
                    Some((number, Failure::Response { task, .. })) => {
                        format!(
                            "every design{within} fails; in the one of least utilization {}{terms}",
                            late(*task, number)
                        )
                    }
                    _ if is_edf => format!("every design{within} fails the processor demand test"),
                    _ => format!("in every design{within} some task responds later than its deadline"),
                }
            }
            Verdict::Unknown { least, reason } => match least.as_ref().map(Failure::in_mode) {
                Some((number, Failure::Demand { time: at, .. })) => format!(
                    "the design of least utilization misses a deadline at time {}{}; {reason}",
                    time(at),
                    mode(number)
                ),
                Some((number, Failure::Response { task, .. })) => {
                    format!("in the design of least utilization {}; {reason}", late(*task, number))
                }
                _ => reason.to_string(),
            },
        }
    }
}

/// The verdict and the smallest area if U <= 1 decides: the last point of the front has the least utilization. The
/// design of the verdict is that point or the smallest one; `None` if its choices are unknown.
fn by_utilization(
    front: &DesignFront,
    least: &ChosenDesign,
    is_smallest_shown: bool,
) -> Option<(Verdict, SmallestWithin)> {
    let Some(first) = front.iter().find(Point::fits) else {
        let verdict = Verdict::NotSchedulable { reason: NotSchedulable::Overload };
        return Some((verdict, Smallest::None));
    };
    let choices = if is_smallest_shown { first.choices()? } else { least.choices.clone() };
    Some((Verdict::Schedulable { choices }, Smallest::At(first.area())))
}
