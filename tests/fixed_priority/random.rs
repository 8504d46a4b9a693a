//! Random task sets with every kind of deadline, equal priorities, and sometimes blocks and slots.

use crate::simulation::{Job, hyperperiod, meets_all_deadlines};
use isx::quantity::{Rational, ToRational};
use isx::taskset::{Block, Scheduler, Task, TaskSet, TimeBase};
use std::collections::{BTreeSet, HashMap};

pub use crate::numbers::Random;

/// A choice: own area, WCET, and the blocks it uses.
#[derive(Clone, Debug)]
pub struct PlainChoice {
    pub area: u64,
    pub wcet: u64,
    pub uses: Vec<u32>,
}

/// A set in integer units.
#[derive(Clone, Debug)]
pub struct Plain {
    pub scheduler: Scheduler,
    /// The tasks in software, with their explicit priorities.
    pub tasks: Vec<Job>,
    pub choices: Vec<Vec<PlainChoice>>,
    /// Area and slot.
    pub blocks: Vec<(u64, Option<u64>)>,
    /// For each block, the factor by which it slows down designs that build it.
    pub slowdowns: Vec<u64>,
    /// Under rate- and deadline-monotonic priorities the tasks have one of their own up to this.
    pub given: u64,
}

/// Above every priority of a task.
const PRIORITIES: u64 = 4;

/// The clock of a set whose blocks limit it, in hertz.
const CLOCK: i64 = 6;

/// A feasible design.
#[derive(Clone, Debug)]
pub struct Design {
    pub area: u64,
    pub demand: u64,
    pub choices: Vec<Option<u32>>,
    pub jobs: Vec<Job>,
    pub passes: bool,
}

const FIXED: [Scheduler; 3] =
    [Scheduler::RateMonotonic, Scheduler::DeadlineMonotonic, Scheduler::FixedPriority];

impl Plain {
    /// A set under fixed priorities.
    pub fn fixed(random: &mut Random) -> Self {
        let scheduler = random.pick(&FIXED);
        Self::new(scheduler, random)
    }

    pub fn new(scheduler: Scheduler, random: &mut Random) -> Self {
        let count = random.within(1, 4u64);
        let blocks: Vec<(u64, Option<u64>)> = match random.one_in(3) {
            false => Vec::new(),
            true => (0..random.within(1, 3u32))
                .map(|_| (random.within(0, 8), random.one_in(2).then(|| random.within(0, 1))))
                .collect(),
        };
        let tight = random.one_in(3);
        let tasks: Vec<Job> = (0..count).map(|at| job(random, count, tight && at % 2 == 0)).collect();
        let choices = tasks.iter().map(|task| choices(random, task, &blocks)).collect();
        let limits_clock = random.one_in(2);
        let slowdowns = blocks.iter().map(|_| if limits_clock { random.within(1, 3) } else { 1 }).collect();
        let given = random.within(0, 3);
        Self { scheduler, tasks, choices, blocks, slowdowns, given }
    }

    pub fn task_set(&self) -> TaskSet {
        let task = |(at, (job, choices)): (usize, (&Job, &Vec<PlainChoice>))| {
            let mut task = Task::new(format!("t{at}"), job.wcet, job.period).with_deadline(job.deadline);
            if self.is_given(job) {
                task = task.with_priority(job.priority as u32);
            }
            choices.iter().enumerate().fold(task, |task, (at, choice)| {
                task.with_choice_using(format!("c{at}"), choice.uses.clone(), choice.area, choice.wcet)
            })
        };
        let block = |(at, &(area, slot)): (usize, &(u64, Option<u64>))| {
            let mut block = Block::new(format!("b{at}"), area);
            block = slot.map_or(block.clone(), |slot| block.in_slot(format!("s{slot}")));
            match self.slowdowns[at] {
                1 => block,
                slowdown => block.with_fmax(Rational::new(CLOCK.into(), slowdown.into())),
            }
        };
        let tasks = self.tasks.iter().zip(&self.choices).enumerate().map(task);
        let blocks = self.blocks.iter().enumerate().map(block);
        let set =
            TaskSet::with_blocks("random", blocks, tasks).unwrap().with_scheduler(self.scheduler).unwrap();
        match self.limits_clock() {
            true => set.with_time_base(TimeBase::Cycles { hertz: CLOCK.to_rational() }).unwrap(),
            false => set,
        }
    }

    /// Whether the priority of a task is given.
    fn is_given(&self, task: &Job) -> bool {
        let is_needed = matches!(self.scheduler, Scheduler::FixedPriority | Scheduler::Edf);
        is_needed || task.priority <= self.given
    }

    /// Whether some block lowers the clock.
    pub fn limits_clock(&self) -> bool {
        self.slowdowns.iter().any(|&slowdown| slowdown > 1)
    }

