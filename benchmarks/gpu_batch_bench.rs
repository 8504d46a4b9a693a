//! Times batches of small task sets on the GPU and on the CPU, their answers held against each other first.
//!
//! ```text
//! cargo run --release --example gpu_batch_bench -- [--sets N] [--repeats N] [--cpu] [--lists SHORT,LONG]
//! ```
//!
//! Sets have 12 tasks of 10 choices, areas of 1 to 2000 units and a budget of 10,000, `tests/common/batches.rs`; the answer
//! is the least utilization (the most saved), the least area that gives it, and the choices. A kind has one line: sets a
//! second of the kernels alone by the GPU's clock, one piece at a time; of the engine's whole run, packing, transfers both ways
//! and reading included; of `solve_many`, every answer summed again and handed out; and of the CPU's threads. All are the
//! best of the repeats, the GPU's start not counted. `--cpu` leaves the GPU out. Exits with 1 where an answer differs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../tests/common/batches.rs"]
mod batches;
#[path = "../tests/gpu/harness.rs"]
mod harness;
#[path = "../tests/common/random.rs"]
mod random;

use batches::{KINDS, Kind, task_sets};
use isx::engine::mckp::batch::cuda::{self, Options};
use isx::engine::mckp::batch::{Answers, ENGINES, Found};
use isx::engine::{Choice, Context, Hardware, Request};
use isx::machine::Machine;
use isx::machine::cuda::Device;
use isx::problem::mckp::Batch;
use isx::solve::batch::{Options as Solving, solve_many};
use random::Random;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

struct Wanted {
    sets: usize,
    repeats: usize,
    gpu: bool,
    options: Options,
}

fn main() {
    let wanted = arguments();
    let machine = Machine::default();
    let device = wanted.gpu.then(harness::gpu);
    if let Some(device) = &device {
        println!("{:?}", device.info());
    }
    println!(
        "{} threads of the CPU; {} sets of 12 tasks with 10 choices, budget 10,000",
        machine.threads(),
        wanted.sets
    );
    println!(
        "{:13} {:>12} {:>12} {:>12} {:>12} {:>12} {:>8}  {:?}",
        "sets a second", "kernels", "whole run", "solve_many", "CPU", "CPU many", "left", wanted.options
    );
    let mut wrong = 0;
    for kind in KINDS.into_iter().filter(|&kind| kind != Kind::Tied) {
        // The hardest have long lists for every set: fewer of them will do.
        let sets = if kind == Kind::Subset { wanted.sets.min(2000) } else { wanted.sets };
        wrong += line(kind, &task_sets(&mut Random(2026), kind, sets), device.as_ref(), &machine, &wanted);
    }
    println!("{wrong} wrong");
    std::process::exit(i32::from(wrong > 0));
}

/// Prints a kind's line; how many answers differ.
fn line(
    kind: Kind,
    batch: &Batch,
    device: Option<&Arc<Device>>,
    machine: &Machine,
    wanted: &Wanted,
) -> usize {
    let context = Context::new(machine);
    let lists = ENGINES.judge().expect("there is a judge");
    let by_lists =
        || lists.solve(Request { problem: batch, wanted: (), context: &context }).expect("they answer");
    let judged = by_lists();
    let left = judged.found.iter().filter(|found| **found == Found::Left).count();
    let rate = |seconds: f64| format!("{:.3} M", batch.len() as f64 / seconds / 1e6);
    let best = |work: &dyn Fn() -> f64| (0..wanted.repeats).map(|_| work()).fold(f64::INFINITY, f64::min);
    let many = |hardware: Hardware| {
        let entry = ENGINES.iter().find(|entry| entry.hardware == hardware).expect("it is built in");
        let solving =
            Solving { engine: Choice::Named(entry), machine: machine.clone(), ..Solving::default() };
        best(&|| {
            let started = Instant::now();
            solve_many(batch, &solving, |_, answer| drop(black_box(answer))).expect("they answer");
            started.elapsed().as_secs_f64()
        })
    };
    let cpu = best(&|| by_lists().solve.as_secs_f64());
    let (mut wrong, mut gpu) = (0, ["-".to_owned(), "-".to_owned(), "-".to_owned()]);
    if let Some(device) = device {
        let run = |options: &Options| cuda::solve(device, batch, &context, options).expect("the GPU answers");
        wrong = differing(&judged, &run(&wanted.options).0);
        let apart = Options { lanes: 1, ..wanted.options };
        gpu = [
            rate(best(&|| run(&apart).1.as_secs_f64())),
            rate(best(&|| run(&wanted.options).0.solve.as_secs_f64())),
            rate(many(Hardware::Gpu)),
        ];
    }
    let [kernels, whole, handed] = gpu;
    println!(
        "{:13} {kernels:>12} {whole:>12} {handed:>12} {:>12} {:>12} {left:8}  {wrong} of {} differ",
        format!("{kind:?}"),
        rate(cpu),
        rate(many(Hardware::Cpu)),
        batch.len(),
    );
    wrong
}

fn differing(judged: &Answers, found: &Answers) -> usize {
    // What only one of them has left is no difference; items are compared where all problems have an answer.
    let differs = |(a, b): (&Found, &Found)| *a != Found::Left && *b != Found::Left && a != b;
    let wrong = judged.found.iter().zip(&found.found).filter(|&pair| differs(pair)).count();
    let all = |answers: &Answers| !answers.found.contains(&Found::Left);
    wrong + usize::from(all(judged) && all(found) && judged.picks != found.picks)
}

fn arguments() -> Wanted {
    let mut wanted = Wanted { sets: 100_000, repeats: 5, gpu: true, options: Options::default() };
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
                wanted.options.short = short.parse().expect("a number");
                wanted.options.long = long.parse().expect("a number");
            }
            other => panic!("{other}: no such argument"),
        }
    }
    wanted
}
