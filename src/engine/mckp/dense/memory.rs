//! Which rows are kept, so that the tables stay within the memory allowed.
//!
//! The traceback needs the rows from the last to the first. Where they do not all fit, some are kept as
//! checkpoints and the others computed again from them: with room for s rows and each row computed at most t
//! times, up to `f(s, t) = f(s-1, t) + f(s, t-1)` layers can be gone back through, where f(s, 1) = s and
//! f(1, t) = 1, that is `f(s, t) = C(s+t-1, t)`: a checkpoint after the first layers leaves s - 1 rows for those
//! behind it, and then s rows again for those before it. (A. Griewank, "Achieving logarithmic growth of temporal
//! and spatial complexity in reverse automatic differentiation", Optimization Methods and Software 1(1), 1992.)
//!
//! Worked instance: 10 layers, room for 4 rows. f(4, 2) = 10, so every row is computed at most twice: the first
//! checkpoint comes after 10 - f(3, 2) = 4 layers.

use super::bound::Tangent;
use super::row::{STRIP, TILE};
use super::strip::{Ready, Scratch};
use crate::engine::mckp::Wanted;
use crate::engine::mckp::cell_picks::CellPicks;
use crate::problem::value::Value;
use crate::reduce::mckp::Reduced;

/// What is kept and what all tables take together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Rows that may be held beside the first.
    pub rows: usize,
    /// Bytes of all tables at their peak.
    pub bytes: u64,
}

impl Memory {
    /// The fastest way that stays within `allowed` bytes; where there is none, the one that takes least.
    pub fn plan<V: Value>(problem: &Reduced<V>, wanted: Wanted, threads: usize, allowed: u64) -> Self {
        let layers = problem.classes.len();
        let row = |reach: u64| reach.saturating_add(2 * TILE as u64).saturating_mul(size_of::<V>() as u64);
        let reach = problem.reach();
        let longest = row(reach.last().copied().unwrap_or(0));
        let fixed = beside_rows(problem, &reach, wanted, threads).saturating_add(longest);
        if wanted == Wanted::Values {
            let rows = layers.min(2);
            return Self { rows, bytes: fixed.saturating_add(longest.saturating_mul(rows as u64)) };
        }
        let all = reach.iter().fold(fixed, |sum, &reach| sum.saturating_add(row(reach)));
        if all.saturating_add(longest) <= allowed {
            return Self { rows: layers, bytes: all.saturating_add(longest) };
        }
        let fitting = (allowed.saturating_sub(fixed) / longest) as usize;
        let rows = fitting.clamp(layers.min(2), layers);
        Self { rows, bytes: fixed.saturating_add(longest.saturating_mul(rows as u64)) }
    }
}

/// Bytes of all tables but rows: the answer, its items, marks, and working memory.
fn beside_rows<V: Value>(problem: &Reduced<V>, reach: &[u64], wanted: Wanted, threads: usize) -> u64 {
    let cells = reach.last().copied().unwrap_or(0).saturating_add(TILE as u64);
    let cell = size_of::<V>() as u64;
    let items = || problem.classes.iter().map(|class| class.items.len());
    let heaviest = problem.classes.iter().flat_map(|class| &class.items).map(|item| item.weight).max();
    let largest = items().max().unwrap_or(0) as u64;
    let mut scratch = Scratch::most_bytes(cell, heaviest.unwrap_or(0).min(cells), largest);
    let mut sum = cells.saturating_mul(8 + cell);
    sum = sum.saturating_add((items().sum::<usize>() * size_of::<Ready>()) as u64);
    let strips = (cells / STRIP as u64 + 1).saturating_mul(size_of::<Option<Tangent>>() as u64);
    sum = sum.saturating_add(strips.saturating_mul(reach.len() as u64));
    if wanted == Wanted::AllPicks {
        let marks = cells / 8 + 64;
        scratch = scratch.saturating_add(marks);
        sum = sum.saturating_add(marks).saturating_add(cells.saturating_mul(8));
        for (reach, items) in reach.iter().zip(items()) {
            sum = sum.saturating_add(CellPicks::most_bytes(reach.saturating_add(TILE as u64), items));
        }
    }
    sum.saturating_add(scratch.saturating_mul(threads as u64))
}

/// How many of `layers` layers to compute up to the next checkpoint, with room for `rows` rows (at least 2).
pub fn next_checkpoint(layers: usize, rows: usize) -> usize {
    let (layers, rows) = (layers as u128, rows as u128);
    let (mut times, mut most) = (1, rows);
    while most < layers {
        times += 1;
        most = most.saturating_mul(rows + times - 1) / times;
    }
    // f(s-1, t) = f(s, t) (s-1) / (s+t-1)
    let behind = (most.saturating_mul(rows - 1) / (rows + times - 1)).min(layers - 1);
    (layers - behind) as usize
}

/// How many layers are computed in all to go back through `layers` layers with room for `rows` rows.
pub fn layers_computed(layers: usize, rows: usize) -> u64 {
    let (mut sum, mut left) = (0, vec![(layers, rows)]);
    while let Some((layers, rows)) = left.pop() {
        if layers <= rows {
            sum += layers as u64;
        } else {
            let first = next_checkpoint(layers, rows);
            sum += first as u64;
            left.extend([(layers - first, rows - 1), (first, rows)]);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worked_instance_is_split_as_told() {
        assert_eq!(next_checkpoint(10, 4), 4);
        // No more than twice each; one layer is computed once.
        assert_eq!(layers_computed(10, 4), 19);
    }

    #[test]
    fn every_split_can_be_carried_out() {
        for layers in 1..120 {
            for rows in layers.min(2)..=layers {
                let computed = layers_computed(layers, rows);
                assert!(computed >= layers as u64);
                assert!(computed <= (layers * layers) as u64, "{layers} layers, {rows} rows: {computed}");
            }
        }
    }
}
