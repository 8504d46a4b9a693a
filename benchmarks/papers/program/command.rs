//! The command line of `isx-papers`.

use crate::{boyer, floats, lemos, solve, thesis, waves};
use clap::{Args, Parser, Subcommand};
use isx_bench::command::Named;
use isx_bench::command::measuring::{Bench, Measuring, list, threads};
use isx_bench::instances::Family;
use isx_command::Ways;
use isx_command::arguments::parse_bytes;
use isx_command::failure::{Failure, Outcome};
use isx_command::terminal;
use isx_machine::cpu::cores;
use isx_papers::multidim::generate::Recipe;
use std::process::ExitCode;

/// Reproduce the papers that isx comes from; no time is reported for an answer that was not checked
///
/// The methods for a GPU are measured with --gpu. Exit code 5: there is no GPU; 7: some answer differs from the textbook's loop,
/// and nothing is reported.
#[derive(Parser)]
#[command(name = "isx-papers", version, max_term_width = 100)]
struct Program {
    #[command(subcommand)]
    what: What,

    #[command(flatten)]
    messages: terminal::Messages,
}

#[derive(Subcommand)]
enum What {
    Thesis(Thesis),
    Boyer(Boyer),
    Lemos(Lemos),
    Waves(Waves),
    Floats(floats::Floats),
    Solve(solve::Solve),
}

/// Runs the program and returns its exit code.
pub fn run() -> ExitCode {
    isx_command::run_with(|Program { what, messages }| {
        messages.apply();
        let ways = Ways { out: true, ..Ways::default() };
        match what {
            What::Thesis(bench) => (bench.run(), ways),
            What::Boyer(bench) => (bench.run(), ways),
            What::Lemos(bench) => (bench.run(), ways),
            What::Waves(bench) => (bench.run(), ways),
            What::Floats(floats) => (floats.run(), Ways::default()),
            What::Solve(solve) => (solve.run(), Ways::default()),
        }
    })
}

/// What to measure on.
#[derive(Args)]
struct Site {
    /// Measure the methods for a GPU too; of several GPUs that of this number, as `isx engines` numbers them: --gpu=1
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "0")]
    gpu: Option<usize>,

    /// Threads that engines of the CPU may use [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    #[command(flatten)]
    measuring: Measuring,
}

impl Site {
    /// A benchmark with its own flags.
    fn bench(&self, name: &'static str, patience: u32, flags: &str) -> Bench {
        let (threads, gpu) = (threads(self.threads), if self.gpu.is_some() { " --gpu" } else { "" });
        let (flags, gpus) = (format!("{flags} --threads {threads}{gpu}"), vec![self.gpu.unwrap_or(0)]);
        Bench { name, patience, repeat: Bench::REPEAT, threads, gpus, flags }
    }
}

/// The comparisons of B. Suri's thesis, Figures 5.1-5.4 and 6.1-6.4, on this machine
///
/// Prints the tables and writes results.json, table.md and chart.svg.
#[derive(Args)]
struct Thesis {
    /// Instances of each size: the figures are of the first, a table has the means of all, as the paper of 2012 has
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..=100), default_value_t = 1)]
    each: u64,

    #[command(flatten)]
    instances: Named,

    #[command(flatten)]
    site: Site,
}

impl Thesis {
    fn run(&self) -> Result<Outcome, Failure> {
        let all = [Family::Paper, Family::Spread, Family::Correlated];
        let (families, flags) = self.instances.families(&all);
        let (each, on_gpu, threads) = (self.each, self.site.gpu.is_some(), threads(self.site.threads));
        let bench = self.site.bench("isx-papers thesis", 5, &format!("{flags} --each {each}"));
        self.site.measuring.run(Bench { threads: cores(), ..bench }, &[], |settings, command| {
            let options = thesis::Options { families: &families, each, threads, on_gpu, settings };
            thesis::run(&options, command)
        })
    }
}

/// 0-1 knapsack problems of many items and few weights, as in Boyer's paper: one capacity, and all capacities
///
/// Prints the tables and writes results.json, table.md and chart.svg. Engines that compress decisions tell by what
/// factor.
#[derive(Args)]
struct Boyer {
    /// Engines to measure, also those of `isx solve knapsack`; may be repeated [default: boyer and core, with --gpu cuda-boyer and
    /// cuda too]
    #[arg(long = "engine", value_name = "ENGINE")]
    engines: Vec<String>,

    /// Numbers of items; the paper's are 10000 to 100000
    #[arg(long, value_name = "N,..", value_delimiter = ',', default_values_t = [10_000])]
    items: Vec<u64>,

