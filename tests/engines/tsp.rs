//! The engines of the travelling salesman problem: compared with all orders of few cities, with each other, on
//! problems with known shortest tours, and at the limits of their inputs.

use crate::common::Random;
use isx::engine::tsp::layers::Layers;
use isx::engine::tsp::{Answer, ENGINES, Tsp as Family};
use isx::engine::{Choice, Context, Engine, EngineError, Hardware, Request};
use isx::machine::cpu::lanes::Isa;
use isx::machine::{Cancel, Machine};
use isx::problem::tsp::tsplib::parse;
use isx::problem::tsp::{Claim, Tsp, witness};
use isx::solve::SolveError;
use isx::solve::tsp::{Options, solve};

fn cases(unless_set: u64) -> u64 {
    std::env::var("ISX_CASES").map_or(unless_set, |cases| cases.parse().unwrap())
}

/// Distances of several sizes, so that ties, negative distances and both cell widths all occur.
fn problem(random: &mut Random, cities: usize, symmetric: bool) -> Tsp {
    let (least, most) =
        random.pick(&[(0i64, 1i64), (1, 4), (-3, 3), (0, 1000), (0, 1 << 27), (-(1 << 50), 1 << 50)]);
    let mut distances: Vec<i64> = (0..cities * cities).map(|_| random.within(least, most)).collect();
    if symmetric {
        for at in 0..cities * cities {
            distances[at] = distances[at % cities * cities + at / cities];
        }
    }
    Tsp::new((1..=cities as u64).collect(), distances).unwrap()
}

fn answer(engine: &dyn Engine<Family>, problem: &Tsp, machine: &Machine) -> Result<Answer, EngineError> {
    let context = Context::new(machine);
    let answer = engine.plan(Request { problem, wanted: (), context: &context })?.run()?;
    let claim = Claim { length: answer.length, tour: answer.tour.clone() };
    witness(problem, &claim).unwrap_or_else(|error| panic!("{error}: {problem:?}"));
    Ok(answer)
}

/// The shortest tour by enumerating every order; of several the one whose last half is the least set, then the one
/// with the least city before that, then the least on both sides of it.
fn every_order(problem: &Tsp) -> (i64, Vec<usize>) {
    let others = problem.cities() - 1;
    let mut order: Vec<usize> = (0..=others).collect();
    let mut best: Option<(i64, u64, usize, Vec<usize>)> = None;
    loop {
        let ways = order.iter().zip(order.iter().cycle().skip(1));
        let length = ways.map(|(&from, &to)| problem.distance(from, to)).sum();
        let turn = others - others / 2;
        let last = order[turn + 1..].iter().map(|&city| 1 << city).sum();
        let found = (length, last, order[turn], order.clone());
        if best.as_ref().is_none_or(|best| found < *best) {
            best = Some(found);
        }
        // The next permutation in lexicographic order.
        let Some(at) = (1..others).rev().find(|&at| order[at] < order[at + 1]) else { break };
        let with = (at + 1..=others).rev().find(|&with| order[with] > order[at]).unwrap();
        order.swap(at, with);
        order[at + 1..].reverse();
    }
    let (length, _, _, tour) = best.unwrap();
    (length, tour)
}

#[test]
fn tours_equal_those_of_every_order() {
    let random = &mut Random(1);
    let machine = Machine::default();
    let (mut decided, mut tied) = (0, 0);
    for case in 0..cases(1500) {
        let problem = problem(random, 1 + case as usize % 8, random_bit(case));
        let (length, tour) = every_order(&problem);
        for entry in ENGINES.iter().filter(|entry| entry.hardware == Hardware::Cpu) {
            let found = answer(entry.engine, &problem, &machine).unwrap();
            assert_eq!((found.length, &found.tour), (length, &tour), "{entry:?} {problem:?}");
        }
        let reversed = std::iter::once(0).chain(tour[1..].iter().rev().copied()).collect();
        tied += u64::from(witness(&problem, &Claim { length, tour: reversed }).is_ok());
        decided += 1;
    }
    assert!(tied > decided / 3, "{tied} of {decided} problems have several shortest tours");
}

/// Symmetric every second time, for any number of cities.
fn random_bit(case: u64) -> bool {
    (case / 8).is_multiple_of(2)
}

#[test]
fn every_way_of_working_finds_the_judges_tour() {
    let random = &mut Random(2);
    let judge = ENGINES.judge().unwrap().engine;
    let machines = [1, 3].map(|threads| Machine::default().with_threads(threads));
    for case in 0..cases(48).min(10_000) {
        let problem = problem(random, 9 + case as usize % 6, case % 4 < 2);
        let wanted = answer(judge, &problem, &machines[0]).unwrap();
        for isa in Isa::available() {
            for machine in &machines {
                let found = answer(&Layers::on(isa), &problem, machine).unwrap();
                assert_eq!((found.length, &found.tour), (wanted.length, &wanted.tour), "{isa:?} {problem:?}");
            }
        }
    }
}

