//! Which points of a front the scheduler can do, and the smallest schedulable area.
//!
//! Under EDF with every D_i >= P_i, U <= 1 decides; utilization falls along a front, so one point divides it. Else each
//! point's own design is put to the scheduler's test, and the smallest design is searched among all.
//!
//! In order, so that what is cheap is decided before the steps run out:
//!
//! 1. Points with U > 1 fail. A few tests among the others look for a schedulable point; the smallest schedulable
//!    design has no more area, which bounds the search for it. The search may take half of all steps.
//! 2. No point of less area than the smallest design is schedulable.
//! 3. The rest goes through the test in blocks of neighbors, in parallel, with few steps a design. First comes
//!    the design with each task's longest WCET in the block: if it passes, so do all points of the block, since
//!    the test is monotone in the WCETs. If not, smaller parts of it are tried in the same way, down to single points.
//! 4. What is left is tested one by one with the steps that remain, the least utilization first.
//!
//! The steps of 3 are counted in the order of the points: a block is decided if the sum up to it is still allowed,
//! whoever computed it and when. So the answer does not depend on the number of threads.

use super::design_test::{DesignTest, Outcome, decided_by_utilization};
use super::effort::{Effort, Limits, Undecided};
use super::task::{ScheduledTask, scheduled_tasks};
use super::verdict::{AtBudget, NotSchedulable, SmallestArea, Verdict, area_of, smallest_area, verdict};
use isx_parallel as parallel;
use isx_taskset::formulate::{Formulation, Policy};
use num_bigint::BigInt;
use std::ops::Range;

/// The points of a front, in order of area: area strictly rises and demand strictly falls.
pub trait Designs: Sync {
    /// How many there are, at least 1.
    fn count(&self) -> usize;
    /// The area of point `index`, in [`Formulation::area_unit`]s.
    fn area(&self, index: usize) -> u64;
    /// The demand of point `index` over a hyperperiod.
    fn demand(&self, index: usize) -> BigInt;
    /// The choices of some points: one a task of the first of them, then of the second, and so on.
    fn choices(&self, points: Range<usize>) -> Vec<Option<u32>>;
}

/// The verdicts on a front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdicts {
    /// Whether the design all in software is schedulable.
    pub base: Option<bool>,
    /// Whether each point's own design is schedulable; `None` where its test did not end.
    pub points: Vec<Option<bool>>,
    /// The points of which it is open whether any design of no more area is schedulable: before them none is, after
    /// them some is.
    pub open_within: Range<usize>,
    /// The smallest schedulable design.
    pub smallest: SmallestArea,
}

/// Points tested together.
const BLOCK: usize = 64;
/// Points tested together in a block that does not pass as a whole.
const PART: usize = 8;
/// Blocks computed at the same time; what they cost too much, where the steps end, is lost work.
const WAVE: usize = 32;
/// Steps for a design that is tested together with others, or more where that is little for its tasks.
const QUICK_STEPS: u64 = 1 << 15;
/// Steps a task for such a design, enough for more than a hundred evaluations of the demand in machine integers.
const QUICK_STEPS_A_TASK: u64 = 250;
/// The same for a pair of tasks under fixed priorities, where each task is tested against those above it.
const QUICK_STEPS_A_PAIR: u64 = 16;

/// Decides which points of a front are schedulable, and finds the smallest schedulable design within the problem's
/// capacity. Runs in the current thread pool.
#[must_use]
pub fn verdicts(formulation: &Formulation, designs: &impl Designs, effort: &mut Effort) -> Verdicts {
    let software = vec![None; formulation.tasks.len()];
    let base = scheduled_tasks(formulation, &software);
    let front = Front::new(formulation, designs, designs.count());
    if decided_by_utilization(formulation) {
        let points = (0..designs.count()).map(|at| Some(at >= front.fitting)).collect();
        let base = Some(formulation.base_demand <= formulation.hyperperiod);
        let open_within = front.fitting..front.fitting;
        return Verdicts { base, points, open_within, smallest: front.first_fitting() };
    }
    let base = front.test(&base, effort).ok();
    let known = front.schedulable_point(effort);
    let capacity = formulation.problem.capacity;
    let smallest =
        effort.share(effort.half(), |half| smallest_area(formulation, capacity, known.as_deref(), half));
    let count = designs.count();
    let within = |choices: &[Option<u32>]| {
        let area = area_of(formulation, choices);
        partition_point(count, |at| designs.area(at) < area)
    };
    let (from, enough) = match &smallest {
        SmallestArea::At { choices } => (within(choices), within(choices)),
        SmallestArea::None => (count, count),
        SmallestArea::Unknown { best, .. } => (front.fitting, best.as_deref().map_or(count, within)),
    };
    let mut points = vec![Some(false); from];
    points.extend(front.test_all(from..count, effort));
    let passing = points.iter().position(|passes| *passes == Some(true));
    let open_within = from..enough.min(passing.unwrap_or(count));
    Verdicts { base, points, open_within, smallest }
}

/// Decides whether some design of at most `budget` area units is schedulable, and finds the smallest that is. The
/// points of the front are needed up to the budget only.
#[must_use]
pub fn at_budget(
    formulation: &Formulation,
    designs: &impl Designs,
    budget: u64,
    effort: &mut Effort,
) -> AtBudget {
    // Software alone needs no area, so some point is within every budget.
    let within = partition_point(designs.count(), |at| designs.area(at) <= budget).max(1);
    let front = Front::new(formulation, designs, within);
    let least = front.choices(within - 1);
    if decided_by_utilization(formulation) {
        let smallest = front.first_fitting();
        let verdict = match smallest {
            SmallestArea::None => Verdict::NotSchedulable { reason: NotSchedulable::Overload },
            _ => Verdict::Schedulable { choices: least },
        };
        return AtBudget { verdict, smallest };
    }
    let known = front.schedulable_point(effort);
    verdict(formulation, budget, &least, known.as_deref(), effort)
}

