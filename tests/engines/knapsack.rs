//! The 0-1 knapsack engines against brute force: the best of one capacity and the front, with the items behind them.
//! Among several best selections of one capacity every engine returns one of the least weight.

use crate::common::Random;
use crate::common::designs::cases;
use crate::common::selections::front_of_items;
use isx::engine::knapsack::{ENGINES, Wanted};
use isx::engine::{Choice, EngineError, Hardware, Refusal};
use isx::machine::Machine;
use isx::problem::knapsack::generate::{Groups, Kind, KnapsackRecipe, generate_knapsack};
use isx::problem::knapsack::{Claim, Item, Knapsack};
use isx::quantity::Rational;
use isx::solve::SolveError;
use isx::solve::knapsack::{Options, solve};
use num_bigint::BigInt;

/// An instance of few items: ties, zero weights, items over the capacity, profits of any sign and width.
fn small_instance(random: &mut Random) -> Knapsack {
    let items = random.within(0, 9);
    let heaviest = random.pick(&[1u64, 3, 10, 30]);
    // Profits of 2, 30, 31, 62, 63 and 120 bits.
    let unit = random.pick(&[1i128, 1, 1, (1 << 28) - 1, 1 << 29, (1 << 60) - 1, 1 << 61, (1 << 117) - 1]);
    let near = unit == 1 && random.one_in(3);
    let least = random.pick(&[1i128, 1, 0, -3]);
    let strongly = random.one_in(3);
    let weight_unit = random.pick(&[1u64, 1, 1, 2, 6]);
    let item = |random: &mut Random| {
        let weight = random.within(0, heaviest);
        let profit = match i128::from(weight) {
            weight if near => weight + random.within(-1i128, 2),
            weight if strongly => (weight / 4 + 1).min(7),
            _ => random.within(least, 7),
        };
        // Slightly more than the unit, so that it is no common divisor.
        let beside = if random.one_in(4) { i128::from(unit > 1) } else { 0 };
        Item { profit: profit * unit + beside, weight: weight * weight_unit }
    };
    let items: Vec<Item> = (0..items).map(|_| item(random)).collect();
    let weight: u64 = items.iter().map(|item| item.weight).sum();
    let capacity = match random.within(0, 4) {
        0 => 0,
        1 => weight + random.within(0, 3),
        _ => random.within(0, weight),
    };
    Knapsack { items, capacity }
}

/// An instance of few items and fewer weights, with many equal items.
fn few_weights(random: &mut Random) -> Knapsack {
    let weights: Vec<u64> = (0..random.within(1, 3)).map(|_| random.within(1, 9)).collect();
    let unit = random.pick(&[1i128, 1, 1 << 29, 1 << 40, 1 << 117]);
    let most = random.pick(&[1i128, 3, 7]);
    let item =
        |random: &mut Random| Item { profit: random.within(1, most) * unit, weight: random.pick(&weights) };
    let items: Vec<Item> = (0..random.within(1, 10)).map(|_| item(random)).collect();
    let weight: u64 = items.iter().map(|item| item.weight).sum();
    Knapsack { items, capacity: random.within(0, weight + 1) }
}

fn front(claim: &Claim) -> Vec<(u64, BigInt)> {
    (0..claim.len()).map(|point| (claim.weights[point], claim.profits.get(point))).collect()
}

/// An engine's answer, summed again; `None` if its cells are too narrow.
fn answered(problem: &Knapsack, options: &Options) -> Option<Claim> {
    match solve(problem, options) {
        Ok(solution) => Some(solution.claim),
        Err(SolveError::Engine(Refusal {
            cause: EngineError::Arithmetic(_) | EngineError::Unavailable(_),
            ..
        })) => None,
        Err(error) => panic!("{error}: {problem:?} {options:?}"),
    }
}

