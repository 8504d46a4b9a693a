//! The result of testing a design, and what every schedulable design must meet if it fails.

use super::effort::Undecided;
use super::task::Width;
use isx_taskset::formulate::TimedLock;
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
    pub fn in_mode(&self) -> (usize, &Self) {
        match self {
            Self::InMode { mode, failure } => (*mode, failure),
            failure => (0, failure),
        }
    }
}

/// The smallest area of a schedulable design within the capacity. If both fields are `None`, no such design exists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SmallestArea {
    /// The choice of every task of the smallest schedulable design found, in file order; `None` is software.
    pub best: Option<Vec<Option<u32>>>,
    /// The limit that ended the search, if one did: then a smaller one may exist.
    pub undecided: Option<Undecided>,
}

/// Whether a design is tested as it is, or with all WCETs a little longer or shorter, by however little.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Strict {
    /// A little shorter: a job that has just begun where another one is released is not preceded by it.
    Below,
    /// As it is: conditions may hold exactly.
    #[default]
    No,
    /// A little longer: every condition must hold with a unit of time to spare, and U < 1.
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

/// What others may wait for in a task: its part that cannot be interrupted, and its critical sections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Section {
    /// The task, as an index in file order.
    pub task: usize,
    /// The longest part, of a shorter job all of it; `None`: all of every job.
    pub part: Option<BigInt>,
    /// The resources on which others wait for it in every design.
    pub resources: Vec<u32>,
    /// The wait in every design, which the limit contains already.
    pub known: BigInt,
}

impl Section {
    /// What it adds to the wait known already, in a design in which the task has this WCET and these critical sections.
    pub fn beyond(&self, wcet: &BigInt, locks: &[TimedLock]) -> BigInt {
        let held = locks.iter().filter(|lock| self.resources.contains(&lock.resource));
        let held = held.map(|lock| &lock.longest).max().unwrap_or(&BigInt::ZERO);
        let part = self.part.as_ref().map_or(wcet, |part| part.min(wcet));
        (part.max(held) - &self.known).max(BigInt::ZERO)
    }
}
