//! An item over a section of cells: the only time-critical loop. Requires [`BLOCK`] cells with the lowest number before
//! cell 0; sections are whole blocks.

use super::{BLOCK, Layer};
use isx_machine::cpu::lanes::{Isa, Kernel, Lane, Lanes, Simd};
use isx_problems::value::Value;

/// Cells in a word of bits.
const WORD: usize = 64;

/// A step over a section of cells.
pub struct Pass<'a, V> {
    pub old: &'a [V],
    /// The position in `old` where the section begins.
    pub at: usize,
    /// The number of that cell in the row.
    pub cell: usize,
    pub layer: Layer,
    /// The new section; whole blocks.
    pub new: &'a mut [V],
    /// One bit per cell of the section: whether the item is taken there.
    pub bits: Option<&'a mut [u64]>,
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
                item::<S, $cell>(simd, self);
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
fn item<S: Lanes<V>, V: Lane>(simd: S, pass: Pass<'_, V>) {
    let Pass { old, at, cell, layer: Layer { weight, gain, .. }, new, mut bits } = pass;
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
                    let layer = Layer { weight, gain: 37, item: 0 };
                    let mut new = vec![0; cells - first];
                    let mut bits = vec![0; (cells - first) / WORD];
                    let pass = |new: &mut [i32], bits: Option<&mut [u64]>| {
                        let (old, at) = (&old[..], PAD + first);
                        Cell::pass(isa, Pass { old, at, cell: first, layer, new, bits });
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
