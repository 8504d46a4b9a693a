//! Validated task sets: what the YAML reader makes and every later stage reads.

mod build;
mod label;
mod repeated;
mod scheduler;
mod shown;
mod unused;
mod validate;

pub use label::{LabelProblem, name_problem, text_problem};
pub use repeated::RepeatedChoice;
pub use scheduler::Scheduler;
pub use shown::ShownUnit;
pub use unused::{UnusedChoice, UnusedReason};
pub use validate::InvalidTaskSet;

use isx_exact::quantity::{Rational, TimeScale};

/// What one unit of the times in a [`TaskSet`] is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimeBase {
    /// Processor cycles of a clock of `hertz`; periods and deadlines given as times were multiplied by it.
    Cycles {
        /// Clock rate in hertz.
        hertz: Rational,
    },
    /// Seconds.
    Seconds,
    /// The file names no unit; all its times are in the same one.
    Unnamed,
}

impl TimeBase {
    /// The unit as it is printed: `cycles` or `s`; empty where the file names none.
    #[must_use]
    pub fn unit(&self) -> &'static str {
        match self {
            Self::Cycles { .. } => "cycles",
            Self::Seconds => "s",
            Self::Unnamed => "",
        }
    }
}

/// The units that a file writes times in, as the first task has them; `None` where times have no unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WrittenUnits {
    /// Of WCETs.
    pub wcet: Option<TimeScale>,
    /// Of periods and deadlines.
    pub period: Option<TimeScale>,
}

/// A set of periodic or sporadic real-time tasks with their custom-instruction choices.
///
/// Invariants, held by the reader and by [`TaskSet::new`]: at least one task; the names of tasks, and of the choices
/// of a task, are unique and printable, and so are those of blocks; times are above 0 and areas not below; every time is
/// in the one unit that [`TaskSet::time_base`] names; a choice uses blocks that are there, each once, and at most one of
/// a slot; with [`Scheduler::FixedPriority`] every task has a priority. What is changed afterwards, [`TaskSet::validate`] checks again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskSet {
    /// Name of the set, used in titles only: it never forms a path.
    pub name: String,
    /// Free text about the set.
    pub description: Option<String>,
    /// Unit of the areas as printed, for example `NAND2`; empty if the file names none.
    pub area_unit: String,
    /// The unit of every time below.
    pub time_base: TimeBase,
    /// The units that the file writes times in, which texts show them in again.
    pub written: WrittenUnits,
    /// What decides which job runs.
    pub scheduler: Scheduler,
    /// The blocks in file order: hardware that choices of any tasks use, built once.
    pub blocks: Vec<Block>,
    /// The tasks in file order.
    pub tasks: Vec<Task>,
    /// What was changed to see what would happen, in words, as [`WhatIf`](crate::WhatIf) does; empty for a set as it is.
    pub what_if: Vec<String>,
}

impl TaskSet {
    /// Whether a block limits the clock, so that designs may run at different ones.
    #[must_use]
    pub fn limits_clock(&self) -> bool {
        self.blocks.iter().any(|block| block.fmax.is_some())
    }
}

/// Hardware that is built once, however many choices use it: a multiplier, an S-box, a whole instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Unique within the set.
    pub name: String,
    /// Its area, 0 or greater, in the set's area unit.
    pub area: Rational,
    /// The slot it goes into: of the blocks of a slot at most one is built.
    pub slot: Option<String>,
    /// The fastest clock of a design that builds it, in hertz and above 0; `None` if it does not limit the clock. Only
    /// where [`TaskSet::time_base`] is a clock, of which WCETs are cycles.
    pub fmax: Option<Rational>,
    /// Where the figures come from.
    pub source: Option<String>,
}

/// A task tau_i with its worst-case execution time E_i, period P_i and relative deadline D_i.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Unique within the set.
    pub name: String,
    /// E_i > 0: worst-case execution time in software.
    pub wcet: Rational,
    /// P_i > 0: period, or minimum inter-arrival time.
    pub period: Rational,
    /// D_i > 0: relative deadline; equal to the period unless given.
    pub deadline: Rational,
    /// The priority, at least 1, which is the highest; equal ones go by file order. Only [`Scheduler::FixedPriority`] asks
    /// for it.
    pub priority: Option<u32>,
    /// The custom-instruction choices in file order; the task takes at most one.
    pub choices: Vec<Choice>,
    /// Whether every design takes the choice of this task, which has exactly one then, and software is no option.
    pub forced: bool,
}

/// A custom-instruction choice of a task: hardware area for a lower worst-case execution time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Unique within the task.
    pub name: String,
    /// c_ik >= 0: hardware area in the set's area unit, beside the blocks that it uses.
    pub area: Rational,
    /// The blocks it uses, as indices into [`TaskSet::blocks`], each once.
    pub uses: Vec<u32>,
    /// e_ik > 0: worst-case execution time of the task with this choice; may exceed the software's.
    pub wcet: Rational,
    /// Where the figures come from.
    pub source: Option<String>,
}
