//! The sets of items that one knapsack may hold, without those that others dominate.
//!
//! Of several best distributions there is one whose first knapsack has the greatest *key*, whose second has the greatest
//! among those, and so on: the weight of a knapsack, then its profit, then as few items as possible, then those with the
//! most profit per weight. The search needs to find only that one. So the set B of a knapsack is not taken if
//!
//! - an item that is in none of the knapsacks up to this one would still fit (*maximal*);
//! - such an item j can take the place of one or two items of B that weigh no more, and have no more profit, than j: they
//!   in turn can take the place of j, wherever that is (Martello and Toth's dominance);
//! - a knapsack before could hold B, and B has the greater key: the two sets could be exchanged (*symmetry*).
//!
//! Items are tried in order of profit per weight, first with an item, then without. An item i that comes after j, and
//! weighs no more, has no more profit either: once j is left out and i is taken, less than w_j - w_i may stay empty, and
//! less than w_j in any case. That limit cuts the search as soon as the items left cannot fill the knapsack so far.
//!
//! Worked instance: capacity 9, weights 5, 4, 3, profits 10, 7, 5: {5, 4}. Without 4, {5, 3} leaves 1, and 4 - 3 = 1 is not
//! more than that: dominated. Without 5, {4, 3} leaves 2, and 5 - 4 = 1 is not more. One set is left.

use super::relaxed::relaxed;
use super::state::{Ended, FREE, Search};
use isx_problems::multiple::Item;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Pairs of items are compared with items left out in knapsacks of up to this many items.
const MOST_PAIRED: usize = 40;

/// The way to one set: an entry per free item that is decided.
struct Way<'a> {
    items: &'a [Item],
    free: &'a [usize],
    /// Whether the item is taken, and the limit before.
    decided: Vec<(bool, u64)>,
    /// What is left of the capacity.
    left: u64,
    profit: i128,
    /// Less than this must stay empty.
    limit: u64,
    /// The weights of items that are left out, and how many have each.
    left_out: BTreeMap<u64, u32>,
    /// The weight of the free items from each place on, at most `u64::MAX`.
    after: Vec<u64>,
}

impl<'a> Way<'a> {
    fn new(items: &'a [Item], free: &'a [usize], capacity: u64, profit: i128) -> Self {
        let mut after = vec![0u64; free.len() + 1];
        for (at, &item) in free.iter().enumerate().rev() {
            after[at] = after[at + 1].saturating_add(items[item].weight);
        }
        let (decided, left_out) = (Vec::with_capacity(free.len()), BTreeMap::new());
        Self { items, free, decided, left: capacity, profit, limit: u64::MAX, left_out, after }
    }

    /// The next item to decide on.
    fn next(&self) -> Option<usize> {
        self.free.get(self.decided.len()).copied()
    }

    /// Whether so much must stay empty that another set is as good.
    fn is_dominated(&self) -> bool {
        self.left.saturating_sub(self.after[self.decided.len()]) >= self.limit
    }

    /// Takes the next item if that fits and makes sense, else leaves it out; returns whether it is taken.
    fn decide(&mut self, item: usize) -> bool {
        let Item { weight, profit } = self.items[item];
        // The least weight left out that is not below.
        let above = self.left_out.range(weight..).next().map(|(above, _)| above - weight);
        if weight > self.left || above == Some(0) {
            self.leave_out(weight);
            return false;
        }
        self.decided.push((true, self.limit));
        self.limit = self.limit.min(above.unwrap_or(u64::MAX));
        self.left -= weight;
        self.profit += profit;
        true
    }

    fn leave_out(&mut self, weight: u64) {
        self.decided.push((false, self.limit));
        self.limit = self.limit.min(weight);
        *self.left_out.entry(weight).or_insert(0) += 1;
    }

    /// Goes back to the last item taken, which is left out now; returns it, if there is one.
    fn back(&mut self) -> Option<usize> {
        loop {
            let (is_taken, limit) = self.decided.pop()?;
            self.limit = limit;
            let item = self.free[self.decided.len()];
            let Item { weight, profit } = self.items[item];
            if is_taken {
                self.left += weight;
                self.profit -= profit;
                self.leave_out(weight);
                return Some(item);
            }
            if let Some(count) = self.left_out.get_mut(&weight) {
                *count -= 1;
                if *count == 0 {
                    self.left_out.remove(&weight);
                }
            }
        }
    }

