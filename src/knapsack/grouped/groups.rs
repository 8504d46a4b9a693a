//! Items of equal weight, and the steps that apply them to a row.
//!
//! Of the items of one weight the best k are the k most profitable, so only P(k) matters, the sum of the first k by
//! falling profit; it is concave. A concave sequence is the max-plus convolution of any parts that its differences
//! are split into: many items of equal profit form a run, the others a sequence that is tried number by number. A
//! run that is too light for the vectors, or reaches too far, is split again as bundles are: parts that make 0 .. c,
//! and a step of q times b <= c + 1 items, make 0 .. c + q b.
//!
//! Worked instance: forty items of weight 40 and profit 7, one of profit 9. The forty weigh less than [`STRIP`]
//! each: one alone, a run of 19 times two (80, 14), and the remaining one make 0 .. 1 + 2 * 19 + 1. The other is
//! tried alone.

use crate::bundles::numbered;
use crate::sweep::step::{REACH, STRIP, Step};
use isx_machine::rates;
use isx_problems::knapsack::Item;
use std::ops::Range;

/// Items of equal weight, by falling profit.
#[derive(Clone, Debug)]
pub struct Group {
    /// The weight of each item.
    pub weight: usize,
    /// Their range in [`Groups::members`]; at most as many as fit into the capacity.
    pub members: Range<usize>,
}

/// All items.
#[derive(Clone, Debug)]
pub struct Groups {
    /// The numbers of the items, group by group.
    pub members: Vec<u32>,
    /// Lightest first.
    pub groups: Vec<Group>,
}

impl Groups {
    /// The groups of items with weight at least 1, without items that cannot fit in addition to the better ones of
    /// their group.
    pub fn of(items: &[Item], capacity: u64) -> Self {
        let key = |number: u32| {
            let item = items[number as usize];
            (item.weight, std::cmp::Reverse(item.profit), number)
        };
        let members = numbered(items, &|a, b| key(a).cmp(&key(b)));
        let mut groups = Vec::new();
        let mut first = 0;
        for group in members.chunk_by(|&a, &b| items[a as usize].weight == items[b as usize].weight) {
            let weight = items[group[0] as usize].weight;
            let fitting = (group.len() as u64).min(capacity / weight) as usize;
            // A weight of at most the capacity fits a cell count.
            groups.push(Group { weight: weight as usize, members: first..first + fitting });
            first += group.len();
        }
        Self { members, groups }
    }
}

/// The steps for items of equal weight with non-increasing gains.
pub fn steps(weight: usize, gains: &[i64]) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut sums = vec![0];
    // The steps decide which of equal selections is found, so they do not depend on the machine.
    for run in gains.chunk_by(|a, b| a == b) {
        let tried = rates::KNAPSACK_NUMBER * run.len() as f64;
        let split = split(weight, run[0], run.len());
        if split.iter().map(|step| step.seconds()).sum::<f64>() < tried {
            steps.extend(split);
        } else {
            for &gain in run {
                sums.push(sums[sums.len() - 1] + gain);
            }
        }
    }
    if sums.len() > 1 {
        steps.push(Step::Few { weight, gains: sums });
    }
    steps
}

/// The steps for `count` items of equal weight and gain.
fn split(weight: usize, gain: i64, count: usize) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut made = 0;
    while made < count {
        let bundle = (made + 1).min(count - made);
        let (weight, gain) = (weight * bundle, gain * bundle as i64);
        let most = ((count - made) / bundle).min(REACH / weight);
        if weight >= STRIP && most > 2 {
            steps.push(Step::Run { weight, gain, count: most });
            made += bundle * most;
        } else {
            steps.push(Step::Few { weight, gains: vec![0, gain] });
            made += bundle;
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The numbers of items that a step can take, with their gains.
    fn choices(step: &Step) -> Vec<(usize, i64)> {
        match step {
            Step::Item { weight, gain } => vec![(0, 0), (*weight, *gain)],
            Step::Few { weight, gains } => (0..).zip(gains).map(|(at, &gain)| (at * weight, gain)).collect(),
            Step::Run { weight, gain, count } => {
                (0..=*count).map(|at| (at * weight, at as i64 * gain)).collect()
            }
        }
    }

    #[test]
    fn steps_make_every_number_of_items_and_no_more() {
        for weight in [1, 7, 40, 64, 700, 20_000, 70_000] {
            for count in [1, 2, 3, 5, 6, 10, 33, 100, 1000] {
                let mut made = BTreeSet::from([(0, 0)]);
                for step in split(weight, 7, count) {
                    if let Step::Run { weight, .. } = step {
                        assert!(weight >= STRIP && step.reach() <= REACH, "{step:?}");
                    }
                    let choices = choices(&step);
                    let with = |&(taken, gain): &(usize, i64)| {
                        choices.iter().map(move |&(more, gains)| (taken + more, gain + gains))
                    };
                    made = made.iter().flat_map(with).collect();
                }
                let wanted: BTreeSet<_> = (0..=count).map(|at| (at * weight, at as i64 * 7)).collect();
                assert_eq!(made, wanted, "{count} of {weight}");
            }
        }
    }

    #[test]
    fn the_best_of_every_number_of_items_is_the_sum_of_the_first() {
        let gains: Vec<i64> = [90, 80, 80].into_iter().chain([50; 40]).chain([7, 6, -3]).collect();
        let mut best = vec![i64::MIN; gains.len() + 1];
        best[0] = 0;
        let steps = steps(100, &gains);
        assert!(steps.iter().any(|step| matches!(step, Step::Run { count: 40, .. })), "{steps:?}");
        assert!(steps.iter().any(|step| matches!(step, Step::Few { gains, .. } if gains.len() == 7)));
        for step in &steps {
            let before = best.clone();
            for (weight, gain) in choices(step) {
                for at in weight / 100..best.len() {
                    best[at] = best[at].max(before[at - weight / 100].saturating_add(gain));
                }
            }
        }
        let sums = gains.iter().scan(0, |sum, gain| {
            *sum += gain;
            Some(*sum)
        });
        assert_eq!(best, [0].into_iter().chain(sums).collect::<Vec<_>>());
    }

    #[test]
    fn equal_weights_come_together_best_first_and_as_many_as_fit() {
        let item = |(profit, weight)| Item { profit, weight };
        let groups = Groups::of(&[(3, 2), (9, 5), (4, 2), (4, 2), (8, 5)].map(item), 5);
        assert_eq!(groups.members, [2, 3, 0, 1, 4]);
        let told: Vec<_> = groups.groups.iter().map(|group| (group.weight, group.members.clone())).collect();
        assert_eq!(told, [(2, 0..2), (5, 3..4)]);
    }
}
