//! One bit per item and cell: whether the item is taken there.
//!
//! Row i of the table has a 1 at cell j if item i raises the profit of items 0 .. i-1 at capacity j. A selection is
//! read from the last item to the first: if the bit is set, the item is taken and its weight is subtracted from the
//! cell. Cells beyond the weight of items 0 .. i are never read, since the cell of that weight is equivalent, so
//! engines may leave them out.
//!
//! Worked instance: items (profit, weight) = (3,1), (5,2), C = 3. Row 0 is 0 1 1 1, row 1 is 0 0 1 1: at cell 3 item
//! 1 is taken and leaves cell 1, where item 0 is taken.

use super::answer::Selections;

/// Bits of a word.
const WORD: usize = 64;

/// The bits, and the cells at which selections begin.
#[derive(Clone, Debug)]
pub struct Decisions {
    /// Words per row.
    words: usize,
    bits: Vec<u64>,
    weights: Vec<u64>,
    starts: Vec<u64>,
}

impl Decisions {
    /// Bytes of the bits of this many items and cells.
    pub fn bytes(items: usize, cells: u64) -> u64 {
        cells.div_ceil(WORD as u64).saturating_mul(8).saturating_mul(items as u64)
    }

    /// No item taken anywhere, for items of these weights and this many cells.
    pub fn new(weights: Vec<u64>, cells: usize) -> Self {
        let words = cells.div_ceil(WORD);
        Self { words, bits: vec![0; words * weights.len()], weights, starts: Vec::new() }
    }

    /// The row of an item: cell j is bit j mod 64 of word j / 64. Panics if the item does not exist.
    pub fn row(&mut self, item: usize) -> &mut [u64] {
        &mut self.bits[item * self.words..][..self.words]
    }

    /// All rows, one after the other, and the number of words of each.
    pub fn rows(&mut self) -> (&mut [u64], usize) {
        (&mut self.bits, self.words)
    }

    /// Sets the cells at which selections begin.
    #[must_use]
    pub fn starting_at(self, starts: Vec<u64>) -> Self {
        Self { starts, ..self }
    }
}

impl Selections for Decisions {
    fn write(&self, index: usize, chosen: &mut Vec<u32>) {
        chosen.clear();
        let mut cell = self.starts[index];
        let mut reach: u128 = self.weights.iter().map(|&weight| u128::from(weight)).sum();
        for (item, &weight) in self.weights.iter().enumerate().rev() {
            cell = reach.min(cell.into()) as u64;
            reach -= u128::from(weight);
            let word = self.bits[item * self.words + cell as usize / WORD];
            if word >> (cell % WORD as u64) & 1 == 1 {
                // Items are numbered in 32 bits.
                chosen.push(item as u32);
                cell -= weight;
            }
        }
        chosen.reverse();
    }
}
