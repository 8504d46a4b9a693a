//! Why a task set made in code is none.

use super::diagnostic::shortened;
use super::labels::LabelProblem;

/// Why a task set made in code is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidTaskSet {
    /// There is no task.
    #[error("the task set has no tasks")]
    NoTasks,
    /// A name or text that could not be printed.
    #[error("`{field}` of {of} {problem}")]
    Label {
        /// What it belongs to, such as "task `radio`".
        of: String,
        /// Which text it is.
        field: &'static str,
        /// What is wrong with it.
        problem: LabelProblem,
    },
    /// Two tasks have this name.
    #[error("a second task is named `{}`", shortened(name))]
    SecondTask {
        /// The name.
        name: String,
    },
    /// Two choices of a task have this name.
    #[error("a second choice of task `{}` is named `{}`", shortened(task), shortened(name))]
    SecondChoice {
        /// The task.
        task: String,
        /// The choices' name.
        name: String,
    },
    /// A time or clock rate of 0 or less.
    #[error("`{field}` of {of} must be greater than 0")]
    NotPositive {
        /// What it belongs to, such as "task `radio`".
        of: String,
        /// Which quantity it is.
        field: &'static str,
    },
    /// A priority of 0.
    #[error("`priority` of task `{}` must be greater than 0", shortened(task))]
    PriorityZero {
        /// The task.
        task: String,
    },
    /// The scheduler goes by priorities, and a task has none.
    #[error("task `{}` has no `priority`, by which the scheduler goes", shortened(task))]
    NoPriority {
        /// The task.
        task: String,
    },
    /// Two blocks have this name.
    #[error("a second block is named `{}`", shortened(name))]
    SecondBlock {
        /// The name.
        name: String,
    },
    /// A choice uses a block that is not there, or the same block twice.
    #[error("{of} uses block number {block}, which {why}")]
    Uses {
        /// The choice and its task.
        of: String,
        /// The block, counted from 0.
        block: u32,
        /// What is wrong with that.
        why: &'static str,
    },
    /// A choice uses two blocks of one slot.
    #[error("{of} uses two blocks of slot `{}`, which holds one", shortened(slot))]
    SlotTwice {
        /// The choice and its task.
        of: String,
        /// The slot.
        slot: String,
    },
    /// A task must take its choice and has none, or several.
    #[error("task `{}` is forced to take its choice, and has {choices} of them", shortened(task))]
    Forced {
        /// The task.
        task: String,
        /// How many choices it has.
        choices: usize,
    },
    /// A block limits the clock of a set that has none.
    #[error(
        "`fmax` of block `{}` needs the clock of the task set: its times must be cycles of one",
        shortened(block)
    )]
    NoClock {
        /// The block.
        block: String,
    },
    /// An area below 0.
    #[error("`area` of {of} must be 0 or greater")]
    NegativeArea {
        /// What it belongs to.
        of: String,
    },
}
