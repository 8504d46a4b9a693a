//! Whether a row of numbers is dominated: whether one seen before has no number larger.
//!
//! Rows come in an order in which their first number never falls, so that it needs no comparison. Of a row the *tail*
//! (the numbers between first and last) and the last, its *value*, are kept. For every sum of a binary indexed tree
//! over all but one number of the tail (P. Fenwick, "A new data structure for cumulative frequency tables", Software:
//! Practice and Experience 24, 1994) there is a staircase: the least values over the remaining number. A question looks
//! at a staircase for every one-bit of the numbers. Longer tails are compared row by row, in pages of which the least numbers
//! are compared first.
//!
//! Worked instance: rows (0, 3, 9), (1, 2, 9), (1, 1, 12) as (first, tail, value). The staircase is 1 -> 12, 2 -> 9;
//! (2, 3, 10) is dominated, since 2 -> 9 has no more of either, and (2, 1, 11) is not.

use std::collections::{BTreeMap, HashMap};

/// The longest tail with staircases.
const LONGEST: usize = 3;

/// Rows seen so far.
#[derive(Clone, Debug)]
pub struct Undominated {
    /// The largest number at every place of the tail.
    most: Vec<u64>,
    /// By node of the tree: over the last number of the tail, least values and the rows that have them.
    staircases: HashMap<[u128; LONGEST - 1], BTreeMap<u64, (u64, usize)>>,
    /// All rows, if the tail is too long.
    pages: Vec<Page>,
    /// The least value, and the row that has it, if there is no tail.
    least: Option<(u64, usize)>,
}

/// Some rows.
#[derive(Clone, Debug)]
struct Page {
    /// The least of their tails, number by number, and of their values.
    least: (Vec<u64>, u64),
    /// Tail, value, number.
    rows: Vec<(Vec<u64>, u64, usize)>,
}

/// The most rows of a page.
const PAGE: usize = 32;

fn is_at_most(own: &[u64], least: u64, tail: &[u64], value: u64) -> bool {
    least <= value && own.iter().zip(tail).all(|(own, other)| own <= other)
}

impl Undominated {
    /// No rows, whose tails have at most these numbers.
    pub fn new(most: &[u64]) -> Self {
        Self { most: most.to_vec(), staircases: HashMap::new(), pages: Vec::new(), least: None }
    }

    /// The number of a row that has no number larger than this one, if there is one.
    pub fn dominating(&self, tail: &[u64], value: u64) -> Option<usize> {
        if tail.is_empty() {
            return self.least.filter(|(least, _)| *least <= value).map(|(_, number)| number);
        }
        if self.most.len() > LONGEST {
            let may = |page: &&Page| is_at_most(&page.least.0, page.least.1, tail, value);
            let mut rows = self.pages.iter().filter(may).flat_map(|page| &page.rows);
            let found = rows.find(|(own, least, _)| is_at_most(own, *least, tail, value));
            return found.map(|(.., number)| *number);
        }
        let (last, others) = tail.split_last().map_or((0, tail), |(last, others)| (*last, others));
        let mut found = None;
        let down = |node: u128, _| node & (node - 1);
        self.each_node(others, &down, &mut |node| {
            let least = self.staircases.get(node).and_then(|stairs| stairs.range(..=last).next_back());
            found = least.filter(|(_, (least, _))| *least <= value).map(|(_, (_, number))| *number);
            found.is_none()
        });
        found
    }

