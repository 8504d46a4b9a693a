//! Schedulability tests, implemented independently of the engines' tests.
//!
//! EDF: the demand of all jobs released and due within [0, t], h(t), must be at most t for every t. It is evaluated
//! from the end of the busy period downwards as in Zhang and Burns, "Schedulability analysis for real-time systems
//! with EDF scheduling", 2009. Fixed priorities: response times as the least solutions of Joseph and Pandya (1986),
//! with all jobs of a busy period if a deadline exceeds the period (Lehoczky 1990).

use super::failure::Wrong;
use super::limits::{Limits, Meter, times, words};
use super::problem::{Policy, Task, TaskSet};
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, Zero};

/// Step limit of one design's test; a hyperperiod of 10^18 at a utilization of 1 could take forever.
pub const STEPS: u64 = 200_000;

struct Timed<'a> {
    wcet: &'a BigUint,
    period: &'a BigUint,
    deadline: &'a BigUint,
    rank: u64,
}

/// Whether utilization alone decides in every mode: EDF, with every deadline at least the period.
pub fn is_decided_by_utilization(modes: &[TaskSet]) -> bool {
    modes
        .iter()
        .all(|set| set.policy == Policy::Edf && set.tasks.iter().all(|task| task.deadline >= task.period))
}

/// Whether the design with these options at a clock is schedulable in every mode; `None` if [`STEPS`] do not suffice, or the
/// scheduler is not stated.
pub fn is_schedulable(modes: &[TaskSet], clock: usize, options: &[u32]) -> Option<bool> {
    is_schedulable_within(modes, clock, options, &mut Meter::new(Limits::NONE)).ok().flatten()
}

/// As [`is_schedulable`], within limits.
pub(crate) fn is_schedulable_within(
    modes: &[TaskSet],
    clock: usize,
    options: &[u32],
    meter: &mut Meter,
) -> Result<Option<bool>, Wrong> {
    let mut all = Some(true);
    for set in modes {
        match is_schedulable_alone(set, clock, options, meter)? {
            Some(true) => {}
            Some(false) => return Ok(Some(false)),
            None => all = None,
        }
    }
    Ok(all)
}

/// As [`is_schedulable_within`], in one mode.
fn is_schedulable_alone(
    set: &TaskSet,
    clock: usize,
    options: &[u32],
    meter: &mut Meter,
) -> Result<Option<bool>, Wrong> {
    let tasks: Vec<Timed> = set
        .tasks
        .iter()
        .zip(options)
        .map(|(task, &option)| Timed {
            wcet: &task.wcets[clock][option as usize],
            period: &task.period,
            deadline: &task.deadline,
            rank: task.rank,
        })
        .collect();
    // A sum over all tasks takes one division, multiplication and addition per task.
    let longest = |number: fn(&Timed) -> u64| tasks.iter().map(number).max().unwrap_or(1);
    let (wcet, period) = (longest(|task| words(task.wcet)), longest(|task| words(task.period)));
    let sum = |longest: u64| times(&[tasks.len() as u64, 200 + times(&[longest, wcet + period, 4])]);
    meter.work(sum(words(&set.hyperperiod)))?;
    let demand: BigUint = tasks.iter().map(|task| task.wcet * (&set.hyperperiod / task.period)).sum();
    if demand > set.hyperperiod {
        return Ok(Some(false));
    }
    if is_decided_by_utilization(std::slice::from_ref(set)) {
        return Ok(Some(true));
    }
    // All times are below the end of the busy period, which is at most a hyperperiod, or below a deadline.
    let times = words(&set.hyperperiod).min(wcet + period + 1) + longest(|task| words(task.deadline));
    let mut steps = Steps { left: STEPS, each: sum(times), meter };
    let found = match set.policy {
        Policy::Edf => by_deadlines(&tasks, &mut steps),
        Policy::FixedPriority => by_priorities(&tasks, &mut steps),
        Policy::Unstated => return Ok(None),
    };
    match found {
        Err(Stopped::Wrong(wrong)) => Err(wrong),
        Err(Stopped::OutOfSteps) => Ok(None),
        Ok(is_schedulable) => Ok(Some(is_schedulable)),
    }
}

/// The remaining steps of one design's test.
struct Steps<'a> {
    left: u64,
    /// An upper bound on the cost of each step.
    each: u64,
    meter: &'a mut Meter,
}

/// Why a test was aborted.
enum Stopped {
    OutOfSteps,
    Wrong(Wrong),
}

impl Steps<'_> {
    fn take(&mut self, count: u64) -> Result<(), Stopped> {
        self.left = self.left.checked_sub(count).ok_or(Stopped::OutOfSteps)?;
        self.meter.work(self.each).map_err(Stopped::Wrong)
    }
}

/// The number of jobs of a task with `period` and `deadline` released and due within [0, time].
pub fn jobs_due(time: &BigUint, period: &BigUint, deadline: &BigUint) -> BigUint {
    if time < deadline { BigUint::zero() } else { (time - deadline) / period + BigUint::one() }
}

