//! `isx generate taskset`.

use super::deliver::wrong_flag;
use crate::failure::Failure;
use crate::files::{deliver, is_stdin, read_text};
use crate::terminal::{self, progress::Bar};
use clap::{Args, value_parser};
use isx_engine::Progress;
use isx_exact::quantity::{Rational, parse_decimal};
use isx_exact::sampling::{DecimalRange, IntRange};
use isx_report::files::{Staged, check_replaceable, check_writable};
use isx_taskset::generate::generate;
use isx_taskset::recipe::{
    Catalog, Deadlines, GeneratedKernel, GeneratedResources, Periods, RecipeError, Savings, SharedBlocks,
    TaskNames, TaskSetRecipe, Utilizations, default_utilization,
};
use isx_taskset::{Scheduler, cores_in};
use num_traits::Signed;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// A task set in YAML, or a folder of them
///
/// With --count 1000 -o sets there are a thousand files, sets/generated-0001.yaml and so on: name and seed, as the
/// header of each file has them too. `isx explore sets` and `isx check sets` take the folder.
#[derive(Args)]
pub struct TaskSet {
    /// Name of the set
    #[arg(long, hide_short_help = true, default_value_t = TaskSetRecipe::default().name)]
    name: String,

    /// How a paper draws utilizations, periods and deadlines: davis-burns-2009, emberson-2010 or kramer-2015; flags
    /// given besides take precedence
    #[arg(long, hide_short_help = true, value_name = "NAME")]
    recipe: Option<String>,

    /// Number of tasks, or their names with commas between [default: 10; as many as reach the sum where
    /// `--utilizations` draws tasks]
    #[arg(long)]
    tasks: Option<TaskNames>,

    /// Sum of the utilizations in software [default: 1.5, less if the tasks are few]
    #[arg(long, value_parser = parse_decimal)]
    utilization: Option<Rational>,

    /// How the sum is split: uunifast (and discard), fixed-sum (discards nothing), fixed-sum:LOW..HIGH (a range for all
    /// tasks, or one for each with commas between), or uni-, exp- or bimo- with light, medium or heavy, which draw tasks
    /// until they pass the sum [default: uunifast]
    #[arg(long, hide_short_help = true, value_name = "HOW")]
    utilizations: Option<Utilizations>,

    /// Largest utilization of one task in software
    #[arg(long, hide_short_help = true, value_parser = parse_decimal, default_value = "1")]
    max_task_utilization: Rational,

    /// Clock in MHz; WCETs are in its cycles
    #[arg(long, hide_short_help = true, default_value_t = TaskSetRecipe::default().clock_mhz)]
    clock_mhz: u64,

    /// Periods: a list to draw from, LOW..HIGH/STEP (log-uniform), uniform:LOW..HIGH/STEP, harmonic:LOW..HIGH (LOW times
    /// powers of 2), automotive, uni-short, uni-moderate or uni-long [default: 10ms,20ms,25ms,40ms,50ms,100ms,200ms]
    #[arg(long)]
    periods: Option<Periods>,

    /// Choices per task, N or LOW..HIGH
    #[arg(long, default_value_t = TaskSetRecipe::default().choices)]
    choices: IntRange,

    /// Areas, LOW..HIGH, with as many decimals as these two have
    #[arg(long, default_value_t = TaskSetRecipe::default().area)]
    area: DecimalRange,

    /// Unit of the areas
    #[arg(long, hide_short_help = true, default_value_t = TaskSetRecipe::default().area_unit)]
    area_unit: String,

    /// Resources that hardware costs, in place of an area: NAME:LOW..HIGH,.. such as LUT:1..1500,DSP:0..4; of a range
    /// from 0, three choices in ten take some
    #[arg(long, value_name = "NAME:LOW..HIGH,..", conflicts_with_all = ["area", "area_unit"])]
    resources: Option<GeneratedResources>,

    /// Savings as fractions of the WCET: uncorrelated:LOW..HIGH or correlated:LOW..HIGH
    #[arg(long, hide_short_help = true, default_value_t = TaskSetRecipe::default().savings)]
    savings: Savings,

    /// CSV file with columns `area` and `speedup`, from which choices are drawn in place of areas and savings
    #[arg(long, hide_short_help = true, value_name = "FILE.csv", conflicts_with_all = ["area", "resources", "savings"])]
    catalog: Option<PathBuf>,

    /// Deadlines: implicit; constrained:LOW..HIGH or arbitrary:LOW..HIGH, in periods; or slack:LOW..HIGH, the WCET plus
    /// parts of the rest of the period [default: implicit]
    #[arg(long, hide_short_help = true)]
    deadlines: Option<Deadlines>,

    /// Scheduler: edf, rm, dm or fixed, which gives every task a priority; the tasks are the same with each
    #[arg(long, hide_short_help = true, default_value = "edf", value_parser = parse_scheduler)]
    scheduler: Scheduler,

    /// Number of blocks, hardware that choices share; the tasks are the same with and without them
    #[arg(long, value_name = "N")]
    blocks: Option<u64>,

    /// Blocks that a choice uses in addition to its own area, N or LOW..HIGH [default: 1..3]
    #[arg(long, hide_short_help = true, requires = "blocks")]
    uses: Option<IntRange>,

    /// Areas of the blocks, or amounts of the first resource, LOW..HIGH [default: as --area]
    #[arg(long, hide_short_help = true, requires = "blocks")]
    block_area: Option<DecimalRange>,

