//! Fronts and verdicts against brute force over all designs: the area of the union of blocks, one block per slot, every
//! task at the clock of the slowest block, canonical choices.

use crate::certified::Judged;
use crate::common::designs::{Design, Shared, cases, front_of, tasks_with_short_deadlines, whole};
use crate::common::{PlainTask, Random, task_set};
use crate::{certificates, clocks};
use isx::engine::Choice;
use isx::engine::mckp::ENGINES;
use isx::exploration::Exploration;
use isx::explore::{Options, explore};
use isx::machine::Machine;
use isx::quantity::Rational;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

fn by(engine: &str) -> Options<'static> {
    let engine = Choice::Named(ENGINES.named(engine).unwrap());
    Options { engine, ..Options::default() }
}

fn choices(explored: &Exploration, index: usize) -> Vec<Option<u32>> {
    explored.front.get(index).unwrap().choices().unwrap()
}

/// A plain set, one with blocks, with clocks, with short deadlines, or with both of these.
fn set(seed: u64) -> Shared {
    let mut random = Random(seed ^ 0xc10c);
    match seed % 3 {
        0 => certificates::set(seed / 3).0,
        1 => clocks::clocked(seed / 3),
        _ => Shared::with_clocks(tasks_with_short_deadlines(&mut random), &mut random),
    }
}

/// The engines for sets without blocks have the same front, also in other units and within an area.
fn engines_agree(set: &Shared, front: &[Design], seed: u64) {
    let scaled = task_set(&set.tasks, 1000, 10);
    let within = seed % 30;
    for (engine, most) in
        ["list", "reference"].into_iter().flat_map(|engine| [(engine, None), (engine, Some(within))])
    {
        // A budget of half a unit more changes nothing.
        let max_area = most.map(|most| Rational::new((2 * most + 1).into(), 20.into()));
        let machine = Machine::default().with_threads(1);
        let explored = explore(&scaled, &Options { machine, max_area, ..by(engine) }).unwrap();
        let wanted = front.iter().filter(|design| most.is_none_or(|most| design.area <= most));
        let wanted: Vec<_> = wanted.map(|design| (design.area, design.choices.clone())).collect();
        let tenths = |point: isx::front::Point| whole(&(point.area() * Rational::from_integer(10.into())));
        let found: Vec<_> =
            explored.front.iter().map(|point| (tenths(point), point.choices().unwrap())).collect();
        assert_eq!(found, wanted, "seed {seed}, engine {engine}");
        assert_eq!(explored.front.is_complete(), wanted.len() == front.len(), "seed {seed}");
    }
}

/// Whether two tasks of a design use one block.
fn is_shared(set: &Shared, design: &Design) -> bool {
    let uses = |(uses, choice): &(&Vec<Vec<u32>>, &Option<u32>), block: &u32| {
        choice.is_some_and(|choice| uses[choice as usize].contains(block))
    };
    let users = |block| set.uses.iter().zip(&design.choices).filter(|task| uses(task, block)).count();
    design.built.iter().any(|block| users(block) > 1)
}

#[test]
fn plain_fronts_by_both_engines_are_those_of_brute_force() {
    (0..cases(20_000)).into_par_iter().for_each(|seed| {
        let set = certificates::set(4 * seed).0;
        engines_agree(&set, &front_of(set.designs()), seed);
    });
}

#[test]
fn fronts_and_verdicts_are_those_of_brute_force() {
    let cases = cases(18_000);
    let counts = [0; 5].map(AtomicU64::new);
    (0..cases).into_par_iter().for_each(|seed| {
        let set = set(seed);
        let utilization_decides = set.tasks.iter().all(|task| task.deadline >= task.period);
        let explored = Judged::of(&set).compared(seed, utilization_decides);
        let (designs, formulation) = (set.designs(), explored.front.formulation());
        let front = front_of(designs.clone());
        let limited = set.blocks.iter().any(|block| block.fmax.is_some());
        for design in &front {
            let clock = formulation.clock_of(&design.choices).map(whole);
            assert_eq!(clock, design.clock.filter(|_| limited), "seed {seed}");
            let blocks: Vec<u32> = design.built.iter().copied().collect();
            assert_eq!(formulation.blocks(&design.choices), Some(blocks), "seed {seed}");
        }
        if set.blocks.is_empty() && set.clock.is_none() {
            engines_agree(&set, &front, seed);
        }
        let tied = |one: &Design| {
            designs.iter().any(|o| (o.area, o.demand) == (one.area, one.demand) && o.clock != one.clock)
        };
        let seen = [
            front.iter().any(|one| one.demand == set.full()),
            front.iter().any(|one| is_shared(&set, one)),
            front.iter().any(|one| one.clock < set.clock),
            front.windows(2).any(|pair| pair[0].clock < pair[1].clock),
            front.iter().any(tied),
        ];
        for (count, seen) in counts.iter().zip(seen) {
            count.fetch_add(u64::from(seen), Ordering::Relaxed);
        }
    });
    let counts = counts.map(AtomicU64::into_inner);
    let [at_one, shared, slowed, mixed, ties] = counts;
    println!(
        "{cases} sets: {at_one} with a point of utilization 1, {shared} with a block that two tasks use, {slowed} with a \
         slowed point, {mixed} where the clock rises along the front, {ties} with a tie between clocks"
    );
    assert!(at_one > cases / 50 && shared > cases / 50 && slowed > cases / 30, "{counts:?}");
    assert!(mixed > cases / 150 && ties > cases / 150, "{counts:?}");
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
