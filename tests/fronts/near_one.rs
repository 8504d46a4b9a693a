//! Verdicts at the boundary: the utilization is exactly 1, or 1/H more or less.

use crate::common::designs::cases;
use crate::common::near_one::NearOne;
use crate::common::task_set;
use isx::engine::Choice;
use isx::engine::mckp::ENGINES;
use isx::explore::{Options, explore};
use isx::machine::Machine;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts of sets by utilization, and of the wrong verdicts that floats would give.
#[derive(Default)]
struct Counts {
    sets: [AtomicU64; 3],
    wrong: [AtomicU64; 4],
}

#[test]
fn a_utilization_of_1_passes_and_the_next_above_fails() {
    let cases = cases(3_000);
    let counts = Counts::default();
    (0..cases).into_par_iter().for_each(|seed| {
        let set = NearOne::new(seed);
        if !set.is_near() {
            return;
        }
        let passes = set.off <= 0;
        let task_set = task_set(&set.tasks, 1, 1);
        for engine in ["list", "dense"] {
            let engine = Choice::Named(ENGINES.named(engine).unwrap());
            let machine = Machine::default().with_threads(1);
            let explored = explore(&task_set, &Options { engine, machine, ..Options::default() }).unwrap();
            let last = explored.front.len() - 1;
            assert_eq!(explored.front.get(last).unwrap().choices().unwrap(), set.choices, "seed {seed}");
            assert_eq!(explored.verdicts.points[last], Some(passes), "seed {seed}, off by {}", set.off);
        }
        counts.sets[(set.off + 1) as usize].fetch_add(1, Ordering::Relaxed);
        let floats = [
            set.jobs().map(|(wcet, period)| wcet as f64 * (1.0 / period as f64)).sum::<f64>() <= 1.0,
            set.jobs().map(|(wcet, period)| wcet as f64 / period as f64).sum::<f64>() <= 1.0,
            set.jobs().map(|(wcet, period)| wcet as f32 * (1.0 / period as f32)).sum::<f32>() <= 1.0,
            set.jobs().map(|(wcet, period)| wcet as f32 / period as f32).sum::<f32>() <= 1.0,
        ];
        for (wrong, float) in counts.wrong.iter().zip(floats) {
            wrong.fetch_add(u64::from(float != passes), Ordering::Relaxed);
        }
    });
    let numbers =
        |counts: &[AtomicU64]| counts.iter().map(|one| one.load(Ordering::Relaxed)).collect::<Vec<_>>();
    let (sets, wrong) = (numbers(&counts.sets), numbers(&counts.wrong));
    println!("sets of utilization 1 - 1/H, 1, 1 + 1/H: {sets:?}, no wrong verdict");
    println!("wrong by E*(1/P) and E/P in f64, and in f32: {wrong:?}");
    assert!(sets.iter().all(|&sets| sets > cases / 5));
    assert!(wrong.iter().sum::<u64>() > 0, "floats go wrong here, or the sets are too easy");
}
