//! A list of pairs of area and cost, in groups with the same blocks behind all.

use crate::cost::Cost;

/// The groups of a list, one after the other.
#[derive(Debug)]
pub struct Groups<C> {
    /// The blocks of every group, that are paid for and can still be used: as many words each.
    pub sets: Vec<u64>,
    /// Where the pairs of every group end.
    pub ends: Vec<usize>,
    /// Areas.
    pub areas: Vec<u64>,
    /// Costs above the minimum.
    pub costs: Vec<C>,
}

/// Pairs with the same blocks: areas strictly increasing, costs strictly decreasing.
#[derive(Debug)]
pub struct Group<'a, C> {
    pub areas: &'a [u64],
    pub costs: &'a [C],
    /// The number of pairs that were passed over.
    reached: usize,
}

impl<C> Groups<C> {
    /// The number of groups.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The blocks of a group.
    #[inline]
    pub fn set(&self, at: usize) -> &[u64] {
        let words = self.sets.len() / self.len();
        &self.sets[at * words..(at + 1) * words]
    }

    /// The pairs of a group.
    #[inline]
    pub fn group(&self, at: usize) -> Group<'_, C> {
        let pairs = at.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[at];
        Group { areas: &self.areas[pairs.clone()], costs: &self.costs[pairs], reached: 0 }
    }

    /// The number of the group with these blocks.
    pub fn find(&self, blocks: &[u64]) -> Option<usize> {
        if let [only] = blocks {
            return self.sets.binary_search(only).ok();
        }
        let (mut first, mut end) = (0, self.len());
        while first < end {
            let middle = usize::midpoint(first, end);
            if self.set(middle) < blocks { first = middle + 1 } else { end = middle }
        }
        (first < self.len() && self.set(first) == blocks).then_some(first)
    }
}

/// Pairs passed one by one before the others are searched.
const ONE_BY_ONE: usize = 8;

impl<C: Cost> Group<'_, C> {
    /// Whether some pair has at most this area and at most this cost. Areas must not decrease from call to call.
    #[inline]
    pub fn covers(&mut self, area: u64, cost: &C) -> bool {
        let near = self.reached + ONE_BY_ONE;
        while self.areas.get(self.reached).is_some_and(|&next| next <= area) {
            self.reached += 1;
            if self.reached == near {
                self.reached += self.areas[near..].partition_point(|&next| next <= area);
                break;
            }
        }
        self.costs[..self.reached].last().is_some_and(|least| least <= cost)
    }
}
