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
    /// Its amounts in every dimension of the costs, without the blocks it uses.
    pub cost: &'a [u64],
    /// The blocks it uses.
    pub uses: &'a [u32],
}

impl Candidate<'_> {
    /// Its amount in the first dimension: its area in a set with one area.
    pub fn area(&self) -> u64 {
        self.cost.first().copied().unwrap_or(0)
    }

    /// Whether this choice dominates the other: no worse in cost, time, locks and blocks, and better in cost, time or
    /// position. If a block may free a resource, the choices must use the same blocks.
    fn dominates(&self, other: &Self, may_free: bool) -> bool {
        // In one of several modes a lower WCET may leave the largest utilization as it is: then both designs tie.
        let is_faster = self.wcets.len() == 1 && self.wcets != other.wcets;
        no_larger(self.cost, other.cost)
            && self.wcets.iter().zip(&other.wcets).all(|(own, other)| own <= other)
            && self.locks.iter().zip(&other.locks).all(|(own, other)| hold_no_longer(own, other))
            && self.uses.iter().all(|block| other.uses.contains(block))
            && (!may_free || other.uses.iter().all(|block| self.uses.contains(block)))
            && (self.cost != other.cost || is_faster || self.choice < other.choice)
    }
}

/// Whether `one` is no larger than `other` in any component.
pub(super) fn no_larger(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).all(|(one, other)| one <= other)
}

/// Whether critical sections are no longer than others, and lock nothing else.
fn hold_no_longer(one: &[TimedLock], other: &[TimedLock]) -> bool {
    let is_there = |lock: &TimedLock| {
        let mut others = other.iter();
        others.any(|other| other.resource == lock.resource && lock.longest <= other.longest)
    };
    one.iter().all(is_there)
}

/// The non-dominated candidates of each task with at most `most` in the first dimension, in canonical order: software, then
/// file order.
pub(super) fn candidates(formulation: &Formulation, most: u64) -> Vec<Vec<Candidate<'_>>> {
    let blocks = (0..formulation.costs.blocks()).map(|block| formulation.costs.of_block(block));
    let may_free = !blocks.into_iter().all(|[built, unbuilt]| no_larger(unbuilt, built));
    (0..formulation.tasks.len()).map(|task| of_task(formulation, task, most, may_free)).collect()
}

fn of_task(formulation: &Formulation, at: usize, most: u64, may_free: bool) -> Vec<Candidate<'_>> {
    let (task, sharing) = (&formulation.tasks[at], &formulation.sharing);
    let modes = modes(formulation);
    let candidate = |choice: Option<u32>| Candidate {
        choice,
        wcets: modes.iter().map(|mode| mode.tasks[at].wcet_with(choice)).collect(),
        locks: modes.iter().map(|mode| mode.tasks[at].locks_with(choice)).collect(),
        cost: formulation.costs.of_choice(at, choice),
        uses: choice.map_or(&[], |number| sharing.uses_of(at, number)),
    };
    let hardware = (0..task.choices.len() as u32).map(Some);
    let choices = Some(None).filter(|_| !task.forced).into_iter().chain(hardware);
    let all = choices.map(candidate).filter(|candidate| candidate.area() <= most);
    let mut all: Vec<_> = all.collect();
    order::sort_by(&mut all, |a, b| (a.cost, &a.wcets, a.choice).cmp(&(b.cost, &b.wcets, b.choice)));
    let mut kept: Vec<Candidate> = Vec::new();
    // If no candidate uses blocks or locks, and there is one mode and one area, the last one kept has the least WCET so far.
    let has_locks = !task.locks.most.is_empty() || !task.locks.software.is_empty();
    let is_simple = formulation.costs.is_line() && sharing.is_empty() && modes.len() == 1 && !has_locks;
    let compared = if is_simple { 1 } else { usize::MAX };
    for candidate in all {
        if !kept.iter().rev().take(compared).any(|other| other.dominates(&candidate, may_free)) {
            kept.push(candidate);
        }
    }
    order::sort_by(&mut kept, |a, b| a.choice.cmp(&b.choice));
    kept
}
