//! Exact response times under preemptive fixed priorities.
//!
//! The tasks are numbered by priority, 1 the highest. The longest response of task i is among the jobs that it releases
//! while the processor is busy with tasks 1..i without a break, all of them released together at time 0 and then as
//! often as they may. Its job q = 1, 2, .. finishes at the least w > 0 with
//!
//! ```text
//! w = q e_i + sum_{j < i} ceil(w / P_j) e_j
//! ```
//!
//! which is sought from below: the right side, put in again for w, rises until it stays. It responds in
//! w - (q - 1) P_i. The busy period ends with the first job that finishes by the release of the next, w <= q P_i; it
//! does end where e_1 / P_1 + .. + e_i / P_i <= 1, by the least common multiple of these periods. Where D_i <= P_i the
//! first job decides: the second counts only if the first finishes after P_i, which is too late already.
//!
//! The search for job q starts at the finish of job q - 1 and e_i more; that for the first job of task i at the finish
//! of the first job of task i - 1 and e_i more. Neither can be later.
//!
//! Worked instance: (e, P, D) = (2, 4, 4), (3, 6, 6) by rising period. Task 2: 5 -> 3 + 2 * 2 = 7 -> 7. It responds in 7
//! and misses its deadline, although U = 1: under EDF both meet theirs. With e_2 = 2 it responds in 4.
//!
//! Sources: M. Joseph and P. Pandya, "Finding response times in a real-time system", The Computer Journal 29(5), 1986;
//! N. Audsley, A. Burns, M. Richardson, K. Tindell and A. Wellings, "Applying new scheduling theory to static priority
//! pre-emptive scheduling", Software Engineering Journal 8(5), 1993; J. Lehoczky, "Fixed priority scheduling of periodic
//! task sets with arbitrary deadlines", RTSS 1990, for deadlines beyond periods.

use super::design_test::{Failure, Outcome};
use super::effort::{Effort, Undecided, weight};
use super::task::{ScheduledTask, Timed, Width, in_narrowest, scheduled_tasks};
use super::utilization::Load;
use isx_taskset::formulate::{Formulation, Policy};
use num_bigint::BigInt;
use num_traits::Zero;

/// The longest response time of a task of a design.
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
    /// It grows from job to job without a bound.
    #[error("without a bound: the utilization down to this priority is above 1")]
    Unbounded,
    /// Not decided.
    #[error(transparent)]
    Undecided(Undecided),
}

/// The longest response time of every task of a design, in file order; `None` under EDF.
///
/// A late job is finished, not dropped, so a task that misses its deadline has a response time too. Each task may take
/// an equal part of the steps that the tasks of higher priority left, of the steps for one design.
///
/// # Panics
///
/// If `choices` is not one a task, or names a choice that is not there.
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

/// The longest response of the last task of `order`, down to which U <= 1.
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

/// A bound on every number of the tests below where U <= 1 and no job of interest is due after `horizon` and a deadline.
fn largest(tasks: &[ScheduledTask], horizon: &BigInt) -> BigInt {
    // At a time w up to the horizon and a deadline the right side is at most w + sum_j e_j and a job more.
    let extra = |task: &ScheduledTask| task.wcet + task.period + task.deadline;
    (horizon + tasks.iter().map(extra).sum::<BigInt>()) * 2u32
}

/// Decides whether fixed priorities meet every deadline of `tasks`, of which `order` has the numbers from the highest
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
        // A job after the first counts only where a deadline is longer than the period.
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

/// The task of highest priority that misses a deadline, counted from 0 by priority, and its first job that does.
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

/// A task among those of higher priority.
struct Level<'a, T> {
    task: &'a Timed<T>,
    higher: &'a [Timed<T>],
    /// The steps that the right side takes.
    cost: u64,
}

/// What the jobs of a task do while the processor is busy with it and those of higher priority.
struct BusyPeriod<T> {
    /// When the first job finishes.
    first_finish: T,
    /// The longest response.
    longest: T,
    /// The first job that misses its deadline, counted from 1, where that was to end the analysis.
    late: Option<u64>,
}

impl<T: Width> Level<'_, T> {
    /// Goes through the jobs of the busy period, up to the first late one if `until_late`. The first job of the task of
    /// the next higher priority finishes at `before`.
    fn busy_period(
        &self,
        before: &T,
        until_late: bool,
        effort: &mut Effort,
    ) -> Result<BusyPeriod<T>, Undecided> {
        let Timed { wcet, period, deadline } = self.task;
        let mut busy = BusyPeriod { first_finish: before.clone(), longest: <T as Zero>::zero(), late: None };
        // Of job q: (q - 1) P_i, q e_i and a time before which it does not finish.
        let (mut release, mut work, mut time) = (<T as Zero>::zero(), wcet.clone(), before.plus(wcet));
        // No effort reaches 2^64 jobs.
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
