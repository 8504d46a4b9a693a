//! What a job that is late under fixed priorities requires of every design.
//!
//! Job q of task i is released after q - 1 periods and due at d = (q - 1) P_i + D_i. In a schedulable design it finishes
//! at some f <= d. Just before it ran, so no job of higher priority was pending, and all that were released before f are
//! done: q e_i + sum_{j higher} ceil(f / P_j) e_j <= f. The counts do not change from f up to the next multiple of a
//! higher task's period, so some t among these multiples below d, and d itself, meets the same:
//!
//! ```text
//! q e_i + sum_{j higher} ceil(t / P_j) e_j <= t
//! ```
//!
//! (J. Lehoczky, L. Sha and Y. Ding, "The rate monotonic scheduling algorithm: exact characterization and average case
//! behavior", RTSS 1989; E. Bini and G. Buttazzo, "Schedulability analysis of periodic fixed priority systems", IEEE
//! Transactions on Computers 53(11), 2004, need fewer of these t.) Where they are many, neighbors are merged: with
//! the counts just above a time a and the limit b, every t in (a, b] is allowed for. The times that the response-time
//! analysis of the late design passes through are kept, for a cut between any two of them rules that design out.
//!
//! Worked instance: (e, P, D) = (2, 4, 4), (3, 6, 6); the second task is late. The times are 4 and 6: e_2 + e_1 <= 4 or
//! e_2 + 2 e_1 <= 6. The design has 5 and 7; with e_1 = 1 it meets both.

use super::design_test::Requirement;
use super::task::ScheduledTask;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::One;
use std::collections::BTreeSet;
use std::iter::successors;

/// The most pieces that the time up to a deadline is cut into.
const MOST_PIECES: u64 = 96;
/// The most of them that the analysis of the late design chooses.
const MOST_PASSED: usize = 64;

/// The requirements of job `job` of task `late`, at least one of which every schedulable design meets.
pub(super) fn requirements_of_late_job(
    tasks: &[ScheduledTask],
    order: &[u32],
    late: usize,
    job: &BigInt,
) -> Vec<Requirement> {
    let higher: Vec<usize> = order.iter().map(|&at| at as usize).take_while(|&at| at != late).collect();
    let task = &tasks[late];
    let due = (job - 1u32) * task.period + task.deadline;
    let mut ends = testing_times(tasks, &higher, &due).unwrap_or_else(|| {
        let mut ends = passed_times(tasks, &higher, &(task.wcet * job), &due);
        ends.extend(some_testing_times(tasks, &higher, &due));
        ends
    });
    ends.insert(due);
    let mut from = BigInt::ZERO;
    let piece = |end: BigInt| {
        let mut jobs = vec![BigInt::ZERO; tasks.len()];
        jobs[late] = job.clone();
        for &at in &higher {
            jobs[at] = &from / tasks[at].period + 1u32;
        }
        from.clone_from(&end);
        Requirement { jobs, limit: end }
    };
    ends.into_iter().map(piece).collect()
}

/// The multiples of `periods` below `due`, one period after the other.
pub(super) fn multiples_below<'a>(
    periods: impl Iterator<Item = &'a BigInt>,
    due: &BigInt,
) -> impl Iterator<Item = BigInt> {
    periods.flat_map(move |period| {
        successors(Some(period.clone()), move |time| Some(time + period)).take_while(move |time| time < due)
    })
}

/// The multiples of the higher tasks' periods below `due`, if they are few.
fn testing_times(tasks: &[ScheduledTask], higher: &[usize], due: &BigInt) -> Option<BTreeSet<BigInt>> {
    let multiples = multiples_below(higher.iter().map(|&at| tasks[at].period), due);
    let times: Vec<BigInt> = multiples.take(MOST_PIECES as usize + 1).collect();
    (times.len() <= MOST_PIECES as usize).then(|| times.into_iter().collect())
}

/// Some of the multiples of the periods below `due`, spread over the time before it.
fn some_testing_times(tasks: &[ScheduledTask], higher: &[usize], due: &BigInt) -> BTreeSet<BigInt> {
    let near = |part: u64| {
        let target: BigInt = due * part / MOST_PIECES;
        higher.iter().map(|&at| target.div_floor(tasks[at].period) * tasks[at].period).max()
    };
    (1..MOST_PIECES).filter_map(near).filter(|time| *time > BigInt::ZERO).collect()
}

/// The last whole times before those that the response-time analysis of a design passes through, the earliest first.
/// Every WCET is whole, so jobs finish at whole times.
fn passed_times(tasks: &[ScheduledTask], higher: &[usize], work: &BigInt, due: &BigInt) -> BTreeSet<BigInt> {
    let mut times = BTreeSet::new();
    let mut time = BigInt::one();
    while times.len() < MOST_PASSED {
        let next: BigInt =
            work + higher.iter().map(|&at| time.div_ceil(tasks[at].period) * tasks[at].wcet).sum::<BigInt>();
        if next > *due || next <= time {
            break;
        }
        times.insert(&next - 1u32);
        time = next;
    }
    times.remove(&BigInt::ZERO);
    times
}
