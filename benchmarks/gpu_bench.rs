//! Times the CUDA engine on a GPU, each answer compared with a CPU's before it is timed.
//!
//! ```text
//! cargo run --release --example gpu_bench -- [SECTION ...]     sections: limits large raw front reduced
//! ```
//!
//! Prints a table; one JSON object a line goes to the file named by `ISX_BENCH_OUT`. `ISX_BENCH_SWEEP=1` times other
//! tile shapes too. Times are medians of `ISX_BENCH_REPEATS` (7) by the GPU's clock, without context and transfers,
//! except where a line says `wall`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../tests/gpu/harness.rs"]
mod harness;
#[path = "../tests/common/random.rs"]
mod random;
#[path = "../tests/gpu/support.rs"]
mod support;

use isx::engine::Context;
use isx::engine::mckp::Wanted;
use isx::engine::mckp::cuda::{Filling, Options, Shape, Table, solve};
use isx::machine::Machine;
use isx::machine::cuda::Device;
use isx::problem::mckp::{Choice, Item, Mckp};
use isx::reduce::mckp::Reduced;
use std::fs::File;
use std::io::Write;
use std::time::Instant;
use support::*;

/// Measures one thing and prints it.
type Section = fn(&mut Bench);

struct Bench {
    device: std::sync::Arc<Device>,
    out: Option<File>,
    repeats: usize,
    sweep: bool,
    /// Updates a second at one 4-byte word of shared memory a lane a clock.
    limit: f64,
}

fn main() {
    let started = Instant::now();
    let device = gpu();
    let context_seconds = started.elapsed().as_secs_f64();
    let info = device.info().clone();
    let limit = info.multiprocessors as f64 * 32.0 * info.clock_khz as f64 * 1e3;
    let out = std::env::var("ISX_BENCH_OUT")
        .ok()
        .map(|path| File::create(path).expect("the output can be written"));
    let repeats = from_env("ISX_BENCH_REPEATS", 7) as usize;
    let mut bench = Bench { device, out, repeats, sweep: from_env("ISX_BENCH_SWEEP", 0) == 1, limit };
    println!("{info:?}");
    bench.line("start-up", "context", context_seconds, None, serde_json::json!({ "gpu": info.name }));
    let first = Instant::now();
    let tiny = reduced(&paper_instance(Kind::Strong, 2, 1000, 1), true);
    let options = Options::default();
    solve(&bench.device, as_i32(&tiny), Wanted::BestPicks, &Context::new(&Machine::default()), &options)
        .expect("it solves");
    bench.line(
        "start-up",
        "first solve (kernels compiled)",
        first.elapsed().as_secs_f64(),
        None,
        serde_json::json!({}),
    );
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let sections: [(&str, Section); 5] =
        [("limits", limits), ("large", large), ("raw", raw), ("front", front), ("reduced", reduced_instance)];
    for (name, section) in sections {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            section(&mut bench);
        }
    }
}

impl Bench {
    fn line(
        &mut self,
        section: &str,
        what: &str,
        seconds: f64,
        updates: Option<u64>,
        more: serde_json::Value,
    ) {
        let rate = updates.map(|updates| updates as f64 / seconds);
        let shown = rate.map_or(String::new(), |rate| {
            format!("{:8.3} T updates/s {:6.1} %", rate / 1e12, 100.0 * rate / self.limit)
        });
        println!("{section:9} {what:64} {:12.4} ms {shown}", seconds * 1e3);
        let line = serde_json::json!({
            "section": section, "what": what, "seconds": seconds, "updates": updates, "updates_a_second": rate,
            "more": more,
        });
        if let Some(out) = &mut self.out {
            writeln!(out, "{line}").expect("the output can be written");
        }
    }

    fn median(&self, mut once: impl FnMut() -> f64) -> f64 {
        once();
        let mut seconds: Vec<f64> = (0..self.repeats).map(|_| once()).collect();
        seconds.sort_by(f64::total_cmp);
        seconds[seconds.len() / 2]
    }

