//! The command line of `isx-bench`: measures engines against each other, after checking that their answers agree.

mod floats;
mod knapsack;
mod plot;
mod results;
mod waves;

use crate::instances::Family;
use crate::measure::{AUTO, Settings};
use crate::{lemos, mckp, thesis};
use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use isx_command::Ways;
use isx_command::arguments::{machine, parse_bytes};
use isx_command::failure::{Failure, Outcome};
use isx_command::terminal;
use isx_engine::Hardware;
use isx_machine::cpu::cores;
use isx_mckp::ENGINES;
use isx_problems::multidim::generate::MultidimRecipe;
use isx_report::files::check_writable;
use knapsack::{Boyer, Jooken};
use results::deliver;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Measure the engines; no time is reported for an answer that was not checked
///
/// Exit code 7: some answer differs from the textbook engine's, and nothing is reported.
#[derive(Parser)]
#[command(name = "isx-bench", version, max_term_width = 100)]
struct Bench {
    #[command(subcommand)]
    what: What,

    #[command(flatten)]
    messages: terminal::Messages,
}

#[derive(Subcommand)]
enum What {
    Boyer(Boyer),
    Floats(floats::Floats),
    Jooken(Jooken),
    Lemos(Lemos),
    Mckp(Mckp),
    Plot(plot::Plot),
    Thesis(Thesis),
    Waves(waves::Waves),
}

/// Every engine on the papers' instances: all the work, and the best algorithm
///
/// Prints the tables and writes results.json, table.md, chart.svg (best algorithm) and chart-raw.svg (all the work).
#[derive(Args)]
struct Mckp {
    /// Engines to measure, auto among them; may be repeated [default: all]
    #[arg(long = "engine", value_name = "ENGINE")]
    engines: Vec<String>,

    /// Numbers of threads to run with [default: 1 and one a core]
    #[arg(long, value_name = "N,..", value_delimiter = ',', value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Vec<u16>,

    /// Folder for the results
    #[arg(long, value_name = "DIR", default_value = "output/bench-mckp")]
    out: PathBuf,

    #[command(flatten)]
    measuring: Measuring,
}

/// The comparisons of B. Suri's thesis, Figures 5.1-5.4 and 6.1-6.4, on this machine
///
/// Prints the tables and writes results.json, table.md and a chart a figure. Where there is no GPU it says so and
/// measures the CPU's side.
#[derive(Args)]
struct Thesis {
    /// Insist on a GPU: exit code 5 where there is none
    #[arg(long, value_name = "ENGINE", value_parser = gpu_engines(), default_value = AUTO)]
    engine: String,

    /// Threads of the multi-core contestants [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Folder for the results
    #[arg(long, value_name = "DIR", default_value = "output/bench-thesis")]
    out: PathBuf,

    #[command(flatten)]
    measuring: Measuring,
}

#[derive(Args)]
struct Measuring {
    /// Families of instances [default: paper,correlated]
    ///
    /// small: the first two rows of the thesis's Table 5.2; paper: all five; spread: Table 5.3; correlated: weakly and
    /// strongly, of the size of row 4.
    #[arg(long, value_name = "FAMILY,..", value_enum, value_delimiter = ',')]
    instances: Vec<Instances>,

    /// Timed runs of each contestant, fewer where they take more than two seconds together; medians are reported
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    repeat: u16,

    /// Leave out what expects to take longer than this many seconds; the textbook loop always runs
    #[arg(long, value_name = "SECONDS", default_value_t = 5)]
    patience: u32,

    /// Most memory for tables, such as 64MB or 2GiB
    #[arg(long, value_name = "BYTES", default_value = "4GiB", value_parser = parse_bytes)]
    max_memory: u64,

    /// The GPU that GPU contestants use, as `isx devices` numbers them
    #[arg(long, value_name = "N", default_value_t = 0)]
    device: usize,

    /// Print the results as JSON instead of the tables
    #[arg(long)]
    json: bool,
}

/// The GPU engines that a user may require, and auto, which uses any available engine.
fn gpu_engines() -> PossibleValuesParser {
    let engines = ENGINES.iter().filter(|engine| engine.hardware == Hardware::Gpu);
    PossibleValuesParser::new(std::iter::once(AUTO).chain(engines.map(|engine| engine.name)))
}

#[derive(Clone, Copy, ValueEnum)]
enum Instances {
    #[value(hide = true)]
    Tiny,
    Small,
    Paper,
    Spread,
    Correlated,
    All,
}

impl Instances {
    fn families(self) -> &'static [Family] {
        match self {
            Self::Tiny => &[Family::Tiny],
            Self::Small => &[Family::Small],
            Self::Paper => &[Family::Paper],
            Self::Spread => &[Family::Spread],
            Self::Correlated => &[Family::Correlated],
            Self::All => &[Family::Paper, Family::Spread, Family::Correlated],
        }
    }
}

impl Measuring {
    /// The requested families, or these by default.
    fn families(&self, otherwise: &[Instances]) -> Vec<Family> {
        let asked = if self.instances.is_empty() { otherwise } else { &self.instances };
        asked.iter().flat_map(|instances| instances.families()).copied().collect()
    }

    fn settings(&self) -> Settings<'static> {
        Settings {
            repeat: self.repeat.into(),
            patience: Duration::from_secs(self.patience.into()),
            machine: machine(self.device, self.max_memory),
            tell: &|what| terminal::note(what),
        }
    }

    /// The flags that repeat this measurement, except the output folder.
    fn flags(&self, families: &[Family]) -> String {
        let names: Vec<String> = families.iter().map(|family| format!("{family:?}").to_lowercase()).collect();
        let Self { repeat, patience, max_memory, .. } = self;
        let instances = names.join(",");
        format!("--instances {instances} --repeat {repeat} --patience {patience} --max-memory {max_memory}")
    }
}

