//! The figures of one task set.
//!
//! Every question has steps of its own, so that what is known of a set depends neither on the other questions nor on the
//! other sets.

use crate::spec::Asked;
use isx_design::schedulability::{
    Effort, Limits, Outcome, SmallestArea, SmallestWithin, decided_by_utilization, margin, schedulable,
    smallest_area,
};
use isx_exact::quantity::Rational;
use isx_explore::{ExploreError, Options, check_within, explore_within};
use isx_machine::Machine;
use isx_mckp::Wanted;
use isx_mckp::least::least_weight;
use isx_problems::mckp::Item;
use isx_solve::SolveError;
use isx_taskset::TaskSet;
use isx_taskset::formulate::{FormulateError, Formulation, Policy, TimedTask, formulate};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive};

/// What is known of a task set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// The exact utilization of the software-only design.
    pub utilization: Rational,
    /// The least utilization of any design, if it was asked for.
    pub least_utilization: Option<Rational>,
    /// The least area of a schedulable design; `None` if there is none, if it was not decided or not asked for.
    pub min_area: Option<Rational>,
    /// The least area is at least and at most so much, as far as that is known; both ends are it where it was decided.
    pub area_bounds: [Option<Rational>; 2],
    /// Whether some design is schedulable, whatever its area, if least areas were asked for; `None` if that was not decided.
    pub accepted_any: Option<bool>,
    /// For each budget of the specification whether some design within it is schedulable; `None` if that was not decided.
    pub accepted: Vec<Option<bool>>,
    /// The utilization of the software-only design with all WCETs multiplied by the largest factor at which it is
    /// schedulable; `None` if that was not decided or not asked for.
    pub breakdown: Option<Rational>,
    /// The ends between which it lies; both are it where it was decided.
    pub breakdown_bounds: [Option<Rational>; 2],
    /// The number of points of the front, if it was asked for.
    pub points: Option<u64>,
    /// Whether a question was not decided within the steps of the specification.
    pub unknown: bool,
}

impl Figures {
    /// What is known of a least area that was decided; `None` if no design is schedulable.
    pub(crate) fn set_area(&mut self, asked: &Asked, area: Option<Rational>) {
        let is_within = |budget| area.as_ref().is_some_and(|area| area <= budget);
        self.accepted = asked.budgets.iter().map(|budget| Some(is_within(budget))).collect();
        if asked.min_area {
            self.accepted_any = Some(area.is_some());
            self.area_bounds = [area.clone(), area.clone()];
            self.min_area = area;
        }
    }
}

