//! The methods of Lemos and of O'Connell and Mumford on a GPU, compared with the textbook's loops.

use crate::common::{batch, pair, same_as_the_judge, tour};
use crate::every_call::{cause, walk};
use crate::harness::*;
use crate::random::Random;
use isx::engine::{EngineError, Hardware};
use isx::machine::Machine;
use isx_papers::answer::solve;
use isx_papers::{lcs, multidim, tsp};

/// The trials of this module.
pub fn trials() -> Vec<Trial> {
    let mut trials = on_gpu(
        "families",
        &tests![
            subsequences_are_the_judges,
            tours_are_the_judges,
            batches_are_the_judges,
            grids_of_the_paper_are_right,
            every_call_may_fail,
        ],
    );
    trials.extend(anywhere("families", &tests![a_missing_gpu_is_an_error_not_a_panic]));
    trials
}

fn subsequences_are_the_judges() {
    let mut random = Random(1);
    for case in 0..from_env("ISX_GPU_CASES", 100) {
        let pair = pair(&mut random, if case % 10 == 0 { 3000 } else { 200 });
        let wanted = if case % 2 == 0 { lcs::Wanted::Length } else { lcs::Wanted::Subsequence };
        same_as_the_judge(&lcs::ENGINES, &pair, wanted, Hardware::Gpu, &[Machine::default()]);
    }
}

fn tours_are_the_judges() {
    let mut random = Random(2);
    for case in 0..from_env("ISX_GPU_CASES", 100) {
        let problem = tour(&mut random, if case % 30 == 0 { from_env("ISX_GPU_CITIES", 18) } else { 11 });
        same_as_the_judge(&tsp::ENGINES, &problem, (), Hardware::Gpu, &[Machine::default()]);
    }
}

fn batches_are_the_judges() {
    let mut random = Random(3);
    for _ in 0..from_env("ISX_GPU_CASES", 100) {
        let batch = batch(&mut random, 9, 24);
        same_as_the_judge(&multidim::ENGINES, &batch, (), Hardware::Gpu, &[Machine::default()]);
    }
}

fn grids_of_the_paper_are_right() {
    use isx::engine::{Context, Engine, Request};
    let (machine, mut random) = (Machine::default(), Random(4));
    let batch = batch(&mut random, 20, 12);
    let wanted = solve(&multidim::ENGINES, &batch, (), isx::engine::Choice::Auto, &machine).unwrap().claim;
    for (blocks, threads) in [(32, 32), (64, 128), (256, 256)] {
        for together in [false, true] {
            let engine = multidim::Lemos { together, grid: Some(multidim::Grid { blocks, threads }) };
            let request = Request { problem: &batch, wanted: (), context: &Context::new(&machine) };
            let answer = engine.plan(request).and_then(|plan| plan.run()).unwrap();
            assert_eq!(answer.found, wanted, "{blocks} x {threads}, together: {together}");
        }
    }
}

fn every_call_may_fail() {
    let mut random = Random(5);
    let (pair, problem, batch) = (pair(&mut random, 200), tour(&mut random, 9), batch(&mut random, 4, 12));
    walk((&lcs::ENGINES, &lcs::ENGINES), &["cuda-wave", "cuda-printed"], |engine, machine| {
        let solved = solve(&lcs::ENGINES, &pair, lcs::Wanted::Subsequence, engine, &machine);
        Ok(format!("{:?}", solved.map_err(cause)?.claim))
    });
    walk((&tsp::ENGINES, &tsp::ENGINES), &["cuda-wave"], |engine, machine| {
        Ok(format!("{:?}", solve(&tsp::ENGINES, &problem, (), engine, &machine).map_err(cause)?.claim))
    });
    walk((&multidim::ENGINES, &multidim::ENGINES), &["cuda-lemos", "cuda-lemos-one"], |engine, machine| {
        Ok(format!("{:?}", solve(&multidim::ENGINES, &batch, (), engine, &machine).map_err(cause)?.claim))
    });
}

fn a_missing_gpu_is_an_error_not_a_panic() {
    let machine = Machine::default().with_gpu(4711);
    let engine = isx::engine::Choice::Named(tsp::ENGINES.named("cuda-wave").unwrap());
    let refused = solve(&tsp::ENGINES, &tour(&mut Random(6), 9), (), engine, &machine).map_err(cause);
    assert!(matches!(refused, Err(EngineError::Unavailable(_))), "{refused:?}");
}
