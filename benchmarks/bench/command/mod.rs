//! The command line of `isx-bench`: measures engines against each other, after checking that their answers agree.

mod knapsack;
pub mod measuring;
mod planner;
pub mod results;

use crate::fronts::{self, Tasks, Valued};
use crate::instances::Family;
use crate::mckp;
use clap::{Args, Parser, Subcommand};
use isx_command::Ways;
use isx_command::arguments;
use isx_command::failure::{Failure, Outcome};
use isx_command::terminal;
use isx_machine::cpu::cores;
use knapsack::{Jooken, Pisinger};
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
    Fronts(Fronts),
    Jooken(Jooken),
    Mckp(Mckp),
    Pisinger(Pisinger),
    Planner(planner::Planner),
}

/// Runs the program and returns its exit code.
pub fn run() -> ExitCode {
    isx_command::run_with(|Program { what, messages }| {
        messages.apply();
        let outcome = match what {
            What::Fronts(bench) => bench.run(),
            What::Jooken(bench) => bench.run(),
            What::Mckp(bench) => bench.run(),
            What::Pisinger(bench) => bench.run(),
            What::Planner(bench) => bench.run(),
        };
        (outcome, Ways { out: true, ..Ways::default() })
    })
}

/// The GPUs of contestants for a GPU.
#[derive(Args)]
struct Gpus {
    /// The GPUs that GPU contestants use, as `isx engines` numbers them, such as 0,1, or all
    #[arg(long, value_name = "GPUS", default_value = "0", value_parser = str::parse::<arguments::Gpus>)]
    gpu: arguments::Gpus,
}

/// Every engine on the papers' instances: all the work, and the best algorithm
///
/// Prints the tables and writes results.json, table.md and chart.svg.
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
    gpus: Gpus,

    #[command(flatten)]
    measuring: Measuring,
}

impl Mckp {
    fn run(&self) -> Result<Outcome, Failure> {
        let (families, flags) = self.instances.families(&[Family::Paper, Family::Correlated]);
        let mut threads: Vec<usize> = self.threads.iter().map(|&threads| threads.into()).collect();
        if threads.is_empty() {
            threads = vec![1, cores()];
        }
        threads.sort_unstable();
        threads.dedup();
        let flags = format!("{flags} --threads {}", list(&threads));
        let (engines, threads) = (&self.engines, &threads);
        let (name, gpus) = ("isx-bench mckp", self.gpus.gpu.numbers());
        let bench = Bench { name, patience: 5, repeat: Bench::REPEAT, threads: cores(), gpus, flags };
        self.measuring.run(bench, engines, |settings, command| {
            mckp::run(&mckp::Options { families: &families, engines, threads, settings }, command)
        })
    }
}

/// The instances of two benchmarks.
#[derive(Args)]
pub struct Named {
    /// Families of instances [default: paper,correlated; of the thesis spread too]
    ///
    /// small: the first two rows of the thesis's Table 5.2; paper: all five; spread: Table 5.3; correlated: weakly and
    /// strongly, of the size of row 4.
    #[arg(long, value_name = "FAMILY,..", value_enum, value_delimiter = ',')]
    instances: Vec<Family>,
}

impl Named {
    /// The requested families, or these by default, and the flag that requests them.
    pub fn families(&self, otherwise: &[Family]) -> (Vec<Family>, String) {
        let asked = if self.instances.is_empty() { otherwise } else { &self.instances };
        let names: Vec<String> = asked.iter().map(|family| format!("{family:?}").to_lowercase()).collect();
        (asked.to_vec(), format!("--instances {}", list(&names)))
    }
}

/// Fronts of several resources, and of 0-1 knapsack problems with several objectives
///
/// Of resources: tasks with choices that cost LUTs, DSPs and BRAMs, within the limits of an Artix A35T unless others are given. Of
/// objectives: weights and values from 1 to 1000 and a capacity of half of all weight, as drawn for exact decision diagrams (arXiv
/// 2403.02482: 127.6 s on average for 80 items with 3 objectives). Prints the tables and writes results.json, table.md and chart.svg.
#[derive(Args)]
struct Fronts {
    /// Engines to measure; may be repeated [default: all but the textbook's]
    #[arg(long = "engine", value_name = "ENGINE")]
    engines: Vec<String>,

    /// Tasks of each instance with resources
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=1000))]
    tasks: u16,

    /// Choices of each task beside software
    #[arg(long, value_name = "K", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=1000))]
    choices: u16,

    /// The most LUTs, DSPs and BRAMs
    #[arg(long, value_name = "LUT,DSP,BRAM", value_delimiter = ',', default_values_t = [20_800, 90, 50])]
    limits: Vec<u64>,

    /// Items of each instance with objectives
    #[arg(long, value_name = "N", default_value_t = 80, value_parser = clap::value_parser!(u16).range(1..=1000))]
    items: u16,

    /// Values of each item, all to be as great as possible
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(2..=100))]
    objectives: u16,

    /// Instances with resources and with objectives, of the seeds from --seed on
    #[arg(long, value_name = "R,O", num_args = 1, value_delimiter = ',', default_values_t = [1, 10])]
    instances: Vec<u32>,

    /// Seed of the first of each
    #[arg(long, default_value_t = 1)]
    seed: u32,

    /// Threads that engines of the CPU may use [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    #[command(flatten)]
    gpus: Gpus,

    #[command(flatten)]
    measuring: Measuring,
}

impl Fronts {
    fn run(&self) -> Result<Outcome, Failure> {
        let [of_tasks, of_valued] = self.instances[..] else {
            return Err(Failure::Usage("--instances: give two numbers with a comma between".into()));
        };
        let Self { tasks, choices, limits, items, objectives, seed, .. } = self;
        let seeds = |count: u32| (0..count).map(|at| seed.wrapping_add(at));
        let task_sets: Vec<Tasks> = seeds(of_tasks)
            .map(|seed| Tasks {
                tasks: (*tasks).into(),
                choices: (*choices).into(),
                limits: limits.clone(),
                seed,
            })
            .collect();
        let valued: Vec<Valued> = seeds(of_valued)
            .map(|seed| Valued { items: (*items).into(), objectives: (*objectives).into(), seed })
            .collect();
        let (threads, limits) = (threads(self.threads), list(limits));
        let flags = format!(
            "--tasks {tasks} --choices {choices} --limits {limits} --items {items} --objectives {objectives} --instances \
             {of_tasks},{of_valued} --seed {seed} --threads {threads}"
        );
        let (name, gpus) = ("isx-bench fronts", self.gpus.gpu.numbers());
        let bench = Bench { name, patience: 60, repeat: Bench::REPEAT, threads, gpus, flags };
        self.measuring.run(bench, &self.engines, |settings, command| {
            fronts::run(&task_sets, &valued, &self.engines, &settings, command)
        })
    }
}
