//! Choices that no designer needs: they cost area for nothing, or another choice of the task is better.

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
    /// Another choice of the task needs no more area and no more time, and less of one (or is the same and
    /// stands first).
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

impl TaskSet {
    /// The choices that no point of any front takes, in file order.
    #[must_use]
    pub fn idle_choices(&self) -> Vec<IdleChoice<'_>> {
        let mut idle = Vec::new();
        for task in &self.tasks {
            for (at, choice) in task.choices.iter().enumerate() {
                if let Some(reason) = idle_reason(task, at) {
                    idle.push(IdleChoice { task: &task.name, choice: &choice.name, reason });
                }
            }
        }
        idle
    }
}

fn idle_reason(task: &Task, at: usize) -> Option<IdleReason<'_>> {
    let choice = &task.choices[at];
    match choice.wcet.cmp(&task.wcet) {
        Ordering::Greater => return Some(IdleReason::SlowerThanSoftware),
        Ordering::Equal => return Some(IdleReason::SavesNothing),
        Ordering::Less => {}
    }
    let better = |&(other_at, other): &(usize, &Choice)| {
        let no_worse = other.area <= choice.area && other.wcet <= choice.wcet;
        let same = other.area == choice.area && other.wcet == choice.wcet;
        no_worse && (!same || other_at < at)
    };
    let (_, better) = task.choices.iter().enumerate().find(better)?;
    Some(IdleReason::DominatedBy(&better.name))
}
