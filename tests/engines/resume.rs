//! A resumed run ends like one that was never interrupted: the same front, items and counts.
//!
//! `ISX_CASES` sets the number of problems.

// Helpers of a test are tests, too.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common::Random;
use crate::set_union;
use isx::engine::mckp::{Answer, ENGINES, Mckp as Family, Wanted};
use isx::engine::{Choice as Engine, Context, EngineError, Request, State, StateStore, Writes};
use isx::machine::{Cancel, Machine};
use isx::problem::mckp::{Choice, Item, Mckp};
use isx::problem::value::Tier;
use isx::reduce::mckp::{Options, Tiered, reduce};
use isx::sampling::Sampler;
use isx::solve::set_union::solve_unchecked;
use isx::solve::{Options as Solving, Solution, SolveError};
use std::sync::Mutex;

/// Stores every state; cancels the run at one of them.
#[derive(Default)]
struct Shelf {
    states: Mutex<Vec<Vec<u8>>>,
    problem: Mutex<Vec<u8>>,
    from: Option<Vec<u8>>,
    /// The state after which the run is canceled.
    last: Option<(usize, Cancel)>,
}

impl StateStore for Shelf {
    fn runs(&self, _: &'static str) {}

    fn begin(&self, problem: Writes<'_>) -> Result<Option<State<'_>>, EngineError> {
        problem(&mut *self.problem.lock().unwrap()).unwrap();
        Ok(self.from.as_ref().map(|from| Box::new(&from[..]) as State<'_>))
    }

    fn is_due(&self) -> bool {
        true
    }

    fn keep(&self, write: Writes<'_>) {
        let mut state = Vec::new();
        write(&mut state).unwrap();
        let mut states = self.states.lock().unwrap();
        states.push(state);
        if let Some((last, cancel)) = &self.last
            && states.len() == *last
        {
            cancel.cancel();
        }
    }
}

fn run(
    engine: &str,
    problem: &Tiered,
    (wanted, memory): (Wanted, u64),
    shelf: &Shelf,
) -> Result<Answer, EngineError> {
    let mut machine = Machine::default().with_threads(1).with_max_memory(memory);
    if let Some((_, cancel)) = &shelf.last {
        machine = machine.with_cancel(cancel.clone());
    }
    let context = Context { store: Some(shelf), ..Context::new(&machine) };
    let entry = ENGINES.named(engine).unwrap();
    entry.solve(Request::<Family> { problem, wanted, context: &context }).map_err(|refusal| refusal.cause)
}

fn same(a: &Answer, b: &Answer, what: &str) {
    assert_eq!((&a.weights, &a.values, a.updates), (&b.weights, &b.values, b.updates), "{what}");
    let items = |answer: &Answer| {
        let picks = answer.picks.as_ref()?;
        Some((0..picks.start.len()).map(|point| picks.items(point)).collect::<Vec<_>>())
    };
    assert_eq!(items(a), items(b), "{what}");
}

fn problem(random: &mut Random) -> Mckp<i64> {
    let capacity = random.within(20, 4_000);
    let dearest = [30, 20_000, 100_000_000][random.within(0, 2) as usize];
    let class = |random: &mut Random| {
        let items = random.within(1, 12);
        let item = |random: &mut Random| Item {
            value: random.within(0, dearest),
            weight: random.within(0, capacity / 3) as u64,
        };
        (0..items).map(|_| item(random)).collect()
    };
    let classes = (0..random.within(2, 12)).map(|_| class(random)).collect();
    Mckp { classes, capacity: capacity as u64, choice: Choice::Optional }
}

/// The least memory in which the engine solves the problem, up to a few rows.
fn memories(engine: &str, problem: &Tiered, wanted: Wanted) -> Vec<u64> {
    let plenty = 1 << 30;
    match run(engine, problem, (wanted, 0), &Shelf::default()) {
        // Memory for all rows, for some of them, and for hardly any.
        Err(EngineError::Memory(over)) if engine == "dense" => {
            vec![plenty, over.needed, over.needed * 5 / 4]
        }
        _ => vec![plenty],
    }
}

#[test]
fn a_run_that_was_interrupted_anywhere_ends_as_one_that_was_not() {
    let cases = std::env::var("ISX_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(200);
    let (mut resumed, mut cut) = (0, 0);
    for seed in 0..cases {
        let random = &mut Random(seed);
        let mckp = problem(random);
        let at_least = [Tier::I32, Tier::I64, Tier::I128, Tier::Big][random.within(0, 3) as usize];
        let wanted = [Wanted::AllPicks, Wanted::BestPicks, Wanted::Values][random.within(0, 2) as usize];
        let reduced = reduce(&mckp, Options { at_least, ..Options::default() }).unwrap();
        for engine in ["list", "dense"] {
            if engine == "dense" && reduced.tier() > Tier::I64 {
                continue;
            }
            for memory in memories(engine, &reduced, wanted) {
                let how = (wanted, memory);
                let all = Shelf::default();
                let answer = run(engine, &reduced, how, &all).unwrap();
                let states = all.states.into_inner().unwrap();
                let Some(at) = states.len().checked_sub(1) else { continue };
                let at = random.within(0, at as i64) as usize;
                let what = format!("seed {seed}, {engine}, {wanted:?} in {memory} bytes, state {at}");
                // Canceled after a state, and resumed and canceled again after a later one.
                let cancel = Cancel::default();
                let off = Shelf { last: Some((at + 1, cancel)), ..Shelf::default() };
                assert_eq!(run(engine, &reduced, how, &off).unwrap_err(), EngineError::Cancelled, "{what}");
                let first = off.states.into_inner().unwrap().pop().unwrap();
                assert_eq!(first, states[at], "{what}");
                let on = Shelf { from: Some(first.clone()), ..Shelf::default() };
                same(&run(engine, &reduced, how, &on).unwrap(), &answer, &what);
                assert_eq!(*on.problem.lock().unwrap(), *all.problem.lock().unwrap());
                resumed += 1;
                if let Some(next) = on.states.into_inner().unwrap().first() {
                    assert_eq!(*next, states[at + 1], "{what}");
                    let on = Shelf { from: Some(next.clone()), ..Shelf::default() };
                    same(&run(engine, &reduced, how, &on).unwrap(), &answer, &what);
                    resumed += 1;
                }
                // A truncated state is refused, whatever checked it before.
                let short = first[..random.within(0, first.len() as i64 - 1) as usize].to_vec();
                let short = Shelf { from: Some(short), ..Shelf::default() };
                let refused = run(engine, &reduced, how, &short);
                assert!(matches!(refused, Err(EngineError::Checkpoint(_))), "{what}: {refused:?}");
                cut += 1;
            }
        }
    }
    println!("{resumed} runs went on, {cut} did not from a part of a state");
    assert!(resumed >= cases && cut >= cases / 2, "only {resumed} runs went on, {cut} were refused");
}

/// A problem with shared elements.
type Shared = (Mckp<num_bigint::BigInt>, isx::problem::set_union::Sharing);

fn run_shared(engine: &str, (problem, sharing): &Shared, shelf: &Shelf) -> Result<Solution, EngineError> {
    let mut machine = Machine::default().with_threads(1);
    if let Some((_, cancel)) = &shelf.last {
        machine = machine.with_cancel(cancel.clone());
    }
    let engine = Engine::Named(ENGINES.named(engine).unwrap());
    let options = Solving { engine, machine, store: Some(shelf), ..Solving::default() };
    solve_unchecked(problem, sharing, &options).map_err(|error| match error {
        SolveError::Engine(refusal) => refusal.cause,
        other => panic!("{other}"),
    })
}

#[test]
fn a_run_with_shared_elements_that_was_interrupted_anywhere_ends_as_one_that_was_not() {
    let cases = std::env::var("ISX_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(500);
    let (mut sampler, mut resumed) = (Sampler::new(7), 0);
    let parts = |solution: &Solution| {
        let claim = &solution.claim;
        (set_union::points_of(claim), claim.complete, solution.account.updates)
    };
    for case in 0..cases {
        let problem = set_union::random(&mut sampler);
        for engine in ["list", "dense"] {
            let all = Shelf::default();
            let answer = parts(&run_shared(engine, &problem, &all).unwrap());
            let states = all.states.into_inner().unwrap();
            for (at, state) in states.iter().enumerate() {
                let what = format!("case {case}, {engine}, state {at} of {problem:?}");
                let off = Shelf { last: Some((at + 1, Cancel::default())), ..Shelf::default() };
                let stopped = run_shared(engine, &problem, &off);
                assert_eq!(stopped.err(), Some(EngineError::Cancelled), "{what}");
                assert_eq!(off.states.into_inner().unwrap().last(), Some(state), "{what}");
                let on = Shelf { from: Some(state.clone()), ..Shelf::default() };
                assert_eq!(parts(&run_shared(engine, &problem, &on).unwrap()), answer, "{what}");
                assert_eq!(*on.problem.lock().unwrap(), *all.problem.lock().unwrap(), "{what}");
                assert_eq!(on.states.into_inner().unwrap(), states[at + 1..], "{what}");
                resumed += 1;
                let part = sampler.uniform(0, state.len() as u64 - 1) as usize;
                let short = Shelf { from: Some(state[..part].to_vec()), ..Shelf::default() };
                let refused = run_shared(engine, &problem, &short);
                assert!(matches!(refused, Err(EngineError::Checkpoint(_))), "{what}: {refused:?}");
                // One of noise ends in any answer or a refusal, but in no panic.
                let mut noise = state.clone();
                for _ in 0..sampler.uniform(1, 4) {
                    let at = sampler.uniform(0, state.len() as u64 - 1) as usize;
                    noise[at] = sampler.uniform(0, 255) as u8;
                }
                let _ = run_shared(engine, &problem, &Shelf { from: Some(noise), ..Shelf::default() });
            }
        }
    }
    println!("{resumed} runs with shared elements went on");
    assert!(resumed > cases, "only {resumed} runs went on");
}

#[test]
fn a_state_of_noise_never_ends_in_a_panic() {
    let cases = std::env::var("ISX_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(200);
    let mut refused = 0;
    for seed in 0..cases {
        let random = &mut Random(seed ^ 0xBAD);
        let reduced = reduce(&problem(random), Options::default()).unwrap();
        for engine in ["list", "dense"] {
            let all = Shelf::default();
            run(engine, &reduced, (Wanted::AllPicks, 1 << 28), &all).unwrap();
            let mut states = all.states.into_inner().unwrap();
            let Some(mut state) = states.pop() else { continue };
            for _ in 0..random.within(1, 4) {
                let at = random.within(0, state.len() as i64 - 1) as usize;
                state[at] = random.within(0, 255) as u8;
            }
            let from = Shelf { from: Some(state), ..Shelf::default() };
            // The result may be right or wrong; the final sum over the answer decides.
            refused += u64::from(run(engine, &reduced, (Wanted::AllPicks, 1 << 28), &from).is_err());
        }
    }
    assert!(refused > cases / 10, "only {refused} were refused");
}
