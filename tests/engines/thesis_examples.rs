//! The worked examples of B. Suri's thesis ("Accelerating the knapsack problem on GPUs", Linköping University, 2011), by
//! every engine of the CPU: whole tables, row by row.

use isx::engine::{Choice as Engines, Hardware, knapsack, mckp};
use isx::problem::knapsack::Knapsack;
use isx::problem::knapsack::text::parse as parse_knapsack;
use isx::problem::mckp::text::parse as parse_mckp;
use isx::problem::mckp::{Choice, Mckp};
use isx::solve;
use num_bigint::BigInt;

fn read(name: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/thesis");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

/// The most of every capacity from 0 to 10; `None` below the first point.
fn row(points: impl Iterator<Item = (u64, BigInt)>) -> Vec<Option<i64>> {
    let points: Vec<(u64, BigInt)> = points.collect();
    let at = |capacity| points.iter().take_while(|(weight, _)| *weight <= capacity).last();
    (0..=10).map(|capacity| at(capacity).map(|(_, value)| i64::try_from(value).unwrap())).collect()
}

#[test]
fn example_2_1_has_the_rows_of_table_2_1() {
    let table = [
        [0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 2],
        [0, 0, 0, 0, 2, 2, 4, 4, 4, 4, 6],
        [0, 0, 3, 3, 3, 3, 5, 5, 7, 7, 7],
        [0, 0, 3, 3, 3, 3, 5, 6, 7, 9, 9],
    ];
    let whole = parse_knapsack(&read("example-2.1.knapsack")).unwrap().problem;
    let mut solved = 0;
    for entry in knapsack::ENGINES.iter().filter(|entry| entry.hardware == Hardware::Cpu) {
        let options =
            |wanted| solve::knapsack::Options { engine: Engines::Named(entry), wanted, ..Default::default() };
        let best = solve::knapsack::solve(&whole, &options(knapsack::Wanted::Best)).unwrap().claim;
        assert_eq!((best.profit(0), best.items(0)), (Some(9.into()), Some(vec![2, 3])), "{}", entry.name);
        for (count, wanted) in (1..).zip(&table) {
            let part = Knapsack { items: whole.items[..count].to_vec(), capacity: whole.capacity };
            // Some engines answer one capacity alone.
            let Ok(front) = solve::knapsack::solve(&part, &options(knapsack::Wanted::AllValues)) else {
                continue;
            };
            let claim = front.claim;
            let points = (0..claim.len()).map(|at| (claim.weights[at], claim.profit(at).unwrap()));
            assert_eq!(row(points), wanted.map(Some), "{} {count}", entry.name);
            solved += 1;
        }
    }
    // `reference` and `dense`.
    assert_eq!(solved, 4 * 2);
}

#[test]
fn example_2_2_has_the_rows_of_table_2_3() {
    const NONE: i64 = -1;
    let table = [
        [NONE, NONE, NONE, 2, 3, 3, 3, 3, 3, 3, 3],
        [NONE, NONE, NONE, NONE, NONE, NONE, NONE, 3, 4, 4, 4],
        [NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 5, 6, 7],
    ];
    let whole = parse_mckp(&read("example-2.2.mckp"), Choice::ExactlyOne).unwrap().problem;
    for entry in mckp::ENGINES.iter().filter(|entry| entry.hardware == Hardware::Cpu) {
        let options = solve::Options { engine: Engines::Named(entry), ..Default::default() };
        for (count, wanted) in (1..).zip(&table) {
            let part = Mckp { classes: whole.classes[..count].to_vec(), ..whole.clone() };
            let claim = solve::solve(&part, &options).unwrap().claim;
            let points = (0..claim.len()).map(|at| (claim.weights[at], claim.value(at).unwrap()));
            let wanted = wanted.map(|value| (value != NONE).then_some(value));
            assert_eq!(row(points), wanted, "{} {count}", entry.name);
        }
    }
    // The thesis takes 1a, 2a and 3c; 1b, 2a and 3b are worth as much and weigh as much.
    let worth = |picks: [usize; 3]| {
        let items = whole.classes.iter().zip(picks).map(|(class, at)| &class[at]);
        items.fold((0, 0), |(value, weight), item| (value + item.value, weight + item.weight))
    };
    assert_eq!((worth([0, 0, 2]), worth([1, 0, 1])), ((7, 10), (7, 10)));
}

#[test]
fn as_printed_the_items_of_table_2_2_would_be_worth_8() {
    let mut printed = parse_mckp(&read("example-2.2.mckp"), Choice::ExactlyOne).unwrap().problem;
    printed.classes[2][2].weight = 2;
    let claim = solve::solve(&printed, &solve::Options::default()).unwrap().claim;
    assert_eq!(claim.value(claim.len() - 1), Some(8.into()));
}
