//! Exact response times under preemptive fixed priorities.
//!
//! The tasks are numbered by priority, 1 being the highest. The longest response time of task i occurs in the busy
//! period of tasks 1..i that starts with the release of all of them at time 0, each then released at its maximum
//! rate. Its job q = 1, 2, .. finishes at the least w > 0 with
//!
//! ```text
//! w = q e_i + sum_{j < i} ceil(w / P_j) e_j
//! ```
//!
//! which is computed by fixed-point iteration from below. The response time is w - (q - 1) P_i. The busy period ends
//! with the first job that finishes by the release of the next, w <= q P_i; it ends if e_1 / P_1 + .. + e_i / P_i <=
//! 1, at the latest at the least common multiple of these periods. If D_i <= P_i the first job decides: the second
//! matters only if the first finishes after P_i, which is late already.
//!
//! The iteration for job q starts at the finish of job q - 1 plus e_i; that for the first job of task i at the finish
//! of the first job of task i - 1 plus e_i. Both are lower bounds.
//!
//! Worked instance: (e, P, D) = (2, 4, 4), (3, 6, 6), rate-monotonic. Task 2: 5 -> 3 + 2 * 2 = 7 -> 7. Its response
//! time is 7 and it misses its deadline, although U = 1: under EDF both tasks meet theirs. With e_2 = 2 its response
//! time is 4.
//! Sources: M. Joseph and P. Pandya, "Finding response times in a real-time system", The Computer Journal 29(5),
//! 1986; N. Audsley, A. Burns, M. Richardson, K. Tindell and A. Wellings, "Applying new scheduling theory to static
//! priority pre-emptive scheduling", Software Engineering Journal 8(5), 1993; J. Lehoczky, "Fixed priority scheduling
//! of periodic task sets with arbitrary deadlines", RTSS 1990, for deadlines beyond periods.
//! task sets with arbitrary deadlines", RTSS 1990, for deadlines beyond periods.

use super::effort::{Effort, Undecided, weight};
use super::outcome::{Failure, Outcome};
use super::task::{ScheduledTask, Timed, Width, in_narrowest, scheduled_tasks};
use super::utilization::Load;
use isx_taskset::formulate::{Formulation, Policy};
use num_bigint::BigInt;
use num_traits::Zero;

/// The longest response time of a task in a design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResponseTime {
    /// The task, in file order.
    pub task: usize,
    /// From release to finish, in [`Formulation::time_unit`]s.
    pub response: Result<BigInt, NoResponseTime>,
}

/// Why a task has no longest response time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoResponseTime {
    /// It grows without bound from job to job.
    #[error("without a bound: the utilization down to this priority is above 1")]
    Unbounded,
    /// Undecided.
    #[error(transparent)]
    Undecided(Undecided),
}

/// The longest response time of every task of a design, in file order; `None` under EDF.
///
/// A late job runs to completion, so a task that misses its deadline has a response time too. Within the steps for
/// one design, each task may take an equal share of those left by the higher-priority tasks.
///
/// # Panics
///
/// If `choices` does not have one entry per task, or names a choice that does not exist.
///
/// ```
/// use isx_design::schedulability::{Effort, Limits, response_times};
/// use isx_taskset::{Scheduler, Task, TaskSet};
/// let set = TaskSet::new("demo", [Task::new("fir", 2, 4), Task::new("iir", 3, 6)]).unwrap();
/// let set = set.with_scheduler(Scheduler::RateMonotonic).unwrap();
/// let formulation = isx_taskset::formulate::formulate(&set, None).unwrap();
/// let times = response_times(&formulation, &[None, None], &mut Effort::new(Limits::default())).unwrap();
/// let times: Vec<_> = times.into_iter().map(|time| time.response.unwrap()).collect();
/// assert_eq!(times, [2.into(), 7.into()]);
/// ```
#[must_use]
pub fn response_times(
    formulation: &Formulation,
    choices: &[Option<u32>],
    effort: &mut Effort,
) -> Option<Vec<ResponseTime>> {
    let Policy::FixedPriority(order) = &formulation.policy else { return None };
    let tasks = scheduled_tasks(formulation, choices);
    let h = &formulation.hyperperiod;
    let mut demand = BigInt::ZERO;
    let mut times = Vec::with_capacity(order.len());
    let share = effort.design_steps().min(effort.left());
    effort.share(share, |effort| {
        for (level, &at) in order.iter().enumerate() {
            let task = tasks[at as usize];
            demand += task.wcet * (h / task.period);
            let response = if demand > *h {
                Err(NoResponseTime::Unbounded)
            } else {
                let steps = effort.left() / (order.len() - level) as u64;
                let (tasks, order) = (&tasks, &order[..=level]);
                let longest = effort.share(steps, |share| longest_response(tasks, order, h, share));
                longest.map_err(|_| NoResponseTime::Undecided(Undecided::ResponseSteps(steps)))
            };
            times.push(ResponseTime { task: at as usize, response });
        }
    });
    times.sort_by_key(|time| time.task);
    Some(times)
}

/// The longest response time of the last task of `order`, which requires U <= 1 for the tasks of `order`.
fn longest_response(
    tasks: &[ScheduledTask],
    order: &[u32],
    hyperperiod: &BigInt,
    effort: &mut Effort,
) -> Result<BigInt, Undecided> {
    let tasks: Vec<ScheduledTask> = order.iter().map(|&at| tasks[at as usize]).collect();
    let largest = largest(&tasks, hyperperiod);
    effort.take(weight(largest.bits()) * tasks.len() as u64)?;
    in_narrowest!(longest(&tasks, &largest, effort))
}

