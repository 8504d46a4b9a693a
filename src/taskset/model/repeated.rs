//! Choices that look like the same hardware but are charged several times.

use super::{Choice, TaskSet};
use isx_exact::quantity::Rational;
use num_traits::Zero;
use std::collections::HashMap;

/// A choice that saves time in several tasks under the same name, with the same area above 0, and uses no block.
///
/// A design that takes it in several of these tasks pays each time. That is correct if the hardware is built
/// several times; hardware that is built once should be a [`Block`](crate::Block).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepeatedChoice<'a> {
    /// Its name.
    pub choice: &'a str,
    /// Its area, the same in every task.
    pub area: &'a Rational,
    /// The tasks that have it, in file order, at least two.
    pub tasks: Vec<&'a str>,
}

impl TaskSet {
    /// The choices that save time in several tasks with the same name and area and are charged each time, ordered by
    /// first occurrence in the file; none if resources have names.
    ///
    /// ```
    /// use isx_taskset::{Block, Task, TaskSet};
    ///
    /// let aes = |name: &str| Task::new(name, 20, 100).with_choice("aes", 464, 4);
    /// // The area is another, or no design takes the choice.
    /// let others = [("log", 465, 4), ("net", 464, 21)];
    /// let others = others.map(|(name, area, wcet)| Task::new(name, 20, 100).with_choice("aes", area, wcet));
    /// let set = TaskSet::new("gateway", [aes("tls"), aes("disk")].into_iter().chain(others))?;
    /// let repeated = set.repeated_choices();
    /// assert_eq!((repeated[0].choice, repeated[0].tasks.as_slice()), ("aes", ["tls", "disk"].as_slice()));
    /// assert_eq!(repeated.len(), 1);
    ///
    /// let aes = |name: &str| Task::new(name, 20, 100).with_choice_using("aes", [0], 0, 4);
    /// let set = TaskSet::with_blocks("gateway", [Block::new("aes", 464)], [aes("tls"), aes("disk")])?;
    /// assert!(set.repeated_choices().is_empty());
    /// # Ok::<(), isx_taskset::InvalidTaskSet>(())
    /// ```
    pub fn repeated_choices(&self) -> Vec<RepeatedChoice<'_>> {
        let mut places: HashMap<(&str, &Rational), usize> = HashMap::new();
        let mut found: Vec<RepeatedChoice> = Vec::new();
        for task in self.tasks.iter().filter(|_| self.is_one_area()) {
            // A choice that is no faster than software is never taken, so never charged.
            let charged = |choice: &&Choice| {
                choice.uses.is_empty() && !choice.cost[0].is_zero() && choice.wcets[0] < task.wcets[0]
            };
            for choice in task.choices.iter().filter(charged) {
                let area = &choice.cost[0];
                let place = *places.entry((&choice.name, area)).or_insert(found.len());
                match found.get_mut(place) {
                    Some(repeated) => repeated.tasks.push(&task.name),
                    None => {
                        let tasks = vec![task.name.as_str()];
                        found.push(RepeatedChoice { choice: &choice.name, area, tasks });
                    }
                }
            }
        }
        found.retain(|repeated| repeated.tasks.len() > 1);
        found
    }
}
