//! The engines of the multiple knapsack problem: compared with brute force on small problems, with each other on larger
//! ones, at the limits of their ranges, and where a search ends early.

use crate::common::Random;
use isx::engine::multiple::{ENGINES, Wanted};
use isx::engine::{Choice, EngineError, Refusal};
use isx::machine::{Cancel, Machine};
use isx::problem::knapsack::generate::{Kind, KnapsackRecipe};
use isx::problem::multiple::generate::{Division, MultipleRecipe, generate_multiple};
use isx::problem::multiple::{Item, Multiple};
use isx::solve::SolveError;
use isx::solve::multiple::{Options, solve};
use num_bigint::BigInt;
use std::time::Instant;

/// Up to four knapsacks and seven items; ties, equal capacities, weights and profits of 0 or above every capacity.
fn small(random: &mut Random) -> Multiple {
    let heaviest = random.pick(&[2u64, 5, 12, 30]);
    let scale = random.pick(&[1i128, 1, 1 << 40, 1 << 110]);
    let knapsacks = random.within(0, 3) + u64::from(random.one_in(8));
    let mut capacities: Vec<u64> = (0..knapsacks).map(|_| random.within(0, 2 * heaviest)).collect();
    if random.one_in(3) {
        let first = capacities.first().copied().unwrap_or_default();
        capacities.fill(first);
    }
    let follows = random.one_in(2);
    let items = (0..random.within(0, 7)).map(|_| {
        let weight = random.within(0, heaviest);
        let profit =
            if follows { i128::from(weight) + random.within(0i128, 2) } else { random.within(-2i128, 12) };
        Item { profit: profit * scale, weight }
    });
    Multiple { items: items.collect(), capacities }
}

/// The most profit, by trying every place of every item.
fn every_place(items: &[Item], left: &mut [u64]) -> i128 {
    let Some((item, rest)) = items.split_first() else { return 0 };
    let mut best = every_place(rest, left);
    for at in 0..left.len() {
        if left[at] >= item.weight {
            left[at] -= item.weight;
            best = best.max(item.profit + every_place(rest, left));
            left[at] += item.weight;
        }
    }
    best
}

fn by(name: &str) -> Options<'static> {
    let engine = ENGINES.named(name).map_or(Choice::Auto, Choice::Named);
    Options { engine, ..Options::default() }
}

#[test]
fn every_engine_equals_brute_force() {
    let cases = std::env::var("ISX_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(20_000);
    let random = &mut Random(71);
    let (mut decided, mut beyond) = (0, 0);
    while decided < cases {
        let problem = small(random);
        let most = BigInt::from(every_place(&problem.items, &mut problem.capacities.clone()));
        for entry in ENGINES.iter() {
            let options = Options { engine: Choice::Named(entry), ..Options::default() };
            let solution = match solve(&problem, &options) {
                Ok(solution) => solution,
                // Its table is too large.
                Err(SolveError::Engine(Refusal { cause: EngineError::Memory(_), .. })) if entry.judge => {
                    continue;
                }
                Err(error) => panic!("{error}: {problem:?}"),
            };
            assert!(solution.claim.is_proved(), "{problem:?}");
            assert_eq!(solution.claim.profit, most, "{} {problem:?}", entry.name);
            beyond += usize::from(solution.account.engine == entry.name && !entry.judge);
        }
        decided += 1;
    }
    assert!(beyond > cases / 2, "the reduction left only {beyond} of {cases} problems");
}

#[test]
fn the_search_equals_the_table_where_knapsacks_hold_many_items() {
    let random = &mut Random(72);
    for case in 0..300 {
        let kind = random.pick(&[Kind::Uncorrelated, Kind::Weak, Kind::Strong, Kind::SubsetSum]);
        let capacities = random.pick(&[Division::Similar, Division::Dissimilar, Division::Equal]);
        let (items, range) = (random.within(5, 22), random.within(4, 20));
        let items = KnapsackRecipe { kind, items, range, seed: case, ..KnapsackRecipe::default() };
        let recipe = MultipleRecipe { items, knapsacks: random.within(2, 3), capacities };
        let problem = generate_multiple(&recipe).unwrap();
        let found = solve(&problem, &by("branch")).unwrap().claim;
        assert!(found.is_proved());
        assert_eq!(found.profit, solve(&problem, &by("reference")).unwrap().claim.profit, "{recipe}");
    }
}

#[test]
fn a_search_that_ends_early_has_both_bounds_and_no_proof() {
    let items = KnapsackRecipe { kind: Kind::Uncorrelated, items: 60, seed: 3, ..KnapsackRecipe::default() };
    let recipe = MultipleRecipe { items, knapsacks: 20, capacities: Division::Similar };
    let problem = generate_multiple(&recipe).unwrap();
    for wanted in [
        Wanted { steps: 0, ends: None },
        Wanted { steps: 100_000, ends: None },
        Wanted { steps: u64::MAX, ends: Some(Instant::now()) },
    ] {
        let options = Options { wanted, ..Options::default() };
        let claim = solve(&problem, &options).unwrap().claim;
        assert!(!claim.is_proved() && claim.profit < claim.bound, "{wanted:?}");
    }
    let cancel = Cancel::default();
    cancel.cancel();
    let options = Options { machine: Machine::default().with_cancel(cancel), ..Options::default() };
    assert!(matches!(
        solve(&problem, &options),
        Err(SolveError::Engine(Refusal { cause: EngineError::Cancelled, .. }))
    ));
}

#[test]
fn thousands_of_items_are_split_without_branching() {
    for kind in [Kind::Uncorrelated, Kind::Weak, Kind::Strong] {
        let items = KnapsackRecipe { kind, items: 5_000, ..KnapsackRecipe::default() };
        let recipe = MultipleRecipe { items, knapsacks: 10, capacities: Division::Similar };
        let claim = solve(&generate_multiple(&recipe).unwrap(), &Options::default()).unwrap().claim;
        assert!(claim.is_proved(), "{kind}");
    }
}

#[test]
fn sums_at_the_ends_of_their_ranges_are_exact_or_refused() {
    let (weight, profit) = ((1u64 << 59) - 1, (1i128 << 120) - 1);
    let item = |at: u64| Item { profit: profit - i128::from(at), weight: weight - at };
    let items: Vec<Item> = (0..7).map(item).collect();
    let problem = Multiple { capacities: vec![weight, 2 * weight, weight / 2], items };
    let claim = solve(&problem, &Options::default()).unwrap().claim;
    // The three of the most profit: 0 alone, or with another that has less weight.
    assert_eq!(claim.profit, BigInt::from(profit) * 3 - 3);
    let many = Multiple { items: problem.items.repeat(3), ..problem.clone() };
    let refused = solve(&many, &Options::default()).unwrap_err().to_string();
    assert!(refused.contains("2^62") || refused.contains("2^124"), "{refused}");
    let wide = Multiple { capacities: vec![40; 3000], items: vec![Item { profit: 3, weight: 30 }; 40] };
    let refused = solve(&wide, &Options::default()).unwrap_err().to_string();
    assert!(refused.contains("2000 knapsacks"), "{refused}");
}
