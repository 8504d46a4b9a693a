//! What part of the GPU's limits the kernels of the knapsack families reach.
//!
//! Every line is one engine on an instance that keeps one kernel busy: the fastest of some runs, by the host's clock and
//! with the engine's own set-up, so that a line is no better than the kernel. Bytes are those of the rows that launches
//! read and write once each (the halo of a tile left out), so the part of a copy's rate is a lower bound. The second limit is one read of
//! 4 bytes from shared memory a lane and clock, 32 a multiprocessor: an update that reads and writes there more than once
//! reaches the part shown at most, one from registers may pass 1.

use isx::engine::Context;
use isx::engine::knapsack::cuda::{Options, Width, front};
use isx::machine::Machine;
use isx::machine::cuda::Device;
use isx::problem::knapsack::{Item, Knapsack};
use isx::reduce::knapsack::{Goal, Options as Reduction, Reduced, reduce};

/// Runs of a line.
const RUNS: usize = 4;

/// What a run did.
struct Done {
    seconds: f64,
    bytes: f64,
    updates: f64,
}

/// Prints the table.
pub fn table(device: &Device, copy: f64) {
    let info = device.info();
    let shared = info.multiprocessors as f64 * 32.0 * info.clock_khz as f64 * 1e3;
    println!("shared memory: {:.2} T reads of 4 bytes a second", shared / 1e12);
    println!(
        "{:34} {:>9} {:>8} {:>9} {:>6} {:>10} {:>7}",
        "kernel, instance", "seconds", "GB", "TB/s", "copy", "T updates", "shared"
    );
    let line = |name: &str, run: &dyn Fn() -> Done| {
        let runs: Vec<Done> = (0..RUNS).map(|_| run()).collect();
        let best = runs.into_iter().min_by(|a, b| a.seconds.total_cmp(&b.seconds)).expect("there are runs");
        let (bytes, updates) = (best.bytes / best.seconds, best.updates / best.seconds);
        println!(
            "{name:34} {:9.4} {:8.1} {:9.3} {:6.2} {:10.3} {:7.2}",
            best.seconds,
            best.bytes / 1e9,
            bytes / 1e12,
            bytes / copy,
            updates / 1e12,
            updates / shared
        );
    };
    for (width, bits) in [(Width::W16, 16), (Width::W32, 32), (Width::W64, 64)] {
        let run = |problem: &Reduced| sweep(device, problem, width);
        let (heavy, light) = (spread(300, 500_000, 1_500_000), spread(8000, 100, 2000));
        line(&format!("knapsack_step, {bits} bits"), &|| run(&heavy));
        line(&format!("knapsack_tile, {bits} bits"), &|| run(&light));
    }
}

/// A number below `end` (up to 2^40), all about as often: an odd step through the numbers below 2^20.
fn scattered(at: u64, end: u64) -> u64 {
    (((at * 654_321) & 0xf_ffff) * end) >> 20
}

/// Items of those weights, profits close to them, half of all as capacity.
fn spread(items: u64, least: u64, most: u64) -> Reduced {
    let item = |at: u64| {
        let weight = least + scattered(at, most - least);
        Item { profit: i128::from(weight + at % 16), weight }
    };
    reduced((0..items).map(item).collect())
}

fn reduced(items: Vec<Item>) -> Reduced {
    let capacity = items.iter().map(|item| item.weight).sum::<u64>() / 2;
    reduce(&Knapsack { items, capacity }, Reduction { goal: Goal::AllCapacities, dominance: false })
}

fn sweep(device: &Device, problem: &Reduced, at_least: Width) -> Done {
    let machine = Machine::default();
    let options = Options { at_least, ..Options::default() };
    let done = front(device, &problem.items, problem.capacity, false, &Context::new(&machine), &options)
        .unwrap_or_else(|error| panic!("{error}"));
    Done { seconds: done.solve.as_secs_f64(), bytes: done.bytes as f64, updates: done.updates as f64 }
}
