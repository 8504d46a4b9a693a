//! The demand test compared with the exhaustive one.

use crate::judge::{self, Task};
use crate::random::{Load, Random, task_set};
use isx::schedulability::{Failure, Outcome, ScheduledTask, Undecided, demand_test};
use num_bigint::BigInt;
use std::collections::BTreeMap;

const STEPS: u64 = 10_000_000;

/// The library's test of `tasks` with every time multiplied by `scale`; a failing time must fail.
fn test_scaled(tasks: &[Task], scale: &BigInt) -> Outcome {
    let times: Vec<[BigInt; 3]> = tasks
        .iter()
        .map(|&(wcet, period, deadline)| [wcet, period, deadline].map(|time| time * scale))
        .collect();
    let demand = demand_test(&edf(&times), STEPS);
    if let Outcome::Fails(Failure::Demand { time, demand }) = &demand {
        let jobs = |[wcet, period, deadline]: &[BigInt; 3]| {
            if time < deadline { BigInt::ZERO } else { ((time - deadline) / period + 1) * wcet }
        };
        assert_eq!(*demand, times.iter().map(jobs).sum());
        assert!(demand > time, "{tasks:?}");
    }
    demand
}

fn test(tasks: &[Task]) -> Outcome {
    test_scaled(tasks, &BigInt::from(1))
}

fn edf(times: &[[BigInt; 3]]) -> Vec<ScheduledTask<'_>> {
    times
        .iter()
        .map(|[wcet, period, deadline]| ScheduledTask { wcet, period, deadline, kernel: None, locks: &[] })
        .collect()
}

fn is_constrained(tasks: &[Task]) -> bool {
    tasks.iter().any(|&(_, period, deadline)| deadline < period)
}

#[test]
fn demand_test_agrees_with_the_exhaustive_one() {
    let mut random = Random(1);
    let mut counts: BTreeMap<(&str, bool, bool), u32> = BTreeMap::new();
    let mut mixed = 0;
    for round in 0..100_000 {
        let (name, wanted) = match round % 10 {
            0..=2 => ("U = 1", Load::Full(0)),
            3 => ("U = 1 - 1/H", Load::Full(-1)),
            4 => ("U = 1 + 1/H", Load::Full(1)),
            _ => ("any U", Load::Any),
        };
        let tasks = task_set(&mut random, wanted);
        let passes = judge::meets_demand(&tasks);
        match test(&tasks) {
            Outcome::Passes => assert!(passes, "{tasks:?}"),
            Outcome::Fails(_) => {
                assert!(!passes && judge::load(&tasks) <= judge::hyperperiod(&tasks), "{tasks:?}")
            }
            Outcome::Overload => assert!(judge::load(&tasks) > judge::hyperperiod(&tasks), "{tasks:?}"),
            Outcome::Undecided(why) => panic!("{why}: {tasks:?}"),
        }
        *counts.entry((name, is_constrained(&tasks), passes)).or_default() += 1;
        let kinds = |kind: fn(&Task) -> bool| tasks.iter().any(kind);
        mixed += u32::from(kinds(|t| t.2 < t.1) && kinds(|t| t.2 == t.1) && kinds(|t| t.2 > t.1));
    }
    println!("{counts:#?} mixed {mixed}");
    let at_least = |name, constrained, passes, least| {
        let count = counts.get(&(name, constrained, passes)).copied().unwrap_or(0);
        assert!(count >= least, "{name}, constrained {constrained}, passes {passes}: {count} < {least}");
    };
    for (name, least) in [("U = 1", 1000), ("U = 1 - 1/H", 400), ("any U", 5000)] {
        at_least(name, true, true, least);
        at_least(name, true, false, least);
        at_least(name, false, true, least);
    }
    at_least("U = 1 + 1/H", true, false, 5000);
    at_least("U = 1 + 1/H", false, false, 400);
    assert!(mixed >= 10_000, "{mixed}");
}

