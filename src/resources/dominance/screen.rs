//! Which of many vectors another of them beats: all are known, so the order in which they are compared is free.
//!
//! Along every axis the vectors are put into ranges of about as many each, from the best to the worst. A vector's *half*
//! of an axis is the better or the worse one; a vector that beats another is in no worse half along any axis, so vectors
//! of the same halves are together in pages of 64 words of bits. A page has a row of bits per axis and range, for those
//! of its vectors that are in the range or before it. Of a vector that is looked up, the rows of its own ranges are
//! intersected; what is left is compared number by number. Within a page, vectors are in order of the sum of their
//! ranges: one with a larger sum is worse somewhere.
//!
//! A vector that is beaten itself still counts: what beats it beats whatever it beats.
//!
//! Worked instance, two axes of two ranges: (1, 4), (2, 3), (3, 2), (4, 1), (2, 4). Rows of the first axis: 11001, 11111;
//! of the second: 00110, 11111. The ranges of (2, 4) are 0 and 1: 11001 is left, and of these (1, 4) beats it.

use isx_machine::cpu::Workers;
use std::cmp::Ordering;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Ranges along an axis.
const RANGES: usize = 64;
/// Vectors of a page; a word has 64, and several words are intersected together.
const PAGE: usize = 4096;
const TOGETHER: usize = 8;
const WORDS: usize = PAGE / 64;
/// Axes that have rows; along others, vectors are compared only number by number.
const AXES: usize = 16;
/// Vectors that are looked at to find ranges of as many each.
const SAMPLED: usize = 8192;
/// Vectors above which the threads share the work.
const SHARED: usize = 4096;

/// The vectors in the order in which they are compared.
struct Screen<'a> {
    /// Numbers of a vector, and those of all vectors, the smaller the better.
    width: usize,
    numbers: Vec<u64>,
    /// The place of each among the vectors given.
    given: Vec<u32>,
    /// Axes with rows; of every vector its range along each, and the axes from the best range to the worst.
    axes: usize,
    ranges: Vec<u8>,
    best_first: Vec<u8>,
    halves: Vec<u16>,
    sums: Vec<u16>,
    beaten: Vec<AtomicBool>,
    /// Whether the first of two equal vectors, by their places among those given, beats the second.
    wins: &'a (dyn Fn(usize, usize) -> bool + Sync),
}

/// The vectors of a page together: in a worse half they all are, in a worse half any is, and the sums of their ranges.
struct Page {
    from: usize,
    to: usize,
    all: u16,
    any: u16,
    least: u16,
    most: u16,
}

/// Bytes that are needed to compare this many vectors.
pub(crate) fn bytes(count: usize, width: usize) -> u64 {
    (count * (8 * width + 2 * width.min(AXES) + 24)) as u64
}

/// Which of some vectors another beats: it has no larger number along any axis, and wins if both are equal.
pub(crate) fn beaten(
    vectors: &[u64],
    width: usize,
    wins: &(dyn Fn(usize, usize) -> bool + Sync),
    workers: &Workers,
    share: bool,
) -> Vec<bool> {
    let screen = Screen::new(vectors, width, wins);
    let count = screen.given.len();
    let pages: Vec<Page> = (0..count).step_by(PAGE).map(|from| screen.page(from)).collect();
    workers.map(pages.len() as u64, share && count > SHARED, |page| screen.compare(&pages, page as usize));
    let mut beaten = vec![false; count];
    for (&at, is_beaten) in screen.given.iter().zip(screen.beaten) {
        beaten[at as usize] = is_beaten.into_inner();
    }
    beaten
}

impl<'a> Screen<'a> {
    fn new(vectors: &[u64], width: usize, wins: &'a (dyn Fn(usize, usize) -> bool + Sync)) -> Self {
        let (count, axes) = (vectors.len() / width, width.min(AXES));
        let ends: Vec<Vec<u64>> = (0..axes).map(|axis| ends(vectors, width, axis)).collect();
        let mut places = vec![0u8; count * axes];
        // A vector's halves, the sum of its ranges, and its place.
        let mut order: Vec<(u16, u16, u32)> = Vec::with_capacity(count);
        for (at, (vector, places)) in
            (0u32..).zip(vectors.chunks_exact(width).zip(places.chunks_exact_mut(axes)))
        {
            let (mut halves, mut sum) = (0, 0);
            for axis in 0..axes {
                let range = ends[axis].partition_point(|&end| end < vector[axis]);
                places[axis] = range as u8;
                halves |= u16::from(range >= RANGES / 2) << axis;
                sum += range as u16;
            }
            order.push((halves, sum, at));
        }
        order.sort_unstable();
        order.chunks_mut(PAGE).for_each(|page| page.sort_unstable_by_key(|&(_, sum, at)| (sum, at)));
        let mut screen = Self {
            width,
            numbers: Vec::with_capacity(vectors.len()),
            given: Vec::with_capacity(count),
            axes,
            ranges: Vec::with_capacity(places.len()),
            best_first: Vec::with_capacity(places.len()),
            halves: Vec::with_capacity(count),
            sums: Vec::with_capacity(count),
            beaten: Vec::with_capacity(count),
            wins,
        };
        for (halves, sum, given) in order {
            let at = given as usize;
            let ranges = &places[at * axes..][..axes];
            let from = screen.best_first.len();
            screen.numbers.extend_from_slice(&vectors[at * width..][..width]);
            screen.ranges.extend_from_slice(ranges);
            screen.best_first.extend(0..axes as u8);
            screen.best_first[from..].sort_unstable_by_key(|&axis| ranges[axis as usize]);
            screen.given.push(given);
            screen.halves.push(halves);
            screen.sums.push(sum);
            screen.beaten.push(AtomicBool::new(false));
        }
        screen
    }

