//! The least weight of a multiple-choice knapsack problem that reaches a value.
//!
//! The front up to that weight is not needed, so most of it is never computed. With a multiplier of weight for value, every
//! item has a reduced cost: how much worse it makes the relaxed optimum than the best item of its class. A selection whose
//! reduced costs exceed the gap between a known selection and the relaxed optimum is no improvement; so few items, and few
//! sums of them, are left. The multiplier is the slope at which the convex hulls of the classes, taken steepest first, reach
//! the value; with all of these steps that selection is the one known.
//!
//! Worked instance: classes {0, (3,1), (4,3)} and {0, (2,1)} as (value, weight), value 5 wanted. The steps in order are (3,1),
//! (2,1), (1,2): the first two reach 5 with weight 2, and nothing is left between that and the relaxed optimum, 2.
//!
//! Source: D. Pisinger, "A minimal algorithm for the multiple-choice knapsack problem", European Journal of Operational
//! Research 83, 1995, for the core that reduced costs leave.

use isx_problems::mckp::Item;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::cmp::Ordering;
use std::ops::Range;

/// Upper limit of sums of weights and of values (exclusive).
const MOST: i128 = 1 << 62;

/// How many exchanges of one item for another are tried to make the known selection lighter.
const EXCHANGES: usize = 4;

#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Pair {
    weight: i64,
    value: i64,
}

/// A step of a class's hull, and the pair that it leads to.
#[derive(Clone, Copy)]
struct Step {
    rise: Pair,
    class: usize,
    to: usize,
}

/// A sum of pairs of some classes, or a pair, and how much worse than the relaxed optimum it is.
#[derive(Clone, Copy, Default)]
struct Sum {
    weight: i64,
    value: i64,
    loss: i64,
}

/// A search, with its memory for the next one.
#[derive(Default)]
pub struct Search {
    /// "No item" and the items that no other dominates, class after class, weights and values strictly rising.
    pairs: Vec<Pair>,
    /// Where each class ends.
    ends: Vec<usize>,
    steps: Vec<Step>,
    /// The pair of every class in a known selection.
    taken: Vec<usize>,
    /// The pairs that the gap leaves, class after class, and where each class is.
    left: Vec<Sum>,
    cores: Vec<Range<usize>>,
    sums: Vec<Sum>,
    next: Vec<Sum>,
}

/// As [`Search::least_weight`], of a problem in long integers.
pub fn least_weight(classes: &[Vec<Item<BigInt>>], needed: &BigInt) -> Option<Option<u64>> {
    let (mut flat, mut ends) = (Vec::new(), Vec::with_capacity(classes.len()));
    for items in classes {
        for item in items {
            let value = item.value.to_i64()?;
            // Others are never taken.
            flat.extend(u64::try_from(value).ok().map(|value| (item.weight, value)));
        }
        ends.push(flat.len());
    }
    Search::default().least_weight(&flat, &ends, needed.to_i64()?)
}

impl Search {
    /// The least weight of a selection of at most one item per class whose values sum to `needed` or more; `None` inside if
    /// there is none. Items are (weight, value); the classes end at `ends`. `None` if the numbers are too large for 64 bits.
    pub fn least_weight(&mut self, items: &[(u64, u64)], ends: &[usize], needed: i64) -> Option<Option<u64>> {
        let (mut needed, mut start) = (i128::from(needed), 0);
        let (mut most_weight, mut most_value) = (0i128, 0i128);
        self.pairs.clear();
        self.ends.clear();
        for &end in ends {
            let first = self.pairs.len();
            self.pairs.push(Pair::default());
            for &(weight, value) in &items[start..end] {
                self.pairs.push(Pair { weight: weight.try_into().ok()?, value: value.try_into().ok()? });
            }
            start = end;
            keep_undominated(&mut self.pairs, first);
            let list = &mut self.pairs[first..];
            // What weighs nothing is taken in any case.
            let free = list[0].value;
            list.iter_mut().for_each(|pair| pair.value -= free);
            needed -= i128::from(free);
            let last = list[list.len() - 1];
            most_weight += i128::from(last.weight);
            most_value += i128::from(last.value);
            match list.len() {
                1 => self.pairs.truncate(first),
                _ => self.ends.push(self.pairs.len()),
            }
        }
        if most_weight >= MOST || most_value >= MOST || needed <= -MOST {
            return None;
        }
        if needed <= 0 {
            return Some(Some(0));
        }
        if most_value < needed {
            return Some(None);
        }
        Some(u64::try_from(self.searched(needed as i64, most_weight as i64, most_value as i64)).ok())
    }

