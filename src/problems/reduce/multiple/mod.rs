//! Reduces a multiple knapsack problem without losing its maximum profit.
//!
//! - *Never taken*: an item without profit, or heavier than the largest knapsack.
//! - *Always taken*: an item with profit and weight 0; it goes into the first knapsack.
//! - *Never used*: a knapsack that holds none of the items left.
//! - *Units*: weights are divided by their greatest common divisor, and so are profits; a capacity loses the remainder.
//! - *Capacities*: at most the weight of all items left.
//!
//! The knapsacks are in order of their capacities, the smallest first.
//!
//! Worked instance: capacities 9, 1, 5; items (profit, weight) = (5,0), (3,4), (9,6), (2,10), (6,2). The first is always
//! taken, the fourth never; the knapsack of 1 holds nothing. In units of 2 and 3: items (1,2), (3,3), (2,1), capacities
//! 2 and 4.

use crate::multiple::{Claim, Item, Multiple};
use num_bigint::BigInt;
use num_integer::Integer;

/// An equivalent problem in normal form: every item has a profit and a weight of at least 1 and fits the last knapsack;
/// every knapsack holds some item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced {
    /// The capacities, smallest first.
    pub capacities: Vec<u64>,
    /// The remaining items, in file order.
    pub items: Vec<Item>,
    /// Maps an answer back to the original problem.
    pub back: WayBack,
}

/// The mapping from an answer of the reduced problem back to the original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WayBack {
    /// The original item of each reduced item.
    pub items: Vec<usize>,
    /// The original knapsack of each reduced knapsack.
    pub knapsacks: Vec<usize>,
    /// Original items that are always taken.
    pub always: Vec<usize>,
    /// Original profit = that of the always taken items + unit * reduced profit.
    pub profit_unit: i128,
}

/// Reduces the problem.
///
/// ```
/// use isx_problems::multiple::{Item, Multiple};
/// use isx_problems::reduce::multiple::reduce;
/// let items = [(5, 0), (3, 4), (9, 6), (2, 10), (6, 2)].map(|(profit, weight)| Item { profit, weight });
/// let reduced = reduce(&Multiple { capacities: vec![9, 1, 5], items: items.to_vec() });
/// assert_eq!((reduced.capacities, reduced.items.len()), (vec![2, 4], 3));
/// assert_eq!((reduced.back.knapsacks, reduced.back.always), (vec![2, 0], vec![0]));
/// ```
pub fn reduce(problem: &Multiple) -> Reduced {
    let largest = problem.capacities.iter().max();
    let is_useful = |item: &Item| item.profit > 0 && largest.is_some_and(|&largest| item.weight <= largest);
    let useful = (0..problem.items.len()).filter(|&at| is_useful(&problem.items[at]));
    let (always, origin): (Vec<usize>, Vec<usize>) = useful.partition(|&at| problem.items[at].weight == 0);
    let mut knapsacks: Vec<usize> = (0..problem.capacities.len()).collect();
    knapsacks.sort_by_key(|&at| (problem.capacities[at], at));
    let lightest = origin.iter().map(|&at| problem.items[at].weight).min();
    knapsacks.retain(|&at| lightest.is_some_and(|lightest| problem.capacities[at] >= lightest));
    let (mut weight_unit, mut profit_unit) = (0, 0);
    for &at in &origin {
        weight_unit = problem.items[at].weight.gcd(&weight_unit);
        profit_unit = problem.items[at].profit.gcd(&profit_unit);
    }
    let (weight_unit, profit_unit) = (weight_unit.max(1), profit_unit.max(1));
    let items: Vec<Item> = origin
        .iter()
        .map(|&at| {
            let Item { profit, weight } = problem.items[at];
            Item { profit: profit / profit_unit, weight: weight / weight_unit }
        })
        .collect();
    let total: u128 = items.iter().map(|item| u128::from(item.weight)).sum();
    let total = u64::try_from(total).unwrap_or(u64::MAX);
    let capacities = knapsacks.iter().map(|&at| (problem.capacities[at] / weight_unit).min(total)).collect();
    Reduced { capacities, items, back: WayBack { items: origin, knapsacks, always, profit_unit } }
}

impl Reduced {
    /// Maps the knapsack of every reduced item to a claim about the original problem, with a bound on the reduced
    /// profit. Panics if a knapsack or an item does not exist, or `problem` is not the original.
    pub fn claim(&self, problem: &Multiple, knapsack_of: &[Option<u32>], profit: i128, bound: i128) -> Claim {
        let mut chosen = vec![Vec::new(); problem.capacities.len()];
        if let Some(first) = chosen.first_mut() {
            first.clone_from(&self.back.always);
        }
        for (&item, knapsack) in self.back.items.iter().zip(knapsack_of) {
            if let Some(knapsack) = *knapsack {
                chosen[self.back.knapsacks[knapsack as usize]].push(item);
            }
        }
        let weight = |items: &Vec<usize>| {
            let weights = items.iter().map(|&item| u128::from(problem.items[item].weight));
            // A weight beyond 64 bits is over the capacity, which the witness reports.
            u64::try_from(weights.sum::<u128>()).unwrap_or(u64::MAX)
        };
        chosen.iter_mut().for_each(|items| items.sort_unstable());
        let weights = chosen.iter().map(weight).collect();
        let offset: BigInt =
            self.back.always.iter().map(|&item| BigInt::from(problem.items[item].profit)).sum();
        let original = |reduced: i128| &offset + BigInt::from(reduced) * self.back.profit_unit;
        Claim { profit: original(profit), bound: original(bound), weights, chosen }
    }
}
