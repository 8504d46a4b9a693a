//! At most a few tasks exceed their WCETs at a time: compared with brute force over all designs and all sets of tasks that
//! overrun, with blocks, slots and clocks.

use crate::certified::{
    Judged, Summed, fronts_and_verdicts_are_proved, no_changed_certificate_proves_what_is_false,
};
use crate::common::designs::{Design, Shared, cases, options};
use crate::common::{Random, random_instance};
use isx::explore::explore;
use isx::quantity::Rational;
use isx::taskset::{TaskSet, WhatIf, read_str};
use num_traits::One;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// The high WCETs of a task, in software and with each choice.
type High = Vec<Option<u64>>;

fn fraction(numerator: u64, denominator: u64) -> Rational {
    Rational::new(numerator.into(), denominator.into())
}

fn high_wcets(shared: &Shared, random: &mut Random) -> Vec<High> {
    let mut high = |wcet: u64| (!random.one_in(4)).then(|| wcet + random.within(0, 6));
    let mut of_task = |task: &crate::common::PlainTask| {
        std::iter::once(task.wcet).chain(task.choices.iter().map(|choice| choice.1)).map(&mut high).collect()
    };
    shared.tasks.iter().map(&mut of_task).collect()
}

fn with_high(mut set: TaskSet, high: &[High]) -> TaskSet {
    let number = |wcet: Option<u64>| wcet.map(|wcet| Rational::from_integer(wcet.into()));
    for (task, high) in set.tasks.iter_mut().zip(high) {
        task.wcet_high = number(high[0]);
        for (choice, &high) in task.choices.iter_mut().zip(&high[1..]) {
            choice.wcet_high = number(high);
        }
    }
    set.validate().unwrap();
    set
}

/// The largest utilization of a design over all sets of at most `most` tasks that overrun.
fn utilization(shared: &Shared, high: &[High], most: u32, design: &Design) -> Rational {
    let slower = fraction(shared.clock.unwrap_or(1), design.clock.unwrap_or(1));
    let tasks = || shared.tasks.iter().zip(high).zip(&design.choices);
    let count = tasks().len();
    let worst = (0..1u32 << count).filter(|overrun| overrun.count_ones() <= most).map(|overrun| {
        let shares = tasks().enumerate().map(|(at, ((task, high), choice))| {
            let wcet = choice.map_or(task.wcet, |choice| task.choices[choice as usize].1);
            let high = high[choice.map_or(0, |choice| choice as usize + 1)].unwrap_or(wcet);
            fraction(if overrun >> at & 1 == 1 { high } else { wcet }, task.period)
        });
        shares.sum::<Rational>()
    });
    worst.max().unwrap() * slower
}

/// A set, its instance, its high WCETs and how many tasks overrun at a time; `None` if no task does.
fn instance(seed: u64) -> Option<(TaskSet, Shared, Vec<High>, u32)> {
    let random = &mut Random(seed ^ 0x0be5);
    let mut tasks = random_instance(random).tasks;
    tasks.truncate(5);
    let shared =
        if random.one_in(2) { Shared::with_clocks(tasks, random) } else { Shared::new(tasks, random) };
    let (high, most) = (high_wcets(&shared, random), random.within(0, 3u32));
    if high.iter().flatten().all(Option::is_none) {
        return None;
    }
    let mut what_if = WhatIf::default();
    what_if.overruns(most);
    let set = what_if.apply(&with_high(shared.task_set(), &high)).unwrap();
    Some((set, shared, high, most))
}

fn judged(seed: u64) -> Option<Judged> {
    let (set, shared, high, most) = instance(seed)?;
    let summed = |design: Design| {
        let utilization = utilization(&shared, &high, most, &design);
        Summed {
            area: Rational::from_integer(design.area.into()),
            passes: utilization <= Rational::one(),
            utilization,
            variant: 0,
            choices: design.choices,
        }
    };
    Some(Judged { set, designs: shared.designs().into_iter().map(summed).collect() })
}

#[test]
fn fronts_and_verdicts_with_overruns_are_proved() {
    fronts_and_verdicts_are_proved(judged);
}

#[test]
fn no_changed_certificate_with_overruns_proves_what_is_false() {
    no_changed_certificate_proves_what_is_false(judged);
}

fn compared(seed: u64, higher: &AtomicU64) {
    let Some(judged) = judged(seed) else { return };
    let explored = judged.compared(seed, true);
    let (base, software) = (explored.base(), &judged.designs[0]);
    let base = (base.utilization, base.schedulable);
    assert_eq!(base, (software.utilization.clone(), Some(software.passes)), "seed {seed}");
    let normal = explore(&TaskSet { overruns: None, ..judged.set }, &options()).unwrap();
    higher.fetch_add(u64::from(normal.front.len() != explored.front.len()), Ordering::Relaxed);
}

#[test]
fn fronts_with_overruns_are_those_of_every_set_of_tasks_that_overrun() {
    let (cases, higher) = (cases(2_000), AtomicU64::new(0));
    (0..cases).into_par_iter().for_each(|seed| compared(seed, &higher));
    let higher = higher.into_inner();
    println!("{cases} sets: {higher} with another number of points than without overruns");
    assert!(higher > cases / 10);
}

#[test]
fn overruns_are_refused_where_they_are_not_counted() {
    let refused = |head: &str, task: &str| {
        let text = format!("name: x\n{head}\ntasks: [{{name: a, wcet: 1, period: 9, {task}}}]\n");
        let mut what_if = WhatIf::default();
        what_if.overruns(1);
        what_if.apply(&read_str("x", &text).unwrap().task_set).unwrap_err().to_string()
    };
    assert_eq!(refused("", ""), "overruns need a `wcet_high` of some task or choice");
    let short = "overruns are computed under EDF with no deadline shorter than its period";
    assert_eq!(refused("", "wcet_high: 2, deadline: 8"), short);
    assert_eq!(refused("scheduler: rm", "wcet_high: 2"), short);
    let one = "overruns are computed for one processor in one mode";
    assert_eq!(refused("modes: [m]", "wcet_high: 2"), one);
    assert_eq!(refused("variants: [{name: v}]", "wcet_high: 2"), one);
    let priced = "overruns are computed for one area: price the resources";
    assert_eq!(refused("resources: [LUT, DSP]", "wcet_high: 2"), priced);
}
