//! Makes a first distribution better before the search: two knapsacks at a time, with all items that are in none, are a
//! problem of their own, which is searched for some steps.

use super::state::{Ended, FREE, Search};
use isx_problems::multiple::Item;

/// Steps of a pair of knapsacks, and of all.
const PAIR_STEPS: u64 = 300_000;
const ALL_STEPS: u64 = 500_000_000;

impl Search<'_> {
    /// Tries all pairs until none gets better, or the steps for that end.
    pub(super) fn improve(&mut self) -> Result<(), Ended> {
        let count = self.capacities.len();
        if count < 3 {
            return Ok(());
        }
        let until = self.budget.left() - ALL_STEPS.min(self.budget.left() / 4);
        let pairs = || (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
        // Pairs that were tried since something changed.
        let mut same = 0;
        for (a, b) in pairs().cycle() {
            if same == count * (count - 1) / 2 || self.budget.left() <= until {
                return Ok(());
            }
            same = if self.improve_pair(a, b)? { 0 } else { same + 1 };
        }
        Ok(())
    }

    /// Searches what two knapsacks and the free items could be; returns whether they got better.
    fn improve_pair(&mut self, a: usize, b: usize) -> Result<bool, Ended> {
        self.budget.spend(self.items.len() as u64)?;
        let is_in = |at: &usize| [FREE, a as u32, b as u32].contains(&self.best.knapsack_of[*at]);
        let places: Vec<usize> = (0..self.items.len()).filter(is_in).collect();
        let items: Vec<Item> = places.iter().map(|&at| self.items[at]).collect();
        let taken = places.iter().filter(|&&at| self.best.knapsack_of[at] != FREE);
        let now: i128 = taken.map(|&at| self.items[at].profit).sum();
        let capacities = [self.capacities[a], self.capacities[b]];
        let context = self.context;
        let found = self.budget.share(PAIR_STEPS, |part| {
            let mut search = Search::new(&items, &capacities, context, part);
            search.is_whole = false;
            search.best.profit = now;
            match search.node(0, 0) {
                Err(Ended::Failed(error)) => Err(error),
                _ => Ok(search.best),
            }
        })?;
        if found.profit <= now {
            return Ok(false);
        }
        self.best.profit += found.profit - now;
        for (&at, &knapsack) in places.iter().zip(&found.knapsack_of) {
            self.best.knapsack_of[at] = match knapsack {
                0 => a as u32,
                1 => b as u32,
                _ => FREE,
            };
        }
        Ok(true)
    }
}
