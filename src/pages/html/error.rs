//! Why there is no page.

use isx_taskset::TaskSet;
use isx_taskset::formulate::FormulateError;
use std::io;

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A design that was read does not have a choice of every task.
    #[error("not an isx front: a design has {here} tasks, not {first}")]
    Choices {
        /// The number of its tasks.
        here: usize,
        /// The number of tasks of the first design.
        first: usize,
    },
    /// The front is that of another task set.
    #[error("this is not the front of `{taskset}`: {why}")]
    OtherTaskSet {
        /// The name of the task set.
        taskset: String,
        /// The difference.
        why: String,
    },
    /// The task set does not fit the integers.
    #[error(transparent)]
    Formulate(#[from] FormulateError),
    /// The page cannot be written.
    #[error("cannot write the page: {0}")]
    Write(#[from] io::Error),
}

impl ReportError {
    /// The front is not that of the set.
    pub(super) fn other(set: &TaskSet, why: String) -> Self {
        Self::OtherTaskSet { taskset: set.name.clone(), why }
    }
}
