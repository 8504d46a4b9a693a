//! Blocks that are not shared change nothing.

use crate::common::designs::{Shared, cases, options};
use crate::common::{Random, random_instance, task_set};
use isx::exploration::Exploration;
use isx::explore::{check, explore};
use isx::quantity::Rational;
use isx::taskset::Block;
use std::cmp::Reverse;

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
