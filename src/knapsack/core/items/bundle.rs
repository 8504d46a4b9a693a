//! Items that are equal, or multiples of each other, as one variable: the number of units of (profit, weight) taken.
//!
//! Few types of items cause long searches around the break item: every copy is a step that doubles the list and
//! finds the same sums again. From items of (1, 2, 2, 5) units every number from 0 to 10 can be made, because no
//! item is larger than one more than all smaller ones together. So they form a variable from 0 to 10, and only its
//! bundles of 1, 2, 4 and 3 units have to be decided. The items that make up a number are found from the largest
//! down.
//!
//! Bundles of equal items are from H. Kellerer, U. Pferschy, D. Pisinger, "Knapsack Problems", 2004, section 7.1.1;
//! the extension to multiples is an observation on multiples of few items ("spanner" instances).

use crate::core::items::number::Number;
use crate::core::items::{Piece, sort};
use num_integer::Integer;
use std::collections::HashSet;

/// Items of the sample that estimates how many are equal.
const SAMPLE: usize = 1024;

/// Fewer pairs of equal items in a sample may be coincidence.
const PAIRS: usize = 8;

/// Copies per type, on average, from which on bundles are made.
const COPIES: usize = 3;

/// Bundles, and the items that they consist of.
pub struct Bundled<N> {
    /// The bundles; [`Piece::item`] is a bundle's number, [`Piece::count`] its units.
    pub pieces: Vec<Piece<N>>,
    /// The variable of each bundle.
    variables: Vec<u32>,
    /// Runs of equal items of each variable, fewest units first.
    types: Vec<Vec<Type>>,
    /// Items, run by run.
    members: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Type {
    units: u64,
    /// The position of the first of them among the members.
    first: usize,
    copies: usize,
}

/// Equal items and the direction of their profit and weight.
struct Run {
    direction: (i128, i128),
    multiple: i128,
    first: usize,
    copies: usize,
}

/// A separate function, since those below are compiled for every number.
fn in_order(runs: &mut [Run]) {
    runs.sort_unstable_by_key(|run| (run.direction, run.multiple));
}

impl<N: Number> Bundled<N> {
    /// Bundles of the items, if there are enough equal ones to be worthwhile.
    pub fn of(items: &[Piece<N>], capacity: N) -> Option<Self> {
        if !are_alike(items) {
            return None;
        }
        let mut items = items.to_vec();
        sort(&mut items, &|a, b| (a.weight, a.profit).cmp(&(b.weight, b.profit)));
        let mut runs = Vec::new();
        let mut first = 0;
        for run in items.chunk_by(|a, b| (a.weight, a.profit) == (b.weight, b.profit)) {
            let (profit, weight) = (run[0].profit.wide(), run[0].weight.wide());
            let multiple = profit.gcd(&weight);
            runs.push(Run {
                direction: (profit / multiple, weight / multiple),
                multiple,
                first,
                copies: run.len(),
            });
            first += run.len();
        }
        in_order(&mut runs);
        let members = items.iter().map(|item| item.item).collect();
        let mut bundled = Self { pieces: Vec::new(), variables: Vec::new(), types: Vec::new(), members };
        for runs in runs.chunk_by(|a, b| a.direction == b.direction) {
            bundled.add(runs, capacity)?;
        }
        Some(bundled)
    }

    /// Adds bundles of runs whose items are multiples of one direction, smallest first.
    fn add(&mut self, mut runs: &[Run], capacity: N) -> Option<()> {
        while let Some(unit) = runs.first() {
            let (mut most, mut types) = (0u64, Vec::new());
            for run in runs {
                let units = u64::try_from(run.multiple / unit.multiple).ok()?;
                if run.multiple % unit.multiple != 0 || units > most.saturating_add(1) {
                    break;
                }
                types.push(Type { units, first: run.first, copies: run.copies });
                most = most.checked_add(units.checked_mul(run.copies as u64)?)?;
            }
            runs = &runs[types.len()..];
            let (profit, weight) = (unit.direction.0 * unit.multiple, unit.direction.1 * unit.multiple);
            let left = i128::from(most).min(capacity.wide() / weight);
            self.split(N::of(profit)?, N::of(weight)?, u32::try_from(left).ok()?);
            self.types.push(types);
        }
        Some(())
    }

    /// Adds bundles that make `left` units.
    fn split(&mut self, profit: N, weight: N, mut left: u32) {
        let mut size = 1;
        while left > 0 {
            let count = left.min(size);
            let (profit, weight) = (profit.times(count.into()), weight.times(count.into()));
            self.pieces.push(Piece { profit, weight, count, item: self.variables.len() as u32 });
            self.variables.push(self.types.len() as u32);
            left -= count;
            size = size.saturating_mul(2);
        }
    }

    /// The items that make up bundles.
    pub fn unpack(&self, bundles: &[u32]) -> Vec<u32> {
        let mut units = vec![0u64; self.types.len()];
        for &bundle in bundles {
            units[self.variables[bundle as usize] as usize] += u64::from(self.pieces[bundle as usize].count);
        }
        let mut items = Vec::new();
        for (mut left, types) in units.into_iter().zip(&self.types) {
            for run in types.iter().rev() {
                let copies = (left / run.units).min(run.copies as u64);
                left -= copies * run.units;
                items.extend_from_slice(&self.members[run.first..run.first + copies as usize]);
            }
        }
        items
    }
}

/// Whether there seem to be several copies of most items. A sample of s items of T types has about s^2 / 2T equal
/// pairs, unless the pairs are most of the sample; then T is little more than the number of types seen.
fn are_alike<N: Number>(items: &[Piece<N>]) -> bool {
    let sample = || items.iter().step_by(items.len().div_ceil(SAMPLE).max(1));
    let size = sample().count();
    let types: HashSet<(i128, i128)> =
        sample().map(|item| (item.weight.wide(), item.profit.wide())).collect();
    let pairs = size - types.len();
    let types = if 2 * pairs > size { types.len() } else { size * size / (2 * pairs).max(1) };
    pairs >= PAIRS && items.len() >= COPIES * types
}
