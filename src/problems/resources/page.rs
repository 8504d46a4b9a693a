//! Vectors of amounts, loads and a cost, with bits, 64 vectors at a time, that show which are nowhere worse than another.
//!
//! Along every axis, one per amount and load and one for the cost, the vectors are put into ranges of about as many each, from the
//! best to the worst. A row of bits per range has those that are in it or before it. Of a vector that is looked up, the
//! rows of its own ranges are intersected; what is left is compared number by number, as it may be worse within a range.
//! Vectors are in order of the sum of their ranges: one with a larger sum is worse somewhere.
//!
//! Worked instance, two amounts in two ranges each, costs left out: (1, 4), (2, 3), (3, 2), (4, 1). Rows of the first
//! axis: 1100, 1111; of the second: 0011, 1111. The ranges of (2, 2) are 0 and 0: 1100 and 0011 have no bit in common, so
//! nothing is nowhere worse.

use super::cost::Cost;

/// Most ranges along an axis, a power of two.
const RANGES: usize = 64;
/// Axes that have rows; along others, vectors are compared only number by number.
const AXES: usize = 16;
/// Words that are intersected together.
const TOGETHER: usize = 4;

/// A vector.
#[derive(Clone, Copy)]
pub struct Vector<'a, C> {
    /// Its amounts.
    pub amounts: &'a [u64],
    /// Its loads.
    pub loads: &'a [C],
    /// Its cost.
    pub cost: C,
}

impl<C: Cost> Vector<'_, C> {
    /// Whether it is nowhere larger than the other.
    #[inline]
    pub fn is_no_worse(&self, other: &Vector<'_, C>) -> bool {
        // (An iterator over pairs is not inlined here.)
        let length = self.amounts.len().min(other.amounts.len());
        let (own, others) = (&self.amounts[..length], &other.amounts[..length]);
        let mut at = 0;
        while at < length && own[at] <= others[at] {
            at += 1;
        }
        at == length
            && self.cost <= other.cost
            && self.loads.iter().zip(other.loads).all(|(own, other)| own <= other)
    }

    /// The number along an axis. Of costs and loads it is the leading digits: larger ones may have the same number.
    #[inline]
    fn number(&self, axis: usize) -> u64 {
        match self.amounts.get(axis) {
            Some(&amount) => amount,
            None => self.loads.get(axis - self.amounts.len()).unwrap_or(&self.cost).rough(),
        }
    }

    /// Axes.
    fn axes(&self) -> usize {
        (self.amounts.len() + self.loads.len() + 1).min(AXES)
    }
}

/// A vector that is looked up, and its numbers along the axes.
pub(super) struct Sought<'a, C> {
    pub vector: Vector<'a, C>,
    numbers: [u64; AXES],
}

impl<'a, C: Cost> Sought<'a, C> {
    #[inline]
    pub fn new(vector: Vector<'a, C>) -> Self {
        let mut numbers = [0; AXES];
        let mut axis = 0;
        while axis < vector.axes() {
            numbers[axis] = vector.number(axis);
            axis += 1;
        }
        Self { vector, numbers }
    }
}

/// Vectors that lie one after another.
#[derive(Clone)]
pub(super) struct Vectors<C> {
    /// Amounts and loads of each.
    pub widths: (usize, usize),
    pub amounts: Vec<u64>,
    pub loads: Vec<C>,
    pub costs: Vec<C>,
}

impl<C: Cost> Vectors<C> {
    /// None yet, of this many amounts and loads.
    pub fn new(widths: (usize, usize)) -> Self {
        Self { widths, amounts: Vec::new(), loads: Vec::new(), costs: Vec::new() }
    }

