//! Reduces a 0-1 knapsack problem without losing an answer.
//!
//! - *Never taken*: an item heavier than the capacity, or without profit.
//! - *Always taken*: an item with profit and weight 0.
//! - *Dominance* (`dominance.rs`): an item that outweighs the capacity together with all items better than it.
//! - *Units*: weights are divided by their greatest common divisor, and so are profits.
//! - *Capacity*: at most the total weight of all items. If only the best selection of one capacity is wanted and all
//!   remaining items fit, all are taken and nothing is left to solve.
//!
//! Every step preserves some best selection of every capacity up to the problem's, and so every point (weight,
//! profit) of the front; which of several selections of a point is preserved is unspecified.
//!
//! Worked instance: (profit, weight) = (5,0), (3,4), (9,6), (2,6), (8,20) and C = 11. The first is always taken, the
//! last never. (2,6) has the better items (3,4) and (9,6): 6 + 10 > 11, so it is removed. Remaining: (3,4), (9,6)
//! with C = 10, in units of 2 and 3: (1,2), (3,3), C = 5; for a single capacity both fit and nothing is left to
//! solve.

mod dominance;

use crate::knapsack::{Item, Knapsack};
use crate::value::{Tier, Values};
use num_bigint::BigInt;
use num_integer::Integer;

/// Which part of the answer must be preserved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A best selection within the capacity.
    OneCapacity,
    /// The whole front up to the capacity.
    AllCapacities,
}

/// The extent of the reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Which part of the answer must be preserved.
    pub goal: Goal,
    /// Whether never needed items are removed too; otherwise only items that engines cannot handle are removed.
    pub dominance: bool,
}

/// An equivalent problem in normal form.
///
/// Every item has a profit of at least 1 and a weight from 1 to the capacity. All items together weigh more than the
/// capacity, or exactly the capacity if the goal is the front; without items the capacity is 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced {
    /// The remaining items, in file order.
    pub items: Vec<Item>,
    /// Capacity, in reduced units.
    pub capacity: u64,
    /// The narrowest integers that hold the sum of all profits.
    pub tier: Tier,
    /// Maps an answer back to the original problem.
    pub back: WayBack,
}

/// The mapping from an answer of the reduced problem back to the original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WayBack {
    /// Items of the file that every answer takes, in ascending order.
    pub always: Vec<u32>,
    /// The item of the file for each reduced item.
    pub origin: Vec<u32>,
    /// Original weight = offset + unit * reduced weight.
    pub weight_offset: u64,
    /// See [`WayBack::weight_offset`].
    pub weight_unit: u64,
    /// Original profit = offset + unit * reduced profit.
    pub profit_offset: BigInt,
    /// See [`WayBack::profit_offset`].
    pub profit_unit: BigInt,
}

impl WayBack {
    /// The original weight of a reduced one.
    pub fn weight(&self, reduced: u64) -> u64 {
        self.weight_offset + self.weight_unit * reduced
    }

    /// The original profits of reduced ones.
    pub fn profits(&self, reduced: &Values) -> Values {
        reduced.scaled(&self.profit_offset, &self.profit_unit)
    }

    /// Maps chosen reduced items, in any order, to items of the file in ascending order. Panics if a reduced item
    /// does not exist.
    pub fn expand(&self, chosen: &mut Vec<u32>) {
        for item in chosen.iter_mut() {
            *item = self.origin[*item as usize];
        }
        chosen.extend_from_slice(&self.always);
        chosen.sort_unstable();
    }
}

/// Reduces the problem to normal form, in O(n log n) for n items. Panics if there are more than 2^32 - 1 items, which
/// no engine can number.
pub fn reduce(problem: &Knapsack, options: Options) -> Reduced {
    let mut always = Vec::new();
    let mut left: Vec<(u32, Item)> = Vec::with_capacity(problem.items.len());
    let mut profit_offset = BigInt::ZERO;
    for (index, &item) in (0u32..).zip(&problem.items) {
        match item {
            Item { profit: ..=0, .. } => {}
            Item { weight: 0, profit } => {
                always.push(index);
                profit_offset += profit;
            }
            Item { weight, .. } if weight > problem.capacity => {}
            item => left.push((index, item)),
        }
    }
    if options.dominance {
        dominance::drop_dominated(&mut left, problem.capacity);
    }
    let weight: u128 = left.iter().map(|(_, item)| u128::from(item.weight)).sum();
    let mut capacity = problem.capacity;
    let mut weight_offset = 0;
    if let Ok(weight) = u64::try_from(weight)
        && weight <= capacity
    {
        capacity = weight;
        if options.goal == Goal::OneCapacity {
            weight_offset = weight;
            profit_offset += left.iter().map(|(_, item)| BigInt::from(item.profit)).sum::<BigInt>();
            always.extend(left.drain(..).map(|(index, _)| index));
            always.sort_unstable();
        }
    }
    normalized(&left, capacity, always, (weight_offset, profit_offset))
}

