//! The dense engine against brute force: every selection of tiny problems, every configuration of the engine. No
//! planner and no other engine is involved.

// Helpers of a test are tests, too.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common::Random;
use isx::engine::mckp::dense::{Dense, Narrowing, Settings};
use isx::engine::mckp::{Answer, Wanted};
use isx::engine::{Context, Engine, Request};
use isx::machine::Machine;
use isx::machine::cpu::lanes::Isa;
use isx::problem::mckp::{Choice, Item, Mckp};
use isx::problem::value::Tier;
use isx::reduce::mckp::{Options, Tiered, reduce};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// A point of a front: weight, value, and the index of each class's item in the file (`None`: no item).
type Point = (u64, i64, Vec<Option<u32>>);

/// Up to four classes of up to five items, of values that need 16, 32 or 64 bits.
fn problem(random: &mut Random) -> Mckp<i64> {
    let scale = [1, 1 << 14, 1 << 27, 1 << 40][random.within(0, 3) as usize];
    let heaviest = [3, 20, 700, 5000][random.within(0, 3) as usize];
    let class = |random: &mut Random| -> Vec<Item<i64>> {
        let item = |random: &mut Random| Item {
            value: (random.within(0, 12) as i64 - 4) * scale,
            weight: random.within(0, heaviest),
        };
        (0..random.within(1, 5)).map(|_| item(random)).collect()
    };
    Mckp {
        classes: (0..random.within(0, 4)).map(|_| class(random)).collect(),
        capacity: random.within(0, 3 * heaviest),
        choice: if random.one_in(2) { Choice::ExactlyOne } else { Choice::Optional },
    }
}

/// The front by enumerating all selections; if several give a point, the first one, comparing from the last class to
/// the first, with no item before the first of the file.
fn every_selection(problem: &Mckp<i64>) -> Vec<Point> {
    let mut selections = vec![(0u64, 0i64, Vec::new())];
    for items in &problem.classes {
        let none = (problem.choice == Choice::Optional).then_some((0, 0, None));
        let listed = (0u32..).zip(items).map(|(at, item)| (item.weight, item.value, Some(at)));
        let choices: Vec<_> = none.into_iter().chain(listed).collect();
        let extended = selections.iter().flat_map(|(weight, value, picks): &Point| {
            choices.iter().map(move |&(more_weight, more_value, pick)| {
                let picks: Vec<_> = picks.iter().copied().chain([pick]).collect();
                (weight + more_weight, value + more_value, picks)
            })
        });
        selections = extended.collect();
    }
    selections.retain(|(weight, ..)| *weight <= problem.capacity);
    selections.sort_by(|a, b| {
        a.0.cmp(&b.0).then(b.1.cmp(&a.1)).then_with(|| a.2.iter().rev().cmp(b.2.iter().rev()))
    });
    let mut best = i64::MIN;
    selections.retain(|&(_, value, _)| {
        let rises = value > best || best == i64::MIN;
        best = best.max(value);
        rises
    });
    selections
}

/// The answer in terms of the original problem.
fn points(reduced: &Tiered, answer: &Answer) -> Vec<Point> {
    let point = |at: usize| {
        let mut original = reduced.back().fixed.clone();
        for (class, item) in answer.items(at, reduced.classes()).unwrap().into_iter().enumerate() {
            original[reduced.back().class_origin[class]] = reduced.origin(class)[item];
        }
        let value: BigInt = reduced.back().value(&answer.values.get(at));
        (reduced.back().weight(answer.weights[at]), value.to_i64().unwrap(), original)
    };
    (0..answer.weights.len()).map(point).collect()
}

#[test]
fn every_way_of_working_finds_what_brute_force_finds() {
    let mut ways = Vec::new();
    for isa in Isa::available() {
        for narrowing in [Narrowing::Never, Narrowing::WherePaying, Narrowing::WherePossible] {
            for bound_from in [0, 3, usize::MAX] {
                for (all_threads, threads) in [(false, 1), (true, 1), (true, 3)] {
                    let settings = Settings { isa: Some(isa), narrowing, bound_from, all_threads };
                    ways.push((settings, threads));
                }
            }
        }
    }
    let machines: Vec<Machine> = (0..=3).map(|threads| Machine::default().with_threads(threads)).collect();
    let random = &mut Random(7);
    let (mut compared, mut found) = (0, 0);
    while compared < 400 {
        let problem = problem(random);
        let options =
            Options { raw: random.one_in(2), at_least: if random.one_in(2) { Tier::I32 } else { Tier::I64 } };
        let expected = every_selection(&problem);
        let Ok(reduced) = reduce(&problem, options) else {
            assert!(expected.is_empty(), "called infeasible: {problem:?}");
            continue;
        };
        for &(settings, threads) in &ways {
            let (engine, machine) = (Dense::with(settings), &machines[threads]);
            let context = Context::new(machine);
            let request = Request { problem: &reduced, wanted: Wanted::AllPicks, context: &context };
            let answer = engine.plan(request).unwrap().run().unwrap();
            assert_eq!(
                points(&reduced, &answer),
                expected,
                "{settings:?}, {threads}, {options:?}, {problem:?}"
            );
        }
        compared += 1;
        found += expected.len();
    }
    assert!(found > 2 * compared, "{found} points of {compared} problems are too few to tell anything");
}
