//! A strip of 1024 rows of the table over some columns, in vectors of words.
//!
//! Each bit represents a row: it is 0 if the table's value rises from the previous row to this one. A column's bits
//! follow from those of the previous column by one addition (H. Hyyrö, "Bit-parallel LCS-length computation
//! revisited", AWOCA 2004; the idea is due to M. Crochemore, C. Iliopoulos, Y. Pinzon and J. Reid, Information
//! Processing Letters 80, 2001), where M is the mask of the rows whose letter is the column's:
//!
//! ```text
//! U = V & M        V' = (V + U) | (V & !M)
//! ```
//!
//! The carry out of the addition's last bit is 1 exactly if the value in the last row rises from the previous column
//! to this one, and it is the carry into the rows below. A sum over many words would pass its carry from word to
//! word; instead, word k processes the column before that of word k - 1, so that one vector operation computes all
//! of them and carries move by one lane per step. The letters' masks are skewed in the same way: word k's is delayed
//! by k steps, by one blend of lanes for each bit of k. Words that have not reached the first column, or are past
//! the last, receive no letters and no carries and stay unchanged.
//!
//! The words of a strip are stored last first, so that the first word is in the highest lane and the carry out of a
//! strip is in lane 0.
//!
//! Worked instance: rows `ab`, columns `b`, `a`. V = 11; for `b` M = 10, U = 10, the sum is 101, its carry 1, V' =
//! 01: the value rises at row 2. For `a` M = 01, U = 01, the sum is 10, V' = 10: it rises at row 1.

use isx_machine::cpu::lanes::{Kernel, Simd};

/// Words of a strip.
pub const WORDS: usize = 16;
/// Rows of a strip.
pub const ROWS: usize = 64 * WORDS;

/// The words of a strip's rows, last word first.
pub type Column = [u64; WORDS];

/// For every letter, the rows of a strip that contain it.
pub type Masks = [Column; 256];

/// For each letter the rows that contain it, for the first 1024 or fewer rows. The other rows have no letter and
/// change nothing.
pub fn fill_masks(rows: &[u8], letters: usize, masks: &mut Masks) {
    masks[..letters].fill([0; WORDS]);
    for (row, &letter) in rows.iter().enumerate().take(ROWS) {
        masks[usize::from(letter)][WORDS - 1 - row / 64] |= 1 << (row % 64);
    }
}

/// A strip over some columns.
pub struct Sweep<'a> {
    /// The rows of each letter.
    pub masks: &'a Masks,
    /// The letters of the columns.
    pub letters: &'a [u8],
    /// The strip's bits: on entry before the first column, on return after the last.
    pub column: &'a mut Column,
    /// A column's carry, 0 or 1: on entry into the strip, on return out of it.
    pub carries: &'a mut [u64],
}

impl Kernel for Sweep<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        match S::WORDS {
            8 => self.rows::<S, 2>(simd),
            4 => self.rows::<S, 2>(simd),
            _ => self.rows::<S, 4>(simd),
        }
    }
}

/// The state of `N` vectors between two steps.
struct Vectors<S: Simd, const N: usize> {
    bits: [S::Words; N],
    carries: [S::Words; N],
    /// Masks of the last step, of the last two blended once, of the last four blended twice.
    delayed: [S::Words; N],
    delayed_two: [[S::Words; 2]; N],
    delayed_four: [[S::Words; 4]; N],
}

impl Sweep<'_> {
    /// All rows, as many at a time as `N` vectors contain.
    #[inline(always)]
    fn rows<S: Simd, const N: usize>(&mut self, simd: S) {
        let mut end = WORDS;
        while end > 0 {
            self.part::<S, N>(simd, end - N * S::WORDS);
            end -= N * S::WORDS;
        }
    }

    /// The words from the `low`-th stored one on, over all columns.
    #[inline(always)]
    fn part<S: Simd, const N: usize>(&mut self, simd: S, low: usize) {
        let none = simd.only_first(0);
        // The first vector contains the first words, which are stored last.
        let place = |vector: usize| low + (N - 1 - vector) * S::WORDS;
        let mut vectors = Vectors::<S, N> {
            bits: [none; N],
            carries: [none; N],
            delayed: [none; N],
            delayed_two: [[none; 2]; N],
            delayed_four: [[none; 4]; N],
        };
        for vector in 0..N {
            vectors.bits[vector] = simd.load_words(&self.column[place(vector)..]);
        }
        let columns = self.letters.len().min(self.carries.len());
        let steps = columns + N * S::WORDS - 1;
        let mut step = 0;
        while step < steps {
            if step >= N * S::WORDS && step + 4 <= columns {
                self.step::<S, N, false>(simd, &mut vectors, low, step, 0);
                self.step::<S, N, false>(simd, &mut vectors, low, step + 1, 1);
                self.step::<S, N, false>(simd, &mut vectors, low, step + 2, 2);
                self.step::<S, N, false>(simd, &mut vectors, low, step + 3, 3);
            } else {
                self.step::<S, N, true>(simd, &mut vectors, low, step, 0);
                self.step::<S, N, true>(simd, &mut vectors, low, step + 1, 1);
                self.step::<S, N, true>(simd, &mut vectors, low, step + 2, 2);
                self.step::<S, N, true>(simd, &mut vectors, low, step + 3, 3);
            }
            step += 4;
        }
        for (vector, &bits) in vectors.bits.iter().enumerate() {
            simd.store_words(&mut self.column[place(vector)..], bits);
        }
    }

    /// A step; `turn` is its number modulo 4. Unless at an `EDGE`, every word is at a valid column.
    #[inline(always)]
    fn step<S: Simd, const N: usize, const EDGE: bool>(
        &mut self,
        simd: S,
        vectors: &mut Vectors<S, N>,
        low: usize,
        step: usize,
        turn: usize,
    ) {
        let columns = self.letters.len().min(self.carries.len());
        let none = simd.only_first(0);
        let mut above = if EDGE && step >= columns { none } else { simd.only_first(self.carries[step]) };
        for vector in 0..N {
            let at = step.wrapping_sub(vector * S::WORDS);
            let masks = if EDGE && at >= columns {
                none
            } else {
                let masks = &self.masks[usize::from(self.letters[at])];
                simd.load_words(&masks[low + (N - 1 - vector) * S::WORDS..])
            };
            let masks = slanted(simd, vectors, vector, masks, turn);
            let carried = vectors.carries[vector];
            let carries = simd.down(carried, above);
            above = carried;
            let bits = vectors.bits[vector];
            let found = simd.both(bits, masks);
            let sum = simd.sum(simd.sum(bits, found), carries);
            vectors.carries[vector] = simd.top_bits(simd.either(found, simd.without(bits, sum)));
            vectors.bits[vector] = simd.either(sum, simd.without(bits, masks));
        }
        let out = step.wrapping_sub(N * S::WORDS - 1);
        if !EDGE || out < columns {
            self.carries[out] = simd.first(vectors.carries[N - 1]);
        }
    }
}

