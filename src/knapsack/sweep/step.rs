//! A step over a section of cells: the only time-critical loops.
//!
//! Every step computes new(j) = max over k of old(j - k w) + P(k), k = 0 .. m, for a sequence P. An *item* is the
//! case m = 1, the only one that can record its decisions as one bit per cell. A *few* numbers k are
//! tried one by one, for any P. A *run* of m equal profits is linear, P(k) = k p, and the maximum is one over a
//! sliding window of m + 1 cells at distance w: if the residue class of j is divided into blocks of m + 1 cells,
//! every window is a suffix of one block and a prefix of the next, so running maxima of suffixes and prefixes need
//! only three comparisons per cell, however long the window is (M. van Herk, Pattern Recognition Letters 13, 1992;
//! J. Gil, M. Werman, IEEE PAMI 15, 1993; for the bounded knapsack problem U. Pferschy, Computing 63, 1999).
//!
//! ```text
//! w = 1, m = 2, p = 1, old = 0 5 1 | 2 9 0:   new(4) = max of old(2) + 2, old(3) + 1 and old(4):
//!     ends of the first block, at their first cell less p a step:     max(0, 5-1, 1-2) = 4, max(5, 1-1) = 5, 1
//!     beginnings of the second, at their last cell plus p a step:     2, max(2+1, 9) = 9, max(3+1, 10, 0) = 10
//!     new(4) = max(1 + 2, 9)
//! ```
//!
//! Neighboring residue classes lie in neighboring lanes. Requires [`Step::pad`] cells with the lowest number before
//! cell 0; sections are whole blocks.

use isx_machine::cpu::lanes::{Isa, Kernel, Lane, Lanes, Simd};
use isx_machine::rates;
use isx_problems::value::Value;

/// Cells per block; section lengths are multiples of it.
pub const BLOCK: usize = 256;

/// The furthest that a run looks back.
pub const REACH: usize = 1 << 16;

/// Cells in a word of bits.
const WORD: usize = 64;

/// Vectors processed together.
const SIDE: usize = 4;

/// The least weight of a run's items, in cells: as many lanes are processed together.
pub const STRIP: usize = 64;

/// What a step does.
#[derive(Clone, Debug)]
pub enum Step {
    /// One item is taken or not.
    Item {
        weight: usize,
        /// The gain of a cell from it.
        gain: i64,
    },
    /// Any sequence P(0), P(1), .., tried number by number.
    Few { weight: usize, gains: Vec<i64> },
    Run {
        /// Weight of one item, at least [`STRIP`].
        weight: usize,
        gain: i64,
        /// The maximum number of items; together they weigh at most [`REACH`].
        count: usize,
    },
}

impl Step {
    /// How far left it looks.
    pub fn reach(&self) -> usize {
        match self {
            Self::Item { weight, .. } => *weight,
            Self::Few { weight, gains } => weight.saturating_mul(gains.len() - 1),
            Self::Run { weight, count, .. } => weight * count,
        }
    }

    /// Unreachable cells that it requires left of cell 0.
    pub fn pad(&self) -> usize {
        match self {
            Self::Item { .. } | Self::Few { .. } => BLOCK,
            Self::Run { .. } => self.reach().next_multiple_of(BLOCK).max(BLOCK),
        }
    }

    /// Seconds per cell of 32 bits on one thread.
    pub fn seconds(&self) -> f64 {
        match self {
            Self::Item { .. } => rates::KNAPSACK_ITEM,
            Self::Few { gains, .. } => rates::KNAPSACK_FEW + rates::KNAPSACK_NUMBER * gains.len() as f64,
            Self::Run { weight, count, .. } => {
                rates::KNAPSACK_RUN * (1.0 + (weight * count) as f64 / REACH as f64)
            }
        }
    }
}

/// A step over a section of cells.
pub struct Pass<'a, V> {
    pub old: &'a [V],
    /// The position in `old` where the section begins.
    pub at: usize,
    /// The number of that cell in the row.
    pub cell: usize,
    pub step: &'a Step,
    /// The new section; whole blocks.
    pub new: &'a mut [V],
    /// One bit per cell of the section: whether an item is taken there. Other steps leave the bits unchanged.
    pub bits: Option<&'a mut [u64]>,
    /// Temporary space for the suffix maxima of a block, and for the sequence.
    pub scratch: &'a mut Vec<V>,
}

