//! The launches of a sweep by groups: the items of each, the cells it fills, and its cost.

use crate::grouped::groups::{Group, Groups};
use isx_machine::rates;
use isx_problems::reduce::knapsack::Reduced;
use std::ops::Range;

/// The most items of a run of equal profits that one launch tries.
const MOST: usize = 160;
/// How many times longer a number takes with cells of 64 bits. (Fitted on an H200 to 100,000 of Boyer's items: 0.20 s
/// with cells of 32 bits, 0.62 s with 64.)
const SLOWER: f64 = 3.4;

/// A launch: some or all items of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pass {
    pub group: usize,
    pub weight: u64,
    /// P(0), P(1), ..
    pub sums: Vec<i64>,
    /// The total weight of all items before it.
    pub before: u128,
}

impl Pass {
    pub fn most(&self) -> usize {
        self.sums.len() - 1
    }

    pub fn reach(&self) -> u128 {
        u128::from(self.weight) * self.most() as u128
    }
}

/// All launches of a sweep, lightest items first.
pub struct Passes {
    pub groups: Groups,
    /// P of every group, one after the other, and the position of each.
    pub sums: Vec<i64>,
    pub begins: Vec<usize>,
    pub passes: Vec<Pass>,
    /// At most the weight of all items.
    pub capacity: u64,
}

impl Passes {
    /// The passes for all capacities.
    pub fn of(problem: &Reduced) -> Self {
        let groups = Groups::of(&problem.items, problem.capacity);
        let (mut sums, mut begins, mut passes) = (Vec::new(), Vec::new(), Vec::new());
        let mut before = 0;
        for (number, Group { weight, members }) in groups.groups.iter().enumerate() {
            // Sums of profits fit the cells.
            let profit = |&item: &u32| problem.items[item as usize].profit as i64;
            let profits: Vec<i64> = groups.members[members.clone()].iter().map(profit).collect();
            begins.push(sums.len());
            sums.extend(running(&profits));
            for (weight, sums) in split(*weight as u64, &profits) {
                let pass = Pass { group: number, weight, sums, before };
                before += pass.reach();
                passes.push(pass);
            }
        }
        // Of equal items only as many are counted as fit, so together they may weigh less than the capacity.
        let capacity = before.min(problem.capacity.into()) as u64;
        Self { groups, sums, begins, passes, capacity }
    }

    /// The cells that a pass fills in a sweep over `passes`, for the capacity and the `below` capacities under it
    /// (`None`: all).
    pub fn cells(&self, pass: &Pass, passes: &[Pass], (capacity, below): (u64, Option<u64>)) -> Range<u64> {
        let after = |pass: &Pass| pass.before + pass.reach();
        let all = passes.last().map_or(0, after);
        let end = after(pass).min(capacity.into()) as u64 + 1;
        let to_come = below.map_or(u128::MAX, |below| all - after(pass) + u128::from(below));
        u128::from(capacity).saturating_sub(to_come) as u64..end
    }

    /// Seconds for all capacities.
    pub fn seconds(&self, cell: f64, multiprocessors: f64) -> f64 {
        let of = |pass: &Pass| {
            let cells = self.cells(pass, &self.passes, (self.capacity, None)).end as f64;
            let slower = if cell > 4.0 { SLOWER } else { 1.0 };
            let tried = (pass.sums.len() + 16) as f64 * slower * rates::KNAPSACK_GPU_TRIED;
            let moved = 3.0 * cell * rates::KNAPSACK_GPU_BYTE;
            cells * tried.max(moved) / multiprocessors + rates::GPU_LAUNCH
        };
        self.passes.iter().map(of).sum()
    }
}

/// P(0), P(1), ..
fn running(profits: &[i64]) -> Vec<i64> {
    let sums = profits.iter().scan(0, |sum, profit| {
        *sum += profit;
        Some(*sum)
    });
    [0].into_iter().chain(sums).collect()
}

/// Weights and sums whose combinations give every number of the items; profits fall.
fn split(weight: u64, profits: &[i64]) -> Vec<(u64, Vec<i64>)> {
    let (mut parts, mut others) = (Vec::new(), Vec::new());
    for run in profits.chunk_by(|a, b| a == b) {
        if run.len() <= MOST {
            others.extend_from_slice(run);
            continue;
        }
        let mut made = 0;
        while made < run.len() {
            let bundle = (made + 1).min(run.len() - made);
            let count = ((run.len() - made) / bundle).min(MOST);
            parts.push((weight * bundle as u64, running(&vec![run[0] * bundle as i64; count])));
            made += bundle * count;
        }
    }
    if !others.is_empty() {
        parts.push((weight, running(&others)));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn launches_of_a_group_make_the_best_of_every_number_of_items() {
        for profits in [vec![7; 5], vec![9; 161], [vec![40; 1000], vec![6; 700], vec![5, 3, 3, 1]].concat()] {
            let mut best = BTreeMap::from([(0u64, 0i64)]);
            for (weight, sums) in split(3, &profits) {
                assert!(sums.len() <= MOST + 1 && !sums.is_empty());
                let before = best.clone();
                for (&at, &held) in &before {
                    for (number, &sum) in sums.iter().enumerate() {
                        let place = best.entry(at + weight * number as u64).or_insert(0);
                        *place = (*place).max(held + sum);
                    }
                }
            }
            let wanted: BTreeMap<u64, i64> = (0..).step_by(3).zip(running(&profits)).collect();
            assert_eq!(best, wanted);
        }
    }
}
