//! Times batches of small task sets on the GPU and on the CPU, their answers held against each other first.
//!
//! ```text
//! cargo run --release --example gpu_batch_bench -- [--sets N] [--repeats N] [--cpu] [--lists SHORT,LONG]
//! ```
//!
//! Sets have 12 tasks of 10 choices, areas of 1 to 2000 units and a budget of 10,000, `tests/common/batches.rs`; the answer
//! is the least utilization (the most saved), the least area that gives it, and the choices. A kind has a line an engine:
//! sets a second of the kernels alone by the GPU's clock, one piece at a time; of the engine's whole run, packing, transfers
//! both ways and reading included; of `solve_many`, every answer summed again and handed out; and how many sets the engine
//! left. All are the best of the repeats, the GPU's start not counted. `--cpu` leaves the GPU out, `--lists 0,1024` is for
//! the rows' first kernel. Exits with 1 where an answer differs from that of `solve_many` on the CPU, which is asked for all
//! sets of a kind, or for the first thousand where values are weights: those take it a millisecond each.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../tests/common/batches.rs"]
mod batches;
#[path = "../tests/gpu/harness.rs"]
mod harness;
#[path = "../tests/common/random.rs"]
mod random;

use batches::{KINDS, Kind, task_sets};
use isx::engine::{Choice, Context, Entry, Request};
use isx::machine::Machine;
use isx::machine::cuda::Device;
use isx_batch::cuda::rows::Rows;
use isx_batch::cuda::{self, Options};
use isx_batch::{Answers, Batch, ENGINES, Found, MckpBatch, NO_ITEM, Options as Solving, solve_many};
use random::Random;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

struct Wanted {
    sets: usize,
    repeats: usize,
    gpu: bool,
    lists: Option<(usize, usize)>,
}

/// Sets of the hardest kind that the CPU is asked for.
const FEW: usize = 1000;

fn main() {
    let wanted = arguments();
    let machine = Machine::default();
    let device = wanted.gpu.then(harness::gpu);
    if let Some(device) = &device {
        println!("{:?}", device.info());
    }
    println!(
        "{} threads of the CPU; {} sets of 12 tasks with 10 choices, budget 10,000; lists {:?}",
        machine.threads(),
        wanted.sets,
        wanted.lists
    );
    println!(
        "{:13} {:14} {:>12} {:>12} {:>12} {:>8}",
        "sets a second", "engine", "kernels", "whole run", "solve_many", "left"
    );
    let mut wrong = 0;
    for kind in KINDS.into_iter().filter(|&kind| kind != Kind::Tied) {
        wrong += lines(kind, device.as_ref(), &machine, &wanted);
    }
    println!("{wrong} wrong");
    std::process::exit(i32::from(wrong > 0));
}

/// Value, weight and items of every set.
type Told = Vec<(i128, u64, Vec<u32>)>;

fn named(name: &str) -> &'static Entry<MckpBatch> {
    ENGINES.named(name).expect("it is built in")
}

/// The seconds of `solve_many` by an engine, and what it says.
fn many(engine: &str, batch: &Batch, machine: &Machine, keep: bool) -> (f64, Told) {
    let solving =
        Solving { engine: Choice::Named(named(engine)), machine: machine.clone(), ..Solving::default() };
    let mut told = Vec::new();
    let started = Instant::now();
    solve_many(batch, &solving, |_, answer| {
        let answer = black_box(answer.expect("no task has to have a choice"));
        if keep {
            let items = answer.items.iter().map(|item| item.unwrap_or(NO_ITEM)).collect();
            told.push((answer.value, answer.weight, items));
        }
    })
    .expect("they answer");
    (started.elapsed().as_secs_f64(), told)
}

/// The best of some runs.
fn best(repeats: usize, work: impl Fn() -> f64) -> f64 {
    (0..repeats).map(|_| work()).fold(f64::INFINITY, f64::min)
}

