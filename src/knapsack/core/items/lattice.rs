//! The lattice that all selections lie in: profits that follow the weights, up to multiples of a step.
//!
//! The pairs (weight, profit) of all selections are integer combinations of those of the items, so they lie in the
//! lattice that the items generate. Its Hermite normal form has the rows (1, s) and (0, g) if the weights have no
//! common divisor: every selection's profit is congruent to s times its weight, modulo g. Where g is more than 1 a
//! better selection is better by more than 1, and a relaxation that does not reach the next point of the lattice
//! proves the best known selection. That is the case for profits w + 2k and w + 3k ("multiple strongly correlated": s
//! = 1, g = k), for multiples of three ("profit ceiling": s = 0, g = 3) and for multiples of two items ("spanner").
//!
//! Classes of D. Pisinger, "Where are the hard knapsack problems?", Computers & Operations Research 32, 2005; the
//! rule is an observation on them. The points nearest to the goal are the corners of the convex hull of a lattice in
//! a quadrant, which a continued fraction lists (F. Klein, 1895): O(log g) of them.
//!
//! Worked instance: (profit, weight) = (26, 6), (27, 7), (38, 8): the weights 6 and 7 give the row (1, 1), and 26 - 6,
//! 27 - 7 and 38 - 8 are multiples of 10. With C = 15 a bound of 44 becomes 35 = 15 + 20.

use crate::core::items::Piece;
use crate::core::items::number::Number;
use num_integer::Integer;

/// Profits and weights of items below this keep the products of three of them within 128 bits.
const MOST_OF_ITEM: i128 = 1 << 41;

/// Steps and slopes of relaxations below this keep their products within 128 bits.
const MOST: i128 = 1 << 60;

/// Every selection's profit is congruent to `slope` times its weight, modulo `step`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lattice {
    /// At least 2.
    step: i64,
    /// From 0 to the step, exclusive.
    slope: i64,
}

impl Lattice {
    /// The lattice of the items, unless it has all points from some weight on, or their numbers are too large.
    pub fn of<N: Number>(items: &[Piece<N>]) -> Option<Self> {
        let (mut weight, mut profit, mut step) = (0i128, 0i128, 0i128);
        for item in items {
            let (mut w, mut p) = (item.weight.wide(), item.profit.wide());
            if w.max(p) >= MOST_OF_ITEM {
                return None;
            }
            if weight == 1 && step > 0 && (p - profit * w) % step == 0 {
                continue;
            }
            // The first row and the item become the new first row and (0, p).
            while w != 0 {
                let times = weight / w;
                (weight, w) = (w, weight - times * w);
                (profit, p) = (p, profit - times * p);
                if step > 0 {
                    p %= step;
                }
            }
            step = step.gcd(&p);
            if step > 0 {
                profit = profit.rem_euclid(step);
            }
            if weight == 1 && step == 1 {
                return None;
            }
        }
        let holds = weight == 1 && (2..MOST).contains(&step);
        holds.then_some(Self { step: step as i64, slope: profit as i64 })
    }

    /// Of all points (`weight` - x, `profit` + y) of the lattice with x and y at least 0, one for which x per + y of is
    /// least, as (x, y); (0, 0) if the numbers are too large.
    pub fn nearest(&self, (weight, profit): (i128, i128), (per, of): (i128, i128)) -> (i64, i64) {
        let Self { step, slope } = *self;
        if per >= MOST || of >= MOST {
            return (0, 0);
        }
        let wide = i128::from(step);
        let first = (i128::from(slope) * (weight % wide) - profit % wide).rem_euclid(wide) as i64;
        let cost = |x: i64, y: i64| i128::from(x) * per + i128::from(y) * of;
        // One more x lowers y by the slope, or raises it by what is left of the step. A corner's next edge is the
        // shortest combination that lowers y by no more than y.
        let (mut x, mut y) = (0i64, first);
        let (mut up, mut down) = ((0i64, step), (1i64, slope));
        let (mut best, mut least) = ((x, y), cost(x, y));
        while y > 0 && down.1 > 0 {
            let steps = y / down.1;
            if steps > 0 {
                (x, y) = (x + steps * down.0, y - steps * down.1);
                if cost(x, y) < least {
                    (best, least) = ((x, y), cost(x, y));
                }
            }
            if y == 0 || i128::from(x) * per >= least {
                break;
            }
            let times = up.1 / down.1;
            up = (up.0 + times * down.0, up.1 - times * down.1);
            if up.1 == 0 {
                break;
            }
            let times = ((down.1 - y) / up.1 + i64::from((down.1 - y) % up.1 > 0)).min((down.1 - 1) / up.1);
            down = (down.0 + times * up.0, down.1 - times * up.1);
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lattice(items: &[(i64, i64)]) -> Option<Lattice> {
        let piece = |&(profit, weight)| Piece { profit, weight, count: 1, item: 0 };
        Lattice::of(&items.iter().map(piece).collect::<Vec<Piece<i64>>>())
    }

    #[test]
    fn the_worked_instance_is_as_stated() {
        assert_eq!(lattice(&[(26, 6), (27, 7), (38, 8)]), Some(Lattice { step: 10, slope: 1 }));
        assert_eq!(lattice(&[(26, 6), (27, 7), (39, 8)]), None);
        assert_eq!(lattice(&[(1 << 41, 6), (27, 7)]), None);
        assert_eq!(lattice(&[(5, 2)]), None);
    }

    #[test]
    fn every_sum_of_items_lies_in_the_lattice_and_no_finer_one_exists() {
        let mut seed = 11u64;
        let mut random = |most: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((seed >> 33) % most) as i64
        };
        let mut found = 0;
        for _ in 0..2000 {
            let (step, slope) = (2 + random(9), random(12));
            let items: Vec<(i64, i64)> = (0..4)
                .map(|_| (1 + random(30), 1 + random(8)))
                .map(|(w, times)| ((slope * w).rem_euclid(step) + step * times, w))
                .collect();
            let holds = |step: i64, slope: i64| items.iter().all(|(p, w)| (p - slope * w) % step == 0);
            let Some(Lattice { step: g, slope: s }) = lattice(&items) else { continue };
            assert!(holds(g, s) && g % step == 0, "{items:?}: {g} {s}");
            assert!((2..5).all(|times| (0..g * times).all(|s| !holds(g * times, s))), "{items:?}: {g} {s}");
            found += 1;
        }
        assert!(found > 500, "{found}");
    }

    #[test]
    fn the_nearest_point_is_that_of_all() {
        let mut steps = 0;
        for step in 2..40i64 {
            for slope in 0..step {
                let lattice = Lattice { step, slope };
                for profit in 0..step {
                    for (per, of) in [(1, 1), (1, 7), (5, 3), (30, 1), (1, 60), (0, 1), (1, 0)] {
                        let cost = |(x, y): (i64, i64)| i128::from(x) * per + i128::from(y) * of;
                        let all = (0..step).map(|x| (x, (slope * (100 - x) - profit).rem_euclid(step)));
                        let point = lattice.nearest((100, profit.into()), (per, of));
                        assert!(all.clone().any(|at| at == point), "{lattice:?} {profit} {point:?}");
                        assert_eq!(
                            cost(point),
                            all.map(cost).min().unwrap(),
                            "{lattice:?} {profit} {per} {of}"
                        );
                        steps += 1;
                    }
                }
            }
        }
        assert!(steps > 100_000);
    }
}
