//! Choices that no design needs: they save no time, or another choice of the task dominates them.
//!
//! These results hold at every clock and with any blocks: software uses no block, and a dominating choice uses only
//! blocks that the dominated one also uses, so it never slows a design down.

use super::{Choice, Lock, Task, TaskSet};
use isx_exact::order;
use num_traits::{Signed, Zero};
use std::cmp::Ordering;
use std::fmt;

/// A choice that no design takes, and the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnusedChoice<'a> {
    /// The task of the choice.
    pub task: &'a str,
    /// The choice.
    pub choice: &'a str,
    /// The reason.
    pub reason: UnusedReason<'a>,
}

/// Why no design takes a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnusedReason<'a> {
    /// Its WCET is greater than in software.
    SlowerThanSoftware,
    /// Its WCET is the same as in software.
    SavesNothing,
    /// Another choice of the task is no larger, no slower and uses no further block, and is smaller or faster (or is
    /// identical and comes first). If there are several such choices, the fastest is given, which is not dominated
    /// itself.
    DominatedBy(&'a str),
}

impl fmt::Display for UnusedReason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SlowerThanSoftware => f.write_str("slower than software"),
            Self::SavesNothing => f.write_str("saves nothing"),
            Self::DominatedBy(better) => write!(f, "dominated by {better}"),
        }
    }
}

impl TaskSet {
    /// The choices that no point of any front takes, in file order.
    pub fn unused_choices(&self) -> Vec<UnusedChoice<'_>> {
        let all = self.tasks.iter().flat_map(|task| {
            let reasons = self.unused_reasons(task);
            let choices = (0..task.choices.len()).filter(|&at| !task.choices[at].is_another_way);
            // One that a design takes in any way is of use.
            let reason =
                |at| task.ways_of(at).map(|way| reasons[way]).reduce(|one, other| other.and(one)).flatten();
            choices.map(|at| (task, &task.choices[at], reason(at))).collect::<Vec<_>>()
        });
        let unused = all.filter_map(|(task, choice, reason)| {
            Some(UnusedChoice { task: &task.name, choice: &choice.name, reason: reason? })
        });
        unused.collect()
    }

    /// For each choice of a task, in file order, why no design takes it; `None` if a design may take it.
    ///
    /// Sorting the n choices decides it in O(n log n) where only their area and WCET count: otherwise all pairs of up to 512
    /// choices are compared. With more choices, only those no faster than software are reported.
    pub fn unused_reasons<'t>(&self, task: &'t Task) -> Vec<Option<UnusedReason<'t>>> {
        let frees = |block: u32| self.blocks[block as usize].cost.iter().any(Signed::is_negative);
        task.unused(self.is_one_area(), &frees)
    }
}

/// The maximum number of choices with blocks per task that are compared pairwise.
const MOST_COMPARED: usize = 512;

/// Whether critical sections are no longer than others, and lock nothing else.
fn hold_no_longer(one: &[Lock], other: &[Lock]) -> bool {
    let mut held = one.iter().filter(|lock| !lock.time.is_zero());
    held.all(|lock| other.iter().any(|other| other.name == lock.name && lock.time <= other.time))
}

impl Task {
    /// Whether choices differ in more than their cost and one WCET: in locks, high WCETs, or between variants or modes.
    fn has_several_times(&self) -> bool {
        let has_several =
            |choice: &Choice| choice.wcets.len() > 1 || choice.wcet_high.is_some() || choice.locks.is_some();
        self.wcets.len() > 1 || self.wcet_high.is_some() || self.choices.iter().any(has_several)
    }

    /// Of choices that are an area and a WCET, for each the fastest of the others that dominate it.
    fn dominators_by_area(&self) -> Vec<Option<usize>> {
        let key = |at: usize| (&self.choices[at].cost, &self.choices[at].wcets[0]);
        let mut sorted: Vec<usize> = (0..self.choices.len()).collect();
        // A stable sort: among identical choices the first in the file stays first.
        order::sort_by(&mut sorted, |&a, &b| key(a).cmp(&key(b)));
        // Every earlier choice needs no more area, so it suffices to compare with the fastest of them.
        let mut fastest: Option<usize> = None;
        let mut dominators = vec![None; self.choices.len()];
        for at in sorted {
            match fastest {
                Some(better) if key(better).1 <= key(at).1 => dominators[at] = fastest,
                _ => fastest = Some(at),
            }
        }
        dominators
    }

