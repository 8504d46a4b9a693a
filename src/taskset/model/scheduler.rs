//! The schedulers of a task set, and the task order under fixed priorities.

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
    /// Fixed priorities as given in the file, see [`Task::priority`](super::Task::priority).
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
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scheduler| scheduler.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Task, TaskSet};

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
