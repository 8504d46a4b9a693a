//! Brute force over all designs of a random task set with blocks: the area of the union, one block per slot, the
//! clock of the slowest block, canonical choices, deadlines by simulating the demand.

use super::{PlainTask, Random, task_set};
use isx::exploration::Exploration;
use isx::explore::{Options, explore};
use isx::machine::Machine;
use isx::machine::cpu::Workers;
use isx::quantity::Rational;
use isx::report::front::Front;
use isx::report::{csv, json};
use isx::schedulability::Smallest;
use isx::taskset::{Block, TaskSet, TimeBase};
use num_integer::Integer;
use std::collections::BTreeSet;

/// A block in whole units; `fmax` in hertz.
#[derive(Clone, Copy, Debug)]
pub struct PlainBlock {
    pub area: u64,
    pub slot: Option<u64>,
    pub fmax: Option<u64>,
}

/// A random set in whole units: the tasks, the blocks, and the blocks of every choice.
#[derive(Clone)]
pub struct Shared {
    pub tasks: Vec<PlainTask>,
    pub blocks: Vec<PlainBlock>,
    pub uses: Vec<Vec<Vec<u32>>>,
    pub hyperperiod: u64,
    /// The set's clock in hertz; if set, the times of the tasks are cycles.
    pub clock: Option<u64>,
    /// The maximum clock of the processor in hertz.
    pub fmax: Option<u64>,
    /// Demands are counted in fractions of a time unit, chosen so that they are integers at every clock.
    pub parts: u64,
}

impl Shared {
    /// Blocks for these tasks, none of which limits the clock.
    pub fn new(tasks: Vec<PlainTask>, random: &mut Random) -> Self {
        let count = random.within(0, 5u32);
        let block = |random: &mut Random| {
            let area = if random.one_in(5) { 0 } else { random.within(1, 15) };
            PlainBlock { area, slot: random.one_in(3).then(|| random.within(0, 1)), fmax: None }
        };
        let blocks: Vec<_> = (0..count).map(|_| block(random)).collect();
        let share = random.within(2, 5);
        let mut used = || {
            // At most one block per slot, as the reader requires of a choice.
            let mut slots = BTreeSet::new();
            let mut wanted: Vec<u32> = (0..count).filter(|_| random.one_in(share)).collect();
            wanted.retain(|&at| blocks[at as usize].slot.is_none_or(|slot| slots.insert(slot)));
            wanted
        };
        let uses = tasks.iter().map(|task| task.choices.iter().map(|_| used()).collect()).collect();
        let hyperperiod = hyperperiod(&tasks);
        Self { tasks, blocks, uses, hyperperiod, clock: None, fmax: None, parts: 1 }
    }

    /// As [`Shared::new`], with a clock of 12 Hz, which most blocks limit, some of them at 12 Hz or above.
    pub fn with_clocks(tasks: Vec<PlainTask>, random: &mut Random) -> Self {
        let mut set = Self::new(tasks, random);
        set.clock = Some(12);
        for block in &mut set.blocks {
            block.fmax = (!random.one_in(4)).then(|| random.pick(&[6, 8, 9, 10, 11, 12, 13]));
        }
        set.parts = set.blocks.iter().filter_map(|block| block.fmax).fold(12, |lcm, fmax| lcm.lcm(&fmax));
        set
    }

    /// The demand that corresponds to utilization 1.
    pub fn full(&self) -> u64 {
        self.hyperperiod * self.parts
    }

    /// Adds a task with which a point of the front has a utilization of exactly 1, if one is below 1; preferably a
    /// point with a lower clock.
    pub fn fill_to_one(&mut self, random: &mut Random) {
        let mut front = front_of(self.designs());
        if front.iter().any(|design| design.clock < self.clock) {
            front.retain(|design| design.clock < self.clock);
        }
        let design = &front[random.within(0, front.len() - 1)];
        let Some(left) = self.full().checked_sub(design.demand).filter(|&left| left > 0) else { return };
        // A cycle of this design takes this many parts; with this many hyperperiods the remainder is an integer
        // number of cycles.
        let cycle = self.parts * self.clock.unwrap_or(1) / design.clock.unwrap_or(1);
        let hyperperiods = cycle / cycle.gcd(&left);
        let period = self.hyperperiod * hyperperiods;
        let wcet = left * hyperperiods / cycle;
        self.tasks.push(PlainTask { wcet, period, deadline: period, choices: Vec::new() });
        self.uses.push(Vec::new());
        self.hyperperiod = period;
    }

