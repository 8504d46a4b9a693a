//! The scheduler of a formulation: what a verdict must know of it.

use crate::model::TaskSet;

/// What decides which job runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Earliest deadline first.
    #[default]
    Edf,
    /// Fixed priorities: the numbers of all tasks, from the highest priority to the lowest.
    FixedPriority(Vec<u32>),
}

impl Policy {
    /// The policy of a task set.
    #[must_use]
    pub fn of(task_set: &TaskSet) -> Self {
        task_set.priority_order().map_or(Self::Edf, Self::FixedPriority)
    }
}
