//! Validated task sets: what the YAML reader produces and every later stage uses.

mod build;
mod core_costs;
mod cores;
mod in_mode;
mod in_variant;
mod kernel;
mod label;
mod mode;
mod priorities;
mod repeated;
mod resources;
mod scheduler;
mod sections;
mod shown;
mod switches;
mod unused;
mod validate;
mod variant;

pub use cores::{Cores, MAX_CORES, cores_in};
pub use kernel::{KernelCosts, Lock, Nonpreemptive};
pub use label::{LabelProblem, name_problem, text_problem};
pub use mode::{MAX_MODES, Timing};
pub use repeated::RepeatedChoice;
pub use resources::{MAX_RESOURCES, Priced, Resources, in_percent, resource_name_problem};
pub use scheduler::{PriorityOrder, Scheduler};
pub use shown::ShownUnit;
pub use unused::{UnusedChoice, UnusedReason};
pub use validate::InvalidTaskSet;
pub(crate) use validate::LOCKS_BESIDE_JITTER;
pub use variant::{MAX_VARIANTS, Variant};

use isx_exact::quantity::{Rational, TimeScale};

/// The time unit of a [`TaskSet`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimeBase {
    /// Processor cycles of a clock of `hertz`; periods and deadlines given as times are converted to cycles.
    Cycles {
        /// Clock rate in hertz.
        hertz: Rational,
    },
    /// Seconds.
    Seconds,
    /// The file names no unit; all times are in the same unit.
    Unnamed,
}

impl TimeBase {
    /// The unit as printed: `cycles` or `s`; empty if the file names none.
    pub fn unit(&self) -> &'static str {
        match self {
            Self::Cycles { .. } => "cycles",
            Self::Seconds => "s",
            Self::Unnamed => "",
        }
    }
}

/// The time units used in the file, taken from the first task; `None` for times without a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WrittenUnits {
    /// The unit of WCETs.
    pub wcet: Option<TimeScale>,
    /// The unit of periods and deadlines.
    pub period: Option<TimeScale>,
}

/// A set of periodic or sporadic real-time tasks with their custom-instruction choices.
///
/// Invariants, enforced by the reader and by [`TaskSet::new`]: there is at least one task; the names of tasks, of the
/// choices of a task, and of blocks are unique and printable; times are positive and areas are non-negative; all
/// times are in the unit that [`TaskSet::time_base`] names; a choice uses existing blocks, each once, and at most one
/// per slot; with [`Scheduler::FixedPriority`] every task has a priority. After changing a set, call
/// [`TaskSet::validate`] to check them again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskSet {
    /// Name of the set, used in titles only and never as part of a path.
    pub name: String,
    /// Free text about the set.
    pub description: Option<String>,
    /// The source of its figures, as the file states it.
    pub source: Option<String>,
    /// Unit of the areas as printed, for example `NAND2`; empty if the file names none.
    pub area_unit: String,
    /// The unit of all times of the tasks.
    pub time_base: TimeBase,
    /// The time units used in the file; texts show times in them.
    pub written: WrittenUnits,
    /// The scheduling policy.
    pub scheduler: Scheduler,
    /// What one context switch costs every task, in WCET units, 0 or more; see [`TaskSet::switches`].
    pub switch: Rational,
    /// The blocks in file order: hardware that is built once and may be used by choices of any task.
    pub blocks: Vec<Block>,
    /// The resources that hardware costs, if the set counts more than one area; the areas of its blocks and choices are
    /// then 0.
    pub resources: Option<Resources>,
    /// The resources of which a price made one area, if the limits of them still hold; see
    /// [`WhatIf::keep_limits`](crate::WhatIf::keep_limits).
    pub priced: Option<Priced>,
    /// The variants of the processor in file order, of which exactly one is built; empty if there is one processor.
    pub variants: Vec<Variant>,
    /// The names of the modes in file order, of which one runs at a time, all on the hardware of one design; empty if there
    /// is one mode. No mode has the name of a variant.
    pub modes: Vec<String>,
    /// The area of the processor, which every design has, in a set with one area: that of a core, and of the chosen variant,
    /// see [`TaskSet::in_variant`]. With several resources it is part of [`Resources::base`].
    pub processor_area: Rational,
    /// The cores of a chip among which the tasks are to be distributed; `None` if the set is about one core.
    pub cores: Option<Cores>,
    /// The tasks in file order.
    pub tasks: Vec<Task>,
    /// The what-if changes made to the set, in words, as [`WhatIf`](crate::WhatIf) writes them; empty for an
    /// unchanged set.
    pub what_if: Vec<String>,
    /// How many tasks at a time exceed their WCETs, up to their high WCETs; `None` if none does. Only valid under EDF with no
    /// deadline shorter than its period, see [`WhatIf::overruns`](crate::WhatIf::overruns).
    pub overruns: Option<u32>,
    /// The margin that all WCETs include, as a fraction of the WCETs without it: 1/5 if they are 20 % longer; 0 for an
    /// unchanged set.
    pub margin: Rational,
}

