//! Task sets whose choices share blocks, against all designs looked at one by one: the area of the union, one block a
//! slot, canonical choices, verdicts.

mod common;

use common::{PlainTask, Random, random_instance, task_set};
use isx::exploration::Exploration;
use isx::explore::{Options, check, explore};
use isx::machine::Machine;
use isx::quantity::Rational;
use isx::schedulability::{SmallestSchedulable, Verdict};
use isx::taskset::{Block, TaskSet};
use num_integer::Integer;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

/// A random set in whole units: the tasks, the blocks as (area, slot), and the blocks of every choice.
struct Shared {
    tasks: Vec<PlainTask>,
    blocks: Vec<(u64, Option<u64>)>,
    uses: Vec<Vec<Vec<u32>>>,
    hyperperiod: u64,
}

impl Shared {
    fn new(tasks: Vec<PlainTask>, random: &mut Random) -> Self {
        let count = random.within(0, 5u32);
        let block = |random: &mut Random| {
            let area = if random.one_in(5) { 0 } else { random.within(1, 15) };
            (area, random.one_in(3).then(|| random.within(0, 1)))
        };
        let blocks: Vec<_> = (0..count).map(|_| block(random)).collect();
        let share = random.within(2, 5);
        let mut used = || {
            // At most one block of a slot, as the reader demands of a choice.
            let mut slots = BTreeSet::new();
            let mut wanted: Vec<u32> = (0..count).filter(|_| random.one_in(share)).collect();
            wanted.retain(|&at| blocks[at as usize].1.is_none_or(|slot| slots.insert(slot)));
            wanted
        };
        let uses = tasks.iter().map(|task| task.choices.iter().map(|_| used()).collect()).collect();
        let hyperperiod = tasks.iter().fold(1, |lcm: u64, task| lcm.lcm(&task.period));
        Self { tasks, blocks, uses, hyperperiod }
    }

    fn task_set(&self) -> TaskSet {
        let mut set = task_set(&self.tasks, 1, 1);
        set.blocks = (0..)
            .zip(&self.blocks)
            .map(|(at, &(area, slot)): (u32, _)| {
                let block = Block::new(format!("b{at}"), area as i64);
                slot.map_or(block.clone(), |slot| block.in_slot(format!("s{slot}")))
            })
            .collect();
        for (task, uses) in set.tasks.iter_mut().zip(&self.uses) {
            for (choice, uses) in task.choices.iter_mut().zip(uses) {
                choice.uses.clone_from(uses);
            }
        }
        set.validate().unwrap();
        set
    }

    /// Every design that can be built, the canonical one first among equals.
    fn designs(&self) -> Vec<Design> {
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
        let (mut area, mut demand, mut built) = (0, 0, BTreeSet::new());
        let mut jobs = Vec::new();
        for ((task, uses), choice) in self.tasks.iter().zip(&self.uses).zip(&choices) {
            let mut wcet = task.wcet;
            if let Some(choice) = *choice {
                area += task.choices[choice as usize].0;
                wcet = task.choices[choice as usize].1;
                built.extend(uses[choice as usize].iter().copied());
            }
            demand += wcet * (self.hyperperiod / task.period);
            jobs.push((wcet, task.period, task.deadline));
        }
        area += built.iter().map(|&block| self.blocks[block as usize].0).sum::<u64>();
        let slots: Vec<u64> = built.iter().filter_map(|&block| self.blocks[block as usize].1).collect();
        let different: BTreeSet<_> = slots.iter().collect();
        let schedulable = demand <= self.hyperperiod && self.meets_all_deadlines(&jobs);
        (different.len() == slots.len()).then_some(Design { area, demand, choices, built, schedulable })
    }

