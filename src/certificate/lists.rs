//! The lists of a proof: for each class the non-dominated pairs of area and cost that the classes so far can reach.
//! This is the simplest dynamic program, written for certificates and independent of the engines.

use super::numbers::Numbers;
use super::price::price;
use super::unproved::Unproved;
use isx_checker::bound::Bound;
use isx_checker::cost::{Cost, Width};
use isx_checker::layers::needed;
use isx_checker::scenario::{Opt, Scenario};
use isx_checker::sharing::{BlockSet, Sharing, contains};
use isx_exact::order;
use isx_machine::{OverMemory, allocated};
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::{io, iter};

/// An upper bound on the bytes of a scenario's proof, including its checker: for every set of blocks a list has at
/// most as many pairs as there are designs, and as there are areas.
pub(super) fn most_bytes(scenario: &Scenario) -> u64 {
    let cells = scenario.capacity.saturating_add(1);
    let classes = &scenario.classes;
    let designs = classes.iter().fold(1u64, |designs, class| designs.saturating_mul(class.len() as u64));
    let sets = 1u64.checked_shl(scenario.blocks.len() as u32).unwrap_or(u64::MAX);
    let pairs = designs.min(cells).saturating_mul(sets);
    let options = classes.iter().map(Vec::len).max().unwrap_or(0) as u64;
    // With a price, sums are weighted by areas: see `Bound::largest`.
    let bits = scenario.most.bits() + u64::from(u64::BITS - scenario.capacity.leading_zeros()) + 2;
    let cost = match bits {
        0..=32 => 4,
        33..=64 => 8,
        65..=128 => 16,
        bits => size_of::<BigUint>() as u64 + 16 + bits.div_ceil(64) * 8,
    };
    let pair = 16 + cost;
    let lists = 4 + u64::from(u64::BITS - options.leading_zeros());
    // The checker's vectors grow by doubling, and it uses rows if they are small relative to the number of pairs.
    let rows = if cells / 64 <= pairs { cells.saturating_mul(4 * cost) } else { 0 };
    pairs.saturating_mul(pair * (lists + 5)).saturating_add(rows)
}

/// Pairs with area strictly increasing and cost strictly decreasing.
type Pairs<C> = Vec<(u64, C)>;
/// Pairs grouped by the blocks that are paid for and can still be used, in the order of these sets.
type List<C> = Vec<(BlockSet, Pairs<C>)>;

/// Writes the proof of a scenario. With a `target`, pairs that lead to no design of at most that cost are left out.
/// Returns the least cost in the last list, if it has a pair.
pub(super) fn write(
    numbers: &mut Numbers,
    scenario: &Scenario,
    target: Option<&BigUint>,
    max_bytes: u64,
) -> Result<Option<BigUint>, Unproved> {
    numbers.flag(target.is_some())?;
    let mut bound = None;
    if let Some(target) = target {
        let (numerator, denominator) = price(scenario);
        numbers.big(&numerator)?;
        numbers.big(&denominator)?;
        let found = Bound::new(scenario, target, numerator, denominator);
        if found.room.is_none() {
            return Ok(None);
        }
        bound = Some(found);
    }
    let largest = bound.as_ref().map(|bound| bound.largest(scenario));
    match Width::of(largest.as_ref().unwrap_or(&scenario.most)) {
        // A pair of an area and a cost of 32 bits takes as much memory as one with 64.
        Width::Bits32 | Width::Bits64 => Prover::<u64>::new(scenario, bound, max_bytes).write(numbers),
        Width::Bits128 => Prover::<u128>::new(scenario, bound, max_bytes).write(numbers),
        Width::Any => Prover::<BigUint>::new(scenario, bound, max_bytes).write(numbers),
    }
}

struct Prover<'a, C> {
    scenario: &'a Scenario<'a>,
    bound: Option<Bound>,
    /// The price and the maximum weight of pairs at that price, in the integers of the lists.
    weights: Option<(C, C)>,
    limit: C,
    max_bytes: u64,
}

impl<'a, C: Cost> Prover<'a, C> {
    fn new(scenario: &'a Scenario<'a>, bound: Option<Bound>, max_bytes: u64) -> Self {
        let narrow = |big: &BigUint| C::from_big(big).unwrap_or_else(C::zero);
        let weights = bound.as_ref().map(|bound| (narrow(&bound.numerator), narrow(&bound.denominator)));
        Self { scenario, bound, weights, limit: C::zero(), max_bytes }
    }

