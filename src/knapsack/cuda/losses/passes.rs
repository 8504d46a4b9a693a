//! The items that a launch applies, and the blocks of cells that it must fill.
//!
//! After an item, a cell matters only if the earlier items can reach its weight and the later ones can still fill
//! the target (P. Toth, "Dynamic programming algorithms for the zero-one knapsack problem", Computing 1980): between
//! target - slack - (weight of all later items) and min(target, weight of all items so far).
//!
//! Worked instance: weights 6, 5, 2, target 8, slack 1. After the first item cells 0 .. 6 matter, after the second
//! 5 .. 8, after the last 7 .. 8.

use super::cell::{BLOCK_CELLS, Cell, Width};
use super::knapsack_step::TOGETHER;
use super::problem::Step;
use std::ops::Range;

/// Items heavier than this are not applied in shared memory: a tile with a halo of their weight would be mostly halo.
const HEAVIEST_SHARED: u64 = 2048;

/// Heavier items that differ by at most this much read nearly the same cells, so that most reads are from a cache.
const CLOSE: u64 = BLOCK_CELLS;
/// As many others are worth a launch: two of them read four cells instead of two and two, and write one instead of two.
const APART: usize = 2;

/// A launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pass {
    /// The items it applies: several light ones, or a few heavy ones.
    pub items: Range<usize>,
    /// Whether they are processed in shared memory.
    pub shared: bool,
    /// The blocks of cells it fills.
    pub blocks: Range<u64>,
}

impl Pass {
    /// The number of blocks that it fills.
    pub fn len(&self) -> u64 {
        self.blocks.end - self.blocks.start
    }

    /// Bytes of the decisions of all its items.
    pub fn decision_bytes(&self) -> u64 {
        self.len().saturating_mul(BLOCK_CELLS / 8).saturating_mul(self.items.len() as u64)
    }

    /// Bytes of the cells that it reads from memory and writes, if all blocks are alive. Heavy items together are counted as
    /// if they weighed about the same.
    pub fn row_bytes(&self, width: Width) -> u64 {
        let touched = if self.shared { 2 } else { self.items.len() as u64 + 2 };
        self.len().saturating_mul(BLOCK_CELLS * width.bytes()).saturating_mul(touched)
    }

    /// Cells that it fills, counted per item.
    pub fn updates(&self) -> u64 {
        self.len().saturating_mul(BLOCK_CELLS).saturating_mul(self.items.len() as u64)
    }
}

/// The result required of the rows of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Target {
    /// No greater weight is needed,
    pub weight: u64,
    /// and the final weight is at most this much below it.
    pub slack: u64,
}

impl Target {
    /// Just this weight.
    pub fn exactly(weight: u64) -> Self {
        Self { weight, slack: 0 }
    }

    /// Blocks of cells of a row.
    pub fn blocks(self) -> u64 {
        self.weight / BLOCK_CELLS + 1
    }
}

/// The launches for a range of the items; the items before it are already applied to the row, those after it follow
/// later.
pub(super) fn passes<C: Cell>(steps: &[Step], target: Target, items: Range<usize>) -> Vec<Pass> {
    let mut after: u64 = steps.iter().fold(0, |sum: u64, step| sum.saturating_add(step.weight));
    let mut before = 0u64;
    let mut passes: Vec<Pass> = Vec::new();
    let mut shared_weight = 0;
    for (index, step) in steps.iter().enumerate() {
        // A sum that saturated is never exact again: then all earlier cells matter.
        after = if after == u64::MAX { after } else { after - step.weight };
        before = before.saturating_add(step.weight);
        if !items.contains(&index) {
            continue;
        }
        let highest = before.min(target.weight);
        let lowest = (target.weight - target.slack.min(target.weight)).saturating_sub(after).min(highest);
        let blocks = lowest / BLOCK_CELLS..highest / BLOCK_CELLS + 1;
        let shared = step.weight <= HEAVIEST_SHARED.min(C::KERNELS.halo);
        match passes.last_mut() {
            Some(last) if last.shared && shared && shared_weight + step.weight <= C::KERNELS.halo => {
                // The decisions of its first item are stored from the start of that item's window.
                last.blocks.end = blocks.end;
                last.items.end = index + 1;
                shared_weight += step.weight;
            }
            Some(last) if !last.shared && !shared && last.items.len() < together(steps, last, step) => {
                last.blocks.end = blocks.end;
                last.items.end = index + 1;
            }
            _ => {
                passes.push(Pass { items: index..index + 1, shared, blocks });
                shared_weight = step.weight;
            }
        }
    }
    passes
}

/// How many heavy items a launch applies, this one among them.
fn together(steps: &[Step], pass: &Pass, step: &Step) -> usize {
    let first = &steps[pass.items.start];
    if first.weight.abs_diff(step.weight) <= CLOSE { TOGETHER } else { APART }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(weights: &[u64], weight: u64, slack: u64) -> Vec<(Range<usize>, bool, Range<u64>)> {
        let step = |&weight: &u64| Step { weight, leave: 1, take: 0 };
        let steps: Vec<Step> = weights.iter().map(step).collect();
        let parts = |pass: Pass| (pass.items, pass.shared, pass.blocks);
        passes::<u16>(&steps, Target { weight, slack }, 0..steps.len()).into_iter().map(parts).collect()
    }

    #[test]
    fn only_cells_between_what_was_and_what_will_be_weighed_are_filled() {
        const B: u64 = BLOCK_CELLS;
        assert_eq!(of(&[6 * B, 4 * B, 2 * B], 8 * B, B), [(0..2, false, 1..9), (2..3, false, 7..9)]);
    }

    #[test]
    fn heavy_items_share_a_launch_by_twos_and_by_threes_where_they_weigh_about_the_same() {
        const W: u64 = 1 << 20;
        let passes =
            of(&[4 * W, 3 * W, 2 * W + 9, 2 * W + 8, 2 * W + 8, 2 * W - 4087, 2 * W, W, 3000], 9 * W, 0);
        let items: Vec<_> = passes.iter().map(|pass| pass.0.clone()).collect();
        assert_eq!(items, [0..2, 2..5, 5..7, 7..9]);
        assert!(passes.iter().all(|pass| !pass.1));
    }

    #[test]
    fn light_items_share_a_launch_as_far_as_the_halo_goes() {
        let passes = of(&[9000, 2049, 2048, 2048, 2048, 2048, 1], 12_000, 0);
        let items: Vec<_> = passes.iter().map(|pass| (pass.0.clone(), pass.1)).collect();
        assert_eq!(items, [(0..2, false), (2..6, true), (6..7, true)]);
        assert_eq!(passes[2].2, 2..3);
    }

    #[test]
    fn a_range_of_items_has_the_windows_it_has_among_all() {
        let step = |&weight: &u64| Step { weight, leave: 1, take: 0 };
        let steps: Vec<Step> = [60_000, 50_000, 40_000, 30_000].iter().map(step).collect();
        let all = passes::<u32>(&steps, Target::exactly(90_000), 0..4);
        assert_eq!(passes::<u32>(&steps, Target::exactly(90_000), 2..4), all[1..2]);
    }

    #[test]
    fn weights_at_the_end_of_the_range_do_not_overflow() {
        let heavy = (1 << 62) - 1;
        let passes = of(&[heavy; 9], heavy, heavy);
        let items: Vec<_> = passes.iter().map(|pass| pass.0.clone()).collect();
        assert_eq!(items, [0..3, 3..6, 6..9]);
        assert!(passes.iter().all(|pass| pass.2 == (0..heavy / BLOCK_CELLS + 1)));
    }
}