#[test]
fn every_engine_is_right_on_small_instances() {
    let mut random = Random(1);
    let machines = [Machine::default().with_threads(1), Machine::default().with_threads(2)];
    let engines: Vec<_> = ENGINES.iter().filter(|engine| engine.hardware == Hardware::Cpu).collect();
    let mut answers = vec![0u64; engines.len() + 1];
    let cases = cases(40_000);
    for case in 0..cases {
        let problem = if random.one_in(3) { few_weights(&mut random) } else { small_instance(&mut random) };
        let wanted_front = front_of_items(&problem);
        let best = wanted_front.last().unwrap();
        let raw = random.one_in(3);
        let machine = machines[usize::from(random.one_in(8))].clone();
        let wanted = [Wanted::Value, Wanted::Best, Wanted::AllValues, Wanted::AllPicks][case as usize % 4];
        let choices = engines.iter().map(|&engine| Choice::Named(engine)).chain([Choice::Auto]);
        for (at, engine) in choices.enumerate() {
            let options = Options { engine, raw, wanted, machine: machine.clone(), ..Options::default() };
            let Some(claim) = answered(&problem, &options) else { continue };
            answers[at] += 1;
            let printed = format!("{problem:?} {options:?}");
            match wanted {
                Wanted::Value | Wanted::Best => {
                    assert_eq!(front(&claim), vec![best.clone()], "{printed}");
                    assert!(wanted == Wanted::Value || claim.chosen() == (0..1), "{printed}");
                }
                Wanted::AllValues => assert_eq!(front(&claim), wanted_front, "{printed}"),
                Wanted::AllPicks => {
                    assert_eq!(front(&claim), wanted_front, "{printed}");
                    assert_eq!(claim.chosen(), 0..claim.len(), "{printed}");
                }
            }
        }
    }
    // Some engines have no wide cells, or support one capacity only; each must have answered a fair share of the
    // cases.
    for (engine, &answers) in engines.iter().map(|engine| engine.name).chain(["auto"]).zip(&answers) {
        assert!(answers >= cases / 5, "{engine} answered {answers} of {cases} cases");
    }
    assert_eq!(answers.last(), Some(&cases), "some engine can take everything");
}

/// A small instance of a kind that `isx generate` supports, with as few different profits and weights as a small
/// range permits: many selections have equal profits, often with different weights.
fn small_of_a_kind(random: &mut Random, kind: Kind, items: u64) -> Knapsack {
    let range = random.pick(&[10u64, 20, 40, 400]);
    let recipe = KnapsackRecipe {
        kind,
        items,
        range,
        load: Rational::new(random.within(5u64, 95).into(), 100.into()),
        groups: Groups { capacity: range * 8, groups: 3, small: 5, ..Groups::default() },
        seed: random.within(0, u64::MAX / 2),
    };
    let mut problem = generate_knapsack(&recipe).unwrap();
    // Coarser profits: more ties, and an efficiency below 1.
    let coarse = random.pick(&[1i128, 1, 2, 7, 50]);
    for item in &mut problem.items {
        item.profit = (item.profit + coarse - 1) / coarse;
        // Tables of this kind are large for what they test.
        if kind == Kind::SimilarWeights {
            item.weight -= 99_900;
        }
    }
    let weight: u64 = problem.items.iter().map(|item| item.weight).sum();
    problem.capacity = problem.capacity.min(weight * random.within(1, 99) / 100);
    problem
}

#[test]
fn every_engine_gives_the_least_weight_for_every_kind_of_problem() {
    let mut random = Random(11);
    let engines: Vec<_> = ENGINES.iter().filter(|engine| engine.hardware == Hardware::Cpu).collect();
    let machine = Machine::default().with_threads(1);
    let cases = cases(40_000);
    let (mut answers, mut ties) = (vec![0u64; engines.len()], 0);
    for case in 0..cases {
        let (kind, _) = Kind::ALL[case as usize % Kind::ALL.len()];
        let items = random.within(3, 11);
        let problem = small_of_a_kind(&mut random, kind, items);
        let every = front_of_items(&problem);
        let best = every.last().unwrap();
        let raw = random.one_in(3);
        let mut first: Option<Vec<u32>> = None;
        let mut differs = false;
        for (engine, answers) in engines.iter().zip(&mut answers) {
            let options = Options {
                engine: Choice::Named(engine),
                raw,
                machine: machine.clone(),
                ..Options::default()
            };
            let Some(claim) = answered(&problem, &options) else { continue };
            assert_eq!(front(&claim), vec![best.clone()], "{kind} {problem:?} {options:?}");
            *answers += 1;
            let items = claim.items(0);
            differs |= first.is_some() && first != items;
            first = first.or(items);
        }
        ties += u64::from(differs);
    }
    assert!(answers.iter().all(|&answers| answers == cases), "{answers:?}");
    assert!(ties > cases / 100, "selections differ in {ties} cases");
}