    fn write(mut self, numbers: &mut Numbers) -> Result<Option<BigUint>, Unproved> {
        let (order, passed) = self.order();
        order.iter().try_for_each(|&class| numbers.count(class))?;
        let sharing = Sharing::new(self.scenario, &order);
        let mut list: List<C> = vec![(sharing.none(), vec![(0, C::zero())])];
        let mut limit = self.bound.as_ref().and_then(|bound| bound.room.clone()).unwrap_or_default();
        for (number, &class) in (1..).zip(&order) {
            if let Some(bound) = &self.bound {
                limit += &bound.least[class];
                self.limit = C::from_big(&limit).unwrap_or_else(C::zero);
                numbers.flag(number > passed)?;
                if number <= passed {
                    self.pass(&mut list, class);
                    continue;
                }
            }
            list = self.next(&sharing, &list, class, number)?;
            write_list(numbers, &list)?;
        }
        Ok(list.iter().filter_map(|(_, pairs)| pairs.last()).map(|(_, cost)| cost.to_big()).min())
    }

    /// The order of the classes, and how many of the first classes have only one relevant option.
    fn order(&self) -> (Vec<usize>, usize) {
        let classes = &self.scenario.classes;
        // The list of a class without options is empty, and so are all after it.
        if let Some(empty) = classes.iter().position(Vec::is_empty) {
            let others = (0..classes.len()).filter(|&class| class != empty);
            return (iter::once(empty).chain(others).collect(), 0);
        }
        let Some(bound) = &self.bound else { return (by_blocks(self.scenario, 0), 0) };
        // The smallest loss of any option but the best: classes with a larger one come first, so that lists grow
        // late.
        let second = |class: usize| {
            let mut losses: Vec<BigUint> =
                needed(&classes[class]).iter().map(|option| bound.loss(class, option)).collect();
            order::sort(&mut losses);
            losses.into_iter().nth(1)
        };
        let seconds: Vec<Option<BigUint>> = (0..classes.len()).map(second).collect();
        let mut order: Vec<usize> = (0..classes.len()).collect();
        if !self.scenario.blocks.is_empty() {
            return (by_blocks(self.scenario, 0), 0);
        }
        order::sort_by(&mut order, |&a, &b| match (&seconds[a], &seconds[b]) {
            (Some(first), Some(second)) => second.cmp(first).then(a.cmp(&b)),
            (first, second) => first.is_some().cmp(&second.is_some()).then(a.cmp(&b)),
        });
        let passes =
            |class: &&usize| seconds[**class].as_ref() > bound.room.as_ref() || seconds[**class].is_none();
        let passed = order.iter().take_while(passes).count();
        (order, passed)
    }

    fn pass(&self, list: &mut List<C>, class: usize) {
        let Some(bound) = &self.bound else { return };
        let options = needed(&self.scenario.classes[class]);
        let Some(best) = options.into_iter().min_by_key(|option| bound.loss(class, option)) else { return };
        let Some(cost) = C::from_big(&best.cost) else { return };
        for (_, pairs) in list {
            let within = |area: u64| area.checked_add(best.area).filter(|&sum| sum <= self.scenario.capacity);
            let add = |(area, own): (u64, C)| Some((within(area)?, own.plus(&cost)));
            *pairs = std::mem::take(pairs).into_iter().map_while(add).collect();
        }
    }