    /// Fastest clock of a design with the block, LOW..HIGH in MHz, drawn for each block [default: none]
    #[arg(long, hide_short_help = true, requires = "blocks")]
    fmax: Option<DecimalRange>,

    /// Numbers of cores for `isx partition`, N or N..N; the tasks are the same with and without
    #[arg(long, value_name = "N|N..N", value_parser = cores_in)]
    cores: Option<(u32, u32)>,

    /// Area of a core, or its amount of the first resource
    #[arg(long, hide_short_help = true, requires = "cores", value_parser = parse_area, default_value = "0", allow_negative_numbers = true)]
    core_area: Rational,

    /// Number of modes; tasks have other WCETs and periods in each, and are in the first as in a set without modes
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = 1)]
    modes: u64,

    /// Cycles of a context switch [default: 0]
    #[arg(
        long,
        hide_short_help = true,
        value_name = "CYCLES",
        default_value_t = 0,
        hide_default_value = true
    )]
    switch: u64,

    /// Release jitter as a part of the deadline, LOW..HIGH up to 1 [default: none]
    #[arg(long, hide_short_help = true)]
    jitter: Option<DecimalRange>,

    /// Blocking as a part of the WCET, LOW..HIGH up to 1 [default: none]
    #[arg(long, hide_short_help = true)]
    blocking: Option<DecimalRange>,

    /// Longest part that cannot be interrupted, as a part of the WCET, LOW..HIGH up to 1 [default: none]
    #[arg(long, hide_short_help = true)]
    nonpreemptive: Option<DecimalRange>,

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
    #[arg(long, hide_short_help = true, requires = "output")]
    overwrite: bool,
}

/// The most task sets of one command.
const MOST_SETS: u64 = 1_000_000;

fn parse_scheduler(name: &str) -> Result<Scheduler, String> {
    Scheduler::named(name).ok_or_else(|| "write edf, rm, dm or fixed".to_owned())
}

fn parse_area(text: &str) -> Result<Rational, String> {
    let area = parse_decimal(text).map_err(|error| error.to_string())?;
    if area.is_negative() { Err("must be at least 0".to_owned()) } else { Ok(area) }
}

impl TaskSet {
    pub fn run(self) -> Result<(), Failure> {
        let usual = self.recipe.as_deref().map_or_else(|| Ok(TaskSetRecipe::default()), TaskSetRecipe::named);
        let usual = usual.map_err(wrong_flag)?;
        let utilizations = self.utilizations.unwrap_or(usual.utilizations);
        let tasks = self.tasks.unwrap_or_else(|| TaskNames::Numbered(utilizations.default_tasks()));
        let resources = self.resources.unwrap_or_default();
        let area = resources.all.first().map_or(self.area, |(_, range)| *range);
        let blocks = self.blocks.map(|count| SharedBlocks {
            count,
            uses: self.uses.unwrap_or_else(|| SharedBlocks::default_uses(count)),
            area: self.block_area.unwrap_or(area),
            fmax: self.fmax,
        });
        let Self { name, utilization, max_task_utilization, clock_mhz, choices, .. } = self;
        let Self { area_unit, savings, scheduler, seed, count, output, overwrite, .. } = self;
        let Self { switch, jitter, blocking, nonpreemptive, modes, .. } = self;
        let cores = self.cores.map(|count| (count, self.core_area));
        let description = String::new();
        let utilization =
            utilization.unwrap_or_else(|| default_utilization(tasks.count(), &max_task_utilization));
        let mut recipe = TaskSetRecipe {
            name,
            description,
            tasks,
            utilization,
            max_task_utilization,
            utilizations,
            clock_mhz,
            periods: self.periods.unwrap_or(usual.periods),
            choices,
            area,
            area_unit,
            resources,
            savings,
            catalog: None,
            deadlines: self.deadlines.unwrap_or(usual.deadlines),
            scheduler,
            blocks,
            kernel: GeneratedKernel { switch, jitter, blocking, nonpreemptive },
            modes,
            cores,
            seed,
        };
        if let Some(file) = self.catalog {
            let catalog = Catalog::read(&file.display().to_string(), &read_text(&file)?);
            recipe = recipe.with_catalog(catalog.map_err(|error| Failure::Usage(error.to_string()))?);
        }
        if count == 1 {
            let text = text_of(&recipe)?;
            return deliver(output.as_deref(), |out| out.write_all(text.as_bytes()));
        }
        let Some(folder) = output.filter(|output| !is_stdin(output)) else {
            bail!("--count {count} writes a file per task set: name a folder with -o");
        };
        let Some(last) = seed.checked_add(count - 1) else {
            bail!("--seed {seed}: the seeds of {count} sets go beyond {}", u64::MAX);
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
    let bar = Bar::counting("task sets");
    bar.begin("writing", last - first + 1);
    for seed in seeds {
        // The same command makes the file again, so it need not survive a crash of the machine.
        let text = text(seed)?;
        Staged::write(&file(seed), false, |out| out.write_all(text.as_bytes()))?.put_in_place()?;
        bar.set_done(seed - first + 1);
    }
    bar.finish();
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
        RecipeError::Range(_) | RecipeError::Discarded { .. } | RecipeError::Catalog { .. } => {
            Failure::Usage(error.to_string())
        }
    })
}
