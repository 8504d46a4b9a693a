//! `isx generate taskset`.

use super::deliver::wrong_flag;
use crate::failure::Failure;
use crate::files::deliver;
use clap::Args;
use isx_exact::quantity::{Rational, parse_decimal};
use isx_exact::sampling::{DecimalRange, IntRange};
use isx_taskset::Scheduler;
use isx_taskset::generate::generate;
use isx_taskset::recipe::{
    Deadlines, Periods, RecipeError, Savings, SharedBlocks, TaskNames, TaskSetRecipe, default_utilization,
};
use std::path::PathBuf;

/// A task set in YAML
#[derive(Args)]
pub struct TaskSet {
    /// Name of the set
    #[arg(long, default_value_t = TaskSetRecipe::default().name)]
    name: String,

    /// Number of tasks, or their names with commas between
    #[arg(long, default_value_t = TaskSetRecipe::default().tasks)]
    tasks: TaskNames,

    /// Sum of the utilizations in software, split by UUniFast-Discard [default: 1.5, less if the tasks are few]
    #[arg(long, value_parser = parse_decimal)]
    utilization: Option<Rational>,

    /// Largest utilization of one task in software
    #[arg(long, value_parser = parse_decimal, default_value = "1")]
    max_task_utilization: Rational,

    /// Clock in MHz; WCETs are in its cycles
    #[arg(long, default_value_t = TaskSetRecipe::default().clock_mhz)]
    clock_mhz: u64,

    /// Periods: a list to draw from, or LOW..HIGH/STEP, log-uniform
    #[arg(long, default_value_t = TaskSetRecipe::default().periods)]
    periods: Periods,

    /// Choices per task, N or LOW..HIGH
    #[arg(long, default_value_t = TaskSetRecipe::default().choices)]
    choices: IntRange,

    /// Areas, LOW..HIGH, with as many decimals as these two have
    #[arg(long, default_value_t = TaskSetRecipe::default().area)]
    area: DecimalRange,

    /// Unit of the areas
    #[arg(long, default_value_t = TaskSetRecipe::default().area_unit)]
    area_unit: String,

    /// Savings as fractions of the WCET: uncorrelated:LOW..HIGH or correlated:LOW..HIGH
    #[arg(long, default_value_t = TaskSetRecipe::default().savings)]
    savings: Savings,

    /// Deadlines: implicit, constrained:LOW..HIGH or arbitrary:LOW..HIGH, in periods
    #[arg(long, default_value_t = TaskSetRecipe::default().deadlines)]
    deadlines: Deadlines,

    /// Scheduler: edf, rm, dm or fixed, which gives every task a priority; the tasks are the same with each
    #[arg(long, default_value = "edf", value_parser = parse_scheduler)]
    scheduler: Scheduler,

    /// Number of blocks, hardware that choices share; the tasks are the same with and without them
    #[arg(long, value_name = "N")]
    blocks: Option<u64>,

    /// Blocks that a choice uses in addition to its own area, N or LOW..HIGH [default: 1..3]
    #[arg(long, requires = "blocks")]
    uses: Option<IntRange>,

    /// Areas of the blocks, LOW..HIGH [default: as --area]
    #[arg(long, requires = "blocks")]
    block_area: Option<DecimalRange>,

    /// Fastest clock of a design with the block, LOW..HIGH in MHz, drawn for each block [default: none]
    #[arg(long, requires = "blocks")]
    fmax: Option<DecimalRange>,

    /// Seed of the random numbers
    #[arg(long, default_value_t = TaskSetRecipe::default().seed)]
    seed: u64,

    /// File to write, or - for standard output [default: standard output]
    #[arg(short, long, value_name = "FILE.yaml")]
    output: Option<PathBuf>,
}

fn parse_scheduler(name: &str) -> Result<Scheduler, String> {
    Scheduler::named(name).ok_or_else(|| "write edf, rm, dm or fixed".to_owned())
}

impl TaskSet {
    pub fn run(self) -> Result<(), Failure> {
        let blocks = self.blocks.map(|count| SharedBlocks {
            count,
            uses: self.uses.unwrap_or_else(|| SharedBlocks::default_uses(count)),
            area: self.block_area.unwrap_or(self.area),
            fmax: self.fmax,
        });
        let Self { name, tasks, utilization, max_task_utilization, clock_mhz, periods, choices, .. } = self;
        let Self { area, area_unit, savings, deadlines, scheduler, seed, output, .. } = self;
        let description = String::new();
        let utilization =
            utilization.unwrap_or_else(|| default_utilization(tasks.count(), &max_task_utilization));
        let recipe = TaskSetRecipe {
            name,
            description,
            tasks,
            utilization,
            max_task_utilization,
            clock_mhz,
            periods,
            choices,
            area,
            area_unit,
            savings,
            deadlines,
            scheduler,
            blocks,
            seed,
        };
        let text = generate(&recipe).map_err(|error| match error {
            RecipeError::Field { .. } | RecipeError::Period(_) => wrong_flag(error),
            RecipeError::Range(_) | RecipeError::Discarded { .. } => Failure::Usage(error.to_string()),
        })?;
        deliver(output.as_deref(), |out| out.write_all(text.as_bytes()))
    }
}
