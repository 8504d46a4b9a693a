//! The core engine finds a best selection of least weight of more items than `knapsack.rs` has: compared with a table, or with
//! two halves that meet. The pipeline sums every answer's items again.

use crate::common::Random;
use crate::common::designs::cases;
use crate::common::selections::front_of_items;
use isx::engine::Choice;
use isx::engine::knapsack::{ENGINES, Wanted};

use isx::machine::{Cancel, Machine};
use isx::problem::knapsack::generate::{Kind, KnapsackRecipe, generate_knapsack};
use isx::problem::knapsack::{Item, Knapsack};
use isx::quantity::Rational;
use isx::solve::knapsack::{Options, Solution, solve};
use num_bigint::BigInt;
use std::cmp::Reverse;

fn options<'a>(raw: bool) -> Options<'a> {
    let engine = Choice::Named(ENGINES.named("core").expect("the core engine is registered"));
    Options {
        engine,
        raw,
        wanted: Wanted::Best,
        machine: Machine::default().with_threads(1),
        ..Options::default()
    }
}

/// Profit and weight.
fn best(problem: &Knapsack, raw: bool) -> (BigInt, u128) {
    let Solution { claim, .. } =
        solve(problem, &options(raw)).unwrap_or_else(|error| panic!("{error}: {problem:?}"));
    let items = claim.items(0).expect("one capacity shows its items");
    let sum: BigInt = items.iter().map(|&item| BigInt::from(problem.items[item as usize].profit)).sum();
    let weight: u128 = items.iter().map(|&item| u128::from(problem.items[item as usize].weight)).sum();
    assert!(items.windows(2).all(|pair| pair[0] < pair[1]), "an item is taken once: {items:?}");
    assert!(weight <= problem.capacity.into(), "{weight} in {problem:?}");
    assert_eq!(Some(&sum), claim.profit(0).as_ref(), "{problem:?}");
    assert_eq!(weight, claim.weights[0].into(), "{problem:?}");
    (sum, weight)
}

/// The textbook's table: the most profit, and the least weight that brings it.
fn table(problem: &Knapsack) -> (BigInt, u128) {
    let mut row = vec![0i128; problem.capacity as usize + 1];
    for item in &problem.items {
        for cell in (item.weight as usize..row.len()).rev() {
            row[cell] = row[cell].max(row[cell - item.weight as usize] + item.profit);
        }
    }
    let most = row[problem.capacity as usize];
    (most.into(), row.partition_point(|&profit| profit < most) as u128)
}

/// Items of the classes of D. Pisinger, "Where are the hard knapsack problems?", Computers & OR 32, 2005, with
/// weights up to `range`.
fn pisinger(random: &mut Random, class: usize, n: usize, range: u64) -> Vec<Item> {
    let tenth = (range / 10).max(1);
    let spanners: Vec<(u64, u64)> =
        (0..2).map(|_| (random.within(1, range), random.within(1, range))).collect();
    (0..n)
        .map(|_| {
            let w: u64 = random.within(1, range);
            let (profit, weight) = match class {
                0 => (random.within(1, range), w),
                1 => (random.within(w.saturating_sub(tenth).max(1), w + tenth), w),
                2 => (w + tenth, w),
                3 => (w, w + tenth),
                4 => (random.within(w + tenth - tenth / 50, w + tenth + tenth / 50), w),
                5 => (w, w),
                6 => (2 * w, 2 * w),
                7 => (2 * w + tenth, 2 * w),
                8 => (random.within(1, 1000), 10_000 + w % 100),
                9 => {
                    let (p, w) = random.pick(&spanners);
                    let times = random.within(1u64, 10);
                    ((p * times).div_ceil(5), (w * times).div_ceil(5))
                }
                10 => (w + if w.is_multiple_of(6) { 3 * tenth } else { 2 * tenth }, w),
                11 => (3 * w.div_ceil(3), w),
                12 => {
                    let span = (4 * range * range - (w.abs_diff(2 * range)).pow(2)) as f64;
                    ((span.sqrt() * 2.0 / 3.0) as u64 + 1, w)
                }
                _ => (w + 50, w),
            };
            Item { profit: profit.into(), weight }
        })
        .collect()
}