/// A condition that a task under fixed priorities must meet at one of several moments, otherwise it is late.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// t.
    pub time: BigUint,
    /// For each task the number of its jobs that count by t; together they must take at most t.
    pub jobs: Vec<BigUint>,
}

/// The moments of job number q = `job` (from 1) of a task i: in a design in which it meets its deadline, the condition
/// of at least one of them holds.
///
/// If the job finishes at f, then q e_i + sum_j ceil(f / P_j) e_j <= f, where j are the tasks of higher or equal priority, since
/// all jobs that these released before f are done. From f to the next release of one of these tasks, or to the job's
/// deadline if that is earlier, the left side does not change, so the condition still holds there. The moments are
/// therefore those releases and the deadline; only their times are stored. `None` if there are more than `most`.
pub fn moments(
    set: &TaskSet,
    task: usize,
    job: &BigUint,
    most: usize,
) -> Option<impl Iterator<Item = Moment>> {
    let late = &set.tasks[task];
    let last = &late.period * (job - BigUint::one()) + &late.deadline;
    let times = release_times(set.ahead_of(task), last, most)?;
    let job = job.clone();
    Some(times.into_iter().map(move |time| {
        let count = |(at, other): (usize, &Task)| match at == task {
            true => job.clone(),
            false if other.rank <= late.rank => time.div_ceil(&other.period),
            false => BigUint::zero(),
        };
        Moment { jobs: set.tasks.iter().enumerate().map(count).collect(), time }
    }))
}

/// `last` and the earlier times at which one of the tasks releases a job, in ascending order; `None` if there are
/// more than `most`.
fn release_times<'a>(
    tasks: impl Iterator<Item = &'a Task>,
    last: BigUint,
    most: usize,
) -> Option<Vec<BigUint>> {
    let mut periods: Vec<&BigUint> = tasks.map(|task| &task.period).collect();
    periods.sort_unstable();
    periods.dedup();
    let mut times = vec![last.clone()];
    for period in periods.into_iter().take_while(|period| **period < last) {
        if &last / period > BigUint::from(most) {
            return None;
        }
        let mut time = period.clone();
        while time < last {
            times.push(time.clone());
            time += period;
        }
        // Times that several tasks share count once. They are merged occasionally, not for every task.
        if times.len() > 2 * most && joined(&mut times) > most {
            return None;
        }
    }
    (joined(&mut times) <= most).then_some(times)
}

/// Sorts the times, removes duplicates, and returns their number.
fn joined(times: &mut Vec<BigUint>) -> usize {
    times.sort_unstable();
    times.dedup();
    times.len()
}

fn by_deadlines(tasks: &[Timed], steps: &mut Steps) -> Result<bool, Stopped> {
    let Some(first) = tasks.iter().map(|task| task.deadline).min() else { return Ok(true) };
    let mut busy: BigUint = tasks.iter().map(|task| task.wcet).sum();
    loop {
        steps.take(1)?;
        let next: BigUint = tasks.iter().map(|task| task.wcet * busy.div_ceil(task.period)).sum();
        if next == busy {
            break;
        }
        busy = next;
    }
    // If any deadline is missed, one before the end of the first busy period is.
    let mut time = last_deadline_before(tasks, &busy);
    while let Some(at) = time {
        steps.take(1)?;
        let demand: BigUint =
            tasks.iter().map(|task| task.wcet * jobs_due(&at, task.period, task.deadline)).sum();
        if demand > at {
            return Ok(false);
        }
        if demand <= *first {
            break;
        }
        time = if demand < at { Some(demand) } else { last_deadline_before(tasks, &at) };
    }
    Ok(true)
}

/// The last absolute deadline before a given time.
fn last_deadline_before(tasks: &[Timed], time: &BigUint) -> Option<BigUint> {
    let last = |task: &Timed| {
        let before = time.clone() - BigUint::one();
        (*task.deadline <= before).then(|| {
            let jobs = (&before - task.deadline) / task.period;
            task.deadline + jobs * task.period
        })
    };
    tasks.iter().filter(|_| !time.is_zero()).filter_map(last).max()
}

fn by_priorities(tasks: &[Timed], steps: &mut Steps) -> Result<bool, Stopped> {
    for (at, task) in tasks.iter().enumerate() {
        // Tasks of equal priority may each have to wait for the others.
        let others = tasks.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, other)| other);
        let above: Vec<&Timed> = others.filter(|other| other.rank <= task.rank).collect();
        let mut done = BigUint::zero();
        for job in 1u64.. {
            let own = task.wcet * job;
            done = done.max(own.clone());
            loop {
                steps.take(1 + above.len() as u64 / 16)?;
                let interference: BigUint =
                    above.iter().map(|other| other.wcet * done.div_ceil(other.period)).sum();
                let next = &own + interference;
                let release = task.period * (job - 1);
                if next > &release + task.deadline {
                    return Ok(false);
                }
                if next == done {
                    break;
                }
                done = next;
            }
            if done <= task.period * job {
                break;
            }
        }
    }
    Ok(true)
}
