//! Upper bounds of a layer's cells, and of what each item can reach there, which show the items that can be skipped.
//!
//! For any price λ >= 0 per unit of weight, the best of class c at that price is `max_k v_ck - λ w_ck`. So the value
//! of the first i classes at j is at most the line
//!
//! ```text
//! L(j) = λ j + sum_c max_k (v_ck - λ w_ck)
//! ```
//!
//! and with item k of class i at most `L(j) - cost_k`, where `cost_k` is the shortfall of k against the best of its
//! class at that price. If a cell already contains g, then only items with `floor(L(j) - cost_k) > g` can raise it;
//! and only items with `floor(L(j) - cost_k) >= G_i(j)` can explain it. The best price for cells near j is the slope
//! there of the linear relaxation of the prefix: the segments of all upper hulls of the classes, steepest first. (P.
//! Sinha and A. Zoltners, "The multiple-choice knapsack problem", Operations Research 27(3), 1979, for the
//! relaxation; the exclusion by reduced costs is that of every linear-programming branch and bound.)
//!
//! All computed in integers: the price is rounded to a multiple of 2^-f, which is valid since any price is, and
//! lines and costs are stored times 2^f.
//!
//! Worked instance: one class {0, (3,1), (4,3)} as (value, weight). Hull segments (3,1), (1,2). At the price 1/2
//! the line is L(j) = j/2 + 2.5 and the costs are 2.5, 0, 0: at j = 3, floor(L) = 4, the zero item reaches at
//! most 1.

use isx_machine::cpu::Team;
use isx_machine::rates;
use isx_problems::mckp::{Item, upper_hull};
use isx_problems::reduce::mckp::Reduced;
use isx_problems::value::Value;
use num_traits::ToPrimitive;
use std::cmp::Ordering;

/// A line above a layer's cells, at a price, both times 2^f.
#[derive(Clone, Copy, Debug)]
pub struct Tangent {
    /// Price per unit of weight.
    pub price: i64,
    /// The line at j = 0.
    pub at_zero: i64,
    /// f.
    pub shift: u32,
}

/// An edge of an upper hull: a gain of value for a gain of weight.
#[derive(Clone, Copy, Debug)]
struct Edge {
    rise: i64,
    run: i64,
}

impl Edge {
    /// From one item to a heavier one; weights stay below 2^40 wherever edges are created.
    fn between<V: Copy + Into<i64>>(from: &Item<V>, to: &Item<V>) -> Self {
        Self { rise: to.value.into() - from.value.into(), run: (to.weight - from.weight) as i64 }
    }

    /// Steepest first.
    fn order(&self, other: &Self) -> Ordering {
        (i128::from(other.rise) * i128::from(self.run)).cmp(&(i128::from(self.rise) * i128::from(other.run)))
    }
}

/// The linear relaxations of all prefixes of a sequence of classes.
pub struct Relaxations {
    /// The edges of all hulls, steepest first, and the class of each.
    edges: Vec<(Edge, usize)>,
    shift: Option<u32>,
}

/// Fraction bits of a price if the values leave room for them.
const FINEST: u32 = 24;

/// Bytes that an item may need here.
pub const ITEM_BYTES: usize = 2 * size_of::<(Edge, usize)>();

impl Relaxations {
    /// For a problem whose sums stay below 2^`bits`.
    pub fn new<V: Value + ToPrimitive + Into<i64> + Copy>(
        problem: &Reduced<V>,
        bits: u32,
        team: &Team,
    ) -> Self {
        let room = 60u32.checked_sub(bits).filter(|_| problem.capacity < 1 << 40);
        let Some(room) = room else { return Self { edges: Vec::new(), shift: None } };
        let items: usize = problem.classes.iter().map(|class| class.items.len()).sum();
        let hulls = team.map(problem.classes.len(), items as f64 * rates::MCKP_HULL_ITEM, |class| {
            let items = &problem.classes[class].items;
            let corners = upper_hull(items, problem.capacity);
            let edge = |pair: &[usize]| Edge::between(&items[pair[0]], &items[pair[1]]);
            corners.windows(2).map(edge).map(|edge| (edge, class)).collect::<Vec<_>>()
        });
        Self { edges: steepest_first(&hulls), shift: Some(room.min(FINEST)) }
    }

    /// Seconds of one thread for the tangents at `tiles` tiles.
    pub fn seconds(&self, tiles: usize) -> f64 {
        self.edges.len() as f64 * rates::MCKP_EDGE + tiles as f64 * rates::MCKP_TANGENT
    }

