//! The result of testing a design, and what every schedulable design must meet if it fails.

use super::effort::Undecided;
use super::task::Width;
use num_bigint::BigInt;
use num_traits::Zero;

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
    /// In a set with several modes: where it fails in one of them.
    InMode {
        /// The number of the mode.
        mode: usize,
        /// Where it fails in it.
        failure: Box<Self>,
    },
}

impl Failure {
    /// The mode in which it fails, 0 in a set with one, and where it fails in it.
    #[must_use]
    pub fn in_mode(&self) -> (usize, &Self) {
        match self {
            Self::InMode { mode, failure } => (*mode, failure),
            failure => (0, failure),
        }
    }
}

/// Whether a design passes only if it would also pass with all WCETs a little longer: every condition then holds with one
/// unit of time to spare, and U < 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Strict {
    /// Conditions may hold exactly.
    #[default]
    No,
    /// They hold with a unit to spare.
    Yes,
}

impl Strict {
    /// The time to spare.
    pub fn unit(self) -> u32 {
        u32::from(self == Self::Yes)
    }

    pub fn in_width<T: Width>(self) -> T {
        if self == Self::Yes { T::one() } else { <T as Zero>::zero() }
    }
}

/// The requirement sum_i `jobs`_i e_i <= `limit`; with a `section`, what that part adds to the wait counts on the left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Requirement {
    pub jobs: Vec<BigInt>,
    pub limit: BigInt,
    pub section: Option<Section>,
}

/// The part of a task that cannot be interrupted, for which others wait: as long as the task's WCET, at most `longest`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Section {
    /// The task, as an index in file order.
    pub task: usize,
    pub longest: BigInt,
    /// The wait in every design, which the limit contains already.
    pub known: BigInt,
}

impl Section {
    /// What it adds to the wait known already, in a design in which the task has this WCET.
    pub fn beyond(&self, wcet: &BigInt) -> BigInt {
        ((&self.longest).min(wcet) - &self.known).max(BigInt::ZERO)
    }
}