    fn class(&self, at: usize) -> Range<usize> {
        at.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[at]
    }

    /// The least weight of a value that some selection reaches.
    fn searched(&mut self, needed: i64, most_weight: i64, most_value: i64) -> i64 {
        let (mut known, slope) = self.greedy(needed);
        let (p, q) = multiplier(slope, most_weight, most_value);
        // Costs are in units in which a unit of weight costs `p`, and one of value earns `q`.
        let cost = |pair: &Pair| p * pair.weight - q * pair.value;
        let mut relaxed = q * needed;
        self.left.clear();
        for class in 0..self.ends.len() {
            let list = &self.pairs[self.class(class)];
            let least = list.iter().map(cost).min().unwrap_or(0);
            relaxed += least;
            self.left.extend(list.iter().map(|pair| Sum {
                weight: pair.weight,
                value: pair.value,
                loss: cost(pair) - least,
            }));
        }
        // What a selection lighter than the known one may lose.
        let mut gap = p * (known - 1) - relaxed;
        if gap < 0 {
            return known;
        }
        let (mut base, mut kept) = (Sum::default(), 0);
        self.cores.clear();
        for class in 0..self.ends.len() {
            let first = kept;
            for at in self.class(class) {
                if self.left[at].loss <= gap {
                    self.left[kept] = self.left[at];
                    kept += 1;
                }
            }
            // The lightest is taken, and the others count what they are more.
            let Sum { weight, value, loss } = self.left[first];
            for sum in &mut self.left[first..kept] {
                (sum.weight, sum.value) = (sum.weight - weight, sum.value - value);
            }
            (base.weight, base.value) = (base.weight + weight, base.value + value);
            match kept - first {
                1 => base.loss += loss,
                _ => self.cores.push(first..kept),
            }
        }
        // The classes with the fewest items first: the lists grow late.
        self.cores.sort_unstable_by_key(ExactSizeIterator::len);
        let most = |core: &Range<usize>| self.left[core.end - 1].value;
        let mut rest: i64 = self.cores.iter().map(most).sum();
        self.sums.clear();
        self.sums.push(base);
        for core in &self.cores {
            rest -= self.left[core.end - 1].value;
            self.next.clear();
            for item in &self.left[core.clone()] {
                for sum in &self.sums {
                    let weight = sum.weight + item.weight;
                    let (value, loss) = (sum.value + item.value, sum.loss + item.loss);
                    if weight >= known || loss > gap || value + rest < needed {
                        continue;
                    }
                    if value >= needed {
                        gap -= p * (known - weight);
                        known = weight;
                    } else {
                        self.next.push(Sum { weight, value, loss });
                    }
                }
            }
            // A run for each item: the sort only merges them.
            self.next.sort_by(|a, b| a.weight.cmp(&b.weight).then(b.value.cmp(&a.value)));
            let mut best = i64::MIN;
            self.next.retain(|sum| {
                let is_better = sum.value > best;
                best = best.max(sum.value);
                is_better
            });
            std::mem::swap(&mut self.sums, &mut self.next);
        }
        known
    }

