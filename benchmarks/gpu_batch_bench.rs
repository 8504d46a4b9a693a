//! Times batches of small task sets on GPUs and on the CPU, their answers compared with each other first.
//!
//! ```text
//! cargo run --release --example gpu_batch_bench -- [--sets N] [--repeats N] [--kind KIND] [--device 0[,1..]] [--threads N]
//!     [--piece BYTES] [--lists SHORT,LONG] [--cpu]
//! ```
//!
//! Sets have 12 tasks of 10 choices, areas of 1 to 2000 units and a budget of 10,000 (`tests/common/batches.rs`); the answer
//! is the least utilization (the most saved), the least area that gives it, and the choices. A kind of sets has a line per
//! engine, and with several devices also a line for the first alone. Each line has millions of sets per second:
//!
//! - kernels: the kernels alone by the GPU's clock, one piece of 16 MiB at a time;
//! - whole run: the engine from the batch to its answers, with packing, copies both ways and reading;
//! - solve_many: the same, with every answer summed again and handed out.
//!
//! Then the number of sets that the engine left to the CPU, and the milliseconds of a run: the whole, and its parts, which
//! overlap. Packing and reading are those of all threads divided by their number; copies and kernels are sums over pieces
//! by the GPUs' clocks, divided by the number of GPUs, and a piece that waits for another one's kernels counts its waiting.
//! The line `host only` packs and reads without a GPU. All figures are the best of the repeats, the GPU's start not counted.
//!
//! `--cpu` leaves the GPU out; `--lists 0,1024` is for the rows' first kernel. Exits with 1 if an answer differs from that of
//! `solve_many` on the CPU, which is asked for all sets of a kind, or for the first thousand where values are weights: those
//! take it a millisecond each.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../tests/common/batches.rs"]
mod batches;
#[path = "../tests/common/random.rs"]
mod random;

use batches::{KINDS, Kind, task_sets};
use isx::engine::{Choice, Context, Entry, Request};
use isx::machine::Machine;
use isx::machine::cuda::Device;
use isx_batch::cuda::rows::Rows;
use isx_batch::cuda::{self, Options, Times};
use isx_batch::{Answers, Batch, ENGINES, Found, MckpBatch, NO_ITEM, Options as Solving, solve_many};
use random::Random;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

struct Wanted {
    sets: usize,
    repeats: usize,
    kind: Option<String>,
    /// None for the CPU only.
    devices: Vec<usize>,
    threads: Option<usize>,
    piece: usize,
    lists: Option<(usize, usize)>,
}

/// Sets of the hardest kind that the CPU is asked for.
const FEW: usize = 1000;

/// Bytes of a piece that fills a GPU without other pieces.
const LARGE_PIECE: usize = 16 << 20;

fn main() {
    let wanted = arguments();
    let machine = Machine::default();
    let machine = wanted.threads.into_iter().fold(machine, Machine::with_threads);
    let open = |&ordinal: &usize| Device::open(ordinal).expect("the GPU opens");
    let devices: Vec<Arc<Device>> = wanted.devices.iter().map(open).collect();
    for device in &devices {
        println!("{:?}", device.info());
    }
    println!(
        "{} threads of the CPU; {} sets of 12 tasks with 10 choices, budget 10,000; pieces of {} bytes; lists {:?}",
        machine.threads(),
        wanted.sets,
        wanted.piece,
        wanted.lists
    );
    println!(
        "{:13} {:14} {:>4} {:>9} {:>9} {:>10} {:>8}   ms: whole; pack, upload, kernels, back, read",
        "M sets/s", "engine", "GPUs", "kernels", "whole run", "solve_many", "left"
    );
    let mut wrong = 0;
    let asked = |kind: &Kind| match &wanted.kind {
        Some(name) => format!("{kind:?}").eq_ignore_ascii_case(name),
        None => *kind != Kind::Tied,
    };
    for kind in KINDS.into_iter().filter(asked) {
        wrong += lines(kind, &devices, &machine, &wanted);
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

/// The shortest of some runs, in seconds.
fn best(repeats: usize, work: impl Fn() -> f64) -> f64 {
    (0..repeats).map(|_| work()).fold(f64::INFINITY, f64::min)
}

/// A line of the table; a rate of 0 is not known.
struct Line<'a> {
    kind: Kind,
    engine: &'a str,
    gpus: usize,
    /// Sets per second: kernels, whole run, `solve_many`.
    rates: [f64; 3],
    left: usize,
    told: String,
}

impl Line<'_> {
    fn print(&self) {
        let rate = |rate: f64| if rate > 0.0 { format!("{:.3}", rate / 1e6) } else { "-".into() };
        let [kernels, whole, handed] = self.rates.map(rate);
        let Self { kind, engine, gpus, left, told, .. } = self;
        let kind = format!("{kind:?}");
        println!("{kind:13} {engine:14} {gpus:4} {kernels:>9} {whole:>9} {handed:>10} {left:8}   {told}");
    }
}

