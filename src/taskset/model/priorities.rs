//! The order of the tasks of a set under its scheduler.

use super::{PriorityOrder, Scheduler, Task, TaskSet};
use isx_exact::quantity::Rational;

impl Scheduler {
    /// Whether the `priority` of this one of the tasks matters: under rate- and deadline-monotonic priorities it orders
    /// tasks of equal periods or deadlines.
    pub(crate) fn orders(self, task: &Task, tasks: &[Task]) -> bool {
        let key = |task: &Task, mode| match (self, task.timing_in(mode)?) {
            (Self::RateMonotonic, timing) => Some(timing.period.clone()),
            (_, timing) => Some(timing.deadline.clone()),
        };
        let ties = |other: &Task| {
            let modes = task.timings.len().max(other.timings.len());
            (0..modes).any(|mode| key(task, mode).is_some() && key(task, mode) == key(other, mode))
        };
        match self {
            Self::Edf => false,
            Self::FixedPriority => true,
            _ => tasks.iter().any(|other| other.name != task.name && !other.is_part() && ties(other)),
        }
    }
}

impl TaskSet {
    /// The order of priorities; `None` under EDF, which has no fixed priorities. A task whose required priority is missing
    /// comes last.
    pub fn priority_order(&self) -> Option<PriorityOrder> {
        let given = |task: &Task| task.priority.map_or((0, u32::MAX), |priority| (priority, priority));
        let among_equal = |key: fn(&Task) -> &Rational| {
            let key = |task: &_| {
                let (least, greatest) = given(task);
                ((key(task).clone(), least), (key(task).clone(), greatest))
            };
            self.order_of(&key)
        };
        Some(match self.scheduler {
            Scheduler::Edf => return None,
            Scheduler::RateMonotonic => among_equal(Task::period),
            Scheduler::DeadlineMonotonic => among_equal(Task::deadline),
            Scheduler::FixedPriority => {
                let rank = |task: &Task| task.priority.unwrap_or(u32::MAX);
                self.order_of(&|task| (rank(task), rank(task)))
            }
        })
    }

    /// The order of the tasks by these keys; parts are in none.
    fn order_of<K: Ord>(&self, key: &dyn Fn(&Task) -> (K, K)) -> PriorityOrder {
        let keys = self.tasks.iter().map(|task| (!task.is_part()).then(|| key(task)));
        PriorityOrder::of(&keys.collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_priorities_tie_and_are_in_file_order() {
        let tasks = [
            Task::new("a", 1, 20).with_deadline(7).with_priority(2),
            Task::new("b", 1, 10).with_deadline(9).with_priority(u32::MAX),
            Task::new("c", 1, 20).with_deadline(7).with_priority(1),
            Task::new("d", 1, 10).with_deadline(30).with_priority(2),
        ];
        let order = |scheduler| {
            let set = TaskSet::new("x", tasks.clone()).unwrap().with_scheduler(scheduler).unwrap();
            set.priority_order().map(|order| order.levels().collect::<Vec<_>>())
        };
        assert_eq!(order(Scheduler::Edf), None);
        // Priorities order equal periods and deadlines.
        assert_eq!(order(Scheduler::RateMonotonic), Some(vec![(3, 1), (1, 2), (2, 3), (0, 4)]));
        assert_eq!(order(Scheduler::DeadlineMonotonic), Some(vec![(2, 1), (0, 2), (1, 3), (3, 4)]));
        assert_eq!(order(Scheduler::FixedPriority), Some(vec![(2, 1), (0, 3), (3, 3), (1, 4)]));
    }

    /// Without a priority a task ties with all of its period, and those with one are in their order.
    #[test]
    fn a_task_without_a_priority_ties_with_those_that_have_one() {
        let tasks = [
            Task::new("a", 1, 20).with_priority(2),
            Task::new("b", 1, 20),
            Task::new("c", 1, 20).with_priority(1),
            Task::new("d", 1, 10),
        ];
        let set = TaskSet::new("x", tasks).unwrap().with_scheduler(Scheduler::RateMonotonic).unwrap();
        let order = set.priority_order().unwrap();
        let ahead = |task| order.ahead_of(task).collect::<Vec<_>>();
        assert_eq!((ahead(0), ahead(1), ahead(2)), (vec![3, 1, 2], vec![3, 2, 0], vec![3, 1]));
        assert_eq!(order.below(2).collect::<Vec<_>>(), [0]);
        assert_eq!(order.tied_with(1).collect::<Vec<_>>(), [2, 0]);
        let some = order.among(&[2, 0]);
        assert_eq!((some.levels().collect::<Vec<_>>(), some.has_ties()), (vec![(0, 1), (1, 2)], false));
        let first = order.with_first(|task| task == 1);
        assert_eq!(first.levels().collect::<Vec<_>>(), [(1, 1), (3, 2), (2, 3), (0, 4)]);
    }
}
