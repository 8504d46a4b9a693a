//! Profits as losses relative to a price of weight, so that cells stay narrow.
//!
//! With a price k per unit of weight, an item of profit p and weight w *loses* p - k w if it is left out although it
//! is worth its price, and k w - p if it is taken although it is not. For a set S of weight j and loss l
//!
//! ```text
//! profit(S) = k j + B - l,    B = sum of max(0, p_i - k w_i)
//! ```
//!
//! so of sets of equal weight the one with the least loss is best. Within capacity C no profit exceeds U = k C + B
//! (the Lagrangean bound), and a set at least as good as a known profit L satisfies k (C - j) + l <= U - L = the
//! *gap*: the set weighs at least C - gap / k, sets with a loss greater than the gap are irrelevant, and an item
//! that loses more than the gap in one decision is fixed to the other. No loss exceeds the sum of all items' losses
//! either. A cell must fit the lesser of the two, which is determined in integers before anything runs.
//!
//! Worked instance: (profit, weight) = (7,6), (5,5), (3,2), C = 8 and k = 1. The items lose 1, 0 and 1 if left out,
//! B = 2, U = 10. Greedy by profit per weight takes (3,2) and (7,6): L = 10, the gap is 0.

use super::cell::Width;
use crate::slack::greedy;
use isx_engine::EngineError;
use isx_problems::knapsack::Item;
use isx_problems::value::Tier;

/// Greater losses and prices are refused.
const LARGEST: u64 = 1 << 62;

/// An item in the kernels' format, the layout of `Item` in `kernels/knapsack/knapsack.cuh`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub(super) struct Step {
    pub weight: u64,
    /// The loss if it is left out,
    pub leave: u64,
    /// and if it is taken. One of the two is 0.
    pub take: u64,
}

/// A problem in losses.
#[derive(Clone, Debug)]
pub(super) struct Losses {
    /// The undecided items,
    pub steps: Vec<Step>,
    /// and their numbers.
    pub origin: Vec<u32>,
    /// Items that every best selection takes.
    pub forced: Vec<u32>,
    /// Capacity left after those.
    pub capacity: u64,
    /// Price per unit of weight.
    pub price: u64,
    /// Losses above this are irrelevant.
    pub limit: u64,
    /// A best selection leaves at most this much capacity unused.
    pub slack: u64,
    /// A set of undecided items with weight j and loss l has, with the forced items, profit worth + price * j - l.
    pub worth: i128,
}

/// What one sweep looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attempt {
    pub width: Width,
    /// Selections with a greater loss are not looked at.
    pub limit: u64,
    /// A selection whose loss and unused capacity together cost more need not be a best one.
    pub most_cost: u64,
}

/// The losses of one item at a price.
fn losses(item: &Item, price: u64) -> Option<(i128, i128)> {
    let worth = item.profit.checked_sub(i128::from(price).checked_mul(i128::from(item.weight))?)?;
    Some((worth.max(0), worth.min(0).checked_neg()?))
}

/// The sum of all items' losses if left out, and if taken.
fn sums(items: &[Item], price: u64) -> Option<(i128, i128)> {
    items.iter().try_fold((0i128, 0i128), |(leave, take), item| {
        let (left, taken) = losses(item, price)?;
        Some((leave.checked_add(left)?, take.checked_add(taken)?))
    })
}

/// The error for losses that no cell can represent.
fn too_wide() -> EngineError {
    EngineError::Arithmetic(Tier::I128)
}

impl Losses {
    /// For the best of one capacity: uses the integer prices next to the profit per weight at which the capacity is
    /// used up, and of these the one with the narrower cells. Fails with [`EngineError::Arithmetic`] if the losses
    /// exceed 64 bits.
    pub fn of_one_capacity(items: &[Item], capacity: u64) -> Result<Self, EngineError> {
        let (known, edge) = greedy(items, capacity);
        whole_prices(edge)
            .into_iter()
            .filter_map(|price| Self::at_price(items, capacity, price, known))
            .min_by_key(|losses| losses.limit)
            .ok_or_else(too_wide)
    }