/// Why a set is not measured.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what is wrong")]
pub enum NotMeasured {
    #[error("the set has {0}: a sweep asks about one area, one processor and one mode")]
    Several(&'static str),
    #[error(transparent)]
    Formulate(#[from] FormulateError),
    #[error(transparent)]
    Explore(#[from] ExploreError),
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// Measures what is asked about a set, on one thread of the machine.
/// Fails if the set has several resources, variants or modes, or an engine refuses it.
///
/// ```
/// use isx_sweep::{measure::measure, spec::Asked};
/// use isx_taskset::{Task, TaskSet};
/// let tasks = [Task::new("a", 6, 10).with_choice("mac", 120, 4), Task::new("b", 5, 10)];
/// let set = TaskSet::new("demo", tasks).unwrap();
/// let asked = Asked { min_area: true, breakdown: true, steps: 1_000_000, ..Asked::default() };
/// let figures = measure(&set, &asked, &isx_machine::Machine::default()).unwrap();
/// assert_eq!((figures.utilization.to_string(), figures.min_area.unwrap().to_string()), ("11/10".into(), "120".into()));
/// assert_eq!(figures.breakdown.unwrap().to_string(), "1");
/// ```
pub fn measure(set: &TaskSet, asked: &Asked, machine: &Machine) -> Result<Figures, NotMeasured> {
    let several = [(!set.variants.is_empty(), "variants"), (!set.modes.is_empty(), "modes")];
    if let Some((_, what)) = several.into_iter().find(|(has, _)| *has) {
        return Err(NotMeasured::Several(what));
    }
    let formulation = formulate(set, None)?;
    if !formulation.costs.is_line() {
        return Err(NotMeasured::Several("several resources"));
    }
    let question = Question { set, asked, machine, formulation: &formulation };
    let utilization = Rational::new(formulation.base_demand.clone(), formulation.hyperperiod.clone());
    let smallest = if asked.area() { Some(question.smallest()?) } else { None };
    let (least_utilization, points) = question.front()?;
    let (breakdown, breakdown_bounds) = match asked.breakdown {
        true => question.breakdown(&utilization),
        false => (None, [None, None]),
    };
    let unknown = asked.breakdown && breakdown.is_none();
    let mut figures = Figures {
        utilization,
        least_utilization,
        breakdown,
        breakdown_bounds,
        points,
        unknown,
        ..Figures::default()
    };
    match smallest {
        None => {}
        Some(Ok(area)) => figures.set_area(asked, area),
        Some(Err([needed, enough])) => {
            let is_within = |budget: &Rational| {
                let is_enough = enough.as_ref().is_some_and(|enough| enough <= budget);
                let is_too_little = needed.as_ref().is_some_and(|needed| budget < needed);
                (is_enough || is_too_little).then_some(is_enough)
            };
            figures.accepted = asked.budgets.iter().map(is_within).collect();
            figures.unknown |= asked.min_area || figures.accepted.contains(&None);
            if asked.min_area {
                figures.accepted_any = enough.as_ref().map(|_| true);
                figures.area_bounds = [needed.or_else(|| Some(formulation.in_area_unit(0))), enough];
            }
        }
    }
    Ok(figures)
}

/// The least area of a schedulable design, `None` if there is none; if it was not decided, the least area with a utilization of
/// at most 1, less than which is not enough, and an area that is known to be enough.
type Least = Result<Option<Rational>, [Option<Rational>; 2]>;

struct Question<'a> {
    set: &'a TaskSet,
    asked: &'a Asked,
    machine: &'a Machine,
    formulation: &'a Formulation,
}

impl Question<'_> {
    fn limits(&self) -> Limits {
        Limits { steps: self.asked.steps, design_steps: self.asked.steps / 8 }
    }

    fn options(&self) -> Options<'static> {
        Options { machine: self.machine.clone(), limits: self.limits(), ..Options::default() }
    }

    /// Whether designs are sums over tasks: nothing is shared, and all run at one clock.
    fn is_sum(&self) -> bool {
        self.formulation.sharing.elements.is_empty()
            && self.formulation.clocks.count() == 1
            && !self.formulation.is_forced()
    }

    fn smallest(&self) -> Result<Least, NotMeasured> {
        let Self { asked, formulation, .. } = self;
        let effort = &mut Effort::new(self.limits());
        if decided_by_utilization(formulation) {
            if let Some(least) = self.least_for_utilization() {
                return Ok(Ok(least));
            }
            return Ok(match check_within(self.set, None, &self.options(), effort)?.smallest {
                SmallestWithin::At(area) => Ok(Some(area)),
                SmallestWithin::None => Ok(None),
                SmallestWithin::Unknown(_) => Err([None, None]),
            });
        }
        let most = asked.budgets.iter().max().filter(|_| !asked.min_area).and_then(|budget| {
            let units = (budget - &formulation.costs.offset[0]) / &formulation.costs.units[0];
            units.floor().to_integer().to_u64()
        });
        let capacity = most.map_or(formulation.capacity(), |most| most.min(formulation.capacity()));
        let area = |choices: &[Option<u32>]| formulation.area(choices);
        let known = if asked.min_area && self.is_sum() { self.greedy(effort) } else { None };
        Ok(match smallest_area(formulation, capacity, known.as_deref(), effort) {
            SmallestArea { best: Some(choices), undecided: None } => {
                area(&choices).map(Some).ok_or([None, None])
            }
            SmallestArea { best: None, undecided: None } => Ok(None),
            SmallestArea { best, .. } => {
                Err([self.least_for_utilization().flatten(), best.as_deref().and_then(area)])
            }
        })
    }

    /// The least area with a utilization of at most 1; `None` inside if there is none. `None` if the set is no sum, or its
    /// numbers are too large.
    fn least_for_utilization(&self) -> Option<Option<Rational>> {
        let Formulation { base_demand, hyperperiod, .. } = self.formulation;
        let least = self
            .is_sum()
            .then(|| least_weight(&self.formulation.mckp().classes, &(base_demand - hyperperiod)))??;
        Some(least.map(|units| self.formulation.in_area_unit(units)))
    }

    /// A schedulable design of little area to begin a search with: the choices that save most demand for their area, as few of
    /// them as are enough. Each lowers a WCET, so that with more of them a set stays schedulable.
    fn greedy(&self, effort: &mut Effort) -> Option<Vec<Option<u32>>> {
        let formulation = self.formulation;
        let mut steps: Vec<(usize, u32, u64, BigInt)> = Vec::new();
        for (task, items) in formulation.mckp().classes.iter().enumerate() {
            let (mut weight, mut value) = (0, BigInt::ZERO);
            loop {
                let further = (0..).zip(items).filter(|(_, item)| item.value > value && item.weight > weight);
                let rise = |item: &Item<BigInt>| (&item.value - &value, item.weight - weight);
                let best = further.max_by(|(_, a), (_, b)| {
                    let ((rise, run), (other, other_run)) = (rise(a), rise(b));
                    (rise * other_run).cmp(&(other * run))
                });
                let Some((choice, item)) = best else { break };
                let (rise, run) = rise(item);
                steps.push((task, choice, run, rise));
                (weight, value) = (item.weight, item.value.clone());
            }
        }
        steps.sort_by(|(.., run, rise), (.., other_run, other)| (other * run).cmp(&(rise * other_run)));
        let design = |count: usize| {
            let mut choices = vec![None; formulation.tasks.len()];
            steps[..count].iter().for_each(|(task, choice, ..)| choices[*task] = Some(*choice));
            choices
        };
        let (mut least, mut enough) = (0, steps.len() + 1);
        while least < enough {
            let count = (least + enough) / 2;
            match schedulable(formulation, &design(count), effort) {
                Outcome::Passes => enough = count,
                _ => least = count + 1,
            }
        }
        (enough <= steps.len()).then(|| design(enough))
    }

    /// The least utilization and the number of points, if they are asked for.
    fn front(&self) -> Result<(Option<Rational>, Option<u64>), NotMeasured> {
        let Self { asked, formulation, .. } = self;
        let Formulation { base_demand, hyperperiod, .. } = formulation;
        let problem = &formulation.mckp();
        if !self.is_sum() && (asked.least_utilization || asked.points) {
            // Verdicts are not wanted: no step is left for them.
            let effort = &mut Effort::new(Limits { steps: 0, design_steps: 0 });
            let front = explore_within(self.set, &self.options(), effort)?.front;
            let least = if asked.least_utilization { front.least_utilization() } else { None };
            return Ok((least, asked.points.then_some(front.len() as u64)));
        }
        let least = asked.least_utilization.then(|| {
            let best = problem.classes.iter().map(|items| items.iter().map(|item| &item.value).max());
            let saved: BigInt = best.flatten().filter(|best| **best > BigInt::ZERO).sum();
            Rational::new(base_demand - saved, hyperperiod.clone())
        });
        let points = match asked.points {
            true => {
                let options = isx_solve::Options {
                    wanted: Wanted::Values,
                    machine: self.machine.clone(),
                    ..isx_solve::Options::default()
                };
                Some(isx_solve::solve_unchecked(problem, &options)?.claim.len() as u64)
            }
            false => None,
        };
        Ok((least, points))
    }

    /// The utilization of the software-only design with all WCETs multiplied by its margin, `None` if that is not decided;
    /// and the ends between which it lies. A design whose deadlines are met as it is has a margin of at least 1, EDF meets
    /// them where the sum of WCETs over the lesser of deadline and period is at most 1, and no processor is used beyond 1.
    fn breakdown(&self, utilization: &Rational) -> (Option<Rational>, [Option<Rational>; 2]) {
        let formulation = self.formulation;
        let software = vec![None; formulation.tasks.len()];
        let found = margin(formulation, &software, &mut Effort::new(self.limits()));
        let Ok(factor) = found.map(|margin| margin.factor) else {
            let passes =
                schedulable(formulation, &software, &mut Effort::new(self.limits())) == Outcome::Passes;
            let is_plain =
                formulation.policy == Policy::Edf && !self.set.has_switches() && !self.set.has_kernel_costs();
            let dense = |task: &TimedTask| {
                Rational::new(task.wcet.clone(), task.deadline.clone().min(task.period.clone()))
            };
            let density: Rational = formulation.tasks.iter().map(dense).sum();
            let sure = if is_plain { utilization / density } else { Rational::default() };
            let low = if passes { sure.max(utilization.clone()) } else { sure };
            return (None, [low, Rational::one()].map(Some));
        };
        // Context switches do not grow.
        let switches = formulation.tasks.iter().filter_map(|task| {
            let switches = task.switches_with(None)?;
            Some(Rational::new(switches.clone(), task.period.clone()))
        });
        let switches: Rational = switches.sum();
        let breakdown = (utilization - &switches) * factor + switches;
        (Some(breakdown.clone()), [breakdown.clone(), breakdown].map(Some))
    }
}
