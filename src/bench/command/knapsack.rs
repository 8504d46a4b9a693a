//! `isx-bench boyer` and `isx-bench jooken`: the engines for 0-1 knapsack problems.

use super::results::deliver;
use crate::knapsack::Settings;
use crate::{boyer, jooken};
use clap::Args;
use isx_command::arguments::{machine, parse_bytes};
use isx_command::failure::{Failure, Outcome};
use isx_command::terminal;
use isx_machine::cpu::cores;
use isx_problems::knapsack::generate::{Kind, KnapsackRecipe};
use isx_report::files::check_writable;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

/// How to measure, for both.
#[derive(Args)]
struct Measuring {
    /// Engines to measure, auto among them; may be repeated [default: all that auto may take]
    #[arg(long = "engine", value_name = "ENGINE")]
    engines: Vec<String>,

    /// Threads that engines of the CPU may use [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Timed runs of each contestant, fewer where they take more than two seconds together; medians are reported
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=1000))]
    repeat: u16,

    /// Leave out what expects to take, or takes, longer than this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
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

impl Measuring {
    fn threads(&self) -> usize {
        self.threads.map_or(cores(), usize::from)
    }

    fn settings(&self) -> Settings<'_> {
        Settings {
            engines: &self.engines,
            repeat: self.repeat.into(),
            patience: Duration::from_secs(self.patience.into()),
            machine: machine(self.device, self.max_memory).with_threads(self.threads()),
            tell: &|what| terminal::note(what),
        }
    }

    /// The flags that repeat this measurement.
    fn flags(&self) -> String {
        let Self { repeat, patience, max_memory, engines, .. } = self;
        let threads = self.threads();
        let mut flags =
            format!("--threads {threads} --repeat {repeat} --patience {patience} --max-memory {max_memory}");
        for engine in engines {
            // Writing to a string cannot fail.
            let _ = write!(flags, " --engine {engine}");
        }
        flags
    }
}

/// Hard public 0-1 knapsack problems (Jooken, Leyman and De Causmaecker, 2022), drawn by a seed
///
/// DIR is a copy of the public set JorikJooken/knapsackProblemInstances, which is not a part of isx: with
/// problemInstances/NAME/test.in and optima.csv, or a folder of NAME/test.in. Answers are held against optima.csv where it
/// knows the optimum, else against another engine. Times of combo are those recorded with the set, on another machine.
/// Prints the tables and writes results.json, table.md and chart.svg.
#[derive(Args)]
pub struct Jooken {
    /// The folder of the set
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// How many instances to draw
    #[arg(long, value_name = "K", default_value_t = 20)]
    instances: usize,

    /// Which draw
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Least capacity of the instances to draw from
    #[arg(long, value_name = "C", default_value_t = 0)]
    min_capacity: u64,

    /// Largest capacity of the instances to draw from
    #[arg(long, value_name = "C", default_value_t = 100_000_000)]
    max_capacity: u64,

    /// Draw from the names in this file, one a line
    #[arg(long, value_name = "FILE")]
    names: Option<PathBuf>,

    /// Draw from the instances that combo did not finish
    #[arg(long)]
    unfinished: bool,

    /// Folder for the results
    #[arg(long, value_name = "DIR", default_value = "output/bench-jooken")]
    out: PathBuf,

    #[command(flatten)]
    measuring: Measuring,
}

impl Jooken {
    pub fn run(&self) -> Result<Outcome, Failure> {
        check_writable(&self.out)?;
        let Self {
            folder, instances, seed, min_capacity: least, max_capacity: most, names, unfinished, ..
        } = self;
        let mut command = format!(
            "isx-bench jooken DIR --instances {instances} --seed {seed} --min-capacity {least} --max-capacity {most}"
        );
        if names.is_some() {
            command += " --names FILE";
        }
        if *unfinished {
            command += " --unfinished";
        }
        let draw = jooken::Draw {
            folder: folder.clone(),
            names: names.clone(),
            least: *least,
            most: *most,
            unfinished: *unfinished,
            instances: *instances,
            seed: *seed,
        };
        let command = format!("{command} {}", self.measuring.flags());
        let report = jooken::run(&draw, &self.measuring.settings(), command)?;
        deliver(&report, &self.out, self.measuring.json)
    }
}

/// 0-1 knapsack problems of many items and few weights, as in Boyer's paper: one capacity, and all capacities
///
/// Prints the tables and writes results.json, table.md and chart.svg. Engines that compress decisions tell by what
/// factor. No answer's time is kept before it was summed again and agrees with those of the other engines.
#[derive(Args)]
pub struct Boyer {
    /// Numbers of items; the paper's are 10000 to 100000
    #[arg(long, value_name = "N,..", value_delimiter = ',', default_values_t = [KnapsackRecipe::default().items])]
    items: Vec<u64>,

    /// Other kinds of `isx generate knapsack` than boyer, or beside it
    #[arg(long = "kind", value_name = "KIND,..", value_delimiter = ',')]
    kinds: Vec<Kind>,

    /// Which of the recipe's problems
    #[arg(long, default_value_t = KnapsackRecipe::default().seed)]
    seed: u64,

    /// Folder for the results
    #[arg(long, value_name = "DIR", default_value = "output/bench-boyer")]
    out: PathBuf,

    #[command(flatten)]
    measuring: Measuring,
}

impl Boyer {
    pub fn run(&self) -> Result<Outcome, Failure> {
        check_writable(&self.out)?;
        let Self { items, kinds, seed, .. } = self;
        let join = |words: Vec<String>| words.join(",");
        let numbers = join(items.iter().map(ToString::to_string).collect());
        let mut command = format!("isx-bench boyer --items {numbers} --seed {seed}");
        if !kinds.is_empty() {
            // Writing to a string cannot fail.
            let _ = write!(command, " --kind {}", join(kinds.iter().map(ToString::to_string).collect()));
        }
        let command = format!("{command} {}", self.measuring.flags());
        let sizes = boyer::Sizes { items, seed: *seed, kinds };
        let report = boyer::run(&sizes, &self.measuring.settings(), command)?;
        deliver(&report, &self.out, self.measuring.json)
    }
}
