//! Decides which points of a front are schedulable, and finds the smallest schedulable area.
//!
//! Under EDF with every D_i >= P_i, U <= 1 decides; utilization decreases along a front, so the schedulable points
//! are a suffix. Otherwise each point's own design is tested, and the smallest schedulable design is searched among
//! all designs.
//!
//! The order puts cheap decisions first, before the steps run out:
//!
//! 1. Points with U > 1 fail. A few tests among the others look for a schedulable point; the smallest schedulable
//!    design has at most its area, which bounds the search. The search may take half of all steps.
//! 2. No point of less area than the smallest design is schedulable.
//! 3. The remaining points are tested in blocks of neighbors, in parallel, with few steps per design. The first test
//!    uses each task's longest WCET in the block: if it passes, so do all points of the block, since the test is
//!    monotone in the WCETs. If not, smaller parts of the block are tested in the same way, down to single points.
//! 4. Undecided points are tested one by one with the remaining steps, in order of increasing utilization.
//!
//! The steps of phase 3 are counted in the order of the points: a block counts as decided if the sum up to it is
//! within the limit, whichever thread computed it. So the answer does not depend on the number of threads.

use super::analysis::{Analysis, decided_by_utilization, modes};
use super::effort::{Effort, Limits, Undecided};
use super::minimal::{Known, Minimal, minimal_designs};
use super::outcome::{Outcome, SmallestArea};
use super::task::{ScheduledTask, WholeTasks, rows_of, scheduled_tasks};
use super::verdict::{AtBudget, area_of, smallest_area, verdict};
use crate::front::{ChosenDesign, Design, DesignFront, Point};
use isx_exact::quantity::Rational;
use isx_parallel as parallel;
use isx_problems::resources::undominated;
use isx_taskset::TaskSet;
use isx_taskset::formulate::{Formulation, Policy, TimedTask};
use std::convert::Infallible;
use std::ops::Range;

/// The verdicts on a front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrontVerdicts {
    /// Whether the software-only design is schedulable.
    pub base: Option<bool>,
    /// Whether each point's own design is schedulable, see [`Design::schedulable`].
    pub points: Vec<Option<bool>>,
    /// For every point whether some design that costs no more of any objective is schedulable, see
    /// [`Design::schedulable_within`]. With one area, it is so for all points from some on.
    pub each_within: Vec<Option<bool>>,
    /// With several resources, the schedulable designs of minimal costs, in lexicographic order; there may be others if
    /// `smallest` is unknown. Otherwise empty.
    pub minimal: Vec<ChosenDesign>,
    /// The smallest schedulable design; with several resources, the first of `minimal`.
    pub smallest: SmallestSchedulable,
}

impl FrontVerdicts {
    /// Whether some design that costs no more than point `index` is schedulable, see [`Design::schedulable_within`].
    pub fn within(&self, index: usize) -> Option<bool> {
        self.each_within.get(index).copied().flatten()
    }

    /// With several resources, whether some design that costs no more of any objective than this is schedulable.
    pub fn within_cost(&self, task_set: &TaskSet, cost: &[Rational]) -> Option<bool> {
        let objectives = &task_set.resources.objectives;
        let no_more =
            |design: &ChosenDesign| objectives.iter().all(|&at| design.design.cost.get(at) <= cost.get(at));
        match &self.smallest {
            _ if self.minimal.iter().any(no_more) => Some(true),
            Smallest::Unknown(_) => None,
            Smallest::At(_) | Smallest::None => Some(false),
        }
    }
}

/// The smallest area at which some design is schedulable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Smallest<T> {
    /// This area. If utilization alone does not decide, the design need not be on the front.
    At(T),
    /// None of the examined designs is schedulable.
    None,
    /// Undecided, with the reason.
    Unknown(String),
}

/// The smallest schedulable area, with the design that needs it.
pub type SmallestSchedulable = Smallest<ChosenDesign>;

