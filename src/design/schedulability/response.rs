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
//!
//! Release jitter, blocking, and parts that cannot be interrupted: a job of task i waits for at most one of B_i and the
//! longest part N_j of the tasks of lower priority,
//!
//! ```text
//! w = q e_i + b_i + sum_{j < i} ceil((w + J_j) / P_j) e_j,     b_i = max(B_i, N_j for j > i)
//! ```
//!
//! counted from the release of the first job, which arrived at -J_i. So job q is late if w > (q - 1) P_i + D_i - J_i, its
//! response time is w - (q - 1) P_i + J_i, and the busy period ends with it if w <= q P_i - J_i. This is exact: the part
//! of a lower task begins just before time 0, where all higher tasks release the first of their jobs, delayed by J_j, and
//! later ones as they arrive. The task's own part does not shorten its response time, since parts may lie anywhere, be
//! shorter or be absent: of all these cases w is the longest. (For a task that is never interrupted once it has begun, this is safe, not
//! exact.)
//!
//! At level utilization 1 such a busy period need not end. But with h a common multiple of the periods, w(q + h / P_i) <=
//! w(q) + h, since h more time brings at most h more work: no job after the first h / P_i has a longer response time,
//! and none is late unless one of these is.
//!
//! Sources: M. Joseph and P. Pandya, "Finding response times in a real-time system", The Computer Journal 29(5),
//! 1986; N. Audsley, A. Burns, M. Richardson, K. Tindell and A. Wellings, "Applying new scheduling theory to static
//! priority pre-emptive scheduling", Software Engineering Journal 8(5), 1993; J. Lehoczky, "Fixed priority scheduling
//! of periodic task sets with arbitrary deadlines", RTSS 1990, for deadlines beyond periods; K. Tindell, A. Burns and A.
//! Wellings, "An extendible approach for analyzing fixed priority hard real-time tasks", Real-Time Systems 6, 1994, for
//! jitter and blocking together with them.

use super::effort::{Effort, Undecided, weight};
use super::outcome::{Failure, Outcome, Strict};
use super::task::{ScheduledTask, Timed, Width, are_delayed, in_narrowest, scheduled_tasks};
use super::utilization::Load;
use isx_exact::order;
use isx_taskset::formulate::{Formulation, Policy};
use num_bigint::BigInt;
use num_traits::Zero;

/// The longest response time of a task in a design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResponseTime {
    /// The task, in file order.
    pub task: usize,
    /// From arrival to finish, in [`Formulation::time_unit`]s.
    pub response: Result<BigInt, NoResponseTime>,
}

/// Why a task has no longest response time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what is wrong and with what")]
pub enum NoResponseTime {
    #[error("without a bound: the utilization down to this priority is above 1")]
    Unbounded,
    #[error(transparent)]
    Undecided(Undecided),
}

/// The longest response time of every task of a design, in file order; `None` under EDF, and for a set with
/// several modes, of which each has its own.
///
/// A late job runs to completion, so a task that misses its deadline has a response time too. Within the steps for
/// one design, each task may take an equal share of those left by the higher-priority tasks. Panics if `choices` does
/// not have one entry per task, or names a choice that does not exist.
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
pub fn response_times(
    formulation: &Formulation,
    choices: &[Option<u32>],
    effort: &mut Effort,
) -> Option<Vec<ResponseTime>> {
    let Policy::FixedPriority(order) = &formulation.policy else { return None };
    if !formulation.modes.is_empty() {
        return None;
    }
    let tasks = scheduled_tasks(formulation, choices);
    let waits = waits(&tasks, order);
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
                let (tasks, order, wait) = (&tasks, &order[..=level], &waits[level]);
                let longest = effort.share(steps, |share| longest_response(tasks, order, wait, h, share));
                longest.map_err(|_| NoResponseTime::Undecided(Undecided::ResponseSteps(steps)))
            };
            times.push(ResponseTime { task: at as usize, response });
        }
    });
    order::sort_by(&mut times, |a, b| a.task.cmp(&b.task));
    Some(times)
}

