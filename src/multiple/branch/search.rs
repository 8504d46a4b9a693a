//! The search: nodes, bounds and the best distribution found.

use super::fills::Key;
use super::merged::{Selection, select};
use super::split::split;
use isx_engine::{Context, EngineError};
use isx_partition::{Budget, Stopped};
use isx_problems::multiple::Item;

/// In place of a knapsack: the item is in none.
pub(super) const FREE: u32 = u32::MAX;

/// Steps of a try to distribute the best selection of all knapsacks as one: at the root, and below it.
const SPLIT_STEPS: [u64; 2] = [20_000_000, 20_000];

/// Steps that a knapsack problem counts for beside its own work.
const SELECT_STEPS: u64 = 5_000;

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
    context: &'a Context<'a>,
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
        let filled = Vec::new();
        Self { items, capacities, knapsack_of: free, filled, best, bound, looked_at: 0, budget, context }
    }

    /// Searches all distributions.
    pub(super) fn run(&mut self) -> Result<(), Ended> {
        self.bound = self.relaxed(self.room(0));
        self.one_after_the_other((0..self.capacities.len()).rev())?;
        self.one_after_the_other(0..self.capacities.len())?;
        self.node(0, 0)
    }

    /// The room of the knapsacks from this one on.
    pub(super) fn room(&self, knapsack: usize) -> u64 {
        self.capacities[knapsack..].iter().fold(0, |room, &capacity| room.saturating_add(capacity))
    }

    /// The most profit of free items within this room if parts of items could be taken, rounded down.
    pub(super) fn relaxed(&self, mut room: u64) -> i128 {
        let mut profit = 0;
        for (item, _) in self.items.iter().zip(&self.knapsack_of).filter(|(_, knapsack)| **knapsack == FREE) {
            if item.weight > room {
                let (weight, room) = (i128::from(item.weight), i128::from(room));
                return profit + item.profit / weight * room + item.profit % weight * room / weight;
            }
            room -= item.weight;
            profit += item.profit;
        }
        profit
    }

    /// The best selection of free items for this room, as indices of all items.
    fn select(&mut self, room: u64) -> Result<Selection, Ended> {
        let free: Vec<u32> =
            (0u32..).zip(&self.knapsack_of).filter(|(_, at)| **at == FREE).map(|(item, _)| item).collect();
        let items: Vec<Item> = free.iter().map(|&at| self.items[at as usize]).collect();
        self.budget.spend(SELECT_STEPS + 20 * items.len() as u64)?;
        let mut selection = select(items, room, self.context.machine)?;
        self.looked_at += 1;
        self.budget.spend(selection.updates.min(self.budget.left()))?;
        selection.chosen.iter_mut().for_each(|at| *at = free[*at as usize]);
        Ok(selection)
    }

    /// A first distribution: each knapsack in this order takes the best of what is left.
    fn one_after_the_other(&mut self, order: impl Iterator<Item = usize>) -> Result<(), Ended> {
        let mut profit = 0;
        for knapsack in order {
            let selection = self.select(self.capacities[knapsack])?;
            profit += selection.profit;
            selection.chosen.iter().for_each(|&at| self.knapsack_of[at as usize] = knapsack as u32);
        }
        if profit > self.best.profit {
            self.best = Best { profit, knapsack_of: self.knapsack_of.clone() };
        }
        self.knapsack_of.fill(FREE);
        Ok(())
    }

    /// Searches the contents of the knapsacks from this one on; those before it have this profit.
    pub(super) fn node(&mut self, knapsack: usize, profit: i128) -> Result<(), Ended> {
        self.budget.spend(self.items.len() as u64)?;
        let room = self.room(knapsack);
        if profit + self.relaxed(room) <= self.best.profit {
            return Ok(());
        }
        let selection = self.select(room)?;
        if knapsack == 0 {
            self.bound = self.bound.min(selection.profit);
        }
        if profit + selection.profit <= self.best.profit || self.is_split(knapsack, profit, selection)? {
            return Ok(());
        }
        self.fill(knapsack, profit)
    }

    /// Tries to distribute a selection for all knapsacks from this one on; if it fits, it is the best here.
    fn is_split(&mut self, knapsack: usize, profit: i128, selection: Selection) -> Result<bool, Ended> {
        let Selection { mut chosen, profit: more, .. } = selection;
        chosen.sort_by_key(|&at| (std::cmp::Reverse(self.items[at as usize].weight), at));
        let weights: Vec<u64> = chosen.iter().map(|&at| self.items[at as usize].weight).collect();
        let capacities = &self.capacities[knapsack..];
        let steps = match capacities {
            [_] => u64::MAX,
            _ => SPLIT_STEPS[usize::from(knapsack > 0)],
        };
        let found = self.budget.share(steps, |part| split(&weights, capacities, part));
        // The try ended, or everything.
        self.budget.spend(0)?;
        let Ok(Some(found)) = found else { return Ok(false) };
        let mut knapsack_of = self.knapsack_of.clone();
        for (&at, within) in chosen.iter().zip(found) {
            knapsack_of[at as usize] = knapsack as u32 + within;
        }
        self.best = Best { profit: profit + more, knapsack_of };
        Ok(true)
    }
}