/// How the `source` of a generated set begins.
pub const GENERATED: &str = "generated by isx";

impl TaskSet {
    /// Whether isx made the set from random numbers: what its choices have in common is chance.
    pub fn is_generated(&self) -> bool {
        self.source.as_deref().is_some_and(|source| source.starts_with(GENERATED))
    }

    /// Whether a block or variant limits the clock, so that designs may run at different clocks.
    pub fn limits_clock(&self) -> bool {
        self.blocks.iter().any(|block| block.fmax.is_some())
            || self.variants.iter().any(|variant| variant.fmax.is_some())
    }
}

/// Hardware that is built once, however many choices use it: a multiplier, an S-box, a whole instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Unique within the set.
    pub name: String,
    /// Its area, 0 or greater, in the set's area unit.
    pub area: Rational,
    /// Its cost in each of [`TaskSet::resources`], of any sign; empty in a set with one area.
    pub cost: Vec<Rational>,
    /// The slot it goes into: at most one block per slot is built.
    pub slot: Option<String>,
    /// The maximum clock of designs that build it, in hertz and above 0; `None` if it does not limit the clock. Only
    /// valid if [`TaskSet::time_base`] is a clock, whose cycles are the unit of WCETs.
    pub fmax: Option<Rational>,
    /// What one context switch of a task that uses it costs in addition, in WCET units, 0 or more: saving or restoring its state.
    pub switch: Rational,
    /// The source of the figures.
    pub source: Option<String>,
}

/// A task tau_i with its worst-case execution time E_i, period P_i and relative deadline D_i.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Unique within the set.
    pub name: String,
    /// E_i > 0: worst-case execution time in software.
    pub wcet: Rational,
    /// The WCET in each of [`TaskSet::variants`] or [`TaskSet::modes`], the first of which is `wcet`; with both, in every
    /// mode of the first variant, then of the second, see [`TaskSet::wcet_place`]. Empty if it is the same in all. That of
    /// a mode without the task counts nowhere.
    pub variant_wcets: Vec<Rational>,
    /// What it takes at most if it exceeds `wcet`, see [`TaskSet::overruns`]; `None` if it never does.
    pub wcet_high: Option<Rational>,
    /// P_i > 0: period, or minimum inter-arrival time.
    pub period: Rational,
    /// D_i > 0: relative deadline; equal to the period unless given.
    pub deadline: Rational,
    /// The period and deadline in each of [`TaskSet::modes`], `None` if the task does not run in it; the first there is is
    /// `period` and `deadline`. Empty if they are the same in all.
    pub timings: Vec<Option<Timing>>,
    /// The priority, at least 1; 1 is the highest. It orders all tasks under [`Scheduler::FixedPriority`], and those of equal
    /// periods or deadlines under rate- and deadline-monotonic priorities.
    pub priority: Option<u32>,
    /// What delays its jobs besides the WCETs.
    pub kernel: KernelCosts,
    /// The custom-instruction choices in file order; the task takes at most one.
    pub choices: Vec<Choice>,
    /// Whether every design must take the choice of this task instead of software; the task then has exactly one.
    pub forced: bool,
}

/// A custom-instruction choice of a task: hardware area for a lower worst-case execution time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Unique within the task.
    pub name: String,
    /// c_ik >= 0: hardware area in the set's area unit, in addition to the blocks that it uses.
    pub area: Rational,
    /// Its cost in each of [`TaskSet::resources`], of any sign, in addition to the blocks that it uses; empty in a set
    /// with one area.
    pub cost: Vec<Rational>,
    /// The blocks it uses, as indices into [`TaskSet::blocks`], without duplicates.
    pub uses: Vec<u32>,
    /// e_ik > 0: worst-case execution time of the task with this choice; may exceed that of software.
    pub wcet: Rational,
    /// The WCET in each of [`TaskSet::variants`] or [`TaskSet::modes`], as [`Task::variant_wcets`].
    pub variant_wcets: Vec<Rational>,
    /// As [`Task::wcet_high`], with this choice.
    pub wcet_high: Option<Rational>,
    /// The critical sections of the task with this choice, in place of those of the task; `None` if they are the same.
    pub locks: Option<Vec<Lock>>,
    /// The source of the figures.
    pub source: Option<String>,
}
