//! The rows to store, so that the tables stay within the memory limit.
//!
//! The traceback needs the rows from the last to the first. If they do not all fit, some are stored as checkpoints
//! and the others are computed again from them: with room for s rows and each row computed at most t times, the
//! traceback can cover up to `f(s, t) = f(s-1, t) + f(s, t-1)` layers, where f(s, 1) = s and f(1, t) = 1, that is
//! `f(s, t) = C(s+t-1, t)`: a checkpoint after the first layers leaves s - 1 rows for those after it, and then s
//! rows again for those before it. (A. Griewank, "Achieving logarithmic growth of temporal and spatial complexity in
//! reverse automatic differentiation", Optimization Methods and Software 1(1), 1992.)
//!
//! Worked instance: 10 layers, room for 4 rows. f(4, 2) = 10, so every row is computed at most twice: the first
//! checkpoint comes after 10 - f(3, 2) = 4 layers.

use super::bound::{self, Tangent};
use super::row::{STRIP, TILE};
use super::scratch::CellItem;
use super::windows;
use crate::Wanted;
use crate::cell_picks::CellPicks;
use isx_problems::reduce::mckp::Reduced;
use isx_problems::value::Value;

/// The number of rows to store, and the memory of all tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Rows in memory besides the first.
    pub rows: usize,
    /// Bytes of all tables at their peak.
    pub bytes: u64,
}

impl Memory {
    /// The fastest choice within `allowed` bytes; if there is none, the one that takes the least memory.
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

/// Bytes of all tables except rows: the answer, its items, marks, and temporary buffers.
fn beside_rows<V: Value>(problem: &Reduced<V>, reach: &[u64], wanted: Wanted, threads: usize) -> u64 {
    let cells = reach.last().copied().unwrap_or(0).saturating_add(TILE as u64);
    let cell = size_of::<V>() as u64;
    let items = || problem.classes.iter().map(|class| class.items.len());
    let all_items = items().sum::<usize>() as u64;
    let heaviest = problem.heaviest().min(cells);
    let scratch = scratch_bytes(cell, heaviest, items().max().unwrap_or(0) as u64);
    let tangents = (cells / STRIP as u64 + 1).saturating_mul(size_of::<Option<Tangent>>() as u64);
    let mut parts = vec![
        cells.saturating_mul(8 + cell),
        // The marks of the points.
        cells / 8 + 64,
        all_items.saturating_mul((size_of::<CellItem>() + bound::ITEM_BYTES) as u64),
        tangents.saturating_mul(reach.len() as u64),
        scratch.saturating_mul(threads as u64),
    ];
    if wanted == Wanted::AllPicks {
        let starts = cells.saturating_mul(8);
        parts.extend([starts, cells / 8 + 64, windows::most_bytes(cells, heaviest, threads)]);
        let picks =
            |(&reach, items): (&u64, usize)| CellPicks::most_bytes(reach.saturating_add(TILE as u64), items);
        parts.extend(reach.iter().zip(items()).map(picks));
    }
    parts.into_iter().fold(0, u64::saturating_add)
}

/// Maximum bytes of one set of [`Scratch`](super::scratch::Scratch) for a problem whose items read back up to `heaviest`
/// cells and whose classes have up to `items` items, with unpacked cells of `cell` bytes.
fn scratch_bytes(cell: u64, heaviest: u64, items: u64) -> u64 {
    // A step in each of the three widths, and a cost.
    let item = 16 * 3 + 16;
    // Bounds and results of a strip, all widths together.
    let strip = 2 * 2 * STRIP as u64 * cell;
    let window = heaviest.saturating_add((STRIP + TILE) as u64).saturating_mul(cell / 2 + cell / 4);
    strip.saturating_add(window).saturating_add(items.saturating_mul(item))
}

/// The number of the `layers` layers to compute up to the next checkpoint, with room for `rows` rows (at least 2).
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

/// The total number of layers computed for a traceback through `layers` layers with room for `rows` rows.
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
    use isx_problems::mckp::{Choice, Item, Mckp};
    use isx_problems::reduce::mckp::{Options, Tiered, reduce};
    use isx_problems::value::Tier;

    /// `classes` classes with no item and one of weight `weight`, in 64-bit cells.
    fn problem(classes: usize, weight: u64, capacity: u64) -> Reduced<i64> {
        let items = vec![Item { value: 1i64 << 40, weight }, Item { value: 1, weight: 1 }];
        let problem = Mckp { classes: vec![items; classes], capacity, choice: Choice::Optional };
        let options = Options { at_least: Tier::I64, ..Options::default() };
        let Ok(Tiered::I64(reduced)) = reduce(&problem, options) else { panic!("64-bit values") };
        reduced
    }

    #[test]
    fn the_worked_instance_is_split_as_documented() {
        assert_eq!(next_checkpoint(10, 4), 4);
        // No layer more than twice; one is computed once.
        assert_eq!(layers_computed(10, 4), 19);
    }

    #[test]
    fn every_split_can_be_carried_out() {
        for layers in 1..120 {
            for rows in layers.min(2)..=layers {
                let computed = layers_computed(layers, rows);
                assert!(computed >= layers as u64);
                // Every layer at most t times, for the least t with C(rows + t - 1, t) >= layers.
                let (mut times, mut most) = (1, rows as u64);
                while most < layers as u64 {
                    times += 1;
                    most = most * (rows as u64 + times - 1) / times;
                }
                assert!(computed <= times * layers as u64, "{layers} layers, {rows} rows: {computed}");
            }
        }
    }

    #[test]
    fn what_is_planned_is_what_the_rows_take() {
        let problem = problem(10, 1000, 5000);
        let row = |cells: u64| (cells + 2 * TILE as u64) * 8;
        let plan = |wanted, allowed| Memory::plan(&problem, wanted, 1, allowed);
        let fixed = |wanted| beside_rows(&problem, &problem.reach(), wanted, 1);
        let values = plan(Wanted::Values, u64::MAX);
        assert_eq!((values.rows, values.bytes), (2, fixed(Wanted::Values) + 3 * row(5000)));
        let all = plan(Wanted::AllPicks, u64::MAX);
        // Row 0, and the extra length of each row, since the next layer reads further.
        let rows: u64 = problem.reach().into_iter().map(row).sum::<u64>() + 2 * row(5000);
        assert_eq!((all.rows, all.bytes), (10, fixed(Wanted::AllPicks) + rows));
        // With one byte less than all rows take, as many rows are stored as fit.
        let fewer = plan(Wanted::AllPicks, all.bytes - 1);
        assert!(fewer.rows < 10 && fewer.rows > 2 && fewer.bytes < all.bytes, "{fewer:?}");
        let least = plan(Wanted::AllPicks, 0);
        assert_eq!((least.rows, least.bytes), (2, fixed(Wanted::AllPicks) + 3 * row(5000)));
    }
}
