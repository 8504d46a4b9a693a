//! The undominated ones among many points, each with a value and a cost in several resources.
//!
//! The points are taken in lexicographic order of their costs, so that whatever dominates a point comes before it. What
//! is left to decide is whether an earlier point costs no more of every resource but the first and has no less value. Of
//! one such number the least so far decides; of two, the points that are kept are stairs: the more of one, the less of the
//! other. More of them are compared as the labels of engines are (`pages`).

use super::pages::{Pages, Vector};
use std::collections::BTreeMap;

/// For every point whether it is kept: no earlier one costs no more of every resource and has no less value.
///
/// `costs` has a column per resource, `values` the rank of each point's value (equal values have equal ranks). The
/// points are in lexicographic order of their costs, and of equal costs the greatest value comes first. Of points that
/// are equal in everything the first is kept.
///
/// ```
/// use isx_problems::resources::undominated;
/// let (luts, dsps) = ([0, 1, 1, 2], [0, 0, 2, 1]);
/// assert_eq!(undominated(&[&luts, &dsps], &[1, 2, 2, 3]), [true, true, false, true]);
/// ```
pub fn undominated(costs: &[&[u64]], values: &[usize]) -> Vec<bool> {
    let greatest = values.iter().max().copied().unwrap_or(0);
    let losses: Vec<u64> = values.iter().map(|value| (greatest - value) as u64).collect();
    let mut columns = costs.get(1..).unwrap_or_default().to_vec();
    if losses.iter().any(|loss| *loss > 0) || columns.is_empty() {
        columns.push(&losses);
    }
    let points = 0..values.len();
    match &columns[..] {
        [only] => {
            let mut least = None;
            let is_kept = |at: usize| {
                let is_kept = least.is_none_or(|least| only[at] < least);
                if is_kept {
                    least = Some(only[at]);
                }
                is_kept
            };
            points.map(is_kept).collect()
        }
        [one, other] => {
            let mut stairs = Stairs::default();
            let is_kept = |at: usize| {
                let is_kept = !stairs.beats(one[at], other[at]);
                if is_kept {
                    stairs.add(one[at], other[at]);
                }
                is_kept
            };
            points.map(is_kept).collect()
        }
        _ => {
            let (last, amounts) = (columns[columns.len() - 1], &columns[..columns.len() - 1]);
            let mut pages = Pages::new(amounts.len(), 0);
            let mut own = Vec::with_capacity(amounts.len());
            let is_kept = |at: usize| {
                own.clear();
                own.extend(amounts.iter().map(|column| column[at]));
                let vector = Vector { amounts: &own, loads: &[], cost: last[at] };
                let is_kept = !pages.beats(&vector);
                if is_kept {
                    pages.add(&vector);
                }
                is_kept
            };
            points.map(is_kept).collect()
        }
    }
}

/// Pairs of an amount and a cost, none of which dominates another: costs fall as amounts rise.
#[derive(Debug)]
pub struct Stairs<C>(BTreeMap<u64, C>);

impl<C> Default for Stairs<C> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<C: Copy + Ord> Stairs<C> {
    /// Whether some pair is nowhere larger.
    #[inline]
    pub fn beats(&self, amount: u64, cost: C) -> bool {
        self.0.range(..=amount).next_back().is_some_and(|(_, least)| *least <= cost)
    }

    /// Adds a pair that is not beaten, and removes those that are nowhere smaller.
    pub fn add(&mut self, amount: u64, cost: C) {
        while let Some((&above, _)) = self.0.range(amount..).next().filter(|(_, its)| **its >= cost) {
            self.0.remove(&above);
        }
        self.0.insert(amount, cost);
    }

    /// Removes all pairs.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_what_a_comparison_of_all_pairs_keeps() {
        let mut state = 11u64;
        let mut below = |most: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % most
        };
        let (mut kept, mut dropped) = (0, 0);
        for case in 0..800 {
            let (count, resources, range) = (below(120), below(4) as usize + 1, below(12) + 1);
            let worths = if case % 2 == 0 { 9 } else { 1 };
            let mut points: Vec<(Vec<u64>, usize)> = (0..count)
                .map(|_| ((0..resources).map(|_| below(range)).collect(), below(worths) as usize))
                .collect();
            points.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)));
            let columns: Vec<Vec<u64>> =
                (0..resources).map(|at| points.iter().map(|point| point.0[at]).collect()).collect();
            let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
            let values: Vec<usize> = points.iter().map(|point| point.1).collect();
            let keep = undominated(&columns, &values);
            for (at, (costs, value)) in points.iter().enumerate() {
                let dominates = |(other, (theirs, worth)): (usize, &(Vec<u64>, usize))| {
                    let no_more = theirs.iter().zip(costs).all(|(a, b)| a <= b) && worth >= value;
                    no_more && (other < at || (theirs, worth) != (costs, value))
                };
                let is_dominated = points.iter().enumerate().any(dominates);
                assert_eq!(keep[at], !is_dominated, "{points:?} {at}");
                if is_dominated { dropped += 1 } else { kept += 1 }
            }
        }
        assert!(kept > 1000 && dropped > 1000, "{kept} {dropped}");
    }
}