    #[inline]
    pub fn at(&self, at: usize) -> Vector<'_, C> {
        let (amounts, loads) = self.widths;
        Vector {
            amounts: &self.amounts[at * amounts..][..amounts],
            loads: &self.loads[at * loads..][..loads],
            cost: self.costs[at],
        }
    }

    pub fn push(&mut self, vector: Vector<'_, C>) {
        self.amounts.extend_from_slice(vector.amounts);
        self.loads.extend_from_slice(vector.loads);
        self.costs.push(vector.cost);
    }

    pub fn clear(&mut self) {
        self.amounts.clear();
        self.loads.clear();
        self.costs.clear();
    }
}

/// The vectors with their rows.
pub(super) struct Page<C> {
    vectors: Vectors<C>,
    /// Those that were not removed, as bits, and how many they are.
    present: Vec<u64>,
    count: usize,
    /// The least number along every axis, and the worst one in every range; the greatest number where there is no range.
    least: Vec<u64>,
    ends: Vec<[u64; RANGES]>,
    /// The least and the greatest sum of ranges among the vectors of words that are intersected together.
    sums: Vec<(usize, usize)>,
    /// Axes with rows, ranges along each, and words of a row.
    axes: usize,
    ranges: usize,
    words: usize,
    rows: Vec<u64>,
}

impl<C: Cost> Page<C> {
    pub fn new(vectors: Vectors<C>) -> Self {
        let count = vectors.costs.len();
        let words = count.div_ceil(64).next_multiple_of(TOGETHER);
        let (amounts, loads) = vectors.widths;
        let (axes, ranges) = ((amounts + loads + 1).min(AXES), count.clamp(1, RANGES));
        let mut present = vec![0; words];
        (0..count).for_each(|at| present[at / 64] |= 1 << (at % 64));
        let (mut ends, mut least) = (Vec::with_capacity(axes), Vec::with_capacity(axes));
        // The range of every vector along every axis, and the sum along all.
        let (mut places, mut sums) = (Vec::with_capacity(axes * count), vec![0; count]);
        for axis in 0..axes {
            let numbers: Vec<u64> = (0..count).map(|at| vectors.at(at).number(axis)).collect();
            let mut along = numbers.clone();
            along.sort_unstable();
            least.push(along.first().copied().unwrap_or(u64::MAX));
            let mut of_axis = [u64::MAX; RANGES];
            for (range, end) in (1..=ranges).zip(&mut of_axis).filter(|_| count > 0) {
                *end = along[range * count / ranges - 1];
            }
            ends.push(of_axis);
            for (number, sum) in numbers.into_iter().zip(&mut sums) {
                let range = first_not_before(&of_axis, number);
                places.push(range);
                *sum += range;
            }
        }
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_unstable_by_key(|&at| sums[at]);
        let mut rows = vec![0u64; axes * ranges * words];
        for (places, rows) in places.chunks_exact(count.max(1)).zip(rows.chunks_exact_mut(ranges * words)) {
            for (at, &from) in order.iter().enumerate() {
                rows[places[from] * words + at / 64] |= 1 << (at % 64);
            }
            for at in words..rows.len() {
                rows[at] |= rows[at - words];
            }
        }
        let ends_of = |part: &[usize]| Some((sums[*part.first()?], sums[*part.last()?]));
        let sums = order.chunks(64 * TOGETHER).filter_map(ends_of).collect();
        let mut sorted = Vectors::new(vectors.widths);
        order.iter().for_each(|&at| sorted.push(vectors.at(at)));
        let vectors = sorted;
        Self { vectors, present, count, least, ends, sums, axes, ranges, words, rows }
    }

    /// How many vectors are left, and how many there were.
    pub fn counts(&self) -> (usize, usize) {
        (self.count, self.vectors.costs.len())
    }