/// Only the smallest schedulable area, in the task set's unit.
pub type SmallestWithin = Smallest<Rational>;

impl<T> Smallest<T> {
    /// The answer of a search that found this.
    pub(super) fn found(best: Option<T>, undecided: Option<Undecided>) -> Self {
        match undecided {
            Some(why) => Self::Unknown(why.to_string()),
            None => best.map_or(Self::None, Self::At),
        }
    }

    /// The answer of a search, with its design converted; [`Smallest::None`] if there is nothing to convert it to.
    pub fn of(smallest: SmallestArea, convert: impl FnOnce(Vec<Option<u32>>) -> Option<T>) -> Self {
        Self::found(smallest.best.and_then(convert), smallest.undecided)
    }

    /// The same with another form of the answer.
    pub fn map<U>(self, convert: impl FnOnce(T) -> U) -> Smallest<U> {
        match self {
            Self::At(smallest) => Smallest::At(convert(smallest)),
            Self::None => Smallest::None,
            Self::Unknown(why) => Smallest::Unknown(why),
        }
    }
}

impl SmallestWithin {
    /// Searches all designs within the formulation's budget.
    pub fn searched(formulation: &Formulation, effort: &mut Effort) -> Self {
        let smallest = smallest_area(formulation, formulation.capacity(), None, effort);
        Self::of(smallest, |choices| formulation.area(&choices))
    }
}

/// A design known to be schedulable; `None` if it costs more than the formulation can count.
pub(super) fn schedulable_design(
    formulation: &Formulation,
    choices: Vec<Option<u32>>,
) -> Option<ChosenDesign> {
    let cost = formulation.cost(&choices)?;
    let (utilization, schedulable) = (formulation.utilization(&choices), Some(true));
    let variant = formulation.variant;
    let design = Design { cost, variant, utilization, schedulable, schedulable_within: schedulable };
    Some(ChosenDesign { design, choices })
}

/// Decides every point of a front, whose choices must all be known, and finds the smallest schedulable design. Runs
/// in the current thread pool.
pub fn judge(front: &DesignFront, effort: &mut Effort) -> FrontVerdicts {
    let formulation = front.formulation();
    if !formulation.costs.is_line() {
        return judge_costs(front, effort);
    }
    let count = front.len();
    let tested = Tested::new(front, count);
    let fitting = tested.fitting;
    let found = |smallest| Smallest::of(smallest, |choices| schedulable_design(formulation, choices));
    if decided_by_utilization(formulation) {
        let points: Vec<Option<bool>> = (0..count).map(|at| Some(at >= fitting)).collect();
        let base = Some(formulation.base_demand <= formulation.hyperperiod);
        let best = (fitting < count).then(|| tested.choices(fitting..fitting + 1));
        let smallest = found(SmallestArea { best, undecided: None });
        return FrontVerdicts { base, each_within: points.clone(), points, minimal: Vec::new(), smallest };
    }
    let software = vec![None; formulation.tasks.len()];
    let base = tested.test(&scheduled_tasks(formulation, &software).tasks(), effort).ok();
    let known = tested.schedulable_point(effort);
    let capacity = formulation.capacity();
    let smallest =
        effort.share(effort.half(), |half| smallest_area(formulation, capacity, known.as_deref(), half));
    let within = |choices: &[Option<u32>]| {
        let area = area_of(formulation, choices);
        front.claim().weights.partition_point(|&other| other < area)
    };
    let enough = smallest.best.as_deref().map_or(count, within);
    let from = if smallest.undecided.is_some() { fitting } else { enough };
    let mut points = vec![Some(false); from];
    points.extend(tested.test_all(from..count, effort));
    let passing = points.iter().position(|passes| *passes == Some(true));
    let each_within = from_until(count, from..enough.min(passing.unwrap_or(count)));
    FrontVerdicts { base, points, each_within, minimal: Vec::new(), smallest: found(smallest) }
}

