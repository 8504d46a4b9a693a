//! A small task set drawn from the bytes, with blocks, slots, clocks, deadlines and any scheduler: its front, its
//! verdicts and its JSON are compared with brute force over all designs.

use super::bytes::Bytes;
use super::machine;
use crate::common::PlainTask;
use crate::common::designs::{
    Design, PlainBlock, Shared, front_of, points, schedulable, smallest_found, wanted, whole,
};
use isx::engine::Choice;
use isx::engine::mckp::ENGINES;
use isx::exploration::Exploration;
use isx::explore::{Options, check as check_budget, explore};
use isx::quantity::Rational;
use isx::report::compare::Side;
use isx::report::front::Front;
use isx::report::json;
use isx::report::plot::PlotData;
use isx::report::svg;
use isx::schedulability::Verdict;
use isx::taskset::{Scheduler, TaskSet};
use num_integer::Integer;
use std::collections::BTreeSet;

/// Their least common multiple is 60.
const PERIODS: [u64; 9] = [2, 3, 4, 5, 6, 10, 12, 15, 20];

pub fn check(data: &[u8]) {
    let bytes = &mut Bytes(data);
    let scheduler = bytes.pick(&Scheduler::ALL);
    let shared = drawn(bytes);
    let priorities: Vec<u32> = shared.tasks.iter().map(|_| bytes.within(1, 3) as u32).collect();
    let set = task_set(&shared, scheduler, &priorities);
    let mut designs = shared.designs();
    if scheduler != Scheduler::Edf {
        let order = order(&shared, scheduler, &priorities);
        for design in &mut designs {
            design.schedulable = responds_in_time(&shared, design, &order);
        }
    }
    let explored = explore(&set, &options()).unwrap();
    let front = front_of(designs.clone());
    assert_eq!(points(&explored, shared.full()), wanted(&front));
    assert!(explored.front.is_complete());
    let passing = schedulable(&designs);
    for ((_, shown), point) in explored.designs().zip(&front) {
        let within = passing.first().is_some_and(|least| least.area <= point.area);
        assert_eq!((shown.schedulable, shown.schedulable_within), (Some(point.schedulable), Some(within)));
    }
    assert_eq!(smallest_found(&explored), passing.first().map(|design| design.choices.clone()));
    decide(&set, bytes.within(0, 60), &designs, &passing);
    read_again(&explored);
    if shared.blocks.is_empty() {
        let engine = bytes.pick(&["list", "reference", "dense"]);
        let engine = Choice::Named(ENGINES.named(engine).unwrap());
        let other = explore(&set, &Options { engine, ..options() }).unwrap();
        assert_eq!(points(&other, shared.full()), wanted(&front));
    }
}

fn options() -> Options<'static> {
    Options { machine: machine(), ..Options::default() }
}

fn drawn(bytes: &mut Bytes<'_>) -> Shared {
    // Deadlines are implicit, up to the period, or up to a little beyond it.
    let beyond = bytes.pick(&[None, Some(0), Some(2)]);
    let task = |bytes: &mut Bytes<'_>| {
        let period = bytes.pick(&PERIODS);
        let wcet = bytes.within(1, period);
        let deadline = beyond.map_or(period, |beyond| bytes.within(1, period + beyond));
        let choice = |bytes: &mut Bytes<'_>| (bytes.within(0, 12), bytes.within(1, wcet + 1));
        let choices = (0..bytes.within(0, 3)).map(|_| choice(bytes)).collect();
        PlainTask { wcet, period, deadline, choices }
    };
    let tasks: Vec<PlainTask> = (0..bytes.within(1, 4)).map(|_| task(bytes)).collect();
    let clock = bytes.one_in(3).then_some(12);
    let block = |bytes: &mut Bytes<'_>| PlainBlock {
        area: bytes.within(0, 15),
        slot: bytes.one_in(3).then(|| bytes.within(0, 1)),
        fmax: clock.filter(|_| bytes.one_in(2)).map(|_| bytes.pick(&[6, 8, 9, 10, 12, 13])),
    };
    let blocks: Vec<PlainBlock> = (0..bytes.within(0, 4)).map(|_| block(bytes)).collect();
    let mut used = || {
        let bits = bytes.next();
        let mut slots = BTreeSet::new();
        let mut used: Vec<u32> = (0..blocks.len() as u32).filter(|at| bits >> at & 1 == 1).collect();
        // At most one block per slot, as required of a choice.
        used.retain(|&at| blocks[at as usize].slot.is_none_or(|slot| slots.insert(slot)));
        used
    };
    let uses = tasks.iter().map(|task| task.choices.iter().map(|_| used()).collect()).collect();
    let hyperperiod = tasks.iter().fold(1, |lcm: u64, task| lcm.lcm(&task.period));
    let limits = blocks.iter().filter_map(|block| block.fmax);
    let parts = clock.map_or(1, |clock| limits.fold(clock, |lcm, fmax| lcm.lcm(&fmax)));
    Shared { tasks, blocks, uses, hyperperiod, clock, fmax: None, parts }
}

