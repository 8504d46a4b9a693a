//! The steps of the reduction.

use super::{Item, Reduced, WayBack};
use crate::multidim::{MAX_DIMENSIONS, Multidim, PerDimension};
use isx_exact::order::sort_by;
use num_integer::Integer;

/// Dominance compares all pairs of items, so it is skipped for more items.
const MOST_COMPARED: usize = 4096;

/// Reduces the problem.
///
/// ```
/// use isx_problems::multidim::{Item, Multidim};
/// use isx_problems::reduce::multidim::reduce;
/// let item = |profit, weights| Item { profit, weights };
/// let items = vec![
///     item(5, [2, 9, 2]), item(4, [4, 1, 2]), item(3, [0, 0, 3]), item(1, [5, 0, 0]), item(9, [0, 0, 0]),
/// ];
/// let reduced = reduce(&Multidim { dimensions: 3, capacities: [4, 9, 7], items });
/// assert_eq!((reduced.capacities, reduced.items.len()), ([0, 2, 9], 2));
/// assert_eq!(reduced.back.taken, [2, 4]);
/// ```
pub fn reduce(problem: &Multidim) -> Reduced {
    let mut left = Left {
        problem,
        items: (0..problem.items.len()).collect(),
        binding: [true; MAX_DIMENSIONS],
        taken: Vec::new(),
    };
    left.drop_useless();
    left.drop_loose_and_free();
    // Without an item the others have fewer that dominate them, so only a dropped dimension crowds out another one.
    while left.drop_crowded_out() && left.drop_loose_and_free() {}
    left.in_normal_form()
}

/// The remaining part of a problem.
struct Left<'a> {
    problem: &'a Multidim,
    /// The remaining items, as indices into the problem.
    items: Vec<usize>,
    /// Whether each dimension remains.
    binding: [bool; MAX_DIMENSIONS],
    /// Items always taken.
    taken: Vec<usize>,
}

impl Left<'_> {
    fn item(&self, item: usize) -> &Item {
        &self.problem.items[item]
    }

    /// Removes items without profit or exceeding a capacity.
    fn drop_useless(&mut self) {
        let Multidim { capacities, items, .. } = self.problem;
        let fits =
            |item: &Item| item.weights.iter().zip(capacities).all(|(weight, capacity)| weight <= capacity);
        self.items.retain(|&item| items[item].profit > 0 && fits(&items[item]));
    }

    /// Removes dimensions that hold all items, and takes items without weight; returns whether there were any.
    fn drop_loose_and_free(&mut self) -> bool {
        let mut found = false;
        for dimension in 0..MAX_DIMENSIONS {
            let weights = self.items.iter().map(|&item| u128::from(self.item(item).weights[dimension]));
            let loose = weights.sum::<u128>() <= u128::from(self.problem.capacities[dimension]);
            found |= self.binding[dimension] && loose;
            self.binding[dimension] &= !loose;
        }
        let (problem, binding) = (self.problem, self.binding);
        let weighs =
            |&item: &usize| (0..MAX_DIMENSIONS).any(|at| binding[at] && problem.items[item].weights[at] > 0);
        let (items, free) = std::mem::take(&mut self.items).into_iter().partition(weighs);
        self.items = items;
        self.taken.extend::<Vec<usize>>(free);
        found
    }

    /// Removes items that do not fit together with all items that dominate them; returns whether there were any.
    fn drop_crowded_out(&mut self) -> bool {
        if self.items.len() > MOST_COMPARED {
            return false;
        }
        // Weights in dropped dimensions count nothing.
        let binding = |&item: &usize| {
            let Item { profit, mut weights } = *self.item(item);
            for (weight, binding) in weights.iter_mut().zip(self.binding) {
                *weight *= u64::from(binding);
            }
            Item { profit, weights }
        };
        let all: Vec<Item> = self.items.iter().map(binding).collect();
        let crowded_out = |at: usize| {
            let mut sums = all[at].weights.map(u128::from);
            for (other, item) in all.iter().enumerate() {
                if dominates((other, item), (at, &all[at])) {
                    for (sum, &weight) in sums.iter_mut().zip(&item.weights) {
                        *sum += u128::from(weight);
                    }
                }
            }
            (0..MAX_DIMENSIONS)
                .any(|at| self.binding[at] && sums[at] > u128::from(self.problem.capacities[at]))
        };
        // All are compared with the initial items: a dominating item that is removed is itself never needed, and the
        // items that dominate it also dominate this one.
        let left = |(at, &item): (usize, &usize)| (!crowded_out(at)).then_some(item);
        let items: Vec<usize> = self.items.iter().enumerate().filter_map(left).collect();
        let found = items.len() < self.items.len();
        self.items = items;
        found
    }

    fn in_normal_form(self) -> Reduced {
        let mut order: Vec<usize> = (0..MAX_DIMENSIONS).filter(|&at| self.binding[at]).collect();
        let unit =
            |at: usize| self.items.iter().fold(0, |unit: u64, &item| unit.gcd(&self.item(item).weights[at]));
        // A binding dimension has a weight above 0.
        let units: Vec<u64> = (0..MAX_DIMENSIONS).map(|at| unit(at).max(1)).collect();
        let capacity = |at: usize| self.problem.capacities[at] / units[at];
        sort_by(&mut order, |&a, &b| capacity(a).cmp(&capacity(b)));
        let profit_unit =
            self.items.iter().fold(0, |unit: i128, &item| unit.gcd(&self.item(item).profit)).max(1);
        // Dropped dimensions come first.
        let dropped = MAX_DIMENSIONS - order.len();
        let figures = |of: &PerDimension| {
            let mut figures = PerDimension::default();
            for (figure, &at) in figures[dropped..].iter_mut().zip(&order) {
                *figure = of[at] / units[at];
            }
            figures
        };
        let capacities = figures(&self.problem.capacities);
        let item = |&item: &usize| {
            let Item { profit, weights } = *self.item(item);
            let reduced = Item { profit: profit / profit_unit, weights: figures(&weights) };
            (largest_share(&reduced, &capacities), item, reduced)
        };
        let mut items: Vec<(u128, usize, Item)> = self.items.iter().map(item).collect();
        sort_by(&mut items, |a, b| (a.0, a.1).cmp(&(b.0, b.1)));
        let (items, origin) = items.into_iter().map(|(_, origin, item)| (item, origin)).unzip();
        Reduced { capacities, items, back: WayBack { origin, taken: self.taken, profit_unit } }
    }
}

