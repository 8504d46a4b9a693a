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
//! Tasks of equal priority may run in any order, so each of them counts as higher for the others: "higher" means of higher or
//! equal priority here, and "lower" strictly lower.
//!
//! Release jitter, blocking, locks, and parts that cannot be interrupted: a job of task i waits once, for the longest of what the
//! module `waits` lists,
//!
//! ```text
//! w = q e_i + b_i + sum_{j higher} ceil((w + J_j) / P_j) e_j
//! ```
//!
//! counted from the release of the first job, which arrived at -J_i. So job q is late if w > (q - 1) P_i + D_i - J_i, its
//! response time is w - (q - 1) P_i + J_i, and the busy period ends with it if w <= q P_i - J_i. This is exact: the part
//! of a lower task begins just before time 0, where all higher tasks release the first of their jobs, delayed by J_j, and
//! later ones as they arrive. The task's own part does not shorten its response time, since parts may lie anywhere, be
//! shorter or be absent: of all these cases w is the longest.
//!
//! A task that nothing interrupts once it has begun: its job q begins at the least
//!
//! ```text
//! s = (q - 1) e_i + b_i + sum_{j higher} n_j e_j
//! n_j = ceil((s + J_j) / P_j)       if b_i > 0: what it waits for began just before time 0
//! n_j = floor((s + J_j) / P_j) + 1  if b_i = 0: what is released as it would begin goes first
//! ```
//!
//! and ends at s + e_i, later than w only if w counts nothing that is released meanwhile. Every job of the busy period is
//! examined, also with D_i <= P_i: while job q runs, higher tasks release jobs that delay job q + 1. As all times are whole
//! numbers, floor(x / P) + 1 is ceil((x + 1) / P): without a wait the job begins one unit before the least s with b_i = 1.
//!
//! At level utilization 1 such a busy period need not end. But with h a common multiple of the periods, w(q + h / P_i) <=
//! w(q) + h, since h more time brings at most h more work: no job after the first h / P_i has a longer response time,
//! and none is late unless one of these is. The same holds for s.
//!
//! Worked instance: (e, P) = (2, 9), (3, 11), (5, 20), rate-monotonic, D = P, nothing interrupts any of them. The second waits
//! for the third: s = 5 + 2 = 7, and it ends at 10, where w = 5 + 3 + 2 * 2 = 12 counts the job that the first releases at 9. The
//! third waits for nothing: with b = 1, s = 1 + 2 + 3 = 6, so it begins at 5 and ends at 10.
//!
//! Sources: M. Joseph and P. Pandya, "Finding response times in a real-time system", The Computer Journal 29(5),
//! 1986; N. Audsley, A. Burns, M. Richardson, K. Tindell and A. Wellings, "Applying new scheduling theory to static
//! priority pre-emptive scheduling", Software Engineering Journal 8(5), 1993; J. Lehoczky, "Fixed priority scheduling
//! of periodic task sets with arbitrary deadlines", RTSS 1990, for deadlines beyond periods; K. Tindell, A. Burns and A.
//! Wellings, "An extendible approach for analyzing fixed priority hard real-time tasks", Real-Time Systems 6, 1994, for
//! jitter and blocking together with them; L. George, N. Rivierre and M. Spuri, "Preemptive and non-preemptive real-time
//! uniprocessor scheduling", INRIA report 2966, 1996, and R. Davis, A. Burns, R. Bril and J. Lukkien, "Controller Area Network
//! (CAN) schedulability analysis: refuted, revisited and revised", Real-Time Systems 35, 2007, for tasks that nothing interrupts.

use super::effort::{Effort, Undecided, weight};
use super::outcome::{Failure, Outcome, Strict};
use super::task::{ScheduledTask, Timed, Width, are_delayed, in_narrowest, scheduled_tasks};
use super::utilization::Load;
use super::waits::waits;
use isx_exact::order;
use isx_taskset::PriorityOrder;
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
    let tasks = tasks.tasks();
    let waits = waits(&tasks, order);
    let h = &formulation.hyperperiod;
    let sorted: Vec<ScheduledTask> = order.levels().map(|(at, _)| tasks[at]).collect();
    let mut times = Vec::with_capacity(sorted.len());
    let share = effort.design_steps().min(effort.left());
    effort.share(share, |effort| {
        for (level, (at, reach)) in order.levels().enumerate() {
            let demand: BigInt = sorted[..reach].iter().map(|task| task.wcet * (h / task.period)).sum();
            let response = if demand > *h {
                Err(NoResponseTime::Unbounded)
            } else {
                let steps = effort.left() / (sorted.len() - level) as u64;
                let (tasks, wait) = (&sorted[..reach], &waits[level]);
                let longest = effort.share(steps, |share| longest_response(tasks, level, wait, h, share));
                longest.map_err(|_| NoResponseTime::Undecided(Undecided::ResponseSteps(steps)))
            };
            times.push(ResponseTime { task: at, response });
        }
    });
    order::sort_by(&mut times, |a, b| a.task.cmp(&b.task));
    Some(times)
}