    /// Tangents of the relaxation of the first `classes` classes at the middles of `tiles` tiles of `width` cells;
    /// `None` if no line fits the arithmetic.
    pub fn tangents(&self, classes: usize, tiles: usize, width: usize) -> Vec<Option<Tangent>> {
        let Some(shift) = self.shift else { return vec![None; tiles] };
        let (mut run, mut rise) = (0i64, 0i64);
        let of_prefix = self.edges.iter().filter(|&&(_, class)| class < classes);
        let mut edges = of_prefix.map(|&(edge, _)| edge).peekable();
        let middles = (0..tiles).map(|tile| (tile * width + width / 2) as i64);
        middles
            .map(|middle| {
                while let Some(edge) = edges.next_if(|edge| run + edge.run <= middle) {
                    run += edge.run;
                    rise += edge.rise;
                }
                let price = edges.peek().map_or(Some(0), |edge| price(edge, shift))?;
                line(price, shift, (run, rise), edges.clone())
            })
            .collect()
    }
}

fn steepest_first(hulls: &[Vec<(Edge, usize)>]) -> Vec<(Edge, usize)> {
    let mut edges = hulls.concat();
    edges.sort_unstable_by(|(a, of_a), (b, of_b)| a.order(b).then(of_a.cmp(of_b)));
    edges
}

/// The line of that price, which touches the relaxation at or after the corner `at`.
fn line(price: i64, shift: u32, at: (i64, i64), edges: impl Iterator<Item = Edge>) -> Option<Tangent> {
    let (mut run, mut rise) = at;
    // Rounding changed the price by less than one unit, so this loop rarely takes more than one step.
    for edge in
        edges.take_while(|edge| i128::from(edge.rise) << shift > i128::from(price) * i128::from(edge.run))
    {
        run += edge.run;
        rise += edge.rise;
    }
    let at_zero = (i128::from(rise) << shift) - i128::from(price) * i128::from(run);
    Some(Tangent { price, at_zero: i64::try_from(at_zero).ok().filter(|&line| line < 1 << 61)?, shift })
}

/// The slope of an edge, rounded down to a multiple of 2^-shift.
fn price(edge: &Edge, shift: u32) -> Option<i64> {
    i64::try_from((i128::from(edge.rise) << shift) / i128::from(edge.run)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use isx_problems::reduce::mckp::{Class, WayBack};

    fn items(items: &[(i64, u64)]) -> Vec<Item<i64>> {
        items.iter().map(|&(value, weight)| Item { value, weight }).collect()
    }

    /// A problem of these classes, each with a zero item.
    fn problem(classes: &[Vec<Item<i64>>], capacity: u64) -> Reduced<i64> {
        let class = |items: &Vec<Item<i64>>| Class {
            zero: items.iter().position(|item| (item.weight, item.value) == (0, 0)).unwrap(),
            origin: vec![None; items.len()],
            items: items.clone(),
        };
        let back = WayBack {
            class_origin: (0..classes.len()).collect(),
            fixed: vec![None; classes.len()],
            weight_offset: 0,
            weight_unit: 1,
            value_offset: 0.into(),
            value_unit: 1.into(),
            complete: false,
        };
        Reduced { classes: classes.iter().map(class).collect(), capacity, back }
    }

    #[test]
    fn the_worked_instance_has_the_documented_line() {
        let problem = problem(&[items(&[(0, 0), (3, 1), (4, 3)])], 10);
        let tangent = Relaxations::new(&problem, 3, &Team::alone()).tangents(1, 1, 4)[0].unwrap();
        assert_eq!((tangent.price, tangent.at_zero), (1 << 23, 5 << 23));
    }

    #[test]
    fn no_cell_passes_its_line_and_some_come_close() {
        let classes = [
            items(&[(0, 0), (3, 1), (4, 3), (9, 7)]),
            items(&[(-2, 0), (0, 0), (7, 2), (7, 5)]),
            items(&[(5, 4), (0, 0), (6, 4)]),
        ];
        let relaxations = Relaxations::new(&problem(&classes, 20), 6, &Team::alone());
        let mut row = [0i64; 21];
        let mut least = i64::MAX;
        for (layer, class) in classes.iter().enumerate() {
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
            for tangent in relaxations.tangents(layer + 1, 5, 4).into_iter().flatten() {
                for (cell, &value) in row.iter().enumerate() {
                    let gap = ((tangent.at_zero + tangent.price * cell as i64) >> tangent.shift) - value;
                    assert!(gap >= 0);
                    least = least.min(gap);
                }
            }
        }
        assert_eq!(least, 0, "a line that touches its row");
    }
}