/// Runs the program and returns its exit code.
pub fn run() -> ExitCode {
    isx_command::run_with(|Bench { what, messages }| {
        messages.apply();
        let outcome = match what {
            What::Boyer(bench) => bench.run(),
            What::Floats(floats) => floats.run(),
            What::Jooken(bench) => bench.run(),
            What::Lemos(bench) => bench.run(),
            What::Mckp(bench) => bench.run(),
            What::Plot(plot) => plot.run(),
            What::Thesis(bench) => bench.run(),
            What::Waves(bench) => bench.run(),
        };
        (outcome, Ways { out: true, ..Ways::default() })
    })
}

impl Mckp {
    fn run(&self) -> Result<Outcome, Failure> {
        check_writable(&self.out)?;
        let families = self.measuring.families(&[Instances::Paper, Instances::Correlated]);
        let threads = self.threads();
        let settings = self.measuring.settings();
        let options =
            mckp::Options { families: &families, engines: &self.engines, threads: &threads, settings };
        let report = mckp::run(&options, self.command(&families, &threads))?;
        deliver(&report, &self.out, self.measuring.json)
    }

    fn threads(&self) -> Vec<usize> {
        let mut threads: Vec<usize> = self.threads.iter().map(|&threads| threads.into()).collect();
        if threads.is_empty() {
            threads = vec![1, cores()];
        }
        threads.sort_unstable();
        threads.dedup();
        threads
    }

    fn command(&self, families: &[Family], threads: &[usize]) -> String {
        let threads: Vec<String> = threads.iter().map(usize::to_string).collect();
        let mut command = format!("isx-bench mckp {}", self.measuring.flags(families));
        // Writing to a string cannot fail.
        let _ = write!(command, " --threads {}", threads.join(","));
        for engine in &self.engines {
            let _ = write!(command, " --engine {engine}");
        }
        command
    }
}

/// A batch of multi-dimensional knapsack problems as in Lemos's paper: 630 instances of 20 items, 1000 x 1000
///
/// Prints the table and writes results.json, table.md and chart.svg. The paper's own instances are not at hand: those of
/// `isx generate multidim` stand in for them.
#[derive(Args)]
struct Lemos {
    /// Engines to measure; may be repeated [default: all]
    #[arg(long = "engine", value_name = "ENGINE")]
    engines: Vec<String>,

    /// Instances of the batch
    #[arg(long, value_name = "K", default_value_t = 630)]
    instances: u64,

    /// Items of each instance
    #[arg(long, value_name = "N", default_value_t = MultidimRecipe::default().items)]
    items: u64,

    /// Capacities, one to three
    #[arg(long, value_name = "C,..", value_delimiter = ',', default_values_t = MultidimRecipe::default().capacities)]
    capacities: Vec<u64>,

    /// Which of the recipe's batches
    #[arg(long, default_value_t = MultidimRecipe::default().seed)]
    seed: u64,

    /// Threads that engines of the CPU may use [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Timed runs of each contestant; medians are reported
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    repeat: u16,

    /// Leave out what expects to take longer than this many seconds; the textbook loop always runs
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    patience: u32,

    /// Most memory for tables, such as 64MB or 2GiB
    #[arg(long, value_name = "BYTES", default_value = "4GiB", value_parser = parse_bytes)]
    max_memory: u64,

    /// The GPU that GPU contestants use, as `isx devices` numbers them
    #[arg(long, value_name = "N", default_value_t = 0)]
    device: usize,

    /// Folder for the results
    #[arg(long, value_name = "DIR", default_value = "output/bench-lemos")]
    out: PathBuf,

    /// Print the results as JSON instead of the table
    #[arg(long)]
    json: bool,
}

impl Lemos {
    fn run(&self) -> Result<Outcome, Failure> {
        check_writable(&self.out)?;
        let Self { items, instances, capacities, seed, .. } = self;
        let recipe = MultidimRecipe {
            instances: Some(*instances),
            items: *items,
            capacities: capacities.clone(),
            seed: *seed,
        };
        let threads = self.threads.map_or(cores(), usize::from);
        let mut command = format!("isx-bench lemos {recipe} --threads {threads} --repeat {}", self.repeat);
        // Writing to a string cannot fail.
        let _ = write!(command, " --patience {} --max-memory {}", self.patience, self.max_memory);
        for engine in &self.engines {
            let _ = write!(command, " --engine {engine}");
        }
        let options = lemos::Options {
            recipe,
            engines: &self.engines,
            repeat: self.repeat.into(),
            patience: self.patience.into(),
            machine: machine(self.device, self.max_memory).with_threads(threads),
            tell: &|what| terminal::note(what),
        };
        let report = lemos::run(&options, command)?;
        deliver(&report, &self.out, self.json)
    }
}

impl Thesis {
    fn run(&self) -> Result<Outcome, Failure> {
        check_writable(&self.out)?;
        let families = self.measuring.families(&[Instances::Paper, Instances::Spread, Instances::Correlated]);
        let threads = self.threads.map_or(cores(), usize::from);
        let options = thesis::Options {
            families: &families,
            threads,
            insist_on_gpu: self.engine != AUTO,
            settings: self.measuring.settings(),
        };
        let flags = self.measuring.flags(&families);
        let command = format!("isx-bench thesis {flags} --threads {threads} --engine {}", self.engine);
        let report = thesis::run(&options, command)?;
        deliver(&report, &self.out, self.measuring.json)
    }
}