/// The remaining items in reduced units.
fn normalized(
    left: &[(u32, Item)],
    capacity: u64,
    always: Vec<u32>,
    (weight_offset, profit_offset): (u64, BigInt),
) -> Reduced {
    let weight_unit = common_unit(left.iter().map(|(_, item)| item.weight));
    let profit_unit = common_unit(left.iter().map(|(_, item)| item.profit));
    let in_units = |&(_, item): &(u32, Item)| Item {
        profit: item.profit / profit_unit,
        weight: item.weight / weight_unit,
    };
    let items: Vec<Item> = left.iter().map(in_units).collect();
    let profit = items.iter().try_fold(0i128, |sum, item| sum.checked_add(item.profit));
    let profit =
        profit.map_or_else(|| items.iter().map(|item| BigInt::from(item.profit)).sum(), BigInt::from);
    Reduced {
        capacity: if items.is_empty() { 0 } else { capacity / weight_unit },
        items,
        tier: Tier::narrowest(&profit),
        back: WayBack {
            always,
            origin: left.iter().map(|&(index, _)| index).collect(),
            weight_offset,
            weight_unit,
            profit_offset,
            profit_unit: profit_unit.into(),
        },
    }
}

/// The greatest common divisor of positive numbers; 1 if there are none.
fn common_unit<T: Integer + Copy>(mut numbers: impl Iterator<Item = T>) -> T {
    let mut unit = T::zero();
    while let Some(number) = numbers.next().filter(|_| !unit.is_one()) {
        if unit.is_zero() || !number.is_multiple_of(&unit) {
            unit = unit.gcd(&number);
        }
    }
    if unit.is_zero() { T::one() } else { unit }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRONT: Options = Options { goal: Goal::AllCapacities, dominance: true };
    const ONE: Options = Options { goal: Goal::OneCapacity, dominance: true };

    fn problem(items: &[(i128, u64)], capacity: u64) -> Knapsack {
        let item = |&(profit, weight): &(i128, u64)| Item { profit, weight };
        Knapsack { items: items.iter().map(item).collect(), capacity }
    }

    #[test]
    fn the_worked_instance_reduces_as_documented() {
        let problem = problem(&[(5, 0), (3, 4), (9, 6), (2, 6), (8, 20)], 11);
        let reduced = reduce(&problem, FRONT);
        assert_eq!(reduced.items, [Item { profit: 1, weight: 2 }, Item { profit: 3, weight: 3 }]);
        assert_eq!((reduced.capacity, reduced.tier), (5, Tier::I32));
        assert_eq!(
            reduced.back,
            WayBack {
                always: vec![0],
                origin: vec![1, 2],
                weight_offset: 0,
                weight_unit: 2,
                profit_offset: 5.into(),
                profit_unit: 3.into(),
            }
        );
        let one = reduce(&problem, ONE);
        assert_eq!((one.items.len(), one.capacity, one.back.weight_offset), (0, 0, 10));
        assert_eq!((one.back.profit_offset, one.back.always), (17.into(), vec![0, 1, 2]));
        let raw = reduce(&problem, Options { dominance: false, ..FRONT });
        assert_eq!((raw.items.len(), raw.capacity, raw.back.weight_unit), (3, 5, 2));
    }

    #[test]
    fn what_is_left_is_in_normal_form_at_the_ends_of_the_ranges() {
        let top = (1i128 << 120) - 1;
        let heavy = (1u64 << 62) - 1;
        let cases = [
            problem(&[], 0),
            problem(&[(5, 0), (-5, 0), (0, 0), (7, 1)], 0),
            problem(&[(5, 9), (6, 8)], 7),
            problem(&[(top, heavy), (top - 1, heavy), (top, heavy - 1), (1, 1)], heavy),
            problem(&[(top, heavy), (1, heavy)], u64::MAX),
            problem(&[(-top, 0), (-1, 3), (0, 0)], 5),
        ];
        for problem in &cases {
            for options in
                [ONE, FRONT, Options { dominance: false, ..ONE }, Options { dominance: false, ..FRONT }]
            {
                let reduced = reduce(problem, options);
                for item in &reduced.items {
                    assert!(item.profit >= 1 && (1..=reduced.capacity).contains(&item.weight), "{reduced:?}");
                }
                let sum: u128 = reduced.items.iter().map(|item| u128::from(item.weight)).sum();
                let capacity = u128::from(reduced.capacity);
                assert!(
                    sum > capacity || (sum == capacity && (options.goal == Goal::AllCapacities || sum == 0))
                );
                assert_eq!(reduced.items.len(), reduced.back.origin.len());
            }
        }
    }

    #[test]
    fn a_selection_is_read_in_file_order() {
        let reduced = reduce(&problem(&[(9, 3), (1, 0), (4, 2), (2, 0)], 4), FRONT);
        let mut chosen = vec![1, 0];
        reduced.back.expand(&mut chosen);
        assert_eq!(chosen, [0, 1, 2, 3]);
        let mut none = vec![];
        reduced.back.expand(&mut none);
        assert_eq!(none, [1, 3]);
    }
}
