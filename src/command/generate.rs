//! `isx generate`: random inputs from seeded recipes.

mod lcs;
mod tsp;

use super::failure::{Failure, Outcome};
use super::input::is_stdin;
use super::terminal;
use clap::{Args, Subcommand};
use isx_exact::quantity::Rational;
use isx_exact::sampling::{DecimalRange, IntRange};
use isx_problems::knapsack::generate::{Groups, Kind, KnapsackRecipe, generate_knapsack};
use isx_problems::knapsack::text::write as write_knapsack;
use isx_problems::mckp::generate::{Correlation, MckpRecipe, generate_mckp, write_mckp};
use isx_problems::multidim::generate::{MultidimRecipe, generate_multidim, write_multidim};
use isx_report::files::write_whole;
use isx_taskset::Scheduler;
use isx_taskset::generate::generate;
use isx_taskset::recipe::{
    Deadlines, Periods, RecipeError, Savings, SharedBlocks, TaskNames, TaskSetRecipe, default_utilization,
};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Make random inputs: the same flags and seed give the same file on every machine
#[derive(Args)]
pub struct Generate {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Taskset(Box<TaskSet>),
    Mckp(Mckp),
    Knapsack(Knapsack),
    Multidim(Multidim),
    Lcs(lcs::Lcs),
    Tsp(tsp::Tsp),
}

/// A task set in YAML
#[derive(Args)]
struct TaskSet {
    /// Name of the set
    #[arg(long, default_value_t = TaskSetRecipe::default().name)]
    name: String,

    /// Number of tasks, or their names with commas between
    #[arg(long, default_value_t = TaskSetRecipe::default().tasks)]
    tasks: TaskNames,

    /// Sum of the utilizations in software, split by UUniFast-Discard [default: 1.5, or 3/4 of what few tasks can have]
    #[arg(long, value_parser = parse_fraction)]
    utilization: Option<Rational>,

    /// Largest utilization of one task in software
    #[arg(long, value_parser = parse_fraction, default_value = "1")]
    max_task_utilization: Rational,

    /// Clock in MHz; WCETs are in its cycles
    #[arg(long, default_value_t = TaskSetRecipe::default().clock_mhz)]
    clock_mhz: u64,

    /// Periods: a list to draw from, or LOW..HIGH/STEP, log-uniform
    #[arg(long, default_value_t = TaskSetRecipe::default().periods)]
    periods: Periods,

    /// Choices a task, N or LOW..HIGH
    #[arg(long, default_value_t = TaskSetRecipe::default().choices)]
    choices: IntRange,

    /// Areas, LOW..HIGH, as many decimals as written
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

    /// Scheduler: edf, rm, dm or fixed, which gives every task a priority; the tasks are those of the recipe without it
    #[arg(long, default_value = "edf", value_parser = parse_scheduler)]
    scheduler: Scheduler,

    /// Number of blocks, hardware that choices share; the tasks are those of the recipe without it
    #[arg(long, value_name = "N")]
    blocks: Option<u64>,

    /// Blocks that a choice uses beside its own area, N or LOW..HIGH [default: 1..3]
    #[arg(long, requires = "blocks")]
    uses: Option<IntRange>,

    /// Areas of the blocks, LOW..HIGH [default: as --area]
    #[arg(long, requires = "blocks")]
    block_area: Option<DecimalRange>,

    /// Fastest clocks of designs with the blocks, LOW..HIGH in MHz, one a block [default: none]
    #[arg(long, requires = "blocks")]
    fmax: Option<DecimalRange>,

    /// Which of the recipe's sets
    #[arg(long, default_value_t = TaskSetRecipe::default().seed)]
    seed: u64,

    /// File to write, or - for standard output [default: standard output]
    #[arg(short, long, value_name = "FILE.yaml")]
    output: Option<PathBuf>,
}

/// A multiple-choice knapsack problem as text
#[derive(Args)]
struct Mckp {
    /// Number of classes
    #[arg(long, default_value_t = MckpRecipe::default().classes)]
    classes: u64,

    /// Capacity
    #[arg(long, default_value_t = MckpRecipe::default().capacity)]
    capacity: u64,

    /// Items a class, N or LOW..HIGH
    #[arg(long, default_value_t = MckpRecipe::default().items)]
    items: IntRange,

