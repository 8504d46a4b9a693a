//! `isx-bench objectives`: fronts of 0-1 knapsack problems with several objectives.

use crate::BenchError;
use crate::objectives::{Recipe, items, problem};
use crate::resources::difference;
use clap::Args;
use isx_command::arguments::parse_bytes;
use isx_command::failure::{Failure, Outcome};
use isx_engine::{Choice, Context, Request, planner};
use isx_machine::Machine;
use isx_machine::cpu::cores;
use isx_resources::{ENGINES, Wanted};
use isx_solve::SolveError;
use std::io::Write;
use std::time::Instant;

/// Fronts of 0-1 knapsack problems with several objectives, as drawn for decision diagrams (arXiv 2403.02482)
///
/// Weights and values from 1 to 1000, and a capacity of half of all weight. Of exact decision diagrams, the paper reports
/// 127.6 s on average for 80 items with 3 objectives, and 147.4 s for 40 items with 7. The items of every point are summed
/// again, and no time is printed for a wrong sum.
#[derive(Args)]
pub struct Objectives {
    /// Items
    #[arg(long, value_name = "N", default_value_t = 80, value_parser = clap::value_parser!(u16).range(1..=1000))]
    items: u16,

    /// Values of each item, all to be as great as possible
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(2..=100))]
    objectives: u16,

    /// Instances, each shown on a line; their seeds follow each other
    #[arg(long, value_name = "N", default_value_t = 10)]
    instances: u32,

    /// Seed of the first instance
    #[arg(long, default_value_t = 1)]
    seed: u32,

    /// Threads to run with [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Most memory to use
    #[arg(long, value_name = "BYTES", default_value = "8GiB", value_parser = parse_bytes)]
    max_memory: u64,
}

impl Objectives {
    pub fn run(&self) -> Result<Outcome, Failure> {
        let threads = self.threads.map_or_else(cores, usize::from);
        let machine = Machine::default().with_threads(threads).with_max_memory(self.max_memory);
        let mut out = std::io::stdout().lock();
        let mut all = 0.0;
        for at in 0..self.instances {
            let recipe = Recipe {
                items: self.items.into(),
                objectives: self.objectives.into(),
                seed: self.seed.wrapping_add(at),
            };
            let problem = problem(&items(&recipe));
            let context = Context::new(&machine);
            let request = Request { problem: &problem, wanted: Wanted::Picks, context: &context };
            let started = Instant::now();
            let solved = planner::solve(&ENGINES, Choice::Auto, request);
            let solved = solved.map_err(|refusal| Failure::from(SolveError::Engine(refusal)))?;
            let seconds = started.elapsed().as_secs_f64();
            if let Some(difference) = difference(&problem, &solved.answer) {
                return Err(BenchError::wrong(solved.engine, &recipe.to_string(), difference).into());
            }
            all += seconds;
            let points = solved.answer.values.len();
            writeln!(
                out,
                "{recipe}: {points} points, {seconds:.3} s, {}, {}",
                solved.engine, solved.answer.how
            )?;
        }
        if self.instances > 0 {
            writeln!(out, "{:.3} s on average", all / f64::from(self.instances))?;
        }
        Ok(Outcome::Done)
    }
}