    pub fn task_set(&self) -> TaskSet {
        let set = self.task_set_unchecked();
        set.validate().unwrap();
        set
    }

    /// The task set, for a caller who changes and validates it.
    pub fn task_set_unchecked(&self) -> TaskSet {
        let mut set = task_set(&self.tasks, 1, 1);
        if let Some(hertz) = self.clock {
            set.time_base = TimeBase::Cycles { hertz: Rational::from_integer(hertz.into()) };
        }
        set.blocks = (0..)
            .zip(&self.blocks)
            .map(|(at, block): (u32, _)| {
                let mut made = Block::new(format!("b{at}"), block.area as i64);
                made.slot = block.slot.map(|slot| format!("s{slot}"));
                made.fmax = block.fmax.map(|fmax| Rational::from_integer(fmax.into()));
                made
            })
            .collect();
        for (task, uses) in set.tasks.iter_mut().zip(&self.uses) {
            for (choice, uses) in task.choices.iter_mut().zip(uses) {
                choice.uses.clone_from(uses);
            }
        }
        set
    }

    /// Every feasible design, the canonical one first among equals.
    pub fn designs(&self) -> Vec<Design> {
        let mut all = vec![Vec::new()];
        for task in self.tasks.iter().rev() {
            // The last task's choice decides first.
            let options = || std::iter::once(None).chain((0..task.choices.len() as u32).map(Some));
            all = all
                .iter()
                .flat_map(|later| options().map(move |choice| [&[choice], later as &[_]].concat()))
                .collect();
        }
        all.sort_by_key(|choices: &Vec<Option<u32>>| choices.iter().rev().copied().collect::<Vec<_>>());
        all.into_iter().filter_map(|choices| self.design(choices)).collect()
    }

    fn design(&self, choices: Vec<Option<u32>>) -> Option<Design> {
        let (mut area, mut built, mut jobs) = (0, BTreeSet::new(), Vec::new());
        for ((task, uses), choice) in self.tasks.iter().zip(&self.uses).zip(&choices) {
            let mut cycles = task.wcet;
            if let Some(choice) = *choice {
                area += task.choices[choice as usize].0;
                cycles = task.choices[choice as usize].1;
                built.extend(uses[choice as usize].iter().copied());
            }
            jobs.push((cycles, task.period, task.deadline));
        }
        let blocks = || built.iter().map(|&block: &u32| self.blocks[block as usize]);
        area += blocks().map(|block| block.area).sum::<u64>();
        let slots: Vec<u64> = blocks().filter_map(|block| block.slot).collect();
        let different: BTreeSet<_> = slots.iter().collect();
        if different.len() < slots.len() {
            return None;
        }
        let clock = blocks().filter_map(|block| block.fmax).chain(self.clock).chain(self.fmax).min();
        let cycle = self.parts * self.clock.unwrap_or(1) / clock.unwrap_or(1);
        jobs.iter_mut().for_each(|(cycles, ..)| *cycles *= cycle);
        let demand = jobs.iter().map(|(wcet, period, _)| wcet * (self.hyperperiod / period)).sum();
        let schedulable = demand <= self.full() && self.meets_all_deadlines(&jobs);
        Some(Design { area, demand, choices, built, clock, schedulable })
    }

    /// The demand by every deadline of a hyperperiod, with all tasks released at once; WCETs in parts.
    fn meets_all_deadlines(&self, jobs: &[(u64, u64, u64)]) -> bool {
        if jobs.iter().all(|(_, period, deadline)| deadline >= period) {
            return true;
        }
        let due = |&(wcet, period, deadline): &(u64, u64, u64), time: u64| {
            time.checked_sub(deadline).map_or(0, |rest| (rest / period + 1) * wcet)
        };
        (1..=self.hyperperiod)
            .all(|time| jobs.iter().map(|job| due(job, time)).sum::<u64>() <= time * self.parts)
    }
}

fn hyperperiod(tasks: &[PlainTask]) -> u64 {
    tasks.iter().fold(1, |lcm: u64, task| lcm.lcm(&task.period))
}

