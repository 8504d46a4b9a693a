//! Finds the break item without sorting: the more efficient items that fit together come first, then the others.
//!
//! E. Balas and E. Zemel, "An algorithm for large zero-one knapsack problems", Operations Research 28(5), 1980:
//! items are partitioned around a pivot as in quicksort, and only the part in which the capacity ends is partitioned
//! again. The other parts are ordered relative to each other, and each is sorted only when it is needed (D.
//! Pisinger, "A minimal algorithm for the 0-1 knapsack problem", Operations Research 45(5), 1997).

use crate::core::items::number::Number;
use crate::core::items::{Measure, Piece, sort};
use std::ops::Range;

/// Parts of at most this many items are sorted.
const SMALL: usize = 64;

/// Items partitioned at the break item.
#[derive(Clone, Debug)]
pub struct Split<N> {
    /// Items before this place fit together; the one at this place no longer fits.
    pub place: usize,
    /// The sorted part around the break item.
    pub sorted: Range<usize>,
    /// Parts before it, nearest last.
    pub before: Vec<Range<usize>>,
    /// Parts after it, nearest last.
    pub after: Vec<Range<usize>>,
    /// Weight of the items before the break item.
    pub weight: N,
    /// Profit of the items before the break item.
    pub profit: N,
    /// Number of items before the break item, including those in bundles.
    pub count: i64,
    /// Room left by them, in the measure.
    pub room: N,
}

/// Partitions the items, which do not all fit. Takes O(n) on average.
pub fn split<N: Number>(items: &mut [Piece<N>], measure: Measure<N>) -> Split<N> {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let mut part = 0..items.len();
    let mut sum = Sum::of(&[], measure);
    while part.len() > SMALL {
        let pivot = pivot(&items[part.clone()], measure);
        let middle =
            part.start + partition(&mut items[part.clone()], |item| measure.order(item, &pivot).is_lt());
        // The pivot itself is not before itself, so the second half is not empty.
        let first = Sum::of(&items[part.start..middle], measure);
        if first.measured > measure.room - sum.measured {
            after.push(middle..part.end);
            part.end = middle;
        } else if middle == part.start {
            // The pivot is the best: it and its equals come first.
            let alike = partition(&mut items[part.clone()], |item| measure.order(item, &pivot).is_le());
            let alike = part.start + alike;
            let best = Sum::of(&items[part.start..alike], measure);
            if best.measured > measure.room - sum.measured {
                if alike < part.end {
                    after.push(alike..part.end);
                }
                part.end = alike;
                break;
            }
            sum.add(&best);
            before.push(part.start..alike);
            part.start = alike;
        } else {
            sum.add(&first);
            before.push(part.start..middle);
            part.start = middle;
        }
    }
    sort(&mut items[part.clone()], &|a, b| measure.order(a, b));
    let mut place = part.start;
    let fits = |sum: &Sum<N>, item: &Piece<N>| measure.of(item) <= measure.room - sum.measured;
    while let Some(item) = items[..part.end].get(place).filter(|item| fits(&sum, item)) {
        sum.take(item, measure);
        place += 1;
    }
    let Sum { measured, weight, profit, count } = sum;
    let room = measure.room - measured;
    Split { place, sorted: part, before, after, weight, profit, count, room }
}

/// Total profit, weight and count of some items.
#[derive(Clone, Copy)]
struct Sum<N> {
    measured: N,
    weight: N,
    profit: N,
    count: i64,
}

impl<N: Number> Sum<N> {
    fn of(items: &[Piece<N>], measure: Measure<N>) -> Self {
        let mut sum = Self { measured: N::ZERO, weight: N::ZERO, profit: N::ZERO, count: 0 };
        items.iter().for_each(|item| sum.take(item, measure));
        sum
    }

    #[inline(always)]
    fn take(&mut self, item: &Piece<N>, measure: Measure<N>) {
        self.measured += measure.of(item);
        self.weight += item.weight;
        self.profit += item.profit;
        self.count += i64::from(item.count);
    }

    fn add(&mut self, other: &Self) {
        self.measured += other.measured;
        self.weight += other.weight;
        self.profit += other.profit;
        self.count += other.count;
    }
}

/// The median of three items spread over the part.
fn pivot<N: Number>(items: &[Piece<N>], measure: Measure<N>) -> Piece<N> {
    let mut three =
        [items[items.len() / 8], items[items.len() / 2], items[items.len() - 1 - items.len() / 8]];
    sort(&mut three, &|a, b| measure.order(a, b));
    three[1]
}

/// Moves the items that satisfy `holds` to the front and counts them.
pub fn partition<T: Copy>(items: &mut [T], holds: impl Fn(&T) -> bool) -> usize {
    let mut count = 0;
    for at in 0..items.len() {
        let item = items[at];
        let first = holds(&item);
        items[at] = items[count];
        items[count] = item;
        count += usize::from(first);
    }
    count
}
