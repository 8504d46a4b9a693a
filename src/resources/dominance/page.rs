//! Some vectors of amounts, each with a value, and bits, 64 vectors at a time, that tell which are nowhere worse than another.
//!
//! Along every axis, one per amount and one for the value, the vectors are put into ranges of about as many each, from the
//! best to the worst. A row of bits per range has those that are in it or before it. Of a vector that is looked up, the
//! rows of its own ranges are intersected; what is left is compared number by number, as it may be worse within a range.
//!
//! Worked instance, two amounts in two ranges each, values left out: (1, 4), (2, 3), (3, 2), (4, 1). Rows of the first
//! axis: 1100, 1111; of the second: 0011, 1111. The ranges of (2, 2) are 0 and 0: 1100 and 0011 have no bit in common, so
//! nothing is nowhere worse.

use crate::number::Number;

/// Most ranges along an axis.
const RANGES: usize = if cfg!(test) { 8 } else { 64 };
/// Axes that have rows; along others, vectors are compared only number by number.
const AXES: usize = 16;
/// Words that are intersected together.
const TOGETHER: usize = 4;

/// A vector.
#[derive(Clone, Copy)]
pub(super) struct Vector<'a, V> {
    pub amounts: &'a [u64],
    pub value: V,
}

impl<V: Number> Vector<'_, V> {
    /// Whether no amount is larger than the other's, and its value is no less.
    #[inline]
    pub fn is_no_worse(&self, other: &Vector<'_, V>) -> bool {
        // (An iterator over pairs is not inlined here.)
        let length = self.amounts.len().min(other.amounts.len());
        let (own, others) = (&self.amounts[..length], &other.amounts[..length]);
        let mut at = 0;
        while at < length && own[at] <= others[at] {
            at += 1;
        }
        at == length && self.value >= other.value
    }

    /// The number along an axis, smaller if it is better. The most and the least values have the same number if they
    /// have more than 64 bits.
    fn number(&self, axis: usize) -> u64 {
        match self.amounts.get(axis) {
            Some(&amount) => amount,
            None => {
                let value = self.value.wide().clamp(i64::MIN.into(), i64::MAX.into());
                (i128::from(i64::MAX) - value) as u64
            }
        }
    }
}

/// Vectors that lie one after another.
#[derive(Clone)]
pub(super) struct Vectors<V> {
    pub width: usize,
    pub amounts: Vec<u64>,
    pub values: Vec<V>,
}

impl<V: Number> Vectors<V> {
    /// None yet, of this many amounts.
    pub fn new(width: usize) -> Self {
        Self { width, amounts: Vec::new(), values: Vec::new() }
    }

    #[inline]
    pub fn at(&self, at: usize) -> Vector<'_, V> {
        Vector { amounts: &self.amounts[at * self.width..][..self.width], value: self.values[at] }
    }

    pub fn push(&mut self, vector: Vector<'_, V>) {
        self.amounts.extend_from_slice(vector.amounts);
        self.values.push(vector.value);
    }
}

/// The vectors with their rows.
pub(super) struct Page<V> {
    vectors: Vectors<V>,
    /// Those that were not removed, as bits, and how many they are.
    present: Vec<u64>,
    count: usize,
    /// The least number along every axis, and the worst one in every range.
    least: Vec<u64>,
    ends: Vec<u64>,
    /// Axes with rows, ranges along each, and words of a row.
    axes: usize,
    ranges: usize,
    words: usize,
    rows: Vec<u64>,
}

