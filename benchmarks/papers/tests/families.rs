//! Every engine of the CPU equals the textbook's loop of its family; the loops equal all
//! selections and orders one by one.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;
#[path = "../../../tests/common/random.rs"]
mod random;

use common::{batch, cases, pair, same_as_the_judge, tour};
use isx_engine::{Choice, Hardware};
use isx_machine::{Cancel, Machine};
use isx_papers::answer::solve;
use isx_papers::{lcs, multidim, tsp};
use num_bigint::BigInt;
use random::Random;

/// Much memory, and so little that some tables are refused.
fn machines(random: &mut Random, little: (u64, u64)) -> [Machine; 2] {
    let roomy = Machine::default().with_threads(random.within(1usize, 2));
    [roomy.clone(), roomy.with_max_memory(random.within(little.0, little.1))]
}

#[test]
fn subsequences_are_the_judges() {
    let (mut random, mut compared) = (Random(61), 0);
    for case in 0..cases(2000) {
        let pair = pair(&mut random, if case % 4 == 0 { 200 } else { 60 });
        let wanted = random.pick(&[lcs::Wanted::Length, lcs::Wanted::Subsequence]);
        let machines = machines(&mut random, (4000, 20_000));
        compared += same_as_the_judge(&lcs::ENGINES, &pair, wanted, Hardware::Cpu, &machines);
    }
    assert!(compared as u64 > cases(2000), "only {compared} answers were compared");
}

#[test]
fn tours_are_the_judges() {
    let (mut random, mut compared) = (Random(62), 0);
    for _ in 0..cases(400) {
        let problem = tour(&mut random, 10);
        let machines = machines(&mut random, (8000, 40_000));
        compared += same_as_the_judge(&tsp::ENGINES, &problem, (), Hardware::Cpu, &machines);
    }
    assert!(compared as u64 >= cases(400), "only {compared} answers were compared");
    // Waves that several threads share.
    let problem = tsp::Problem::new((0..17 * 17).map(|at| (at * 7919) % 1009).collect()).unwrap();
    same_as_the_judge(&tsp::ENGINES, &problem, (), Hardware::Cpu, &[Machine::default().with_threads(2)]);
}

#[test]
fn the_textbooks_tour_is_the_shortest_of_all() {
    let mut random = Random(63);
    for _ in 0..cases(300) {
        let problem = tour(&mut random, 7);
        let found = solve(&tsp::ENGINES, &problem, (), Choice::Auto, &Machine::default()).unwrap().claim;
        let mut shortest = i64::MAX;
        let mut rest: Vec<usize> = (1..problem.cities()).collect();
        orders(&mut rest, 0, &mut |order| {
            let (mut at, mut length) = (0, 0);
            for &city in order.iter().chain(&[0]) {
                length += problem.distance(at, city);
                at = city;
            }
            shortest = shortest.min(length);
        });
        assert_eq!(found.length, shortest, "{problem:?}");
    }
}

/// Every order of the cities from a place on.
fn orders(cities: &mut Vec<usize>, from: usize, each: &mut dyn FnMut(&[usize])) {
    if from == cities.len() {
        return each(cities);
    }
    for other in from..cities.len() {
        cities.swap(from, other);
        orders(cities, from + 1, each);
        cities.swap(from, other);
    }
}

#[test]
fn the_textbooks_selection_is_the_best_of_all() {
    let mut random = Random(64);
    for _ in 0..cases(300) {
        let batch = batch(&mut random, 2, 10);
        let found = solve(&multidim::ENGINES, &batch, (), Choice::Auto, &Machine::default()).unwrap().claim;
        for (problem, best) in batch.0.iter().zip(found) {
            let taken = |set: u32| (0..problem.items.len()).filter(move |at| set >> at & 1 == 1);
            let fits = |&set: &u32| {
                let weight = |d: usize| taken(set).map(|at| problem.items[at].weights[d]).sum::<u64>();
                (0..problem.dimensions).all(|d| weight(d) <= problem.capacities[d])
            };
            let profit = |set: u32| taken(set).map(|at| problem.items[at].profit).sum::<i128>();
            let most = (0..1u32 << problem.items.len()).filter(fits).map(profit).max().unwrap();
            assert_eq!(best.profit, BigInt::from(most), "{problem:?}");
        }
    }
}

#[test]
fn what_is_called_off_has_no_answer() {
    let cancel = Cancel::default();
    cancel.cancel();
    let machine = Machine::default().with_cancel(cancel);
    let mut random = Random(65);
    let (pair, problem) = (pair(&mut random, 300), tsp::Problem::new(vec![3; 15 * 15]).unwrap());
    for entry in lcs::ENGINES.iter().filter(|entry| entry.hardware == Hardware::Cpu) {
        let wanted = lcs::Wanted::Length;
        assert!(solve(&lcs::ENGINES, &pair, wanted, Choice::Named(entry), &machine).is_err(), "{entry:?}");
    }
    for entry in tsp::ENGINES.iter().filter(|entry| entry.hardware == Hardware::Cpu) {
        assert!(solve(&tsp::ENGINES, &problem, (), Choice::Named(entry), &machine).is_err(), "{entry:?}");
    }
}