    /// Which of the recipe's problems
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Instances of each size, of the seeds from --seed on; of several only one capacity is asked for. The paper has 10
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..=100), default_value_t = 1)]
    each: u64,

    #[command(flatten)]
    site: Site,
}

impl Boyer {
    fn run(&self) -> Result<Outcome, Failure> {
        let Self { engines, items, seed, each, site } = self;
        let flags = format!("--items {} --seed {seed} --each {each}", list(items));
        let sizes = boyer::Sizes { items, seed: *seed, each: *each };
        let bench = site.bench("isx-papers boyer", 60, &flags);
        let names = boyer::engines(engines, site.gpu.is_some());
        site.measuring.run(bench, engines, |settings, command| {
            crate::gpu::require(site.gpu.is_some(), &settings)?;
            boyer::run(&sizes, &names, &settings, command)
        })
    }
}

/// A batch of two-dimensional knapsack problems as in Lemos's paper: 630 instances of 20 items, 1000 x 1000
///
/// Prints the table and writes results.json, table.md and chart.svg. The paper's own instances are not at hand: rectangles that a
/// plate was cut into stand in for them, with their sides as weights and their area as profit.
#[derive(Args)]
struct Lemos {
    /// Instances of the batch
    #[arg(long, value_name = "K", default_value_t = Recipe::default().instances, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    instances: u64,

    /// Items of each instance
    #[arg(long, value_name = "N", default_value_t = Recipe::default().items, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    items: u64,

    /// Capacities, one to three
    #[arg(long, value_name = "C,..", value_delimiter = ',', default_values_t = Recipe::default().capacities)]
    capacities: Vec<u64>,

    /// Instances of 1, 2, .. items up to --items, in turn
    #[arg(long)]
    unequal: bool,

    /// The paper's Table 1 too: GPU grids from 32 x 32 to 256 x 256, one instance at a time and all at once
    #[arg(long, requires = "gpu")]
    grids: bool,

    /// Which of the recipe's batches
    #[arg(long, default_value_t = Recipe::default().seed)]
    seed: u64,

    #[command(flatten)]
    site: Site,
}

impl Lemos {
    fn run(&self) -> Result<Outcome, Failure> {
        let &Self { instances, items, unequal, grids, seed, ref capacities, ref site } = self;
        let recipe = Recipe { instances, items, capacities: capacities.clone(), seed };
        let mut flags = recipe.to_string();
        flags += if unequal { " --unequal" } else { "" };
        flags += if grids { " --grids" } else { "" };
        let (bench, on_gpu) = (site.bench("isx-papers lemos", 60, &flags), site.gpu.is_some());
        site.measuring.run(bench, &[], |settings, command| {
            lemos::run(&lemos::Options { recipe, unequal, grids, on_gpu, settings }, command)
        })
    }
}

/// Tables swept in waves beside the textbook's loops, and what streaming one to the host costs
///
/// Longest common subsequences, 0-1 knapsacks of 1500 items and tours, growing as in O'Connell and Mumford's Figure 4; on a GPU
/// also a knapsack table of four times the memory allowed, kept there and streamed. Prints the tables and writes
/// results.json, table.md and chart.svg.
#[derive(Args)]
struct Waves {
    /// Letters of both sequences
    #[arg(long, value_name = "N,..", value_delimiter = ',', default_value = "5000,20000,50000")]
    lengths: Vec<u64>,

    /// Capacities of the knapsacks
    #[arg(long, value_name = "C,..", value_delimiter = ',', default_value = "10000,100000,1000000")]
    capacities: Vec<u64>,

    /// Cities of the tours
    #[arg(long, value_name = "N,..", value_delimiter = ',', default_value = "14,17,20")]
    cities: Vec<u64>,

    /// GPU memory that the streamed table may take, such as 8GB: its decisions are four times as many, and all of
    /// them must fit the GPU for comparison [default: none is streamed]
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes, requires = "gpu")]
    stream: Option<u64>,

    #[command(flatten)]
    site: Site,
}

impl Waves {
    fn run(&self) -> Result<Outcome, Failure> {
        let Self { lengths, capacities, cities, stream, site } = self;
        let [a, b, c] = [lengths, capacities, cities].map(|of| list(of));
        let streamed = stream.map_or_else(String::new, |bytes| format!(" --stream {bytes}"));
        let flags = format!("--lengths {a} --capacities {b} --cities {c}{streamed}");
        let (bench, on_gpu) = (site.bench("isx-papers waves", 20, &flags), site.gpu.is_some());
        site.measuring.run(bench, &[], |settings, command| {
            let options = waves::Options { lengths, capacities, cities, stream: *stream, on_gpu, settings };
            waves::run(&options, command)
        })
    }
}