    /// Values of uncorrelated items, LOW..HIGH
    #[arg(long, default_value_t = MckpRecipe::default().values)]
    values: IntRange,

    /// Weights, LOW..HIGH
    #[arg(long, default_value_t = MckpRecipe::default().weights)]
    weights: IntRange,

    /// How value goes with weight: uncorrelated, weak (within 100 of it) or strong (10 above it)
    #[arg(long, default_value_t = MckpRecipe::default().kind)]
    kind: Correlation,

    /// Difference between the greatest and the least weight of a class
    #[arg(long)]
    spread: Option<u64>,

    /// Which of the recipe's problems
    #[arg(long, default_value_t = MckpRecipe::default().seed)]
    seed: u64,

    /// File to write, or - for standard output [default: standard output]
    #[arg(short, long, value_name = "FILE.txt")]
    output: Option<PathBuf>,
}

/// A 0-1 knapsack problem as text
///
/// Kinds: boyer (w in 1..1000, p = w + 50), those of Pisinger, 2005 (uncorrelated, weak, strong, inverse-strong,
/// almost-strong, subset-sum, similar-weights, spanner-uncorrelated, spanner-weak, spanner-strong, multiple-strong,
/// profit-ceiling, circle), and jooken (Jooken, Leyman and De Causmaecker, 2022), which alone takes the flags from
/// --capacity to --small.
#[derive(Args)]
struct Knapsack {
    /// How profit goes with weight
    #[arg(long, default_value_t = KnapsackRecipe::default().kind)]
    kind: Kind,

    /// Number of items
    #[arg(long, default_value_t = KnapsackRecipe::default().items)]
    items: u64,

    /// Largest weight, or profit, of Pisinger's kinds
    #[arg(long, default_value_t = KnapsackRecipe::default().range)]
    range: u64,

    /// Capacity as a share of the weight of all items
    #[arg(long, value_parser = parse_fraction, default_value = "0.5")]
    load: Rational,

    /// jooken: the capacity
    #[arg(long, default_value_t = Groups::default().capacity)]
    capacity: u64,

    /// jooken: number of groups, the last of small items
    #[arg(long, default_value_t = Groups::default().groups)]
    groups: u64,

    /// jooken: share of small items
    #[arg(long, value_parser = parse_fraction, default_value = "0.1")]
    small_share: Rational,

    /// jooken: how much the groups are off C/2, C/4, .., as a share of the capacity C
    #[arg(long, value_parser = parse_fraction, default_value = "0.0001")]
    epsilon: Rational,

    /// jooken: largest noise, and largest small item
    #[arg(long, default_value_t = Groups::default().small)]
    small: u64,

    /// Which of the recipe's problems
    #[arg(long, default_value_t = KnapsackRecipe::default().seed)]
    seed: u64,

    /// File to write, or - for standard output [default: standard output]
    #[arg(short, long, value_name = "FILE.txt")]
    output: Option<PathBuf>,
}

/// Multi-dimensional knapsack problems as text: rectangles that a plate was cut into
///
/// A rectangle's sides are an item's weights, its area the profit, the plate's sides the capacities. In three
/// dimensions boxes, in one pieces of a rod.
#[derive(Args)]
struct Multidim {
    /// Number of problems, told in the file's first line [default: one problem, and no such line]
    #[arg(long, value_name = "K")]
    instances: Option<u64>,

    /// Items of each problem
    #[arg(long, default_value_t = MultidimRecipe::default().items)]
    items: u64,

    /// Capacities, one to three
    #[arg(long, value_name = "C,..", value_delimiter = ',', default_values_t = MultidimRecipe::default().capacities)]
    capacities: Vec<u64>,

    /// Which of the recipe's files
    #[arg(long, default_value_t = MultidimRecipe::default().seed)]
    seed: u64,

    /// File to write, or - for standard output [default: standard output]
    #[arg(short, long, value_name = "FILE.txt")]
    output: Option<PathBuf>,
}

impl Multidim {
    fn run(self) -> Result<Outcome, Failure> {
        let Self { instances, items, capacities, seed, output } = self;
        let recipe = MultidimRecipe { instances, items, capacities, seed };
        let problems = generate_multidim(&recipe).map_err(|error| wrong_flag(&error))?;
        // The format has no comments to keep the recipe in.
        terminal::note(&format!("isx generate multidim {recipe}"));
        let mut text = Vec::new();
        write_multidim(&problems, instances.is_some(), &mut text)?;
        deliver(&text, output.as_deref())
    }
}

