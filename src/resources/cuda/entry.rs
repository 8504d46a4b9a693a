//! The entries of a step, and how the kernels read them.

use std::ops::Range;

/// The most resources that the kernels' tables can have.
pub const DIMENSIONS: usize = 6;

/// An item taken in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub value: i64,
    /// The state before.
    pub state: u32,
    /// Its position in its class.
    pub item: u32,
    pub cost: [u32; DIMENSIONS],
}

impl Entry {
    /// As the kernels read it.
    pub fn words(&self) -> [i64; 5] {
        let pair = |low: u32, high: u32| i64::from(low) | i64::from(high) << 32;
        let cost = &self.cost;
        let costs = [pair(cost[0], cost[1]), pair(cost[2], cost[3]), pair(cost[4], cost[5])];
        [self.value, pair(self.state, self.item), costs[0], costs[1], costs[2]]
    }
}

/// A class: its entries, state after state.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// In the order of their items.
    pub entries: Vec<Entry>,
    /// Where the entries of each state begin, and the end.
    pub starts: Vec<u32>,
}

impl Step {
    /// The states after it.
    pub fn states(&self) -> usize {
        self.starts.len() - 1
    }

    /// The entries of a state.
    pub fn range(&self, state: usize) -> Range<usize> {
        self.starts[state] as usize..self.starts[state + 1] as usize
    }

    /// The entries of each state in the order of the rows that they read.
    pub fn by_row(&self) -> Vec<Entry> {
        let mut entries = self.entries.clone();
        for state in 0..self.states() {
            entries[self.range(state)]
                .sort_by_key(|entry| (entry.state, entry.cost[1..].to_vec(), entry.cost[0]));
        }
        entries
    }
}
