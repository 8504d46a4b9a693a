//! The items of one class at the cells that tracebacks visit, a few bits each.
//!
//! One bit per cell marks the visited cells. The items of marked cells are stored consecutively in words, each as
//! wide as the class needs; a block of 512 cells begins a new word, so that blocks can be written at the same time.
//! For every word of marks the position of its first item is stored, so that a lookup counts the marks of one word.

use isx_machine::cpu::lanes::{Isa, Kernel, Simd};

/// Cells in a block.
const BLOCK: usize = 512;
/// Words that an item may span.
const READ_TOGETHER: usize = 2;
/// Words of marks in a block.
pub const BLOCK_WORDS: usize = BLOCK / 64;

/// Item indices at marked cells.
#[derive(Clone, Debug)]
pub struct CellPicks {
    marks: Vec<u64>,
    /// For each word of marks, the bit position of the first item of its cells.
    starts: Vec<u64>,
    /// The items, followed by as many unused words as a lookup reads; for a class with one item only those.
    words: Vec<u64>,
    bits: u32,
    weights: Vec<u64>,
}

/// Bits of an index into `items` items.
fn bits_for(items: usize) -> u32 {
    usize::BITS - items.saturating_sub(1).leading_zeros()
}

impl CellPicks {
    /// Memory for the items at marked cells, all of them index 0 at first, and the number of those cells. `weights` are
    /// those of the class's items.
    pub fn new(marks: Vec<u64>, weights: Vec<u64>) -> (Self, u64) {
        let bits = bits_for(weights.len());
        let mut starts = vec![0; marks.len()];
        let (end, marked) = Isa::best().run(Places { marks: &marks, bits: bits.into(), starts: &mut starts });
        (Self { marks, starts, words: vec![0; end as usize / 64 + READ_TOGETHER], bits, weights }, marked)
    }

    /// Maximum bytes for `cells` cells of a class of `items` items.
    pub fn most_bytes(cells: u64, items: usize) -> u64 {
        let blocks = cells.div_ceil(BLOCK as u64);
        let words_a_block = (BLOCK_WORDS as u64) * (2 + u64::from(bits_for(items)));
        blocks.saturating_mul(words_a_block * 8).saturating_add((items + READ_TOGETHER) as u64 * 8)
    }

    /// The marks, and writers for runs of `cells` cells each (a multiple of 512), which can be used at the same
    /// time.
    pub fn writers(&mut self, cells: usize) -> (&[u64], Vec<Writer<'_>>) {
        let runs = self.starts.chunks(cells / 64);
        // Each run ends where the next begins.
        let end = (self.words.len() - READ_TOGETHER) as u64 * 64;
        let starts = runs.clone().map(|run| run[0]);
        let ends = starts.clone().skip(1).chain([end]);
        let mut rest = &mut self.words[..];
        let mut writers = Vec::with_capacity(runs.len());
        for (start, end) in starts.zip(ends) {
            let (words, after) = rest.split_at_mut((end - start) as usize / 64);
            rest = after;
            writers.push(Writer { words, bits: self.bits, at: 0, buffer: 0, filled: 0 });
        }
        (&self.marks, writers)
    }

    /// The item at a marked cell; unspecified elsewhere. Panics if the cell does not exist.
    #[inline(always)]
    pub fn item(&self, cell: usize) -> usize {
        let before = self.marks[cell / 64] & ((1 << (cell % 64)) - 1);
        let bit = self.starts[cell / 64] + u64::from(before.count_ones() * self.bits);
        let at = (bit / 64) as usize;
        let low = self.words[at] >> (bit % 64);
        let high = (self.words[at + 1] << 1) << (63 - bit % 64);
        ((low | high) & ((1 << self.bits) - 1)) as usize
    }

    /// The weight of item `item` of the class. Panics if the item does not exist.
    #[inline(always)]
    pub fn weight(&self, item: usize) -> u64 {
        self.weights[item]
    }
}

/// For each word of marks, the position of the first item of its cells; returns the end of all, and the number of
/// marks. It needs no vector lanes: what helps is an instruction that counts bits.
struct Places<'a> {
    marks: &'a [u64],
    bits: u64,
    starts: &'a mut [u64],
}

impl Kernel for Places<'_> {
    type Output = (u64, u64);

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> (u64, u64) {
        let (mut end, mut marked) = (0u64, 0);
        for (at, (start, word)) in self.starts.iter_mut().zip(self.marks).enumerate() {
            if at % BLOCK_WORDS == 0 {
                end = end.next_multiple_of(64);
            }
            *start = end;
            let count = u64::from(word.count_ones());
            end += count * self.bits;
            marked += count;
        }
        (end.next_multiple_of(64), marked)
    }
}

/// Writes the items of the marked cells of a run of blocks, in order.
pub struct Writer<'a> {
    words: &'a mut [u64],
    bits: u32,
    at: usize,
    buffer: u64,
    filled: u32,
}

impl Writer<'_> {
    /// The items of the next marked cells.
    #[inline(always)]
    pub fn push_all(&mut self, items: &[u32]) {
        if self.bits > 16 {
            for &item in items {
                self.push(item.into(), self.bits);
            }
            return;
        }
        // Four together fit a word.
        let (fours, rest) = items.as_chunks::<4>();
        for four in fours {
            let joined = four.iter().rev().fold(0, |joined, &item| joined << self.bits | u64::from(item));
            self.push(joined, 4 * self.bits);
        }
        for &item in rest {
            self.push(item.into(), self.bits);
        }
    }

    /// Writes the next `len` bits, at most 64.
    #[inline(always)]
    fn push(&mut self, bits: u64, len: u32) {
        self.buffer |= bits << self.filled;
        self.filled += len;
        if self.filled >= 64 {
            self.words[self.at] = self.buffer;
            self.at += 1;
            self.filled -= 64;
            // The bits that did not fit; if the buffer is empty, all did.
            self.buffer = if self.filled == 0 { 0 } else { bits >> (len - self.filled) };
        }
    }

    /// Ends a block: the next cell begins a new word.
    #[inline(always)]
    pub fn end_block(&mut self) {
        if self.filled > 0 {
            self.words[self.at] = self.buffer;
            self.at += 1;
        }
        (self.buffer, self.filled) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for items in [1, 2, 3, 17, 256, 257, 1024, 70_000] {
            let mut marks = vec![0u64; 27];
            let cells: Vec<usize> =
                (0..27 * 64).filter(|cell| cell * cell % 7 < 3 || cell % 64 == 63).collect();
            for &cell in &cells {
                marks[cell / 64] |= 1 << (cell % 64);
            }
            let item = |cell: usize| (cell * 7919) % items;
            let (mut picks, marked) = CellPicks::new(marks, vec![1; items]);
            assert_eq!(marked, cells.len() as u64);
            let (_, writers) = picks.writers(1024);
            assert_eq!(writers.len(), 2);
            for (run, mut writer) in writers.into_iter().enumerate() {
                for block in [2 * run, 2 * run + 1] {
                    let of_block = cells.iter().filter(|&&cell| cell / BLOCK == block);
                    let of_block: Vec<u32> = of_block.map(|&cell| item(cell) as u32).collect();
                    let (first, second) = of_block.split_at(of_block.len() / 3);
                    writer.push_all(first);
                    writer.push_all(second);
                    writer.end_block();
                }
            }
            for cell in cells {
                assert_eq!(picks.item(cell), item(cell), "{items} items, cell {cell}");
            }
            // An item that no traceback visits has no meaning, but can still be read.
            assert!((0..27 * 64).all(|cell| picks.item(cell) < items.next_power_of_two()));
        }
    }
}
