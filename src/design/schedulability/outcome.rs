//! The result of testing a design, and what every schedulable design must meet if it fails.

use super::effort::Undecided;
use num_bigint::BigInt;

/// The result of testing a design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every deadline is met.
    Passes,
    /// U > 1.
    Overload,
    /// A deadline is missed.
    Fails(Failure),
    /// Undecided.
    Undecided(Undecided),
}

/// Where a design fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// EDF: the jobs released and due within `time` need more processor time than that.
    Demand {
        /// t.
        time: BigInt,
        /// The demand by t, which exceeds t.
        demand: BigInt,
    },
    /// Fixed priorities: a job misses its deadline when all tasks are released together.
    Response {
        /// The task, as an index in file order.
        task: usize,
        /// Its first late job, counted from 1.
        job: BigInt,
    },
}

/// The requirement sum_i `jobs`_i e_i <= `limit`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Requirement {
    pub jobs: Vec<BigInt>,
    pub limit: BigInt,
}