    /// Times the forward pass of the tiled engine, rows kept.
    fn tiled(
        &mut self,
        section: &str,
        name: &str,
        problem: &Reduced<i32>,
        options: &Options,
        indexed: bool,
    ) -> f64 {
        let device = self.device.clone();
        let mut table = match Table::new(&device, problem, indexed, options) {
            Ok(table) => table,
            Err(error) => {
                println!("{section:9} {name}: {error}");
                return f64::INFINITY;
            }
        };
        assert_eq!(table.runs(), 1, "{name} should fit the GPU");
        let seconds = self.median(|| {
            let ((), seconds) = device.timed(name, || table.fill(0)).expect("the launch is fine");
            table.finish(0).expect("the launch comes to its end");
            seconds
        });
        let shape = table.shape();
        let wide = table.wide_tiles().expect("a counter can be copied");
        let kernel = if table.is_packed() { "packed" } else { "full" };
        let what = format!("{name} {kernel} {}x{}x{}", shape.cells, shape.tile_warps, shape.groups);
        let launches = table.launches();
        let more = serde_json::json!({
            "wide_tiles": wide, "indexed": indexed, "launches": launches,
        });
        self.line(section, &what, seconds, Some(table.updates()), more);
        seconds
    }

    /// Compares the engine's front with the CPU's.
    fn check(&self, problem: &Reduced<i32>, options: &Options) {
        let mut row = vec![0; problem.capacity as usize + 1];
        for class in &problem.classes {
            row = cpu_row(&row, class);
        }
        let (weights, values) = front_of(&row);
        let answer =
            solve(&self.device, problem, Wanted::Values, &Context::new(&Machine::default()), options)
                .expect("it solves");
        assert_eq!(answer.weights, weights, "not the CPU's front");
        assert_eq!(values_of(&answer), values, "not the CPU's front");
    }

    fn shapes(&self, variants: &[usize]) -> Vec<Option<Shape>> {
        let mut shapes = vec![None];
        if self.sweep {
            for &cells in variants {
                for tile_warps in [1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 15, 18, 24] {
                    for groups in [1, 2, 3, 4, 6, 8] {
                        let warps = tile_warps * groups;
                        if (3..=if cells >= 12 { 16 } else { 24 }).contains(&warps) {
                            shapes.push(Some(Shape { cells, tile_warps, groups }));
                        }
                    }
                }
            }
        }
        shapes
    }
}

/// Raw work: nothing is merged or left out.
fn with(filling: Filling, shape: Option<Shape>) -> Options {
    Options { filling, shape, all_candidates: true, ..Options::default() }
}

/// What the hardware itself takes: a launch of next to nothing, and a table of next to nothing.
fn limits(bench: &mut Bench) {
    let item = |weight| Item { value: 1, weight };
    let classes = vec![vec![item(1), item(2)]; 100];
    let instance = Mckp { classes, capacity: 1000, choice: Choice::Optional };
    let tiled = reduced(&instance, true);
    let problem = as_i32(&tiled);
    let device = bench.device.clone();
    let mut table = Table::new(&device, problem, false, &with(Filling::Full, None)).expect("it fits");
    let seconds = bench.median(|| {
        let ((), seconds) = device.timed("limits", || table.fill(0)).expect("the launch is fine");
        table.finish(0).expect("it ends");
        seconds
    });
    bench.line("limits", "a class of next to nothing, tiled", seconds / 100.0, None, serde_json::json!({}));
    for items in [2, 15] {
        for heaviest in [100, 5000, 10_000, 20_000] {
            windows(bench, items, heaviest);
        }
    }
}

/// A class whose few items reach far: all but the copies of windows and waiting for them is next to nothing.
fn windows(bench: &mut Bench, items: u64, heaviest: u64) {
    let item = |at: u64| Item { value: at as i64 * 100, weight: at * heaviest / items };
    let classes = vec![(1..=items).map(item).collect(); 50];
    let tiered = reduced(&Mckp { classes, capacity: 303_500, choice: Choice::Optional }, true);
    let problem = as_i32(&tiered);
    let options = Options { filling: Filling::Full, ..Options::default() };
    bench.check(problem, &options);
    bench.tiled("limits", &format!("50 classes of {items} items up to {heaviest}"), problem, &options, false);
}

