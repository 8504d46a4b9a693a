//! Draws whole task sets, asks isx everything about them, judges by brute force, and shrinks what differs to a file.
//!
//! In `cargo test` it runs for seconds; by hand, for hours, with `ISX_SECONDS` (or `ISX_CASES`) and another `ISX_SEED`:
//!
//! ```sh
//! ISX_SECONDS=3600 ISX_SEED=7000000 cargo test --release --test random -- --nocapture
//! ```
//!
//! Set number `seed` is the same on every machine. The judge is written from the definitions, in whole numbers, and shares
//! nothing with isx but the text of a task set.

mod ask;
mod cores;
mod deadlines;
mod judge;
mod proofs;
#[path = "../common/random.rs"]
mod random;
mod set;
mod shrink;

use ask::{Fault, KNOWN, Tally, ask, ask_judged};
use judge::{Design, Judge};
use random::Random;
use set::{Set, draw};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Sets in `cargo test`.
const SETS: u64 = 12_000;
/// Faults of different kinds after which the tester ends.
const MOST_FAULTS: usize = 8;

/// Tests run one after the other, since panics are kept for one of them.
static TURN: Mutex<()> = Mutex::new(());
/// How many sets are asked about now.
static ASKING: AtomicU64 = AtomicU64::new(0);
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Asks about a set; a panic is a fault.
fn asked(set: &Set, seed: u64, tally: &mut Tally) -> Option<Fault> {
    let mut own = Tally::default();
    ASKING.fetch_add(1, Ordering::Relaxed);
    let answer = catch_unwind(AssertUnwindSafe(|| ask(set, seed, &mut own)));
    ASKING.fetch_sub(1, Ordering::Relaxed);
    tally.add(own);
    match answer {
        Ok(answer) => answer.err(),
        Err(_) => {
            let details = PANIC.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default();
            Some(Fault { what: format!("panic: {}", ask::gist(&details)), details })
        }
    }
}

/// The set of a seed: one in 16 has more designs than are enumerated, and one in 4 a design of utilization 1.
fn drawn_of(seed: u64) -> Set {
    let random = &mut Random::new(seed);
    let mut set = draw(random, seed.is_multiple_of(16));
    let most = ask::most_designs(seed);
    while most > set::MOST_DESIGNS && set.modes == 0 && set.tasks.len() > 1 && set.designs() > most {
        set.tasks.pop();
    }
    if random.one_in(4) {
        Judge::fill(&mut set, random);
    }
    set
}

/// Keeps the message of a panic in place of printing it, while a set is asked about.
fn keep_panics() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| match ASKING.load(Ordering::Relaxed) > 0 {
        true => *PANIC.lock().unwrap_or_else(PoisonError::into_inner) = Some(panic.to_string()),
        false => before(panic),
    }));
}

/// Writes a set that shows a fault to a file.
fn written(set: &Set, seed: u64, fault: &Fault) -> String {
    let folder =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).parent().map(|target| target.join("random")).unwrap();
    let file = folder.join(format!("{seed}.yaml"));
    let printed = format!("seed {seed}: {}\nflags:{}\n{}", fault.what, set.flags(), fault.details);
    let head: String = printed.lines().map(|line| format!("# {line}\n")).collect();
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(&file, head + &set.yaml()).unwrap();
    format!("{printed}\n{}\n{}", file.display(), set.yaml())
}

/// Shrinks a set that shows a fault.
fn reported(set: Set, seed: u64, fault: &Fault) -> String {
    let what = |set: &Set| asked(set, seed, &mut Tally::default()).map(|fault| fault.what);
    let set = shrink::shrunk(set, &|smaller| what(smaller).as_ref() == Some(&fault.what));
    let fault = asked(&set, seed, &mut Tally::default()).unwrap_or_else(|| fault.clone());
    written(&set, seed, &fault)
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().unwrap_or_else(|_| panic!("{name} is a whole number")))
}

