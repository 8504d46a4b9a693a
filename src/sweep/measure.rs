//! The figures of one task set.
//!
//! Every question has steps of its own, so that what is known of a set depends neither on the other questions nor on the
//! other sets.

use crate::least::least_weight;
use crate::spec::Asked;
use isx_design::schedulability::{
    Effort, Limits, Outcome, SmallestArea, SmallestWithin, decided_by_utilization, margin, schedulable,
    smallest_area,
};
use isx_exact::quantity::Rational;
use isx_explore::{ExploreError, Options, check_within, explore_within};
use isx_machine::Machine;
use isx_mckp::Wanted;
use isx_problems::mckp::Item;
use isx_solve::SolveError;
use isx_taskset::TaskSet;
use isx_taskset::formulate::{FormulateError, Formulation, formulate};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive};

/// What is known of a task set; see [`Record`](crate::Record).
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as the fields of a record")]
pub struct Figures {
    pub utilization: Rational,
    pub least_utilization: Option<Rational>,
    pub min_area: Option<Rational>,
    pub area_bounds: [Option<Rational>; 2],
    pub accepted_any: Option<bool>,
    pub accepted: Vec<Option<bool>>,
    pub breakdown: Option<Rational>,
    pub breakdown_bounds: [Option<Rational>; 2],
    pub points: Option<u64>,
    pub unknown: bool,
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
///
/// # Errors
///
/// If the set has several resources, variants or modes, or an engine refuses it.
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
    let several = [
        (set.resources.is_some(), "several resources"),
        (!set.variants.is_empty(), "variants"),
        (!set.modes.is_empty(), "modes"),
    ];
    if let Some((_, what)) = several.into_iter().find(|(has, _)| *has) {
        return Err(NotMeasured::Several(what));
    }
    let formulation = formulate(set, None)?;
    let question = Question { set, asked, machine, formulation: &formulation };
    let utilization = Rational::new(formulation.base_demand.clone(), formulation.hyperperiod.clone());
    let smallest = if asked.area() { question.smallest()? } else { Least::None };
    let accepted: Vec<Option<bool>> = asked.budgets.iter().map(|budget| smallest.is_within(budget)).collect();
    let (least_utilization, points) = question.front()?;
    let (breakdown, breakdown_bounds) = match asked.breakdown {
        true => question.breakdown(&utilization),
        false => (None, [None, None]),
    };
    let unknown = (asked.min_area && matches!(smallest, Least::Unknown { .. }))
        || accepted.contains(&None)
        || (asked.breakdown && breakdown.is_none());
    let (accepted_any, area_bounds) = match &smallest {
        _ if !asked.min_area => (None, [None, None]),
        Least::At(area) => (Some(true), [area, area].map(|area| Some(area.clone()))),
        Least::None => (Some(false), [None, None]),
        Least::Unknown { enough, needed } => (
            enough.as_ref().map(|_| true),
            [needed.clone().or_else(|| Some(formulation.in_area_unit(0))), enough.clone()],
        ),
    };
    let min_area = match smallest {
        Least::At(area) if asked.min_area => Some(area),
        _ => None,
    };
    Ok(Figures {
        utilization,
        least_utilization,
        min_area,
        area_bounds,
        accepted_any,
        accepted,
        breakdown,
        breakdown_bounds,
        points,
        unknown,
    })
}

/// The least area of a schedulable design.
enum Least {
    At(Rational),
    None,
    /// Not decided.
    Unknown {
        /// An area that is known to be enough.
        enough: Option<Rational>,
        /// The least area with a utilization of at most 1: less is not enough.
        needed: Option<Rational>,
    },
}

