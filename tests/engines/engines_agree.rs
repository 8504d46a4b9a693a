//! Every engine gives the same front and the same items behind every point, on random problems of every kind, and on the smallest
//! of them those of all selections.
//!
//! `ISX_CASES` sets the number of problems (default 50,000). A failure names the seed of its problem.

// Helpers of a test are tests, too.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common::Random;
use crate::common::selections::{Selection, front_of};
use isx::engine::mckp::dense::{Dense, Narrowing, Settings};
use isx::engine::mckp::{Answer, ENGINES, Mckp as Family, Wanted};
use isx::engine::{Context, Engine, EngineError, Request};
use isx::machine::cpu::lanes::Isa;
use isx::machine::{Machine, OverMemory};
use isx::problem::mckp::{Choice, Item, Mckp};
use isx::problem::value::Tier;
use isx::reduce::mckp::{Options, Tiered, reduce};
use num_bigint::BigInt;
use std::sync::atomic::{AtomicU64, Ordering};

/// A problem: mostly tiny, sometimes with a capacity that spans several strips and classes that get bounds.
fn problem(random: &mut Random) -> Mckp<i64> {
    let large = random.one_in(150);
    let classes = random.within(0, if large { 4 } else { 7 });
    let capacity = match random.within(0, 9) {
        _ if large => random.within(3_000, 13_000),
        0 => 0,
        1 => random.within(200, 700),
        _ => random.within(1, 60),
    };
    // Narrow ranges cause ties, wide ones exceed the capacity and 16 bits.
    let heaviest = [2, 7, capacity / 3 + 1, capacity + 20][random.within(0, 3) as usize];
    let dearest = [3, 30, 20_000, 100_000_000, 1 << 43][random.within(0, 4) as usize];
    let least = if random.one_in(2) { 0 } else { -dearest / 2 };
    let correlated = random.one_in(3);
    let class = |random: &mut Random| -> Vec<Item<i64>> {
        let items = random.within(1, if large { 60 } else { 9 });
        let lightest = if random.one_in(4) { heaviest / 2 } else { 0 };
        let item = |random: &mut Random| {
            let weight = random.within(lightest, heaviest);
            let value = if correlated { weight + random.within(0, 3) } else { random.within(least, dearest) };
            Item { value, weight: weight as u64 }
        };
        let mut items: Vec<_> = (0..items).map(|_| item(random)).collect();
        if random.one_in(3) {
            let again = items[random.within(0, items.len() as i64 - 1) as usize].clone();
            items.push(again);
        }
        items
    };
    let classes = (0..classes).map(|_| class(random)).collect();
    let choice = if random.one_in(2) { Choice::ExactlyOne } else { Choice::Optional };
    Mckp { classes, capacity: capacity as u64, choice }
}

/// Configurations of the dense engine that together cover every path through it.
fn variants() -> Vec<(String, Dense)> {
    let mut variants = vec![("as users run it".to_string(), Dense::AUTO)];
    for isa in Isa::available() {
        for narrowing in [Narrowing::Never, Narrowing::WherePaying, Narrowing::WherePossible] {
            for (bound_from, all_threads) in [(0, true), (usize::MAX, true), (3, true), (3, false)] {
                let settings = Settings { isa: Some(isa), narrowing, bound_from, all_threads };
                variants.push((format!("{settings:?}"), Dense::with(settings)));
            }
        }
    }
    variants
}

/// The items of every point that has them, one row per point.
fn items(problem: &Tiered, answer: &Answer) -> Vec<Vec<usize>> {
    (0..answer.weights.len()).filter_map(|point| answer.items(point, problem.classes())).collect()
}

fn values(answer: &Answer) -> Vec<BigInt> {
    (0..answer.weights.len()).map(|point| answer.values.get(point)).collect()
}

/// An answer in terms of the problem before its reduction.
fn points(reduced: &Tiered, answer: &Answer) -> Vec<Selection> {
    let point = |at: usize| {
        let mut original = reduced.back().fixed.clone();
        for (class, item) in answer.items(at, reduced.classes()).unwrap().into_iter().enumerate() {
            original[reduced.back().class_origin[class]] = reduced.origin(class)[item];
        }
        let value = reduced.back().value(&answer.values.get(at));
        (reduced.back().weight(answer.weights[at]), value, original)
    };
    (0..answer.weights.len()).map(point).collect()
}

fn solve(
    engine: &dyn Engine<Family>,
    problem: &Tiered,
    wanted: Wanted,
    machine: &Machine,
) -> Result<Answer, EngineError> {
    engine.plan(Request { problem, wanted, context: &Context::new(machine) })?.run()
}

