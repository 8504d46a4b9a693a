//! Many 0-1 knapsack problems in flat arrays.

use super::{Item, Knapsack};
use crate::mckp::{self, Choice, One};

/// Problems one after the other, profits in 64 bits. An item is a class that gives it or nothing, so that batches of
/// both families are one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    classes: mckp::Batch,
}

impl Default for Batch {
    fn default() -> Self {
        Self { classes: mckp::Batch::new(Choice::Optional) }
    }
}

impl Batch {
    /// Adds a problem of (profit, weight) items.
    ///
    /// ```
    /// use isx_problems::knapsack::Batch;
    /// let mut batch = Batch::default();
    /// batch.problem([(3, 2), (9, 6)], 7);
    /// assert_eq!((batch.len(), batch.get(0).items.len()), (1, 2));
    /// ```
    pub fn problem(&mut self, items: impl IntoIterator<Item = (i64, u64)>, capacity: u64) {
        for item in items {
            self.classes.class([item]);
        }
        self.classes.problem(capacity);
    }

    /// How many problems there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// The same problems with a class an item.
    #[must_use]
    pub fn as_classes(&self) -> &mckp::Batch {
        &self.classes
    }

    /// A problem by itself.
    ///
    /// # Panics
    ///
    /// If there is no such problem.
    #[must_use]
    pub fn get(&self, at: usize) -> Knapsack {
        alone(&self.classes.get(at))
    }
}

/// The 0-1 problem of classes of one item each.
fn alone(problem: &One<'_>) -> Knapsack {
    let (profits, weights) = problem.items();
    let item = |(&profit, &weight): (&i64, &u64)| Item { profit: profit.into(), weight };
    Knapsack { items: profits.iter().zip(weights).map(item).collect(), capacity: problem.capacity }
}
