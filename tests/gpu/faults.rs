//! Every driver call fails deliberately: either that call only, or it and all later ones, as if the GPU were lost. A
//! requested engine reports the error, the planner continues on the CPU with the same answer, and nothing panics.
//!
//! `ISX_GPU_STRIDE=1` tests every call of every engine, another value n every n-th or so, and 0 calls 1, 2, 4, 8 ..

use crate::common::{Random, random_instance, task_set};
use crate::every_call::{cause, walk};
use crate::harness::*;
use isx::engine::{Choice, EngineError};
use isx::explore::{ExploreError, Options as Exploring, check, explore};
use isx::machine::faults::{Door, Fault, hits, plan};
use isx::problem::knapsack::{Item as KnapsackItem, Knapsack};
use isx::problem::mckp::{Choice as Give, Item, Mckp};
use isx::quantity::Rational;
use isx::solve::{self, SolveError};

/// The trials of this module.
pub fn trials() -> Vec<Trial> {
    let tests = tests![
        explore_survives_every_call,
        check_survives_every_call,
        mckp_survives_every_call,
        knapsack_survives_every_call,
        a_wrong_figure_of_the_gpu_is_never_delivered,
    ];
    on_gpu("faults", &tests)
}

fn explored(error: ExploreError) -> EngineError {
    match error {
        ExploreError::Solve(error) => cause(error),
        error => panic!("not refused by an engine: {error}"),
    }
}

fn set() -> isx::taskset::TaskSet {
    let mut random = Random(5);
    loop {
        let instance = random_instance(&mut random);
        if instance.tasks.iter().filter(|task| task.choices.len() > 2).count() > 3 {
            return task_set(&instance.tasks, instance.time_scale, instance.area_scale);
        }
    }
}

fn explore_survives_every_call() {
    let set = set();
    walk((&isx::engine::mckp::ENGINES, &isx::engine::mckp::ENGINES), &["cuda"], |engine, machine| {
        let explored =
            explore(&set, &Exploring { engine, machine, ..Exploring::default() }).map_err(explored)?;
        let points = explored.front.iter().map(|point| format!("{:?} {:?}", point.design(), point.choices()));
        Ok(points.collect::<Vec<_>>().join("\n"))
    });
}

fn check_survives_every_call() {
    let set = set();
    let area = Rational::from_integer(5.into());
    walk((&isx::engine::mckp::ENGINES, &isx::engine::mckp::ENGINES), &["cuda"], |engine, machine| {
        let options = Exploring { engine, machine, ..Exploring::default() };
        let checked = check(&set, &area, &options).map_err(explored)?;
        Ok(format!("{:?}", checked.smallest))
    });
}

/// Classes large enough that rows on a GPU are expected to be faster than lists and rows on the CPU.
fn classes() -> Mckp<i64> {
    let mut random = Random(11);
    let mut item = |_: i32| {
        let weight = random.within(1, 2_000);
        Item { value: weight + 10, weight: weight as u64 }
    };
    let classes = (0..12).map(|_| (0..40).map(&mut item).collect()).collect();
    Mckp { classes, capacity: 12_000, choice: Give::Optional }
}

fn mckp_survives_every_call() {
    let problem = classes();
    walk((&isx::engine::mckp::ENGINES, &isx::engine::mckp::ENGINES), &["cuda"], |engine, machine| {
        let options = solve::Options { engine, machine, ..solve::Options::default() };
        let claim = solve::solve(&problem, &options).map_err(cause)?.claim;
        let items: Vec<_> = (0..claim.len()).map(|point| claim.items(point)).collect();
        Ok(format!("{:?} {:?} {items:?}", claim.weights, claim.values))
    });
}

fn knapsack_survives_every_call() {
    let mut random = Random(3);
    let mut item = |_| {
        let weight = random.within(1, 900);
        KnapsackItem { profit: (weight + 100).into(), weight: weight as u64 }
    };
    let problem = Knapsack { items: (0..60).map(&mut item).collect(), capacity: 9_000 };
    let engines = ["cuda"];
    walk((&isx::engine::knapsack::ENGINES, &isx::engine::knapsack::ENGINES), &engines, |engine, machine| {
        let options = solve::knapsack::Options { engine, machine, ..Default::default() };
        let claim = solve::knapsack::solve(&problem, &options).map_err(cause)?.claim;
        // Any of several best selections may be returned; the library has summed it.
        Ok(format!("{:?} {:?}", claim.weights, claim.profits))
    });
}

/// A cell of the GPU's answer that is too large by one is detected by the sum over the items, at any point.
fn a_wrong_figure_of_the_gpu_is_never_delivered() {
    let problem = classes();
    let engine = Choice::Named(isx::engine::mckp::ENGINES.named("cuda").unwrap());
    let options = solve::Options { engine, ..solve::Options::default() };
    let points = solve::solve(&problem, &options).unwrap().claim.len() as u64;
    for nth in (1..=points).step_by(1 + points as usize / 50) {
        plan(Some(Fault { door: Door::Answer, nth, lasting: false, code: 0 }));
        let refused = solve::solve(&problem, &options);
        assert_eq!(hits(), 1);
        assert!(matches!(refused, Err(SolveError::SelfCheck(_))), "figure {nth}: {refused:?}");
    }
    plan(None);
}
