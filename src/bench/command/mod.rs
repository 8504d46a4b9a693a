//! The command line of `isx-bench`: measures engines against each other, after checking that their answers agree.

mod floats;
mod knapsack;
mod measuring;
mod objectives;
mod planner;
mod plot;
mod resources;
mod results;
mod waves;

use crate::instances::Family;
use crate::runner::AUTO;
use crate::{lemos, mckp, thesis};
use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use isx_command::Ways;
use isx_command::failure::{Failure, Outcome};
use isx_command::terminal;
use isx_engine::Hardware;
use isx_machine::cpu::cores;
use isx_mckp::ENGINES;
use isx_problems::multidim::generate::MultidimRecipe;
use knapsack::{Boyer, Jooken, Pisinger};
use measuring::{Bench, Measuring, list, threads};
use std::process::ExitCode;

/// Measure the engines; no time is reported for an answer that was not checked
///
/// Exit code 7: some answer differs from the textbook engine's, and nothing is reported.
#[derive(Parser)]
#[command(name = "isx-bench", version, max_term_width = 100)]
struct Program {
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
    Objectives(objectives::Objectives),
    Pisinger(Pisinger),
    Planner(planner::Planner),
    Plot(plot::Plot),
    Resources(resources::Resources),
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

    #[command(flatten)]
    instances: Named,

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

    /// Instances of each size: the figures are of the first, a table has the means of all, as the paper of 2012 has
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..=100), default_value_t = 1)]
    each: u64,

    #[command(flatten)]
    instances: Named,

    #[command(flatten)]
    measuring: Measuring,
}

/// The instances of two benchmarks.
#[derive(Args)]
struct Named {
    /// Families of instances [default: paper,correlated]
    ///
    /// small: the first two rows of the thesis's Table 5.2; paper: all five; spread: Table 5.3; correlated: weakly and
    /// strongly, of the size of row 4.
    #[arg(long, value_name = "FAMILY,..", value_enum, value_delimiter = ',')]
    instances: Vec<Instances>,
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

impl Named {
    /// The requested families, or these by default, and the flag that requests them.
    fn families(&self, otherwise: &[Instances]) -> (Vec<Family>, String) {
        let asked = if self.instances.is_empty() { otherwise } else { &self.instances };
        let families: Vec<Family> = asked.iter().flat_map(|named| named.families()).copied().collect();
        let names: Vec<String> = families.iter().map(|family| format!("{family:?}").to_lowercase()).collect();
        (families, format!("--instances {}", list(&names)))
    }
}

/// Runs the program and returns its exit code.
pub fn run() -> ExitCode {
    isx_command::run_with(|Program { what, messages }| {
        messages.apply();
        let outcome = match what {
            What::Boyer(bench) => bench.run(),
            What::Floats(floats) => floats.run(),
            What::Jooken(bench) => bench.run(),
            What::Lemos(bench) => bench.run(),
            What::Mckp(bench) => bench.run(),
            What::Pisinger(bench) => bench.run(),
            What::Planner(bench) => bench.run(),
            What::Plot(plot) => plot.run(),
            What::Objectives(bench) => bench.run(),
            What::Resources(bench) => bench.run(),
            What::Thesis(bench) => bench.run(),
            What::Waves(bench) => bench.run(),
        };
        (outcome, Ways { out: true, ..Ways::default() })
    })
}

impl Mckp {
    fn run(&self) -> Result<Outcome, Failure> {
        let (families, flags) = self.instances.families(&[Instances::Paper, Instances::Correlated]);
        let mut threads: Vec<usize> = self.threads.iter().map(|&threads| threads.into()).collect();
        if threads.is_empty() {
            threads = vec![1, cores()];
        }
        threads.sort_unstable();
        threads.dedup();
        let flags = format!("{flags} --threads {}", list(&threads));
        let (engines, threads) = (&self.engines, &threads);
        let bench =
            Bench { name: "isx-bench mckp", patience: 5, repeat: Bench::REPEAT, threads: cores(), flags };
        self.measuring.run(bench, engines, |settings, command| {
            mckp::run(&mckp::Options { families: &families, engines, threads, settings }, command)
        })
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

    /// Instances of 1, 2, .. items up to --items, in turn
    #[arg(long)]
    unequal: bool,

    /// The paper's Table 1 too: GPU grids from 32 x 32 to 256 x 256, one instance at a time and all at once
    #[arg(long)]
    grids: bool,

    /// Which of the recipe's batches
    #[arg(long, default_value_t = MultidimRecipe::default().seed)]
    seed: u64,

    /// Threads that engines of the CPU may use [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    #[command(flatten)]
    measuring: Measuring,
}

impl Lemos {
    fn run(&self) -> Result<Outcome, Failure> {
        let (instances, capacities) = (Some(self.instances), self.capacities.clone());
        let recipe = MultidimRecipe { instances, items: self.items, capacities, seed: self.seed };
        let threads = threads(self.threads);
        let (unequal, grids) = (self.unequal, self.grids);
        let mut flags = format!("{recipe} --threads {threads}");
        flags += if unequal { " --unequal" } else { "" };
        flags += if grids { " --grids" } else { "" };
        let (engines, bench) = (
            &self.engines,
            Bench { name: "isx-bench lemos", patience: 60, repeat: Bench::REPEAT, threads, flags },
        );
        self.measuring.run(bench, engines, |settings, command| {
            lemos::run(&lemos::Options { recipe, unequal, grids, engines, settings }, command)
        })
    }
}

impl Thesis {
    fn run(&self) -> Result<Outcome, Failure> {
        let all = [Instances::Paper, Instances::Spread, Instances::Correlated];
        let (families, flags) = self.instances.families(&all);
        let (threads, insist_on_gpu) = (threads(self.threads), self.engine != AUTO);
        let each = self.each;
        let flags = format!("{flags} --each {each} --threads {threads} --engine {}", self.engine);
        let bench =
            Bench { name: "isx-bench thesis", patience: 5, repeat: Bench::REPEAT, threads: cores(), flags };
        self.measuring.run(bench, &[], |settings, command| {
            let options = thesis::Options { families: &families, each, threads, insist_on_gpu, settings };
            thesis::run(&options, command)
        })
    }
}
