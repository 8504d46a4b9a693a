//! The engine that answers if the planner decides, with real engines: lists that give up, tables that exceed the
//! memory, no engine left, and cancellation.

use crate::common::Random;
use isx::engine::mckp::{ENGINES, Wanted};
use isx::engine::{Choice as Asked, EngineError, Hardware, Refusal};
use isx::machine::{Cancel, Machine, OverMemory};
use isx::problem::mckp::{Choice, Item, Mckp};
use isx::solve::{Options, Solution, SolveError, solve};

/// Classes whose values are nearly their weights: the lists grow with every class.
fn correlated(classes: usize, items: usize, heaviest: i64, capacity: u64) -> Mckp<i64> {
    let mut random = Random(7);
    let mut item = |_| {
        let weight = random.within(1, heaviest);
        Item { value: weight + random.within(0, heaviest / 50), weight: weight as u64 }
    };
    let mut class = |_| (0..items).map(&mut item).collect();
    Mckp { classes: (0..classes).map(&mut class).collect(), capacity, choice: Choice::Optional }
}

/// Solved only on CPU engines, on any machine.
fn solved(
    problem: &Mckp<i64>,
    engine: Asked<isx::engine::mckp::Mckp>,
    machine: Machine,
) -> Result<Solution, SolveError> {
    // No machine has this many GPUs.
    #[cfg(feature = "cuda")]
    let machine = machine.with_gpu(1 << 20);
    solve(problem, &Options { engine, machine, ..Options::default() })
}

fn with_memory(bytes: u64) -> Machine {
    Machine::default().with_threads(1).with_max_memory(bytes)
}

fn named(name: &str) -> Asked<isx::engine::mckp::Mckp> {
    Asked::Named(ENGINES.named(name).unwrap())
}

/// Weights, values and the items of every point.
fn same_answer(a: &Solution, b: &Solution) {
    assert_eq!(a.claim.weights, b.claim.weights);
    for point in 0..a.claim.len() {
        assert_eq!(a.claim.value(point), b.claim.value(point), "point {point}");
        assert_eq!(a.claim.items(point).unwrap(), b.claim.items(point).unwrap(), "point {point}");
    }
}

fn refusal(result: Result<Solution, SolveError>) -> Refusal {
    match result {
        Err(SolveError::Engine(refusal)) => refusal,
        other => panic!("no engine refused: {other:?}"),
    }
}

#[test]
fn lists_that_grow_give_up_and_rows_of_cells_answer() {
    let problem = correlated(24, 40, 1500, 30_000);
    let automatic = solved(&problem, Asked::Auto, with_memory(1 << 30)).unwrap();
    assert_eq!(automatic.account.engine, "dense", "{}", automatic.account.why);
    let why = &automatic.account.why;
    assert!(why.starts_with("after ") && why.contains(" of 24 classes the lists hold "), "{why}");
    assert!(why.contains("; dense was expected to take "), "{why}");
    same_answer(&automatic, &solved(&problem, named("list"), with_memory(1 << 30)).unwrap());
}

#[test]
fn lists_that_stay_short_answer_and_say_so() {
    let problem = correlated(3, 4, 900_000, 2_000_000);
    let automatic = solved(&problem, Asked::Auto, with_memory(1 << 30)).unwrap();
    assert_eq!(automatic.account.engine, "list");
    assert!(automatic.account.why.starts_with("the lists stay short, at most "), "{}", automatic.account.why);
}

#[test]
fn where_memory_has_no_room_for_rows_the_lists_answer() {
    // A row of four million cells, and at most a few thousand pairs.
    let problem = correlated(8, 3, 900_000, 4_000_000);
    let machine = with_memory(1 << 20);
    let dense = refusal(solved(&problem, named("dense"), machine.clone()));
    let EngineError::MemoryOfThisEngine { over, other: "list", .. } = dense.cause else { panic!("{dense}") };
    let OverMemory { needed, allowed } = over;
    assert!(needed > allowed && allowed == 1 << 20, "{dense}");
    let automatic = solved(&problem, Asked::Auto, machine).unwrap();
    assert_eq!(automatic.account.engine, "list");
    assert!(automatic.account.why.starts_with("the lists stay short, at most "), "{}", automatic.account.why);
    same_answer(&automatic, &solved(&problem, named("reference"), with_memory(1 << 32)).unwrap());
}

#[test]
fn where_the_lists_fail_as_they_run_the_next_engine_answers_and_the_failure_is_told() {
    // Rows of few cells fit where lists of as many pairs, larger each, do not: the memory limit is between the two.
    let problem = correlated(24, 40, 1500, 30_000);
    let needs = |engine: &str, bytes| match solved(&problem, named(engine), with_memory(bytes)) {
        Err(SolveError::Engine(refusal)) => refusal.cause.over_memory().map(|over| over.needed),
        _ => None,
    };
    let least = needs("dense", 0).unwrap();
    assert!(needs("dense", least).is_none(), "{least} bytes are enough for rows");
    let lists = needs("list", least);
    assert!(lists.is_some_and(|lists| lists > least), "lists in {least} bytes: {lists:?}");
    let automatic = solved(&problem, Asked::Auto, with_memory(least)).unwrap();
    assert_eq!(automatic.account.engine, "dense");
    same_answer(&automatic, &solved(&problem, named("reference"), with_memory(1 << 32)).unwrap());
}

#[test]
fn where_nobody_has_enough_memory_that_is_the_refusal() {
    let problem = correlated(24, 40, 1500, 30_000);
    let refusal = refusal(solved(&problem, Asked::Auto, with_memory(1000)));
    let EngineError::Memory(OverMemory { needed, allowed }) = refusal.cause else { panic!("{refusal}") };
    // What other tests hold of the process counts as allowed.
    assert!(needed > allowed && allowed >= 1000, "{refusal}");
}

#[test]
fn every_engine_of_the_cpu_stops_at_the_word() {
    let problem = correlated(24, 40, 1500, 30_000);
    let stopped = || {
        let cancel = Cancel::default();
        cancel.cancel();
        with_memory(1 << 30).with_cancel(cancel)
    };
    let mut seen = 0;
    for entry in ENGINES.iter().filter(|entry| entry.hardware == Hardware::Cpu) {
        let refusal = refusal(solved(&problem, Asked::Named(entry), stopped()));
        assert_eq!(refusal, Refusal { engine: entry.name, cause: EngineError::Cancelled });
        seen += 1;
    }
    assert!(seen >= 3, "only {seen} engines were stopped");
    assert_eq!(refusal(solved(&problem, Asked::Auto, stopped())).cause, EngineError::Cancelled);
}

#[test]
fn the_word_ends_a_run_that_is_under_way() {
    // Far more than a minute of work for the textbook loop.
    let problem = correlated(400, 60, 40_000, 4_000_000);
    for engine in ENGINES.iter().filter(|entry| entry.hardware == Hardware::Cpu) {
        let cancel = Cancel::default();
        let machine = with_memory(1 << 34).with_cancel(cancel.clone());
        let options =
            Options { engine: Asked::Named(engine), wanted: Wanted::Values, machine, ..Options::default() };
        let result = std::thread::scope(|scope| {
            let run = scope.spawn(|| solve(&problem, &options));
            std::thread::sleep(std::time::Duration::from_millis(100));
            cancel.cancel();
            run.join().unwrap()
        });
        assert_eq!(refusal(result).cause, EngineError::Cancelled, "{engine:?}");
    }
}
