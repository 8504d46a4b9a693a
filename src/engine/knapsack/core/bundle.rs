//! Equal items taken together: of m equal items any number is made of bundles of 1, 2, 4, .. and the rest.
//!
//! Few types of items make long searches around the break item: every copy is a step that doubles the list and finds
//! the same sums again. As bundles, m copies are about log2(m) steps (H. Kellerer, U. Pferschy, D. Pisinger, "Knapsack
//! Problems", 2004, section 7.1.1).

use super::number::Number;
use super::piece::Piece;
use std::collections::HashSet;

/// Items of the sample that tells how many are alike.
const SAMPLE: usize = 1024;

/// Fewer pairs of equal items in a sample may be chance.
const PAIRS: usize = 8;

/// Copies of a type, on average, from which on bundles are made.
const COPIES: usize = 3;

/// Bundles, and what they are made of.
pub struct Bundled<N> {
    /// The bundles; [`Piece::item`] is a bundle's number.
    pub pieces: Vec<Piece<N>>,
    /// Items, those of a bundle neighbours.
    members: Vec<u32>,
    /// Where among the members each bundle ends.
    ends: Vec<u32>,
}

impl<N: Number> Bundled<N> {
    /// Bundles of the items, where there are so many equal ones that it is worth it. No more of a type are kept than
    /// the capacity holds.
    pub fn of(items: &[Piece<N>], capacity: N) -> Option<Self> {
        if !are_alike(items) {
            return None;
        }
        let mut items = items.to_vec();
        items.sort_unstable_by(|a, b| (a.weight, a.profit).cmp(&(b.weight, b.profit)));
        let mut bundled = Self { pieces: Vec::new(), members: Vec::with_capacity(items.len()), ends: Vec::new() };
        for run in items.chunk_by(|a, b| (a.weight, a.profit) == (b.weight, b.profit)) {
            bundled.add(run, capacity);
        }
        Some(bundled)
    }

    /// Bundles of a run of equal items.
    fn add(&mut self, run: &[Piece<N>], capacity: N) {
        let one = run[0];
        let holds = capacity.wide() / one.weight.wide();
        let mut left = u32::try_from(holds.min(run.len() as i128)).unwrap_or(u32::MAX);
        self.members.extend(run[..left as usize].iter().map(|item| item.item));
        let mut size = 1;
        while left > 0 {
            let count = left.min(size);
            let profit = one.profit.times(count.into());
            let weight = one.weight.times(count.into());
            self.pieces.push(Piece { profit, weight, count, item: self.ends.len() as u32 });
            self.ends.push(self.ends.last().map_or(0, |end| *end) + count);
            left -= count;
            size *= 2;
        }
    }

    /// The items of bundles.
    pub fn unpack(&self, bundles: &[u32]) -> Vec<u32> {
        let members = |&bundle: &u32| {
            let before = bundle.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
            &self.members[before as usize..self.ends[bundle as usize] as usize]
        };
        bundles.iter().flat_map(members).copied().collect()
    }
}

/// Whether there seem to be several copies of most items: of a sample of s items of T types about s^2 / 2T pairs are
/// equal.
fn are_alike<N: Number>(items: &[Piece<N>]) -> bool {
    let sample = || items.iter().step_by(items.len().div_ceil(SAMPLE).max(1));
    let size = sample().count();
    let types: HashSet<(i128, i128)> = sample().map(|item| (item.weight.wide(), item.profit.wide())).collect();
    let pairs = size - types.len();
    pairs >= PAIRS && 2 * pairs * items.len() >= COPIES * size * size
}
