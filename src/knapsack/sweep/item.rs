//! One item over a section of cells: the only time-critical loop.
//!
//! ```text
//! new(j) = max { old(j), old(j - w) + p }        bit j: whether the second is larger
//! ```
//!
//! Requires [`BLOCK`] cells before the first one that is read as cell 0 or later; sections are whole blocks. Work
//! per vector: two loads, an add, a maximum and a store.

use super::step::{BLOCK, Pass};
use isx_machine::cpu::lanes::{Lane, Lanes};

const WORD: usize = 64;

#[inline(always)]
pub fn run<S: Lanes<V>, V: Lane>(simd: S, pass: Pass<'_, V>, (weight, gain): (usize, i64)) {
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

#[cfg(test)]
mod tests {
    use super::super::step::{Cell, Step};
    use super::*;
    use isx_machine::cpu::lanes::Isa;

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
