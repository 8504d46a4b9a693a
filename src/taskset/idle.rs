//! Choices that no designer needs: they cost area for nothing, or another choice of the task is better.
//!
//! What is said of a choice holds at every clock, and whatever its blocks do to it: software uses no block, and a choice
//! that dominates another uses none that the other does not, so no design runs slower with it.

use super::{Choice, Task, TaskSet};
use std::cmp::Ordering;
use std::fmt;

/// A choice that is kept out of every design, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdleChoice<'a> {
    /// The task that has it.
    pub task: &'a str,
    /// The choice.
    pub choice: &'a str,
    /// Why no design takes it.
    pub reason: IdleReason<'a>,
}

/// Why no design takes a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdleReason<'a> {
    /// Its WCET is above the software's.
    SlowerThanSoftware,
    /// Its WCET is the software's.
    SavesNothing,
    /// Another choice of the task needs no more area, no more time and no block that this one does not use, and less
    /// area or time (or no less of both and stands first). Of several such choices this is the fastest, which is not
    /// dominated itself.
    DominatedBy(&'a str),
}

impl fmt::Display for IdleReason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SlowerThanSoftware => f.write_str("slower than software"),
            Self::SavesNothing => f.write_str("saves nothing"),
            Self::DominatedBy(better) => write!(f, "dominated by {better}"),
        }
    }
}

/// The idle choices of one task, to be told one by one or, where there are many, by their number.
///
/// ```
/// let text = "
/// name: demo
/// tasks:
///   - {name: fir, wcet: 5, period: 9, choices: [{name: slow, area: 1, wcet: 6}, {name: mac, area: 2, wcet: 3}]}
/// ";
/// let task_set = isx_taskset::read_str("demo.yaml", text)?.task_set;
/// let idle = task_set.idle_by_task();
/// assert_eq!((idle[0].task, idle[0].choices.len(), idle[0].all_choices), ("fir", 1, 2));
/// assert_eq!(idle[0].slower_or_equal(), 1);
/// # Ok::<(), isx_taskset::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdleChoices<'a> {
    /// The task that has them.
    pub task: &'a str,
    /// How many choices the task has, idle or not.
    pub all_choices: usize,
    /// The idle ones in file order, at least one.
    pub choices: Vec<IdleChoice<'a>>,
}

impl IdleChoices<'_> {
    /// How many of them are no faster than the software.
    #[must_use]
    pub fn slower_or_equal(&self) -> usize {
        self.choices.len() - self.dominated()
    }

    /// How many of them another choice dominates.
    #[must_use]
    pub fn dominated(&self) -> usize {
        self.choices.iter().filter(|idle| matches!(idle.reason, IdleReason::DominatedBy(_))).count()
    }
}

impl TaskSet {
    /// The choices that no point of any front takes, in file order.
    #[must_use]
    pub fn idle_choices(&self) -> Vec<IdleChoice<'_>> {
        self.idle_by_task().into_iter().flat_map(|idle| idle.choices).collect()
    }

    /// The choices that no point of any front takes, by task; tasks without any are left out.
    #[must_use]
    pub fn idle_by_task(&self) -> Vec<IdleChoices<'_>> {
        let by_task = self.tasks.iter().map(|task| {
            let reasons = task.choices.iter().zip(task.idle_reasons());
            let idle = reasons.filter_map(|(choice, reason)| {
                Some(IdleChoice { task: &task.name, choice: &choice.name, reason: reason? })
            });
            IdleChoices { task: &task.name, all_choices: task.choices.len(), choices: idle.collect() }
        });
        by_task.filter(|idle| !idle.choices.is_empty()).collect()
    }
}

/// The most choices of a task with blocks that are compared with each other.
pub const MOST_COMPARED: usize = 512;

impl Task {
    /// Why each choice is idle, in file order; `None` for those that a design may take.
    ///
    /// Sorting the n choices decides it, O(n log n), unless some use blocks: then all pairs are looked at, of up to
    /// 512 choices. Of more, only those are named that are no faster than the software.
    #[must_use]
    pub fn idle_reasons(&self) -> Vec<Option<IdleReason<'_>>> {
        if self.forced {
            return vec![None; self.choices.len()];
        }
        if self.choices.iter().any(|choice| !choice.uses.is_empty()) {
            return (0..self.choices.len()).map(|at| self.idle_reason_among_pairs(at)).collect();
        }
        let mut reasons = vec![None; self.choices.len()];
        let mut order: Vec<usize> = (0..self.choices.len()).collect();
        // Stable: of choices that are the same the first in the file stays first.
        order.sort_by(|&a, &b| {
            let (a, b) = (&self.choices[a], &self.choices[b]);
            a.area.cmp(&b.area).then_with(|| a.wcet.cmp(&b.wcet))
        });
        // Every choice met so far needs no more area; the fastest of them decides.
        let mut fastest: Option<usize> = None;
        for at in order {
            let choice = &self.choices[at];
            reasons[at] = match (choice.wcet.cmp(&self.wcet), fastest) {
                (Ordering::Greater, _) => Some(IdleReason::SlowerThanSoftware),
                (Ordering::Equal, _) => Some(IdleReason::SavesNothing),
                (Ordering::Less, Some(better)) if self.choices[better].wcet <= choice.wcet => {
                    Some(IdleReason::DominatedBy(&self.choices[better].name))
                }
                (Ordering::Less, _) => {
                    fastest = Some(at);
                    None
                }
            };
        }
        reasons
    }

    fn idle_reason_among_pairs(&self, at: usize) -> Option<IdleReason<'_>> {
        let choice = &self.choices[at];
        match choice.wcet.cmp(&self.wcet) {
            Ordering::Greater => return Some(IdleReason::SlowerThanSoftware),
            Ordering::Equal => return Some(IdleReason::SavesNothing),
            Ordering::Less if self.choices.len() > MOST_COMPARED => return None,
            Ordering::Less => {}
        }
        let dominates = |(other_at, other): &(usize, &Choice)| {
            other.area <= choice.area
                && other.wcet <= choice.wcet
                && other.uses.iter().all(|block| choice.uses.contains(block))
                && (other.area < choice.area || other.wcet < choice.wcet || *other_at < at)
        };
        let better = self.choices.iter().enumerate().filter(dominates);
        // The fastest, of these the smallest, of these the first: nothing dominates that one within these blocks.
        let fastest = better.min_by(|(_, a), (_, b)| a.wcet.cmp(&b.wcet).then_with(|| a.area.cmp(&b.area)));
        fastest.map(|(_, better)| IdleReason::DominatedBy(&better.name))
    }
}
