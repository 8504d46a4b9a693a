//! The schedulers of a task set, and the task order under fixed priorities.

use super::{Task, TaskSet};

/// The scheduling policy: preemptive scheduling of independent tasks on one processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheduler {
    /// Earliest deadline first.
    #[default]
    Edf,
    /// Fixed priorities, rate-monotonic: shorter periods have higher priority.
    RateMonotonic,
    /// Fixed priorities, deadline-monotonic: shorter relative deadlines have higher priority.
    DeadlineMonotonic,
    /// Fixed priorities as given in the file, see [`Task::priority`].
    FixedPriority,
}

impl Scheduler {
    /// All schedulers.
    pub const ALL: [Self; 4] = [Self::Edf, Self::RateMonotonic, Self::DeadlineMonotonic, Self::FixedPriority];

    /// The name in task sets and in JSON.
    ///
    /// ```
    /// use isx_taskset::Scheduler;
    /// assert_eq!(Scheduler::ALL.map(Scheduler::name), ["edf", "rm", "dm", "fixed"]);
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Edf => "edf",
            Self::RateMonotonic => "rm",
            Self::DeadlineMonotonic => "dm",
            Self::FixedPriority => "fixed",
        }
    }

    /// The abbreviation in tables and charts, at most three letters.
    #[must_use]
    pub fn abbreviation(self) -> &'static str {
        match self {
            Self::Edf => "EDF",
            Self::RateMonotonic => "RM",
            Self::DeadlineMonotonic => "DM",
            Self::FixedPriority => "FP",
        }
    }

    /// The scheduler with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scheduler| scheduler.name() == name)
    }
}

impl TaskSet {
    /// The task indices from the highest priority to the lowest, ties in file order; `None` under EDF, which has no
    /// fixed priorities. A task whose required priority is missing comes last.
    #[must_use]
    pub fn priority_order(&self) -> Option<Vec<u32>> {
        let tasks = &self.tasks;
        let mut order: Vec<u32> = (0..tasks.len() as u32).collect();
        let task = |at: u32| -> &Task { &tasks[at as usize] };
        // The sort is stable: ties stay in file order.
        match self.scheduler {
            Scheduler::Edf => return None,
            Scheduler::RateMonotonic => order.sort_by(|&a, &b| task(a).period.cmp(&task(b).period)),
            Scheduler::DeadlineMonotonic => order.sort_by(|&a, &b| task(a).deadline.cmp(&task(b).deadline)),
            Scheduler::FixedPriority => order.sort_by_key(|&at| task(at).priority.unwrap_or(u32::MAX)),
        }
        Some(order)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_go_by_file_order() {
        let tasks = [
            Task::new("a", 1, 20).with_deadline(7).with_priority(2),
            Task::new("b", 1, 10).with_deadline(9).with_priority(u32::MAX),
            Task::new("c", 1, 20).with_deadline(7).with_priority(1),
            Task::new("d", 1, 10).with_deadline(30).with_priority(2),
        ];
        let order = |scheduler| {
            let set = TaskSet::new("x", tasks.clone()).unwrap().with_scheduler(scheduler).unwrap();
            set.priority_order()
        };
        assert_eq!(order(Scheduler::Edf), None);
        assert_eq!(order(Scheduler::RateMonotonic), Some(vec![1, 3, 0, 2]));
        assert_eq!(order(Scheduler::DeadlineMonotonic), Some(vec![0, 2, 1, 3]));
        assert_eq!(order(Scheduler::FixedPriority), Some(vec![2, 0, 3, 1]));
    }

    #[test]
    fn names_are_read_back() {
        for scheduler in Scheduler::ALL {
            assert_eq!(Scheduler::named(scheduler.name()), Some(scheduler));
            assert!(scheduler.abbreviation().len() <= 3);
        }
        assert_eq!(Scheduler::named("EDF"), None);
    }
}
