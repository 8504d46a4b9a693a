//! `isx-bench jooken` and `isx-bench pisinger`: the engines for 0-1 knapsack problems.

use super::Gpus;
use super::measuring::{Bench, Measuring, list, threads};
use crate::knapsack::{Entrants, SETTINGS};
use crate::{jooken, pisinger};
use clap::Args;
use isx_command::failure::{Failure, Outcome};
use isx_problems::knapsack::generate::Kind;
use std::path::PathBuf;

/// The contestants, for all.
#[derive(Args)]
struct Contestants {
    /// Engines to measure, auto among them; may be repeated. With :raw after the name, such as cuda:raw, an engine gets
    /// the items as they are, dominated ones too [default: all that auto may take]
    #[arg(long = "engine", value_name = "ENGINE")]
    engines: Vec<String>,

    /// Threads that engines of the CPU may use [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    #[command(flatten)]
    gpus: Gpus,
}

impl Contestants {
    fn entrants(&self) -> Entrants<'_> {
        Entrants { names: &self.engines, also: &SETTINGS }
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

    /// All instances, each timed once, the least capacities first. Answers are kept in answers.jsonl as they come: the same
    /// command goes on where it was interrupted. Writes optima.csv with the optima that the set does not know, too
    #[arg(long, conflicts_with_all = ["instances", "seed"])]
    all: bool,

    /// Which draw
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Largest capacity of the instances to draw from [default: 100000000; with --all no limit]
    #[arg(long, value_name = "C")]
    max_capacity: Option<u64>,

    /// Draw from the instances that combo did not finish
    #[arg(long)]
    unfinished: bool,

    #[command(flatten)]
    contestants: Contestants,

    #[command(flatten)]
    measuring: Measuring,
}

impl Jooken {
    pub fn run(&self) -> Result<Outcome, Failure> {
        let Self { folder, instances, all, seed, unfinished, .. } = self;
        let Contestants { engines, threads: asked, gpus } = &self.contestants;
        let most = self.max_capacity.unwrap_or(if *all { u64::MAX } else { 100_000_000 });
        let threads = threads(*asked);
        let mut flags = match all {
            true => "DIR --all".to_owned(),
            false => format!("DIR --instances {instances} --seed {seed}"),
        };
        if most < u64::MAX {
            flags += &format!(" --max-capacity {most}");
        }
        flags += &format!(" --threads {threads}");
        if *unfinished {
            flags += " --unfinished";
        }
        let name = "isx-bench jooken";
        let draw = jooken::Draw {
            folder: folder.clone(),
            most,
            unfinished: *unfinished,
            instances: (!all).then_some(*instances),
            seed: *seed,
            kept: all.then(|| self.measuring.folder(name)),
        };
        let repeat = if *all { 0 } else { Bench::REPEAT };
        let bench = Bench { name, patience: 60, repeat, threads, gpus: gpus.gpu.numbers(), flags };
        let measure = |settings, command| jooken::run(&draw, self.contestants.entrants(), &settings, command);
        self.measuring.run(bench, engines, measure)
    }
}

/// Pisinger's classes of hard 0-1 knapsack problems (2005), by number of items and size of the coefficients
///
/// Number h of a series of H has the capacity h / (H + 1) of the total weight. Prints the tables and writes results.json,
/// table.md and chart.svg. Every answer is summed again; where only one engine is measured, another one that expects
/// to be patient enough answers too.
#[derive(Args)]
pub struct Pisinger {
    /// Classes, as kinds of `isx generate knapsack`
    #[arg(long = "kind", value_name = "KIND,..", value_delimiter = ',', default_values_t = pisinger::CLASSES)]
    kinds: Vec<Kind>,

    /// Numbers of items
    #[arg(long, value_name = "N,..", value_delimiter = ',', default_values_t = [10_000, 100_000])]
    items: Vec<u64>,

    /// Largest coefficients
    #[arg(long = "range", value_name = "R,..", value_delimiter = ',', default_values_t = [1_000, 1_000_000, 10_000_000_000])]
    ranges: Vec<u64>,

    /// Instances of each class, number of items and range
    #[arg(long, value_name = "H", default_value_t = 5)]
    series: u64,

    #[command(flatten)]
    contestants: Contestants,

    #[command(flatten)]
    measuring: Measuring,
}

impl Pisinger {
    pub fn run(&self) -> Result<Outcome, Failure> {
        let Self { kinds, items, ranges, series, .. } = self;
        let Contestants { engines, threads: asked, gpus } = &self.contestants;
        let threads = threads(*asked);
        let flags = format!(
            "--kind {} --items {} --range {} --series {series} --threads {threads}",
            list(kinds),
            list(items),
            list(ranges)
        );
        let classes = pisinger::Classes { kinds, items, ranges, series: *series };
        let bench = Bench {
            name: "isx-bench pisinger",
            patience: 10,
            repeat: Bench::REPEAT,
            threads,
            gpus: gpus.gpu.numbers(),
            flags,
        };
        let measure =
            |settings, command| pisinger::run(&classes, self.contestants.entrants(), &settings, command);
        self.measuring.run(bench, engines, measure)
    }
}