    /// The slowdown factor of a design.
    pub fn slowdown(&self, choices: &[Option<u32>]) -> u64 {
        let taken = self.choices.iter().zip(choices);
        let taken = taken.filter_map(|(all, choice)| choice.map(|choice| &all[choice as usize]));
        let slowdowns = taken.flat_map(|choice| &choice.uses).map(|&block| self.slowdowns[block as usize]);
        slowdowns.max().unwrap_or(1)
    }

    /// The tasks of a design, with the priority that the scheduler uses.
    pub fn jobs(&self, choices: &[Option<u32>]) -> Vec<Job> {
        let slowdown = self.slowdown(choices);
        let job = |((job, all), choice): ((&Job, &Vec<PlainChoice>), &Option<u32>)| {
            let key = match self.scheduler {
                Scheduler::RateMonotonic => job.period,
                Scheduler::DeadlineMonotonic => job.deadline,
                Scheduler::FixedPriority | Scheduler::Edf => 0,
            };
            // Among equal periods or deadlines a task without a priority ties with all.
            let (highest, lowest) =
                if self.is_given(job) { (job.priority, job.priority) } else { (0, PRIORITIES - 1) };
            Job {
                wcet: slowdown * choice.map_or(job.wcet, |choice| all[choice as usize].wcet),
                priority: key * PRIORITIES + highest,
                lowest: key * PRIORITIES + lowest,
                ..*job
            }
        };
        self.tasks.iter().zip(&self.choices).zip(choices).map(job).collect()
    }

    /// Every feasible design, the canonical one first among equals; none occurs twice.
    pub fn designs(&self) -> Vec<Design> {
        let mut all: Vec<Vec<Option<u32>>> = vec![Vec::new()];
        for choices in self.choices.iter().rev() {
            // Built from the last task on: the list stays in canonical order.
            let options = || std::iter::once(None).chain((0..choices.len() as u32).map(Some));
            all = all
                .iter()
                .flat_map(|later| options().map(move |choice| [&[choice], later as &[_]].concat()))
                .collect();
        }
        let mut known = HashMap::new();
        all.into_iter().filter_map(|choices| self.design(choices, &mut known)).collect()
    }

    fn design(&self, choices: Vec<Option<u32>>, known: &mut HashMap<Vec<u64>, bool>) -> Option<Design> {
        let taken = self.choices.iter().zip(&choices);
        let taken: Vec<&PlainChoice> =
            taken.filter_map(|(all, choice)| choice.map(|choice| &all[choice as usize])).collect();
        let built: BTreeSet<u32> = taken.iter().flat_map(|choice| choice.uses.iter().copied()).collect();
        let slots: Vec<u64> = built.iter().filter_map(|&block| self.blocks[block as usize].1).collect();
        if slots.iter().collect::<BTreeSet<_>>().len() < slots.len() {
            return None;
        }
        let shared: u64 = built.iter().map(|&block| self.blocks[block as usize].0).sum();
        let area = shared + taken.iter().map(|choice| choice.area).sum::<u64>();
        let jobs = self.jobs(&choices);
        let h = hyperperiod(&jobs);
        let demand = jobs.iter().map(|job| job.wcet * (h / job.period)).sum();
        let wcets = jobs.iter().map(|job| job.wcet).collect();
        let passes = *known.entry(wcets).or_insert_with(|| demand <= h && meets_all_deadlines(&jobs));
        Some(Design { area, demand, choices, jobs, passes })
    }
}

/// An `urgent` task contributes little utilization and has a deadline far before its period, so that area spent on it
/// helps the deadline much and the utilization little.
fn job(random: &mut Random, count: u64, urgent: bool) -> Job {
    if urgent {
        let wcet = random.within(2, 6);
        let deadline = wcet + random.within(1, 6);
        return Job::new(wcet, random.pick(&[30, 40, 60]), deadline, random.within(1, 3));
    }
    let period = random.pick(&[4, 5, 6, 8, 10, 12, 15, 20, 24, 30, 40]);
    let wcet = random.within(1, (2 * period / count).clamp(1, period));
    let deadline = match random.within(0, 3u32) {
        0 => random.within(wcet.min(period), period),
        1 => period,
        2 => period + random.within(1, 4),
        _ => random.within(period, 3 * period),
    };
    // Few priorities, so that ties are common.
    Job::new(wcet, period, deadline, random.within(1, 3))
}

fn choices(random: &mut Random, task: &Job, blocks: &[(u64, Option<u64>)]) -> Vec<PlainChoice> {
    let mut choice = || {
        let mut slots = BTreeSet::new();
        let mut uses: Vec<u32> = (0..blocks.len() as u32).filter(|_| random.one_in(2)).collect();
        uses.retain(|&at| blocks[at as usize].1.is_none_or(|slot| slots.insert(slot)));
        // Rarely slower than software.
        let slowest = task.wcet + u64::from(random.one_in(6));
        PlainChoice { area: random.within(0, 7), wcet: random.within(1, slowest), uses }
    };
    let count = choice().area % 4;
    (0..count).map(|_| choice()).collect()
}
