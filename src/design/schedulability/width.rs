//! The integers in which a test of one design computes: the narrowest that hold all of its numbers.

use super::task::ScheduledTask;
use isx_problems::value::Value;
use num_bigint::BigInt;
use num_integer::Integer;

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
    pub fn all<'a>(
        tasks: impl Iterator<Item = &'a ScheduledTask<'a>>,
        largest: &BigInt,
    ) -> Option<Vec<Self>> {
        T::from_big(largest)?;
        let timed = |task: &ScheduledTask| {
            let [wcet, period, deadline] = [task.wcet, task.period, task.deadline].map(T::from_big);
            Some(Timed { wcet: wcet?, period: period?, deadline: deadline? })
        };
        tasks.map(timed).collect()
    }
}
