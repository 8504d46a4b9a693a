//! Removes items that do not fit the capacity together with all items better than them.
//!
//! Item i is *better* than item j if it is no heavier and has no less profit; of two identical items the first is the
//! better. Claim: every item that, together with all items better than it, outweighs the capacity C can be removed
//! for every capacity c <= C, all such items at once, and every point of the front remains.
//!
//! Proof. Number the items so that better ones come first (by weight, then by descending profit, then by position).
//! For a capacity c <= C consider all selections of weight at most c with maximum profit, among those the ones of
//! minimum weight, and take one with the smallest sum of item numbers. Suppose it contains such an item j. Since j
//! and all items better than it weigh more than C >= c together, some item i better than j is not in the selection.
//! Replacing j by i makes the selection no heavier and no less profitable, so it is again one of those considered,
//! and its sum of numbers is smaller: a contradiction. So the selection contains no such item. A point (weight,
//! profit) of the front has the maximum profit within c = weight and the minimum weight for its profit, so the
//! remaining items suffice for it. One test at C covers every smaller capacity: what outweighs C outweighs c.
//!
//! (Measured on 24 of the instances of Jooken, Leyman and De Causmaecker, EJOR 301, 2022: 10 to 84 % of the items
//! remain. The dominance in the reductions of Pisinger and others, for a single capacity, compares with one better
//! item; this rule adds all of them up.)

use crate::knapsack::Item;

/// Removes the items of the claim, in O(n log n); the order of the others is preserved.
///
/// Most items do not need the tree of sums: an item that fits together with all items before it in the order of the
/// proof, or with all other items of no less profit, is kept, since its better items are among these.
pub(super) fn drop_dominated(left: &mut Vec<(u32, Item)>, capacity: u64) {
    let mut order = by_falling_profit(left);
    let weight_from = weights_by_place(&order);
    sort_by(&mut order, |entry| entry.weight);
    let in_doubt = |before: u64, entry: &Entry| {
        before.saturating_add(entry.weight) > capacity && weight_from[entry.place as usize] > capacity
    };
    let mut before = 0u64;
    let mut better: Option<PrefixSums> = None;
    let mut needless = Vec::new();
    for (at, entry) in order.iter().enumerate() {
        if in_doubt(before, entry) {
            // The first undecided item needs the sum of all items before it.
            let better = better.get_or_insert_with(|| {
                let mut sums = PrefixSums::new(weight_from.len());
                order[..at].iter().for_each(|entry| sums.add(entry.place, entry.weight));
                sums
            });
            if better.up_to(entry.place).saturating_add(entry.weight) > capacity {
                needless.push(entry.at);
            }
        }
        if let Some(better) = &mut better {
            better.add(entry.place, entry.weight);
        }
        before = before.saturating_add(entry.weight);
    }
    if needless.is_empty() {
        return;
    }
    let mut needed = vec![true; left.len()];
    needless.iter().for_each(|&at| needed[at as usize] = false);
    let mut needed = needed.into_iter();
    left.retain(|_| needed.next().unwrap_or(true));
}

/// The data of an item that are compared.
#[derive(Clone, Copy, Default)]
struct Entry {
    weight: u64,
    /// The rank of its profit among all distinct profits, the highest first.
    place: u32,
    /// Its position in the list.
    at: u32,
}

/// The items by descending profit, stable for equal profits.
fn by_falling_profit(left: &[(u32, Item)]) -> Vec<Entry> {
    let most = left.iter().map(|(_, item)| item.profit).max().unwrap_or(0);
    // The difference from the maximum. It fits if the maximum does, since all profits are positive.
    let less = |at: u32| u64::try_from(most - left[at as usize].1.profit);
    let mut order: Vec<Entry> =
        (0..).zip(left).map(|(at, (_, item))| Entry { weight: item.weight, place: 0, at }).collect();
    if u64::try_from(most).is_ok() {
        sort_by(&mut order, |entry| less(entry.at).unwrap_or(0));
    } else {
        order.sort_by_key(|entry| std::cmp::Reverse(left[entry.at as usize].1.profit));
    }
    let mut place = 0;
    let mut last = most;
    for entry in &mut order {
        let profit = left[entry.at as usize].1.profit;
        place += u32::from(profit != last);
        (entry.place, last) = (place, profit);
    }
    order
}

/// For every place, the total weight of all items of at least its profit; sums that do not fit saturate.
fn weights_by_place(order: &[Entry]) -> Vec<u64> {
    let mut sums = Vec::with_capacity(order.len());
    let mut sum = 0u64;
    for entry in order {
        sum = sum.saturating_add(entry.weight);
        if sums.len() > entry.place as usize {
            sums.pop();
        }
        sums.push(sum);
    }
    sums
}

/// Bits of a digit.
const DIGIT: u32 = 11;

/// Shorter lists are sorted by comparisons.
const FEW: usize = 256;