fn large(bench: &mut Bench) {
    let instance = nothing_dominated(8, 516, 20_000_000, 2);
    let tiered = reduced(&instance, true);
    let problem = as_i32(&tiered);
    for (filling, variants) in [(Filling::Full, &[4, 8, 12, 16, 32][..]), (Filling::Packed, &[8, 16])] {
        bench.check(problem, &with(filling, None));
        for shape in bench.shapes(variants) {
            bench.tiled("large", "8 classes, C = 20e6, 517 items", problem, &with(filling, shape), false);
        }
    }
}

const SIZES: [(usize, u64); 5] = [(5, 12_665), (10, 15_700), (20, 94_280), (50, 390_500), (100, 303_500)];

fn raw(bench: &mut Bench) {
    for (seed, &(classes, capacity)) in (10..).zip(&SIZES) {
        for kind in [Kind::Strong, Kind::Uncorrelated] {
            if bench.sweep && (kind == Kind::Uncorrelated || classes < 20) {
                continue;
            }
            let instance = paper_instance(kind, classes, capacity, seed);
            let tiered = reduced(&instance, true);
            let problem = as_i32(&tiered);
            let name = format!("{kind:?} ({classes}, {capacity})");
            for (filling, variants) in [(Filling::Full, &[4, 8, 12, 16, 32][..]), (Filling::Packed, &[8, 16])]
            {
                bench.check(problem, &with(filling, None));
                for shape in bench.shapes(variants) {
                    bench.tiled("raw", &name, problem, &with(filling, shape), false);
                }
            }
            bench.tiled("raw", &format!("{name} indexed"), problem, &with(Filling::Full, None), true);
        }
    }
}

/// The whole way of a user's answer but the context: problem to the GPU, front and all items back.
fn front(bench: &mut Bench) {
    for (seed, &(classes, capacity)) in (10..).zip(&SIZES) {
        for (kind, raw) in [(Kind::Strong, true), (Kind::Uncorrelated, true), (Kind::Uncorrelated, false)] {
            let tiered = reduced(&paper_instance(kind, classes, capacity, seed), raw);
            let problem = as_i32(&tiered);
            let device = bench.device.clone();
            let rows = cpu_rows(problem);
            let (weights, _) = front_of(&rows[rows.len() - 1]);
            for wanted in [Wanted::Values, Wanted::BestPicks, Wanted::AllPicks] {
                let machine = Machine::default();
                let context = Context::new(&machine);
                let answer =
                    solve(&device, problem, wanted, &context, &Options::default()).expect("it solves");
                assert_eq!(answer.weights, weights, "not the CPU's front");
                match wanted {
                    Wanted::AllPicks => assert_canonical(problem, &rows, &answer, &weights),
                    Wanted::BestPicks => {
                        assert_canonical(problem, &rows, &answer, &weights[weights.len() - 1..])
                    }
                    Wanted::Values => {}
                }
                let mut split = (0.0, 0.0);
                let seconds = bench.median(|| {
                    let started = Instant::now();
                    let answer =
                        solve(&device, problem, wanted, &context, &Options::default()).expect("it solves");
                    let seconds = started.elapsed().as_secs_f64();
                    split = (answer.solve.as_secs_f64(), answer.traceback.as_secs_f64());
                    seconds
                });
                let name = format!("{kind:?} ({classes}, {capacity}) raw {raw} {wanted:?} wall");
                let more =
                    serde_json::json!({ "solve": split.0, "traceback": split.1, "points": weights.len() });
                println!("          solve {:.3} ms, traceback {:.3} ms", split.0 * 1e3, split.1 * 1e3);
                bench.line("front", &name, seconds, None, more);
            }
        }
    }
}

fn reduced_instance(bench: &mut Bench) {
    for (seed, &(classes, capacity)) in (10..).zip(&SIZES) {
        let tiered = reduced(&paper_instance(Kind::Uncorrelated, classes, capacity, seed), false);
        let problem = as_i32(&tiered);
        let with = |shape| Options { filling: Filling::Full, shape, ..Options::default() };
        bench.check(problem, &with(None));
        let name = format!("Uncorrelated ({classes}, {capacity}) reduced");
        for shape in bench.shapes(&[4, 8, 12]) {
            bench.tiled("reduced", &name, problem, &with(shape), false);
        }
        bench.tiled("reduced", &format!("{name} indexed"), problem, &with(None), true);
    }
}
