//! The task order under fixed priorities.

use super::{Scheduler, Task, TaskSet};
use isx_exact::order::sort_by;
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

/// The order of tasks under fixed priorities, from the highest to the lowest, and which of them tie.
///
/// Tasks tie that have the same priority: under rate- and deadline-monotonic priorities the same period or deadline, unless
/// both have a [`Task::priority`], which then decides. No kernel says which of them runs first, so each may have to wait for
/// the others. A task without a `priority` ties with all of its period, those with one among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PriorityOrder {
    /// The task numbers.
    order: Vec<u32>,
    /// For each of them how many of the order come before its lower ones: itself and all of higher or equal priority.
    reach: Vec<usize>,
}

impl PriorityOrder {
    /// The order of tasks with these keys: the least and the greatest rank of each task; those without are left out.
    fn of<K: Ord>(keys: &[Option<(K, K)>]) -> Self {
        let mut order: Vec<u32> = (0..keys.len() as u32).filter(|&at| keys[at as usize].is_some()).collect();
        let least = |at: u32| keys[at as usize].as_ref().map(|key| &key.0);
        sort_by(&mut order, |&a, &b| least(a).cmp(&least(b)));
        let greatest = |at: u32| keys[at as usize].as_ref().map(|key| &key.1);
        let reach = |&at: &u32| order.partition_point(|&other| least(other) <= greatest(at));
        let reach = order.iter().map(reach).collect();
        Self { order, reach }
    }

    /// The task numbers, from the highest priority to the lowest; those that tie in file order.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Every task in this order, with the number of those in [`Self::order`] that are of its priority or a higher one.
    pub fn levels(&self) -> impl ExactSizeIterator<Item = (usize, usize)> {
        self.order.iter().map(|&at| at as usize).zip(self.reach.iter().copied())
    }

    /// The tasks that may delay this one whenever they are released: those of higher and of equal priority.
    pub fn ahead_of(&self, task: usize) -> impl Iterator<Item = usize> {
        self.order[..self.reach_of(task)].iter().map(|&at| at as usize).filter(move |&at| at != task)
    }

    /// The tasks of lower priority.
    pub fn below(&self, task: usize) -> impl Iterator<Item = usize> {
        self.order[self.reach_of(task)..].iter().map(|&at| at as usize)
    }

    /// The tasks of the same priority as this one.
    pub fn tied_with(&self, task: usize) -> impl Iterator<Item = usize> {
        self.ahead_of(task).filter(move |&other| self.ahead_of(other).any(|at| at == task))
    }

    /// Whether some tasks tie.
    pub fn has_ties(&self) -> bool {
        self.reach.iter().enumerate().any(|(at, reach)| *reach > at + 1)
    }

    /// Whether tasks tie as equal ranks do: of three that tie in two pairs, so do all.
    pub fn is_ranked(&self) -> bool {
        let mut end = 0;
        self.reach.iter().enumerate().all(|(at, &reach)| {
            end = if at == end { reach } else { end };
            reach == end
        })
    }

    fn reach_of(&self, task: usize) -> usize {
        self.levels().find(|&(at, _)| at == task).map_or(self.order.len(), |(_, reach)| reach)
    }

    /// The order of some of the tasks, numbered anew as they come.
    #[must_use]
    pub fn among(&self, tasks: &[usize]) -> Self {
        let place = |task: &u32| tasks.iter().position(|&at| at as u32 == *task);
        let order: Vec<u32> = self.order.iter().filter_map(place).map(|place| place as u32).collect();
        let count = |reach: usize| self.order[..reach].iter().filter_map(place).count();
        let kept = self.order.iter().zip(&self.reach).filter(|(task, _)| place(task).is_some());
        Self { order, reach: kept.map(|(_, &reach)| count(reach)).collect() }
    }

    /// The order with the tasks first that do not run, which tie with none.
    #[must_use]
    pub(crate) fn with_first(&self, is_first: impl Fn(usize) -> bool) -> Self {
        let (first, rest): (Vec<u32>, Vec<u32>) = self.order.iter().partition(|&&at| is_first(at as usize));
        let before: Vec<usize> = rest.iter().map(|&at| at as usize).collect();
        let others = self.among(&before);
        let reach = (1..=first.len()).chain(others.reach.iter().map(|reach| reach + first.len())).collect();
        Self { order: first.into_iter().chain(rest).collect(), reach }
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