/// Stable radix sort by a key, from the lowest digit up, skipping digits that are equal in all keys.
fn sort_by(entries: &mut Vec<Entry>, key: impl Fn(&Entry) -> u64) {
    if entries.len() < FEW {
        return entries.sort_by_key(key);
    }
    let first = key(&entries[0]);
    let differ = entries.iter().fold(0, |differ, entry| differ | (key(entry) ^ first));
    let mut sorted = vec![Entry::default(); entries.len()];
    for shift in (0..u64::BITS).step_by(DIGIT as usize) {
        let digit = |entry: &Entry| (key(entry) >> shift) as usize & ((1 << DIGIT) - 1);
        if differ >> shift & ((1 << DIGIT) - 1) == 0 {
            continue;
        }
        let mut starts = [0usize; 1 << DIGIT];
        entries.iter().for_each(|entry| starts[digit(entry)] += 1);
        let mut next = 0;
        for start in &mut starts {
            (*start, next) = (next, next + *start);
        }
        for entry in entries.iter() {
            let start = &mut starts[digit(entry)];
            sorted[*start] = *entry;
            *start += 1;
        }
        std::mem::swap(entries, &mut sorted);
    }
}

/// Prefix sums of a list that can be updated anywhere (P. Fenwick, Software: Practice and Experience 24, 1994). Sums
/// beyond 64 bits, which exceed any capacity, saturate.
struct PrefixSums(Vec<u64>);

impl PrefixSums {
    fn new(places: usize) -> Self {
        Self(vec![0; places + 1])
    }

    /// The sum of the entries up to this one.
    fn up_to(&self, place: u32) -> u64 {
        let mut at = place as usize + 1;
        let mut sum = 0u64;
        while at > 0 {
            sum = sum.saturating_add(self.0[at]);
            at &= at - 1;
        }
        sum
    }

    fn add(&mut self, place: u32, weight: u64) {
        let mut at = place as usize + 1;
        while let Some(sum) = self.0.get_mut(at) {
            *sum = sum.saturating_add(weight);
            at += at & at.wrapping_neg();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(items: &[(i128, u64)], capacity: u64) -> Vec<u32> {
        let mut left: Vec<(u32, Item)> =
            (0..).zip(items).map(|(index, &(profit, weight))| (index, Item { profit, weight })).collect();
        drop_dominated(&mut left, capacity);
        left.into_iter().map(|(index, _)| index).collect()
    }

    #[test]
    fn an_item_goes_only_if_no_room_is_left_for_it_after_all_better_ones() {
        // Three identical items: the capacity fits two of them.
        assert_eq!(kept(&[(5, 3), (5, 3), (5, 3)], 8), [0, 1]);
        assert_eq!(kept(&[(5, 3), (5, 3), (5, 3)], 9), [0, 1, 2]);
        // A lighter item of less profit is not better.
        assert_eq!(kept(&[(4, 2), (5, 3), (5, 3)], 6), [0, 1, 2]);
        assert_eq!(kept(&[(4, 2), (5, 2), (3, 3)], 6), [0, 1]);
        assert_eq!(kept(&[(4, 2), (5, 2), (3, 3)], 7), [0, 1, 2]);
        let heavy = (1u64 << 62) - 1;
        assert_eq!(kept(&[(1, heavy), (2, heavy), (3, heavy)], heavy), [2]);
    }

    #[test]
    fn just_the_items_of_the_claim_go_whatever_the_sizes() {
        let mut seed = 7u64;
        let mut random = |most: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 2) % most
        };
        let mut dropped = 0;
        for case in 0..300 {
            // Some lists are sorted by digits; some have profits or sums of weights beyond 64 bits.
            let count = [5, 30, 300, 600][case % 4];
            let (heaviest, times) = [(6, 1), (1000, 1), (1 << 60, 1i128 << 60), (50, 1 << 40)][case / 4 % 4];
            let items: Vec<(i128, u64)> =
                (0..count).map(|_| (times * i128::from(1 + random(40)), 1 + random(heaviest))).collect();
            let sum: u128 = items.iter().map(|item| u128::from(item.1)).sum();
            let capacity = u64::try_from(sum * u128::from(random(100)) / 100).unwrap_or(u64::MAX >> 2);
            let better = |i: usize, j: usize| {
                (items[i].1, std::cmp::Reverse(items[i].0), i)
                    < (items[j].1, std::cmp::Reverse(items[j].0), j)
                    && items[i].0 >= items[j].0
            };
            let needed = |&j: &usize| {
                let together: u128 =
                    (0..count).filter(|&i| better(i, j)).map(|i| u128::from(items[i].1)).sum();
                together + u128::from(items[j].1) <= u128::from(capacity)
            };
            let wanted: Vec<u32> = (0..count).filter(needed).map(|at| at as u32).collect();
            dropped += count - wanted.len();
            assert_eq!(kept(&items, capacity), wanted, "case {case}");
        }
        assert!(dropped > 10_000, "{dropped}");
    }
}