/// Milliseconds of a run and of its parts, for each of so many threads and GPUs.
fn in_parts(whole: Duration, times: &Times, threads: usize, gpus: usize) -> String {
    let Times { pack, upload, kernels, back, read } = *times;
    let ms = |time: Duration, of: usize| format!("{:.2}", time.as_secs_f64() * 1e3 / of as f64);
    let (host, gpu) = (|time| ms(time, threads), |time| ms(time, gpus.max(1)));
    format!(
        "{}; {}, {}, {}, {}, {}",
        ms(whole, 1),
        host(pack),
        gpu(upload),
        gpu(kernels),
        gpu(back),
        host(read)
    )
}

/// Prints a kind's lines; how many answers differ.
fn lines(kind: Kind, devices: &[Arc<Device>], machine: &Machine, wanted: &Wanted) -> usize {
    let sets = |sets: usize| task_sets(&mut Random(2026), kind, sets);
    let few = if kind == Kind::Subset { wanted.sets.min(FEW) } else { wanted.sets };
    let (batch, fewer) = (sets(wanted.sets), sets(few));
    let context = Context::new(machine);
    let request = || Request { problem: &fewer, wanted: (), context: &context };
    let lists = || named("bounded-lists").solve(request()).expect("lists answer");
    let left = |answers: &Answers| answers.found.iter().filter(|found| **found == Found::Left).count();
    let judged = many("bounded-lists", &fewer, machine, true).1;
    let per = |sets: usize, seconds: f64| sets as f64 / seconds;
    let rates = [
        0.0,
        per(few, best(wanted.repeats, || lists().solve.as_secs_f64())),
        per(few, best(wanted.repeats, || many("bounded-lists", &fewer, machine, false).0)),
    ];
    let told = format!("of {few} sets");
    Line { kind, engine: "bounded-lists", gpus: 0, rates, left: left(&lists()), told }.print();
    let options = Options { piece: wanted.piece, ..Options::default() };
    let run = || {
        let started = Instant::now();
        let times = cuda::host_only(&batch, &context, &options).expect("nothing fails");
        (started.elapsed(), times)
    };
    let (whole, times) =
        (0..wanted.repeats).map(|_| run()).min_by_key(|run| run.0).expect("at least one run");
    let rates = [0.0, per(batch.len(), whole.as_secs_f64()), 0.0];
    let told = in_parts(whole, &times, machine.threads(), 0);
    Line { kind, engine: "host only", gpus: 0, rates, left: 0, told }.print();
    let mut wrong = 0;
    for (engine, options) in [("cuda-lists", Options::default()), ("cuda-rows", Rows::options())] {
        let (short, long) = wanted.lists.unwrap_or((options.short, options.long));
        let options = Options { short, long, piece: wanted.piece, ..options };
        // Lists leave all of the hardest to the CPU, which has a second for a thousand.
        let batch = if engine == "cuda-lists" { &fewer } else { &batch };
        for gpus in (1..=devices.len()).filter(|&gpus| gpus == 1 || gpus == devices.len()) {
            let devices: Vec<&Device> = devices[..gpus].iter().map(AsRef::as_ref).collect();
            let run =
                |options: &Options| cuda::solve(&devices, batch, &context, options).expect("the GPU answers");
            let found = run(&options).0;
            let differ = differing(&judged, &found);
            wrong += differ;
            let one = Options { lanes: 1, piece: LARGE_PIECE, timed: true, ..options };
            let kernels = best(wanted.repeats, || run(&one).1.kernels.as_secs_f64() / gpus as f64);
            let whole = best(wanted.repeats, || run(&options).0.solve.as_secs_f64());
            let ordinals: Vec<usize> = devices.iter().map(|device| device.info().ordinal).collect();
            let machine = machine.clone().with_gpus(&ordinals);
            let handed = best(wanted.repeats, || many(engine, batch, &machine, false).0);
            let rates = [kernels, whole, handed].map(|seconds| per(batch.len(), seconds));
            let timed = Options { timed: true, ..options };
            let (answers, times) = (0..wanted.repeats)
                .map(|_| run(&timed))
                .min_by_key(|run| run.0.solve)
                .expect("at least one run");
            let told = in_parts(answers.solve, &times, machine.threads(), gpus);
            let told = format!("{told}; of {} sets, {differ} of {} differ", batch.len(), judged.len());
            Line { kind, engine, gpus, rates, left: left(&found), told }.print();
        }
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
    let mut wanted = Wanted {
        sets: 100_000,
        repeats: 5,
        kind: None,
        devices: vec![0],
        threads: None,
        piece: Options::default().piece,
        lists: None,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|text| text.parse().ok());
        match argument.as_str() {
            "--sets" => wanted.sets = number().expect("--sets N"),
            "--repeats" => wanted.repeats = number().filter(|&repeats| repeats > 0).expect("--repeats N"),
            "--kind" => wanted.kind = Some(arguments.next().expect("--kind KIND")),
            "--threads" => wanted.threads = Some(number().expect("--threads N")),
            "--piece" => wanted.piece = number().expect("--piece BYTES"),
            "--cpu" => wanted.devices.clear(),
            "--device" => {
                let text = arguments.next().expect("--device 0[,1..]");
                let number = |text: &str| text.parse().expect("a number");
                wanted.devices = text.split(',').map(number).collect();
            }
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