#[test]
fn scaling_time_scales_the_answer_in_every_width() {
    let mut random = Random(3);
    let (mut passes, mut fails) = (0, 0);
    for round in 0..3_000 {
        let tasks = task_set(&mut random, [Load::Any, Load::Full(0), Load::Full(-1)][round % 3]);
        let small = test(&tasks);
        // Sums that exceed 2^63 and 2^127 slightly although the times do not, then by much.
        let (h, one) = (judge::hyperperiod(&tasks), BigInt::from(1));
        let edges = [63, 127].map(|bits| ((&one << bits) - 1u32) / h);
        let far = [15, 33, 60].map(|digits| BigInt::from(10).pow(digits));
        for scale in edges.into_iter().chain(far) {
            let wanted = match &small {
                Outcome::Fails(Failure::Demand { time, demand }) => {
                    Outcome::Fails(Failure::Demand { time: time * &scale, demand: demand * &scale })
                }
                other => other.clone(),
            };
            assert_eq!(test_scaled(&tasks, &scale), wanted, "{tasks:?}");
        }
        passes += u32::from(small == Outcome::Passes);
        fails += u32::from(matches!(small, Outcome::Fails(_)));
    }
    assert!(passes >= 500 && fails >= 500, "{passes} {fails}");
}

#[test]
fn sums_wider_than_the_times_are_summed_in_wider_integers() {
    // Every time and the bound of the test are below 2^63, but the first window asks for 10.45e18 > 2^63.
    let unit = 1_000_000_000_000_000;
    let tasks = [(4600 * unit, 9200 * unit, 8400 * unit), (2925 * unit, 6500 * unit, 6500 * unit)];
    let meets = judge::meets_demand_up_to(&tasks, 1 << 70);
    for bits in [0, 64, 128] {
        assert_eq!(test_scaled(&tasks, &(BigInt::from(1) << bits)) == Outcome::Passes, meets);
    }
}

#[test]
fn one_unit_in_a_quintillion_decides() {
    let mut random = Random(4);
    let (mut passes, mut fails, mut overloads) = (0, 0, 0);
    for _ in 0..2_000 {
        let scale = 1_000_000_000_000_000;
        let scaled = |time: i128| time * scale;
        let mut tasks: Vec<Task> = task_set(&mut random, Load::Full(0))
            .into_iter()
            .map(|(wcet, period, deadline)| (scaled(wcet), scaled(period), scaled(deadline)))
            .collect();
        let at = random.within(0, tasks.len() as i128 - 1) as usize;
        tasks[at].0 += 1;
        assert_eq!(test(&tasks), Outcome::Overload);
        overloads += 1;
        tasks[at].0 -= 2;
        let meets = judge::meets_demand(&tasks);
        assert_eq!(test(&tasks) == Outcome::Passes, meets, "{tasks:?}");
        *if meets { &mut passes } else { &mut fails } += 1;
    }
    assert!(passes >= 200 && fails >= 200 && overloads == 2000, "{passes} {fails}");
}

#[test]
fn periods_without_common_factors_need_no_hyperperiod() {
    let mut random = Random(5);
    let (mut passes, mut fails) = (0, 0);
    for _ in 0..3_000 {
        let count = random.within(2, 6);
        let tasks: Vec<Task> = (0..count)
            .map(|_| {
                let period = random.within(100_000_000_000_000, 1_000_000_000_000_000);
                let wcet = random.within(period / (2 * count), period / count);
                (wcet, period, random.within(wcet, period + period / 8))
            })
            .collect();
        // U <= 1 by construction; only the busy period is examined, since the hyperperiod exceeds 128 bits.
        let meets = judge::meets_demand_up_to(&tasks, 1 << 70);
        assert_eq!(test(&tasks) == Outcome::Passes, meets, "{tasks:?}");
        *if meets { &mut passes } else { &mut fails } += 1;
    }
    assert!(passes >= 500 && fails >= 500, "{passes} {fails}");
}

#[test]
fn limit_is_reported_and_never_decides() {
    let mut random = Random(6);
    let (mut undecided, mut decided) = (0, 0);
    for round in 0..3_000 {
        let tasks = task_set(&mut random, [Load::Any, Load::Full(0), Load::Full(-1)][round % 3]);
        let times: Vec<[BigInt; 3]> = tasks.iter().map(|&(e, p, d)| [e, p, d].map(BigInt::from)).collect();
        let steps = random.within(0, 300) as u64;
        match demand_test(&edf(&times), steps) {
            Outcome::Undecided(why) => {
                assert_eq!(why, Undecided::DesignSteps(steps));
                undecided += 1;
            }
            other => {
                assert_eq!(other == Outcome::Passes, judge::meets_demand(&tasks), "{tasks:?}");
                decided += 1;
            }
        }
    }
    assert!(undecided >= 500 && decided >= 500, "{undecided} {decided}");
}

#[test]
fn an_empty_set_passes() {
    assert_eq!(demand_test(&[], 0), Outcome::Passes);
}
