//! The recipe of a generated task set and its text form.
//!
//! A recipe prints as the flags of the command that generates the set, and [`generate`](super::generate) writes that
//! line in the header of the file, so a generated file documents how to reproduce it:
//!
//! ```text
//! --tasks 3 --utilization 1.5 --periods 10ms,20ms --choices 2..4 --area 100..900 --seed 7 ..
//! ```

use super::drawn::{GeneratedTask, GeneratedTiming};
use super::error::field;
use crate::model::Scheduler;
use isx_exact::quantity::{Rational, format_decimal};
use isx_exact::sampling::{DecimalRange, IntRange, Sampler};
use num_bigint::BigInt;
use std::fmt;
use std::str::FromStr;

pub use super::blocks::{MAX_BLOCKS, MAX_USES, SharedBlocks};
pub use super::catalog::Catalog;
pub use super::drawn::MAX_CHOICES;
pub use super::error::RecipeError;
pub use super::periods::{AUTOMOTIVE, MAX_PERIOD_US, Periods};
pub use super::resources::GeneratedResources;
pub use super::utilizations::{NAMED, NamedUtilizations, Utilizations};

/// The number of tasks and their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskNames {
    /// `task-1`, `task-2`, ..
    Numbered(u64),
    /// The given names, in this order.
    Given(Vec<String>),
}

impl TaskNames {
    /// The number of tasks.
    pub fn count(&self) -> u64 {
        match self {
            Self::Numbered(count) => *count,
            Self::Given(names) => names.len() as u64,
        }
    }

    /// The name of the task at a 0-based index.
    pub fn name(&self, index: usize) -> String {
        match self {
            Self::Given(names) => names.get(index).cloned().unwrap_or_default(),
            Self::Numbered(_) => format!("task-{}", index + 1),
        }
    }
}

impl fmt::Display for TaskNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numbered(count) => write!(f, "{count}"),
            Self::Given(names) => f.write_str(&names.join(",")),
        }
    }
}

impl FromStr for TaskNames {
    type Err = RecipeError;

    /// Parses a count, `12`, or names, `aes,sha,ndes`.
    fn from_str(text: &str) -> Result<Self, RecipeError> {
        match text.parse() {
            Ok(count) => Ok(Self::Numbered(count)),
            Err(_) => Ok(Self::Given(text.split(',').map(|name| name.trim().to_owned()).collect())),
        }
    }
}

/// How the saving of a choice depends on its area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SavingsModel {
    /// Area and saving are drawn independently: many choices are dominated, as in the papers' instances.
    Uncorrelated,
    /// A larger area saves more, with diminishing returns: along x(2 - x) from the low end of the range at the
    /// smallest area up to the task's own peak (drawn from the range) at the largest.
    Correlated,
}

/// The savings of the choices, as fractions of the task's software WCET.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Savings {
    /// How the saving depends on the area.
    pub model: SavingsModel,
    /// The range of savings, fractions between 0 and 1.
    pub fraction: DecimalRange,
}

impl fmt::Display for Savings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = match self.model {
            SavingsModel::Uncorrelated => "uncorrelated",
            SavingsModel::Correlated => "correlated",
        };
        write!(f, "{model}:{}", self.fraction)
    }
}

impl FromStr for Savings {
    type Err = RecipeError;

    /// Parses `uncorrelated:0.05..0.60` or `correlated:0.05..0.60`.
    fn from_str(text: &str) -> Result<Self, RecipeError> {
        let (model, range) = text.split_once(':').unwrap_or((text, ""));
        let model = match model {
            "uncorrelated" => SavingsModel::Uncorrelated,
            "correlated" => SavingsModel::Correlated,
            _ => return Err(field("savings", text, "write uncorrelated:LOW..HIGH or correlated:LOW..HIGH")),
        };
        Ok(Self { model, fraction: range.parse()? })
    }
}