/// The jitter of each task and the longest time that its jobs wait for others, in file order; empty under EDF, and if no task has jitter or waits.
pub fn delays(formulation: &Formulation, choices: &[Option<u32>]) -> Vec<[BigInt; 2]> {
    let tasks = scheduled_tasks(formulation, choices);
    let tasks = tasks.tasks();
    let Policy::FixedPriority(order) = &formulation.policy else { return Vec::new() };
    let is_plain = |task: &ScheduledTask| task.kernel.is_none() && task.locks.is_empty();
    if !formulation.modes.is_empty() || tasks.iter().all(is_plain) {
        return Vec::new();
    }
    let mut delays = vec![[BigInt::ZERO, BigInt::ZERO]; tasks.len()];
    for ((at, _), wait) in order.levels().zip(waits(&tasks, order)) {
        let jitter = tasks[at].jitter().cloned().unwrap_or_default();
        delays[at] = [jitter, wait];
    }
    delays
}

/// The longest response time of task `own` of `tasks`, which are the others of higher or equal priority; requires U <= 1 for
/// all of them.
fn longest_response(
    tasks: &[ScheduledTask],
    own: usize,
    wait: &BigInt,
    hyperperiod: &BigInt,
    effort: &mut Effort,
) -> Result<BigInt, Undecided> {
    let mut largest = largest(tasks, hyperperiod, wait);
    // A first job needs w <= k h if what delays it fits the time that the higher tasks leave in h, at least that of task i.
    let delays =
        tasks.iter().filter_map(|task| task.jitter().map(|jitter| (jitter / task.period + 1u32) * task.wcet));
    let delays = delays.sum::<BigInt>() + wait;
    let task = &tasks[own];
    if delays > BigInt::ZERO && *task.wcet > BigInt::ZERO {
        largest += hyperperiod * (delays * task.period / (task.wcet * hyperperiod) + 2u32);
    }
    effort.take(weight(largest.bits()) * tasks.len() as u64)?;
    in_narrowest!(longest(tasks, own, wait, hyperperiod, &largest, effort))
}

