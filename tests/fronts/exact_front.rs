//! The front against brute force over all configurations.

use crate::common::{Instance, PlainTask, Random, random_instance, task_set};
use isx::engine::Choice;
use isx::engine::mckp::ENGINES;
use isx::exploration::Exploration;
use isx::explore::{Options, explore};
use isx::machine::Machine;
use isx::quantity::Rational;
use isx::schedulability::SmallestSchedulable;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

fn by(engine: &str) -> Options<'static> {
    let engine = Choice::Named(ENGINES.named(engine).unwrap());
    Options { engine, ..Options::default() }
}

fn choices(explored: &Exploration, index: usize) -> Vec<Option<u32>> {
    explored.front.get(index).unwrap().choices().unwrap()
}

/// A front point in integer units: area, demand over the hyperperiod, choices (0 is software, k + 1 is choice k).
type Point = (u64, u64, Vec<u32>);

/// The undominated configurations of all, and of equal ones the canonical.
fn brute_force(instance: &Instance) -> Vec<Point> {
    let mut designs: Vec<Point> = vec![(0, 0, Vec::new())];
    for task in &instance.tasks {
        let frequency = instance.hyperperiod / task.period;
        let mut longer = Vec::with_capacity(designs.len() * (task.choices.len() + 1));
        for (area, demand, picks) in &designs {
            let options = std::iter::once((0, task.wcet)).chain(task.choices.iter().copied());
            for (pick, (more_area, wcet)) in (0..).zip(options) {
                let mut picks = picks.clone();
                picks.push(pick);
                longer.push((area + more_area, demand + wcet * frequency, picks));
            }
        }
        designs = longer;
    }
    // Canonical: the last task's pick decides first, lower is earlier.
    designs.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then_with(|| a.2.iter().rev().cmp(b.2.iter().rev())));
    let mut front: Vec<Point> = Vec::new();
    for design in designs {
        if front.last().is_none_or(|last| design.1 < last.1) {
            front.push(design);
        }
    }
    front
}

fn points_of(front: &Exploration, instance: &Instance) -> Vec<Point> {
    let whole = |value: Rational| u64::try_from(value.to_integer()).unwrap();
    let point = |index: usize| {
        let design = front.design(index).unwrap();
        let picks =
            choices(front, index).iter().map(|choice| choice.map_or(0, |choice| choice + 1)).collect();
        let area = design.area() * Rational::from_integer(instance.area_scale.into());
        let demand = design.utilization * Rational::from_integer(instance.hyperperiod.into());
        assert!(area.is_integer() && demand.is_integer());
        (whole(area), whole(demand), picks)
    };
    (0..front.front.len()).map(point).collect()
}

fn check_verdicts(front: &Exploration, points: &[Point], instance: &Instance) {
    for (index, point) in points.iter().enumerate() {
        assert_eq!(front.verdicts.points[index], Some(point.1 <= instance.hyperperiod));
    }
    let expected = points.iter().find(|point| point.1 <= instance.hyperperiod).map(|point| point.0);
    let found = match &front.verdicts.smallest {
        SmallestSchedulable::At(chosen) => {
            Some((chosen.design.area() * Rational::from_integer(instance.area_scale.into())).to_integer())
        }
        SmallestSchedulable::None => None,
        SmallestSchedulable::Unknown(why) => panic!("decidable: {why}"),
    };
    assert_eq!(found, expected.map(Into::into));
}

#[test]
fn the_front_is_brute_forces_on_random_sets() {
    let cases: u64 = std::env::var("ISX_CASES").map_or(50_000, |cases| cases.parse().unwrap());
    let (at_one, points_seen) = (AtomicU64::new(0), AtomicU64::new(0));
    (0..cases).into_par_iter().for_each(|seed| {
        let instance = random_instance(&mut Random(seed));
        let expected = brute_force(&instance);
        let set = task_set(&instance.tasks, instance.time_scale, instance.area_scale);
        for engine in ["list", "reference"] {
            let options = Options { machine: Machine::default().with_threads(1), ..by(engine) };
            let front = explore(&set, &options).unwrap();
            let points = points_of(&front, &instance);
            assert_eq!(points, expected, "seed {seed}, engine {engine}");
            assert!(front.front.is_complete());
            check_verdicts(&front, &points, &instance);
        }
        points_seen.fetch_add(expected.len() as u64, Ordering::Relaxed);
        if expected.iter().any(|point| point.1 == instance.hyperperiod) {
            at_one.fetch_add(1, Ordering::Relaxed);
        }
    });
    let (at_one, points) = (at_one.into_inner(), points_seen.into_inner());
    println!("{cases} sets, {points} points, {at_one} sets with a point of utilization exactly 1");
    assert!(at_one >= cases / 10, "only {at_one} of {cases} sets have a point of utilization 1");
    assert!(points >= 3 * cases);
}

#[test]
fn a_budget_cuts_the_front_and_nothing_else() {
    for seed in 0..2_000 {
        let mut random = Random(seed ^ 0xb0d6e7);
        let instance = random_instance(&mut random);
        let whole = brute_force(&instance);
        let budget = random.within(0, 30);
        let set = task_set(&instance.tasks, instance.time_scale, instance.area_scale);
        // A budget of half a unit more changes nothing.
        let max_area = Rational::new((2 * budget + 1).into(), (2 * instance.area_scale).into());
        for engine in ["list", "reference"] {
            let options = Options { max_area: Some(max_area.clone()), ..by(engine) };
            let front = explore(&set, &options).unwrap();
            let expected: Vec<Point> = whole.iter().filter(|point| point.0 <= budget).cloned().collect();
            assert_eq!(points_of(&front, &instance), expected, "seed {seed}");
            assert_eq!(front.front.is_complete(), expected.len() == whole.len(), "seed {seed}");
        }
    }
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