/// Number of classes that [`pisinger`] supports.
const CLASSES: usize = 14;

/// Problems of every class, with few or with many copies of an item.
#[test]
fn every_class_of_hard_problems_is_solved_as_by_the_table() {
    let mut random = Random(0xc1a5);
    for case in 0..cases(540) {
        let many = case % 13 == 0;
        let n = if many { random.within(800usize, 2500) } else { random.within(50, 500) };
        let range = random.pick(if many { &[12u64, 30, 60] } else { &[10, 100, 1000] });
        let mut items = pisinger(&mut random, case as usize % CLASSES, n, range);
        if items[0].weight > 2000 {
            items.truncate(60);
        }
        let total: u64 = items.iter().map(|item| item.weight).sum();
        let problem = Knapsack { capacity: total * random.within(1, 100) / 101, items };
        assert_eq!(best(&problem, case % 2 == 0), table(&problem), "case {case}, {n} items up to {range}");
    }
}

/// The sums of all selections, those with more weight than a better one left out, by rising weight and profit.
fn sums(items: &[Item]) -> Vec<(u128, i128)> {
    let mut all: Vec<(u128, i128)> = vec![(0, 0)];
    for item in items {
        let with = all.iter().map(|sum| (sum.0 + u128::from(item.weight), sum.1 + item.profit));
        all = with.chain(all.iter().copied()).collect();
        all.sort_unstable_by_key(|sum| (sum.0, Reverse(sum.1)));
        let mut most = -1;
        all.retain(|sum| {
            sum.1 > most && {
                most = sum.1;
                true
            }
        });
    }
    all
}

/// Two halves of the items that meet within the capacity.
fn halves(problem: &Knapsack) -> (BigInt, u128) {
    let (first, second) = problem.items.split_at(problem.items.len() / 2);
    let second = sums(second);
    let mut best = (0i128, Reverse(0u128));
    for (weight, profit) in sums(first) {
        let Some(room) = u128::from(problem.capacity).checked_sub(weight) else { break };
        let other = second[second.partition_point(|sum| sum.0 <= room) - 1];
        best = best.max((profit + other.1, Reverse(weight + other.0)));
    }
    (best.0.into(), best.1.0)
}

#[test]
fn every_class_with_large_coefficients_is_solved_as_by_two_halves() {
    let mut random = Random(0x1a46e);
    for case in 0..cases(60) {
        let (kind, name) = Kind::ALL[case as usize % Kind::ALL.len()];
        let recipe = KnapsackRecipe {
            kind,
            items: random.within(16, 26),
            range: random.pick(&[1_000_000u64, 10_000_000_000, 1_000_000_000_000]),
            load: Rational::new(random.within(5, 95).into(), 100.into()),
            seed: case,
            ..KnapsackRecipe::default()
        };
        let problem = generate_knapsack(&recipe).expect("the recipe is in range");
        assert_eq!(best(&problem, case % 2 == 0), halves(&problem), "case {case}, {name}: {recipe}");
    }
}

#[test]
fn one_item_that_is_far_heavier_than_all_others_is_taken_or_left_exactly() {
    let mut random = Random(0x4ea7);
    let heavy = 1u64 << 40;
    for case in 0..30 {
        let light = pisinger(&mut random, case % 8, 400, 200);
        let total: u64 = light.iter().map(|item| item.weight).sum();
        let all: i128 = light.iter().map(|item| item.profit).sum();
        let room = total * random.within(1, 9) / 10;
        let beside = Knapsack { items: light.clone(), capacity: room };
        let beside = i128::try_from(table(&beside).0).expect("it is small");
        // With it the others have this capacity, without it they all fit; its profit makes both options about equal.
        let profit = all - beside + random.within(-2i128, 2);
        let mut items = light;
        items.insert(case * 7, Item { profit, weight: heavy });
        let problem = Knapsack { items, capacity: heavy + room };
        assert_eq!(best(&problem, case % 2 == 0).0, BigInt::from(all.max(profit + beside)), "case {case}");
    }
}

