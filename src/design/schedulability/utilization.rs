//! The utilization test, exactly.
//!
//! EDF meets every deadline of a set with D_i >= P_i for all i if, and only if, U = sum_i e_i / P_i <= 1; for any
//! deadlines U <= 1 is necessary. Over a common multiple h of the periods U is (sum_i e_i (h / P_i)) / h, so the
//! test compares two integers. Worked instance: (e, P) = (1, 3), (2, 3) has h = 3 and demand 3: U = 1 exactly,
//! where the sum of the rounded quotients is anybody's guess.
//!
//! Source: C. L. Liu and J. W. Layland, "Scheduling algorithms for multiprogramming in a hard-real-time
//! environment", Journal of the ACM 20(1), 1973, for D_i = P_i; a longer deadline only relaxes a job, so the rule
//! holds for D_i >= P_i.

use super::task::ScheduledTask;
use isx_exact::quantity::Rational;
use isx_taskset::formulate::Formulation;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::One;
use std::cmp::Ordering;

/// The demand of a task set over a common multiple of its periods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    /// h, the least common multiple of the periods.
    pub hyperperiod: BigInt,
    /// sum_i e_i (h / P_i): U times h.
    pub demand: BigInt,
}

impl Load {
    /// The load of `tasks`; an empty set has h = 1 and demand 0.
    ///
    /// ```
    /// use isx_design::schedulability::{ScheduledTask, Load};
    /// use num_bigint::BigInt;
    /// let [one, two, three] = [1, 2, 3].map(BigInt::from);
    /// let task = |wcet| ScheduledTask { wcet, period: &three, deadline: &three };
    /// assert!(Load::of(&[task(&one), task(&two)]).is_full());
    /// assert!(Load::of(&[task(&two), task(&two)]).is_overload());
    /// ```
    #[must_use]
    pub fn of(tasks: &[ScheduledTask]) -> Self {
        let hyperperiod = tasks.iter().fold(BigInt::one(), |lcm, task| lcm.lcm(task.period));
        let demand = tasks.iter().map(|task| task.wcet * (&hyperperiod / task.period)).sum();
        Self { hyperperiod, demand }
    }

    /// U.
    #[must_use]
    pub fn utilization(&self) -> Rational {
        Rational::new(self.demand.clone(), self.hyperperiod.clone())
    }

    /// Whether U > 1: no scheduler meets the deadlines.
    #[must_use]
    pub fn is_overload(&self) -> bool {
        self.demand.cmp(&self.hyperperiod) == Ordering::Greater
    }

    /// Whether U = 1.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.demand == self.hyperperiod
    }
}

/// How often each task of a formulation runs in a hyperperiod, so that the loads of its designs are quick to sum.
pub(super) struct Frequencies<'a> {
    /// h, the least common multiple of the periods.
    pub hyperperiod: &'a BigInt,
    /// h / P_i.
    pub of_tasks: Vec<BigInt>,
}

impl<'a> Frequencies<'a> {
    pub(super) fn new(formulation: &'a Formulation) -> Self {
        let hyperperiod = &formulation.hyperperiod;
        Self {
            hyperperiod,
            of_tasks: formulation.tasks.iter().map(|task| hyperperiod / &task.period).collect(),
        }
    }

    /// The load of a design.
    pub(super) fn load(&self, tasks: &[ScheduledTask]) -> Load {
        let demand = tasks.iter().zip(&self.of_tasks).map(|(task, frequency)| task.wcet * frequency).sum();
        Load { hyperperiod: self.hyperperiod.clone(), demand }
    }
}

/// Whether every deadline is at least the period, so that U <= 1 alone decides.
#[must_use]
pub fn unconstrained(tasks: &[ScheduledTask]) -> bool {
    tasks.iter().all(|task| task.deadline >= task.period)
}
