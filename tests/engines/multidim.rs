//! The CPU engines of the multi-dimensional knapsack problem: compared with brute force on small problems, with each
//! other and with every instruction set on larger ones, and at the limits of every range.

use crate::common::Random;
use isx::engine::multidim::dense::Dense;
use isx::engine::multidim::{Answer, Batch, ENGINES, Layers};
use isx::engine::{Auto, Choice, Context, Engine, Hardware, Request};
use isx::machine::Machine;
use isx::machine::cpu::lanes::Isa;
use isx::problem::multidim::generate::{MultidimRecipe, generate_multidim};
use isx::problem::multidim::{Item, Multidim, PerDimension, witness};
use isx::problem::value::Tier;
use isx::reduce::multidim::{Reduced, WayBack, reduce};
use isx::solve::SolveError;
use isx::solve::multidim::{Options, solve, solve_many};
use num_bigint::BigInt;

/// Up to nine items; capacities, weights and profits of several sizes, so that ties, zero weights, items over a
/// capacity, capacities of 0 and profits of up to 2^119 all occur.
fn small(random: &mut Random, dimensions: usize) -> Multidim {
    let scale = [1i128, 1, 1 << 28, 1 << 60, 1 << 115][random.within(0, 4) as usize];
    // A three-dimensional table has as many cells as the cube of its side.
    let sizes = if dimensions == 3 { [1u64, 2, 4, 7] } else { [1, 3, 9, 16] };
    let heaviest = sizes[random.within(0, 3) as usize];
    let mut figures = |most: u64| {
        let mut figures = PerDimension::default();
        figures[..dimensions].fill_with(|| random.within(0, most));
        figures
    };
    let capacities = figures(2 * heaviest);
    let weights: Vec<PerDimension> = (0..9).map(|_| figures(heaviest)).collect();
    let count = random.within(0, 9) as usize;
    let noise = random.within(0, 1);
    let mut profit = || (random.within(0i128, 14) - 2) * scale + i128::from(random.within(0, noise));
    let items = weights[..count].iter().map(|&weights| Item { profit: profit(), weights });
    Multidim { dimensions, capacities, items: items.collect() }
}

/// The best profit by enumerating every selection.
fn every_choice(problem: &Multidim) -> BigInt {
    let mut best = 0i128;
    for choice in 0..1u32 << problem.items.len() {
        let mut sums = [0u128; 3];
        let mut profit = 0;
        for (at, item) in problem.items.iter().enumerate() {
            if choice >> at & 1 == 1 {
                profit += item.profit;
                sums = std::array::from_fn(|dimension| sums[dimension] + u128::from(item.weights[dimension]));
            }
        }
        if profit > best
            && sums.iter().zip(&problem.capacities).all(|(&sum, &capacity)| sum <= u128::from(capacity))
        {
            best = profit;
        }
    }
    best.into()
}

/// The problem, reduced only by items that engines never see: those without profit, those that fit nowhere and those
/// without weight.
fn hardly_reduced(problem: &Multidim) -> Reduced {
    let fits = |item: &Item| {
        item.weights.iter().zip(&problem.capacities).all(|(weight, capacity)| weight <= capacity)
    };
    let useful = |&at: &usize| problem.items[at].profit > 0 && fits(&problem.items[at]);
    let (taken, origin): (Vec<usize>, Vec<usize>) =
        (0..problem.items.len()).filter(useful).partition(|&at| problem.items[at].weights == [0; 3]);
    let items = origin.iter().map(|&at| problem.items[at]).collect();
    Reduced { capacities: problem.capacities, items, back: WayBack { origin, taken, profit_unit: 1 } }
}

/// The engine's answer, checked by the witness; the best profit of each problem.
fn answers(
    engine: &dyn Engine<isx::engine::multidim::Multidim>,
    problems: &[Multidim],
    reduced: &[Reduced],
    machine: &Machine,
    all_candidates: bool,
) -> Vec<BigInt> {
    let batch = Batch::new(reduced.to_vec());
    let context = Context { all_candidates, ..Context::new(machine) };
    let request = Request { problem: &batch, wanted: (), context: &context };
    let Answer { best, .. } = engine.plan(request).unwrap().run().unwrap();
    assert_eq!(best.len(), problems.len());
    let claim = |((problem, reduced), best): ((&Multidim, &Reduced), &isx::engine::multidim::Best)| {
        let claim = reduced.claim(problem, &best.profit, &best.chosen);
        witness(problem, &claim).unwrap_or_else(|error| panic!("{error}: {problem:?}"));
        claim.profit
    };
    problems.iter().zip(reduced).zip(&best).map(claim).collect()
}

