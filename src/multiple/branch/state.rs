//! What the parts of the search share: the problem, the path to a node, and the best distribution found.

use isx_engine::{Context, EngineError};
use isx_partition::{Budget, Stopped};
use isx_problems::multiple::Item;
use std::cmp::Reverse;

/// In place of a knapsack: the item is in none.
pub(super) const FREE: u32 = u32::MAX;

/// What a knapsack holds, as far as it decides which of two equally good distributions is looked for: its weight, its
/// profit, its number of items and the sum of their places.
pub(super) type Key = (u64, i128, Reverse<usize>, Reverse<u64>);

/// Why a search did not finish.
pub(super) enum Ended {
    /// Its steps or its time ended.
    Stopped,
    /// A knapsack problem was not solved.
    Failed(EngineError),
}

impl From<Stopped> for Ended {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl From<EngineError> for Ended {
    fn from(error: EngineError) -> Self {
        Self::Failed(error)
    }
}

/// A distribution.
pub(super) struct Best {
    pub profit: i128,
    pub knapsack_of: Vec<u32>,
}

pub(super) struct Search<'a> {
    /// The most profit per weight first.
    pub items: &'a [Item],
    /// The smallest first.
    pub capacities: &'a [u64],
    /// For each knapsack the room of it and those after it, at most `u64::MAX`; then 0.
    pub rooms: Vec<u64>,
    /// The first knapsack that each item fits.
    pub first: Vec<usize>,
    /// Whether this is the whole problem, not a part of it.
    pub is_whole: bool,
    /// The knapsack of every item on the path to this node, or [`FREE`].
    pub knapsack_of: Vec<u32>,
    /// What the knapsacks before hold.
    pub filled: Vec<Key>,
    pub best: Best,
    /// No distribution has more profit.
    pub bound: i128,
    /// Sets of items and knapsack problems looked at.
    pub looked_at: u64,
    pub budget: &'a Budget<'a>,
    pub context: &'a Context<'a>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        items: &'a [Item],
        capacities: &'a [u64],
        context: &'a Context<'a>,
        budget: &'a Budget<'a>,
    ) -> Self {
        let free = vec![FREE; items.len()];
        let bound = items.iter().map(|item| item.profit).sum();
        let best = Best { profit: 0, knapsack_of: free.clone() };
        let mut rooms = vec![0u64; capacities.len() + 1];
        for (at, &capacity) in capacities.iter().enumerate().rev() {
            rooms[at] = rooms[at + 1].saturating_add(capacity);
        }
        let first = |item: &Item| capacities.partition_point(|&capacity| capacity < item.weight);
        Self {
            items,
            capacities,
            rooms,
            first: items.iter().map(first).collect(),
            is_whole: true,
            knapsack_of: free,
            filled: Vec::new(),
            best,
            bound,
            looked_at: 0,
            budget,
            context,
        }
    }
}