/// Whether the first item dominates the second; of identical items the first does.
fn dominates((one, a): (usize, &Item), (other, b): (usize, &Item)) -> bool {
    let no_heavier = a.weights.iter().zip(&b.weights).all(|(a, b)| a <= b);
    a.profit >= b.profit && no_heavier && one != other && (a != b || one < other)
}

/// The largest fraction of a capacity that the item takes, in units of 2^-20.
fn largest_share(item: &Item, capacities: &PerDimension) -> u128 {
    let share = |(&weight, &capacity): (&u64, &u64)| (u128::from(weight) << 20) / u128::from(capacity.max(1));
    item.weights.iter().zip(capacities).map(share).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Tier;

    fn problem(capacities: PerDimension, items: &[(i128, PerDimension)]) -> Multidim {
        let items = items.iter().map(|&(profit, weights)| Item { profit, weights }).collect();
        Multidim { dimensions: 3, capacities, items }
    }

    #[test]
    fn every_step_finds_what_it_is_for() {
        let useless = [(0, [1, 1, 0]), (-4, [0, 0, 0]), (9, [0, 4, 0])];
        let reduced = reduce(&problem([9, 3, 0], &useless));
        assert_eq!((reduced.items.len(), reduced.back.taken.len()), (0, 0));
        // Two are dominated by the third and do not fit together with it; then a dimension is loose and the third is
        // free.
        let crowded = [(3, [3, 4, 0]), (3, [3, 4, 0]), (5, [3, 4, 0])];
        let reduced = reduce(&problem([7, 7, 0], &crowded));
        assert_eq!((reduced.items.len(), &reduced.back.taken[..]), (0, &[2][..]));
        // Of three identical items two fit.
        let equal = [(3, [3, 4, 0]); 3];
        let reduced = reduce(&problem([8, 8, 0], &equal));
        assert_eq!((reduced.items.len(), &reduced.back.taken[..]), (0, &[0, 1][..]));
        let units = [(15, [4, 9, 0]), (10, [6, 6, 0]), (20, [2, 3, 0])];
        let reduced = reduce(&problem([11, 17, 0], &units));
        assert_eq!(reduced.capacities, [0, 5, 5]);
        assert_eq!(reduced.items[0], Item { profit: 4, weights: [0, 1, 1] });
        assert_eq!((reduced.back.origin, reduced.back.profit_unit), (vec![2, 0, 1], 5));
    }

    #[test]
    fn the_ends_of_every_range_are_reduced_without_overflow() {
        let (weight, profit) = ((1 << 62) - 1, (1 << 120) - 1);
        let heavy = vec![(profit, [weight, weight - 1, 1]), (profit - 1, [weight - 1, weight, 1])];
        let reduced = reduce(&problem([weight; 3], &heavy));
        assert_eq!(reduced.cells(), u64::MAX);
        assert_eq!((reduced.items.len(), reduced.tier()), (2, Tier::I128));
        // No two of these fit together, and none dominates another.
        let many: Vec<_> = (0..200).map(|at| (profit, [weight - at, weight - 200 + at, 0])).collect();
        assert_eq!(reduce(&problem([weight, weight, 0], &many)).tier(), Tier::I32, "profits have a divisor");
        let many: Vec<_> =
            many.iter().map(|&(profit, weights)| (profit - weights[0] as i128, weights)).collect();
        assert_eq!(reduce(&problem([weight, weight, 0], &many)).tier(), Tier::Big);
        assert_eq!(reduce(&problem([0; 3], &[])).cells(), 1);
    }
}