/// As [`judge`], for a set with several resources.
fn judge_costs(front: &DesignFront, effort: &mut Effort) -> FrontVerdicts {
    let formulation = front.formulation();
    let tested = Tested::new(front, front.len());
    let (base, points, each_within, minimal) = if decided_by_utilization(formulation) {
        let points: Vec<Option<bool>> = front.iter().map(|point| Some(point.fits())).collect();
        let minimal = least_of(front, &points).into_iter().map(|at| tested.choices(at..at + 1)).collect();
        let base = Some(formulation.base_demand <= formulation.hyperperiod);
        // A point has the least utilization within its cost.
        (base, points.clone(), points, Minimal { designs: minimal, undecided: None })
    } else {
        let software = vec![None; formulation.tasks.len()];
        let base = tested.test(&scheduled_tasks(formulation, &software).tasks(), effort).ok();
        let known = tested.schedulable_point(effort).into_iter().collect();
        let found = effort.share(effort.half(), |half| minimal_designs(formulation, known, half));
        let points = tested.test_all(0..front.len(), effort);
        let (each_within, minimal) = within_minimal(&tested, &points, found);
        (base, points, each_within, minimal)
    };
    let Minimal { designs, undecided } = minimal;
    let designs = designs.into_iter().filter_map(|choices| schedulable_design(formulation, choices));
    let minimal: Vec<ChosenDesign> = designs.collect();
    let smallest = Smallest::found(minimal.first().cloned(), undecided);
    FrontVerdicts { base, points, each_within, minimal, smallest }
}

/// For every point whether some design within its cost is schedulable, and the minimal designs: those found, and if the
/// search did not end, the schedulable points that it did not reach.
fn within_minimal(
    tested: &Tested,
    points: &[Option<bool>],
    Minimal { designs, undecided }: Minimal,
) -> (Vec<Option<bool>>, Minimal) {
    let (front, formulation) = (tested.front, tested.formulation);
    let mut known = Known::new(formulation);
    designs.iter().for_each(|choices| known.add(choices));
    if undecided.is_some() {
        for at in least_of(front, points) {
            known.add(&tested.choices(at..at + 1));
        }
    }
    let objectives = formulation.costs.objectives;
    let within = |(point, passes): (Point, &Option<bool>)| {
        let cost: Vec<u64> = (0..objectives).map(|dimension| point.amount(dimension)).collect();
        match undecided {
            // The point has the least utilization within its cost.
            _ if !point.fits() => Some(false),
            _ if *passes == Some(true) || known.has_within(&cost) => Some(true),
            Some(_) => None,
            None => Some(false),
        }
    };
    let each_within = front.iter().zip(points).map(within).collect();
    (each_within, Minimal { designs: known.designs(), undecided })
}

/// The schedulable points of which no other schedulable one costs no more of every objective.
fn least_of(front: &DesignFront, points: &[Option<bool>]) -> Vec<usize> {
    let passing: Vec<usize> = (0..points.len()).filter(|&at| points[at] == Some(true)).collect();
    let objectives = front.formulation().costs.objectives;
    let column = |dimension: usize| -> Vec<u64> {
        let points = passing.iter().filter_map(|&at| front.get(at));
        points.map(|point| point.amount(dimension)).collect()
    };
    let columns: Vec<Vec<u64>> = (0..objectives).map(column).collect();
    let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
    let keep = undominated(&columns, &vec![0; passing.len()]);
    passing.into_iter().zip(keep).filter_map(|(at, keep)| keep.then_some(at)).collect()
}

/// Points tested together.
const BLOCK: usize = 64;
/// Points tested together in a block that does not pass as a whole.
const PART: usize = 8;
/// Blocks computed concurrently; work beyond the step limit is wasted.
const WAVE: usize = 32;
/// The minimum step limit for a design that is tested together with others; larger task sets get more.
const QUICK_STEPS: u64 = 1 << 15;
/// Steps per task for such a design, enough for more than a hundred evaluations of the demand in machine integers.
const QUICK_STEPS_PER_TASK: u64 = 250;
/// Steps per pair of tasks under fixed priorities, where each task is tested against those of higher priority.
const QUICK_STEPS_PER_PAIR: u64 = 16;

