//! The utilization test, exactly.
//!
//! EDF meets every deadline of a set with D_i >= P_i for all i if, and only if, U = sum_i e_i / P_i <= 1; for
//! arbitrary deadlines U <= 1 is necessary. Over a common multiple h of the periods U is (sum_i e_i (h / P_i)) / h,
//! so the test compares two integers. Worked instance: (e, P) = (1, 3), (2, 3) has h = 3 and demand 3: U = 1 exactly,
//! where a sum of rounded quotients could go either way.
//!
//! Source: C. L. Liu and J. W. Layland, "Scheduling algorithms for multiprogramming in a hard-real-time
//! environment", Journal of the ACM 20(1), 1973, for D_i = P_i; a longer deadline only relaxes a job, so the rule
//! holds for D_i >= P_i.

use super::task::{ScheduledTask, are_delayed};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::One;

/// The demand of a task set over a common multiple of its periods.
pub(super) struct Load {
    /// h, the least common multiple of the periods.
    pub hyperperiod: BigInt,
    /// sum_i e_i (h / P_i): U times h.
    pub demand: BigInt,
}

impl Load {
    /// The load of `tasks`; an empty set has h = 1 and demand 0.
    pub fn of(tasks: &[ScheduledTask]) -> Self {
        let hyperperiod = tasks.iter().fold(BigInt::one(), |lcm, task| lcm.lcm(task.period));
        let demand = tasks.iter().map(|task| task.wcet * (&hyperperiod / task.period)).sum();
        Self { hyperperiod, demand }
    }

    /// Whether U > 1: no scheduler can meet the deadlines.
    pub fn is_overload(&self) -> bool {
        self.demand > self.hyperperiod
    }

    /// Whether U = 1.
    pub fn is_full(&self) -> bool {
        self.demand == self.hyperperiod
    }
}

/// Whether every deadline, less the jitter, is at least the period, and no job waits, so that U <= 1 alone decides.
pub(super) fn unconstrained(tasks: &[ScheduledTask]) -> bool {
    tasks.iter().all(|task| task.deadline >= task.period) && !are_delayed(tasks)
}