    fn page(&self, from: usize) -> Page {
        let to = (from + PAGE).min(self.given.len());
        let halves = &self.halves[from..to];
        let (all, any) =
            (halves.iter().fold(u16::MAX, |all, h| all & h), halves.iter().fold(0, |any, h| any | h));
        Page { from, to, all, any, least: self.sums[from], most: self.sums[to - 1] }
    }

    /// Marks all vectors that one of a page beats.
    fn compare(&self, pages: &[Page], number: usize) {
        let page = &pages[number];
        let mut rows = vec![0u64; self.axes * RANGES * WORDS];
        for (place, at) in (page.from..page.to).enumerate() {
            let ranges = &self.ranges[at * self.axes..][..self.axes];
            for (axis, &range) in ranges.iter().enumerate() {
                rows[(axis * RANGES + usize::from(range)) * WORDS + place / 64] |= 1 << (place % 64);
            }
        }
        for rows in rows.chunks_exact_mut(RANGES * WORDS) {
            for at in WORDS..rows.len() {
                rows[at] |= rows[at - WORDS];
            }
        }
        // How many vectors have no larger sum.
        let mut up_to = vec![0usize; usize::from(page.most) + 1];
        self.sums[page.from..page.to].iter().for_each(|&sum| up_to[usize::from(sum)] += 1);
        for sum in 1..up_to.len() {
            up_to[sum] += up_to[sum - 1];
        }
        let others = pages.iter().filter(|other| page.all & !other.any == 0 && page.least <= other.most);
        for at in others.flat_map(|other| other.from..other.to) {
            if page.all & !self.halves[at] != 0 || self.sums[at] < page.least || self.beaten[at].load(Relaxed)
            {
                continue;
            }
            let count = up_to[usize::from(self.sums[at].min(page.most))];
            if self.is_beaten(at, page, &rows, count.div_ceil(64)) {
                self.beaten[at].store(true, Relaxed);
            }
        }
    }

    /// Whether one of the first vectors of a page beats a vector.
    #[inline]
    fn is_beaten(&self, at: usize, page: &Page, rows: &[u64], words: usize) -> bool {
        let ranges = &self.ranges[at * self.axes..][..self.axes];
        let (mut own, mut used) = ([0; AXES], 0);
        for &axis in &self.best_first[at * self.axes..][..self.axes] {
            let range = usize::from(ranges[usize::from(axis)]);
            // All vectors are in the last range or before it.
            if range < RANGES - 1 {
                own[used] = (usize::from(axis) * RANGES + range) * WORDS;
                used += 1;
            }
        }
        let own = &own[..used];
        for from in (0..words).step_by(TOGETHER) {
            let mut common = [u64::MAX; TOGETHER];
            let empty = own.iter().any(|row| {
                let row = &rows[row + from..][..TOGETHER];
                let mut some = 0;
                for at in 0..TOGETHER {
                    common[at] &= row[at];
                    some |= common[at];
                }
                some == 0
            });
            if empty {
                continue;
            }
            for (word, mut left) in common.into_iter().enumerate() {
                while left != 0 {
                    let by = page.from + 64 * (from + word) + left.trailing_zeros() as usize;
                    if by >= page.to {
                        break;
                    }
                    if self.beats(by, at) {
                        return true;
                    }
                    left &= left - 1;
                }
            }
        }
        false
    }

    #[inline]
    fn beats(&self, by: usize, at: usize) -> bool {
        let pair = |at: usize| &self.numbers[at * self.width..][..self.width];
        let (a, b) = (pair(by), pair(at));
        let mut is_less = false;
        for axis in 0..self.width {
            match a[axis].cmp(&b[axis]) {
                Ordering::Greater => return false,
                Ordering::Less => is_less = true,
                Ordering::Equal => {}
            }
        }
        is_less || (by != at && (self.wins)(self.given[by] as usize, self.given[at] as usize))
    }
}

/// The worst number in every range of an axis but the last.
fn ends(vectors: &[u64], width: usize, axis: usize) -> Vec<u64> {
    let count = vectors.len() / width;
    let apart = count.div_ceil(SAMPLED).max(1);
    let mut numbers: Vec<u64> = vectors.iter().skip(axis).step_by(width * apart).copied().collect();
    numbers.sort_unstable();
    (1..RANGES).filter_map(|range| numbers.get(range * numbers.len() / RANGES).copied()).collect()
}
