//! A design as the schedulability tests see it, and the integer types of the tests: the narrowest that hold all
//! numbers.

use isx_problems::value::Value;
use isx_taskset::formulate::{Formulation, TimedTask};
use num_bigint::BigInt;
use num_integer::Integer;

/// A task of one design, with all three times in the same unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledTask<'a> {
    /// e_i >= 0: worst-case execution time with the choice the design takes.
    pub wcet: &'a BigInt,
    /// P_i > 0: period, or minimum inter-arrival time.
    pub period: &'a BigInt,
    /// D_i > 0: relative deadline; shorter than, equal to or longer than the period.
    pub deadline: &'a BigInt,
}

/// The tasks of a design, given as one choice (or none) per task, at the clock that it runs at. Every test of a
/// design gets its tasks from here.
///
/// # Panics
///
/// If `choices` does not have one entry per task, or names a choice that does not exist.
#[must_use]
pub fn scheduled_tasks<'a>(formulation: &'a Formulation, choices: &[Option<u32>]) -> Vec<ScheduledTask<'a>> {
    assert_eq!(choices.len(), formulation.tasks.len(), "one choice a task");
    let pairs = formulation.tasks_of(choices).iter().zip(choices);
    let task = |(task, &choice): (&'a TimedTask, &Option<u32>)| ScheduledTask {
        wcet: task.wcet_with(choice),
        period: &task.period,
        deadline: &task.deadline,
    };
    pairs.map(task).collect()
}

/// Integers of a given width for sums of times.
pub(super) trait Width: Value + Integer {}

impl<T: Value + Integer> Width for T {}

/// A task with times of such an integer type.
pub(super) struct Timed<T> {
    pub wcet: T,
    pub period: T,
    pub deadline: T,
}

impl<T: Width> Timed<T> {
    /// Converts the tasks; they and all computed values are at most `largest`. `None` if `T` may be too narrow.
    pub fn all(tasks: &[ScheduledTask], largest: &BigInt) -> Option<Vec<Self>> {
        T::from_big(largest)?;
        let timed = |task: &ScheduledTask| {
            let [wcet, period, deadline] = [task.wcet, task.period, task.deadline].map(T::from_big);
            Some(Timed { wcet: wcet?, period: period?, deadline: deadline? })
        };
        tasks.iter().map(timed).collect()
    }
}

/// Calls a generic function, which returns `None` if the integers may be too narrow, with the narrowest sufficient
/// width.
macro_rules! in_narrowest {
    ($function:ident($($argument:expr),*)) => {
        $function::<i64>($($argument),*)
            .or_else(|| $function::<i128>($($argument),*))
            .or_else(|| $function::<BigInt>($($argument),*))
            // Unreachable: big integers hold every number.
            .unwrap_or(Err(Undecided::Steps(0)))
    };
}
pub(super) use in_narrowest;