fn longest<T: Width>(
    tasks: &[ScheduledTask],
    own: usize,
    wait: &BigInt,
    hyperperiod: &BigInt,
    largest: &BigInt,
    effort: &mut Effort,
) -> Option<Result<BigInt, Undecided>> {
    let tasks = Timed::<T>::all(tasks, largest)?;
    let cost = weight(largest.bits()) * tasks.len() as u64;
    let (wait, horizon) = (&T::from_big(wait)?, &T::from_big(hyperperiod)?);
    let level = Level { tasks: &tasks, own, wait, strict: Strict::No, horizon, cost };
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

/// Decides whether fixed priorities in this order meet every deadline of `tasks`; `load` is that of `tasks`.
pub(super) fn test_design(
    tasks: &[ScheduledTask],
    order: &PriorityOrder,
    load: &Load,
    strict: Strict,
    effort: &mut Effort,
) -> Outcome {
    if load.is_overload() || (strict == Strict::Yes && load.is_full()) {
        return Outcome::Overload;
    }
    let test = |effort: &mut Effort| {
        // Jobs after the first matter only if a deadline is longer than the period, or nothing interrupts them.
        let is_constrained = |task: &ScheduledTask| match task.jitter() {
            None => task.deadline <= task.period,
            Some(jitter) => task.deadline + jitter <= *task.period && !task.runs_through(),
        };
        let horizon = if tasks.iter().all(is_constrained) { &BigInt::ZERO } else { &load.hyperperiod };
        let (places, reach): (Vec<usize>, Vec<usize>) = order.levels().unzip();
        let sorted: Vec<ScheduledTask> = places.iter().map(|&at| tasks[at]).collect();
        let mut waits = if are_delayed(tasks) { waits(tasks, order) } else { Vec::new() };
        if strict == Strict::Yes {
            waits.resize(sorted.len(), BigInt::ZERO);
            waits.iter_mut().for_each(|wait| *wait += 1u32);
        }
        let largest = largest(&sorted, horizon, waits.iter().max().unwrap_or(&BigInt::ZERO));
        effort.take(weight(largest.bits()) * tasks.len() as u64)?;
        in_narrowest!(first_late(&sorted, &reach, &waits, strict, horizon, &largest, effort))
    };
    match effort.for_design(test) {
        Ok(None) => Outcome::Passes,
        Ok(Some((level, job))) => {
            Outcome::Fails(Failure::Response { task: order.order()[level] as usize, job: job.into() })
        }
        Err(Undecided::DesignSteps(steps)) => Outcome::Undecided(Undecided::ResponseSteps(steps)),
        Err(undecided) => Outcome::Undecided(undecided),
    }
}

/// The highest-priority task that misses a deadline, as a 0-based priority rank, and its first late job.
type Late = Option<(usize, u64)>;

/// Runs the test in integers `T`; `None` if they may be too narrow. The tasks are in order of priority; the first `reach` of
/// them are of the priority of each or a higher one.
fn first_late<T: Width>(
    tasks: &[ScheduledTask],
    reach: &[usize],
    waits: &[BigInt],
    strict: Strict,
    horizon: &BigInt,
    largest: &BigInt,
    effort: &mut Effort,
) -> Option<Result<Late, Undecided>> {
    let tasks = Timed::<T>::all(tasks, largest)?;
    let waits = waits.iter().map(T::from_big).collect::<Option<Vec<T>>>()?;
    let (horizon, none) = (T::from_big(horizon)?, <T as Zero>::zero());
    let mut first_finish = <T as Zero>::zero();
    for (at, &reach_of) in reach.iter().enumerate() {
        let cost = weight(largest.bits()) * reach_of as u64;
        let wait = waits.get(at).unwrap_or(&none);
        let level = Level { tasks: &tasks[..reach_of], own: at, wait, strict, horizon: &horizon, cost };
        // The task before may have waited longer, or for this one too.
        let is_higher = at > 0 && reach[at - 1] <= at && waits.get(at - 1) <= waits.get(at);
        let before = if is_higher || at == 0 { first_finish } else { level.at_least() };
        match level.busy_period(&before, true, effort) {
            Ok(BusyPeriod { late: Some(job), .. }) => return Some(Ok(Some((at, job)))),
            Ok(busy) => first_finish = busy.first_finish,
            Err(undecided) => return Some(Err(undecided)),
        }
    }
    Some(Ok(None))
}

/// A task with those of higher or equal priority.
struct Level<'a, T> {
    /// All of them.
    tasks: &'a [Timed<T>],
    /// The task, one of these.
    own: usize,
    /// b_i.
    wait: &'a T,
    strict: Strict,
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
    /// The tasks that delay this one.
    fn ahead(&self) -> impl Iterator<Item = &Timed<T>> {
        let all = self.tasks.iter().enumerate();
        all.filter(|(at, _)| *at != self.own).map(|(_, task)| task)
    }

    /// A lower bound on the finish of the first job, less its own WCET.
    fn at_least(&self) -> T {
        self.ahead().fold(self.wait.clone(), |sum, ahead| sum.plus(&ahead.wcet))
    }

    /// The least time from `time` on by which `work` and all jobs of the others released before are done; or some time after
    /// `due`, if that is given and too early.
    fn done(&self, work: &T, mut time: T, due: Option<&T>, effort: &mut Effort) -> Result<T, Undecided> {
        loop {
            if due.is_some_and(|due| time > *due) {
                return Ok(time);
            }
            effort.take(self.cost)?;
            let next = self.ahead().fold(work.clone(), |sum, ahead| {
                let jobs = match ahead.jitter.is_zero() {
                    true => time.div_ceil(&ahead.period),
                    false => time.plus(&ahead.jitter).div_ceil(&ahead.period),
                };
                sum + jobs * ahead.wcet.clone()
            });
            if next <= time {
                return Ok(time);
            }
            time = next;
        }
    }

    /// Iterates over the jobs of the busy period, up to the first late one if `until_late`. The first job of the task
    /// with the next higher priority finishes at `before`.
    fn busy_period(
        &self,
        before: &T,
        until_late: bool,
        effort: &mut Effort,
    ) -> Result<BusyPeriod<T>, Undecided> {
        let Timed { wcet, period, deadline, jitter, runs_through, .. } = &self.tasks[self.own];
        let mut busy = BusyPeriod { first_finish: before.clone(), longest: <T as Zero>::zero(), late: None };
        // For job q: (q - 1) P_i, q e_i and a lower bound on its finishing time.
        let (mut release, mut work) = (<T as Zero>::zero(), self.wait.plus(wcet));
        let mut time = before.plus(wcet);
        let lead = match self.strict == Strict::No && self.wait.is_zero() {
            true => T::one(),
            false => <T as Zero>::zero(),
        };
        let mut begin = self.at_least().plus(&lead);
        // No step limit allows 2^64 jobs.
        for job in 1u64.. {
            let due = release.plus(deadline);
            let is_due = Some(&due).filter(|_| until_late);
            let finish = if *runs_through {
                let own = work.minus(wcet).plus(&lead);
                let last = due.minus(wcet).plus(&lead);
                begin = self.done(&own, begin, Some(&last).filter(|_| until_late), effort)?;
                let finish = begin.minus(&lead).plus(wcet);
                begin = begin.plus(wcet);
                if is_due.is_none_or(|due| finish <= *due) {
                    time = self.done(&work, time, None, effort)?;
                }
                finish
            } else {
                time = self.done(&work, time, is_due, effort)?;
                time.clone()
            };
            if is_due.is_some_and(|due| finish > *due) {
                busy.late = Some(job);
                return Ok(busy);
            }
            if job == 1 {
                busy.first_finish = time.clone();
            }
            busy.longest = busy.longest.max(finish.minus(&release).plus(jitter));
            release = release.plus(period);
            if time.plus(jitter) <= release || release >= *self.horizon {
                break;
            }
            (work, time) = (work.plus(wcet), time.plus(wcet));
        }
        Ok(busy)
    }
}
