//! `isx-bench planner`.

use super::Gpus;
use super::measuring::{Bench, Measuring, threads};
use crate::planner;
use clap::Args;
use isx_command::failure::{Failure, Outcome};

/// The planner against measurements: random problems of all families, solved by every engine
///
/// Prints the time of the engine that isx chooses over that of the best one; writes results.json, table.md and chart.svg.
#[derive(Args)]
pub struct Planner {
    /// Problems to draw
    #[arg(long, value_name = "N", default_value_t = 200)]
    problems: u64,

    /// Seed of the first problem; the others follow
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Threads that engines of the CPU may use [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    #[command(flatten)]
    gpus: Gpus,

    #[command(flatten)]
    measuring: Measuring,
}

impl Planner {
    pub fn run(&self) -> Result<Outcome, Failure> {
        let Self { problems, seed, .. } = *self;
        let threads = threads(self.threads);
        let flags = format!("--problems {problems} --seed {seed} --threads {threads}");
        let (name, gpus) = ("isx-bench planner", self.gpus.gpu.numbers());
        let bench = Bench { name, patience: 2, repeat: Bench::REPEAT, threads, gpus, flags };
        self.measuring.run(bench, &[], |settings, command| {
            planner::run(&planner::Options { problems, seed, settings }, command)
        })
    }
}
