//! Task sets whose choices share blocks, compared with brute force over all designs: the area of the union, one block
//! per slot, canonical choices, verdicts.

use crate::common::designs::{
    Shared, cases, front_of, options, points, schedulable, smallest_found, tasks_with_short_deadlines,
    wanted, whole,
};
use crate::common::{Random, random_instance, task_set};
use isx::exploration::Exploration;
use isx::explore::{Options, check, explore};
use isx::quantity::Rational;
use isx::schedulability::Verdict;
use isx::taskset::Block;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::sync::atomic::{AtomicU64, Ordering};

#[test]
fn points_choices_blocks_and_verdicts_are_those_of_brute_force() {
    let cases = cases(50_000);
    let (at_one, shared) = (AtomicU64::new(0), AtomicU64::new(0));
    (0..cases).into_par_iter().for_each(|seed| {
        let mut random = Random(seed);
        let mut tasks = random_instance(&mut random).tasks;
        tasks.truncate(5);
        let set = Shared::new(tasks, &mut random);
        let designs = set.designs();
        let front = front_of(designs.clone());
        let explored = explore(&set.task_set(), &options()).unwrap();
        assert_eq!(points(&explored, set.full()), wanted(&front), "seed {seed}");
        assert!(explored.front.is_complete(), "seed {seed}");
        let fits: Vec<Option<bool>> = front.iter().map(|d| Some(d.demand <= set.full())).collect();
        assert_eq!(explored.verdicts.points, fits, "seed {seed}");
        at_one.fetch_add(u64::from(front.iter().any(|d| d.demand == set.full())), Ordering::Relaxed);
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
    let cases = cases(10_000);
    let decided = AtomicU64::new(0);
    (0..cases).into_par_iter().for_each(|seed| {
        let mut random = Random(seed ^ 0xdead);
        let set = Shared::new(tasks_with_short_deadlines(&mut random), &mut random);
        let designs = set.designs();
        let passing = schedulable(&designs);
        let task_set = set.task_set();
        let explored = explore(&task_set, &options()).unwrap();
        assert_eq!(
            smallest_found(&explored),
            passing.first().map(|design| design.choices.clone()),
            "seed {seed}"
        );
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
        assert_eq!(whole(verdict.least.design.area()), least.area, "seed {seed}");
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
        let found: Vec<_> = points(&explored, set.full()).into_iter().map(|point| point.2).collect();
        assert_eq!(
            found,
            within.iter().map(|design| design.choices.clone()).collect::<Vec<_>>(),
            "seed {seed}"
        );
        assert_eq!(explored.front.is_complete(), within.len() == front.len(), "seed {seed}");
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
                let area = std::mem::take(&mut choice.cost[0]);
                choice.uses = vec![set.blocks.len() as u32];
                set.blocks.push(Block::new(format!("of {} {}", task.name, choice.name), area));
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

#[test]
fn a_block_that_no_choice_uses_changes_nothing_however_large_and_fine_its_area_is() {
    let area = || Rational::new(10i128.pow(38).into(), 7.into());
    let budget = Rational::from_integer(9.into());
    for seed in 0..cases(2_000) {
        let mut random = Random(seed ^ 0x0b50);
        let mut tasks = random_instance(&mut random).tasks;
        tasks.truncate(4);
        // Sets with blocks that are used, and sets whose only block is not.
        let set =
            if seed % 2 == 0 { Shared::new(tasks, &mut random).task_set() } else { task_set(&tasks, 1, 1) };
        let mut with = set.clone();
        let slot = set.blocks.iter().find_map(|block| block.slot.clone());
        with.blocks.push(Block { slot, ..Block::new("no choice uses this", area()) });
        let [one, other] = [&set, &with].map(|set| explore(set, &options()).unwrap());
        let points = |explored: &Exploration| -> Vec<_> {
            explored.front.iter().map(|point| (point.area(), point.utilization(), point.choices())).collect()
        };
        assert_eq!(points(&other), points(&one), "seed {seed}");
        assert_eq!(other.front.account().engine, one.front.account().engine, "seed {seed}");
        assert_eq!(other.verdicts.points, one.verdicts.points, "seed {seed}");
        let [one, other] = [&set, &with].map(|set| check(set, &budget, &options()).unwrap());
        assert_eq!(other.verdict, one.verdict, "seed {seed}");
    }
}
