//! The schedulers of a task set.

/// The scheduling policy: preemptive scheduling of independent tasks on one processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheduler {
    /// Earliest deadline first.
    #[default]
    Edf,
    /// Fixed priorities, rate-monotonic: shorter periods have higher priority, see [`PriorityOrder`](crate::PriorityOrder) for equal ones.
    RateMonotonic,
    /// Fixed priorities, deadline-monotonic: shorter relative deadlines have higher priority, see [`PriorityOrder`](crate::PriorityOrder).
    DeadlineMonotonic,
    /// Fixed priorities as given in the file, see [`Task::priority`](crate::Task::priority).
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
    pub fn name(self) -> &'static str {
        match self {
            Self::Edf => "edf",
            Self::RateMonotonic => "rm",
            Self::DeadlineMonotonic => "dm",
            Self::FixedPriority => "fixed",
        }
    }

    /// The abbreviation in tables and charts, at most three letters.
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
