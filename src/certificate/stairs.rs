//! Lists of one amount and no blocks: staircases, in which amounts rise and costs fall.

use super::asked::{Asked, most_bytes};
use super::error::CertifyError;
use super::numbers::Numbers;
use isx_checker::shared::bound::Bound;
use isx_checker::shared::bound::needed;
use isx_checker::shared::cost::Cost;
use isx_exact::order;
use isx_machine::allocated;
use num_bigint::BigUint;
use std::iter;

/// Pairs of an amount and a cost.
type Pairs<C> = Vec<(u64, C)>;

/// Writes the proof, in which what leads to no design that is asked about is left out; returns whether there is none.
pub(super) fn write<C: Cost>(
    asked: &Asked,
    bound: Option<Bound>,
    numbers: &mut Numbers,
) -> Result<bool, CertifyError> {
    let price = bound.as_ref().map(|bound| (C::narrowed(&bound.numerator), C::narrowed(&bound.denominator)));
    let mut prover = Prover { asked, bound: bound.as_ref(), price, limit: C::zero() };
    let (order, passed) = prover.order();
    order.iter().try_for_each(|&class| numbers.count(class))?;
    let mut list = vec![(0, C::zero())];
    let mut limit = bound.as_ref().and_then(|bound| bound.room.clone()).unwrap_or_default();
    for (number, &class) in (1..).zip(&order) {
        if let Some(bound) = &bound {
            limit += &bound.least[class];
            prover.limit = C::narrowed(&limit);
            numbers.flag(number > passed)?;
            if number <= passed {
                prover.pass(&mut list, class);
                continue;
            }
        }
        list = prover.next(&list, class, number)?;
        numbers.count(list.len())?;
        let first = [(0, C::zero())];
        for (last, pair) in first.iter().chain(&list).zip(&list) {
            numbers.after(last.0, pair.0)?;
            numbers.cost_after(&last.1, &pair.1)?;
        }
    }
    Ok(asked.most.is_none_or(|most| list.iter().all(|(_, cost)| cost.clone().into() > *most)))
}

struct Prover<'a, C> {
    asked: &'a Asked<'a>,
    bound: Option<&'a Bound>,
    /// The price and the maximum weight of pairs at that price, in the integers of the lists.
    price: Option<(C, C)>,
    limit: C,
}

impl<C: Cost> Prover<'_, C> {
    /// The order of the classes, and how many of the first classes have only one relevant option.
    fn order(&self) -> (Vec<usize>, usize) {
        let classes = &self.asked.scenario.classes;
        // The list of a class without options is empty, and so are all after it.
        if let Some(empty) = classes.iter().position(Vec::is_empty) {
            let others = (0..classes.len()).filter(|&class| class != empty);
            return (iter::once(empty).chain(others).collect(), 0);
        }
        let mut order: Vec<usize> = (0..classes.len()).collect();
        let Some(bound) = self.bound else { return (order, 0) };
        // The smallest loss of any option but the best: classes with a larger one come first, so that lists grow
        // late.
        let second = |class: usize| {
            let mut losses: Vec<BigUint> =
                needed(&classes[class]).iter().map(|option| bound.loss(class, option)).collect();
            order::sort(&mut losses);
            losses.into_iter().nth(1)
        };
        let seconds: Vec<Option<BigUint>> = (0..classes.len()).map(second).collect();
        order::sort_by(&mut order, |&a, &b| match (&seconds[a], &seconds[b]) {
            (Some(first), Some(second)) => second.cmp(first).then(a.cmp(&b)),
            (first, second) => first.is_some().cmp(&second.is_some()).then(a.cmp(&b)),
        });
        let passes =
            |class: &&usize| seconds[**class].as_ref() > bound.room.as_ref() || seconds[**class].is_none();
        let passed = order.iter().take_while(passes).count();
        (order, passed)
    }

    /// Adds the option of a class whose others all lose too much.
    fn pass(&self, list: &mut Pairs<C>, class: usize) {
        let Asked { scenario, .. } = *self.asked;
        let options = needed(&scenario.classes[class]);
        let loss = |bound: &Bound| options.into_iter().min_by_key(|option| bound.loss(class, option));
        let Some(best) = self.bound.and_then(loss) else { return };
        let (area, cost) = (best.amounts[0], C::narrowed(&best.cost));
        let within = |own: u64| own.checked_add(area).filter(|sum| *sum <= scenario.limits[0]);
        let add = |(own, own_cost): (u64, C)| Some((within(own)?, own_cost.plus(&cost)));
        *list = std::mem::take(list).into_iter().map_while(add).collect();
    }

    fn next(&self, list: &Pairs<C>, class: usize, number: usize) -> Result<Pairs<C>, CertifyError> {
        let capacity = self.asked.scenario.limits[0];
        let mut runs = Vec::new();
        for option in needed(&self.asked.scenario.classes[class]) {
            let Some(room) = capacity.checked_sub(option.amounts[0]) else { break };
            let within = list.partition_point(|&(area, _)| area <= room);
            let cost = C::narrowed(&option.cost);
            runs.push(Shifted { pairs: &list[..within], area: option.amounts[0], cost });
        }
        let mut pairs = self.merged(&runs, list.len(), number)?;
        if let Some((p, q)) = &self.price {
            pairs.retain(|(area, cost)| q.times(cost).plus(&p.times(&C::from(*area))) <= self.limit);
        }
        Ok(pairs)
    }

    /// Whether this many pairs fit in memory, in addition to the other memory of the process if that is counted.
    fn room(&self, pairs: usize, number: usize) -> Result<(), CertifyError> {
        let Asked { scenario, max_bytes, .. } = *self.asked;
        // The checker has as many pairs.
        let pairs = pairs as u64 * 2 * size_of::<(u64, C)>() as u64;
        if pairs.max(allocated::beyond_the_program()) <= max_bytes {
            return Ok(());
        }
        Err(CertifyError::memory(number - 1, scenario.classes.len(), most_bytes(scenario), max_bytes))
    }

    /// The non-dominated pairs of all runs, beside `others` pairs. Two lists merged from equally many runs are merged at
    /// once, so that few lists are in memory.
    fn merged(&self, runs: &[Shifted<C>], others: usize, number: usize) -> Result<Pairs<C>, CertifyError> {
        let capacity = self.asked.scenario.limits[0];
        let sum: usize = runs.iter().map(|run| run.pairs.len()).sum();
        if capacity < 2 * sum as u64 && sum > 64 {
            // Its cells are half as large as pairs.
            self.room(others + capacity as usize, number)?;
            return Ok(merged_in_a_row(runs, capacity));
        }
        let mut merged: Vec<Pairs<C>> = Vec::new();
        for (at, run) in (1u32..).zip(runs) {
            merged.push(run.pairs());
            // Works like binary addition with carries.
            for _ in 0..at.trailing_zeros() {
                merge_last(&mut merged);
            }
            self.room(others + merged.iter().map(Vec::capacity).sum::<usize>(), number)?;
        }
        while merged.len() > 1 {
            merge_last(&mut merged);
        }
        Ok(merged.pop().unwrap_or_default())
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

/// The non-dominated pairs of all runs, with one cell per area.
fn merged_in_a_row<C: Cost>(runs: &[Shifted<C>], capacity: u64) -> Pairs<C> {
    let mut row: Vec<Option<C>> = vec![None; capacity as usize + 1];
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