impl Least {
    fn is_within(&self, budget: &Rational) -> Option<bool> {
        match self {
            Self::At(area) => Some(area <= budget),
            Self::None => Some(false),
            Self::Unknown { enough, needed } => {
                let is_enough = enough.as_ref().is_some_and(|enough| enough <= budget);
                let is_too_little = needed.as_ref().is_some_and(|needed| budget < needed);
                (is_enough || is_too_little).then_some(is_enough)
            }
        }
    }
}

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
                return Ok(least.map_or(Least::None, Least::At));
            }
            return Ok(match check_within(self.set, None, &self.options(), effort)?.smallest {
                SmallestWithin::At(area) => Least::At(area),
                SmallestWithin::None => Least::None,
                SmallestWithin::Unknown(_) => Least::Unknown { enough: None, needed: None },
            });
        }
        let most = asked.budgets.iter().max().filter(|_| !asked.min_area).and_then(|budget| {
            let units = (budget - &formulation.area_offset) / &formulation.area_unit;
            units.floor().to_integer().to_u64()
        });
        let capacity =
            most.map_or(formulation.problem.capacity, |most| most.min(formulation.problem.capacity));
        let area = |choices: &[Option<u32>]| formulation.area(choices);
        let known = if asked.min_area && self.is_sum() { self.greedy(effort) } else { None };
        Ok(match smallest_area(formulation, capacity, known.as_deref(), effort) {
            SmallestArea::At { choices } => {
                area(&choices).map_or(Least::Unknown { enough: None, needed: None }, Least::At)
            }
            SmallestArea::None => Least::None,
            SmallestArea::Unknown { best, .. } => {
                let enough = best.as_deref().and_then(area);
                Least::Unknown { enough, needed: self.least_for_utilization().flatten() }
            }
        })
    }

    /// The least area with a utilization of at most 1; `None` inside if there is none. `None` if the set is no sum, or its
    /// numbers are too large.
    fn least_for_utilization(&self) -> Option<Option<Rational>> {
        let Formulation { base_demand, hyperperiod, problem, .. } = self.formulation;
        let least = self.is_sum().then(|| least_weight(&problem.classes, &(base_demand - hyperperiod)))??;
        Some(least.map(|units| self.formulation.in_area_unit(units)))
    }

    /// A schedulable design of little area to begin a search with: the choices that save most demand for their area, as few of
    /// them as are enough. Each lowers a WCET, so that with more of them a set stays schedulable.
    fn greedy(&self, effort: &mut Effort) -> Option<Vec<Option<u32>>> {
        let formulation = self.formulation;
        let mut steps: Vec<(usize, u32, u64, BigInt)> = Vec::new();
        for (task, items) in formulation.problem.classes.iter().enumerate() {
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
        let Formulation { base_demand, hyperperiod, problem, .. } = formulation;
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
    /// and the ends between which it lies: a design whose deadlines are met as it is has a margin of at least 1, and no
    /// processor is used beyond 1.
    fn breakdown(&self, utilization: &Rational) -> (Option<Rational>, [Option<Rational>; 2]) {
        let formulation = self.formulation;
        let software = vec![None; formulation.tasks.len()];
        let found = margin(formulation, &software, &mut Effort::new(self.limits()));
        let Ok(factor) = found.map(|margin| margin.factor) else {
            let passes =
                schedulable(formulation, &software, &mut Effort::new(self.limits())) == Outcome::Passes;
            let low = if passes { utilization.clone() } else { Rational::default() };
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

#[cfg(test)]
mod tests {
    use super::*;
    use isx_explore::explore;
    use isx_taskset::generate::{generate_set, recipe_of};
    use isx_taskset::recipe::TaskSetRecipe;

    fn asked(steps: u64) -> Asked {
        let budgets = [0, 700, 2500].map(|area| Rational::from_integer(area.into())).to_vec();
        Asked { min_area: true, least_utilization: true, breakdown: true, points: true, budgets, steps }
    }

    #[test]
    fn figures_of_every_kind_of_set_are_those_of_an_exploration() {
        let kinds: [&[(&str, &str)]; 6] = [
            &[("deadlines", "implicit")],
            &[("deadlines", "constrained:0.50..1.00")],
            &[("scheduler", "dm"), ("deadlines", "arbitrary:0.60..1.50")],
            &[("blocks", "3"), ("uses", "0..2"), ("fmax", "80..120")],
            &[("blocks", "3"), ("scheduler", "rm")],
            &[
                ("switch", "2000"),
                ("jitter", "0.00..0.20"),
                ("nonpreemptive", "0.00..0.30"),
                ("scheduler", "fixed"),
            ],
        ];
        let machine = Machine::default().with_threads(1);
        let (mut decided, mut none, mut short, mut too_little) = (0, 0, 0, 0);
        for kind in kinds {
            for seed in 0..90 {
                let load = ["0.7", "1", "1.3"][seed as usize % 3];
                let usual = [("tasks", "4"), ("choices", "0..3"), ("utilization", load)];
                let recipe = recipe_of(&[&usual, kind].concat()).unwrap();
                let set = generate_set(&TaskSetRecipe { seed, ..recipe }).unwrap();
                let explored = explore(&set, &Options::default()).unwrap();
                let figures = measure(&set, &asked(50_000_000), &machine).unwrap();
                assert!(!figures.unknown, "{kind:?} {seed}");
                assert_eq!(figures.utilization, explored.base().utilization);
                assert_eq!(figures.least_utilization, explored.front.least_utilization());
                assert_eq!(figures.points, Some(explored.front.len() as u64));
                let smallest = explored.smallest().map(|design| design.design.area().clone());
                assert_eq!(figures.min_area, smallest, "{kind:?} {seed}");
                assert_eq!(figures.accepted_any, Some(smallest.is_some()));
                assert_eq!(figures.area_bounds, [&smallest, &smallest].map(Option::clone));
                let within = |budget: &Rational| Some(smallest.as_ref().is_some_and(|area| area <= budget));
                let budgets = asked(1).budgets;
                assert_eq!(figures.accepted, budgets.iter().map(within).collect::<Vec<_>>());
                let alone = Asked { min_area: false, ..asked(50_000_000) };
                assert_eq!(
                    measure(&set, &alone, &machine).unwrap().accepted,
                    figures.accepted,
                    "a smaller search"
                );
                decided +=
                    usize::from(figures.min_area.as_ref().is_some_and(|area| *area > Rational::default()));
                none += usize::from(figures.min_area.is_none());
                // What is known with few steps is the same.
                let few =
                    measure(&set, &asked([300, 4000, 50_000][seed as usize / 3 % 3]), &machine).unwrap();
                short += usize::from(few.unknown);
                // Utilization alone tells that the least budgets are too little.
                too_little +=
                    usize::from(few.accepted.contains(&None) && few.accepted.contains(&Some(false)));
                let agrees = few.accepted.iter().zip(&figures.accepted);
                assert!(agrees.clone().all(|(few, all)| few.is_none() || few == all));
                assert!(few.min_area.is_none() || few.min_area == figures.min_area);
                assert!(few.breakdown.is_none() || few.breakdown == figures.breakdown);
                // Its bounds hold what is true, and what is accepted within an area is accepted with any.
                let [low, high] = &few.area_bounds;
                if let Some(area) = &smallest {
                    assert!(low.as_ref().is_some_and(|low| low <= area));
                    assert!(high.as_ref().is_none_or(|high| area <= high));
                }
                assert_eq!(few.accepted_any == Some(true), high.is_some());
                assert!(few.accepted_any.is_none_or(|any| any == smallest.is_some()));
                assert!(!few.accepted.contains(&Some(true)) || few.accepted_any == Some(true));
                let [low, high] = few.breakdown_bounds.clone().map(Option::unwrap);
                let breakdown = figures.breakdown.as_ref().unwrap();
                assert!(low <= *breakdown && *breakdown <= high);
                let is_known =
                    agrees.clone().all(|(few, _)| few.is_some()) && few.min_area == figures.min_area;
                assert!(few.unknown || (is_known && few.breakdown == figures.breakdown));
            }
        }
        assert!(
            decided > 100 && none > 20 && (60..300).contains(&short) && too_little > 5,
            "{decided} {none} {short} {too_little}"
        );
    }

    #[test]
    fn at_breakdown_a_set_is_schedulable_and_a_little_beyond_it_is_not() {
        let machine = Machine::default();
        for seed in 0..40 {
            let given = [
                ("tasks", "4"),
                ("choices", "0"),
                ("utilization", "0.8"),
                ("scheduler", "rm"),
                ("switch", "900"),
            ];
            let recipe = recipe_of(&given).unwrap();
            let mut set = generate_set(&TaskSetRecipe { seed, ..recipe }).unwrap();
            let only = Asked {
                breakdown: true,
                budgets: vec![Rational::default()],
                steps: 50_000_000,
                ..Asked::default()
            };
            let figures = measure(&set, &only, &machine).unwrap();
            let switches: Rational = set
                .tasks
                .iter()
                .map(|task| &set.switch * Rational::from_integer(2.into()) / &task.period)
                .sum();
            let breakdown = figures.breakdown.unwrap();
            let factor = (&breakdown - &switches) / (&figures.utilization - &switches);
            let wcets: Vec<Rational> = set.tasks.iter().map(|task| task.wcet.clone()).collect();
            for (more, expected) in
                [(Rational::default(), true), (Rational::new(1.into(), 10_000_000.into()), false)]
            {
                for (task, wcet) in set.tasks.iter_mut().zip(&wcets) {
                    task.wcet = wcet * (&factor + &more);
                }
                let at = measure(&set, &only, &machine).unwrap();
                assert_eq!(at.accepted, [Some(expected)], "{seed}");
                assert!(more > Rational::default() || at.utilization == breakdown);
            }
        }
    }

    #[test]
    fn sets_of_several_resources_variants_or_modes_are_refused() {
        let text = "{name: x, modes: [a, b], tasks: [{name: t, wcet: 1, period: {a: 5, b: 9}}]}";
        let set = isx_taskset::read_str("x", text).unwrap().task_set;
        let refused = measure(&set, &asked(1000), &Machine::default()).unwrap_err().to_string();
        assert_eq!(refused, "the set has modes: a sweep asks about one area, one processor and one mode");
    }
}