#[test]
fn whatever_isx_says_about_a_random_set_is_so() {
    let _turn = TURN.lock();
    keep_panics();
    let (first, seconds) = (number("ISX_SEED").unwrap_or(1), number("ISX_SECONDS"));
    let sets = number("ISX_CASES").unwrap_or(if seconds.is_some() { u64::MAX } else { SETS });
    let (start, most) = (Instant::now(), Duration::from_secs(seconds.unwrap_or(u64::MAX)));
    let (next, all) = (AtomicU64::new(0), Mutex::new((0, Tally::default(), Tally::default())));
    let faults = Mutex::new(BTreeMap::<String, String>::new());
    let locked = || faults.lock().unwrap_or_else(PoisonError::into_inner);
    let ask_some = || {
        let (mut drawn, mut kinds, mut tally) = (0, Tally::default(), Tally::default());
        while start.elapsed() < most && locked().len() < MOST_FAULTS {
            let seed = first + next.fetch_add(1, Ordering::Relaxed);
            if seed - first >= sets {
                break;
            }
            drawn += 1;
            let set = drawn_of(seed);
            kinds.count(set.kind());
            let Some(fault) = asked(&set, seed, &mut tally) else { continue };
            if let Some((what, _)) = KNOWN.iter().find(|(what, _)| fault.what.contains(what)) {
                tally.count(format!("known: {what}"));
                continue;
            }
            if locked().contains_key(&fault.what) {
                continue;
            }
            // It takes a while to shrink a set: the others go on.
            println!("{}", written(&set, seed, &fault));
            locked().insert(fault.what.clone(), fault.details.clone());
            let report = reported(set, seed, &fault);
            locked().insert(fault.what, report);
        }
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        all.0 += drawn;
        all.1.add(kinds);
        all.2.add(tally);
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(ask_some))));
    let (drawn, kinds, tally) = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    let faults = faults.into_inner().unwrap_or_else(PoisonError::into_inner);
    println!("{drawn} sets in {:.1} s", start.elapsed().as_secs_f64());
    kinds.0.iter().for_each(|(kind, count)| println!("  {count:8} {kind}"));
    tally.0.iter().for_each(|(what, count)| println!("  {count:8} {what}"));
    let asked = [
        ("front of several points", 3),
        ("schedulable", 4),
        ("verdict by another design than that of least utilization", 60),
        ("not schedulable", 4),
        ("certificate", 3),
        ("certificate of modes", 30),
        ("certificate with overruns", 60),
        ("certificate by cases", 600),
        ("certificate of cores", 30),
        ("formula of a wrong front", 60),
        ("mutant refused", 1),
        ("wrong front", 10),
        ("margin", 3),
        ("least area on cores", 30),
        ("engine list", 8),
        ("large set", 30),
        ("front of cores", 60),
        ("cores within limits", 60),
        ("late job", 120),
        ("failing demand", 240),
        ("response time", 10),
        ("slowdown", 10),
        ("front of margins", 30),
        ("cut short", 60),
    ];
    let few = asked.iter().find(|(what, share)| drawn > 500 && tally.of(what) < drawn / share);
    assert!(few.is_none(), "hardly ever asked: {few:?}");
    assert!(faults.is_empty(), "{}", faults.into_values().collect::<Vec<_>>().join("\n"));
}

/// A judge with a planted error finds isx wrong whenever it is asked.
#[test]
fn a_wrong_judge_is_found_out() {
    let _turn = TURN.lock();
    type Plant = fn(&mut Judge, &Design);
    let plants: [(&str, Plant); 4] = [
        // A point that is missing, one that is too good, verdicts that are none.
        ("points of a front", |judge, last| judge.designs.retain(|design| design.key != last.key)),
        ("points of a front", |judge, last| {
            judge
                .designs
                .iter_mut()
                .filter(|design| design.key == last.key)
                .for_each(|design| design.loads.fill(0.into()));
        }),
        ("schedulable", |judge, _| {
            let passes = judge.designs.iter_mut().flat_map(|design| &mut design.passes);
            passes.for_each(|passes| *passes = passes.map(|passes| !passes));
        }),
        ("a certificate of what is false", |judge, last| {
            judge.designs.retain(|design| design.key != last.key)
        }),
    ];
    for seed in (1..200).filter(|seed| seed % 16 != 0) {
        let set = drawn_of(seed);
        let (mut judge, mut tally) = (Judge::new(&set), Tally::default());
        let last = judge.front(judge.within()).last().map(|last| (*last).clone());
        let is_judged = judge.designs.iter().all(|design| design.passes() == Some(true)) && set.modes == 0;
        let Some(last) = last.filter(|_| is_judged && ask_judged(&judge, seed, &mut tally).is_ok()) else {
            continue;
        };
        let (what, plant) = plants[seed as usize % plants.len()];
        plant(&mut judge, &last);
        let fault = match what.contains("certificate") {
            true => ask::prove_judged(&judge, seed, &mut tally),
            false => ask_judged(&judge, seed, &mut tally),
        };
        let fault = fault.expect_err(what);
        assert!(fault.what.contains(what), "seed {seed}: {fault:?}");
    }
}

/// Of a set in which two tasks share a block, that is what is left.
#[test]
fn a_set_is_shrunk_to_what_shows_its_fault() {
    let _turn = TURN.lock();
    let share = |set: &Set| {
        let uses = |task: &set::Task, block| {
            let mut written = task.choices.iter().filter(|choice| !choice.is_way);
            written.any(|choice| choice.uses.contains(&block) && choice.cost[0] > 0)
        };
        (0..set.blocks.len()).any(|block| set.tasks.iter().filter(|task| uses(task, block)).count() > 1)
    };
    let sets: Vec<Set> = (1..300).map(drawn_of).filter(share).collect();
    assert!(sets.len() > 20);
    for set in sets {
        let small = shrink::shrunk(set, &share);
        assert_eq!(
            small.yaml(),
            "name: random\nscheduler: edf\nblocks:\n- {name: b0, area: 0}\ntasks:\n\
             - {name: t0, wcet: 1, period: 1, choices: [\n    {name: c0, area: 1, wcet: 1, uses: [b0]}]}\n\
             - {name: t1, wcet: 1, period: 1, choices: [\n    {name: c0, area: 1, wcet: 1, uses: [b0]}]}\n"
        );
    }
}
