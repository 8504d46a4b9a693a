//! One interface for all schedulers: a test of designs that is monotone in the WCETs.
//!
//! Lowering a WCET never makes a schedulable set unschedulable, under EDF as under fixed priorities (S. Baruah and
//! A. Burns, "Sustainable scheduling analysis", RTSS 2006). A design that fails tells more: a requirement, or
//! several, at least one of which every schedulable design meets and, as a rule, this one does not.
//!
//! - EDF fails at a time t: every schedulable design has sum_i jobs_i(t) e_i <= t.
//! - Under fixed priorities job q of task i, due at d, is late: every schedulable design finishes it by some t <= d, and
//!   then q e_i + sum_{j higher} ceil(t / P_j) e_j <= t. Which t, nobody knows, so it is one of several requirements: see
//!   the module `late_job`.

use super::demand::{self, jobs_due};
use super::effort::{Effort, Undecided};
use super::late_job::requirements_of_late_job;
use super::response;
use super::task::{ScheduledTask, scheduled_tasks};
use super::utilization::{Load, unconstrained};
use isx_taskset::formulate::{Formulation, Policy};
use num_bigint::BigInt;

/// What the test of a design says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every deadline is met.
    Passes,
    /// U > 1.
    Overload,
    /// A deadline is missed.
    Fails(Failure),
    /// Not decided.
    Undecided(Undecided),
}

/// Where a design fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// EDF: the jobs released and due within `time` need more than that.
    Demand {
        /// t.
        time: BigInt,
        /// The demand by t, which is above t.
        demand: BigInt,
    },
    /// Fixed priorities: a job misses its deadline when all tasks are released together.
    Response {
        /// The task, in file order.
        task: usize,
        /// Which of its jobs is the first to do so, counted from 1.
        job: BigInt,
    },
}

/// Whether the scheduler of a formulation meets every deadline of a design, in no more steps than are allowed for one
/// design.
///
/// # Panics
///
/// If `choices` is not one a task, or names a choice that is not there.
///
/// ```
/// use isx_design::schedulability::{Effort, Failure, Limits, Outcome, schedulable};
/// use isx_taskset::{Scheduler, Task, TaskSet};
/// let set = TaskSet::new("demo", [Task::new("fir", 2, 4), Task::new("iir", 3, 6)]).unwrap();
/// let test = |set: &TaskSet| {
///     let formulation = isx_taskset::formulate::formulate(set, None).unwrap();
///     schedulable(&formulation, &[None, None], &mut Effort::new(Limits::default()))
/// };
/// assert_eq!(test(&set), Outcome::Passes);
/// let set = set.with_scheduler(Scheduler::RateMonotonic).unwrap();
/// assert_eq!(test(&set), Outcome::Fails(Failure::Response { task: 1, job: 1.into() }));
/// ```
#[must_use]
pub fn schedulable(formulation: &Formulation, choices: &[Option<u32>], effort: &mut Effort) -> Outcome {
    DesignTest::new(formulation).test(&scheduled_tasks(formulation, choices), effort)
}

/// Whether U <= 1 alone decides, for all designs of a formulation: EDF with no deadline shorter than its period.
#[must_use]
pub fn decided_by_utilization(formulation: &Formulation) -> bool {
    let software = vec![None; formulation.tasks.len()];
    formulation.policy == Policy::Edf && unconstrained(&scheduled_tasks(formulation, &software))
}

/// sum_i `jobs`_i e_i <= `limit`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Requirement {
    pub jobs: Vec<BigInt>,
    pub limit: BigInt,
}

/// The test of the designs of a formulation.
pub(super) struct DesignTest<'a> {
    policy: &'a Policy,
    hyperperiod: &'a BigInt,
    /// h / P_i: how often each task runs in a hyperperiod.
    pub frequencies: Vec<BigInt>,
}

impl<'a> DesignTest<'a> {
    pub fn new(formulation: &'a Formulation) -> Self {
        let hyperperiod = &formulation.hyperperiod;
        let frequencies = formulation.tasks.iter().map(|task| hyperperiod / &task.period).collect();
        Self { policy: &formulation.policy, hyperperiod, frequencies }
    }

    /// The load of a design of the formulation.
    pub fn load(&self, tasks: &[ScheduledTask]) -> Load {
        let demand = tasks.iter().zip(&self.frequencies).map(|(task, frequency)| task.wcet * frequency);
        Load { hyperperiod: self.hyperperiod.clone(), demand: demand.sum() }
    }

    /// Tests a design of the formulation.
    pub fn test(&self, tasks: &[ScheduledTask], effort: &mut Effort) -> Outcome {
        self.test_loaded(tasks, &self.load(tasks), effort)
    }

    /// Tests any tasks with the priorities of the formulation's; `load` is that of `tasks`.
    pub fn test_loaded(&self, tasks: &[ScheduledTask], load: &Load, effort: &mut Effort) -> Outcome {
        match self.policy {
            Policy::FixedPriority(order) => response::test_design(tasks, order, load, effort),
            Policy::Edf => demand::test_design(tasks, load, effort),
        }
    }

    /// What every schedulable design meets, at least one of it, as the failure of the design `tasks` shows.
    pub fn requirements(&self, tasks: &[ScheduledTask], failure: &Failure) -> Vec<Requirement> {
        match (failure, self.policy) {
            (Failure::Demand { time, .. }, _) => {
                let jobs = tasks.iter().map(|task| jobs_due(task.period, task.deadline, time)).collect();
                vec![Requirement { jobs, limit: time.clone() }]
            }
            (Failure::Response { task, job }, Policy::FixedPriority(order)) => {
                requirements_of_late_job(tasks, order, *task, job)
            }
            // Not reached: EDF knows no response times.
            (Failure::Response { .. }, Policy::Edf) => Vec::new(),
        }
    }
}
