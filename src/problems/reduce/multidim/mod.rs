//! A multi-dimensional knapsack problem made smaller without losing its best profit.
//!
//! Steps, repeated until none finds anything:
//!
//! - *Useless items.* An item without profit, or over a capacity, is never needed.
//! - *Loose dimensions.* A dimension whose capacity holds all items that are left cannot bind and is dropped.
//! - *Free items.* An item that weighs nothing in the dimensions that are left is taken.
//! - *Dominance.* An item weighs as much as another in every dimension and brings no more: where it is taken the other
//!   may be taken too, or else put in its place. So an item that outweighs a capacity together with all items that
//!   dominate it is never needed.
//!
//! Then *units*: the weights of a dimension are divided by their common divisor, the profits by theirs. What is left is
//! in normal form: dimensions in order of their capacities, the largest last, so that tables have long rows; items
//! in order of the largest share of a capacity that they take, so that the first layers of a table stay small.
//!
//! Worked instance: capacities (4, 9, 7), items (profit; weights) (5; 2,9,2), (4; 4,1,2), (3; 0,0,3), (1; 5,0,0),
//! (9; 0,0,0). The fourth is over the first capacity, the fifth is free. The last dimension holds 2+2+3 = 7 and is
//! dropped, so the third is free. Left are the first two items with capacities (4, 9), which do not fit together.

mod reduction;

pub use reduction::reduce;

pub use crate::multidim::Item;
use crate::multidim::{Claim, Figures, Multidim};
use crate::value::Tier;
use num_bigint::BigInt;

/// An equivalent problem in normal form: every item has a profit above 0, a weight above 0 in some dimension, and fits
/// alone; in every dimension that has a capacity all items together do not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced {
    /// The capacities, smallest first; 0 where dimensions were dropped.
    pub capacities: Figures,
    /// The items.
    pub items: Vec<Item>,
    /// How to read an answer in the user's terms.
    pub back: WayBack,
}

/// The way from an answer of the reduced problem back to the original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WayBack {
    /// Which original item each reduced item is.
    pub origin: Vec<usize>,
    /// Original items that are taken whatever the rest.
    pub taken: Vec<usize>,
    /// Original profit = sum of the taken items' + unit * reduced profit.
    pub profit_unit: i128,
}

impl Reduced {
    /// Cells of a table over all capacities, at most `u64::MAX`.
    #[must_use]
    pub fn cells(&self) -> u64 {
        self.capacities.iter().fold(1u64, |cells, capacity| cells.saturating_mul(capacity.saturating_add(1)))
    }

    /// The narrowest integers that hold every sum of profits.
    #[must_use]
    pub fn tier(&self) -> Tier {
        // Profits are below 2^120 each, so their sum passes 128 bits only where there are many.
        let sum = self.items.iter().try_fold(0i128, |sum, item| sum.checked_add(item.profit));
        sum.map_or(Tier::Big, |sum| Tier::narrowest(&sum.into()))
    }

    /// The claim of the original problem that follows from a profit and chosen items of the reduced one.
    ///
    /// # Panics
    ///
    /// If there is no such item, or `problem` is not the original.
    #[must_use]
    pub fn claim(&self, problem: &Multidim, profit: &BigInt, chosen: &[usize]) -> Claim {
        let mut original: Vec<usize> = self.back.taken.clone();
        original.extend(chosen.iter().map(|&item| self.back.origin[item]));
        original.sort_unstable();
        let taken = self.back.taken.iter().map(|&item| BigInt::from(problem.items[item].profit));
        let mut weights = Figures::default();
        for &item in &original {
            for (sum, weight) in weights.iter_mut().zip(problem.items[item].weights) {
                // What passes 64 bits passes the capacity, too, and the witness says so.
                *sum = sum.saturating_add(weight);
            }
        }
        Claim { profit: taken.sum::<BigInt>() + profit * self.back.profit_unit, weights, chosen: original }
    }
}