    /// For all capacities: uses the price that half of the weight is worth, and only the sum of all losses as the
    /// bound. Fails with [`EngineError::Arithmetic`] if the losses exceed 64 bits.
    pub fn of_all_capacities(items: &[Item], capacity: u64) -> Result<Self, EngineError> {
        let total: u128 = items.iter().map(|item| u128::from(item.weight)).sum();
        let (_, edge) = greedy(items, u64::try_from(total / 2).unwrap_or(u64::MAX));
        whole_prices(edge)
            .into_iter()
            .filter_map(|price| {
                let (leave, take) = sums(items, price)?;
                let limit = u64::try_from(leave.checked_add(take)?).ok().filter(|&limit| limit < LARGEST)?;
                let fates = (0..).zip(items).collect::<Vec<(u32, &Item)>>();
                let (steps, origin) = open_steps(&fates, price)?;
                let slack = capacity;
                Some(Self { steps, origin, forced: vec![], capacity, price, limit, slack, worth: leave })
            })
            .min_by_key(|losses| losses.limit)
            .ok_or_else(too_wide)
    }

    fn at_price(items: &[Item], capacity: u64, price: u64, greedy: i128) -> Option<Self> {
        let price = Some(price).filter(|&price| price < LARGEST)?;
        let (leave, _) = sums(items, price)?;
        let bound = i128::from(price).checked_mul(i128::from(capacity))?.checked_add(leave)?;
        let gap = u64::try_from(bound.checked_sub(greedy)?).ok().filter(|&gap| gap < LARGEST)?;
        let slack = gap.checked_div(price).map_or(capacity, |slack| slack.min(capacity));
        let (mut open, mut forced) = (Vec::new(), Vec::new());
        let (mut left, mut worth) = (capacity, leave);
        for (index, item) in (0u32..).zip(items) {
            let (leave, take) = losses(item, price)?;
            if take > i128::from(gap) {
                continue;
            }
            if leave > i128::from(gap) {
                forced.push(index);
                // The greedy selection contains all of these, so they fit.
                left = left.checked_sub(item.weight)?;
                worth = worth.checked_add(i128::from(price).checked_mul(i128::from(item.weight))?)?;
                continue;
            }
            open.push((index, item));
        }
        let (steps, origin) = open_steps(&open, price)?;
        let all: u128 = steps.iter().map(|step| u128::from(step.leave) + u128::from(step.take)).sum();
        let limit = gap.min(u64::try_from(all).unwrap_or(u64::MAX));
        Some(Self { steps, origin, forced, capacity: left, price, limit, slack: slack.min(left), worth })
    }

    /// The cell width that the losses need, at least `at_least`. Fails with [`EngineError::Arithmetic`] if the losses
    /// exceed 64 bits.
    pub fn width(&self, at_least: Width) -> Result<Width, EngineError> {
        Width::narrowest(self.limit).map(|narrowest| narrowest.max(at_least)).ok_or_else(too_wide)
    }

    /// Attempts to make in turn, with cells of at least `at_least`. The losses of a best selection are seldom more than half
    /// of all: where half of them fit narrower cells, these come first. A selection that costs no more than their limit is
    /// a best one even then, since every better one costs less. Fails as [`Losses::width`].
    pub fn attempts(&self, at_least: Width) -> Result<Vec<Attempt>, EngineError> {
        let width = self.width(at_least)?;
        let narrower = Width::narrowest(self.limit / 2).map(|narrowest| narrowest.max(at_least));
        let first = narrower.filter(|&narrower| narrower < width).map(|width| {
            let limit = width.most();
            Attempt { width, limit, most_cost: limit }
        });
        Ok(first.into_iter().chain([Attempt { width, limit: self.limit, most_cost: u64::MAX }]).collect())
    }

    /// Sorts the heaviest items first, or last. With the heaviest first, rows stay sparse for long, and once only
    /// light items are left, few cells can still lead to a best selection.
    pub fn sorted(mut self, heaviest_first: bool) -> Self {
        let mut both: Vec<(Step, u32)> = self.steps.into_iter().zip(self.origin).collect();
        both.sort_by_key(|(step, _)| step.weight);
        if heaviest_first {
            both.reverse();
        }
        (self.steps, self.origin) = both.into_iter().unzip();
        self
    }
}

