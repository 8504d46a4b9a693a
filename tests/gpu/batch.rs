//! Batches on the GPU against the CPU's lists, which tests/batch.rs holds against single problems.

#[path = "../common/batches.rs"]
mod batches;

use crate::harness::*;
use crate::random;
use batches::{KINDS, Kind, random_batch, task_sets};
use isx::engine::mckp::batch::cuda::{Options, solve};
use isx::engine::mckp::batch::{Answers, ENGINES, Found};
use isx::engine::{Context, EngineError, Hardware, Request};
use isx::machine::{Cancel, Machine};
use isx::problem::mckp::{Batch, Choice};
use random::Random;

/// The trials of this room.
pub fn trials() -> Vec<Trial> {
    let mut trials = on_gpu(
        "batch",
        &tests![
            random_batches_have_the_same_answers_items_included,
            lists_too_long_for_the_first_kernel_or_for_both_are_no_loss,
            many_pieces_and_any_number_of_lanes_give_the_same,
            what_passes_the_kernels_integers_is_solved_all_the_same,
            the_engine_of_the_registry_answers,
            a_batch_is_called_off,
        ],
    );
    trials.extend(anywhere("batch", &tests![a_missing_gpu_is_an_error_not_a_panic]));
    trials
}

fn cases(otherwise: usize) -> usize {
    std::env::var("ISX_GPU_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise).min(otherwise)
}

fn on_cpu(batch: &Batch) -> Answers {
    let machine = Machine::default();
    let context = Context::new(&machine);
    let lists = ENGINES.judge().expect("there is a judge");
    lists.solve(Request { problem: batch, wanted: (), context: &context }).expect("lists always answer")
}

/// How many problems had an answer.
fn assert_same(batch: &Batch, options: &Options) -> usize {
    let machine = Machine::default();
    let (found, _) = solve(&gpu(), batch, &Context::new(&machine), options).unwrap_or_else(|e| panic!("{e}"));
    let judged = on_cpu(batch);
    for at in 0..batch.len() {
        let classes = batch.classes_before(at)..batch.classes_before(at + 1);
        // A problem whose lists pass the CPU's candidates may still fit the GPU's.
        if judged.found[at] == Found::Left {
            continue;
        }
        let told = (&found.found[at], &found.picks[classes.clone()]);
        assert_eq!(
            told,
            (&judged.found[at], &judged.picks[classes]),
            "{at}: {:?}",
            batch.get(at).to_problem()
        );
    }
    let best = |found: &&Found| matches!(found, Found::Best { .. });
    found.found.iter().filter(best).count()
}

fn random_batches_have_the_same_answers_items_included() {
    let problems = cases(200_000);
    for (seed, choice) in [(1, Choice::ExactlyOne), (2, Choice::Optional)] {
        let batch = random_batch(&mut Random(seed), choice, problems);
        let best = assert_same(&batch, &Options::default());
        assert!(best > problems / 3, "{best} of {problems}");
        println!("{best} of {problems} problems have a best selection, the same on both");
    }
}

fn lists_too_long_for_the_first_kernel_or_for_both_are_no_loss() {
    for kind in KINDS {
        let batch = task_sets(&mut Random(7), kind, cases(2000));
        for (short, long) in [(2, 4), (16, 40), (40, 3000), (128, 1024)] {
            let options = Options { short, long, ..Options::default() };
            let best = assert_same(&batch, &options);
            assert!(
                !matches!(kind, Kind::Uncorrelated | Kind::Weak) || best == batch.len(),
                "{kind:?} {best}"
            );
        }
    }
}

fn many_pieces_and_any_number_of_lanes_give_the_same() {
    let batch = random_batch(&mut Random(3), Choice::Optional, cases(400_000));
    for lanes in [1, 2, 5] {
        assert!(assert_same(&batch, &Options { lanes, ..Options::default() }) > 0);
    }
}

fn what_passes_the_kernels_integers_is_solved_all_the_same() {
    let mut batch = Batch::new(Choice::Optional);
    // Values together at 2^30 and just below, capacities at 2^30 and just below, many classes, large classes.
    for (value, capacity) in
        [(1i64 << 30, 9), ((1 << 30) - 1, 9), (1 << 40, 9), (5, 1 << 30), (5, (1 << 30) - 1)]
    {
        batch.class([(value, 5), (value - 1, capacity)]);
        batch.class([(-3, 0), (0, 1), (0, capacity - 4)]);
        batch.problem(capacity);
    }
    for classes in [255, 256, 300] {
        for class in 0..classes {
            batch.class([(1 + class % 5, 1 + (class % 7) as u64)]);
        }
        batch.problem(400);
    }
    for items in [254, 255, 256, 511, 512, 5000] {
        batch.class((0..items).map(|item| (item % 91, (item % 89) as u64)));
        batch.problem(88);
    }
    batch.problem(5);
    let best = assert_same(&batch, &Options::default());
    assert_eq!(best, on_cpu(&batch).found.iter().filter(|found| matches!(found, Found::Best { .. })).count());
    assert!(best >= batch.len() - 3, "{best} of {}", batch.len());
}

fn the_engine_of_the_registry_answers() {
    let machine = Machine::default();
    let context = Context::new(&machine);
    let batch = task_sets(&mut Random(1), Kind::Weak, cases(3000));
    let judged = on_cpu(&batch);
    for entry in ENGINES.iter().filter(|entry| entry.hardware == Hardware::Gpu) {
        let found = entry.solve(Request { problem: &batch, wanted: (), context: &context }).unwrap();
        assert_eq!((found.found, found.picks), (judged.found.clone(), judged.picks.clone()));
    }
}

fn a_batch_is_called_off() {
    let cancel = Cancel::default();
    cancel.cancel();
    let machine = Machine::default().with_cancel(cancel);
    let batch = task_sets(&mut Random(1), Kind::Weak, 10);
    let found = solve(&gpu(), &batch, &Context::new(&machine), &Options::default());
    assert_eq!(found.map(drop), Err(EngineError::Cancelled));
}

fn a_missing_gpu_is_an_error_not_a_panic() {
    let machine = Machine::default().with_gpu(99);
    let context = Context::new(&machine);
    let batch = task_sets(&mut Random(1), Kind::Weak, 2);
    for entry in ENGINES.iter().filter(|entry| entry.hardware == Hardware::Gpu) {
        let refusal = entry.solve(Request { problem: &batch, wanted: (), context: &context }).unwrap_err();
        assert!(matches!(refusal.cause, EngineError::Unavailable(_)), "{refusal}");
    }
}