    /// The vectors that are left.
    pub fn vectors(&self) -> impl Iterator<Item = Vector<'_, C>> {
        let present = |at: &usize| self.present[at / 64] >> (at % 64) & 1 == 1;
        (0..self.vectors.costs.len()).filter(present).map(|at| self.vectors.at(at))
    }

    /// The first range along an axis that does not end before a number.
    fn range(&self, axis: usize, number: u64) -> usize {
        first_not_before(&self.ends[axis], number).min(self.ranges)
    }

    /// Whether some vector is nowhere worse than this one.
    pub fn beats(&self, sought: &Sought<'_, C>) -> bool {
        let vector = &sought.vector;
        let numbers = &sought.numbers[..self.axes];
        if self.count == 0 || numbers.iter().zip(&self.least).any(|(number, least)| least > number) {
            return false;
        }
        let (mut rows, mut used, mut sum) = ([(0, 0); AXES], 0, 0);
        for (axis, &number) in numbers.iter().enumerate() {
            let range = self.range(axis, number);
            sum += range;
            // Beyond the last end are all.
            if range < self.ranges {
                rows[used] = (range, (axis * self.ranges + range) * self.words);
                used += 1;
            }
        }
        let rows = &mut rows[..used];
        // Those of few vectors first: often a few rows have nothing in common.
        rows.sort_unstable();
        for (part, _) in self.sums.iter().enumerate().take_while(|(_, (least, _))| *least <= sum) {
            let from = part * TOGETHER;
            let mut common = together(&self.present[from..]);
            for (_, row) in &*rows {
                let row = together(&self.rows[row + from..]);
                for at in 0..TOGETHER {
                    common[at] &= row[at];
                }
                if common == [0; TOGETHER] {
                    break;
                }
            }
            for (word, mut left) in common.into_iter().enumerate().filter(|(_, left)| *left != 0) {
                while left != 0 {
                    let at = 64 * (from + word) + left.trailing_zeros() as usize;
                    if self.vectors.at(at).is_no_worse(vector) {
                        return true;
                    }
                    left &= left - 1;
                }
            }
        }
        false
    }

    /// Removes all vectors that are nowhere better than this one.
    pub fn remove_beaten(&mut self, sought: &Sought<'_, C>) {
        let vector = &sought.vector;
        let (mut rows, mut used, mut sum) = ([0; AXES], 0, 0);
        for (axis, &number) in sought.numbers[..self.axes].iter().enumerate() {
            match self.range(axis, number) {
                // All are better.
                range if range == self.ranges => return,
                0 => {}
                range => {
                    rows[used] = (axis * self.ranges + range - 1) * self.words;
                    used += 1;
                    sum += range;
                }
            }
        }
        for part in self.sums.partition_point(|(_, most)| *most < sum)..self.sums.len() {
            let from = part * TOGETHER;
            let mut common = together(&self.present[from..]);
            for row in &rows[..used] {
                let row = together(&self.rows[row + from..]);
                for at in 0..TOGETHER {
                    common[at] &= !row[at];
                }
            }
            for (word, mut left) in common.into_iter().enumerate().filter(|(_, left)| *left != 0) {
                while left != 0 {
                    let at = 64 * (from + word) + left.trailing_zeros() as usize;
                    if vector.is_no_worse(&self.vectors.at(at)) {
                        self.present[at / 64] &= !(1 << (at % 64));
                        self.count -= 1;
                    }
                    left &= left - 1;
                }
            }
        }
    }
}

/// The first range that does not end before a number; the number of ranges if there is none.
#[inline]
fn first_not_before(ends: &[u64; RANGES], number: u64) -> usize {
    // Halves without branches, which would be foreseen half of the time.
    let (mut from, mut half) = (0, RANGES / 2);
    while half > 0 {
        let is_before = ends[(from + half - 1) % RANGES] < number;
        from += half & usize::from(is_before).wrapping_neg();
        half /= 2;
    }
    from + usize::from(ends[from % RANGES] < number)
}

/// The next words.
#[inline]
fn together(words: &[u64]) -> [u64; TOGETHER] {
    let words = &words[..TOGETHER];
    [words[0], words[1], words[2], words[3]]
}