/// Whether some design of at most the area of each point is schedulable, which is unknown for the `open` ones: for all before
/// them none is, for all after them some is.
pub fn from_until(count: usize, open: Range<usize>) -> Vec<Option<bool>> {
    (0..count).map(|at| Some(at >= open.end).filter(|_| !open.contains(&at))).collect()
}

/// Decides whether some design of at most `budget` area units is schedulable, and finds the smallest such design.
/// Choices are needed only for points up to the budget.
pub fn at_budget(front: &DesignFront, budget: u64, effort: &mut Effort) -> AtBudget {
    // The software-only design has area 0, so some point is within every budget.
    let within = front.claim().within(budget).max(1);
    let tested = Tested::new(front, within);
    let known = tested.schedulable_point(effort);
    let least = tested.choices(within - 1..within);
    verdict(front.formulation(), budget, &least, known.as_deref(), effort)
}

/// The points of a front to decide, and the data that all tests share.
pub(super) struct Tested<'a> {
    formulation: &'a Formulation,
    front: &'a DesignFront,
    analysis: Analysis<'a>,
    /// The number of points.
    count: usize,
    /// The first point with U <= 1; `count` if there is none.
    fitting: usize,
}

impl<'a> Tested<'a> {
    /// The first `count` points.
    pub(super) fn new(front: &'a DesignFront, count: usize) -> Self {
        let formulation = front.formulation();
        let fitting = front.iter().take(count).position(|point| point.fits()).unwrap_or(count);
        Self { formulation, front, analysis: Analysis::new(formulation), count, fitting }
    }

    /// All points with the WCETs of another formulation of the same tasks; `fitting` is their first with U <= 1.
    pub(super) fn longer(front: &'a DesignFront, formulation: &'a Formulation, fitting: usize) -> Self {
        Self { formulation, front, analysis: Analysis::new(formulation), count: front.len(), fitting }
    }

    /// The choices of some points, concatenated: one per task for each point.
    fn choices(&self, points: Range<usize>) -> Vec<Option<u32>> {
        let mut all = Vec::with_capacity(points.len() * self.formulation.tasks.len());
        let Ok(()) = self.front.each_chosen(points, |_, choices| {
            all.extend_from_slice(choices);
            Ok::<(), Infallible>(())
        });
        all
    }

    /// A schedulable point, found with few steps: tests the first point with U <= 1, then points at growing distance.
    pub(super) fn schedulable_point(&self, effort: &mut Effort) -> Option<Vec<Option<u32>>> {
        let ahead = (0..usize::BITS).map(|power| self.fitting.saturating_add((1 << power) - 1));
        let last = self.count.checked_sub(1).filter(|&last| last >= self.fitting);
        let points = ahead.take_while(|&at| Some(at) < last).chain(last);
        points.map(|at| self.choices(at..at + 1)).find(|choices| {
            let tasks = scheduled_tasks(self.formulation, choices);
            effort.share(self.quick_steps(), |quick| self.test(&tasks.tasks(), quick)) == Ok(true)
        })
    }

    fn test(&self, tasks: &[ScheduledTask], effort: &mut Effort) -> Result<bool, Undecided> {
        match self.analysis.test(tasks, effort) {
            Outcome::Passes => Ok(true),
            Outcome::Overload | Outcome::Fails(_) => Ok(false),
            Outcome::Undecided(why) => Err(why),
        }
    }