    /// The weight of a selection that reaches the value, and the slope of the hull where it does.
    fn greedy(&mut self, needed: i64) -> (i64, Pair) {
        self.steps.clear();
        self.taken.clear();
        for class in 0..self.ends.len() {
            let pairs = self.class(class);
            self.taken.push(pairs.start);
            hull_steps(&self.pairs, pairs, class, &mut self.steps);
        }
        self.steps.sort_unstable_by(|a, b| steepness(b.rise, a.rise));
        let mut sum = Pair::default();
        let mut known = i64::MAX;
        // There is one: the last step reaches the greatest value.
        let mut slope = Pair { weight: 1, value: 1 };
        for at in 0..self.steps.len() {
            let Step { rise, class, to } = self.steps[at];
            if sum.value + rise.value >= needed {
                // In place of the step, an item of any class that is enough.
                known = self.completed(sum, needed);
                slope = rise;
            }
            sum = Pair { weight: sum.weight + rise.weight, value: sum.value + rise.value };
            self.taken[class] = to;
            if sum.value >= needed {
                break;
            }
        }
        for _ in 0..EXCHANGES {
            let Some((class, to)) = self.exchange(sum.value - needed) else { break };
            let (from, onto) = (self.pairs[self.taken[class]], self.pairs[to]);
            sum.weight -= from.weight - onto.weight;
            sum.value -= from.value - onto.value;
            self.taken[class] = to;
        }
        (known.min(sum.weight), slope)
    }

    /// The weight of the selection with one heavier item, so that it reaches the value; the largest number if none is enough.
    fn completed(&self, sum: Pair, needed: i64) -> i64 {
        let more = self.taken.iter().enumerate().filter_map(|(class, &taken)| {
            let now = self.pairs[taken];
            let enough = |pair: &&Pair| pair.value >= now.value + (needed - sum.value);
            Some(sum.weight + self.pairs[self.class(class)].iter().find(enough)?.weight - now.weight)
        });
        more.min().unwrap_or(i64::MAX)
    }

    /// The exchange that saves most weight and loses at most so much value: a class, and its pair.
    fn exchange(&self, spare: i64) -> Option<(usize, usize)> {
        let mut best = (0, None);
        for (class, &taken) in self.taken.iter().enumerate() {
            let now = self.pairs[taken];
            let lighter = self.class(class).find(|&at| self.pairs[at].value >= now.value - spare)?;
            let saved = now.weight - self.pairs[lighter].weight;
            if saved > best.0 {
                best = (saved, Some((class, lighter)));
            }
        }
        best.1
    }
}

/// Sorts the pairs from `first` on and keeps those that are worth more than all lighter ones.
fn keep_undominated(pairs: &mut Vec<Pair>, first: usize) {
    pairs[first..].sort_unstable_by(|a, b| a.weight.cmp(&b.weight).then(b.value.cmp(&a.value)));
    let mut kept = first;
    for at in first..pairs.len() {
        if at == first || pairs[at].value > pairs[kept - 1].value {
            pairs[kept] = pairs[at];
            kept += 1;
        }
    }
    pairs.truncate(kept);
}

/// Appends the steps of the upper convex hull of a class, from its first pair on: ever less value for weight.
fn hull_steps(pairs: &[Pair], class: Range<usize>, number: usize, steps: &mut Vec<Step>) {
    let (first, start) = (steps.len(), class.start);
    let from = |steps: &[Step]| steps[first..].last().map_or(start, |step| step.to);
    for to in class.skip(1) {
        loop {
            let from = from(steps);
            let rise = Pair {
                weight: pairs[to].weight - pairs[from].weight,
                value: pairs[to].value - pairs[from].value,
            };
            match steps[first..].last() {
                Some(last) if steepness(last.rise, rise).is_le() => drop(steps.pop()),
                _ => {
                    steps.push(Step { rise, class: number, to });
                    break;
                }
            }
        }
    }
}

/// Compares what two steps give for their weight.
fn steepness(one: Pair, other: Pair) -> Ordering {
    product(one.value, other.weight).cmp(&product(other.value, one.weight))
}

fn product(a: i64, b: i64) -> i128 {
    i128::from(a) * i128::from(b)
}

/// The slope as a fraction of which products with weights and values stay below 2^62 and 2^61. Any other is right as well, and leaves
/// more to be searched.
fn multiplier(slope: Pair, most_weight: i64, most_value: i64) -> (i64, i64) {
    if product(slope.value, most_weight) < MOST / 2 && product(slope.weight, most_value) < MOST {
        return (slope.value, slope.weight);
    }
    let q = 1 << (most_value.leading_zeros() - 2).min(30);
    let p = product(slope.value, q) / i128::from(slope.weight);
    (p.min(MOST / 2 / i128::from(most_weight)) as i64, q)
}

