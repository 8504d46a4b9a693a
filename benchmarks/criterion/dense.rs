//! The dense engine: rows by instruction set, and whole fronts with and without their items.
//!
//! Each answer is compared with another engine's way to it before it is timed. Rates are candidates (items times
//! cells) a second, all of them looked at: bounds are off where rates are measured.

// A benchmark that cannot check its answer has to stop.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../../tests/common/random.rs"]
mod random;

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use isx::engine::mckp::answer::Values;
use isx::engine::mckp::dense::{Dense, Narrowing, Settings};
use isx::engine::mckp::{Answer, ENGINES, Mckp as Family, Wanted};
use isx::engine::{Context, Engine, Request};
use isx::machine::Machine;
use isx::machine::cpu::lanes::Isa;
use isx::problem::mckp::{Choice, Item, Mckp};
use isx::reduce::mckp::{Options, Tiered, reduce};
use random::Random;
use std::hint::black_box;
use std::time::Duration;

/// Makes an item's value of its weight and a random number below 10,000.
type Value = fn(u64, u64) -> u64;

/// A problem of 20 classes of 10 to 1024 items of weight 1 to 10,000.
fn problem(capacity: u64, value: Value) -> Mckp<i64> {
    let mut random = Random(2011);
    let mut class = || {
        let items = random.within(10, 1024);
        let mut item = || {
            let weight = random.within(1, 10_000);
            Item { value: value(weight, random.within(0, 9_999)) as i64, weight }
        };
        (0..items).map(|_| item()).collect()
    };
    Mckp { classes: (0..20).map(|_| class()).collect(), capacity, choice: Choice::ExactlyOne }
}

fn strong(weight: u64, _: u64) -> u64 {
    weight + 10
}

fn weak(weight: u64, random: u64) -> u64 {
    (weight + random % 201).saturating_sub(100).max(1)
}

fn uncorrelated(_: u64, random: u64) -> u64 {
    1 + random
}

/// Runs of some tenths of a second need no more than this.
fn brief(group: &mut BenchmarkGroup<'_, WallTime>) {
    group.sampling_mode(SamplingMode::Flat).sample_size(10);
    group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
}

fn solve(engine: &dyn Engine<Family>, problem: &Tiered, wanted: Wanted, machine: &Machine) -> Answer {
    engine.plan(Request { problem, wanted, context: &Context::new(machine) }).unwrap().run().unwrap()
}

fn assert_same_front(answer: &Answer, expected: &Answer) {
    assert_eq!(answer.weights, expected.weights);
    match (&answer.values, &expected.values) {
        (Values::I32(found), Values::I32(expected)) => assert_eq!(found, expected),
        _ => panic!("both are of the narrowest tier"),
    }
}

/// Every row of a raw problem on every instruction set, one thread.
fn rows(criterion: &mut Criterion) {
    let Ok(problem) = reduce(&problem(40_000, strong), Options { raw: true, ..Options::default() }) else {
        panic!("the lightest items fit")
    };
    let machine = Machine::default().with_threads(1);
    let expected = solve(ENGINES.judge().unwrap().engine, &problem, Wanted::Values, &machine);
    let mut group = criterion.benchmark_group("rows");
    brief(&mut group);
    for isa in Isa::available() {
        for (lanes, narrowing) in [("32-bit", Narrowing::Never), ("16-bit", Narrowing::WherePossible)] {
            let settings = Settings { isa: Some(isa), narrowing, bound_from: usize::MAX, all_threads: true };
            let engine = Dense::with(settings);
            let answer = solve(&engine, &problem, Wanted::Values, &machine);
            assert_same_front(&answer, &expected);
            group.throughput(Throughput::Elements(answer.updates));
            group.bench_function(BenchmarkId::new(isa.name(), lanes), |bencher| {
                bencher.iter(|| black_box(solve(&engine, &problem, Wanted::Values, &machine)));
            });
        }
    }
    group.finish();
}

/// Whole fronts of reduced problems: values, and items of all points.
fn fronts(criterion: &mut Criterion) {
    let machine = Machine::default();
    let mut group = criterion.benchmark_group("fronts");
    brief(&mut group);
    let kinds: [(&str, Value); 3] = [("uncorrelated", uncorrelated), ("weak", weak), ("strong", strong)];
    for (kind, value) in kinds {
        let Ok(problem) = reduce(&problem(94_280, value), Options::default()) else {
            panic!("the lightest items fit")
        };
        check_items(Dense::AUTO, &problem, &machine);
        for (name, wanted) in [("values", Wanted::Values), ("items of all points", Wanted::AllPicks)] {
            group.bench_function(BenchmarkId::new(kind, name), |bencher| {
                bencher.iter(|| black_box(solve(&Dense::AUTO, &problem, wanted, &machine)));
            });
        }
    }
    group.finish();
}

/// The items of all points on every instruction set, one thread: forward and back.
fn items(criterion: &mut Criterion) {
    let machine = Machine::default().with_threads(1);
    let mut group = criterion.benchmark_group("items of all points");
    brief(&mut group);
    let Ok(problem) = reduce(&problem(94_280, weak), Options::default()) else {
        panic!("the lightest items fit")
    };
    for isa in Isa::available() {
        let engine = Dense::with(Settings { isa: Some(isa), ..Settings::AUTO });
        check_items(engine, &problem, &machine);
        group.bench_function(isa.name(), |bencher| {
            bencher.iter(|| black_box(solve(&engine, &problem, Wanted::AllPicks, &machine)));
        });
    }
    group.finish();
}

/// Asserts that the items of every point are those found on plain loops without bounds.
fn check_items(engine: Dense, problem: &Tiered, machine: &Machine) {
    let plain = Settings {
        isa: Some(Isa::Portable),
        narrowing: Narrowing::Never,
        bound_from: usize::MAX,
        all_threads: false,
    };
    let expected = solve(&Dense::with(plain), problem, Wanted::AllPicks, machine);
    let answer = solve(&engine, problem, Wanted::AllPicks, machine);
    assert_same_front(&answer, &expected);
    assert!(answer.picks.is_some() && expected.picks.is_some(), "items were asked for");
    let classes = problem.classes();
    for point in 0..answer.weights.len() {
        assert_eq!(answer.items(point, classes), expected.items(point, classes), "point {point}");
    }
}

criterion_group!(benches, rows, items, fronts);
criterion_main!(benches);