    /// Adds a row, which is called `number`; returns at most how many bytes that takes.
    pub fn insert(&mut self, tail: &[u64], value: u64, number: usize) -> u64 {
        if tail.is_empty() {
            self.least = self.least.filter(|(least, _)| *least <= value).or(Some((value, number)));
            return 0;
        }
        if self.most.len() > LONGEST {
            if self.pages.last().is_none_or(|page| page.rows.len() == PAGE) {
                self.pages.push(Page { least: (tail.to_vec(), value), rows: Vec::with_capacity(PAGE) });
            }
            if let Some(page) = self.pages.last_mut() {
                page.least.0.iter_mut().zip(tail).for_each(|(least, number)| *least = (*number).min(*least));
                page.least.1 = page.least.1.min(value);
                page.rows.push((tail.to_vec(), value, number));
            }
            return 96 + 24 * tail.len() as u64;
        }
        let (last, others) = tail.split_last().map_or((0, tail), |(last, others)| (*last, others));
        let mut staircases = std::mem::take(&mut self.staircases);
        let (before, mut stairs_added) = (staircases.len(), 0);
        let up = |node: u128, most: u64| {
            let next = node + (node & node.wrapping_neg());
            if next > u128::from(most) + 1 { 0 } else { next }
        };
        self.each_node(others, &up, &mut |node| {
            let stairs = staircases.entry(*node).or_default();
            if stairs.range(..=last).next_back().is_none_or(|(_, (least, _))| *least > value) {
                while let Some((&at, _)) = stairs.range(last..).next().filter(|(_, (more, _))| *more >= value)
                {
                    stairs.remove(&at);
                }
                stairs.insert(last, (value, number));
                stairs_added += 1;
            }
            true
        });
        self.staircases = staircases;
        500 * (self.staircases.len() - before) as u64 + 64 * stairs_added
    }

    /// The most steps of an answer or of adding a row, of about a nanosecond each.
    pub fn steps(&self) -> u64 {
        if self.most.is_empty() {
            return 5;
        }
        if self.most.len() > LONGEST {
            let rows = PAGE as u64 * self.pages.len() as u64;
            return 50 + rows.saturating_mul(5 + self.most.len() as u64);
        }
        200 * self.nodes()
    }

    /// The most nodes of a row.
    fn nodes(&self) -> u64 {
        let others = self.most.iter().rev().skip(1);
        others.map(|most| u64::from(65 - most.leading_zeros())).product()
    }

    /// Calls `visit` for every node of these numbers until it returns false; `next` leads from a node to the next, or
    /// to 0.
    fn each_node(
        &self,
        numbers: &[u64],
        next: &dyn Fn(u128, u64) -> u128,
        visit: &mut dyn FnMut(&[u128; LONGEST - 1]) -> bool,
    ) {
        let start = |at: usize| numbers.get(at).map_or(0, |&number| u128::from(number) + 1);
        let mut node = [start(0), start(1)];
        loop {
            if !visit(&node) {
                return;
            }
            // Works like an odometer.
            let turned = (0..numbers.len()).find(|&at| {
                node[at] = next(node[at], self.most[at]);
                let turns = node[at] > 0;
                if !turns {
                    node[at] = start(at);
                }
                turns
            });
            if turned.is_none() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers below `below`, from a linear congruential generator.
    fn random(state: &mut u64, below: u64) -> u64 {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*state >> 33) % below
    }

    #[test]
    fn the_worked_instance_is_as_stated() {
        let mut seen = Undominated::new(&[9]);
        for (number, (tail, value)) in [(3, 9), (2, 9), (1, 12)].into_iter().enumerate() {
            assert_eq!(seen.dominating(&[tail], value), None);
            seen.insert(&[tail], value, number);
        }
        assert_eq!(seen.dominating(&[3], 10), Some(1));
        assert_eq!(seen.dominating(&[1], 11), None);
    }

    #[test]
    fn a_row_is_dominated_where_one_before_has_no_number_larger() {
        let (mut found, mut none) = (0, 0);
        for seed in 0..600 {
            let state = &mut (seed + 1);
            let columns = random(state, 6) as usize;
            // Also the largest numbers there are.
            let top = [3, 9, u64::MAX][random(state, 3) as usize];
            let number = |state: &mut u64| top - random(state, 4);
            let mut seen = Undominated::new(&vec![top; columns]);
            let mut rows: Vec<(Vec<u64>, u64)> = Vec::new();
            for at in 0..40 {
                let row: Vec<u64> = (0..columns).map(|_| number(state)).collect();
                let value = number(state);
                let beats = |(other, least): &(Vec<u64>, u64)| {
                    *least <= value && other.iter().zip(&row).all(|(other, own)| other <= own)
                };
                match seen.dominating(&row, value) {
                    Some(by) => assert!(beats(&rows[by]), "seed {seed}"),
                    None => assert!(!rows.iter().any(beats), "seed {seed}"),
                }
                *(if rows.iter().any(beats) { &mut found } else { &mut none }) += 1;
                seen.insert(&row, value, at);
                rows.push((row, value));
            }
        }
        assert!(found > 5_000 && none > 2_000, "{found} {none}");
    }
}
