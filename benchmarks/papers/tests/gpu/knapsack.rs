//! Boyer's engine against the reference engine, and every driver call failing.

use crate::every_call::{cause, walk};
use crate::harness::*;
use crate::knapsack_cases::*;
use crate::random::Random;
use isx::engine::knapsack::{Answer, ENGINES, Knapsack as Family, Wanted};
use isx::engine::{Context, Registry};
use isx::machine::Machine;
use isx::problem::knapsack::{Item, Knapsack};
use isx::reduce::knapsack::Reduced;
use isx::solve;
use isx_papers::boyer::{ENGINES as BOYER, boyer};
use isx_papers::knapsack::ENGINES as WAVES;

/// The trials of this module.
pub fn trials() -> Vec<Trial> {
    on_gpu("knapsack", &tests![boyers_engine_equals_the_reference, knapsack_survives_every_call])
}

fn boyers_engine_equals_the_reference() {
    let device = gpu();
    let mut random = Random(5);
    let machine = Machine::default();
    for case in 0..from_env("ISX_GPU_CASES", 20_000).div_ceil(20) {
        let problem = if case % 8 == 0 { mixed_instance(&mut random) } else { small_instance(&mut random) };
        let wanted = random.pick(&[Wanted::Value, Wanted::Best, Wanted::AllValues, Wanted::AllPicks]);
        let problem = reduced(&problem, wanted.goal(), random.one_in(2));
        let what = format!("case {case}, {wanted:?}, {problem:?}");
        let judge = reference(&problem, wanted);
        let found = boyer(&device, &problem, wanted, &Context::new(&machine));
        let found = found.unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_answers(&problem, wanted, &judge, &found, &what);
    }
}

fn knapsack_survives_every_call() {
    survives(&BOYER, &["cuda-boyer"], 900, 9_000);
    survives(&WAVES, &["cuda-wave", "cuda-printed"], 900, 9_000);
}

/// Every call of these engines fails once, on 60 items.
fn survives(registry: &'static Registry<Family>, engines: &[&str], heaviest: i64, capacity: u64) {
    let mut random = Random(3);
    let mut item = |_| {
        let weight = random.within(1, heaviest);
        Item { profit: (weight + 100).into(), weight: weight as u64 }
    };
    let problem = Knapsack { items: (0..60).map(&mut item).collect(), capacity };
    walk((registry, &ENGINES), engines, |engine, machine| {
        let options = solve::knapsack::Options { engine, machine, ..Default::default() };
        let claim = solve::knapsack::solve(&problem, &options).map_err(cause)?.claim;
        // Any of several best selections may be returned; the library has summed it.
        Ok(format!("{:?} {:?}", claim.weights, claim.profits))
    });
}

/// An answer has the judge's profits and weights, and items with the claimed profit.
fn assert_answers(problem: &Reduced, wanted: Wanted, judge: &Answer, found: &Answer, what: &str) {
    let profits = |answer: &Answer| -> Vec<i128> {
        (0..answer.profits.len()).map(|point| profit_at(answer, point)).collect()
    };
    assert_eq!(profits(found), profits(judge), "{what}");
    assert_eq!(found.weights, judge.weights, "{what}");
    assert_eq!(found.picks.is_some(), wanted.picks(), "{what}");
    let Some(picks) = &found.picks else { return };
    let mut chosen = vec![77];
    for (point, &weight) in found.weights.iter().enumerate() {
        picks.write(point, &mut chosen);
        assert_worth(&problem.items, problem.capacity, &chosen, (weight, profit_at(judge, point)), what);
    }
}
