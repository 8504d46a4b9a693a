//! One interface for all schedulers: a test of designs that is monotone in the WCETs.
//!
//! Lowering a WCET never makes a schedulable set unschedulable, under EDF or under fixed priorities (S. Baruah and A.
//! Burns, "Sustainable scheduling analysis", RTSS 2006). A failing design also yields one or several requirements, at
//! least one of which every schedulable design meets and, usually, the failing one does not:
//!
//! - EDF fails at a time t: every schedulable design has sum_i jobs_i(t) e_i <= t.
//! - Under fixed priorities job q of task i, due at d, is late: every schedulable design finishes it by some t <= d,
//!   and then q e_i + sum_{j higher} ceil(t / P_j) e_j <= t. Since t is unknown, each candidate t gives one of
//!   several requirements: see the module `late_job`.

use super::demand::{self, jobs_due};
use super::effort::Effort;
use super::late_job::requirements_of_late_job;
use super::outcome::{Failure, Outcome, Requirement};
use super::response;
use super::task::{ScheduledTask, scheduled_tasks};
use super::utilization::{Load, unconstrained};
use isx_taskset::formulate::{Formulation, Policy};
use num_bigint::BigInt;

/// Whether the scheduler of a formulation meets every deadline of a design, within the step limit for one design.
///
/// # Panics
///
/// If `choices` does not have one entry per task, or names a choice that does not exist.
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
    Analysis::new(formulation).test(&scheduled_tasks(formulation, choices), effort)
}

/// Whether U <= 1 alone decides, for all designs of a formulation: EDF with no deadline shorter than its period.
#[must_use]
pub fn decided_by_utilization(formulation: &Formulation) -> bool {
    let software = vec![None; formulation.tasks.len()];
    formulation.policy == Policy::Edf && unconstrained(&scheduled_tasks(formulation, &software))
}

/// The schedulability analysis of the designs of a formulation.
pub(super) struct Analysis<'a> {
    policy: &'a Policy,
    hyperperiod: &'a BigInt,
    /// h / P_i: the number of jobs of each task per hyperperiod.
    pub frequencies: Vec<BigInt>,
}

impl<'a> Analysis<'a> {
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

    /// Tests any tasks, with the priorities of the formulation; `load` is that of `tasks`.
    pub fn test_loaded(&self, tasks: &[ScheduledTask], load: &Load, effort: &mut Effort) -> Outcome {
        match self.policy {
            Policy::FixedPriority(order) => response::test_design(tasks, order, load, effort),
            Policy::Edf => demand::test_design(tasks, load, effort),
        }
    }

    /// Requirements derived from the failure of the design `tasks`: every schedulable design meets at least one.
    pub fn requirements(&self, tasks: &[ScheduledTask], failure: &Failure) -> Vec<Requirement> {
        match (failure, self.policy) {
            (Failure::Demand { time, .. }, _) => {
                let jobs = tasks.iter().map(|task| jobs_due(task.period, task.deadline, time)).collect();
                vec![Requirement { jobs, limit: time.clone() }]
            }
            (Failure::Response { task, job }, Policy::FixedPriority(order)) => {
                requirements_of_late_job(tasks, order, *task, job)
            }
            // Unreachable: EDF has no response-time analysis.
            (Failure::Response { .. }, Policy::Edf) => Vec::new(),
        }
    }
}