    fn next(
        &self,
        sharing: &Sharing,
        list: &List<C>,
        class: usize,
        number: usize,
    ) -> Result<List<C>, Unproved> {
        let mut sets: BTreeMap<BlockSet, usize> = BTreeMap::new();
        let mut runs: Vec<Vec<Shifted<C>>> = Vec::new();
        let pairs_of = |list: &List<C>| list.iter().map(|(_, pairs)| pairs.len()).sum::<usize>();
        let room = |pairs| self.room(pairs, number);
        let (useful, mut after) = (sharing.useful(number), sharing.none());
        for option in needed(&self.scenario.classes[class]) {
            let Some(cost) = C::from_big(&option.cost) else { continue };
            for (blocks, pairs) in list {
                let Some(extra) = sharing.with(blocks, option, &useful, &mut after) else { continue };
                let Some(room) = self.scenario.capacity.checked_sub(extra) else { continue };
                let within = pairs.partition_point(|&(area, _)| area <= room);
                let run = Shifted { pairs: &pairs[..within], area: extra, cost: cost.clone() };
                let set = *sets.entry(after.clone()).or_insert(runs.len());
                if set == runs.len() {
                    runs.push(Vec::new());
                }
                runs[set].push(run);
            }
        }
        let mut next = List::new();
        for (blocks, set) in sets {
            let mut pairs = self.merged(&runs[set], pairs_of(list) + pairs_of(&next), &room)?;
            if let Some((numerator, denominator)) = &self.weights {
                pairs.retain(|(area, cost)| {
                    denominator.times(cost).plus(&numerator.times(&C::of(*area))) <= self.limit
                });
            }
            if !pairs.is_empty() {
                next.push((blocks, pairs));
            }
        }
        drop_stood_for(&mut next, sharing);
        Ok(next)
    }

    /// Whether this many pairs fit in memory, in addition to the other memory of the process if that is counted.
    fn room(&self, pairs: usize, number: usize) -> Result<(), Unproved> {
        // The checker has as many pairs.
        let pairs = pairs as u64 * 2 * size_of::<(u64, C)>() as u64;
        if pairs.max(allocated::beyond_the_program()) <= self.max_bytes {
            return Ok(());
        }
        let needed = self.max_bytes.saturating_add(most_bytes(self.scenario));
        let over = OverMemory { needed, allowed: self.max_bytes };
        Err(Unproved::Memory { classes: number - 1, all: self.scenario.classes.len(), over })
    }

    /// The non-dominated pairs of all runs, given `other_pairs` pairs in other lists. Two lists merged from equally
    /// many runs are merged at once, so that few lists are in memory.
    fn merged(
        &self,
        runs: &[Shifted<C>],
        other_pairs: usize,
        room: &dyn Fn(usize) -> Result<(), Unproved>,
    ) -> Result<Pairs<C>, Unproved> {
        let sum: usize = runs.iter().map(|run| run.pairs.len()).sum();
        if self.scenario.capacity < 2 * sum as u64 && sum > 64 {
            // Its cells are half as large as pairs.
            room(other_pairs + self.scenario.capacity as usize)?;
            return Ok(self.merged_in_a_row(runs));
        }
        let mut merged: Vec<Pairs<C>> = Vec::new();
        for (at, run) in (1u32..).zip(runs) {
            merged.push(run.pairs());
            // Works like binary addition with carries.
            for _ in 0..at.trailing_zeros() {
                merge_last(&mut merged);
            }
            room(other_pairs + merged.iter().map(Vec::capacity).sum::<usize>())?;
        }
        while merged.len() > 1 {
            merge_last(&mut merged);
        }
        Ok(merged.pop().unwrap_or_default())
    }

    /// The same with one cell per area.
    fn merged_in_a_row(&self, runs: &[Shifted<C>]) -> Pairs<C> {
        let mut row: Vec<Option<C>> = vec![None; self.scenario.capacity as usize + 1];
        for run in runs {
            for (area, cost) in run.pairs {
                let (cell, cost) = (&mut row[(area + run.area) as usize], cost.plus(&run.cost));
                if cell.as_ref().is_none_or(|cell| cost < *cell) {
                    *cell = Some(cost);
                }
            }
        }
        let mut pairs: Pairs<C> = Vec::new();
        for (area, cost) in (0..).zip(row) {
            let Some(cost) = cost else { continue };
            push_if_less(&mut pairs, area, cost);
        }
        pairs
    }
}

/// Pairs to which an option is added.
struct Shifted<'a, C> {
    pairs: &'a [(u64, C)],
    area: u64,
    cost: C,
}

impl<C: Cost> Shifted<'_, C> {
    fn pairs(&self) -> Pairs<C> {
        self.pairs.iter().map(|(area, cost)| (area + self.area, cost.plus(&self.cost))).collect()
    }
}

fn merge_last<C: Cost>(lists: &mut Vec<Pairs<C>>) {
    if let (Some(last), Some(before)) = (lists.pop(), lists.pop()) {
        let mut merged = merge(&before, &last);
        merged.shrink_to_fit();
        lists.push(merged);
    }
}