fn named(name: &str) -> &'static dyn Engine<Family> {
    ENGINES.named(name).unwrap().engine
}

/// Asserts that the engine's answer equals the reference's.
fn assert_same(
    engine: &dyn Engine<Family>,
    problem: &Tiered,
    wanted: Wanted,
    machine: &Machine,
    expected: &Answer,
    printed: &str,
) {
    let answer = solve(engine, problem, wanted, machine).unwrap_or_else(|error| panic!("{printed}: {error}"));
    assert_eq!(answer.weights, expected.weights, "weights, {printed}");
    assert_eq!(values(&answer), values(expected), "values, {printed}");
    let (found, all) = (items(problem, &answer), items(problem, expected));
    match wanted {
        Wanted::Values => assert!(answer.picks.is_none(), "{printed}"),
        Wanted::BestPicks => assert_eq!(found[..], all[all.len() - 1..], "best items, {printed}"),
        Wanted::AllPicks => assert_eq!(found, all, "items, {printed}"),
    }
}

/// The least memory that the engine reports as sufficient.
fn least_memory(engine: &dyn Engine<Family>, problem: &Tiered, wanted: Wanted, machine: &Machine) -> u64 {
    let refused = |bytes| solve(engine, problem, wanted, &machine.clone().with_max_memory(bytes));
    let Err(EngineError::Memory(OverMemory { needed, .. })) = refused(0) else {
        panic!("an engine that needs no memory")
    };
    assert!(matches!(refused(needed - 1), Err(EngineError::Memory(_))));
    needed
}

/// How many problems were compared, and how many with all selections.
fn check(seed: u64, variants: &[(String, Dense)]) -> (u64, u64) {
    let random = &mut Random(seed);
    let problem = problem(random);
    let at_least = if random.one_in(3) { Tier::I64 } else { Tier::I32 };
    let options = Options { raw: random.one_in(2), at_least };
    let all = front_of(&problem, 1_000);
    let Ok(reduced) = reduce(&problem, options) else {
        assert!(all.is_none_or(|all| all.is_empty()), "called infeasible: {problem:?}");
        return (0, 0);
    };
    let one = Machine::default().with_threads(1);
    let expected = solve(named("reference"), &reduced, Wanted::AllPicks, &one).unwrap();
    let printed = |what: &str| format!("{what}, seed {seed}, {options:?}\n{problem:?}");
    if let Some(all) = &all {
        assert_eq!(points(&reduced, &expected), *all, "{}", printed("all selections"));
    }
    assert_same(named("list"), &reduced, Wanted::AllPicks, &one, &expected, &printed("list"));

    // One variant with all items, another with fewer, sometimes with little memory; all in turn.
    let (name, engine) = &variants[random.within(0, variants.len() as i64 - 1) as usize];
    let mut machine = one;
    if random.one_in(32) {
        machine = Machine::default().with_threads(if random.one_in(2) { 2 } else { 5 });
    }
    if random.one_in(3) {
        let least = least_memory(engine, &reduced, Wanted::AllPicks, &machine);
        machine =
            machine.with_max_memory(if random.one_in(2) { least } else { least + random.next() % 20_000 });
    }
    assert_same(engine, &reduced, Wanted::AllPicks, &machine, &expected, &printed(name));
    let (name, engine) = &variants[random.within(0, variants.len() as i64 - 1) as usize];
    let wanted = if random.one_in(2) { Wanted::Values } else { Wanted::BestPicks };
    if random.one_in(3) {
        let least = least_memory(engine, &reduced, wanted, &machine);
        machine = machine.with_max_memory(least);
    }
    assert_same(engine, &reduced, wanted, &machine, &expected, &printed(name));
    (1, u64::from(all.is_some()))
}

#[test]
fn all_engines_give_the_same_points_and_items() {
    let cases: u64 = std::env::var("ISX_CASES").map_or(50_000, |cases| cases.parse().unwrap());
    let variants = variants();
    let counts = [const { AtomicU64::new(0) }; 2];
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    std::thread::scope(|scope| {
        for first in 0..threads {
            let (counts, variants) = (&counts, &variants);
            scope.spawn(move || {
                for seed in (first..cases).step_by(threads as usize) {
                    let (compared, judged) = check(seed, variants);
                    counts[0].fetch_add(compared, Ordering::Relaxed);
                    counts[1].fetch_add(judged, Ordering::Relaxed);
                }
            });
        }
    });
    let [compared, judged] = counts.map(AtomicU64::into_inner);
    println!(
        "{compared} of {cases} problems were feasible and compared, {judged} with all selections, over {} variants",
        variants.len()
    );
    assert!(compared * 2 > cases && judged * 5 > cases, "{compared} and {judged} of {cases} problems");
}