/// The jitter of each task and the longest time that its jobs wait for others, in file order; empty under EDF, and if no task has jitter or waits.
pub fn delays(formulation: &Formulation, choices: &[Option<u32>]) -> Vec<[BigInt; 2]> {
    let tasks = scheduled_tasks(formulation, choices);
    let Policy::FixedPriority(order) = &formulation.policy else { return Vec::new() };
    if !formulation.modes.is_empty() || tasks.iter().all(|task| task.kernel.is_none()) {
        return Vec::new();
    }
    let mut delays = vec![[BigInt::ZERO, BigInt::ZERO]; tasks.len()];
    for (&at, wait) in order.iter().zip(waits(&tasks, order)) {
        let jitter = tasks[at as usize].jitter().cloned().unwrap_or_default();
        delays[at as usize] = [jitter, wait];
    }
    delays
}

/// b_i of each task, in order of priority.
pub(super) fn waits(tasks: &[ScheduledTask], order: &[u32]) -> Vec<BigInt> {
    let mut longest = BigInt::ZERO;
    let mut waits = Vec::with_capacity(order.len());
    for &at in order.iter().rev() {
        let task = &tasks[at as usize];
        waits.push(task.kernel.map_or(&longest, |kernel| (&kernel.blocking).max(&longest)).clone());
        if let Some(section) = task.section().filter(|section| **section > longest) {
            longest.clone_from(section);
        }
    }
    waits.reverse();
    waits
}

/// The longest response time of the last task of `order`, which requires U <= 1 for the tasks of `order`.
fn longest_response(
    tasks: &[ScheduledTask],
    order: &[u32],
    wait: &BigInt,
    hyperperiod: &BigInt,
    effort: &mut Effort,
) -> Result<BigInt, Undecided> {
    let tasks: Vec<ScheduledTask> = order.iter().map(|&at| tasks[at as usize]).collect();
    let mut largest = largest(&tasks, hyperperiod, wait);
    // A first job needs w <= k h if what delays it fits the time that the higher tasks leave in h, at least that of task i.
    let delays =
        tasks.iter().filter_map(|task| task.jitter().map(|jitter| (jitter / task.period + 1u32) * task.wcet));
    let delays = delays.sum::<BigInt>() + wait;
    if let Some(own) = tasks.last().filter(|own| delays > BigInt::ZERO && *own.wcet > BigInt::ZERO) {
        largest += hyperperiod * (delays * own.period / (own.wcet * hyperperiod) + 2u32);
    }
    effort.take(weight(largest.bits()) * tasks.len() as u64)?;
    in_narrowest!(longest(&tasks, wait, hyperperiod, &largest, effort))
}

fn longest<T: Width>(
    tasks: &[ScheduledTask],
    wait: &BigInt,
    hyperperiod: &BigInt,
    largest: &BigInt,
    effort: &mut Effort,
) -> Option<Result<BigInt, Undecided>> {
    let tasks = Timed::<T>::all(tasks, largest)?;
    let (task, higher) = tasks.split_last()?;
    let cost = weight(largest.bits()) * tasks.len() as u64;
    let level = Level { task, higher, wait: &T::from_big(wait)?, horizon: &T::from_big(hyperperiod)?, cost };
    let busy = level.busy_period(&<T as Zero>::zero(), false, effort);
    Some(busy.map(|busy| busy.longest.to_big()))
}

/// A bound on all numbers in the tests below if U <= 1 and no examined job is due after `horizon` plus a deadline.
fn largest(tasks: &[ScheduledTask], horizon: &BigInt, wait: &BigInt) -> BigInt {
    // At a time w up to the horizon plus a deadline the right side is at most w + sum_j (e_j + J_j) plus one job and its
    // wait.
    let extra = |task: &ScheduledTask| {
        let sum = task.wcet + task.period + task.deadline;
        task.jitter().map_or(sum.clone(), |jitter| sum + jitter)
    };
    (horizon + wait + tasks.iter().map(extra).sum::<BigInt>()) * 2u32
}