/// Prints a kind's lines; how many answers differ.
fn lines(kind: Kind, device: Option<&Arc<Device>>, machine: &Machine, wanted: &Wanted) -> usize {
    let sets = |sets: usize| task_sets(&mut Random(2026), kind, sets);
    let few = if kind == Kind::Subset { wanted.sets.min(FEW) } else { wanted.sets };
    let (batch, fewer) = (sets(wanted.sets), sets(few));
    let context = Context::new(machine);
    let rate = |sets: usize, seconds: f64| format!("{:.3} M", sets as f64 / seconds / 1e6);
    let print = |engine: &str, [kernels, whole, handed]: [String; 3], left: usize, told: String| {
        println!(
            "{:13} {engine:14} {kernels:>12} {whole:>12} {handed:>12} {left:8}  {told}",
            format!("{kind:?}")
        );
    };
    let request = || Request { problem: &fewer, wanted: (), context: &context };
    let lists = || named("bounded-lists").solve(request()).expect("lists answer");
    let left = |answers: &Answers| answers.found.iter().filter(|found| **found == Found::Left).count();
    let judged = many("bounded-lists", &fewer, machine, true).1;
    let cpu = [
        "-".to_owned(),
        rate(few, best(wanted.repeats, || lists().solve.as_secs_f64())),
        rate(few, best(wanted.repeats, || many("bounded-lists", &fewer, machine, false).0)),
    ];
    print("bounded-lists", cpu, left(&lists()), format!("of {few}"));
    let Some(device) = device else { return 0 };
    let mut wrong = 0;
    for (engine, options) in [("cuda-lists", Options::default()), ("cuda-rows", Rows::options())] {
        let (short, long) = wanted.lists.unwrap_or((options.short, options.long));
        let options = Options { short, long, ..options };
        // Lists leave all of the hardest to the CPU, which has a second for a thousand.
        let batch = if engine == "cuda-lists" { &fewer } else { &batch };
        let run =
            |options: &Options| cuda::solve(&[&**device], batch, &context, options).expect("the GPU answers");
        let found = run(&options).0;
        let differ = differing(&judged, &found);
        wrong += differ;
        let apart = Options { lanes: 1, ..options };
        let rates = [
            rate(batch.len(), best(wanted.repeats, || run(&apart).1.as_secs_f64())),
            rate(batch.len(), best(wanted.repeats, || run(&options).0.solve.as_secs_f64())),
            rate(batch.len(), best(wanted.repeats, || many(engine, batch, machine, false).0)),
        ];
        let told = format!("of {}, {differ} of {} differ", batch.len(), judged.len());
        print(engine, rates, left(&found), told);
    }
    wrong
}

/// How many of the first answers differ in value, weight or items; what an engine has left is no difference.
fn differing(judged: &Told, found: &Answers) -> usize {
    let items = |at: usize| &found.picks[12 * at..12 * (at + 1)];
    let differs = |at: usize| match found.found[at] {
        Found::Best { value, weight } => judged[at] != (value, weight, items(at).to_vec()),
        Found::Infeasible => true,
        Found::Left => false,
    };
    (0..judged.len()).filter(|&at| differs(at)).count()
}

fn arguments() -> Wanted {
    let mut wanted = Wanted { sets: 100_000, repeats: 5, gpu: true, lists: None };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|text| text.parse().ok());
        match argument.as_str() {
            "--sets" => wanted.sets = number().expect("--sets N"),
            "--repeats" => wanted.repeats = number().expect("--repeats N"),
            "--cpu" => wanted.gpu = false,
            "--lists" => {
                let text = arguments.next().expect("--lists SHORT,LONG");
                let (short, long) = text.split_once(',').expect("--lists SHORT,LONG");
                let number = |text: &str| text.parse().expect("a number");
                wanted.lists = Some((number(short), number(long)));
            }
            other => panic!("{other}: no such argument"),
        }
    }
    wanted
}
