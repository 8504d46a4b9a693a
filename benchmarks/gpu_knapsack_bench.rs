//! Times the GPU engine for the 0-1 knapsack on instance files, the optimum checked before anything is shown.
//!
//! ```text
//! cargo run --release --example gpu_knapsack_bench -- [--optima FILE.csv] [--value] [--second] [--repeats N] FILE ...
//! cargo run --release --example gpu_knapsack_bench -- --limits
//! ```
//!
//! `--limits` times the kernels of the knapsack families one by one and shows what part of two limits they reach: bytes
//! that pass between the multiprocessors and memory against a copy's, and updates against one read of 4 bytes from shared
//! memory a lane and clock (`limits.rs`).
//!
//! `--optima` names a table `name,optimum` (-1 where it is not known); a file `FOLDER/test.in` has the name of its folder,
//! any other its own without the ending. `--value` leaves the items out; `--second` solves again with the lightest items
//! first and cells of 32 bits at least, and holds the optima against each other. An instance has one line: seconds of the
//! whole (reduction, transfers and items included, the GPU's start not), of the first sweep and of finding the items, the
//! bytes of the blocks of cells launched, and their rate as a part of what a copy on the GPU reaches; it may pass 1, since
//! blocks that hold nothing are not moved. The last lines have median and worst. Exits with 1 where an optimum differs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../tests/gpu/harness.rs"]
mod harness;
#[path = "gpu_knapsack_bench/limits.rs"]
mod limits;

use cudarc::driver::CudaContext;
use harness::gpu;
use isx::engine::Context;
use isx::engine::knapsack::cuda::{Found, Options, Width, best};
use isx::machine::Machine;
use isx::machine::cuda::Device;
use isx::problem::knapsack::{Item, Knapsack, text};
use isx::reduce::knapsack::{Goal, Options as Reduction, reduce};
use std::collections::HashMap;
use std::path::Path;
use std::time::Instant;

struct Wanted {
    optima: HashMap<String, i128>,
    items: bool,
    second: bool,
    limits: bool,
    repeats: usize,
    files: Vec<String>,
}

fn main() {
    let wanted = arguments();
    let copy = copy_rate();
    let device = gpu();
    println!("{:?}", device.info());
    println!("copy: {:.2} TB/s, read and written", copy / 1e12);
    if wanted.limits {
        return limits::table(&device, copy);
    }
    warm_up(&device);
    println!(
        "{:52} {:>5} {:>5} {:>4} {:>9} {:>9} {:>9} {:>9} {:>6} optimum",
        "instance", "items", "left", "bits", "seconds", "sweep", "items", "GB", "copy"
    );
    let mut wrong = 0;
    let mut seconds: Vec<(f64, String)> = Vec::new();
    for file in &wanted.files {
        let name = name_of(file);
        let problem = text::parse(&std::fs::read_to_string(file).expect("a file of an instance"));
        let problem = problem.unwrap_or_else(|error| panic!("{file}: {error}")).problem;
        let (found, all, left) = fastest(&device, &problem, &Options::default(), &wanted);
        let rate = found.bytes as f64 / (found.solve + found.traceback).as_secs_f64() / copy;
        let mut verdict = match wanted.optima.get(&name) {
            Some(&optimum) if optimum >= 0 && optimum == found.profits[0] => "as recorded".to_owned(),
            Some(&optimum) if optimum >= 0 => format!("WRONG: recorded {optimum}"),
            _ => "no record".to_owned(),
        };
        if wanted.second {
            let options = Options { at_least: Width::W32, heaviest_first: false, ..Options::default() };
            let (other, took, _) =
                fastest(&device, &problem, &options, &Wanted { repeats: 1, ..only(&wanted) });
            let same = if other.profits == found.profits { "the same" } else { "WRONG: different" };
            verdict = format!("{verdict}; {same} in another order and {:?} in {took:.3} s", other.width);
        }
        wrong += usize::from(verdict.contains("WRONG"));
        println!(
            "{name:52} {:5} {left:5} {:4} {all:9.4} {:9.4} {:9.4} {:9.1} {rate:6.2} {} {verdict}",
            problem.items.len(),
            match found.width {
                Width::W16 => 16,
                Width::W32 => 32,
                Width::W64 => 64,
            },
            found.solve.as_secs_f64(),
            found.traceback.as_secs_f64(),
            found.bytes as f64 / 1e9,
            found.profits[0],
        );
        seconds.push((all, name));
    }
    seconds.sort_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((worst, name)) = seconds.last() {
        println!(
            "{} instances, median {:.4} s, worst {worst:.4} s ({name})",
            seconds.len(),
            seconds[seconds.len() / 2].0
        );
    }
    println!("{wrong} wrong");
    std::process::exit(i32::from(wrong > 0));
}