/// The relative deadlines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deadlines {
    /// The deadline of each task is its period.
    Implicit,
    /// The period times a ratio of at most 1, rounded down to a microsecond, at least 1.
    Constrained(DecimalRange),
    /// The period times any ratio, rounded down in the same way.
    Arbitrary(DecimalRange),
    /// The WCET in software plus a ratio of what is left of the period, rounded up to a microsecond, at least 1:
    /// SchedCAT's `uniform_slack` (`schedcat/generator/tasksets.py`, at 53247845).
    Slack(DecimalRange),
}

impl fmt::Display for Deadlines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Implicit => f.write_str("implicit"),
            Self::Constrained(ratio) => write!(f, "constrained:{ratio}"),
            Self::Arbitrary(ratio) => write!(f, "arbitrary:{ratio}"),
            Self::Slack(ratio) => write!(f, "slack:{ratio}"),
        }
    }
}

impl FromStr for Deadlines {
    type Err = RecipeError;

    /// Parses `implicit`, `constrained:0.60..1.00`, `arbitrary:0.50..2.00` or `slack:0.00..1.00`.
    fn from_str(text: &str) -> Result<Self, RecipeError> {
        match text.split_once(':') {
            None if text == "implicit" => Ok(Self::Implicit),
            Some(("constrained", range)) => Ok(Self::Constrained(range.parse()?)),
            Some(("arbitrary", range)) => Ok(Self::Arbitrary(range.parse()?)),
            Some(("slack", range)) => Ok(Self::Slack(range.parse()?)),
            _ => {
                let must = "write implicit, constrained:LOW..HIGH, arbitrary:LOW..HIGH or slack:LOW..HIGH";
                Err(field("deadlines", text, must))
            }
        }
    }
}

/// Costs besides the WCETs. They are drawn after everything else: the same recipe without them gives the same tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GeneratedKernel {
    /// The cycles of a context switch; 0 for none.
    pub switch: u64,
    /// Release jitter, as parts of the deadline.
    pub jitter: Option<DecimalRange>,
    /// Blocking, as parts of the WCET in software.
    pub blocking: Option<DecimalRange>,
    /// Parts that cannot be interrupted, as parts of the WCET in software.
    pub nonpreemptive: Option<DecimalRange>,
}

impl GeneratedKernel {
    /// The ranges, each with its flag.
    pub(super) fn ranges(&self) -> [(&'static str, Option<DecimalRange>); 3] {
        [("jitter", self.jitter), ("blocking", self.blocking), ("nonpreemptive", self.nonpreemptive)]
    }

    pub(super) fn draw(&self, tasks: &mut [GeneratedTask], sampler: &mut Sampler) {
        for (number, (_, range)) in self.ranges().into_iter().enumerate() {
            let Some(range) = range else { continue };
            for task in tasks.iter_mut() {
                let GeneratedTiming { wcet, period_us, deadline_us } = task.timing;
                let of = if number == 0 { deadline_us.unwrap_or(period_us) } else { wcet };
                let part = u128::from(of) * u128::from(sampler.uniform(range.low, range.high));
                task.kernel[number] = (part / u128::from(range.unit())) as u64;
            }
        }
    }
}

/// All parameters of a generated task set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskSetRecipe {
    /// Name of the set.
    pub name: String,
    /// Free text at the start of the file's description; may be empty. It does not affect the numbers.
    pub description: String,
    /// The number of tasks, or their names; with a named distribution of utilizations the largest number.
    pub tasks: TaskNames,
    /// Sum of the software-only utilizations, with at most nine decimals; above 1 the processor needs customizing.
    pub utilization: Rational,
    /// The maximum software-only utilization of a task.
    pub max_task_utilization: Rational,
    /// How the utilizations are drawn.
    pub utilizations: Utilizations,
    /// Clock rate in MHz: WCETs are whole cycles of this clock.
    pub clock_mhz: u64,
    /// The periods.
    pub periods: Periods,
    /// The number of choices per task.
    pub choices: IntRange,
    /// The range of the areas; its decimals set the resolution.
    pub area: DecimalRange,
    /// Unit of the areas.
    pub area_unit: String,
    /// The resources that hardware costs; if there are any, `area` is the range of the first.
    pub resources: GeneratedResources,
    /// The savings.
    pub savings: Savings,
    /// What the choices are drawn from in place of `area` and `savings`, if anything; set by
    /// [`with_catalog`](Self::with_catalog).
    pub catalog: Option<Catalog>,
    /// The deadlines.
    pub deadlines: Deadlines,
    /// The scheduler. With fixed priorities each task gets its own random priority; all orders are equally likely.
    pub scheduler: Scheduler,
    /// Hardware that choices share, if any.
    pub blocks: Option<SharedBlocks>,
    /// Context switches, jitter, blocking and parts that cannot be interrupted, if any.
    pub kernel: GeneratedKernel,
    /// The number of modes: in further ones every task has another utilization, of the same sum, and another period and deadline,
    /// drawn after everything else.
    pub modes: u64,
    /// The numbers of cores and the area of each, if the set is one for several; the tasks are the same with and without.
    pub cores: Option<((u32, u32), Rational)>,
    /// The random seed, which selects one of the sets of the recipe.
    pub seed: u64,
}