fn longest<T: Width>(
    tasks: &[ScheduledTask],
    largest: &BigInt,
    effort: &mut Effort,
) -> Option<Result<BigInt, Undecided>> {
    let tasks = Timed::<T>::all(tasks, largest)?;
    let (task, higher) = tasks.split_last()?;
    let level = Level { task, higher, cost: weight(largest.bits()) * tasks.len() as u64 };
    let busy = level.busy_period(&<T as Zero>::zero(), false, effort);
    Some(busy.map(|busy| busy.longest.to_big()))
}

/// A bound on all numbers in the tests below if U <= 1 and no examined job is due after `horizon` plus a deadline.
fn largest(tasks: &[ScheduledTask], horizon: &BigInt) -> BigInt {
    // At a time w up to the horizon plus a deadline the right side is at most w + sum_j e_j plus one job.
    let extra = |task: &ScheduledTask| task.wcet + task.period + task.deadline;
    (horizon + tasks.iter().map(extra).sum::<BigInt>()) * 2u32
}

/// Decides whether fixed priorities meet every deadline of `tasks`, whose indices `order` lists from the highest
/// priority to the lowest; `load` is that of `tasks`.
pub(super) fn test_design(
    tasks: &[ScheduledTask],
    order: &[u32],
    load: &Load,
    effort: &mut Effort,
) -> Outcome {
    if load.is_overload() {
        return Outcome::Overload;
    }
    let test = |effort: &mut Effort| {
        // Jobs after the first matter only if a deadline is longer than the period.
        let constrained = tasks.iter().all(|task| task.deadline <= task.period);
        let horizon = if constrained { &BigInt::ZERO } else { &load.hyperperiod };
        let sorted: Vec<ScheduledTask> = order.iter().map(|&at| tasks[at as usize]).collect();
        let largest = largest(&sorted, horizon);
        effort.take(weight(largest.bits()) * tasks.len() as u64)?;
        in_narrowest!(first_late(&sorted, &largest, effort))
    };
    match effort.for_design(test) {
        Ok(None) => Outcome::Passes,
        Ok(Some((level, job))) => {
            Outcome::Fails(Failure::Response { task: order[level] as usize, job: job.into() })
        }
        Err(Undecided::DesignSteps(steps)) => Outcome::Undecided(Undecided::ResponseSteps(steps)),
        Err(undecided) => Outcome::Undecided(undecided),
    }
}

/// The highest-priority task that misses a deadline, as a 0-based priority rank, and its first late job.
type Late = Option<(usize, u64)>;

/// Runs the test in integers `T`; `None` if they may be too narrow.
fn first_late<T: Width>(
    tasks: &[ScheduledTask],
    largest: &BigInt,
    effort: &mut Effort,
) -> Option<Result<Late, Undecided>> {
    let tasks = Timed::<T>::all(tasks, largest)?;
    let mut first_finish = <T as Zero>::zero();
    for (at, task) in tasks.iter().enumerate() {
        let cost = weight(largest.bits()) * (at as u64 + 1);
        match (Level { task, higher: &tasks[..at], cost }).busy_period(&first_finish, true, effort) {
            Ok(BusyPeriod { late: Some(job), .. }) => return Some(Ok(Some((at, job)))),
            Ok(busy) => first_finish = busy.first_finish,
            Err(undecided) => return Some(Err(undecided)),
        }
    }
    Some(Ok(None))
}

/// A higher-priority task.
struct Level<'a, T> {
    task: &'a Timed<T>,
    higher: &'a [Timed<T>],
    /// The number of steps to evaluate the right side.
    cost: u64,
}

/// The response times of a task in its busy period.
struct BusyPeriod<T> {
    /// When the first job finishes.
    first_finish: T,
    /// The longest response.
    longest: T,
    /// The first late job, counted from 1, if the analysis was to stop there.
    late: Option<u64>,
}

impl<T: Width> Level<'_, T> {
    /// Iterates over the jobs of the busy period, up to the first late one if `until_late`. The first job of the task
    /// with the next higher priority finishes at `before`.
    fn busy_period(
        &self,
        before: &T,
        until_late: bool,
        effort: &mut Effort,
    ) -> Result<BusyPeriod<T>, Undecided> {
        let Timed { wcet, period, deadline } = self.task;
        let mut busy = BusyPeriod { first_finish: before.clone(), longest: <T as Zero>::zero(), late: None };
        // For job q: (q - 1) P_i, q e_i and a lower bound on its finishing time.
        let (mut release, mut work, mut time) = (<T as Zero>::zero(), wcet.clone(), before.plus(wcet));
        // No step limit allows 2^64 jobs.
        for job in 1u64.. {
            let due = release.plus(deadline);
            loop {
                if until_late && time > due {
                    busy.late = Some(job);
                    return Ok(busy);
                }
                effort.take(self.cost)?;
                let next = self.higher.iter().fold(work.clone(), |sum, higher| {
                    sum + time.div_ceil(&higher.period) * higher.wcet.clone()
                });
                if next <= time {
                    break;
                }
                time = next;
            }
            if job == 1 {
                busy.first_finish = time.clone();
            }
            busy.longest = busy.longest.max(time.minus(&release));
            release = release.plus(period);
            if time <= release {
                break;
            }
            (work, time) = (work.plus(wcet), time.plus(wcet));
        }
        Ok(busy)
    }
}