    /// The items taken, and those left out.
    fn sets(&self) -> (Vec<usize>, Vec<usize>) {
        let pairs = self.free.iter().zip(&self.decided);
        let (taken, left_out): (Vec<_>, Vec<_>) = pairs.partition(|(_, (is_taken, _))| *is_taken);
        let items = |pairs: Vec<(&usize, _)>| pairs.into_iter().map(|(&item, _)| item).collect();
        (items(taken), items(left_out))
    }
}

impl Search<'_> {
    /// Searches all sets of this knapsack, and below each the knapsacks after it.
    pub(super) fn fill(&mut self, knapsack: usize, profit: i128) -> Result<(), Ended> {
        let free: Vec<usize> = (0..self.items.len()).filter(|&at| self.knapsack_of[at] == FREE).collect();
        let mut way = Way::new(self.items, &free, self.capacities[knapsack], profit);
        loop {
            let mut is_dominated = way.is_dominated();
            while let Some(item) = way.next().filter(|_| !is_dominated) {
                if way.decide(item) {
                    self.knapsack_of[item] = knapsack as u32;
                }
                is_dominated = way.is_dominated();
                self.budget.spend(4)?;
            }
            if !is_dominated {
                self.below(knapsack, &way)?;
            }
            loop {
                let Some(item) = way.back() else { return Ok(()) };
                self.knapsack_of[item] = FREE;
                self.budget.spend(4)?;
                if way.is_dominated() {
                    continue;
                }
                self.budget.spend(free.len() as u64)?;
                // Items are in the order of their decisions.
                let decided = free.get(way.decided.len()).copied().unwrap_or(self.items.len());
                let left = way.left.min(way.after[way.decided.len()]);
                if way.profit + relaxed(self, knapsack, left, |at| at >= decided) > self.best.profit {
                    break;
                }
            }
        }
    }

    /// Searches below one set, unless another is as good.
    fn below(&mut self, knapsack: usize, way: &Way) -> Result<(), Ended> {
        self.looked_at += 1;
        let (taken, left_out) = way.sets();
        let sum = |part: fn(&Item) -> i128| -> i128 { taken.iter().map(|&at| part(&self.items[at])).sum() };
        let weight = self.capacities[knapsack] - way.left;
        let places: u64 = taken.iter().map(|&at| at as u64).sum();
        let key = (weight, sum(|item| item.profit), Reverse(taken.len()), Reverse(places));
        let mut before = self.filled.iter().zip(self.capacities);
        if before.any(|(other, &capacity)| weight <= capacity && key > *other) {
            return Ok(());
        }
        self.budget.spend((left_out.len() * taken.len()) as u64)?;
        if left_out.iter().any(|&other| self.replaces_one(other, &taken, way.left)) {
            return Ok(());
        }
        if taken.len() <= MOST_PAIRED {
            self.budget.spend((left_out.len() * taken.len() * taken.len() / 2) as u64)?;
            if left_out.iter().any(|&other| self.replaces_two(other, &taken, way.left)) {
                return Ok(());
            }
        }
        self.filled.push(key);
        let searched = self.node(knapsack + 1, way.profit);
        self.filled.pop();
        searched
    }

    /// Whether an item can take the place of one of those taken.
    fn replaces_one(&self, other: usize, taken: &[usize], left: u64) -> bool {
        let Item { weight, profit } = self.items[other];
        taken.iter().any(|&at| {
            let item = &self.items[at];
            let is_better = item.weight < weight || item.profit < profit || other < at;
            item.weight <= weight && item.profit <= profit && weight - item.weight <= left && is_better
        })
    }

    /// Whether an item can take the place of two of those taken.
    fn replaces_two(&self, other: usize, taken: &[usize], left: u64) -> bool {
        let Item { weight, profit } = self.items[other];
        let fits = |a: usize, b: usize| {
            let (a, b) = (&self.items[a], &self.items[b]);
            let both = a.weight + b.weight;
            both <= weight && a.profit + b.profit <= profit && weight - both <= left
        };
        taken.iter().enumerate().any(|(at, &a)| taken[at + 1..].iter().any(|&b| fits(a, b)))
    }
}
