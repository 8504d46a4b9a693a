//! The choices of a task that a search needs to examine.

use super::analysis::modes;
use isx_exact::order;
use isx_taskset::formulate::{Formulation, TimedLock};
use num_bigint::BigInt;

/// A choice of a task, or software, that no other choice of the task dominates.
pub(super) struct Candidate<'a> {
    /// `None` is software.
    pub choice: Option<u32>,
    /// Its WCET in every mode.
    pub wcets: Vec<&'a BigInt>,
    /// Its critical sections in every mode.
    pub locks: Vec<&'a [TimedLock]>,
    /// Its area, without the blocks it uses.
    pub area: u64,
    /// The blocks it uses.
    pub uses: &'a [u32],
}

impl Candidate<'_> {
    /// Whether this choice dominates the other: no worse in area, time, locks and blocks, and better in area, time or
    /// position.
    fn dominates(&self, other: &Self) -> bool {
        // In one of several modes a lower WCET may leave the largest utilization as it is: then both designs tie.
        let is_faster = self.wcets.len() == 1 && self.wcets != other.wcets;
        self.area <= other.area
            && self.wcets.iter().zip(&other.wcets).all(|(own, other)| own <= other)
            && self.locks.iter().zip(&other.locks).all(|(own, other)| hold_no_longer(own, other))
            && self.uses.iter().all(|block| other.uses.contains(block))
            && (self.area < other.area || is_faster || self.choice < other.choice)
    }
}

/// Whether critical sections are no longer than others, and lock nothing else.
pub(super) fn hold_no_longer(one: &[TimedLock], other: &[TimedLock]) -> bool {
    let is_there = |lock: &TimedLock| {
        let mut others = other.iter();
        others.any(|other| other.resource == lock.resource && lock.longest <= other.longest)
    };
    one.iter().all(is_there)
}

/// The non-dominated candidates of each task within `capacity`, in canonical order: software, then file order.
pub(super) fn candidates(formulation: &Formulation, capacity: u64) -> Vec<Vec<Candidate<'_>>> {
    (0..formulation.tasks.len()).map(|task| of_task(formulation, task, capacity)).collect()
}

fn of_task(formulation: &Formulation, at: usize, capacity: u64) -> Vec<Candidate<'_>> {
    let (task, sharing) = (&formulation.tasks[at], &formulation.sharing);
    let modes = modes(formulation);
    let wcets = |choice| modes.iter().map(|mode| mode.tasks[at].wcet_with(choice)).collect();
    let locks = |choice| modes.iter().map(|mode| mode.tasks[at].locks_with(choice)).collect();
    let software = Candidate { choice: None, wcets: wcets(None), locks: locks(None), area: 0, uses: &[] };
    let hardware = (0u32..).zip(&task.choices).map(|(index, _)| Candidate {
        choice: Some(index),
        wcets: wcets(Some(index)),
        locks: locks(Some(index)),
        area: formulation.costs.weight(at, index),
        uses: sharing.uses_of(at, index),
    });
    let software = (!task.forced).then_some(software);
    let all = software.into_iter().chain(hardware).filter(|candidate| candidate.area <= capacity);
    let mut all: Vec<_> = all.collect();
    order::sort_by(&mut all, |a, b| (a.area, &a.wcets, a.choice).cmp(&(b.area, &b.wcets, b.choice)));
    let mut kept: Vec<Candidate> = Vec::new();
    // If no candidate uses blocks or locks, and there is one mode, the last one kept has the least WCET so far.
    let has_locks = !task.locks.most.is_empty() || !task.locks.software.is_empty();
    let is_simple = sharing.is_empty() && modes.len() == 1 && !has_locks;
    let compared = if is_simple { 1 } else { usize::MAX };
    for candidate in all {
        if !kept.iter().rev().take(compared).any(|other| other.dominates(&candidate)) {
            kept.push(candidate);
        }
    }
    order::sort_by(&mut kept, |a, b| a.choice.cmp(&b.choice));
    kept
}
