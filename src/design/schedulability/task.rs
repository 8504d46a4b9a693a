//! A design as a scheduler sees it, and the integers in which its tests compute: the narrowest that hold all numbers.

use isx_problems::value::Value;
use isx_taskset::formulate::{Formulation, TimedTask};
use num_bigint::BigInt;
use num_integer::Integer;

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
    let task = |(task, &choice): (&'a TimedTask, &Option<u32>)| ScheduledTask {
        wcet: task.wcet_with(choice),
        period: &task.period,
        deadline: &task.deadline,
    };
    pairs.map(task).collect()
}

/// Integers of a width in which the times of a set are summed.
pub(super) trait Width: Value + Integer {}

impl<T: Value + Integer> Width for T {}

/// A task in such integers.
pub(super) struct Timed<T> {
    pub wcet: T,
    pub period: T,
    pub deadline: T,
}

impl<T: Width> Timed<T> {
    /// The tasks, whose numbers and all that is computed of them are at most `largest`; `None` if `T` may be too narrow.
    pub fn all(tasks: &[ScheduledTask], largest: &BigInt) -> Option<Vec<Self>> {
        T::from_big(largest)?;
        let timed = |task: &ScheduledTask| {
            let [wcet, period, deadline] = [task.wcet, task.period, task.deadline].map(T::from_big);
            Some(Timed { wcet: wcet?, period: period?, deadline: deadline? })
        };
        tasks.iter().map(timed).collect()
    }
}

/// Calls a function of one width, which says `None` where its numbers may be too wide, in the narrowest that will do.
macro_rules! in_narrowest {
    ($function:ident($($argument:expr),*)) => {
        $function::<i64>($($argument),*)
            .or_else(|| $function::<i128>($($argument),*))
            .or_else(|| $function::<BigInt>($($argument),*))
            // Not reached: big integers hold every number.
            .unwrap_or(Err(Undecided::Steps(0)))
    };
}
pub(super) use in_narrowest;