fn against_brute_force(dimensions: usize, seed: u64) {
    let cases = std::env::var("ISX_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(20_000);
    let random = &mut Random(seed);
    let machine = Machine::default();
    let (mut decided, mut left) = (0, 0);
    let mut tiers = std::collections::BTreeMap::new();
    while decided < cases {
        // One problem at a time would spend most time on planning.
        let problems: Vec<Multidim> = (0..500).map(|_| small(random, dimensions)).collect();
        let expected: Vec<BigInt> = problems.iter().map(every_choice).collect();
        let reduced: Vec<Reduced> = problems.iter().map(reduce).collect();
        let unreduced: Vec<Reduced> = problems.iter().map(hardly_reduced).collect();
        let judge = ENGINES.judge().unwrap().engine;
        assert_eq!(answers(judge, &problems, &unreduced, &machine, false), expected);
        for all_candidates in [false, true] {
            assert_eq!(answers(&Dense::AUTO, &problems, &unreduced, &machine, all_candidates), expected);
        }
        let asked: Vec<&Multidim> = problems.iter().collect();
        let solved = solve_many(&asked, &Options::default()).unwrap();
        assert!(solved.iter().map(|solution| &solution.claim.profit).eq(&expected));
        decided += problems.len();
        left += reduced.iter().filter(|reduced| !reduced.items.is_empty()).count();
        for reduced in &unreduced {
            *tiers.entry(reduced.tier()).or_insert(0) += 1;
        }
    }
    assert!(left > decided / 10, "the reduction leaves items in {left} of {decided} problems");
    for tier in [Tier::I32, Tier::I64, Tier::I128] {
        assert!(tiers.get(&tier).is_some_and(|&count| count > decided / 100), "{tiers:?}");
    }
    println!("{decided} problems, {left} of them beyond the reduction, {tiers:?}");
}

#[test]
fn two_dimensions_equal_brute_force() {
    against_brute_force(2, 1);
}

#[test]
fn three_dimensions_equal_brute_force() {
    against_brute_force(3, 2);
}

#[test]
fn one_dimension_equals_brute_force() {
    let random = &mut Random(3);
    for _ in 0..5000 {
        let problem = small(random, 1);
        assert_eq!(solve(&problem, &Options::default()).unwrap().claim.profit, every_choice(&problem));
    }
}

/// Problems with tables of thousands of cells, rows shorter and longer than a word of bits.
fn medium(random: &mut Random, dimensions: usize) -> Multidim {
    let sides: &[u64] = if dimensions == 2 { &[0, 5, 63, 64, 130, 200] } else { &[0, 3, 9, 31, 70] };
    let mut capacities = PerDimension::default();
    capacities[..dimensions].fill_with(|| random.pick(sides));
    let scale = random.pick(&[1i128, 1 << 31, 1 << 70]);
    let most = random.within(1, 3);
    let item = |random: &mut Random| {
        let weights = capacities.map(|capacity| random.within(0, capacity * most / 3 + capacity.min(1)));
        let sum: u64 = weights.iter().sum();
        // If profits follow weights, no item is dominated.
        Item { profit: i128::from(sum + random.within(0, 20)) * scale + random.within(0i128, 1), weights }
    };
    let items = (0..random.within(5, 30)).map(|_| item(random)).collect();
    Multidim { dimensions, capacities, items }
}

#[test]
fn every_way_of_working_finds_the_judges_profits() {
    let random = &mut Random(4);
    let machines = [1, 3].map(|threads| Machine::default().with_threads(threads));
    let mut swept = 0;
    for round in 0..60 {
        let problems: Vec<Multidim> = (0..4).map(|at| medium(random, 2 + (round + at) % 2)).collect();
        let reduced: Vec<Reduced> = problems.iter().map(reduce).collect();
        swept += reduced
            .iter()
            .filter(|reduced| Layers::needed(reduced, |last| Some(32 << last.min(64))).swept > 0)
            .count();
        let expected = answers(ENGINES.judge().unwrap().engine, &problems, &reduced, &machines[0], false);
        for isa in Isa::available() {
            for machine in &machines {
                for all_candidates in [false, true] {
                    let engine = Dense::on(isa);
                    let found = answers(&engine, &problems, &reduced, machine, all_candidates);
                    assert_eq!(found, expected, "{isa:?}, {all_candidates}");
                }
            }
        }
    }
    assert!(swept > 60, "only {swept} problems have layers");
}

#[test]
fn generated_plates_are_filled_alike_by_every_engine() {
    let recipe = MultidimRecipe { instances: Some(6), items: 20, capacities: vec![300, 250], seed: 5 };
    let problems = generate_multidim(&recipe).unwrap();
    let asked: Vec<&Multidim> = problems.iter().collect();
    let mut found = Vec::new();
    for entry in ENGINES.iter().filter(|entry| entry.hardware == Hardware::Cpu) {
        for raw in [false, true] {
            let options = Options { engine: Choice::Named(entry), raw, ..Options::default() };
            let solved = solve_many(&asked, &options).unwrap();
            assert!(solved.iter().all(|solution| solution.account.engine == entry.name));
            found.push(solved.into_iter().map(|solution| solution.claim.profit).collect::<Vec<_>>());
        }
    }
    assert!(found.len() >= 4 && found.iter().all(|profits| *profits == found[0]), "{found:?}");
}

#[test]
fn capacities_and_profits_at_the_ends_of_their_ranges_are_exact() {
    let weight = (1u64 << 62) - 1;
    let profit = (1i128 << 120) - 1;
    // Any two fit in one dimension, any three in the other; all weights and profits differ.
    let item = |at: u64| Item {
        profit: profit - i128::from(at * at),
        weights: [weight / 2 - 7 * at, weight / 3 - 5 * at % 11, at],
    };
    let problem =
        Multidim { dimensions: 3, capacities: [weight, weight, 30], items: (0..9).map(item).collect() };
    let solution = solve(&problem, &Options::default()).unwrap();
    assert_eq!(solution.claim.profit, every_choice(&problem));
    assert_eq!(solution.claim.profit, BigInt::from(profit) * 2 - 1);
    // Sums beyond 128 bits, in a table: at most 100 of 200 items fit, 50 of each kind.
    let item = |at: u64| Item { profit: profit - i128::from(at % 2), weights: [1 + at % 2, 2 - at % 2, 0] };
    let problem = Multidim { dimensions: 2, capacities: [150, 150, 0], items: (0..200).map(item).collect() };
    let solution = solve(&problem, &Options::default()).unwrap();
    assert_eq!(solution.account.arithmetic.to_string(), "big");
    assert_eq!(solution.claim.profit, BigInt::from(profit) * 100 - 50);
    let nothing = Multidim { dimensions: 2, capacities: [0; 3], items: Vec::new() };
    assert_eq!(solve(&nothing, &Options::default()).unwrap().claim.profit, BigInt::ZERO);
    assert!(solve_many(&[], &Options::default()).unwrap().is_empty());
}

#[test]
fn problems_of_every_width_in_one_batch_keep_their_order() {
    let item = |profit: i128, weight| Item { profit, weights: [weight, weight, 0] };
    let problem = |unit: i128| Multidim {
        dimensions: 2,
        capacities: [10, 9, 0],
        items: vec![item(unit + 3, 5), item(2 * unit, 6), item(unit, 4), item(-unit, 1)],
    };
    let units = [1, 1 << 40, 1, 1 << 100, 1 << 40, 0, 1 << 100];
    let problems: Vec<Multidim> = units.map(problem).to_vec();
    let asked: Vec<&Multidim> = problems.iter().collect();
    let solved = solve_many(&asked, &Options::default()).unwrap();
    let found: Vec<BigInt> = solved.into_iter().map(|solution| solution.claim.profit).collect();
    assert_eq!(found, problems.iter().map(every_choice).collect::<Vec<_>>());
}

#[test]
fn tables_beyond_the_memory_allowed_are_refused_before_they_are_made() {
    let recipe = MultidimRecipe { instances: None, items: 200, capacities: vec![100_000, 100_000], seed: 1 };
    let problem = &generate_multidim(&recipe).unwrap()[0];
    for engine in ENGINES.iter().filter(|entry| entry.hardware == Hardware::Cpu) {
        let options = Options { engine: Choice::Named(engine), ..Options::default() };
        let Err(SolveError::Engine(refusal)) = solve(problem, &options) else { panic!("{engine:?}") };
        assert!(refusal.cause.over_memory().is_some(), "{refusal}");
    }
    // No item dominates another, and no table holds capacities so large.
    let weight = (1u64 << 62) - 1;
    let item = |at: u64| Item { profit: 1, weights: [weight / 50 - at, weight / 50 - 2000 + at, 0] };
    let problem =
        Multidim { dimensions: 2, capacities: [weight, weight, 0], items: (0..2000).map(item).collect() };
    assert!(matches!(solve(&problem, &Options::default()), Err(SolveError::Engine(_))));
}

#[test]
fn what_was_called_off_has_no_answer() {
    let cancel = isx::machine::Cancel::default();
    cancel.cancel();
    let problem = &generate_multidim(&MultidimRecipe::default()).unwrap()[0];
    for engine in ENGINES.iter().filter(|entry| entry.hardware == Hardware::Cpu && entry.auto != Auto::Never)
    {
        let machine = Machine::default().with_cancel(cancel.clone());
        let options = Options { engine: Choice::Named(engine), raw: true, machine, ..Options::default() };
        let Err(SolveError::Engine(refusal)) = solve(problem, &options) else { panic!("{engine:?}") };
        assert_eq!(refusal.cause, isx::engine::EngineError::Cancelled, "{engine:?}");
    }
}
