//! The requirements on every design that follow from a late job under fixed priorities.
//!
//! Job q of task i is released after q - 1 periods and due at d = (q - 1) P_i + D_i. In a schedulable design it
//! finishes at some f <= d. It ran just before f, so no job of higher priority was pending then, and all that were
//! released before f are done: q e_i + sum_{j higher} ceil(f / P_j) e_j <= f. The counts do not change from f up to
//! the next multiple of a higher-priority task's period, so some t among these multiples below d, or t = d, satisfies
//! the same inequality:
//!
//! ```text
//! q e_i + sum_{j higher} ceil(t / P_j) e_j <= t
//! ```
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

use super::outcome::Requirement;
use super::task::ScheduledTask;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::One;
use std::collections::BTreeSet;
use std::iter::successors;

/// The maximum number of intervals between 0 and a deadline.
const MOST_PIECES: u64 = 96;
/// The maximum number of them chosen from the analysis of the late design.
const MOST_PASSED: usize = 64;

/// The requirements from job `job` of task `late`; every schedulable design meets at least one.
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

/// The multiples of `periods` below `due`, grouped by period.
pub(super) fn multiples_below<'a>(
    periods: impl Iterator<Item = &'a BigInt>,
    due: &BigInt,
) -> impl Iterator<Item = BigInt> {
    periods.flat_map(move |period| {
        successors(Some(period.clone()), move |time| Some(time + period)).take_while(move |time| time < due)
    })
}

/// The multiples of the higher-priority tasks' periods below `due`, if they are few.
fn testing_times(tasks: &[ScheduledTask], higher: &[usize], due: &BigInt) -> Option<BTreeSet<BigInt>> {
    let multiples = multiples_below(higher.iter().map(|&at| tasks[at].period), due);
    let times: Vec<BigInt> = multiples.take(MOST_PIECES as usize + 1).collect();
    (times.len() <= MOST_PIECES as usize).then(|| times.into_iter().collect())
}

/// A sample of the multiples of the periods below `due`, spread over the interval.
fn some_testing_times(tasks: &[ScheduledTask], higher: &[usize], due: &BigInt) -> BTreeSet<BigInt> {
    let near = |part: u64| {
        let target: BigInt = due * part / MOST_PIECES;
        higher.iter().map(|&at| target.div_floor(tasks[at].period) * tasks[at].period).max()
    };
    (1..MOST_PIECES).filter_map(near).filter(|time| *time > BigInt::ZERO).collect()
}

/// The last whole times before those visited by the response-time analysis of a design, in ascending order. All WCETs
/// are integers, so jobs finish at integer times.
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
