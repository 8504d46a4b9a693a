//! The items of one capacity: by a bit an item and cell where memory holds them, else by halves.
//!
//! By halves: a row of the first half of the items and one of the second give, for the best split of the capacity, what
//! each half must weigh; then each half is a problem of its own, at half the work in all (D. S. Hirschberg,
//! Communications of the ACM 18, 1975). So rows are all the memory that is needed, for at most twice the time.

use super::pass::{CellItem, PAD};
use super::sweep::{Cell, Sweep, Wanted, row_cells, together};
use crate::{Decisions, Selections};
use isx_engine::EngineError;
use std::cmp::Reverse;

/// Rows of cells that it takes.
pub const ROWS: usize = 3;

/// An item and its number.
pub type Numbered = (CellItem, u32);

/// The best selection of a capacity.
pub struct Best<'a, V> {
    sweep: &'a Sweep<'a>,
    rows: [&'a mut [V]; ROWS],
    /// Bytes of bits that may be held.
    bits: u64,
    chosen: Vec<u32>,
}

/// Whether the bits of so many items and that capacity are held rather than halves solved.
pub fn holds_bits(items: usize, capacity: usize, bytes: u64) -> bool {
    Decisions::bytes(items, row_cells(capacity) as u64) <= bytes
}

impl<'a, V: Cell> Best<'a, V> {
    /// With rows of enough cells, and so many bytes of bits.
    pub fn new(sweep: &'a Sweep<'a>, rows: [&'a mut [V]; ROWS], bits: u64) -> Self {
        Self { sweep, rows, bits, chosen: Vec::new() }
    }

    /// The numbers of the items of a best selection of the least weight, smallest first; no best one weighs less than the
    /// capacity less the slack.
    ///
    /// # Errors
    ///
    /// When the computation is called off.
    pub fn solve(mut self, items: &[Numbered], capacity: usize, slack: u64) -> Result<Vec<u32>, EngineError> {
        self.choose(items, capacity, slack)?;
        self.chosen.sort_unstable();
        Ok(self.chosen)
    }

    fn choose(&mut self, items: &[Numbered], capacity: usize, slack: u64) -> Result<(), EngineError> {
        let fitting: Vec<Numbered> =
            items.iter().filter(|(item, _)| item.weight <= capacity).copied().collect();
        let cells: Vec<CellItem> = fitting.iter().map(|&(item, _)| item).collect();
        if together(&cells) <= capacity as u128 {
            self.chosen.extend(fitting.iter().map(|&(_, number)| number));
            return Ok(());
        }
        if fitting.len() < 4 || holds_bits(fitting.len(), capacity, self.bits) {
            return self.by_bits(&fitting, &cells, capacity, slack);
        }
        let middle = fitting.len() / 2;
        let (first, second) = self.split(&cells[..middle], &cells[middle..], capacity, slack)?;
        self.choose(&fitting[..middle], first, 0)?;
        self.choose(&fitting[middle..], second, 0)
    }

    fn by_bits(
        &mut self,
        items: &[Numbered],
        cells: &[CellItem],
        capacity: usize,
        slack: u64,
    ) -> Result<(), EngineError> {
        let weights = cells.iter().map(|item| item.weight as u64).collect();
        let mut bits = Decisions::new(weights, row_cells(capacity));
        let [now, next, _] = &mut self.rows;
        let wanted = Wanted { capacity, below: Some(slack.into()) };
        let [row, _] = self.sweep.run(cells, wanted, [now, next], Some(&mut bits))?;
        let start = self.sweep.form.best_cell(&row[PAD..], capacity, slack);
        let mut chosen = Vec::new();
        bits.starting_at(vec![start as u64]).write(0, &mut chosen);
        self.chosen.extend(chosen.iter().map(|&at| items[at as usize].1));
        Ok(())
    }

    /// What the first items and the second weigh in a best selection of the least weight.
    fn split(
        &mut self,
        first: &[CellItem],
        second: &[CellItem],
        capacity: usize,
        slack: u64,
    ) -> Result<(usize, usize), EngineError> {
        let (form, slack) = (self.sweep.form, u128::from(slack));
        let [one, two, three] = &mut self.rows;
        let below = Some(together(second) + slack);
        let [ahead, spare] = self.sweep.run(first, Wanted { capacity, below }, [one, two], None)?;
        let below = Some(together(first) + slack);
        let [behind, _] = self.sweep.run(second, Wanted { capacity, below }, [spare, three], None)?;
        // Cells below those wanted of a row hold nothing of use.
        let least = (capacity as u128).saturating_sub(together(second) + slack) as usize;
        let most = (capacity as u128).min(together(first)) as usize;
        // More profit first, then less weight.
        let mut best = None;
        let mut rest: Option<(i128, Reverse<usize>)> = None;
        // In the form "exactly" the second half may leave some of what it gets: the best of all lighter cells.
        let mut lighter = 0..capacity + 1 - most;
        if form.slope.is_none() {
            lighter.start = ((capacity - most) as u128).saturating_sub(slack) as usize;
        }
        for cell in (least..=most).rev() {
            lighter.end = capacity - cell + 1;
            for other in lighter.clone() {
                let profit = form.profit(other, behind[PAD + other]);
                rest = rest.max(profit.map(|profit| (profit, Reverse(other))));
            }
            lighter.start = lighter.end;
            let both = form.profit(cell, ahead[PAD + cell]).zip(rest);
            let sum = both.map(|(ahead, (behind, Reverse(other)))| {
                (ahead + behind, Reverse(cell + other), (cell, other))
            });
            best = best.max(sum);
        }
        Ok(best.map_or((least, 0), |(.., weights)| weights))
    }
}
