//! The content of a cell, and the narrowest type for it.
//!
//! *At most*: cell j contains the greatest profit of weight j or less. *Exactly*: cell j contains the greatest sum
//! of p_i - k w_i over selections of weight exactly j, and k j is added back; then only the items' deviation from
//! the line p = k w must fit the cell, not the profits. (In hard instances profits usually follow weights: the line
//! reduces 40 bits to 32.)
//!
//! Worked instance: items (profit, weight) = (1001, 1000), (2002, 2000), k = 1: cells 0, 1000, 2000 and 3000 contain
//! 0, 1, 2 and 3.

use crate::{Answer, Wanted};
use isx_engine::rises::breakpoints;
use isx_machine::cpu::Team;
use isx_machine::cpu::lanes::Lane;
use isx_problems::knapsack::Item;
use isx_problems::reduce::knapsack::Reduced;
use isx_problems::value::{Tier, Value, Values};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// The slope k subtracted in the form "exactly"; `None` in the form "at most".
    pub slope: Option<i128>,
    /// Whether 32 bits are enough.
    pub narrow: bool,
}

/// Sums in the form "exactly" stay below a quarter of the range below zero that is reserved for unreachable cells.
const EXACT_32: u128 = 1 << 28;
const EXACT_64: u128 = 1 << 60;

impl Form {
    /// The narrowest exact form, "at most" if both are equally narrow; `None` if 64 bits are not enough.
    pub fn of(problem: &Reduced) -> Option<Self> {
        let spread = best_slope(&problem.items);
        match (problem.tier, spread) {
            (Tier::Big, _) => None,
            (Tier::I32, _) => Some(Self { slope: None, narrow: true }),
            (_, Some((slope, ..EXACT_32))) => Some(Self { slope: Some(slope), narrow: true }),
            (Tier::I64, _) => Some(Self { slope: None, narrow: false }),
            (_, Some((slope, ..EXACT_64))) => Some(Self { slope: Some(slope), narrow: false }),
            _ => None,
        }
    }

    /// The gain of a cell from the item.
    pub fn gain(self, item: &Item) -> i64 {
        // The form was chosen so that every sum of gains fits.
        (item.profit - self.slope.unwrap_or(0) * i128::from(item.weight)) as i64
    }

    pub fn bytes(self) -> u64 {
        if self.narrow { 4 } else { 8 }
    }

    /// The width of a cell, as a multiple of 32 bits.
    pub fn width(self) -> f64 {
        if self.narrow { 1.0 } else { 2.0 }
    }

    /// The initial value of cells, and of those beyond the reach of all items so far; cell 0 contains 0.
    pub fn unreached<V: Lane>(self) -> V {
        if self.slope.is_some() { V::LOWEST } else { V::of(0) }
    }

    /// The profit of a cell with value `held`; `None` if no selection has exactly that weight.
    pub fn profit<V: Lane>(self, cell: usize, held: V) -> Option<i128> {
        match self.slope {
            None => Some(held.wide().into()),
            Some(_) if held.wide() < V::LOWEST.wide() / 2 => None,
            Some(slope) => Some(i128::from(held.wide()) + slope * cell as i128),
        }
    }

    /// The requested answer, without items, read from a last row that ends at the capacity. A best selection is at
    /// most `slack` lighter than the capacity.
    pub fn answer<V: Lane + Value>(self, row: &[V], wanted: Wanted, slack: u64, team: &Team) -> Answer {
        if wanted.is_one_capacity() {
            let cell = self.best_cell(row, row.len() - 1, slack);
            let profit = self.profit(cell, row[cell]).unwrap_or(0);
            return Answer::new(vec![cell as u64], Values::I128(vec![profit]), None);
        }
        if self.slope.is_none() {
            let (weights, profits) = breakpoints(row, team, V::clone);
            return Answer::new(weights, V::store(profits), None);
        }
        let (mut weights, mut profits) = (Vec::new(), Vec::new());
        let mut best = None;
        for (cell, &held) in row.iter().enumerate() {
            let profit = self.profit(cell, held);
            if profit > best {
                best = profit;
                weights.push(cell as u64);
                profits.extend(profit);
            }
        }
        Answer::new(weights, Values::I128(profits), None)
    }

    /// The first cell, from the capacity minus the slack on, whose selection has the greatest profit up to the
    /// capacity.
    pub fn best_cell<V: Lane>(self, row: &[V], capacity: usize, slack: u64) -> usize {
        if self.slope.is_none() {
            let least = (capacity as u64).saturating_sub(slack) as usize;
            let most = row[capacity].wide();
            return least + row[least..=capacity].partition_point(|held| held.wide() < most);
        }
        let profit = |&cell: &usize| (self.profit(cell, row[cell]), std::cmp::Reverse(cell));
        (0..=capacity).max_by_key(profit).unwrap_or(0)
    }
}

/// An integer slope near the middle of all p/w, and the sum of |p - k w| over the items; `None` if that exceeds 128
/// bits.
fn best_slope(items: &[Item]) -> Option<(i128, u128)> {
    let mut ratios: Vec<i128> =
        items.iter().map(|item| item.profit / i128::from(item.weight.max(1))).collect();
    let middle = ratios.len() / 2;
    let slope = if ratios.is_empty() { 0 } else { *ratios.select_nth_unstable(middle).1 };
    let spread = |slope: i128| {
        items.iter().try_fold(0u128, |sum, item| {
            let gain = item.profit.checked_sub(slope.checked_mul(item.weight.into())?)?;
            sum.checked_add(gain.unsigned_abs())
        })
    };
    // The middle of the ratios was rounded down; the next slope may fit better.
    [slope, slope + 1]
        .into_iter()
        .filter_map(|slope| Some((slope, spread(slope)?)))
        .min_by_key(|&(_, sum)| sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use isx_problems::knapsack::Knapsack;
    use isx_problems::reduce::knapsack::{Goal, Options, reduce};

    fn form(items: &[(i128, u64)]) -> Option<Form> {
        let items = items.iter().map(|&(profit, weight)| Item { profit, weight }).collect();
        let options = Options { goal: Goal::AllCapacities, dominance: false };
        Form::of(&reduce(&Knapsack { items, capacity: u64::MAX >> 2 }, options))
    }

    #[test]
    fn cells_are_as_narrow_as_the_spread_allows() {
        let large = 1u64 << 40;
        let at_most = |narrow| Some(Form { slope: None, narrow });
        assert_eq!(form(&[(5, 3), (7, 2)]), at_most(true));
        assert_eq!(form(&[(1 << 40, 3), (7, 2)]), at_most(false));
        let along = |add: i128| (3 * i128::from(large) + add, large);
        assert_eq!(form(&[along(5), along(-6), (7, 1)]), Some(Form { slope: Some(3), narrow: true }));
        assert_eq!(form(&[along((1 << 30) + 1), along(-6)]), at_most(false));
        assert_eq!(form(&[(1 << 100, 3), (7, 2)]), None);
        let mut wide = vec![((1i128 << 119) + 1, 1); 200];
        wide.push((1, 1));
        assert_eq!(form(&wide), None);
        let steep = |add: i128| ((1 << 70) * 9 + add, 9);
        assert_eq!(form(&[steep(1), steep(0), steep(0)]), Some(Form { slope: Some(9 << 70), narrow: true }));
    }
}
