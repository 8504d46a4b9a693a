//! The requirements on every design that follow from a late job under fixed priorities.
//!
//! Job q of task i is released after q - 1 periods and due at d = (q - 1) P_i + D_i. In a schedulable design it
//! finishes at some f <= d. It ran just before f, so no job of higher priority was pending then, and all that were
//! released before f are done: q e_i + sum_{j higher} ceil(f / P_j) e_j <= f. (Tasks of equal priority
//! count as higher.) The counts do not change from f up to
//! the next multiple of a higher-priority task's period, so some t among these multiples below d, or t = d, satisfies
//! the same inequality:
//!
//! ```text
//! q e_i + sum_{j higher} ceil(t / P_j) e_j <= t
//! ```
//!
//! With release jitter the counts change at the k P_j - J_j, and d is (q - 1) P_i + D_i - J_i; with a wait of b_i at least, in
//! every design, the inequality is q e_i + sum_{j higher} ceil((t + J_j) / P_j) e_j <= t - b_i.
//!
//! A job that nothing interrupts once it has begun must begin by some t <= d - e_i (see the module `response`), so that
//!
//! ```text
//! (q - 1) e_i + sum_j ceil((t + J_j) / P_j) e_j <= t - b_i      and      q e_i + sum_j ceil((t + J_j) / P_j) e_j <= d - b_i
//! ```
//!
//! The first is taken for the t that the late design could begin by, the second for all that follow.
//!
//! (J. Lehoczky, L. Sha and Y. Ding, "The rate monotonic scheduling algorithm: exact characterization and average
//! case behavior", RTSS 1989; E. Bini and G. Buttazzo, "Schedulability analysis of periodic fixed priority systems",
//! IEEE Transactions on Computers 53(11), 2004, need fewer of these t.) If there are many such t, neighbors are
//! merged: a requirement with the counts just above a time a and the limit b covers every t in (a, b]. The times
//! visited by the response-time analysis of the late design are kept unmerged, since a cut between any two of them
//! rules that design out.
//!
//! Worked instance: (e, P, D) = (2, 4, 4), (3, 6, 6); the second task is late. The times are 4 and 6: e_2 + e_1 <= 4
//! or e_2 + 2 e_1 <= 6. The late design needs 5 and 7; with e_1 = 1 it meets both.

use super::outcome::{Requirement, Section, Strict};
use super::task::ScheduledTask;
use isx_exact::order::sort;
use isx_taskset::PriorityOrder;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::One;
use std::iter::successors;

/// The maximum number of intervals between 0 and a deadline.
const MOST_PIECES: u64 = 96;
/// The maximum number of them chosen from the analysis of the late design.
const MOST_PASSED: usize = 64;

/// A late job of a design.
pub(super) struct LateJob<'a> {
    pub task: usize,
    /// Its number, counted from 1.
    pub job: &'a BigInt,
    /// What it waits for in every design.
    pub known: BigInt,
    /// What it waits for in this design.
    pub own: BigInt,
    pub strict: Strict,
}

impl LateJob<'_> {
    /// Requirements of which every schedulable design meets at least one; the job waits for `section` too.
    pub fn requirements(
        &self,
        tasks: &[ScheduledTask],
        order: &PriorityOrder,
        section: Option<&Section>,
    ) -> Vec<Requirement> {
        let task = &tasks[self.task];
        let ahead: Vec<usize> = order.ahead_of(self.task).collect();
        let due = (self.job - 1u32) * task.period + task.deadline;
        let (before, spare) = (self.job - 1u32, self.strict.unit());
        // A job that nothing interrupts must begin by `last`, one that is interrupted end.
        let (last, work) = match task.runs_through() {
            false => (due.clone(), task.wcet * self.job + &self.own + spare),
            true => {
                let lead = lead(&self.own, self.strict);
                (&due - task.wcet + lead, task.wcet * &before + &self.own + spare + lead)
            }
        };
        let mut ends = testing_times(tasks, &ahead, &last).unwrap_or_else(|| {
            let mut ends = passed_times(tasks, &ahead, &work, &last);
            ends.extend(some_testing_times(tasks, &ahead, &last));
            ends
        });
        sort(&mut ends);
        ends.dedup();
        let mut from = BigInt::ZERO;
        let mut requirement = |end: &BigInt, own: &BigInt, known: &BigInt| {
            let mut jobs = vec![BigInt::ZERO; tasks.len()];
            jobs[self.task] = own.clone();
            for &at in &ahead {
                let jitter = tasks[at].jitter();
                jobs[at] = jitter.map_or(from.clone(), |jitter| &from + jitter) / tasks[at].period + 1u32;
            }
            from = end.clone();
            let section = section.map(|section| Section { known: known.clone(), ..section.clone() });
            Requirement { jobs, limit: remaining(end, &(known + spare)), section }
        };
        // What begins where another job is released is preceded by it: without a wait, a unit later.
        let (own, begins) = match task.runs_through() {
            false => (self.job, self.known.clone()),
            true => (&before, (&self.known).max(&BigInt::from(1 - spare)).clone()),
        };
        let mut all: Vec<Requirement> = ends.iter().map(|end| requirement(end, own, &begins)).collect();
        all.push(requirement(&due, self.job, &self.known));
        all
    }
}

