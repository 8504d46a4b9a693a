//! The items of one capacity: from one bit per item and cell if they fit into memory, otherwise by halving.
//!
//! Halving: one row of the first half of the items and one of the second give the best split of the capacity between
//! the halves; then each half is a separate problem, with half the work in total (D. S. Hirschberg, Communications
//! of the ACM 18, 1975). So only rows are stored, for at most twice the time.

use crate::sweep::step::Cell;
use crate::sweep::{Layer, Sweep, Target, row_cells, together};
use crate::{Decisions, Selections};
use isx_engine::EngineError;
use std::cmp::Reverse;

/// Rows of cells needed.
pub const ROWS: usize = 3;

pub struct Best<'a, V> {
    sweep: &'a Sweep<'a, V>,
    /// The limit on the bytes of bits.
    bits: u64,
    chosen: Vec<u32>,
}

/// Whether bits are stored for this many items and this capacity, instead of halving.
pub fn holds_bits(items: usize, capacity: usize, bytes: u64) -> bool {
    Decisions::bytes(items, row_cells(capacity) as u64) <= bytes
}

impl<'a, V: Cell> Best<'a, V> {
    /// With this limit on the bytes of bits.
    pub fn new(sweep: &'a Sweep<'a, V>, bits: u64) -> Self {
        Self { sweep, bits, chosen: Vec::new() }
    }

    /// The numbers of the items of a best selection of the least weight, smallest first; no best selection weighs
    /// less than the capacity minus the slack. Fails if the computation is cancelled.
    pub fn solve(mut self, items: &[Layer], capacity: usize, slack: u64) -> Result<Vec<u32>, EngineError> {
        self.choose(items, capacity, slack)?;
        self.chosen.sort_unstable();
        Ok(self.chosen)
    }

    fn choose(&mut self, items: &[Layer], capacity: usize, slack: u64) -> Result<(), EngineError> {
        let fitting: Vec<Layer> = items.iter().filter(|item| item.weight <= capacity).copied().collect();
        if together(&fitting) <= capacity as u128 {
            self.chosen.extend(fitting.iter().map(|item| item.item as u32));
            return Ok(());
        }
        if fitting.len() < 4 || holds_bits(fitting.len(), capacity, self.bits) {
            return self.by_bits(&fitting, capacity, slack);
        }
        let (before, after) = fitting.split_at(fitting.len() / 2);
        let (first, second) = self.split(before, after, capacity, slack)?;
        self.choose(before, first, 0)?;
        self.choose(after, second, 0)
    }

    fn by_bits(&mut self, items: &[Layer], capacity: usize, slack: u64) -> Result<(), EngineError> {
        let weights = items.iter().map(|item| item.weight as u64).collect();
        let mut bits = Decisions::new(weights, row_cells(capacity));
        let target = Target { capacity, below: Some(slack.into()) };
        let row = self.sweep.items(items, target, Some(&mut bits))?;
        let start = self.sweep.form.best_cell(row.cells::<V>(), capacity, slack);
        self.sweep.give_back(row);
        let mut chosen = Vec::new();
        bits.starting_at(vec![start as u64]).write(0, &mut chosen);
        self.chosen.extend(chosen.iter().map(|&at| items[at as usize].item as u32));
        Ok(())
    }

    /// The weights of the first and the second part of the items in a best selection of the least weight.
    fn split(
        &mut self,
        first: &[Layer],
        second: &[Layer],
        capacity: usize,
        slack: u64,
    ) -> Result<(usize, usize), EngineError> {
        let form = self.sweep.form;
        let slack = u128::from(slack);
        let below = Some(together(second) + slack);
        let ahead_row = self.sweep.items(first, Target { capacity, below }, None)?;
        let below = Some(together(first) + slack);
        let behind_row = self.sweep.items(second, Target { capacity, below }, None)?;
        let (ahead, behind) = (ahead_row.cells::<V>(), behind_row.cells::<V>());
        // Cells below the needed range of a row have no valid content.
        let least = (capacity as u128).saturating_sub(together(second) + slack) as usize;
        let most = (capacity as u128).min(together(first)) as usize;
        // More profit first, then less weight.
        let mut best = None;
        let mut rest: Option<(i128, Reverse<usize>)> = None;
        // In the form "exactly" the second half may leave some of its capacity unused: the best of all lighter
        // cells.
        let mut lighter = 0..capacity + 1 - most;
        if form.slope.is_none() {
            lighter.start = ((capacity - most) as u128).saturating_sub(slack) as usize;
        }
        for cell in (least..=most).rev() {
            lighter.end = capacity - cell + 1;
            for other in lighter.clone() {
                let profit = form.profit(other, behind[other]);
                rest = rest.max(profit.map(|profit| (profit, Reverse(other))));
            }
            lighter.start = lighter.end;
            let both = form.profit(cell, ahead[cell]).zip(rest);
            let sum = both.map(|(ahead, (behind, Reverse(other)))| {
                (ahead + behind, Reverse(cell + other), (cell, other))
            });
            best = best.max(sum);
        }
        self.sweep.give_back(ahead_row);
        self.sweep.give_back(behind_row);
        Ok(best.map_or((least, 0), |(.., weights)| weights))
    }
}