    /// Why no design takes a choice; `frees` says which blocks free some of a resource.
    ///
    /// With WCETs that differ between variants or modes, a dominating choice is no slower in any. Costs may be negative, and
    /// so may those of blocks: software and choices with fewer blocks dominate only what frees nothing by the others.
    fn unused(&self, is_area: bool, frees: &dyn Fn(u32) -> bool) -> Vec<Option<UnusedReason<'_>>> {
        if self.forced {
            return vec![None; self.choices.len()];
        }
        let blocks_free = |choice: &Choice, other: &[u32]| {
            choice.uses.iter().any(|block| !other.contains(block) && frees(*block))
        };
        let no_more_blocks = |a: &Choice, b: &Choice| {
            a.uses.iter().all(|block| b.uses.contains(block)) && !blocks_free(b, &a.uses)
        };
        let no_more = |a: &Choice, b: &Choice| a.cost.iter().zip(&b.cost).all(|(a, b)| a <= b);
        // Of equal areas a design may save nothing by the lower WCET, where another mode or variant decides.
        let has_several_times = self.has_several_times();
        let may_tie = is_area && has_several_times;
        let wcets = self.choices.iter().map(|choice| &choice.wcets).chain([&self.wcets]);
        let variants = wcets.map(Vec::len).max().unwrap_or(1);
        let high = |choice: &Choice| choice.wcet_high.clone().unwrap_or_else(|| choice.wcets[0].clone());
        let no_slower = |a: &Choice, b: &Choice| {
            (0..variants).all(|number| a.wcet_in(number) <= b.wcet_in(number)) && high(a) <= high(b)
        };
        let locks = |choice: &'_ Choice| choice.locks.clone().unwrap_or_else(|| self.kernel.locks.clone());
        let dominates = |a: usize, b: usize| {
            let (one, other) = (&self.choices[a], &self.choices[b]);
            if !hold_no_longer(&locks(one), &locks(other)) {
                return false;
            }
            let is_same = one.cost == other.cost && (may_tie || no_slower(other, one));
            no_slower(one, other) && no_more(one, other) && no_more_blocks(one, other) && (!is_same || a < b)
        };
        let is_plain = is_area && !has_several_times && self.choices.iter().all(|own| own.uses.is_empty());
        let by_area = if is_plain { self.dominators_by_area() } else { Vec::new() };
        let reason = |at: usize| {
            let choice = &self.choices[at];
            // Slower designs may be schedulable if tasks wait less for each other.
            let frees = !hold_no_longer(&self.kernel.locks, &locks(choice))
                || choice.cost.iter().any(Signed::is_negative)
                || blocks_free(choice, &[]);
            let software = self.wcet_high.as_ref().unwrap_or(&self.wcets[0]);
            let in_all = |order: &dyn Fn(Ordering) -> bool| {
                (0..variants).all(|number| order(choice.wcet_in(number).cmp(self.wcet_in(number))))
                    && order(high(choice).cmp(software))
            };
            if !frees && in_all(&|order| order == Ordering::Equal) {
                return Some(UnusedReason::SavesNothing);
            }
            if !frees && in_all(&Ordering::is_ge) {
                return Some(UnusedReason::SlowerThanSoftware);
            }
            let better = match self.choices.len() {
                _ if is_plain => by_area[at],
                0..=MOST_COMPARED => {
                    let better = (0..self.choices.len()).filter(|&other| dominates(other, at));
                    let key = |at: usize| (&self.choices[at].wcets[0], &self.choices[at].cost);
                    better.min_by(|&a, &b| key(a).cmp(&key(b)))
                }
                _ => None,
            };
            better.map(|other| UnusedReason::DominatedBy(&self.choices[other].name))
        };
        (0..self.choices.len()).map(reason).collect()
    }
}
