//! The choices of a task that a search needs to examine.

use isx_taskset::formulate::Formulation;
use num_bigint::BigInt;

/// A choice of a task, or software, that no other choice of the task dominates.
pub(super) struct Candidate<'a> {
    /// `None` is software.
    pub choice: Option<u32>,
    /// Its WCET.
    pub wcet: &'a BigInt,
    /// Its area, without the blocks it uses.
    pub area: u64,
    /// The blocks it uses.
    pub uses: &'a [u32],
}

impl Candidate<'_> {
    /// Whether this choice dominates the other: no worse in area, time and blocks, and better in area, time or
    /// position.
    fn dominates(&self, other: &Self) -> bool {
        self.area <= other.area
            && self.wcet <= other.wcet
            && self.uses.iter().all(|block| other.uses.contains(block))
            && (self.area < other.area || self.wcet < other.wcet || self.choice < other.choice)
    }
}

/// The non-dominated candidates of each task within `capacity`, in canonical order: software, then file order.
pub(super) fn candidates(formulation: &Formulation, capacity: u64) -> Vec<Vec<Candidate<'_>>> {
    (0..formulation.tasks.len()).map(|task| of_task(formulation, task, capacity)).collect()
}

fn of_task(formulation: &Formulation, at: usize, capacity: u64) -> Vec<Candidate<'_>> {
    let (task, sharing) = (&formulation.tasks[at], &formulation.sharing);
    let software = Candidate { choice: None, wcet: &task.wcet, area: 0, uses: &[] };
    let hardware = (0u32..).zip(&task.choices).map(|(index, choice)| Candidate {
        choice: Some(index),
        wcet: &choice.wcet,
        area: choice.area,
        uses: sharing.uses_of(at, index),
    });
    let software = (!task.forced).then_some(software);
    let all = software.into_iter().chain(hardware).filter(|candidate| candidate.area <= capacity);
    let mut all: Vec<_> = all.collect();
    all.sort_by_key(|candidate| (candidate.area, candidate.wcet, candidate.choice));
    let mut kept: Vec<Candidate> = Vec::new();
    // If no candidate uses blocks, the last one kept has the least WCET so far.
    let compared = if sharing.is_empty() { 1 } else { usize::MAX };
    for candidate in all {
        if !kept.iter().rev().take(compared).any(|other| other.dominates(&candidate)) {
            kept.push(candidate);
        }
    }
    kept.sort_by_key(|candidate| candidate.choice);
    kept
}