impl Default for TaskSetRecipe {
    /// Ten tasks of total utilization 1.5, up to eight choices each.
    fn default() -> Self {
        Self {
            name: "generated".to_owned(),
            description: String::new(),
            tasks: TaskNames::Numbered(10),
            utilization: Rational::new(3.into(), 2.into()),
            max_task_utilization: Rational::from(BigInt::from(1)),
            utilizations: Utilizations::UUniFast,
            clock_mhz: 100,
            periods: Periods::OneOf([10, 20, 25, 40, 50, 100, 200].map(|ms| ms * 1000).to_vec()),
            choices: IntRange { low: 3, high: 8 },
            area: DecimalRange { low: 100, high: 5000, places: 0 },
            area_unit: "NAND2".to_owned(),
            resources: GeneratedResources::default(),
            savings: Savings {
                model: SavingsModel::Uncorrelated,
                fraction: DecimalRange { low: 5, high: 60, places: 2 },
            },
            catalog: None,
            deadlines: Deadlines::Implicit,
            scheduler: Scheduler::Edf,
            blocks: None,
            kernel: GeneratedKernel::default(),
            modes: 1,
            cores: None,
            seed: 1,
        }
    }
}

impl TaskSetRecipe {
    /// The default recipe with what a paper draws otherwise.
    ///
    /// ```
    /// use isx_taskset::recipe::TaskSetRecipe;
    /// let recipe = TaskSetRecipe::named("kramer-2015").unwrap();
    /// assert_eq!(recipe.periods.to_string(), "automotive");
    /// ```
    /// Fails if there is none of this name.
    pub fn named(name: &str) -> Result<Self, RecipeError> {
        const MUST: &str = "write davis-burns-2009, emberson-2010 or kramer-2015";
        let found = RECIPES.iter().find(|recipe| recipe.name == name);
        let [utilizations, periods, deadlines] = found.ok_or_else(|| field("recipe", name, MUST))?.draws;
        Ok(Self {
            utilizations: utilizations.parse()?,
            periods: periods.parse()?,
            deadlines: deadlines.parse()?,
            ..Self::default()
        })
    }

    /// The recipe with choices from a catalog.
    pub fn with_catalog(self, catalog: Catalog) -> Self {
        Self { area: catalog.areas(), catalog: Some(catalog), ..self }
    }
}