#[test]
fn more_sets_than_a_thread_takes_at_a_time_are_shared_out_without_a_trace() {
    let random = &mut Random(3);
    for symmetric in [true, false] {
        // Many ties: which of the shortest tours is returned must not depend on the engine.
        let mut distances: Vec<i64> = (0..324).map(|_| random.within(1, 2)).collect();
        if symmetric {
            (0..324).for_each(|at| distances[at] = distances[at % 18 * 18 + at / 18]);
        }
        let problem = Tsp::new((1..=18).collect(), distances).unwrap();
        let found: Vec<Vec<usize>> = [1, 2, 7]
            .map(|threads| answer(&Layers::AUTO, &problem, &Machine::default().with_threads(threads)))
            .map(|answer| answer.unwrap().tour)
            .into();
        assert!(found.iter().all(|tour| *tour == found[0]), "{found:?}");
        let judge = ENGINES.judge().unwrap().engine;
        assert_eq!(answer(judge, &problem, &Machine::default()).unwrap().tour, found[0]);
    }
}

#[test]
fn the_known_tours_of_tsplib_are_found() {
    let known = [
        (include_str!("../data/tsp/burma14.tsp"), 3323),
        (include_str!("../data/tsp/ulysses16.tsp"), 6859),
        (include_str!("../data/tsp/gr24.tsp"), 1272),
    ];
    for (text, length) in known {
        let read = parse(text).unwrap();
        let solution = solve(&read.problem().unwrap(), &Options::default()).unwrap();
        assert_eq!(solution.claim.length, length, "{}", read.name());
    }
}

#[test]
fn lengths_at_the_ends_of_their_range_are_exact() {
    // Every tour leaves each city once, so the sum of all distances of a tour stays just below 2^62, and 2^30.
    for (cities, far) in
        [(5usize, (1i64 << 62) / 5), (7, (1 << 30) / 7), (2, (1 << 61) - 1), (9, (1 << 62) / 9)]
    {
        for sign in [1, -1] {
            let distances: Vec<i64> = (0..cities * cities).map(|at| sign * (far - (at % 3) as i64)).collect();
            let problem = Tsp::new((1..=cities as u64).collect(), distances).unwrap();
            let (length, tour) = every_order(&problem);
            for entry in ENGINES.iter().filter(|entry| entry.hardware == Hardware::Cpu) {
                let found = answer(entry.engine, &problem, &Machine::default()).unwrap();
                assert_eq!((found.length, &found.tour), (length, &tour), "{entry:?} {cities}");
            }
        }
    }
    let alone = Tsp::new(vec![7], vec![i64::MAX]).unwrap();
    for entry in ENGINES.iter().filter(|entry| entry.hardware == Hardware::Cpu) {
        let found = answer(entry.engine, &alone, &Machine::default()).unwrap();
        assert_eq!((found.length, found.tour), (0, vec![0]));
    }
}

#[test]
fn too_many_cities_are_refused_before_anything_is_allocated() {
    let random = &mut Random(4);
    let needed = |cities: usize, allowed: u64, engine| {
        let problem = problem(&mut Random(cities as u64), cities, true);
        let machine = Machine::default().with_max_memory(allowed);
        let options = Options { engine, machine, ..Options::default() };
        match solve(&problem, &options) {
            Err(SolveError::Engine(refusal)) => refusal.cause.over_memory().unwrap().needed,
            other => panic!("{other:?}"),
        }
    };
    for entry in ENGINES.iter().filter(|entry| entry.hardware == Hardware::Cpu) {
        let by = |cities, allowed| needed(cities, allowed, Choice::Named(entry));
        assert!(by(40, 4 << 30) > 1 << 40, "{entry:?}");
        assert!(by(48, u64::MAX) > 1 << 47, "{entry:?}");
        // A problem that is refused with one byte less is solved with all.
        let bytes = by(13, 1);
        assert_eq!(by(13, bytes - 1), bytes);
        let enough = Machine::default().with_max_memory(bytes);
        assert!(answer(entry.engine, &problem(&mut Random(13), 13, true), &enough).is_ok());
    }
    let many = problem(random, 280, true);
    for entry in ENGINES.iter() {
        let refused = answer(entry.engine, &many, &Machine::default().with_max_memory(u64::MAX)).unwrap_err();
        assert!(matches!(&refused, EngineError::TooLarge(why) if why.contains("280 cities")), "{refused}");
    }
}

#[test]
fn what_was_called_off_ends_without_an_answer() {
    let cancel = Cancel::default();
    cancel.cancel();
    let machine = Machine::default().with_cancel(cancel);
    let problem = problem(&mut Random(5), 14, false);
    for entry in ENGINES.iter().filter(|entry| entry.hardware == Hardware::Cpu) {
        assert_eq!(
            answer(entry.engine, &problem, &machine).unwrap_err(),
            EngineError::Cancelled,
            "{entry:?}"
        );
    }
}
