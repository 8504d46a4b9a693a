//! `isx generate taskset`.

use super::deliver::wrong_flag;
use crate::failure::Failure;
use crate::files::{deliver, is_stdin};
use crate::terminal;
use clap::{Args, value_parser};
use isx_exact::quantity::{Rational, parse_decimal};
use isx_exact::sampling::{DecimalRange, IntRange};
use isx_report::files::{Staged, check_replaceable, check_writable};
use isx_taskset::Scheduler;
use isx_taskset::generate::generate;
use isx_taskset::recipe::{
    Deadlines, GeneratedResources, Periods, RecipeError, Savings, SharedBlocks, TaskNames, TaskSetRecipe,
    default_utilization,
};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// A task set in YAML, or a folder of them
///
/// With --count 1000 -o sets there are a thousand files, sets/generated-0001.yaml and so on: name and seed, as the
/// header of each file has them too. `isx explore sets` and `isx check sets` take the folder.
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

    /// Resources that hardware costs, in place of an area: NAME:LOW..HIGH,.. such as LUT:1..1500,DSP:0..4; of a range
    /// from 0, three choices in ten take some
    #[arg(long, value_name = "NAME:LOW..HIGH,..", conflicts_with_all = ["area", "area_unit"])]
    resources: Option<GeneratedResources>,

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

    /// Areas of the blocks, or amounts of the first resource, LOW..HIGH [default: as --area]
    #[arg(long, requires = "blocks")]
    block_area: Option<DecimalRange>,

    /// Fastest clock of a design with the block, LOW..HIGH in MHz, drawn for each block [default: none]
    #[arg(long, requires = "blocks")]
    fmax: Option<DecimalRange>,

    /// Seed of the random numbers; of the first set with --count, whose next sets have the next seeds
    #[arg(long, default_value_t = TaskSetRecipe::default().seed)]
    seed: u64,

    /// Number of task sets; if there are several, -o names a folder, which is created
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u64).range(1..=MOST_SETS))]
    count: u64,

    /// File to write, or - for standard output; with --count the folder [default: standard output]
    #[arg(short, long, value_name = "FILE.yaml|DIR")]
    output: Option<PathBuf>,

    /// With --count, replace files that exist
    #[arg(long, requires = "output")]
    overwrite: bool,
}

/// The most task sets of one command.
const MOST_SETS: u64 = 1_000_000;

fn parse_scheduler(name: &str) -> Result<Scheduler, String> {
    Scheduler::named(name).ok_or_else(|| "write edf, rm, dm or fixed".to_owned())
}

impl TaskSet {
    pub fn run(self) -> Result<(), Failure> {
        let resources = self.resources.unwrap_or_default();
        let area = resources.all.first().map_or(self.area, |(_, range)| *range);
        let blocks = self.blocks.map(|count| SharedBlocks {
            count,
            uses: self.uses.unwrap_or_else(|| SharedBlocks::default_uses(count)),
            area: self.block_area.unwrap_or(area),
            fmax: self.fmax,
        });
        let Self { name, tasks, utilization, max_task_utilization, clock_mhz, periods, choices, .. } = self;
        let Self { area_unit, savings, deadlines, scheduler, seed, count, output, overwrite, .. } = self;
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
            resources,
            savings,
            deadlines,
            scheduler,
            blocks,
            seed,
        };
        if count == 1 {
            let text = text_of(&recipe)?;
            return deliver(output.as_deref(), |out| out.write_all(text.as_bytes()));
        }
        let Some(folder) = output.filter(|output| !is_stdin(output)) else {
            return Err(Failure::Usage(format!(
                "--count {count} writes a file per task set: name a folder with -o"
            )));
        };
        let Some(last) = seed.checked_add(count - 1) else {
            return Err(Failure::Usage(format!(
                "--seed {seed}: the seeds of {count} sets go beyond {}",
                u64::MAX
            )));
        };
        write_sets(&recipe, seed..=last, &folder, overwrite)
    }
}

/// Writes a set per seed.
fn write_sets(
    recipe: &TaskSetRecipe,
    seeds: RangeInclusive<u64>,
    folder: &Path,
    overwrite: bool,
) -> Result<(), Failure> {
    let (first, last) = seeds.clone().into_inner();
    let digits = last.to_string().len();
    let name = |seed: u64| format!("{}-{seed:0digits$}", recipe.name);
    let file = |seed: u64| folder.join(format!("{}.yaml", name(seed)));
    let text = |seed| text_of(&TaskSetRecipe { name: name(seed), seed, ..recipe.clone() });
    // A recipe that is wrong, or a folder that is, leaves nothing behind.
    text(first)?;
    check_writable(folder)?;
    seeds.clone().try_for_each(|seed| check_replaceable(&file(seed)))?;
    let exists = |&seed: &u64| file(seed).symlink_metadata().is_ok();
    let mut existing = seeds.clone().filter(exists);
    if let Some(seed) = existing.next().filter(|_| !overwrite) {
        let more = match existing.count() {
            0 => String::new(),
            more => format!(", and so are {more} more of the files to write"),
        };
        return Err(Failure::Exists(format!("`{}` is there already{more}", file(seed).display())));
    }
    for seed in seeds {
        // The same command makes the file again, so it need not survive a crash of the machine.
        let text = text(seed)?;
        Staged::write(&file(seed), false, |out| out.write_all(text.as_bytes()))?.put_in_place()?;
    }
    let (count, folder) = (last - first + 1, folder.display());
    terminal::note(&format!(
        "wrote {count} task sets to {folder}: {}.yaml to {}.yaml",
        name(first),
        name(last)
    ));
    Ok(())
}

/// The file of a recipe.
fn text_of(recipe: &TaskSetRecipe) -> Result<String, Failure> {
    generate(recipe).map_err(|error| match error {
        RecipeError::Field { .. } | RecipeError::Period(_) => wrong_flag(error),
        RecipeError::Range(_) | RecipeError::Discarded { .. } => Failure::Usage(error.to_string()),
    })
}