/// A recipe of a paper.
pub struct NamedRecipe {
    /// Its name.
    pub name: &'static str,
    /// The paper, and what of it is ours.
    pub source: &'static str,
    /// Utilizations, periods and deadlines as flags have them.
    pub draws: [&'static str; 3],
}

/// All of them.
pub const RECIPES: [NamedRecipe; 3] = [
    NamedRecipe {
        name: "davis-burns-2009",
        source: "R. Davis and A. Burns, \"Priority Assignment for Global Fixed Priority Pre-emptive Scheduling in \
                 Multiprocessor Real-Time Systems\", RTSS 2009; the step of the periods is ours",
        draws: ["uunifast", "10ms..1s/1ms", "slack:0.000..1.000"],
    },
    NamedRecipe {
        name: "emberson-2010",
        source: "P. Emberson, R. Stafford and R. Davis, \"Techniques for the Synthesis of Multiprocessor Tasksets\", \
                 WATERS 2010; the range of the periods is ours",
        draws: ["fixed-sum", "10ms..1s/10ms", "implicit"],
    },
    NamedRecipe {
        name: "kramer-2015",
        source: "S. Kramer, D. Ziegenbein and A. Hamann, \"Real World Automotive Benchmarks for Free\", WATERS 2015; \
                 the utilizations are ours",
        draws: ["fixed-sum", "automotive", "implicit"],
    },
];

/// The default utilization of a recipe: 1.5, which overloads the processor and makes customizing worthwhile; for few
/// or small tasks, a fraction of the maximum that they can reach together.
///
/// The fraction is three quarters, and less from 16 tasks on: among n random tasks one would nearly always exceed its
/// limit unless the limit is about ln n times their mean.
///
/// ```
/// use isx_exact::quantity::{Rational, format_decimal};
/// use isx_taskset::recipe::default_utilization;
/// let one = Rational::from_integer(1.into());
/// let [single, several] = [1, 10].map(|tasks| format_decimal(&default_utilization(tasks, &one)));
/// assert_eq!((single.as_str(), several.as_str()), ("0.75", "1.5"));
/// ```
pub fn default_utilization(tasks: u64, max_task_utilization: &Rational) -> Rational {
    const GRID: u64 = 1_000_000_000;
    let (numerator, denominator) = if tasks < 16 { (3, 4) } else { (1, 1 + tasks.ilog2()) };
    let part = max_task_utilization * Rational::new(BigInt::from(tasks) * numerator, denominator.into());
    // Every task gets a share, with at most nine decimals.
    let units = (part * BigInt::from(GRID)).floor().max(Rational::from(BigInt::from(tasks)));
    (units / BigInt::from(GRID)).min(Rational::new(3.into(), 2.into()))
}

impl fmt::Display for TaskSetRecipe {
    /// The flags that reproduce the same numbers; the free text is left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--name {} --tasks {}", self.name, self.tasks)?;
        write!(f, " --utilization {}", format_decimal(&self.utilization))?;
        write!(f, " --max-task-utilization {}", format_decimal(&self.max_task_utilization))?;
        if self.utilizations != Utilizations::UUniFast {
            write!(f, " --utilizations {}", self.utilizations)?;
        }
        write!(f, " --clock-mhz {} --periods {}", self.clock_mhz, self.periods)?;
        write!(f, " --choices {}", self.choices)?;
        match (&self.catalog, self.resources.is_empty()) {
            (Some(catalog), _) => write!(f, " --catalog {} --area-unit {}", catalog.name, self.area_unit)?,
            (None, true) => write!(f, " --area {} --area-unit {}", self.area, self.area_unit)?,
            (None, false) => write!(f, " --resources {}", self.resources)?,
        }
        if self.catalog.is_none() {
            write!(f, " --savings {}", self.savings)?;
        }
        write!(f, " --deadlines {}", self.deadlines)?;
        if self.scheduler != Scheduler::Edf {
            write!(f, " --scheduler {}", self.scheduler.name())?;
        }
        if let Some(SharedBlocks { count, uses, area, fmax }) = &self.blocks {
            write!(f, " --blocks {count} --uses {uses} --block-area {area}")?;
            fmax.map_or(Ok(()), |fmax| write!(f, " --fmax {fmax}"))?;
        }
        if let Some(((least, most), area)) = &self.cores {
            write!(f, " --cores {least}..{most} --core-area {}", format_decimal(area))?;
        }
        if self.modes > 1 {
            write!(f, " --modes {}", self.modes)?;
        }
        if self.kernel.switch > 0 {
            write!(f, " --switch {}", self.kernel.switch)?;
        }
        for (flag, range) in self.kernel.ranges() {
            range.map_or(Ok(()), |range| write!(f, " --{flag} {range}"))?;
        }
        write!(f, " --seed {}", self.seed)
    }
}