pub trait Cell: Lane + Value + bytemuck::Pod {
    fn pass(isa: Isa, pass: Pass<'_, Self>);
}

macro_rules! cell {
    ($cell:ty) => {
        impl Kernel for Pass<'_, $cell> {
            type Output = ();

            #[inline(always)]
            fn run<S: Simd>(self, simd: S) {
                match *self.step {
                    Step::Item { weight, gain } => item::<S, $cell>(simd, self, (weight, gain)),
                    Step::Few { weight, ref gains } => few::<S, $cell>(simd, self, (weight, gains)),
                    Step::Run { weight, gain, count } => {
                        let line = Line { weight, gain: <$cell>::of(gain), count };
                        let Pass { old, at, new, scratch, .. } = self;
                        scratch.resize((count + 1) * STRIP, <$cell>::LOWEST);
                        run::<S, $cell>(simd, &old[at - line.reach()..], line, new, scratch);
                    }
                }
            }
        }

        impl Cell for $cell {
            fn pass(isa: Isa, pass: Pass<'_, Self>) {
                isa.run(pass);
            }
        }
    };
}
cell!(i32);
cell!(i64);

/// One item: new(j) = max { old(j), old(j - w) + p }, and one bit per cell: whether the second is larger. Per vector two
/// loads, an add, a maximum and a store.
#[inline(always)]
fn item<S: Lanes<V>, V: Lane>(simd: S, pass: Pass<'_, V>, (weight, gain): (usize, i64)) {
    let Pass { old, at, cell, new, mut bits, .. } = pass;
    let gain = simd.splat(V::of(gain));
    // Blocks that the item does not reach stay unchanged.
    let below = (weight.saturating_sub(cell) / BLOCK * BLOCK).min(new.len());
    let (same, reached) = new.split_at_mut(below);
    same.copy_from_slice(&old[at..at + below]);
    if let Some(bits) = &mut bits {
        bits[..below / WORD].fill(0);
    }
    if reached.is_empty() {
        return;
    }
    let start = at + below;
    let without = &old[start..start + reached.len()];
    let with = &old[start - weight..start - weight + reached.len()];
    match bits {
        None => {
            for first in (0..reached.len() / BLOCK).map(|block| block * BLOCK) {
                let new = &mut reached[first..first + BLOCK];
                let (without, with) = (&without[first..first + BLOCK], &with[first..first + BLOCK]);
                for lane in (0..BLOCK).step_by(S::WIDTH) {
                    let candidate = simd.add(simd.load(&with[lane..]), gain);
                    simd.store(&mut new[lane..], simd.max(simd.load(&without[lane..]), candidate));
                }
            }
        }
        Some(bits) => {
            for (at, word) in bits[below / WORD..][..reached.len() / WORD].iter_mut().enumerate() {
                let cells = at * WORD..(at + 1) * WORD;
                let (without, with) = (&without[cells.clone()], &with[cells.clone()]);
                let new = &mut reached[cells];
                let mut kept = 0;
                for lane in (0..WORD).step_by(S::WIDTH) {
                    let before = simd.load(&without[lane..]);
                    let after = simd.max(before, simd.add(simd.load(&with[lane..]), gain));
                    kept |= simd.equal(before, after) << lane;
                    simd.store(&mut new[lane..], after);
                }
                *word = !kept;
            }
        }
    }
}

#[inline(always)]
fn few<S: Lanes<V>, V: Lane>(simd: S, pass: Pass<'_, V>, (weight, gains): (usize, &[i64])) {
    let Pass { old, at, cell, new, scratch, .. } = pass;
    scratch.clear();
    scratch.extend(gains.iter().map(|&gain| V::of(gain)));
    let gains = &scratch[..];
    let side = SIDE * S::WIDTH;
    for block in 0..new.len() / side {
        let first = block * side;
        let new = &mut new[first..first + side];
        // With more items even the last cell of the block would read left of cell 0.
        let most = (cell + first + side - 1) / weight;
        let mut best: [S::Reg; SIDE] = simd.load_all(&old[at + first..]);
        let mut from = at + first;
        for &gain in &gains[1..][..most.min(gains.len() - 1)] {
            from -= weight;
            let gain = simd.splat(gain);
            let source = &old[from..from + side];
            for lane in 0..SIDE {
                best[lane] = simd.max(best[lane], simd.add(simd.load(&source[lane * S::WIDTH..]), gain));
            }
        }
        for lane in 0..SIDE {
            simd.store(&mut new[lane * S::WIDTH..], best[lane]);
        }
    }
}

/// A run in units of cells.
#[derive(Clone, Copy)]
struct Line<V> {
    weight: usize,
    gain: V,
    count: usize,
}

impl<V> Line<V> {
    fn reach(&self) -> usize {
        self.weight * self.count
    }
}