/// The steps of the undecided items, and their numbers.
fn open_steps(items: &[(u32, &Item)], price: u64) -> Option<(Vec<Step>, Vec<u32>)> {
    let step = |&(index, item): &(u32, &Item)| {
        let (leave, take) = losses(item, price)?;
        let (leave, take) = (u64::try_from(leave).ok()?, u64::try_from(take).ok()?);
        Some((Step { weight: item.weight, leave, take }, index))
    };
    items.iter().map(step).collect::<Option<Vec<_>>>().map(|pairs| pairs.into_iter().unzip())
}

/// The integer prices next to the profit per weight of the first item that does not fit.
fn whole_prices(edge: Option<Item>) -> [u64; 2] {
    let whole = edge.map_or(0, |edge| edge.profit.max(0) / i128::from(edge.weight.max(1)));
    let price = u64::try_from(whole).unwrap_or(u64::MAX);
    [price, price.saturating_add(1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(items: &[(i128, u64)]) -> Vec<Item> {
        items.iter().map(|&(profit, weight)| Item { profit, weight }).collect()
    }

    #[test]
    fn the_worked_instance_has_the_losses_stated() {
        let losses = Losses::at_price(&items(&[(7, 6), (5, 5), (3, 2)]), 8, 1, 10).unwrap();
        assert_eq!((losses.limit, losses.slack, losses.capacity), (0, 0, 0));
        assert_eq!((losses.forced, losses.worth), (vec![0, 2], 10));
        assert_eq!(losses.steps, [Step { weight: 5, leave: 0, take: 0 }]);
    }

    #[test]
    fn every_selection_s_profit_is_worth_and_price_less_its_loss() {
        let items = items(&[(40, 7), (3, 9), (12, 4), (55, 11), (1, 1)]);
        let losses = Losses::of_all_capacities(&items, 20).unwrap();
        for set in 0u32..32 {
            let of = |at: usize| set >> at & 1 == 1;
            let profit: i128 = (0..5).filter(|&at| of(at)).map(|at| items[at].profit).sum();
            let weight: u64 = (0..5).filter(|&at| of(at)).map(|at| items[at].weight).sum();
            let loss = |at: usize| if of(at) { losses.steps[at].take } else { losses.steps[at].leave };
            let lost: u64 = (0..5).map(loss).sum();
            assert_eq!(losses.worth + i128::from(losses.price * weight) - i128::from(lost), profit);
            assert!(lost <= losses.limit);
        }
    }

    #[test]
    fn narrower_cells_are_tried_where_half_of_the_losses_fit() {
        let attempts = |limit, at_least| {
            let mut losses = Losses::of_one_capacity(&items(&[(7, 6), (5, 5)]), 8).unwrap();
            losses.limit = limit;
            let of = |attempt: &Attempt| (attempt.width, attempt.limit, attempt.most_cost);
            losses.attempts(at_least).unwrap().iter().map(of).collect::<Vec<_>>()
        };
        let (narrow, wide) = (Width::W16, Width::W32);
        assert_eq!(attempts(0xfffe, narrow), [(narrow, 0xfffe, u64::MAX)]);
        assert_eq!(attempts(0xffff, narrow), [(narrow, 0xfffe, 0xfffe), (wide, 0xffff, u64::MAX)]);
        assert_eq!(attempts(0x1_fffd, narrow).len(), 2);
        assert_eq!(attempts(0x1_fffe, narrow), [(wide, 0x1_fffe, u64::MAX)]);
        assert_eq!(attempts(0xffff, wide), [(wide, 0xffff, u64::MAX)]);
    }

    #[test]
    fn the_largest_numbers_are_bounded_or_refused() {
        let top = (1i128 << 120) - 1;
        let heavy = (1u64 << 62) - 1;
        for set in [items(&[(top, 1), (top, 1), (1, 1)]), items(&[(top, heavy), (top - 1, 1)])] {
            for capacity in [1, heavy] {
                let refused = |losses: Result<Losses, EngineError>| match losses {
                    Ok(losses) => losses.limit < LARGEST,
                    Err(error) => error == too_wide(),
                };
                assert!(refused(Losses::of_one_capacity(&set, capacity)));
                assert!(refused(Losses::of_all_capacities(&set, capacity)));
            }
        }
        let wide = items(&[(1 << 61, 3), (1 << 60, 3), ((1 << 61) - 1, 3)]);
        assert!(Losses::of_one_capacity(&wide, 6).is_ok());
    }
}