fn push_if_less<C: Cost>(pairs: &mut Pairs<C>, area: u64, cost: C) {
    if pairs.last().is_none_or(|(_, last)| cost < *last) {
        pairs.push((area, cost));
    }
}

/// Merges two lists of pairs and keeps the non-dominated ones.
fn merge<C: Cost>(a: &[(u64, C)], b: &[(u64, C)]) -> Pairs<C> {
    let mut merged = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    loop {
        let from_a = match (a.peek(), b.peek()) {
            (Some(x), Some(y)) => (x.0, &x.1) <= (y.0, &y.1),
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => return merged,
        };
        let next = if from_a { a.next() } else { b.next() };
        if let Some((area, cost)) = next {
            push_if_less(&mut merged, *area, cost.clone());
        }
    }
}

/// Removes pairs that a pair with more blocks covers.
fn drop_stood_for<C: Cost>(list: &mut List<C>, sharing: &Sharing) {
    if list.len() < 2 {
        return;
    }
    for fewer in 0..list.len() {
        for more in 0..list.len() {
            if more == fewer || !sharing.stands_for(&list[more].0, &list[fewer].0) {
                continue;
            }
            let mut own = std::mem::take(&mut list[fewer].1);
            let (other, mut at) = (&list[more].1, 0);
            own.retain(|(area, cost)| {
                while other.get(at).is_some_and(|(next, _)| *next <= *area) {
                    at += 1;
                }
                at == 0 || other[at - 1].1 > *cost
            });
            list[fewer].1 = own;
        }
    }
    list.retain(|(_, pairs)| !pairs.is_empty());
}

/// An order in which few blocks, and few of so many modes, are open at once: greedily the class that opens the fewest and
/// closes the most.
pub(super) fn by_blocks(scenario: &Scenario, modes: usize) -> Vec<usize> {
    let count = scenario.blocks.len();
    let uses = |options: &Vec<Opt>| {
        let has_load = |mode: &usize| options.iter().any(|option| option.further[*mode] > 0);
        let modes = (0..modes).filter(has_load).map(|mode| (count + mode) as u32);
        let blocks = options.iter().flat_map(|option| option.blocks.iter().copied());
        let mut all: Vec<u32> = blocks.chain(modes).collect();
        order::sort(&mut all);
        all.dedup();
        all
    };
    let uses: Vec<Vec<u32>> = scenario.classes.iter().map(uses).collect();
    let mut users = vec![0i64; count + modes];
    uses.iter().flatten().for_each(|&block| users[block as usize] += 1);
    let mut open = vec![false; users.len()];
    if users.is_empty() {
        return (0..scenario.classes.len()).collect();
    }
    let mut left: Vec<usize> = (0..scenario.classes.len()).collect();
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let growth = |&class: &usize| {
            let blocks = uses[class].iter().map(|&block| block as usize);
            blocks.map(|block| i64::from(!open[block]) - i64::from(users[block] == 1)).sum::<i64>()
        };
        let Some(at) = (0..left.len()).min_by_key(|&at| (growth(&left[at]), left[at])) else { break };
        let class = left.remove(at);
        for &block in &uses[class] {
            users[block as usize] -= 1;
            open[block as usize] = users[block as usize] > 0;
        }
        order.push(class);
    }
    order
}

fn write_list<C: Cost>(numbers: &mut Numbers, list: &List<C>) -> io::Result<()> {
    numbers.count(list.len())?;
    for (blocks, pairs) in list {
        let blocks: Vec<u32> =
            (0..blocks.len() as u32 * 64).filter(|&block| contains(blocks, block)).collect();
        numbers.count(blocks.len())?;
        blocks.iter().try_for_each(|&block| numbers.small(block.into()))?;
        numbers.count(pairs.len())?;
        let mut before: Option<&(u64, C)> = None;
        for pair in pairs {
            let (area, cost) = pair;
            match before {
                None => {
                    numbers.small(*area)?;
                    numbers.cost(cost)?;
                }
                Some((last, more)) => {
                    numbers.small(area - last)?;
                    numbers.cost(&more.minus(cost).unwrap_or_else(C::zero))?;
                }
            }
            before = Some(pair);
        }
    }
    Ok(())
}