fn task_set(shared: &Shared, scheduler: Scheduler, priorities: &[u32]) -> TaskSet {
    let mut set = shared.task_set();
    set.scheduler = scheduler;
    if scheduler == Scheduler::FixedPriority {
        for (task, &priority) in set.tasks.iter_mut().zip(priorities) {
            task.priority = Some(priority);
        }
    }
    set.validate().unwrap();
    set
}

/// The tasks from the highest priority to the lowest, equal ones in file order.
fn order(shared: &Shared, scheduler: Scheduler, priorities: &[u32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..shared.tasks.len()).collect();
    order.sort_by_key(|&at| match scheduler {
        Scheduler::RateMonotonic => shared.tasks[at].period,
        Scheduler::DeadlineMonotonic => shared.tasks[at].deadline,
        _ => priorities[at].into(),
    });
    order
}

/// Whether every job of the busy period that begins with all tasks released at once finishes by its deadline,
/// simulated in fractions of a time unit.
fn responds_in_time(shared: &Shared, design: &Design, order: &[usize]) -> bool {
    if design.demand > shared.full() {
        return false;
    }
    let cycle = shared.parts * shared.clock.unwrap_or(1) / design.clock.unwrap_or(1);
    let jobs: Vec<(u64, u64, u64)> = order
        .iter()
        .map(|&at| {
            let task = &shared.tasks[at];
            let wcet = design.choices[at].map_or(task.wcet, |choice| task.choices[choice as usize].1);
            (wcet * cycle, task.period * shared.parts, task.deadline * shared.parts)
        })
        .collect();
    jobs.iter().enumerate().all(|(rank, job)| every_job_in_time(*job, &jobs[..rank]))
}

/// As [`responds_in_time`], for one task below those of `higher`; each is WCET, period and deadline.
fn every_job_in_time((wcet, period, deadline): (u64, u64, u64), higher: &[(u64, u64, u64)]) -> bool {
    let mut done = 0;
    for job in 1.. {
        loop {
            let load = |&(wcet, period, _): &(u64, u64, u64)| u64::div_ceil(done, period).max(1) * wcet;
            let needed = job * wcet + higher.iter().map(load).sum::<u64>();
            if needed <= done {
                break;
            }
            done = needed;
        }
        if done > (job - 1) * period + deadline {
            return false;
        }
        if done <= job * period {
            break;
        }
    }
    true
}

/// The verdict within a budget, and the design shown for it.
fn decide(set: &TaskSet, budget: u64, designs: &[Design], passing: &[&Design]) {
    let verdict = check_budget(set, &Rational::from_integer(budget.into()), &options()).unwrap();
    let passes = passing.first().is_some_and(|design| design.area <= budget);
    match &verdict.verdict {
        Verdict::Schedulable { choices } => {
            let shown = designs.iter().find(|design| design.choices == *choices).unwrap();
            assert!(passes && shown.schedulable && shown.area <= budget);
        }
        Verdict::NotSchedulable { .. } => assert!(!passes),
        Verdict::Unknown { .. } => panic!("decidable"),
    }
    let within = designs.iter().filter(|design| design.area <= budget);
    let least = within.min_by_key(|design| (design.demand, design.area)).unwrap();
    assert_eq!(whole(verdict.least.design.area()), least.area);
}

/// Both readers of the JSON return what was written.
fn read_again(explored: &Exploration) {
    let mut text = Vec::new();
    let front = Front::of(explored);
    json::write(&front, machine().workers(), &mut text).unwrap();
    // A document names only the choices and blocks that its points take.
    let picture =
        |data: Result<PlotData, _>| svg::draw_any(&data.unwrap(), &svg::Options::default()).unwrap();
    assert_eq!(picture(PlotData::from_written(text.as_slice())), picture(PlotData::new(&front)));
    let side = Side::from_written(String::new(), text.as_slice()).unwrap();
    let steps: Vec<_> = explored.front.iter().map(|point| (point.area(), point.utilization())).collect();
    assert_eq!(side.steps, steps);
}
