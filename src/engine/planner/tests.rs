//! Tests of the planner with made-up engines: which engine is tried, which is chosen, and what the user is shown.

use super::*;
use crate::{Auto, Context, Engine, Estimate, Hardware, Threads};
use isx_machine::{Machine, OverMemory};
use std::sync::Mutex;

/// A family whose only problem is the run of a test.
#[derive(Clone, Copy, Debug)]
struct Made;

/// The engines that were planned and run, in order.
type Log = Mutex<Vec<String>>;

impl Family for Made {
    const NAME: &'static str = "made";
    type Problem = Log;
    type Wanted = ();
    type Answer = &'static str;
}

/// What a made-up engine does.
struct Fake {
    name: &'static str,
    plans: fn() -> Result<f64, EngineError>,
    runs: fn(Patience<'_>) -> Result<Outcome<&'static str>, EngineError>,
}

impl Engine<Made> for Fake {
    fn plan<'a>(&'a self, request: Request<'a, Made>) -> Result<Plan<'a, Made>, EngineError> {
        request.problem.lock().unwrap().push(format!("plan {}", self.name));
        let estimate = Estimate { seconds: (self.plans)()?, bytes: 1 };
        Ok(Plan::watched(estimate, move |patience| {
            request.problem.lock().unwrap().push(format!("run {}", self.name));
            (self.runs)(patience)
        }))
    }
}

const fn entry(name: &'static str, auto: Auto, engine: &'static Fake) -> Entry<Made> {
    let (hardware, threads) = (Hardware::Cpu, Threads::One);
    Entry { name, about: "", hardware, threads, auto, judge: false, engine }
}

fn plans_quick() -> Result<f64, EngineError> {
    Ok(0.001)
}

fn plans_slow() -> Result<f64, EngineError> {
    Ok(2.0)
}

fn short_of_memory() -> EngineError {
    EngineError::Memory(OverMemory { needed: 9, allowed: 8 })
}

static LISTS: Fake = Fake {
    name: "lists",
    plans: plans_quick,
    runs: |patience| match patience.is_exceeded_by(1.0) {
        true => Ok(Outcome::GaveUp("it was too much".into())),
        false => Ok(Outcome::Solved { answer: "lists", because: Some("they stay short".into()) }),
    },
};
static QUICK: Fake = Fake { name: "quick", plans: plans_quick, runs: |_| Ok(Outcome::solved("quick")) };
static SLOW: Fake = Fake { name: "slow", plans: plans_slow, runs: |_| Ok(Outcome::solved("slow")) };
static LOST: Fake = Fake {
    name: "lost",
    plans: plans_quick,
    runs: |_| Err(EngineError::Failed("it fell off the bus".into())),
};
static LARGE: Fake = Fake { name: "large", plans: plans_quick, runs: |_| Err(short_of_memory()) };
static MISSING: Fake = Fake {
    name: "missing",
    plans: || Err(EngineError::Unavailable("there is none".into())),
    runs: |_| Ok(Outcome::solved("missing")),
};
static STOPPED: Fake = Fake { name: "stopped", plans: plans_quick, runs: |_| Err(EngineError::Cancelled) };

/// Solves through the registry; returns the answer, the text shown to the user, and the log.
fn solved(entries: &'static [Entry<Made>]) -> (Result<Planned<&'static str>, Refusal>, Vec<String>) {
    solved_in(Turn::Any, entries)
}

/// As [`solved`], in this turn.
fn solved_in(
    turn: Turn,
    entries: &'static [Entry<Made>],
) -> (Result<Planned<&'static str>, Refusal>, Vec<String>) {
    let log = Log::default();
    let machine = Machine::default();
    let context = Context { turn, ..Context::new(&machine) };
    let request = Request { problem: &log, wanted: (), context: &context };
    let planned = solve(&Registry(entries), Choice::Auto, request);
    (planned, log.into_inner().unwrap())
}

#[test]
fn each_engine_plans_once_and_the_fastest_plan_is_the_one_that_runs() {
    static ENTRIES: [Entry<Made>; 3] = [
        entry("lists", Auto::TriedFirst, &LISTS),
        entry("slow", Auto::ByEstimate, &SLOW),
        entry("quick", Auto::ByEstimate, &QUICK),
    ];
    let (planned, log) = solved(&ENTRIES);
    let planned = planned.unwrap();
    assert_eq!((planned.answer, planned.engine), ("quick", "quick"));
    assert_eq!(planned.why, "it was too much; quick was expected to take 1 ms");
    assert_eq!(log, ["plan lists", "run lists", "plan slow", "plan quick", "run quick"]);
}

#[test]
fn after_a_turn_on_the_cpu_what_is_tried_first_comes_last() {
    static ENTRIES: [Entry<Made>; 2] =
        [entry("lists", Auto::TriedFirst, &LISTS), entry("slow", Auto::ByEstimate, &SLOW)];
    let (planned, log) = solved_in(Turn::AfterCpu, &ENTRIES);
    assert_eq!(planned.unwrap().answer, "slow");
    assert_eq!(log, ["plan lists", "plan slow", "run slow"]);
    let (planned, _) = solved_in(Turn::AfterCpu, &ENTRIES[..1]);
    assert_eq!(planned.unwrap().answer, "lists", "there is no other");
}

#[test]
fn an_engine_tried_first_answers_unless_it_gives_up() {
    static ENTRIES: [Entry<Made>; 3] = [
        entry("lists", Auto::TriedFirst, &LISTS),
        entry("slow", Auto::ByEstimate, &SLOW),
        entry("missing", Auto::ByEstimate, &MISSING),
    ];
    let (planned, log) = solved(&ENTRIES);
    let planned = planned.unwrap();
    assert_eq!((planned.answer, planned.why.as_str()), ("lists", "they stay short"));
    assert_eq!(log, ["plan lists", "run lists", "plan slow", "plan missing"]);
}

#[test]
fn no_other_engine_plans_if_the_first_one_is_soon_done() {
    static BRIEF: Fake = Fake {
        name: "brief",
        plans: plans_quick,
        runs: |patience| match patience.is_exceeded_by(1e-6) {
            true => Ok(Outcome::GaveUp("it was too much".into())),
            false => Ok(Outcome::solved("brief")),
        },
    };
    static ENTRIES: [Entry<Made>; 2] =
        [entry("brief", Auto::TriedFirst, &BRIEF), entry("quick", Auto::ByEstimate, &QUICK)];
    let (planned, log) = solved(&ENTRIES);
    let planned = planned.unwrap();
    assert_eq!((planned.answer, planned.why.as_str()), ("brief", "it was tried first"));
    assert_eq!(log, ["plan brief", "run brief"]);
}

// Without CUDA no GPU is ever looked for.
#[cfg(feature = "cuda")]
#[test]
fn a_gpu_is_looked_for_only_where_the_cpu_needs_longer_than_its_start() {
    const fn on_gpu(engine: &'static Fake) -> Entry<Made> {
        Entry { hardware: Hardware::Gpu, ..entry("gpu", Auto::ByEstimate, engine) }
    }
    static SHORT: [Entry<Made>; 2] = [on_gpu(&QUICK), entry("quick", Auto::ByEstimate, &QUICK)];
    static LONG: [Entry<Made>; 2] = [on_gpu(&QUICK), entry("slow", Auto::ByEstimate, &SLOW)];
    static ALONE: [Entry<Made>; 2] = [on_gpu(&QUICK), entry("lists", Auto::TriedFirst, &LISTS)];
    assert_eq!(solved(&SHORT).1, ["plan quick", "run quick"]);
    assert_eq!(solved(&LONG).1, ["plan slow", "plan quick", "run quick"]);
    assert_eq!(solved(&ALONE).1, ["plan lists", "run lists", "plan quick", "run quick"]);
}

#[test]
fn what_would_take_longer_than_the_limit_is_not_run_and_no_gpu_asked() {
    const fn on_gpu(engine: &'static Fake) -> Entry<Made> {
        Entry { hardware: Hardware::Gpu, ..entry("gpu", Auto::ByEstimate, engine) }
    }
    static LONG: [Entry<Made>; 3] =
        [on_gpu(&QUICK), entry("lists", Auto::TriedFirst, &LISTS), entry("slow", Auto::ByEstimate, &SLOW)];
    let (refused, log) = solved_in(Turn::Cpu(Duration::from_millis(300)), &LONG);
    let cause = EngineError::TooLong(Duration::from_secs(2));
    assert_eq!(refused.unwrap_err(), Refusal { engine: "slow", cause });
    assert_eq!(log, ["plan lists", "run lists", "plan slow"]);
    let (planned, log) = solved_in(Turn::Cpu(Duration::from_secs(3)), &LONG);
    assert_eq!((planned.unwrap().answer, log.len()), ("lists", 3));
    let (planned, log) = solved_in(Turn::Cpu(Duration::MAX), &LONG[..]);
    assert_eq!((planned.unwrap().answer, log.contains(&"plan gpu".into())), ("lists", false));
}

#[test]
fn what_another_machine_could_solve_sooner_is_not_worked_on_without_end() {
    static SHORT_OF_MEMORY: Fake =
        Fake { name: "large", plans: || Err(short_of_memory()), runs: |_| Ok(Outcome::solved("large")) };
    static LARGE_TOO: [Entry<Made>; 2] =
        [entry("lists", Auto::TriedFirst, &LISTS), entry("large", Auto::ByEstimate, &SHORT_OF_MEMORY)];
    let within = |seconds| solved_in(Turn::Cpu(Duration::from_secs_f64(seconds)), &LARGE_TOO).0;
    let cause = EngineError::TooLong(Duration::MAX);
    assert_eq!(within(0.3).unwrap_err(), Refusal { engine: "fastest", cause });
    // No other engine, wherever: there is nothing to wait for.
    static ONLY: [Entry<Made>; 1] = [entry("lists", Auto::TriedFirst, &LISTS)];
    assert_eq!(solved_in(Turn::Cpu(Duration::from_millis(300)), &ONLY).0.unwrap().answer, "lists");
}

#[test]
fn without_rivals_no_engine_gives_up() {
    static ENTRIES: [Entry<Made>; 1] = [entry("lists", Auto::TriedFirst, &LISTS)];
    let planned = solved(&ENTRIES).0.unwrap();
    assert_eq!((planned.answer, planned.why.as_str()), ("lists", "they stay short"));
}

#[test]
fn a_failed_engine_is_named_and_followed_by_the_next() {
    static ENTRIES: [Entry<Made>; 3] = [
        entry("large", Auto::TriedFirst, &LARGE),
        entry("lost", Auto::ByEstimate, &LOST),
        entry("slow", Auto::ByEstimate, &SLOW),
    ];
    let planned = solved(&ENTRIES).0.unwrap();
    assert_eq!(planned.answer, "slow");
    assert_eq!(
        planned.why,
        "the large engine needs 9 bytes of tables and 8 are allowed; the lost engine failed: it fell off the bus; \
         slow was expected to take 2.0 s"
    );
}

#[test]
fn where_all_fail_the_one_short_of_memory_is_reported() {
    static ENTRIES: [Entry<Made>; 3] = [
        entry("lost", Auto::ByEstimate, &LOST),
        entry("large", Auto::TriedFirst, &LARGE),
        entry("missing", Auto::ByEstimate, &MISSING),
    ];
    let refusal = solved(&ENTRIES).0.unwrap_err();
    // Its plan was accepted, so the memory it would have needed is unknown.
    let over = OverMemory { needed: OverMemory::UNKNOWN, allowed: 4 << 30 };
    assert_eq!(refusal, Refusal { engine: "large", cause: over.into() });
    static NONE: [Entry<Made>; 1] = [entry("quick", Auto::Never, &QUICK)];
    let refusal = solved(&NONE).0.unwrap_err();
    assert_eq!(refusal.to_string(), "the fastest engine is not available: there is none");
}

#[test]
fn a_cancelled_engine_is_followed_by_none() {
    static ENTRIES: [Entry<Made>; 2] =
        [entry("stopped", Auto::ByEstimate, &STOPPED), entry("slow", Auto::ByEstimate, &SLOW)];
    let (planned, log) = solved(&ENTRIES);
    assert_eq!(planned.unwrap_err().cause, EngineError::Cancelled);
    assert_eq!(log.last().unwrap(), "run stopped");
}

#[test]
fn an_engine_asked_for_runs_even_if_never_chosen_automatically() {
    static ENTRY: Entry<Made> = entry("quick", Auto::Never, &QUICK);
    let log = Log::default();
    let machine = Machine::default();
    let context = Context::new(&machine);
    let request = Request { problem: &log, wanted: (), context: &context };
    let planned = solve(&Registry(&[]), Choice::Named(&ENTRY), request).unwrap();
    assert_eq!((planned.answer, planned.why.as_str()), ("quick", "asked for"));
}

#[test]
fn durations_are_read_at_a_glance() {
    assert_eq!([duration(4.2e-5), duration(0.0123), duration(7.0)], ["42 us", "12 ms", "7.0 s"]);
}