#[test]
fn groups_of_nearly_equal_items_are_solved_as_by_the_table() {
    let mut random = Random(0x6709);
    for case in 0..200 {
        let groups = random.within(2u32, 8);
        let capacity: u64 = random.within(2_000, 60_000);
        let small: u64 = random.within(5, 60);
        let share = random.pick(&[0u64, 1, 50]);
        let items: Vec<Item> = (0..random.within(40u32, 200))
            .map(|at| {
                let base =
                    if at % groups == 0 { 0 } else { (capacity >> (at % groups)) + capacity * share / 1000 };
                Item {
                    profit: (base + random.within(1, small)).into(),
                    weight: base + random.within(1, small),
                }
            })
            .collect();
        let problem = Knapsack { items, capacity };
        assert_eq!(best(&problem, true), table(&problem), "case {case}");
    }
}

#[test]
fn more_items_than_a_word_of_history_has_bits_are_found_again() {
    // Multiples of 64 fill only even capacities: the decisive items come late, after many others.
    let mut random = Random(7);
    let mut items: Vec<Item> = (0..300)
        .map(|_| random.within(1u64, 40) * 64)
        .map(|w| Item { profit: w.into(), weight: w })
        .collect();
    items.extend((0..40).map(|at| Item { profit: 2 * at + 1, weight: 2 * at as u64 + 3 }));
    let capacity = (items.iter().map(|item| item.weight).sum::<u64>() / 2) | 63;
    let problem = Knapsack { items, capacity };
    assert_eq!(best(&problem, true), table(&problem));
}

#[test]
fn numbers_at_the_ends_of_their_ranges_are_added_exactly() {
    let top = (1i128 << 120) - 1;
    let heavy = (1u64 << 62) - 1;
    let items: Vec<Item> = (0..12u32)
        .map(|at| Item { profit: top - i128::from(at * at % 7), weight: heavy - u64::from(at * 5 % 11) })
        .collect();
    for capacity in [0, 1, heavy - 11, heavy, 2 * heavy - 9, 3 * heavy, 4 * heavy, u64::MAX] {
        let problem = Knapsack { items: items.clone(), capacity };
        let (weight, profit) = front_of_items(&problem).pop().unwrap();
        assert_eq!(best(&problem, true), (profit, weight.into()), "{capacity}");
    }
}

#[test]
fn all_capacities_are_refused() {
    let problem =
        Knapsack { items: vec![Item { profit: 1, weight: 1 }, Item { profit: 3, weight: 2 }], capacity: 2 };
    let printed = solve(&problem, &Options { wanted: Wanted::AllValues, ..options(false) })
        .expect_err("one capacity only");
    assert!(printed.to_string().contains("one capacity"), "{printed}");
}

#[test]
fn lists_without_room_are_refused_and_a_call_to_stop_is_heard() {
    let mut random = Random(99);
    let items = pisinger(&mut random, 2, 400, 1 << 40);
    let capacity = (items.iter().map(|item| item.weight).sum::<u64>() / 3) | 1;
    let problem = Knapsack { items, capacity };
    let machine = Machine::default().with_threads(1).with_max_memory(1 << 20);
    let printed =
        solve(&problem, &Options { machine, ..options(false) }).expect_err("lists grow past a megabyte");
    assert!(printed.to_string().contains("the 1048576 bytes of tables that are allowed"), "{printed}");
    let cancel = Cancel::default();
    cancel.cancel();
    let machine = Machine::default().with_threads(1).with_cancel(cancel);
    let printed = solve(&problem, &Options { machine, ..options(false) }).expect_err("cancelled");
    assert!(printed.to_string().contains("was cancelled"), "{printed}");
}
