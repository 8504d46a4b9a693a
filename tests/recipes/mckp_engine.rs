//! An engine for the multiple-choice knapsack problem, in one file: it enumerates every selection of items.

use crate::random::Random;
use isx::engine::mckp::answer::Value;
use isx::engine::mckp::{Answer, ENGINES, Mckp as Family, Wanted};
use isx::engine::{Choice as Asked, Engine, EngineError, Estimate, Plan, Request};
use isx::problem::mckp::{Choice, Configurations, Item, Mckp};
use isx::reduce::mckp::{Reduced, Tiered};
use isx::solve::{Options, SolveError, solve, solve_with};
use std::cmp::Ordering;
use std::sync::Arc;
use std::time::Instant;

/// Tries every selection.
struct Enumeration;

impl Engine<Family> for Enumeration {
    fn plan<'a>(&'a self, request: Request<'a, Family>) -> Result<Plan<'a, Family>, EngineError> {
        let Request { problem, wanted, context } = request;
        let estimate = Estimate { seconds: 1e-7 * 10f64.powi(problem.classes() as i32), bytes: 1 << 20 };
        context.machine.allow(estimate.bytes)?;
        Ok(Plan::new(estimate, move || {
            context.go_on()?;
            match problem {
                Tiered::I32(problem) => Ok(enumerate(problem, wanted)),
                Tiered::I64(problem) => Ok(enumerate(problem, wanted)),
                wider => Err(EngineError::Arithmetic(wider.tier())),
            }
        }))
    }
}

/// Weight, value and the item of every class.
type Selection<V> = (u64, V, Vec<usize>);

/// Lighter first; at equal weight the more valuable; at equal value the canonical one, whose last classes' items come
/// first.
fn better<V: Value>(a: &Selection<V>, b: &Selection<V>) -> Ordering {
    a.0.cmp(&b.0).then_with(|| b.1.cmp(&a.1)).then_with(|| a.2.iter().rev().cmp(b.2.iter().rev()))
}

fn enumerate<V: Value>(problem: &Reduced<V>, wanted: Wanted) -> Answer {
    let started = Instant::now();
    let mut selections: Vec<Selection<V>> = vec![(0, V::zero(), Vec::new())];
    for class in &problem.classes {
        let with = |(weight, value, items): &Selection<V>, (at, item): (usize, &Item<V>)| {
            (weight + item.weight, value.plus(&item.value), [&items[..], &[at]].concat())
        };
        let longer = selections
            .iter()
            .flat_map(|before| class.items.iter().enumerate().map(|item| with(before, item)));
        selections = longer.filter(|(weight, ..)| *weight <= problem.capacity).collect();
    }
    let updates = selections.len() as u64;
    selections.sort_by(better);
    let mut front: Vec<Selection<V>> = Vec::new();
    for selection in selections {
        if front.last().is_none_or(|last| selection.1 > last.1) {
            front.push(selection);
        }
    }
    let picks = match wanted {
        Wanted::Values => None,
        Wanted::BestPicks => Some(written_out(front.len() - 1, &front)),
        Wanted::AllPicks => Some(written_out(0, &front)),
    };
    Answer {
        weights: front.iter().map(|point| point.0).collect(),
        values: V::store(front.into_iter().map(|point| point.1).collect()),
        picks,
        how: "1 thread".into(),
        threads: 1,
        updates,
        solve: started.elapsed(),
        traceback: Default::default(),
    }
}

/// The items of the last points.
fn written_out<V>(from: usize, front: &[Selection<V>]) -> (usize, Arc<dyn Configurations>) {
    let items = |point: &Selection<V>| point.2.iter().map(|&item| Some(item as u32)).collect();
    (from, Arc::new(front[from..].iter().map(items).collect::<Vec<Vec<Option<u32>>>>()))
}

fn problem(random: &mut Random) -> Mckp<i64> {
    let dearest = random.pick(&[3, 40, 2_000_000_000]);
    let mut item = |_| Item { value: random.within(-dearest / 4, dearest), weight: random.within(0, 12) };
    let mut class = |items| (0..items).map(&mut item).collect();
    let classes = [3, 1, 4, 2].map(&mut class).into();
    let choice = if random.one_in(2) { Choice::ExactlyOne } else { Choice::Optional };
    Mckp { classes, capacity: random.within(0, 50), choice }
}

#[test]
fn an_engine_of_one_file_answers_as_the_judge_does() {
    let mut random = Random(1);
    let (mut compared, mut points) = (0, 0);
    for case in 0..2000 {
        let problem = problem(&mut random);
        let wanted = random.pick(&[Wanted::AllPicks, Wanted::AllPicks, Wanted::BestPicks, Wanted::Values]);
        let options = Options { wanted, raw: random.one_in(2), ..Options::default() };
        let judge = Options { engine: Asked::Named(ENGINES.judge().unwrap()), ..options.clone() };
        let expected = match solve(&problem, &judge) {
            Ok(solution) => solution.claim,
            Err(SolveError::Infeasible(_)) => continue,
            Err(error) => panic!("case {case}: {error}"),
        };
        let solution = solve_with(&problem, "enumeration", &Enumeration, &options).unwrap();
        assert_eq!(solution.account.engine, "enumeration");
        let claim = solution.claim;
        assert_eq!(claim.weights, expected.weights, "case {case}: {problem:?}");
        for point in 0..claim.len() {
            assert_eq!(claim.value(point), expected.value(point), "case {case}, point {point}: {problem:?}");
            assert_eq!(claim.items(point), expected.items(point), "case {case}, point {point}: {problem:?}");
        }
        compared += 1;
        points += claim.len();
    }
    assert!(compared > 1500 && points > 4 * compared, "only {compared} problems of {points} points");
}