/// The points of a front that are asked about, and what all questions need.
struct Front<'a, D> {
    formulation: &'a Formulation,
    designs: &'a D,
    design_test: DesignTest<'a>,
    /// The number of points.
    count: usize,
    /// The first point with U <= 1; `count` if there is none.
    fitting: usize,
}

impl<'a, D: Designs> Front<'a, D> {
    /// The first `count` points.
    fn new(formulation: &'a Formulation, designs: &'a D, count: usize) -> Self {
        let overloads = |at| designs.demand(at) > formulation.hyperperiod;
        Self {
            formulation,
            designs,
            design_test: DesignTest::new(formulation),
            count,
            fitting: partition_point(count, overloads),
        }
    }

    fn choices(&self, at: usize) -> Vec<Option<u32>> {
        self.designs.choices(at..at + 1)
    }

    /// The smallest schedulable design where U <= 1 decides.
    fn first_fitting(&self) -> SmallestArea {
        if self.fitting == self.count {
            return SmallestArea::None;
        }
        SmallestArea::At { choices: self.choices(self.fitting) }
    }

    /// A schedulable point, looked for with few steps: the first with U <= 1, then ever further from it.
    fn schedulable_point(&self, effort: &mut Effort) -> Option<Vec<Option<u32>>> {
        let ahead = (0..usize::BITS).map(|power| self.fitting.saturating_add((1 << power) - 1));
        let last = self.count.checked_sub(1).filter(|&last| last >= self.fitting);
        let points = ahead.take_while(|&at| Some(at) < last).chain(last);
        points.map(|at| self.choices(at)).find(|choices| {
            let tasks = scheduled_tasks(self.formulation, choices);
            effort.share(self.quick_steps(), |quick| self.test(&tasks, quick)) == Ok(true)
        })
    }

    fn test(&self, tasks: &[ScheduledTask], effort: &mut Effort) -> Result<bool, Undecided> {
        match self.design_test.test(tasks, effort) {
            Outcome::Passes => Ok(true),
            Outcome::Overload | Outcome::Fails(_) => Ok(false),
            Outcome::Undecided(why) => Err(why),
        }
    }

    /// Whether each of `points` passes the test; `None` where the steps do not reach.
    fn test_all(&self, points: Range<usize>, effort: &mut Effort) -> Vec<Option<bool>> {
        let mut passes = vec![None; points.len()];
        self.test_quickly(points.start, &mut passes, effort);
        for (at, passes) in passes.iter_mut().enumerate().rev().filter(|(_, passes)| passes.is_none()) {
            let choices = self.choices(points.start + at);
            match self.test(&scheduled_tasks(self.formulation, &choices), effort) {
                Ok(decided) => *passes = Some(decided),
                Err(Undecided::DesignSteps(_) | Undecided::ResponseSteps(_)) => {}
                Err(Undecided::Steps(_)) => break,
            }
        }
        passes
    }

    /// Decides the points from `first` on that take few steps.
    fn test_quickly(&self, first: usize, passes: &mut [Option<bool>], effort: &mut Effort) {
        let mut at = first;
        for wave in passes.chunks_mut(BLOCK * WAVE) {
            let count = wave.len();
            let blocks = parallel::map(count.div_ceil(BLOCK), 1, |block| {
                let end = count.min((block + 1) * BLOCK);
                self.test_block(at + block * BLOCK..at + end)
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

    /// Tests each of some neighboring points with few steps, and says how many it took.
    fn test_block(&self, points: Range<usize>) -> (Vec<Option<bool>>, u64) {
        let mut steps = 0;
        let passes = self.test_together(&self.designs.choices(points), BLOCK, &mut steps);
        (passes, steps)
    }

    /// Tests some designs, whose choices follow each other in `choices`, at most `size` at once; adds up the steps.
    fn test_together(&self, choices: &[Option<u32>], size: usize, steps: &mut u64) -> Vec<Option<bool>> {
        let count = self.formulation.tasks.len();
        let allowed = self.quick_steps();
        let mut effort = Effort::new(Limits { steps: allowed, design_steps: allowed });
        let passes = self.test(&self.longest(choices), &mut effort).ok();
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
            Policy::Edf => QUICK_STEPS_A_TASK * tasks,
            Policy::FixedPriority(_) => QUICK_STEPS_A_PAIR * tasks * tasks,
        })
    }

    /// Each task with its longest WCET in some designs, whose choices follow each other in `choices`.
    fn longest(&self, choices: &[Option<u32>]) -> Vec<ScheduledTask<'a>> {
        let mut designs = choices.chunks(self.formulation.tasks.len());
        let Some(first) = designs.next() else { return Vec::new() };
        let mut longest = scheduled_tasks(self.formulation, first);
        for design in designs {
            for (longest, task) in longest.iter_mut().zip(scheduled_tasks(self.formulation, design)) {
                if task.wcet > longest.wcet {
                    *longest = task;
                }
            }
        }
        longest
    }
}

/// The first of `count` indices for which `before` no longer holds; it holds up to there and nowhere after.
fn partition_point(count: usize, before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low.midpoint(high);
        if before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}
