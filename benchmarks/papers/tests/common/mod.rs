//! Random problems of every family, and the comparison of its engines with the textbook's loop.

#![allow(dead_code)]

use crate::random::Random;
use isx_engine::{Choice, Hardware, Registry};
use isx_machine::Machine;
use isx_papers::answer::{Question, solve};
use isx_papers::{lcs, multidim, tsp};
use std::fmt::Debug;

/// Random cases, as many as `ISX_CASES` asks for.
pub fn cases(otherwise: u64) -> u64 {
    std::env::var("ISX_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(otherwise)
}

/// Two sequences of one, two, four or many letters.
pub fn pair(random: &mut Random, longest: u64) -> lcs::Pair {
    let letters = random.pick(&[1u64, 2, 4, 256]);
    let mut text = || (0..random.within(0, longest)).map(|_| random.within(0, letters - 1) as u8).collect();
    lcs::Pair { rows: text(), columns: text() }
}

/// One to so many cities, with distances of a few or many bits, negative ones too, that may differ in the two directions.
pub fn tour(random: &mut Random, most: u64) -> tsp::Problem {
    let cities = random.within(1, most) as usize;
    let longest = random.pick(&[2i64, 1000, 1 << 40]);
    let symmetric = random.one_in(2);
    let mut distances: Vec<i64> =
        (0..cities * cities).map(|_| random.within(-longest / 8, longest)).collect();
    for at in 0..cities * cities {
        let (from, to) = (at / cities, at % cities);
        if symmetric && to < from {
            distances[at] = distances[to * cities + from];
        }
    }
    tsp::Problem::new(distances).expect("short enough")
}

/// Problems of one to three dimensions, with profits close to their weights.
pub fn batch(random: &mut Random, problems: u64, most_items: u64) -> multidim::Batch {
    let scale = random.pick(&[1i128, 1 << 16]);
    let mut problem = |_| {
        let dimensions = random.within(1usize, 3);
        let sides: &[u64] = if dimensions < 3 { &[0, 1, 7, 31, 32, 33, 90] } else { &[0, 2, 9, 20] };
        let mut capacities = [0; 3];
        capacities[..dimensions].fill_with(|| random.pick(sides));
        let item = |random: &mut Random| {
            let mut weights = capacities.map(|capacity| random.within(0, capacity + 1));
            weights[dimensions..].fill(0);
            let sum: u64 = weights.iter().sum();
            let profit = i128::from(sum + random.within(0u64, 9)) * scale - random.within(0i128, 2);
            multidim::Item { profit, weights }
        };
        let items = (0..random.within(0, most_items)).map(|_| item(random)).collect();
        multidim::Problem { dimensions, capacities, items }
    };
    multidim::Batch((0..problems).map(&mut problem).collect())
}

/// Compares the engines of a registry for that hardware with its judge, on each of these machines; an engine may refuse for
/// memory on all but the first. Returns how many answers were compared.
pub fn same_as_the_judge<Q: Question<Found: Debug + PartialEq, Problem: Debug>>(
    registry: &'static Registry<Q>,
    problem: &Q::Problem,
    wanted: Q::Wanted,
    hardware: Hardware,
    machines: &[Machine],
) -> usize {
    let judge = registry.judge().expect("there is one");
    let expected = solve(registry, problem, wanted, Choice::Named(judge), &Machine::default());
    let expected = expected.unwrap_or_else(|error| panic!("{error}: {problem:?}")).claim;
    let mut compared = 0;
    for entry in registry.iter().filter(|entry| !entry.judge && entry.hardware == hardware) {
        for (at, machine) in machines.iter().enumerate() {
            match solve(registry, problem, wanted, Choice::Named(entry), machine) {
                Ok(solution) => {
                    assert_eq!(solution.claim, expected, "{}: {problem:?}", entry.name);
                    compared += 1;
                }
                Err(error) => assert!(at > 0, "{}: {error}: {problem:?}", entry.name),
            }
        }
    }
    compared
}
