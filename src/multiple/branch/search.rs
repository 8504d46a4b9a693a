//! The search: nodes, their bounds, and first distributions.

use super::merged::{Selection, select};
use super::relaxed::relaxed;
use super::split::split;
use super::state::{Best, Ended, FREE, Search};
use isx_problems::multiple::Item;

/// Steps of a try to distribute the best selection of all knapsacks as one: at the root, and below it.
const SPLIT_STEPS: [u64; 2] = [20_000_000, 20_000];

/// Steps that a knapsack problem counts for beside its own work.
const SELECT_STEPS: u64 = 5_000;

impl Search<'_> {
    /// Searches all distributions.
    pub(super) fn run(&mut self) -> Result<(), Ended> {
        self.bound = self.relaxed(0);
        self.one_after_the_other((0..self.capacities.len()).rev())?;
        self.one_after_the_other(0..self.capacities.len())?;
        self.node(0, 0)
    }

    /// No distribution of free items among the knapsacks from this one on has more profit than this.
    fn relaxed(&self, knapsack: usize) -> i128 {
        let room = self.capacities.get(knapsack).copied().unwrap_or(0);
        relaxed(self, knapsack, room, |_| true)
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
        if profit + self.relaxed(knapsack) <= self.best.profit {
            return Ok(());
        }
        let selection = self.select(self.rooms[knapsack])?;
        if knapsack == 0 {
            self.bound = self.bound.min(selection.profit);
        }
        if profit + selection.profit <= self.best.profit || self.is_split(knapsack, profit, selection)? {
            return Ok(());
        }
        if knapsack == 0 && self.is_whole {
            self.improve()?;
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