/// Decides whether fixed priorities meet every deadline of `tasks`, whose indices `order` lists from the highest
/// priority to the lowest; `load` is that of `tasks`.
pub(super) fn test_design(
    tasks: &[ScheduledTask],
    order: &[u32],
    load: &Load,
    strict: Strict,
    effort: &mut Effort,
) -> Outcome {
    if load.is_overload() || (strict == Strict::Yes && load.is_full()) {
        return Outcome::Overload;
    }
    let test = |effort: &mut Effort| {
        // Jobs after the first matter only if a deadline is longer than the period.
        let is_constrained = |task: &ScheduledTask| {
            task.jitter()
                .map_or(task.deadline <= task.period, |jitter| task.deadline + jitter <= *task.period)
        };
        let horizon = if tasks.iter().all(is_constrained) { &BigInt::ZERO } else { &load.hyperperiod };
        let sorted: Vec<ScheduledTask> = order.iter().map(|&at| tasks[at as usize]).collect();
        let mut waits = if are_delayed(tasks) { waits(tasks, order) } else { Vec::new() };
        if strict == Strict::Yes {
            waits.resize(order.len(), BigInt::ZERO);
            waits.iter_mut().for_each(|wait| *wait += 1u32);
        }
        let largest = largest(&sorted, horizon, waits.iter().max().unwrap_or(&BigInt::ZERO));
        effort.take(weight(largest.bits()) * tasks.len() as u64)?;
        in_narrowest!(first_late(&sorted, &waits, horizon, &largest, effort))
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
    waits: &[BigInt],
    horizon: &BigInt,
    largest: &BigInt,
    effort: &mut Effort,
) -> Option<Result<Late, Undecided>> {
    let tasks = Timed::<T>::all(tasks, largest)?;
    let waits = waits.iter().map(T::from_big).collect::<Option<Vec<T>>>()?;
    let (horizon, none) = (T::from_big(horizon)?, <T as Zero>::zero());
    let mut first_finish = <T as Zero>::zero();
    for (at, task) in tasks.iter().enumerate() {
        let cost = weight(largest.bits()) * (at as u64 + 1);
        let wait = waits.get(at).unwrap_or(&none);
        let level = Level { task, higher: &tasks[..at], wait, horizon: &horizon, cost };
        // The wait of the task before may have been longer.
        let before =
            if at > 0 && waits.get(at - 1) > waits.get(at) { level.at_least() } else { first_finish };
        match level.busy_period(&before, true, effort) {
            Ok(BusyPeriod { late: Some(job), .. }) => return Some(Ok(Some((at, job)))),
            Ok(busy) => first_finish = busy.first_finish,
            Err(undecided) => return Some(Err(undecided)),
        }
    }
    Some(Ok(None))
}

/// A task with those of higher priority.
struct Level<'a, T> {
    task: &'a Timed<T>,
    higher: &'a [Timed<T>],
    /// b_i.
    wait: &'a T,
    /// No job released at it or later is examined.
    horizon: &'a T,
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
    /// A lower bound on the finish of the first job, less its own WCET.
    fn at_least(&self) -> T {
        self.higher.iter().fold(self.wait.clone(), |sum, higher| sum.plus(&higher.wcet))
    }

    /// Iterates over the jobs of the busy period, up to the first late one if `until_late`. The first job of the task
    /// with the next higher priority finishes at `before`.
    fn busy_period(
        &self,
        before: &T,
        until_late: bool,
        effort: &mut Effort,
    ) -> Result<BusyPeriod<T>, Undecided> {
        let Timed { wcet, period, deadline, jitter, .. } = self.task;
        let mut busy = BusyPeriod { first_finish: before.clone(), longest: <T as Zero>::zero(), late: None };
        // For job q: (q - 1) P_i, q e_i and a lower bound on its finishing time.
        let (mut release, mut work) = (<T as Zero>::zero(), self.wait.plus(wcet));
        let mut time = before.plus(wcet);
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
                    let jobs = match higher.jitter.is_zero() {
                        true => time.div_ceil(&higher.period),
                        false => time.plus(&higher.jitter).div_ceil(&higher.period),
                    };
                    sum + jobs * higher.wcet.clone()
                });
                if next <= time {
                    break;
                }
                time = next;
            }
            if job == 1 {
                busy.first_finish = time.clone();
            }
            busy.longest = busy.longest.max(time.minus(&release).plus(jitter));
            release = release.plus(period);
            if time.plus(jitter) <= release || release >= *self.horizon {
                break;
            }
            (work, time) = (work.plus(wcet), time.plus(wcet));
        }
        Ok(busy)
    }
}
