//! The choices of a task that a search needs to look at.

use crate::formulate::TimedTask;
use num_bigint::BigInt;

/// A choice of a task, or software, that no other of the task dominates.
pub(super) struct Candidate<'a> {
    /// `None` is software.
    pub choice: Option<u32>,
    /// Its WCET.
    pub wcet: &'a BigInt,
    /// Its area.
    pub area: u64,
}

/// The undominated candidates of a task within `capacity`, in canonical order: software, then file order.
pub(super) fn candidates(task: &TimedTask, capacity: u64) -> Vec<Candidate<'_>> {
    let software = Candidate { choice: None, wcet: &task.wcet, area: 0 };
    let hardware = (0u32..).zip(&task.choices).map(|(index, choice)| Candidate {
        choice: Some(index),
        wcet: &choice.wcet,
        area: choice.area,
    });
    let mut all: Vec<_> = std::iter::once(software).chain(hardware).collect();
    all.sort_by_key(|candidate| (candidate.area, candidate.wcet, candidate.choice));
    let mut kept: Vec<Candidate> = Vec::new();
    for candidate in all.into_iter().filter(|candidate| candidate.area <= capacity) {
        if kept.last().is_none_or(|last| candidate.wcet < last.wcet) {
            kept.push(candidate);
        }
    }
    kept.sort_by_key(|candidate| candidate.choice);
    kept
}
