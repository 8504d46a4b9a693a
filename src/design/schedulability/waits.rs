//! What jobs wait for besides the jobs ahead of them: blocking, parts that cannot be interrupted, and critical sections.
//!
//! A job waits for at most one of them, before it begins. Let some tasks wait (under EDF those with a deadline by t, under fixed
//! priorities one task) and some others be below (with a later deadline, or of lower priority). The wait is the longest of
//!
//! - B_i of the tasks that wait, for holders outside the set;
//! - N_j, the longest part of a task below that cannot be interrupted;
//! - L_j(r), the critical section of a task below on a resource r that some task locks which is not below: the stack
//!   resource policy gives such a section the priority of the highest task that locks r, and so does the protocol of
//!   immediate ceilings.
//!
//! Sources: T. Baker, "Stack-based scheduling of realtime processes", Real-Time Systems 3, 1991; L. Sha, R. Rajkumar and J.
//! Lehoczky, "Priority inheritance protocols", IEEE Transactions on Computers 39(9), 1990, for ceilings.

use super::task::ScheduledTask;
use isx_taskset::PriorityOrder;
use isx_taskset::formulate::TimedLock;
use num_bigint::BigInt;

/// The longest wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wait<'a> {
    /// The task that others wait for or, if they are blocked by a holder outside the set, that waits.
    pub task: usize,
    pub kind: WaitKind,
    pub longest: &'a BigInt,
}

/// What a wait is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WaitKind {
    /// Holders outside the set.
    Blocking,
    /// A part that cannot be interrupted.
    Part,
    /// A critical section on this resource.
    Lock(u32),
}

impl<'a> Wait<'a> {
    /// The longest wait of the jobs due by `time` under EDF.
    pub fn at(tasks: &[ScheduledTask<'a>], time: &BigInt) -> Option<Self> {
        Self::longest(all_at(tasks, time))
    }

    /// The longest wait of the jobs of a task under fixed priorities.
    pub fn of(tasks: &[ScheduledTask<'a>], task: usize, order: &PriorityOrder) -> Option<Self> {
        Self::longest(all_of(tasks, task, order))
    }

    /// The first of the longest.
    fn longest(waits: Vec<Self>) -> Option<Self> {
        let waits = waits.into_iter().filter(|wait| *wait.longest > BigInt::ZERO);
        waits.reduce(|a, b| if b.longest > a.longest { b } else { a })
    }
}

/// What jobs due by `time` may wait for under EDF.
pub(super) fn all_at<'a>(tasks: &[ScheduledTask<'a>], time: &BigInt) -> Vec<Wait<'a>> {
    let below: Vec<bool> = tasks.iter().map(|task| task.deadline > time).collect();
    all(tasks, &|at| !below[at], &below)
}

/// What the jobs of a task may wait for under fixed priorities.
pub(super) fn all_of<'a>(tasks: &[ScheduledTask<'a>], task: usize, order: &PriorityOrder) -> Vec<Wait<'a>> {
    all(tasks, &|at| at == task, &below(tasks, task, order))
}

/// Whether each task is of lower priority than this one.
pub(super) fn below(tasks: &[ScheduledTask], task: usize, order: &PriorityOrder) -> Vec<bool> {
    let mut below = vec![false; tasks.len()];
    order.below(task).for_each(|at| below[at] = true);
    below
}

/// The resources that some task locks which is not below.
pub(super) fn claimed(tasks: &[ScheduledTask], below: &[bool]) -> Vec<u32> {
    let above = tasks.iter().zip(below).filter(|(_, below)| !**below);
    above.flat_map(|(task, _)| task.locks.iter().map(|lock| lock.resource)).collect()
}

fn all<'a>(tasks: &[ScheduledTask<'a>], waits: &dyn Fn(usize) -> bool, below: &[bool]) -> Vec<Wait<'a>> {
    let claimed = claimed(tasks, below);
    let mut all = Vec::new();
    for (at, task) in tasks.iter().enumerate() {
        let mut add = |kind, longest| all.push(Wait { task: at, kind, longest });
        if let Some(blocking) = task.blocking().filter(|_| waits(at)) {
            add(WaitKind::Blocking, blocking);
        }
        if below[at] {
            if let Some(part) = task.part() {
                add(WaitKind::Part, part);
            }
            let sections = task.locks.iter().filter(|lock| claimed.contains(&lock.resource));
            sections.for_each(|lock| add(WaitKind::Lock(lock.resource), &lock.longest));
        }
    }
    all
}

/// The longest wait of the jobs of every task under fixed priorities, in order of priority.
pub(super) fn waits(tasks: &[ScheduledTask], order: &PriorityOrder) -> Vec<BigInt> {
    let levels: Vec<(usize, usize)> = order.levels().collect();
    // The longest part of the tasks from each place on.
    let mut parts = vec![&BigInt::ZERO; levels.len() + 1];
    for (place, &(at, _)) in levels.iter().enumerate().rev() {
        parts[place] = tasks[at].part().map_or(parts[place + 1], |part| part.max(parts[place + 1]));
    }
    let own = |&(at, reach): &(usize, usize)| {
        tasks[at].blocking().map_or(parts[reach], |own| own.max(parts[reach]))
    };
    let mut waits: Vec<&BigInt> = levels.iter().map(own).collect();
    // The place of the first task that locks each resource.
    let mut ceilings: Vec<(u32, usize)> = Vec::new();
    for (place, &(at, _)) in levels.iter().enumerate() {
        for TimedLock { resource, longest } in tasks[at].locks {
            let ceiling = match ceilings.iter().find(|(other, _)| other == resource) {
                Some(&(_, ceiling)) => ceiling,
                None => {
                    ceilings.push((*resource, place));
                    continue;
                }
            };
            let blocked =
                waits.iter_mut().zip(&levels).filter(|(_, (_, reach))| (ceiling + 1..=place).contains(reach));
            blocked.for_each(|(wait, _)| *wait = longest.max(*wait));
        }
    }
    waits.into_iter().cloned().collect()
}