fn parse_scheduler(name: &str) -> Result<Scheduler, String> {
    Scheduler::named(name).ok_or_else(|| "write edf, rm, dm or fixed".to_owned())
}

fn parse_fraction(text: &str) -> Result<Rational, String> {
    isx_exact::quantity::parse_decimal(text).map_err(|error| error.to_string())
}

impl Generate {
    pub fn run(self) -> Result<Outcome, Failure> {
        match self.what {
            What::Taskset(recipe) => recipe.run(),
            What::Mckp(recipe) => recipe.run(),
            What::Knapsack(recipe) => recipe.run(),
            What::Multidim(recipe) => recipe.run(),
            What::Lcs(recipe) => recipe.run(),
            What::Tsp(recipe) => recipe.run(),
        }
    }
}

impl TaskSet {
    fn run(self) -> Result<Outcome, Failure> {
        let utilization = self
            .utilization
            .unwrap_or_else(|| default_utilization(self.tasks.count(), &self.max_task_utilization));
        let recipe = TaskSetRecipe {
            name: self.name,
            description: String::new(),
            tasks: self.tasks,
            utilization,
            max_task_utilization: self.max_task_utilization,
            clock_mhz: self.clock_mhz,
            periods: self.periods,
            choices: self.choices,
            area: self.area,
            area_unit: self.area_unit,
            savings: self.savings,
            deadlines: self.deadlines,
            scheduler: self.scheduler,
            blocks: self.blocks.map(|count| SharedBlocks {
                count,
                uses: self.uses.unwrap_or_else(|| SharedBlocks::default_uses(count)),
                area: self.block_area.unwrap_or(self.area),
                fmax: self.fmax,
            }),
            seed: self.seed,
        };
        let text = generate(&recipe).map_err(|error| match error {
            RecipeError::Field { .. } | RecipeError::Period(_) => wrong_flag(&error),
            RecipeError::Range(_) | RecipeError::Discarded { .. } => Failure::Usage(error.to_string()),
        })?;
        deliver(text.as_bytes(), self.output.as_deref())
    }
}

impl Mckp {
    fn run(self) -> Result<Outcome, Failure> {
        let recipe = MckpRecipe {
            classes: self.classes,
            capacity: self.capacity,
            items: self.items,
            values: self.values,
            weights: self.weights,
            kind: self.kind,
            spread: self.spread,
            seed: self.seed,
        };
        let problem = generate_mckp(&recipe).map_err(|error| wrong_flag(&error))?;
        // The format has no comments to keep the recipe in.
        terminal::note(&format!("isx generate mckp {recipe}"));
        let mut text = Vec::new();
        write_mckp(&problem, &mut text)?;
        deliver(&text, self.output.as_deref())
    }
}

impl Knapsack {
    fn run(self) -> Result<Outcome, Failure> {
        let recipe = KnapsackRecipe {
            kind: self.kind,
            items: self.items,
            range: self.range,
            load: self.load,
            groups: Groups {
                capacity: self.capacity,
                groups: self.groups,
                small_share: self.small_share,
                epsilon: self.epsilon,
                small: self.small,
            },
            seed: self.seed,
        };
        let problem = generate_knapsack(&recipe).map_err(|error| wrong_flag(&error))?;
        // The format has no comments to keep the recipe in.
        terminal::note(&format!("isx generate knapsack {recipe}"));
        let mut text = Vec::new();
        write_knapsack(&problem, &mut text)?;
        deliver(&text, self.output.as_deref())
    }
}

/// An error that begins with the name of a recipe's field, which is a flag here.
fn wrong_flag(error: &impl std::fmt::Display) -> Failure {
    Failure::Usage(format!("--{error}"))
}

fn deliver(text: &[u8], output: Option<&Path>) -> Result<Outcome, Failure> {
    match output.filter(|output| !is_stdin(output)) {
        None => std::io::stdout().write_all(text)?,
        Some(file) => {
            write_whole(file, |out| out.write_all(text))?;
            terminal::note(&format!("wrote {}", file.display()));
        }
    }
    Ok(Outcome::Done)
}