    /// The demand by every deadline of a hyperperiod, all tasks released at once.
    fn meets_all_deadlines(&self, jobs: &[(u64, u64, u64)]) -> bool {
        if jobs.iter().all(|(_, period, deadline)| deadline >= period) {
            return true;
        }
        let due = |&(wcet, period, deadline): &(u64, u64, u64), time: u64| {
            time.checked_sub(deadline).map_or(0, |rest| (rest / period + 1) * wcet)
        };
        (1..=self.hyperperiod).all(|time| jobs.iter().map(|job| due(job, time)).sum::<u64>() <= time)
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Design {
    area: u64,
    demand: u64,
    choices: Vec<Option<u32>>,
    built: BTreeSet<u32>,
    schedulable: bool,
}

fn front_of(mut designs: Vec<Design>) -> Vec<Design> {
    designs.sort_by_key(|design| (design.area, design.demand));
    let mut front: Vec<Design> = Vec::new();
    for design in designs {
        if front.last().is_none_or(|last| design.demand < last.demand) {
            front.push(design);
        }
    }
    front
}

fn whole(value: &Rational) -> u64 {
    assert!(value.is_integer());
    u64::try_from(value.to_integer()).unwrap()
}

/// A point as (area, demand, choices, blocks).
type Point = (u64, u64, Vec<Option<u32>>, Vec<u32>);

fn points(explored: &Exploration, hyperperiod: u64) -> Vec<Point> {
    let point = |point: isx::front::Point| {
        let choices = point.choices().unwrap();
        let demand = whole(&(point.utilization() * Rational::from_integer(hyperperiod.into())));
        let blocks = explored.front.formulation().blocks(&choices).unwrap();
        (whole(&point.area()), demand, choices, blocks)
    };
    explored.front.iter().map(point).collect()
}

fn options() -> Options<'static> {
    Options { machine: Machine::default().with_threads(1), ..Options::default() }
}

fn cases(unless_set: u64) -> u64 {
    std::env::var("ISX_CASES").map_or(unless_set, |cases| cases.parse().unwrap())
}

#[test]
fn points_choices_blocks_and_verdicts_are_those_of_brute_force() {
    let cases = cases(100_000);
    let (at_one, shared) = (AtomicU64::new(0), AtomicU64::new(0));
    (0..cases).into_par_iter().for_each(|seed| {
        let mut random = Random(seed);
        let mut tasks = random_instance(&mut random).tasks;
        tasks.truncate(5);
        let set = Shared::new(tasks, &mut random);
        let designs = set.designs();
        let front = front_of(designs.clone());
        let explored = explore(&set.task_set(), &options()).unwrap();
        let wanted: Vec<_> = front
            .iter()
            .map(|d| (d.area, d.demand, d.choices.clone(), d.built.iter().copied().collect::<Vec<u32>>()))
            .collect();
        assert_eq!(points(&explored, set.hyperperiod), wanted, "seed {seed}");
        assert!(explored.front.is_complete(), "seed {seed}");
        let fits: Vec<Option<bool>> = front.iter().map(|d| Some(d.demand <= set.hyperperiod)).collect();
        assert_eq!(explored.verdicts.points, fits, "seed {seed}");
        at_one.fetch_add(u64::from(front.iter().any(|d| d.demand == set.hyperperiod)), Ordering::Relaxed);
        let is_shared = front.iter().any(|d| {
            let users = |block| {
                let uses = |(task, choice): (usize, &Option<u32>)| {
                    choice.is_some_and(|choice| set.uses[task][choice as usize].contains(block))
                };
                d.choices.iter().enumerate().filter(|&(task, choice)| uses((task, choice))).count()
            };
            d.built.iter().any(|block| users(block) > 1)
        });
        shared.fetch_add(u64::from(is_shared), Ordering::Relaxed);
    });
    let (at_one, shared) = (at_one.into_inner(), shared.into_inner());
    println!(
        "{cases} sets, {at_one} with a point of utilization 1, {shared} with a block that two tasks use"
    );
    assert!(at_one >= cases / 10 && shared >= cases / 5, "{at_one} {shared}");
}

#[test]
fn with_short_deadlines_the_smallest_schedulable_design_and_the_verdict_at_a_budget_are_brute_forces() {
    let cases = cases(20_000);
    let decided = AtomicU64::new(0);
    (0..cases).into_par_iter().for_each(|seed| {
        let mut random = Random(seed ^ 0xdead);
        let periods = [2u64, 3, 4, 5, 6, 10, 12];
        let task = |random: &mut Random| {
            let period = random.pick(&periods);
            let wcet = random.within(1, period);
            let choices = (0..random.within(0, 3u32)).map(|_| (random.within(0, 9), random.within(1, wcet)));
            let choices = choices.collect();
            PlainTask { wcet, period, deadline: random.within(1, period + 1), choices }
        };
        let tasks = (0..random.within(1, 4u32)).map(|_| task(&mut random)).collect();
        let set = Shared::new(tasks, &mut random);
        let designs = set.designs();
        // Of the least area the one of least utilization; the sort is stable, so the canonical one of these.
        let mut passing: Vec<&Design> = designs.iter().filter(|design| design.schedulable).collect();
        passing.sort_by_key(|design| (design.area, design.demand));
        let task_set = set.task_set();
        let explored = explore(&task_set, &options()).unwrap();
        let found = match &explored.verdicts.smallest {
            SmallestSchedulable::At(chosen) => Some(chosen.choices.clone()),
            SmallestSchedulable::None => None,
            SmallestSchedulable::Unknown(why) => panic!("decidable: {why}"),
        };
        assert_eq!(found, passing.first().map(|design| design.choices.clone()), "seed {seed}");
        let budget = random.within(0, 30u64);
        let verdict = check(&task_set, &Rational::from_integer(budget.into()), &options()).unwrap();
        let passes = passing.first().is_some_and(|design| design.area <= budget);
        match &verdict.verdict {
            Verdict::Schedulable { choices } => {
                let shown = designs.iter().find(|design| design.choices == *choices).unwrap();
                assert!(passes && shown.schedulable && shown.area <= budget, "seed {seed}");
            }
            Verdict::NotSchedulable { .. } => assert!(!passes, "seed {seed}"),
            Verdict::Unknown { .. } => panic!("decidable"),
        }
        let least = designs.iter().filter(|d| d.area <= budget).min_by_key(|d| (d.demand, d.area)).unwrap();
        assert_eq!(whole(&verdict.least.design.area), least.area, "seed {seed}");
        decided.fetch_add(u64::from(passes), Ordering::Relaxed);
    });
    let decided = decided.into_inner();
    assert!(decided > cases / 10 && decided < cases, "{decided} of {cases} pass");
}

#[test]
fn a_budget_cuts_the_front_and_nothing_else() {
    for seed in 0..cases(5_000) {
        let mut random = Random(seed ^ 0xb0d6e7);
        let mut tasks = random_instance(&mut random).tasks;
        tasks.truncate(4);
        let set = Shared::new(tasks, &mut random);
        let front = front_of(set.designs());
        let budget = random.within(0, 40u64);
        let max_area = Some(Rational::from_integer(budget.into()));
        let explored = explore(&set.task_set(), &Options { max_area, ..options() }).unwrap();
        let within: Vec<_> = front.iter().filter(|design| design.area <= budget).collect();
        let found: Vec<_> = points(&explored, set.hyperperiod).into_iter().map(|point| point.2).collect();
        assert_eq!(
            found,
            within.iter().map(|design| design.choices.clone()).collect::<Vec<_>>(),
            "seed {seed}"
        );
        // A front that says it is complete is; one that lacks a point does not.
        if explored.front.is_complete() {
            assert_eq!(within.len(), front.len(), "seed {seed}");
        }
    }
}

#[test]
fn what_one_task_alone_uses_costs_as_its_own_area_does() {
    for seed in 0..2_000 {
        let mut random = Random(seed ^ 0x0b10c);
        let tasks = random_instance(&mut random).tasks;
        let plain = explore(&task_set(&tasks, 1, 1), &options()).unwrap();
        let mut set = task_set(&tasks, 1, 1);
        for task in &mut set.tasks {
            for choice in &mut task.choices {
                let area = std::mem::take(&mut choice.area);
                choice.uses = vec![set.blocks.len() as u32];
                set.blocks.push(Block { area, ..Block::new(format!("of {} {}", task.name, choice.name), 0) });
            }
        }
        let blocks = explore(&set, &options()).unwrap();
        let points = |explored: &Exploration| -> Vec<_> {
            explored
                .front
                .iter()
                .map(|point| (point.area(), Reverse(point.utilization()), point.choices()))
                .collect()
        };
        assert_eq!(points(&blocks), points(&plain), "seed {seed}");
        assert_eq!(blocks.front.account().engine, plain.front.account().engine);
    }
}
