//! A list of pairs of area and cost, the same blocks behind all.

use crate::cost::Cost;
use crate::sharing::BlockSet;

/// Pairs with the same blocks: areas strictly increasing, costs strictly decreasing.
#[derive(Clone, Debug)]
pub struct Group<C> {
    /// Blocks that are paid for and can still be used.
    pub blocks: BlockSet,
    /// Areas.
    pub areas: Vec<u64>,
    /// Costs above the minimum.
    pub costs: Vec<C>,
}

impl<C: Cost> Group<C> {
    /// Whether some pair has at most this area and at most this cost.
    pub fn covers(&self, area: u64, cost: &C) -> bool {
        let at = self.areas.partition_point(|&other| other <= area);
        at > 0 && self.costs[at - 1] <= *cost
    }
}