impl<V: Number> Page<V> {
    pub fn new(vectors: Vectors<V>) -> Self {
        let count = vectors.values.len();
        let words = count.div_ceil(64).next_multiple_of(TOGETHER);
        let (axes, ranges) = ((vectors.width + 1).min(AXES), count.clamp(1, RANGES));
        let mut present = vec![0; words];
        (0..count).for_each(|at| present[at / 64] |= 1 << (at % 64));
        let (mut ends, mut least) = (Vec::with_capacity(axes * ranges), Vec::with_capacity(axes));
        let mut rows = vec![0u64; axes * ranges * words];
        for (axis, rows) in rows.chunks_exact_mut((ranges * words).max(1)).enumerate() {
            let numbers: Vec<u64> = (0..count).map(|at| vectors.at(at).number(axis)).collect();
            let mut along = numbers.clone();
            along.sort_unstable();
            least.push(along.first().copied().unwrap_or(u64::MAX));
            let end = |range: usize| along[range * count / ranges - 1];
            ends.extend((1..=ranges).filter(|_| count > 0).map(end));
            let ends = &ends[axis * ranges..];
            for (at, &number) in numbers.iter().enumerate() {
                let range = ends.partition_point(|&end| end < number);
                rows[range * words + at / 64] |= 1 << (at % 64);
            }
            (words..rows.len()).for_each(|at| rows[at] |= rows[at - words]);
        }
        Self { vectors, present, count, least, ends, axes, ranges, words, rows }
    }

    /// How many vectors are left, and how many there were.
    pub fn counts(&self) -> (usize, usize) {
        (self.count, self.vectors.values.len())
    }

    /// The vectors that are left.
    pub fn vectors(&self) -> impl Iterator<Item = Vector<'_, V>> {
        let present = |at: &usize| self.present[at / 64] >> (at % 64) & 1 == 1;
        (0..self.vectors.values.len()).filter(present).map(|at| self.vectors.at(at))
    }

    /// The first range along an axis that does not end before a number.
    fn range(&self, axis: usize, number: u64) -> usize {
        self.ends[axis * self.ranges..][..self.ranges].partition_point(|&end| end < number)
    }

    /// Whether some vector is nowhere worse than this one.
    pub fn beats(&self, vector: &Vector<'_, V>) -> bool {
        if self.count == 0 || (0..self.axes).any(|axis| self.least[axis] > vector.number(axis)) {
            return false;
        }
        let (mut rows, mut used) = ([0; AXES], 0);
        for axis in 0..self.axes {
            let range = self.range(axis, vector.number(axis));
            // Beyond the last end are all.
            if range < self.ranges {
                rows[used] = (axis * self.ranges + range) * self.words;
                used += 1;
            }
        }
        for from in (0..self.words).step_by(TOGETHER) {
            let mut common = together(&self.present[from..]);
            for row in &rows[..used] {
                let row = together(&self.rows[row + from..]);
                (0..TOGETHER).for_each(|at| common[at] &= row[at]);
            }
            if bits(common).any(|bit| self.vectors.at(from * 64 + bit).is_no_worse(vector)) {
                return true;
            }
        }
        false
    }

    /// Removes all vectors that are nowhere better than this one.
    pub fn remove_beaten(&mut self, vector: &Vector<'_, V>) {
        let (mut rows, mut used) = ([0; AXES], 0);
        for axis in 0..self.axes {
            match self.range(axis, vector.number(axis)) {
                // All are better.
                range if range == self.ranges => return,
                0 => {}
                range => {
                    rows[used] = (axis * self.ranges + range - 1) * self.words;
                    used += 1;
                }
            }
        }
        for from in (0..self.words).step_by(TOGETHER) {
            let mut common = together(&self.present[from..]);
            for row in &rows[..used] {
                let row = together(&self.rows[row + from..]);
                (0..TOGETHER).for_each(|at| common[at] &= !row[at]);
            }
            for at in bits(common).map(|bit| from * 64 + bit) {
                if vector.is_no_worse(&self.vectors.at(at)) {
                    self.present[at / 64] &= !(1 << (at % 64));
                    self.count -= 1;
                }
            }
        }
    }
}

/// The next words.
#[inline]
fn together(words: &[u64]) -> [u64; TOGETHER] {
    let mut out = [0; TOGETHER];
    out.copy_from_slice(&words[..TOGETHER]);
    out
}

/// The positions of the bits that are set.
#[inline]
fn bits(words: [u64; TOGETHER]) -> impl Iterator<Item = usize> {
    words.into_iter().enumerate().flat_map(|(at, word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let bit = (left != 0).then(|| 64 * at + left.trailing_zeros() as usize);
            left &= left.wrapping_sub(1);
            bit
        })
    })
}
