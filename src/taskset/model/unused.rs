//! Choices that no designer needs: they cost area for nothing, or another choice of the task is better.
//!
//! What is said of a choice holds at every clock, and whatever its blocks do to it: software uses no block, and a choice
//! that dominates another uses none that the other does not, so no design runs slower with it.

use super::{Choice, Task, TaskSet};
use std::cmp::Ordering;
use std::fmt;

/// A choice that is kept out of every design, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnusedChoice<'a> {
    /// The task that has it.
    pub task: &'a str,
    /// The choice.
    pub choice: &'a str,
    /// Why no design takes it.
    pub reason: UnusedReason<'a>,
}

/// Why no design takes a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnusedReason<'a> {
    /// Its WCET is above the software's.
    SlowerThanSoftware,
    /// Its WCET is the software's.
    SavesNothing,
    /// Another choice of the task needs no more area, no more time and no block that this one does not use, and less
    /// area or time (or no less of both and stands first). Of several such choices this is the fastest, which is not
    /// dominated itself.
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
    #[must_use]
    pub fn unused_choices(&self) -> Vec<UnusedChoice<'_>> {
        let all = self.tasks.iter().flat_map(|task| {
            let reasons = task.choices.iter().zip(task.unused_reasons());
            reasons.map(move |(choice, reason)| (task, choice, reason))
        });
        let unused = all.filter_map(|(task, choice, reason)| {
            Some(UnusedChoice { task: &task.name, choice: &choice.name, reason: reason? })
        });
        unused.collect()
    }
}

/// The most choices of a task with blocks that are compared with each other.
const MOST_COMPARED: usize = 512;

impl Task {
    /// Why no design takes a choice, in file order; `None` for those that a design may take.
    ///
    /// Sorting the n choices decides it, O(n log n), unless some use blocks: then all pairs are looked at, of up to
    /// 512 choices. Of more, only those are named that are no faster than the software.
    #[must_use]
    pub fn unused_reasons(&self) -> Vec<Option<UnusedReason<'_>>> {
        let mut reasons = vec![None; self.choices.len()];
        if self.forced {
            return reasons;
        }
        let mut faster = Vec::with_capacity(self.choices.len());
        for (at, choice) in self.choices.iter().enumerate() {
            match choice.wcet.cmp(&self.wcet) {
                Ordering::Greater => reasons[at] = Some(UnusedReason::SlowerThanSoftware),
                Ordering::Equal => reasons[at] = Some(UnusedReason::SavesNothing),
                Ordering::Less => faster.push(at),
            }
        }
        let by_name = |at: usize| UnusedReason::DominatedBy(&self.choices[at].name);
        if self.choices.iter().any(|choice| !choice.uses.is_empty()) {
            if self.choices.len() <= MOST_COMPARED {
                for &at in &faster {
                    reasons[at] = self.dominating(at).map(by_name);
                }
            }
            return reasons;
        }
        // Stable: of choices that are the same the first in the file stays first.
        faster.sort_by(|&a, &b| {
            let (a, b) = (&self.choices[a], &self.choices[b]);
            a.area.cmp(&b.area).then_with(|| a.wcet.cmp(&b.wcet))
        });
        // Every choice met so far needs no more area; the fastest of them decides.
        let mut fastest: Option<usize> = None;
        for at in faster {
            match fastest {
                Some(better) if self.choices[better].wcet <= self.choices[at].wcet => {
                    reasons[at] = Some(by_name(better));
                }
                _ => fastest = Some(at),
            }
        }
        reasons
    }

    /// The fastest choice that dominates this one, of these the smallest, of these the first: nothing dominates that one
    /// within these blocks.
    fn dominating(&self, at: usize) -> Option<usize> {
        let choice = &self.choices[at];
        let dominates = |(other_at, other): &(usize, &Choice)| {
            other.area <= choice.area
                && other.wcet <= choice.wcet
                && other.uses.iter().all(|block| choice.uses.contains(block))
                && (other.area < choice.area || other.wcet < choice.wcet || *other_at < at)
        };
        let better = self.choices.iter().enumerate().filter(dominates);
        let fastest = better.min_by(|(_, a), (_, b)| a.wcet.cmp(&b.wcet).then_with(|| a.area.cmp(&b.area)));
        fastest.map(|(at, _)| at)
    }
}