    /// Whether each of `points` passes the test; `None` if the steps run out.
    fn test_all(&self, points: Range<usize>, effort: &mut Effort) -> Vec<Option<bool>> {
        let mut passes = vec![None; points.len()];
        self.test_quickly(points.start, &mut passes, effort);
        for (at, passes) in passes.iter_mut().enumerate().rev().filter(|(_, passes)| passes.is_none()) {
            let at = points.start + at;
            let choices = self.choices(at..at + 1);
            match self.test(&scheduled_tasks(self.formulation, &choices).tasks(), effort) {
                Ok(decided) => *passes = Some(decided),
                Err(Undecided::DesignSteps(_) | Undecided::ResponseSteps(_)) => {}
                Err(Undecided::Steps(_)) => break,
            }
        }
        passes
    }

    /// Decides those points from `first` on that take few steps.
    fn test_quickly(&self, first: usize, passes: &mut [Option<bool>], effort: &mut Effort) {
        let mut at = first;
        for wave in passes.chunks_mut(BLOCK * WAVE) {
            let count = wave.len();
            let blocks = parallel::map(count.div_ceil(BLOCK), 1, |block| {
                let end = count.min((block + 1) * BLOCK);
                let mut steps = 0;
                let choices = self.choices(at + block * BLOCK..at + end);
                (self.test_together(&choices, BLOCK, &mut steps), steps)
            });
            for (block, (decided, steps)) in wave.chunks_mut(BLOCK).zip(blocks) {
                if effort.take(steps).is_err() {
                    return;
                }
                block.copy_from_slice(&decided);
            }
            at += count;
        }
    }

    /// Tests some designs, whose choices are concatenated in `choices`, at most `size` at once; adds up the steps.
    fn test_together(&self, choices: &[Option<u32>], size: usize, steps: &mut u64) -> Vec<Option<bool>> {
        let count = self.formulation.tasks.len();
        let allowed = self.quick_steps();
        let mut effort = Effort::new(Limits { steps: allowed, design_steps: allowed });
        let tasks = match choices.len() == count {
            true => scheduled_tasks(self.formulation, choices),
            false => self.longest(choices),
        };
        let passes = self.test(&tasks.tasks(), &mut effort).ok();
        *steps += effort.spent();
        if passes == Some(true) || choices.len() == count {
            return vec![passes; choices.len() / count];
        }
        let smaller = if size > PART { PART } else { 1 };
        let parts = choices.chunks(count * smaller);
        parts.flat_map(|choices| self.test_together(choices, smaller, steps)).collect()
    }

    fn quick_steps(&self) -> u64 {
        let tasks = self.formulation.tasks.len() as u64;
        QUICK_STEPS.max(match self.formulation.policy {
            Policy::Edf => QUICK_STEPS_PER_TASK * tasks,
            Policy::FixedPriority(_) => QUICK_STEPS_PER_PAIR * tasks * tasks,
        })
    }

    /// Each task with its longest WCET and its longest waits over some designs, whose choices are concatenated in `choices`.
    fn longest(&self, choices: &[Option<u32>]) -> WholeTasks<'a> {
        let designs = || choices.chunks(self.formulation.tasks.len());
        // At a lower clock waits are longer too.
        let slowest = designs().map(|choices| self.formulation.clock_number(choices)).max().unwrap_or(0);
        let slowest = modes(self.formulation).iter().flat_map(|mode| mode.tasks_at(slowest));
        let longer = |one: ScheduledTask<'a>, other: ScheduledTask<'a>| ScheduledTask {
            wcet: one.wcet.max(other.wcet),
            ..one
        };
        let longest = designs()
            .map(|choices| rows_of(self.formulation, choices))
            .reduce(|longest, tasks| longest.into_iter().zip(tasks).map(|(a, b)| longer(a, b)).collect());
        let with_waits = |(task, slowest): (ScheduledTask<'a>, &'a TimedTask)| {
            ScheduledTask::of(slowest, task.wcet, &slowest.locks.most)
        };
        let longest = longest.unwrap_or_default().into_iter().zip(slowest).map(with_waits);
        WholeTasks::of(longest.collect(), &self.formulation.tasks)
    }
}