/// An instance whose row exceeds the cache, so that light items form groups: uncorrelated, along a line, equal, or
/// with few weights.
fn medium_instance(random: &mut Random, kind: u64) -> Knapsack {
    let items = random.within(30, if kind == 4 { 250 } else { 60 });
    let heaviest = random.pick(&[300u64, 9_000, 90_000]);
    let weights: Vec<u64> = (0..random.within(1, 5)).map(|_| random.within(1, heaviest)).collect();
    let most = random.pick(&[1i128, 2, 1000]);
    let slope: i128 = random.pick(&[1, 1 << 40, (1 << 70) + 1]);
    let item = |random: &mut Random| {
        let weight = random.within(1, heaviest);
        match kind {
            0 => Item { profit: random.within(1, 1000), weight },
            1 => Item { profit: i128::from(weight) * slope + random.within(1, 99), weight },
            2 => Item { profit: random.within(1i128, 1000) << 33, weight },
            4 => Item { profit: random.within(1, most), weight: random.pick(&weights) },
            _ => Item { profit: i128::from(weight % 7 + 1), weight: weight % 7 + heaviest },
        }
    };
    let mut items: Vec<Item> = (0..items).map(|_| item(random)).collect();
    // Some heavy items in addition to the light ones.
    items.push(Item { profit: i128::from(250_000) * if kind == 1 { slope } else { 1 }, weight: 250_001 });
    items.extend_from_within(..random.within(0, 30));
    let weight: u64 = items.iter().map(|item| item.weight).sum();
    Knapsack { items, capacity: random.within(weight / 3, weight).min(400_000) }
}

#[test]
fn engines_agree_where_rows_pass_the_cache() {
    let mut random = Random(2);
    let judge = ENGINES.judge().unwrap();
    let machines = [Machine::default().with_threads(2), Machine::default().with_threads(1)];
    let mut answers = 0;
    for case in 0..cases(40_000) / 2_500 {
        let problem = medium_instance(&mut random, case % 5);
        let judged = |wanted| {
            let options = Options { engine: Choice::Named(judge), wanted, ..Options::default() };
            solve(&problem, &options).unwrap().claim
        };
        let wanted_front = front(&judged(Wanted::AllPicks));
        // Room for three rows of cells of 32 bits, or of 64 if they are needed, and hardly any decision bits.
        let row = (problem.capacity + 1024) * if case % 5 == 2 { 8 } else { 4 };
        let for_rows_alone = Machine::default().with_threads(2).with_max_memory(3 * row + 50_000);
        for engine in ENGINES.iter().filter(|engine| engine.hardware == Hardware::Cpu && !engine.judge) {
            for (wanted, machine) in [
                (Wanted::Best, &machines[0]),
                (Wanted::Best, &for_rows_alone),
                (Wanted::Value, &machines[1]),
                (Wanted::AllValues, &machines[0]),
                (Wanted::AllPicks, &machines[1]),
            ] {
                let raw = random.one_in(4);
                let engine = Choice::Named(engine);
                let options = Options { engine, raw, wanted, machine: machine.clone(), ..Options::default() };
                let claim = match solve(&problem, &options) {
                    Ok(solution) => solution.claim,
                    Err(SolveError::Engine(_)) => continue,
                    Err(error) => panic!("{error}: {case} {options:?}"),
                };
                answers += 1;
                if claim.len() == 1 {
                    assert_eq!(front(&claim), wanted_front[wanted_front.len() - 1..], "{case} {options:?}");
                } else {
                    assert!(front(&claim) == wanted_front, "{case} {options:?}");
                }
            }
        }
    }
    assert!(answers >= cases(40_000) / 2_500, "{answers}");
}
