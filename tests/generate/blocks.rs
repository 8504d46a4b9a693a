//! The blocks that a recipe adds to a generated task set.

// The helpers below are test code too.
#![allow(clippy::unwrap_used, clippy::panic)]

use isx::quantity::Rational;
use isx::sampling::{DecimalRange, IntRange};
use isx::taskset::TaskSet;
use isx::taskset::generate::generate;
use isx::taskset::recipe::{RecipeError, SharedBlocks, TaskNames, TaskSetRecipe};
use std::collections::BTreeMap;

fn with_blocks(count: u64, uses: &str, area: &str, seed: u64) -> TaskSetRecipe {
    let blocks = SharedBlocks { count, uses: uses.parse().unwrap(), area: area.parse().unwrap(), fmax: None };
    TaskSetRecipe { seed, blocks: Some(blocks), ..TaskSetRecipe::default() }
}

pub fn read(recipe: &TaskSetRecipe) -> TaskSet {
    super::read(&generate(recipe).unwrap())
}

#[test]
fn every_choice_uses_as_many_blocks_as_the_recipe_says() {
    let mut seen = BTreeMap::new();
    for seed in 0..40 {
        let recipe = with_blocks(8, "0..3", "2.50..9.75", seed);
        let set = read(&recipe);
        assert_eq!(set.blocks.len(), 8);
        let ends = [250, 975].map(|units| Rational::new(units.into(), 100.into()));
        for (at, block) in set.blocks.iter().enumerate() {
            assert_eq!((block.name.clone(), &block.slot), (format!("block-{}", at + 1), &None));
            assert!(ends[0] <= block.cost[0] && block.cost[0] <= ends[1]);
        }
        for choice in set.tasks.iter().flat_map(|task| &task.choices) {
            assert!(choice.uses.is_sorted(), "{:?}", choice.uses);
            assert!(recipe.area.value(recipe.area.low) <= choice.cost[0], "its own area is beside them");
            *seen.entry(choice.uses.len()).or_insert(0) += 1;
        }
    }
    // About 2,200 choices; the standard deviation is about 20.
    assert_eq!(seen.keys().copied().collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert!(seen.values().all(|&count| (450..=650).contains(&count)), "{seen:?}");
}

#[test]
fn every_set_of_blocks_is_alike() {
    let mut counts = BTreeMap::new();
    for seed in 0..100 {
        for choice in read(&with_blocks(4, "2", "1..1", seed)).tasks.iter().flat_map(|task| &task.choices) {
            *counts.entry(choice.uses.clone()).or_insert(0) += 1;
        }
    }
    // About 5,500 choices, 917 for each set; the standard deviation is 28.
    assert_eq!(counts.len(), 6, "two of four");
    assert!(counts.values().all(|&count| (750..=1_090).contains(&count)), "{counts:?}");
}

#[test]
fn the_tasks_are_those_of_the_recipe_without_blocks() {
    for seed in 0..20 {
        let recipe = with_blocks(6, "1..3", "100..500", seed);
        let mut shared = read(&recipe);
        let alone = read(&TaskSetRecipe { blocks: None, ..recipe });
        assert!(alone.blocks.is_empty());
        for choice in shared.tasks.iter_mut().flat_map(|task| &mut task.choices) {
            choice.uses.clear();
        }
        assert_eq!(shared.tasks, alone.tasks);
    }
}

#[test]
fn the_head_of_the_file_states_the_blocks() {
    let recipe = with_blocks(6, "1..3", "0.5..7.5", 9);
    let text = generate(&recipe).unwrap();
    assert_eq!(text, generate(&recipe).unwrap());
    let line = text.lines().find(|line| line.starts_with("#   isx generate")).unwrap();
    assert!(
        line.ends_with(" --deadlines implicit --blocks 6 --uses 1..3 --block-area 0.5..7.5 --seed 9"),
        "{line}"
    );
    assert!(text.contains("\nblocks:\n  - name: block-1\n    area: "), "{text}");
    assert!(text.contains("        uses: [block-"), "{text}");
}

#[test]
fn recipes_of_blocks_that_cannot_be_followed_name_the_flag() {
    let field_of = |recipe: TaskSetRecipe| match generate(&recipe) {
        Err(RecipeError::Field { field, .. }) => field,
        other => panic!("{other:?}"),
    };
    assert_eq!(field_of(with_blocks(0, "0", "1..2", 1)), "blocks");
    assert_eq!(field_of(with_blocks(1_001, "1", "1..2", 1)), "blocks");
    assert_eq!(field_of(with_blocks(u64::MAX, "1", "1..2", 1)), "blocks");
    assert_eq!(field_of(with_blocks(3, "1..4", "1..2", 1)), "uses");
    let ends = |uses, area| TaskSetRecipe {
        blocks: Some(SharedBlocks { count: 3, uses, area, fmax: None }),
        ..TaskSetRecipe::default()
    };
    let (one, whole) = (IntRange { low: 1, high: 1 }, DecimalRange { low: 0, high: 1, places: 0 });
    assert_eq!(field_of(ends(IntRange { low: 2, high: 1 }, whole)), "uses");
    assert_eq!(field_of(ends(IntRange { low: 0, high: u64::MAX }, whole)), "uses");
    assert_eq!(field_of(ends(one, DecimalRange { high: u64::MAX, ..whole })), "block-area");
    assert_eq!(field_of(ends(one, DecimalRange { low: 2, ..whole })), "block-area");
    let many = TaskSetRecipe { tasks: TaskNames::Numbered(1_000), ..with_blocks(20, "0..13", "1..2", 1) };
    assert_eq!(field_of(many), "uses");
}

/// Even a recipe of the largest size generates a file that the reader accepts.
#[test]
fn the_largest_recipe_of_blocks_can_be_read() {
    let recipe = TaskSetRecipe {
        tasks: TaskNames::Numbered(40_000),
        choices: IntRange { low: 1, high: 1 },
        deadlines: "constrained:0.5..1.0".parse().unwrap(),
        ..with_blocks(1_000, "2", "0..1", 1)
    };
    assert_eq!(read(&recipe).tasks.len(), 40_000);
    let recipe = TaskSetRecipe {
        tasks: TaskNames::Numbered(1),
        utilization: Rational::new(1.into(), 2.into()),
        choices: IntRange { low: 100, high: 100 },
        ..with_blocks(1_000, "1000", "0..1", 1)
    };
    assert!(read(&recipe).tasks[0].choices.iter().all(|choice| choice.uses.len() == 1_000));
}

/// As [`with_blocks`], with maximum clocks.
fn with_fmax(count: u64, fmax: &str, clock_mhz: u64) -> TaskSetRecipe {
    let mut recipe = TaskSetRecipe { clock_mhz, ..with_blocks(count, "1", "1..9", 4) };
    recipe.blocks.as_mut().unwrap().fmax = Some(fmax.parse().unwrap());
    recipe
}

#[test]
fn the_fastest_clocks_change_nothing_else_of_a_recipe() {
    let recipe = with_fmax(30, "80.5..120.0", 100);
    let text = generate(&recipe).unwrap();
    assert!(text.contains("--block-area 1..9 --fmax 80.5..120.0 --seed 4"), "{text}");
    let mut set = read(&recipe);
    let megahertz = |tenths: u64| Rational::from_integer((tenths * 100_000).into());
    let within = |fmax: &Rational| megahertz(805) <= *fmax && *fmax <= megahertz(1200);
    assert!(set.blocks.iter().all(|block| block.fmax.as_ref().is_some_and(within)));
    set.blocks.iter_mut().for_each(|block| block.fmax = None);
    let plain = TaskSetRecipe { clock_mhz: 100, ..with_blocks(30, "1", "1..9", 4) };
    assert_eq!(set, TaskSet { description: set.description.clone(), ..read(&plain) });
}

#[test]
fn clocks_out_of_range_name_the_flag() {
    let field_of = |recipe: TaskSetRecipe| match generate(&recipe) {
        Err(RecipeError::Field { field, .. }) => Some(field),
        other => other.is_err().then(|| panic!("{other:?}")),
    };
    assert_eq!(field_of(with_fmax(3, "0..5", 100)), Some("fmax"));
    assert_eq!(field_of(with_fmax(3, "1..100001", 100)), Some("fmax"));
    assert_eq!(field_of(with_fmax(3, "1..100000", 100_000)), None);
    // A hundred clocks below the set's own would be one too many; the same number at it or above add none.
    assert_eq!(field_of(with_fmax(100, "1..100", 101)), Some("fmax"));
    assert_eq!(field_of(with_fmax(100, "2..100", 101)), None);
    assert_eq!(field_of(with_fmax(100, "1..100", 100)), None);
    assert_eq!(field_of(with_fmax(1000, "100..5000", 100)), None);
    assert_eq!(field_of(with_fmax(99, "0.001..50.000", 100)), None);
    let largest = isx::formulate::formulate(&read(&with_fmax(99, "0.001..50.000", 100)), None);
    assert!(largest.unwrap().clocks.count() > 30);
}