/// `old` begins left of the section by the reach of the run.
#[inline(always)]
fn run<S: Lanes<V>, V: Lane>(simd: S, old: &[V], line: Line<V>, new: &mut [V], ends: &mut [V]) {
    let side = SIDE * S::WIDTH;
    for begin in (0..new.len()).step_by((line.count + 1) * line.weight) {
        for lane in (0..line.weight).step_by(side) {
            // The last lanes of a class are processed twice if they are not a whole strip.
            let first = begin + lane.min(line.weight - side);
            if first + side > new.len() {
                break;
            }
            column::<S, V>(simd, old, line, first, new, ends);
        }
    }
    // Rows cut off by the end of the section.
    let first = new.len() - side;
    for lane in (first..first + side).step_by(S::WIDTH) {
        let mut best = simd.load(&old[lane..]);
        for at in 1..=line.count {
            let before = simd.add(best, simd.splat(line.gain));
            best = simd.max(simd.load(&old[lane + at * line.weight..]), before);
        }
        simd.store(&mut new[lane..], best);
    }
}

/// One block: the cells from `first` on, a strip wide, and those that follow at distances of the weight.
#[inline(always)]
fn column<S: Lanes<V>, V: Lane>(
    simd: S,
    old: &[V],
    line: Line<V>,
    first: usize,
    new: &mut [V],
    ends: &mut [V],
) {
    let side = SIDE * S::WIDTH;
    let Line { weight, gain, count } = line;
    let whole = simd.splat(V::of(gain.wide() * count as i64));
    let gain = simd.splat(gain);
    // Suffix maxima of the previous block, from its last cells up.
    let rows = ((new.len() - side - first) / weight + 1).min(count + 1);
    let mut best: [S::Reg; SIDE] = simd.load_all(&old[first + count * weight..]);
    for at in (1..=count).rev() {
        let ends = &mut ends[at * side..][..side];
        for lane in 0..SIDE {
            simd.store(&mut ends[lane * S::WIDTH..], best[lane]);
        }
        let source: [S::Reg; SIDE] = simd.load_all(&old[first + (at - 1) * weight..]);
        for lane in 0..SIDE {
            best[lane] = simd.max(source[lane], simd.sub(best[lane], gain));
        }
    }
    let target = &mut new[first..][..side];
    for lane in 0..SIDE {
        simd.store(&mut target[lane * S::WIDTH..], simd.add(best[lane], whole));
    }
    // Prefix maxima of this block.
    let mut best = [simd.splat(V::LOWEST); SIDE];
    for at in 1..rows {
        let source: [S::Reg; SIDE] = simd.load_all(&old[first + (count + at) * weight..]);
        let end: [S::Reg; SIDE] = simd.load_all(&ends[at * side..]);
        let target = &mut new[first + at * weight..][..side];
        for lane in 0..SIDE {
            best[lane] = simd.max(source[lane], simd.add(best[lane], gain));
            let end = simd.add(end[lane], whole);
            simd.store(&mut target[lane * S::WIDTH..], simd.max(end, best[lane]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAD: usize = BLOCK;

    #[test]
    fn every_instruction_set_makes_the_plain_loop_of_it() {
        let cells = 4 * BLOCK;
        let old: Vec<i32> =
            (0..PAD + cells).map(|at| if at < PAD { i32::LOWEST } else { (at * at % 1013) as i32 }).collect();
        for isa in Isa::available() {
            for weight in [1, 2, 63, 64, 255, 256, 257, 700, cells - 1, cells, cells + 1, 1 << 40] {
                for first in [0, 2 * BLOCK] {
                    let step = &Step::Item { weight, gain: 37 };
                    let mut new = vec![0; cells - first];
                    let mut bits = vec![0; (cells - first) / WORD];
                    let pass = |new: &mut [i32], bits: Option<&mut [u64]>| {
                        let (old, at, scratch) = (&old[..], PAD + first, &mut Vec::new());
                        Cell::pass(isa, Pass { old, at, cell: first, step, new, bits, scratch });
                    };
                    pass(&mut new, Some(&mut bits));
                    let mut again = vec![0; cells - first];
                    pass(&mut again, None);
                    assert_eq!(new, again);
                    for cell in first..cells {
                        let before = old[PAD + cell];
                        let with = cell.checked_sub(weight).map_or(i32::LOWEST, |from| old[PAD + from] + 37);
                        assert_eq!(new[cell - first], before.max(with), "{isa:?} {weight} {cell}");
                        let bit = bits[(cell - first) / WORD] >> (cell % WORD) & 1 == 1;
                        assert_eq!(bit, with > before, "{isa:?} {weight} {cell}");
                    }
                }
            }
        }
    }
}