#[cfg(test)]
mod tests {
    use super::*;
    use isx_exact::sampling::Sampler;

    /// By the list of all undominated sums.
    fn judged(classes: &[Vec<Item<BigInt>>], needed: &BigInt) -> Option<u64> {
        let mut sums = vec![(0u64, BigInt::ZERO)];
        for items in classes {
            let more = sums.iter().flat_map(|(weight, value)| {
                items.iter().map(move |item| (weight + item.weight, value + &item.value))
            });
            let mut next: Vec<_> = more.chain(sums.iter().cloned()).collect();
            next.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)));
            let mut best: Option<BigInt> = None;
            next.retain(|(_, value)| {
                let better = best.as_ref().is_none_or(|best| value > best);
                if better {
                    best = Some(value.clone());
                }
                better
            });
            sums = next;
        }
        sums.iter().find(|(_, value)| value >= needed).map(|(weight, _)| *weight)
    }

    fn class(items: &[(i64, u64)]) -> Vec<Item<BigInt>> {
        items.iter().map(|&(value, weight)| Item { value: value.into(), weight }).collect()
    }

    #[test]
    fn the_worked_instance_and_every_value_of_it() {
        let classes = [class(&[(3, 1), (4, 3)]), class(&[(2, 1)])];
        let least = |needed: i64| least_weight(&classes, &needed.into()).unwrap();
        assert_eq!(
            [-5, 0, 1, 2, 3, 4, 5, 6, 7].map(least),
            [Some(0), Some(0), Some(1), Some(1), Some(1), Some(2), Some(2), Some(4), None]
        );
    }

    #[test]
    fn it_is_what_the_list_of_all_sums_says() {
        let (mut sampler, mut between) = (Sampler::new(26), 0);
        for case in 0..1500u64 {
            let (most_weight, most_value) =
                ([5, 40, 3000][case as usize % 3], [4, 60, 100_000][case as usize / 3 % 3]);
            let classes: Vec<Vec<Item<BigInt>>> = (0..sampler.uniform(1, 7))
                .map(|_| {
                    let count = sampler.uniform(0, 6);
                    (0..count)
                        .map(|_| {
                            let weight = sampler.uniform(0, most_weight);
                            // Correlated, some worth nothing or less.
                            let value =
                                sampler.uniform(0, most_value) as i64 - 3 + (weight * (case % 5)) as i64;
                            Item { value: value.into(), weight }
                        })
                        .collect()
                })
                .collect();
            let most: BigInt = classes
                .iter()
                .map(|items| {
                    items.iter().map(|item| item.value.clone()).max().unwrap_or_default().max(BigInt::ZERO)
                })
                .sum();
            let most = most.to_u64().unwrap();
            for _ in 0..4 {
                let needed = BigInt::from(sampler.uniform(0, most + 1));
                let expected = judged(&classes, &needed);
                assert_eq!(
                    least_weight(&classes, &needed),
                    Some(expected),
                    "case {case}: {classes:?}, {needed}"
                );
                between += usize::from(expected.is_some_and(|weight| weight > 0));
            }
        }
        assert!(between > 3000, "{between}");
    }

    #[test]
    fn numbers_at_the_ends_of_64_bits_are_refused_and_not_wrong() {
        let edge = 1i64 << 61;
        let classes = [class(&[(edge, 1 << 60)]), class(&[(edge - 1, 1 << 59)])];
        assert_eq!(least_weight(&classes, &BigInt::from(edge)), Some(Some(1 << 60)));
        assert_eq!(least_weight(&classes, &BigInt::from(edge - 1)), Some(Some(1 << 59)));
        assert_eq!(least_weight(&[class(&[(edge, 1)]), class(&[(edge, 1)])], &BigInt::from(3)), None);
        assert_eq!(least_weight(&[class(&[(1, u64::MAX)])], &BigInt::from(1)), None);
        assert_eq!(least_weight(&[class(&[(1, 1)])], &(BigInt::from(u64::MAX) * 4)), None);
    }
}
