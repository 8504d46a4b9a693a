//! Reduces a multi-dimensional knapsack problem without losing its maximum profit.
//!
//! The steps, repeated until nothing changes:
//!
//! - *Useless items.* An item without profit, or exceeding a capacity, is never needed.
//! - *Loose dimensions.* A dimension whose capacity holds all remaining items cannot bind and is dropped.
//! - *Free items.* An item that weighs nothing in the remaining dimensions is taken.
//! - *Dominance.* An item weighs at least as much as another in every dimension and has no more profit: if it is
//!   taken, the other one is taken too or can replace it. So an item that outweighs a capacity together with all
//!   items that dominate it is never needed.
//!
//! Then *units*: the weights of a dimension are divided by their greatest common divisor, and so are the profits. The
//! result is in normal form: dimensions in order of their capacities, the largest last, so that tables have long
//! rows; items in order of the largest fraction of a capacity that they take, so that the first layers of a table
//! stay small.
//!
//! Worked instance: capacities (4, 9, 7), items (profit; weights) (5; 2,9,2), (4; 4,1,2), (3; 0,0,3), (1; 5,0,0), (9;
//! 0,0,0). The fourth exceeds the first capacity, the fifth is free. The last dimension holds 2+2+3 = 7 and is
//! dropped, so the third is free. The first two items remain with capacities (4, 9), and do not fit together.

mod reduction;

pub use reduction::reduce;

pub use crate::multidim::Item;
use crate::multidim::{Claim, Multidim, PerDimension};
use crate::value::Tier;
use isx_exact::order;
use num_bigint::BigInt;

/// An equivalent problem in normal form: every item has a profit above 0, a weight above 0 in some dimension, and
/// fits alone; in every dimension that is left the items do not all fit together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced {
    /// The capacities, smallest first; 0 for dropped dimensions.
    pub capacities: PerDimension,
    /// The items.
    pub items: Vec<Item>,
    /// Maps an answer back to the original problem.
    pub back: WayBack,
}

/// The mapping from an answer of the reduced problem back to the original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WayBack {
    /// The original item of each reduced item.
    pub origin: Vec<usize>,
    /// Original items that are always taken.
    pub taken: Vec<usize>,
    /// Original profit = sum over the always taken items + unit * reduced profit.
    pub profit_unit: i128,
}

impl Reduced {
    /// Number of cells of a table over all capacities, at most `u64::MAX`.
    pub fn cells(&self) -> u64 {
        self.capacities.iter().fold(1u64, |cells, capacity| cells.saturating_mul(capacity.saturating_add(1)))
    }

    /// The narrowest integers that hold every sum of profits.
    pub fn tier(&self) -> Tier {
        // Profits are below 2^120 each, so their sum exceeds 128 bits only if there are many.
        let sum = self.items.iter().try_fold(0i128, |sum, item| sum.checked_add(item.profit));
        sum.map_or(Tier::Big, |sum| Tier::narrowest(&sum.into()))
    }

    /// Maps a profit and chosen items of the reduced problem to a claim about the original one. Panics if an item
    /// does not exist, or `problem` is not the original.
    pub fn claim(&self, problem: &Multidim, profit: &BigInt, chosen: &[usize]) -> Claim {
        let mut original: Vec<usize> = self.back.taken.clone();
        original.extend(chosen.iter().map(|&item| self.back.origin[item]));
        order::sort(&mut original);
        let taken = self.back.taken.iter().map(|&item| BigInt::from(problem.items[item].profit));
        let mut weights = PerDimension::default();
        for &item in &original {
            for (sum, weight) in weights.iter_mut().zip(problem.items[item].weights) {
                // A weight beyond 64 bits also exceeds the capacity, which the witness reports.
                *sum = sum.saturating_add(weight);
            }
        }
        Claim { profit: taken.sum::<BigInt>() + profit * self.back.profit_unit, weights, chosen: original }
    }
}