#[derive(Clone, Debug, PartialEq)]
pub struct Design {
    pub area: u64,
    /// Over a hyperperiod, in parts.
    pub demand: u64,
    pub choices: Vec<Option<u32>>,
    pub built: BTreeSet<u32>,
    /// In hertz.
    pub clock: Option<u64>,
    pub schedulable: bool,
}

/// The undominated designs, of equals the first.
pub fn front_of(mut designs: Vec<Design>) -> Vec<Design> {
    designs.sort_by_key(|design| (design.area, design.demand));
    let mut front: Vec<Design> = Vec::new();
    for design in designs {
        if front.last().is_none_or(|last| design.demand < last.demand) {
            front.push(design);
        }
    }
    front
}

pub fn whole(value: &Rational) -> u64 {
    assert!(value.is_integer());
    u64::try_from(value.to_integer()).unwrap()
}

/// A point as (area, demand, choices, blocks).
pub type Point = (u64, u64, Vec<Option<u32>>, Vec<u32>);

/// The points of a front, given the demand of utilization 1.
pub fn points(explored: &Exploration, full: u64) -> Vec<Point> {
    let point = |point: isx::front::Point| {
        let choices = point.choices().unwrap();
        let demand = whole(&(point.utilization() * Rational::from_integer(full.into())));
        let blocks = explored.front.formulation().blocks(&choices).unwrap();
        (whole(&point.area()), demand, choices, blocks)
    };
    explored.front.iter().map(point).collect()
}

/// The points by brute force.
pub fn wanted(front: &[Design]) -> Vec<Point> {
    let blocks = |design: &Design| design.built.iter().copied().collect();
    front.iter().map(|d| (d.area, d.demand, d.choices.clone(), blocks(d))).collect()
}

pub fn options() -> Options<'static> {
    Options { machine: Machine::default().with_threads(1), ..Options::default() }
}

pub fn cases(unless_set: u64) -> u64 {
    std::env::var("ISX_CASES").map_or(unless_set, |cases| cases.parse().unwrap())
}

/// One to four tasks whose deadlines lie anywhere up to a little beyond their periods.
pub fn tasks_with_short_deadlines(random: &mut Random) -> Vec<PlainTask> {
    let task = |random: &mut Random| {
        let period = random.pick(&[2u64, 3, 4, 5, 6, 10, 12]);
        let wcet = random.within(1, period);
        let choices = (0..random.within(0, 3u32)).map(|_| (random.within(0, 9), random.within(1, wcet)));
        let choices = choices.collect();
        PlainTask { wcet, period, deadline: random.within(1, period + 1), choices }
    };
    (0..random.within(1, 4u32)).map(|_| task(random)).collect()
}

/// The designs that meet every deadline, the smallest first; of equal area, that of least utilization. The sort is
/// stable, so the canonical design is the first of equals.
pub fn schedulable(designs: &[Design]) -> Vec<&Design> {
    let mut schedulable: Vec<&Design> = designs.iter().filter(|design| design.schedulable).collect();
    schedulable.sort_by_key(|design| (design.area, design.demand));
    schedulable
}

/// The choices of the smallest schedulable design, which is known for every test here, since the sets are small.
pub fn smallest_found(explored: &Exploration) -> Option<Vec<Option<u32>>> {
    known(&explored.verdicts.smallest).map(|chosen| chosen.choices.clone())
}

/// What is smallest, if there is one; it must be known.
#[track_caller]
pub fn known<T>(smallest: &Smallest<T>) -> Option<&T> {
    match smallest {
        Smallest::At(found) => Some(found),
        Smallest::None => None,
        Smallest::Unknown(why) => panic!("decidable: {why}"),
    }
}

/// The front of a set as JSON and as CSV.
pub fn written(set: &TaskSet) -> (String, String) {
    let (explored, workers) = (explore(set, &options()).unwrap(), Workers::new(1));
    let (mut document, mut table) = (Vec::new(), Vec::new());
    let front = Front::of(&explored);
    json::write(&front, &workers, &mut document).unwrap();
    csv::write(&front, &workers, &mut table).unwrap();
    (String::from_utf8(document).unwrap(), String::from_utf8(table).unwrap())
}