/// What is added to the earliest begin of a job that nothing interrupts, if it waits for nothing: a unit, so that releases at
/// that very time count; its end does not include it. (A wait for others begins just before time 0, and so counts for less
/// by however little.)
pub(super) fn lead(wait: &BigInt, strict: Strict) -> u32 {
    u32::from(strict == Strict::No && *wait == BigInt::ZERO)
}

/// What a wait leaves of a time; -1, which no demand meets, in place of anything lower.
pub(super) fn remaining(time: &BigInt, wait: &BigInt) -> BigInt {
    (time - wait).max(BigInt::from(-1))
}

/// The times below `due` after which a further job of a task may be released, grouped by task.
pub(super) fn multiples_below<'a>(
    tasks: impl Iterator<Item = ScheduledTask<'a>>,
    due: &BigInt,
) -> impl Iterator<Item = BigInt> {
    tasks.flat_map(move |task| {
        let period = task.period;
        // With jitter, the first of them above 0.
        let first = task.jitter().map_or(period.clone(), |jitter| period - jitter.mod_floor(period));
        successors(Some(first), move |time| Some(time + period)).take_while(move |time| time < due)
    })
}

/// The jobs of a task released before `time`, if as many as possible are.
pub(super) fn jobs_before(task: &ScheduledTask, time: &BigInt) -> BigInt {
    match task.jitter() {
        None => time.div_ceil(task.period),
        Some(jitter) => (time + jitter).div_ceil(task.period),
    }
}

/// The multiples of the higher-priority tasks' periods below `due`, if they are few; some may come several times.
fn testing_times(tasks: &[ScheduledTask], higher: &[usize], due: &BigInt) -> Option<Vec<BigInt>> {
    let multiples = multiples_below(higher.iter().map(|&at| tasks[at]), due);
    let times: Vec<BigInt> = multiples.take(MOST_PIECES as usize + 1).collect();
    (times.len() <= MOST_PIECES as usize).then_some(times)
}

/// A sample of the multiples of the periods below `due`, spread over the interval.
fn some_testing_times(tasks: &[ScheduledTask], higher: &[usize], due: &BigInt) -> Vec<BigInt> {
    let near = |part: u64| {
        let target: BigInt = due * part / MOST_PIECES;
        let last = |&at: &usize| match tasks[at].jitter() {
            None => target.div_floor(tasks[at].period) * tasks[at].period,
            Some(jitter) => (&target + jitter).div_floor(tasks[at].period) * tasks[at].period - jitter,
        };
        higher.iter().map(last).max()
    };
    (1..MOST_PIECES).filter_map(near).filter(|time| *time > BigInt::ZERO).collect()
}

/// The last whole times before those visited by the response-time analysis of a design, in ascending order. All WCETs
/// are integers, so jobs finish at integer times.
fn passed_times(tasks: &[ScheduledTask], higher: &[usize], work: &BigInt, due: &BigInt) -> Vec<BigInt> {
    let mut times = Vec::new();
    let mut time = BigInt::one();
    while times.len() < MOST_PASSED {
        let next: BigInt =
            work + higher.iter().map(|&at| jobs_before(&tasks[at], &time) * tasks[at].wcet).sum::<BigInt>();
        if next > *due || next <= time {
            break;
        }
        times.push(&next - 1u32);
        time = next;
    }
    times
}