/// The same without what must not be done twice.
fn only(wanted: &Wanted) -> Wanted {
    Wanted {
        optima: HashMap::new(),
        items: wanted.items,
        second: false,
        limits: false,
        repeats: 1,
        files: Vec::new(),
    }
}

fn arguments() -> Wanted {
    let mut wanted = Wanted {
        optima: HashMap::new(),
        items: true,
        second: false,
        limits: false,
        repeats: 3,
        files: Vec::new(),
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--optima" => wanted.optima = optima(&arguments.next().expect("--optima FILE")),
            "--value" => wanted.items = false,
            "--second" => wanted.second = true,
            "--limits" => wanted.limits = true,
            "--repeats" => {
                wanted.repeats = arguments.next().and_then(|n| n.parse().ok()).expect("--repeats N")
            }
            _ => wanted.files.push(argument),
        }
    }
    wanted
}

fn optima(file: &str) -> HashMap<String, i128> {
    let text = std::fs::read_to_string(file).expect("the table of optima");
    let pair = |line: &str| {
        let (name, optimum) = line.split_once(',')?;
        Some((name.trim().to_owned(), optimum.trim().parse().ok()?))
    };
    text.lines().filter_map(pair).collect()
}

fn name_of(file: &str) -> String {
    let path = Path::new(file);
    let of = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    if path.file_name().is_some_and(|name| name == "test.in") {
        path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned()
    } else {
        of(path)
    }
}

/// Lets the driver compile the kernels.
fn warm_up(device: &Device) {
    let item = |weight: u64| Item { profit: i128::from(weight) + 1, weight };
    let problem = Knapsack { items: [3000, 4000, 5000, 7, 9].map(item).to_vec(), capacity: 9000 };
    for at_least in [Width::W16, Width::W32] {
        let options = Options { at_least, most_decisions: 0, ..Options::default() };
        fastest(device, &problem, &options, &Wanted { items: true, repeats: 1, ..only(&arguments()) });
    }
}

/// The answer of the fastest run and its seconds, and how many items the reduction left.
fn fastest(device: &Device, problem: &Knapsack, options: &Options, wanted: &Wanted) -> (Found, f64, usize) {
    let machine = Machine::default();
    let context = Context::new(&machine);
    let mut runs: Vec<(Found, f64, usize)> = (0..wanted.repeats.max(1))
        .map(|_| {
            let started = Instant::now();
            let reduced = reduce(problem, Reduction { goal: Goal::OneCapacity, dominance: true });
            let mut found =
                best(device, None, &reduced.items, reduced.capacity, wanted.items, &context, options)
                    .unwrap_or_else(|error| panic!("{error}"));
            let seconds = started.elapsed().as_secs_f64();
            let profit = num_bigint::BigInt::from(found.profits[0]) * &reduced.back.profit_unit;
            found.profits[0] = i128::try_from(profit + &reduced.back.profit_offset).expect("it fits");
            (found, seconds, reduced.items.len())
        })
        .collect();
    runs.sort_by(|a, b| a.1.total_cmp(&b.1));
    assert!(runs.iter().all(|run| run.0.profits == runs[0].0.profits), "runs differ");
    runs.swap_remove(0)
}

/// Bytes a second, read and written, of a copy on the GPU.
fn copy_rate() -> f64 {
    let ordinal = std::env::var("ISX_DEVICE").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    let bytes: usize =
        std::env::var("ISX_COPY_BYTES").ok().and_then(|text| text.parse().ok()).unwrap_or(4 << 30);
    let stream = CudaContext::new(ordinal).expect("a GPU").default_stream();
    let from = stream.alloc_zeros::<u8>(bytes).expect("memory");
    let mut to = stream.alloc_zeros::<u8>(bytes).expect("memory");
    let mut once = || {
        stream.synchronize().expect("the GPU waits");
        let started = Instant::now();
        stream.memcpy_dtod(&from, &mut to).expect("it copies");
        stream.synchronize().expect("the GPU waits");
        2.0 * bytes as f64 / started.elapsed().as_secs_f64()
    };
    (0..5).map(|_| once()).fold(0.0, f64::max)
}
