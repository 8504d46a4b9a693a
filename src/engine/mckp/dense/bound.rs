//! Upper bounds of a layer's cells, and of what each item can reach there: which items need not be looked at.
//!
//! For any price λ >= 0 of a unit of weight, the best of class c at that price is `max_k v_ck - λ w_ck`. So
//! whatever the first i classes give at j weighs in at no more than the line
//!
//! ```text
//! L(j) = λ j + sum_c max_k (v_ck - λ w_ck)
//! ```
//!
//! and with item k of class i at no more than `L(j) - cost_k`, where `cost_k` is what k falls short of the best
//! of its class at that price. If a cell holds g already, then only items with `floor(L(j) - cost_k) > g` can
//! raise it; and only items with `floor(L(j) - cost_k) >= G_i(j)` can explain it. The best price for cells near j
//! is the slope there of the linear relaxation of the prefix: the segments of all upper hulls of the classes,
//! steepest first. (P. Sinha and A. Zoltners, "The multiple-choice knapsack problem", Operations Research 27(3),
//! 1979, for the relaxation; the exclusion by reduced costs is that of every linear-programming branch and bound.)
//!
//! All in integers: the price is rounded to a multiple of 2^-f, which any price may be, and lines and costs are
//! kept times 2^f.
//!
//! Worked instance: one class {0, (3,1), (4,3)} as (value, weight). Hull segments (3,1), (1,2). At the price 1/2
//! the line is L(j) = j/2 + 2.5 and the costs are 2.5, 0, 0: at j = 3, floor(L) = 4, the zero item reaches at
//! most 1.

use crate::problem::mckp::Item;
use std::cmp::Ordering;

/// A line above a layer's cells, at a price, both times 2^f.
#[derive(Clone, Copy, Debug)]
pub struct Tangent {
    /// Price of a unit of weight.
    pub price: i64,
    /// The line at j = 0.
    pub at_zero: i64,
    /// f.
    pub shift: u32,
}

/// An edge of an upper hull: so much value for so much weight.
#[derive(Clone, Copy, Debug)]
struct Edge {
    rise: i64,
    run: i64,
}

impl Edge {
    /// Steepest first.
    fn order(&self, other: &Self) -> Ordering {
        (i128::from(other.rise) * i128::from(self.run)).cmp(&(i128::from(self.rise) * i128::from(other.run)))
    }
}

/// The linear relaxation of a growing prefix of classes.
pub struct Relaxation {
    edges: Vec<Edge>,
    /// Edges of classes added since the last merge.
    fresh: Vec<Edge>,
    capacity: u64,
    shift: Option<u32>,
}

/// Fraction bits of a price where the values leave room for them.
const FINEST: u32 = 24;

impl Relaxation {
    /// For a problem whose sums stay below 2^`bits` and whose capacity is `capacity`.
    pub fn new(bits: u32, capacity: u64) -> Self {
        let room = 60u32.checked_sub(bits);
        let shift = room.filter(|_| capacity < 1 << 40).map(|room| room.min(FINEST));
        Self { edges: Vec::new(), fresh: Vec::new(), capacity, shift }
    }

    /// Adds a class.
    pub fn add<V: Copy + Into<i64>>(&mut self, items: &[Item<V>]) {
        if self.shift.is_none() {
            return;
        }
        self.fresh.extend(hull(items, self.capacity));
    }

    /// Tangents at the middles of `tiles` tiles of `width` cells; `None` where no line fits the arithmetic.
    pub fn tangents(&mut self, tiles: usize, width: usize) -> Vec<Option<Tangent>> {
        let Some(shift) = self.shift else { return vec![None; tiles] };
        self.merge();
        let (mut run, mut rise) = (0i64, 0i64);
        let mut edges = self.edges.iter().copied().peekable();
        let middles = (0..tiles).map(|tile| (tile * width + width / 2) as i64);
        middles
            .map(|middle| {
                while let Some(edge) = edges.next_if(|edge| run + edge.run <= middle) {
                    run += edge.run;
                    rise += edge.rise;
                }
                let price = edges.peek().map_or(Some(0), |edge| price(edge, shift))?;
                self.line(price, shift, (run, rise), edges.clone())
            })
            .collect()
    }