/// For every word, the mask from as many steps ago as its number in the vector.
#[inline(always)]
fn slanted<S: Simd, const N: usize>(
    simd: S,
    vectors: &mut Vectors<S, N>,
    vector: usize,
    masks: S::Words,
    turn: usize,
) -> S::Words {
    // The lane of word k is the last lane minus k: a bit of k is set where the lane's bit is clear.
    let mut masks = masks;
    if S::WORDS > 1 {
        let before = std::mem::replace(&mut vectors.delayed[vector], masks);
        masks = simd.mixed::<0>(before, masks);
    }
    if S::WORDS > 2 {
        let before = std::mem::replace(&mut vectors.delayed_two[vector][turn % 2], masks);
        masks = simd.mixed::<1>(before, masks);
    }
    if S::WORDS > 4 {
        let before = std::mem::replace(&mut vectors.delayed_four[vector][turn % 4], masks);
        masks = simd.mixed::<2>(before, masks);
    }
    masks
}

#[cfg(test)]
mod tests {
    use super::*;
    use isx_exact::sampling::Sampler;
    use isx_machine::cpu::lanes::Isa;

    /// The values below rows whose last value is `above`, by the textbook.
    fn textbook(rows: &[u8], letters: &[u8], above: &[u32]) -> Vec<u32> {
        let mut last = above.to_vec();
        for &row in rows {
            let mut diagonal = 0;
            for (at, &letter) in letters.iter().enumerate() {
                let up = last[at + 1];
                last[at + 1] = if row == letter { diagonal + 1 } else { up.max(last[at]) };
                diagonal = up;
            }
        }
        last
    }

    #[test]
    fn every_instruction_set_computes_the_textbooks_last_row() {
        let mut sampler = Sampler::new(5);
        let mut masks = Box::new([[0; WORDS]; 256]);
        let mut compared = 0;
        for case in 0..400 {
            let alphabet = [1, 2, 4, 255][case % 4];
            let mut text = |most: u64| -> Vec<u8> {
                (0..sampler.uniform(0, most)).map(|_| sampler.uniform(0, alphabet) as u8).collect()
            };
            let (first, second, letters) = (text(ROWS as u64), text(200), text([3, 20, 70][case % 3]));
            // Two strips, of which the first is full except in some cases.
            let full = if case % 5 == 0 {
                first.clone()
            } else {
                first.iter().cycle().copied().take(if first.is_empty() { 0 } else { ROWS }).collect()
            };
            let middle = textbook(&full, &letters, &vec![0; letters.len() + 1]);
            let last = textbook(&second, &letters, &middle);
            for isa in Isa::available() {
                let mut carries = vec![0; letters.len()];
                for (rows, expected) in [(&full, &middle), (&second, &last)] {
                    fill_masks(rows, 256, &mut masks);
                    let mut column = [u64::MAX; WORDS];
                    // In two parts, as tiles are.
                    let cut = letters.len() / 3;
                    for range in [0..cut, cut..letters.len()] {
                        let sweep = Sweep {
                            masks: &masks,
                            letters: &letters[range.clone()],
                            column: &mut column,
                            carries: &mut carries[range],
                        };
                        isa.run(sweep);
                    }
                    let rises: Vec<u64> =
                        expected.windows(2).map(|pair| u64::from(pair[1] - pair[0])).collect();
                    assert_eq!(carries, rises, "{}", isa.name());
                    let zeros: u32 = column.iter().map(|word| word.count_zeros()).sum();
                    let above: u64 =
                        if std::ptr::eq(expected, &middle) { 0 } else { middle[letters.len()].into() };
                    assert_eq!(
                        u64::from(zeros) + above,
                        u64::from(expected[letters.len()]),
                        "{}",
                        isa.name()
                    );
                    compared += 1;
                }
            }
        }
        assert!(compared >= 800 * Isa::available().len() / 2);
    }
}
