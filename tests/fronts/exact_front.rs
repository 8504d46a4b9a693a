//! Numbers on which floats, 128 bits or tables fail.

use crate::common::{PlainTask, task_set};
use isx::engine::Choice;
use isx::engine::mckp::ENGINES;
use isx::exploration::Exploration;
use isx::explore::{Options, explore};
use isx::machine::Machine;
use isx::quantity::Rational;

fn by(engine: &str) -> Options<'static> {
    let engine = Choice::Named(ENGINES.named(engine).unwrap());
    Options { engine, ..Options::default() }
}

fn choices(explored: &Exploration, index: usize) -> Vec<Option<u32>> {
    explored.front.get(index).unwrap().choices().unwrap()
}

#[test]
fn float_traps_are_decided_exactly() {
    let schedulable = |pairs: &[(u64, u64)]| {
        let task =
            |&(wcet, period): &(u64, u64)| PlainTask { wcet, period, deadline: period, choices: vec![] };
        let tasks: Vec<PlainTask> = pairs.iter().map(task).collect();
        explore(&task_set(&tasks, 1, 1), &Options::default()).unwrap().verdicts.points[0]
    };
    assert_eq!(schedulable(&[(3, 5), (3, 10), (1, 10)]), Some(true));
    assert_eq!(schedulable(&[(94_444_451, 100_000_007), (5_555_555, 99_999_989)]), Some(false));
}

#[test]
fn a_hyperperiod_beyond_128_bits_is_exact() {
    let is_prime = |n: &u64| (2..*n).take_while(|d| d * d <= *n).all(|d| !u64::is_multiple_of(*n, d));
    let primes: Vec<u64> = (10_007..).filter(is_prime).take(40).collect();
    let task = |&period: &u64| PlainTask {
        wcet: period / 30,
        period,
        deadline: period,
        choices: vec![(period % 97 + 1, period / 40), (period % 89 + 60, period / 60)],
    };
    let tasks: Vec<PlainTask> = primes.iter().map(task).collect();
    let set = task_set(&tasks, 1, 1);
    let fronts: Vec<Exploration> =
        ["list", "reference"].iter().map(|&engine| explore(&set, &by(engine)).unwrap()).collect();
    assert!(fronts[0].front.formulation().hyperperiod.bits() > 128);
    assert_eq!(fronts[0].front.account().arithmetic.to_string(), "big");
    assert_eq!(fronts[0].front.len(), fronts[1].front.len());
    assert!(fronts[0].front.len() > 40);
    for index in 0..fronts[0].front.len() {
        assert_eq!(fronts[0].design(index), fronts[1].design(index));
        assert_eq!(choices(&fronts[0], index), choices(&fronts[1], index));
        // The utilization of the choices, summed as fractions instead of over the hyperperiod.
        let choices = choices(&fronts[0], index);
        let share = |(task, choice): (&PlainTask, &Option<u32>)| {
            let wcet = choice.map_or(task.wcet, |choice| task.choices[choice as usize].1);
            Rational::new(wcet.into(), task.period.into())
        };
        let sum: Rational = tasks.iter().zip(&choices).map(share).sum();
        assert_eq!(fronts[0].design(index).unwrap().utilization, sum);
    }
}

#[test]
fn fine_areas_beside_huge_ones_need_no_table() {
    let tasks = [
        PlainTask { wcet: 9, period: 10, deadline: 10, choices: vec![(1, 8), (1_234_567_891, 2)] },
        PlainTask { wcet: 9, period: 10, deadline: 10, choices: vec![(999_999_999_999, 1), (7, 7)] },
    ];
    let options = Options { machine: Machine::default().with_max_memory(1 << 20), ..Options::default() };
    let front = explore(&task_set(&tasks, 1, 1000), &options).unwrap();
    let areas: Vec<String> =
        front.front.iter().map(|point| isx::quantity::format_decimal(&point.area())).collect();
    let expected = ["0", "0.001", "0.007", "0.008", "1234567.891", "1234567.898", "1001234567.89"];
    assert_eq!(areas, expected);
}