    /// The line of that price, which touches the relaxation at or after the corner `at`.
    fn line(
        &self,
        price: i64,
        shift: u32,
        at: (i64, i64),
        edges: impl Iterator<Item = Edge>,
    ) -> Option<Tangent> {
        let (mut run, mut rise) = at;
        // Rounding moved the price by less than one unit, so this loop rarely takes more than a step.
        for edge in
            edges.take_while(|edge| i128::from(edge.rise) << shift > i128::from(price) * i128::from(edge.run))
        {
            run += edge.run;
            rise += edge.rise;
        }
        let at_zero = (i128::from(rise) << shift) - i128::from(price) * i128::from(run);
        Some(Tangent { price, at_zero: i64::try_from(at_zero).ok().filter(|&line| line < 1 << 61)?, shift })
    }

    fn merge(&mut self) {
        if !self.fresh.is_empty() {
            self.edges.append(&mut self.fresh);
            // Two sorted runs at most: the sort finds and merges them.
            self.edges.sort_by(Edge::order);
        }
    }
}

/// The slope of an edge, rounded down to a multiple of 2^-shift.
fn price(edge: &Edge, shift: u32) -> Option<i64> {
    i64::try_from((i128::from(edge.rise) << shift) / i128::from(edge.run)).ok()
}

/// The edges of the upper hull of a class's items within the capacity, from its zero item on, while it rises.
fn hull<V: Copy + Into<i64>>(items: &[Item<V>], capacity: u64) -> Vec<Edge> {
    let fitting = items.iter().filter(|item| item.weight <= capacity);
    let mut points: Vec<(i64, i64)> = fitting.map(|item| (item.weight as i64, item.value.into())).collect();
    points.sort_unstable_by_key(|&(weight, value)| (weight, -value));
    let mut corners: Vec<(i64, i64)> = vec![(0, 0)];
    for (weight, value) in points {
        if value <= corners[corners.len() - 1].1 {
            continue;
        }
        while let [.., (w0, v0), (w1, v1)] = corners[..] {
            let kept = i128::from(v1 - v0) * i128::from(weight - w0);
            if kept > i128::from(value - v0) * i128::from(w1 - w0) {
                break;
            }
            corners.pop();
        }
        corners.push((weight, value));
    }
    corners.windows(2).map(|pair| Edge { rise: pair[1].1 - pair[0].1, run: pair[1].0 - pair[0].0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(items: &[(i64, u64)]) -> Vec<Item<i64>> {
        items.iter().map(|&(value, weight)| Item { value, weight }).collect()
    }

    #[test]
    fn the_worked_instance_has_the_line_told() {
        let mut relaxation = Relaxation::new(3, 10);
        relaxation.add(&items(&[(0, 0), (3, 1), (4, 3)]));
        let tangent = relaxation.tangents(1, 4)[0].unwrap();
        assert_eq!((tangent.price, tangent.at_zero), (1 << 23, 5 << 23));
    }

    #[test]
    fn no_cell_passes_its_line() {
        let classes = [
            items(&[(0, 0), (3, 1), (4, 3), (9, 7)]),
            items(&[(-2, 0), (0, 0), (7, 2), (7, 5)]),
            items(&[(5, 4), (0, 0), (6, 4)]),
        ];
        let mut relaxation = Relaxation::new(6, 20);
        let mut row = [0i64; 21];
        for class in &classes {
            relaxation.add(class);
            let old = row;
            for (cell, best) in row.iter_mut().enumerate() {
                let fit = |item: &&Item<i64>| item.weight as usize <= cell;
                *best = class
                    .iter()
                    .filter(fit)
                    .map(|item| old[cell - item.weight as usize] + item.value)
                    .max()
                    .unwrap();
            }
            for tangent in relaxation.tangents(5, 4).into_iter().flatten() {
                for (cell, &value) in row.iter().enumerate() {
                    assert!((tangent.at_zero + tangent.price * cell as i64) >> tangent.shift >= value);
                }
            }
        }
    }
}
