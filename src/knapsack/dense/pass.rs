//! One item over a stretch of cells: the only loop that takes time.
//!
//! ```text
//! new(j) = max { old(j), old(j - w) + p }        bit j: whether the second is larger
//! ```
//!
//! Requires [`PAD`] cells before the first that is read as cell 0 or later; stretches are whole blocks. Work: two loads and
//! a store of a vector, an add and a maximum.

use isx_machine::cpu::lanes::{Kernel, Lane, Lanes, Simd};

/// Cells of a block; lengths of stretches are multiples of it.
pub const BLOCK: usize = 256;

/// Unreachable cells left of cell 0, so that the first block that an item reaches may look there.
pub const PAD: usize = BLOCK;

/// Cells of a word of bits.
const WORD: usize = 64;

/// An item, as cells count it.
#[derive(Clone, Copy, Debug)]
pub struct CellItem {
    /// Weight, in cells.
    pub weight: usize,
    /// What a cell gains.
    pub gain: i64,
}

/// An item over a stretch of cells.
pub struct Pass<'a, V> {
    /// The cells before.
    pub old: &'a [V],
    /// Where the stretch begins in `old`.
    pub at: usize,
    /// Which cell of the row that is.
    pub cell: usize,
    /// The item.
    pub item: CellItem,
    /// The stretch after; whole blocks.
    pub new: &'a mut [V],
    /// A bit a cell of the stretch.
    pub bits: Option<&'a mut [u64]>,
}

macro_rules! kernel {
    ($cell:ty) => {
        impl Kernel for Pass<'_, $cell> {
            type Output = ();

            #[inline(always)]
            fn run<S: Simd>(self, simd: S) {
                run::<S, $cell>(simd, self);
            }
        }
    };
}
kernel!(i16);
kernel!(i32);
kernel!(i64);

#[inline(always)]
fn run<S: Lanes<V>, V: Lane>(simd: S, pass: Pass<'_, V>) {
    let Pass { old, at, cell, item, new, mut bits } = pass;
    let gain = simd.splat(V::of(item.gain));
    // Blocks that the item does not reach stay as they are.
    let below = (item.weight.saturating_sub(cell) / BLOCK * BLOCK).min(new.len());
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
    let with = &old[start - item.weight..start - item.weight + reached.len()];
    match bits {
        None => {
            let cells = reached.chunks_exact_mut(BLOCK).zip(without.chunks_exact(BLOCK));
            for ((new, without), with) in cells.zip(with.chunks_exact(BLOCK)) {
                for lane in (0..BLOCK).step_by(S::WIDTH) {
                    let candidate = simd.add(simd.load(&with[lane..]), gain);
                    simd.store(&mut new[lane..], simd.max(simd.load(&without[lane..]), candidate));
                }
            }
        }
        Some(bits) => {
            let words = bits[below / WORD..].iter_mut().zip(reached.chunks_exact_mut(WORD));
            let sources = without.chunks_exact(WORD).zip(with.chunks_exact(WORD));
            for ((word, new), (without, with)) in words.zip(sources) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use isx_machine::cpu::lanes::Isa;

    #[test]
    fn every_instruction_set_makes_the_plain_loop_of_it() {
        let cells = 4 * BLOCK;
        let old: Vec<i32> =
            (0..PAD + cells).map(|at| if at < PAD { i32::LOWEST } else { (at * at % 1013) as i32 }).collect();
        for isa in Isa::available() {
            for weight in [1, 2, 63, 64, 255, 256, 257, 700, cells - 1, cells, cells + 1, 1 << 40] {
                for first in [0, 2 * BLOCK] {
                    let item = CellItem { weight, gain: 37 };
                    let mut new = vec![0; cells - first];
                    let mut bits = vec![0; (cells - first) / WORD];
                    let pass = |new, bits| Pass { old: &old, at: PAD + first, cell: first, item, new, bits };
                    isa.run(pass(&mut new[..], Some(&mut bits[..])));
                    let mut again = vec![0; cells - first];
                    isa.run(pass(&mut again[..], None));
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
