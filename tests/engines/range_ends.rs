//! Accepted inputs work at the limits of their ranges: capacities, weights, values, memory and threads.

// Helpers of a test are tests, too.
#![allow(clippy::unwrap_used, clippy::panic)]

use isx::engine::mckp::{ENGINES, Wanted};
use isx::engine::{Context, EngineError, Request};
use isx::explore::explore;
use isx::machine::{Machine, OverMemory};
use isx::problem::mckp::text::parse;
use isx::problem::mckp::{Choice, Item, Mckp};
use isx::problem::resources;
use isx::problem::value::Tier;
use isx::reduce::mckp::{MAX_CAPACITY, Options, reduce};
use isx::solve::{self, solve};
use num_bigint::BigInt;

const WANTED: [Wanted; 3] = [Wanted::Values, Wanted::BestPicks, Wanted::AllPicks];

/// Problems at the limits of the ranges that readers accept.
fn problems() -> Vec<Mckp<BigInt>> {
    let mut problems = Vec::new();
    let largest = u64::MAX;
    let value = |bits: u32, less: i32| (BigInt::from(1) << bits) - less;
    let values = [
        0.into(),
        1.into(),
        value(30, 1),
        value(30, 0),
        value(62, 1),
        value(62, 0),
        value(126, 1),
        value(126, 0),
    ];
    for choice in [Choice::Optional, Choice::ExactlyOne] {
        for capacity in [0, 1, 1 << 62, largest] {
            problems.push(Mckp { classes: vec![], capacity, choice });
            for value in &values {
                for weight in [0, 1, largest / 6, 1 << 62, largest - 1, largest] {
                    let item = |value: &BigInt, weight| Item { value: value.clone(), weight };
                    let zero = item(&0.into(), 0);
                    let class = vec![zero.clone(), item(value, weight), item(&-value, weight / 2)];
                    problems.push(Mckp { classes: vec![vec![item(value, weight)]], capacity, choice });
                    problems.push(Mckp { classes: vec![class.clone()], capacity, choice });
                    problems.push(Mckp { classes: vec![class.clone(), class], capacity, choice });
                }
            }
        }
    }
    problems
}

#[test]
fn every_engine_estimates_and_solves_or_refuses_what_is_at_the_ends_of_its_range() {
    let (mut estimates, mut largest, mut solved, mut refused) = (0, 0, 0, 0);
    for problem in problems() {
        for raw in [false, true] {
            let Ok(reduced) = reduce(&problem, Options { raw, at_least: Tier::I32 }) else { continue };
            for (engine, wanted) in ENGINES.iter().flat_map(|engine| WANTED.map(|wanted| (engine, wanted))) {
                for (threads, max_memory) in
                    [(1, 0), (1, 1 << 20), (1, u64::MAX), (1024, 0), (1024, u64::MAX)]
                {
                    let machine = Machine::default().with_threads(threads).with_max_memory(max_memory);
                    let context = Context::new(&machine);
                    let plan = engine.engine.plan(Request { problem: &reduced, wanted, context: &context });
                    let estimate = plan.as_ref().map(|plan| (plan.estimate.seconds, plan.estimate.bytes));
                    if let Ok((seconds, bytes)) = estimate {
                        assert!(seconds.is_finite() && seconds >= 0.0, "{problem:?}");
                        estimates += 1;
                        // Not everything that fits is worth a test's time.
                        if threads > 1 || (max_memory == u64::MAX && bytes >= 1 << 20) {
                            continue;
                        }
                    }
                    match plan.and_then(|plan| plan.run()) {
                        Ok(answer) => {
                            assert_eq!(answer.weights[0], 0);
                            solved += 1;
                        }
                        Err(EngineError::Memory(OverMemory { needed, .. })) => {
                            assert!(needed > max_memory.min(1 << 47), "{}: {problem:?}", engine.name);
                            largest = largest.max(needed);
                            refused += 1;
                        }
                        Err(EngineError::Unavailable(_) | EngineError::Arithmetic(_)) => {}
                        // What no front end hands to an engine.
                        Err(EngineError::TooLarge(_)) if reduced.capacity() > MAX_CAPACITY => {}
                        Err(error) => panic!("{}: {error}: {problem:?}", engine.name),
                    }
                }
            }
        }
    }
    assert!(estimates > 1000 && largest > 1 << 62, "{estimates} estimates up to {largest} bytes");
    assert!(solved > 1000 && refused > 1000, "{solved} solved, {refused} refused");
}

#[test]
fn items_too_heavy_for_any_table_are_solved_by_lists() {
    let heavy = "4611686018427387903 3074457345618254300";
    for (more, points) in [("", 2), ("1 7\n", 3)] {
        let items = 2 + usize::from(!more.is_empty());
        let text = format!("1 4611686018427387903\n{items}\n0 0\n{heavy}\n{more}");
        let problem = parse(&text, Choice::ExactlyOne).unwrap().problem;
        let claim = solve(&problem, &solve::Options::default()).unwrap().claim;
        assert_eq!(claim.len(), points);
        let best = claim.len() - 1;
        assert_eq!(claim.value(best), Some(4_611_686_018_427_387_903i64.into()));
        assert_eq!(claim.weight(best), Some(3_074_457_345_618_254_300));
        assert_eq!(claim.items(best), Some(vec![Some(1)]));
    }
}

#[test]
fn areas_of_nineteen_digits_are_explored() {
    let text = "
name: fine areas
tasks:
  - {name: control, wcet: 6, period: 10, choices: [{name: a, area: 3.141592653589793239, wcet: 4}, {name: b, area: 1, wcet: 5}]}
";
    let task_set = isx::taskset::read_str("fine.yaml", text).unwrap().task_set;
    let front = explore(&task_set, &isx::explore::Options::default()).unwrap().front;
    let areas: Vec<_> = front.iter().map(|point| point.area()).collect();
    let choices = &task_set.tasks[0].choices;
    assert_eq!(areas, [Default::default(), choices[1].cost[0].clone(), choices[0].cost[0].clone()]);
}

#[test]
fn arithmetic_that_is_too_narrow_is_refused_before_anything_is_computed() {
    // Without a common unit.
    let item = |number: u32, value: u64| resources::Item {
        value: value.into(),
        cost: vec![number.min(1).into()],
        loads: Vec::new(),
        uses: vec![0; number as usize],
        number,
    };
    let class = |more: u64| vec![item(0, 0), item(1, (1 << 40) + more)];
    let shared = resources::Element { built: vec![1], unbuilt: vec![0], group: None };
    let problem = resources::Problem {
        classes: vec![class(0), class(1)],
        elements: vec![shared],
        limits: vec![9],
        objectives: 1,
        modes: 0,
        goal: resources::Goal::Front,
    };
    let solved = |tier| {
        let options = solve::Options { arithmetic: Some(tier), ..solve::Options::default() };
        solve::resources::solve_unchecked(&problem, &options).map(|solution| solution.claim.len())
    };
    assert_eq!(solved(Tier::I32), Err(solve::SolveError::Arithmetic { asked: Tier::I32, needed: Tier::I64 }));
    assert_eq!((solved(Tier::I64), solved(Tier::Big)), (Ok(3), Ok(3)));
}
