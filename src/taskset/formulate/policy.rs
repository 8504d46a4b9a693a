//! The scheduling policy of a formulation, as the schedulability tests need it.

use crate::model::{PriorityOrder, TaskSet};

/// The scheduling policy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Earliest deadline first.
    #[default]
    Edf,
    /// Fixed priorities.
    FixedPriority(PriorityOrder),
}

impl Policy {
    /// The policy of a task set.
    pub fn of(task_set: &TaskSet) -> Self {
        task_set.priority_order().map_or(Self::Edf, Self::FixedPriority)
    }
}
