//! A design as a scheduler sees it.

use isx_taskset::formulate::{Formulation, TimedTask};
use num_bigint::BigInt;

/// A task of one design, as a scheduler sees it: all three times in one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledTask<'a> {
    /// e_i >= 0: worst-case execution time with the choice the design takes.
    pub wcet: &'a BigInt,
    /// P_i > 0: period, or minimum inter-arrival time.
    pub period: &'a BigInt,
    /// D_i > 0: relative deadline; shorter than, equal to or longer than the period.
    pub deadline: &'a BigInt,
}

impl<'a> ScheduledTask<'a> {
    /// The task with one of its choices, or in software.
    pub(super) fn with_choice(task: &'a TimedTask, choice: Option<u32>) -> Self {
        Self { wcet: task.wcet_with(choice), period: &task.period, deadline: &task.deadline }
    }
}

/// The tasks of a design, one choice (or none) a task, at the clock that it runs at. Every test of a design gets its tasks
/// here.
///
/// # Panics
///
/// If `choices` is not one a task, or names a choice that is not there.
#[must_use]
pub fn scheduled_tasks<'a>(formulation: &'a Formulation, choices: &[Option<u32>]) -> Vec<ScheduledTask<'a>> {
    assert_eq!(choices.len(), formulation.tasks.len(), "one choice a task");
    let pairs = formulation.tasks_of(choices).iter().zip(choices);
    pairs.map(|(task, &choice)| ScheduledTask::with_choice(task, choice)).collect()
}
