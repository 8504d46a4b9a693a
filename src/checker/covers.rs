//! The lists of a problem with several resources or modes, and the check that each follows from the previous one.
//!
//! An entry of a list is a row of amounts, a cost, and the set of blocks that are paid for and can still be used. Where
//! an entry of the previous list and an option of the class add up to amounts within the limits, the certificate names
//! an entry of the list that *covers* the sum: no amount and no cost of it is larger, and its blocks may stand for
//! those of the sum. So one look at each sum is enough, whatever the number of resources. A list may have any entries
//! in any order: by induction every design within the limits costs at least as much as an entry of the last list, and
//! for each of those the certificate names a point of the claim.
//!
//! Worked instance: two resources, limits (2, 2), one class before: L_1 = {(0, 0; 6), (1, 0; 2)} as (amounts; cost). A
//! class with the options (0, 0; 3) and (1, 1; 0) makes the sums (0, 0; 9), (1, 0; 5), (1, 1; 6), (2, 1; 2). The list
//! {(0, 0; 9), (1, 0; 5), (2, 1; 2)} follows: the sum (1, 1; 6) is covered by its second entry.

use crate::bound::read_order;
use crate::claim::Point;
use crate::cost::{Cost, Width};
use crate::failure::Wrong;
use crate::limits::times;
use crate::modes::Modes;
use crate::problem::{MOST, Problem};
use crate::read::Numbers;
use crate::scenario::{MOST_LOAD_BITS, Opt, Scenario};
use crate::sharing::{BlockSet, Sharing, insert};
use num_bigint::BigUint;

/// The resources that lists count: the objectives, and those of the others whose limits some design may exceed. Of a set
/// with several modes these are the area and the loads, see [`modes`](crate::modes).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Their indices, the objectives first.
    pub resources: Vec<usize>,
    /// The limit of each.
    pub limits: Vec<u64>,
}

impl Counted {
    /// Those of a problem.
    pub fn of(problem: &Problem) -> Self {
        if !problem.modes.is_empty() {
            let loads = problem.modes.iter().map(|_| 1 << MOST_LOAD_BITS);
            let limits = std::iter::once(problem.capacity).chain(loads).collect();
            return Self { resources: (0..=problem.modes.len()).collect(), limits };
        }
        let objectives = problem.resources.as_ref().map_or(1, |resources| resources.objectives);
        let counts = |&resource: &usize| resource < objectives || !problem.is_free(resource);
        let resources: Vec<usize> = (0..problem.width()).filter(counts).collect();
        let limits = resources.iter().map(|&resource| problem.limit(resource)).collect();
        Self { resources, limits }
    }
}

/// What the lists of a scenario must show.
pub(crate) struct Asked<'a> {
    pub problem: &'a Problem,
    pub scenario: &'a Scenario<'a>,
    /// Designs of a larger cost above the minimum are not asked about.
    pub most: Option<&'a BigUint>,
    /// Every design asked about has, in the objectives and the cost, at least what one of these has; without any, there
    /// is no such design.
    pub claimed: &'a [Point],
}

impl Asked<'_> {
    /// Reads and checks the lists; returns the number of entries.
    pub fn check(&self, numbers: &mut Numbers) -> Result<u64, Wrong> {
        match width(self.scenario) {
            Width::Any => self.check_in::<BigUint>(numbers),
            _ => self.check_in::<u64>(numbers),
        }
    }

    fn check_in<C: Cost>(&self, numbers: &mut Numbers) -> Result<u64, Wrong> {
        let scenario = self.scenario;
        numbers.meter.work(times(&[self.problem.width() as u64, 16 * self.problem.offers]))?;
        let counted = Counted::of(self.problem);
        let order = read_order(numbers, scenario.classes.len())?;
        let blocks = scenario.blocks.len() as u64;
        numbers.meter.hold(64 * blocks)?;
        numbers.meter.work(times(&[blocks, 100]))?;
        let sharing = Sharing::new(scenario, &order);
        let mut list = List::first(&sharing, &counted);
        let most = self.most.unwrap_or(&scenario.most).min(&scenario.most);
        let most = C::from_big(most).unwrap_or_else(C::zero);
        let long = size_of::<C>() > 8;
        let digits = if long { scenario.words() } else { 0 };
        let entry_bytes = 2 * (8 * counted.limits.len() + size_of::<C>()) as u64 + 8 * digits;
        let steps = 20 + 8 * counted.limits.len() as u64 + if long { 100 + digits } else { 0 };
        let points = self.claimed.iter();
        let points = points.map(|point| (point.sums.area, scenario.at_least(&point.sums.cost))).collect();
        let modes = match self.problem.modes.is_empty() {
            true => None,
            false => Some(Modes::new(scenario, &order, points, self.most, &mut numbers.meter)?),
        };
        let check = Lists { scenario, counted, sharing, most, modes, entry_bytes, steps };
        let mut pairs = list.costs.len() as u64;
        for (number, &class) in (1..).zip(&order) {
            let next = check.read(numbers, number)?;
            check.follows(numbers, &list, &next, class, number)?;
            numbers.meter.release(list.held);
            pairs += next.costs.len() as u64;
            list = next;
        }
        self.is_claimed(numbers, &check, &list)?;
        numbers.meter.release(list.held);
        Ok(pairs)
    }

    /// Reads which point covers each entry of the last list, and checks it.
    fn is_claimed<C: Cost>(
        &self,
        numbers: &mut Numbers,
        check: &Lists<C>,
        last: &List<C>,
    ) -> Result<(), Wrong> {
        let objectives = self.problem.resources.as_ref().map_or(1, |resources| resources.objectives);
        let points = self.claimed.len() as u64;
        let held = times(&[points, size_of::<Option<C>>() as u64 + 8 * self.scenario.words()]);
        numbers.meter.hold(held)?;
        numbers.meter.work(times(&[points, 50 + 4 * self.problem.cost_words]))?;
        // A point above all possible costs covers nothing.
        let cost = |point: &Point| C::from_big(&self.scenario.at_least(&point.sums.cost));
        let costs: Vec<Option<C>> = self.claimed.iter().map(cost).collect();
        let mut expected = 0;
        for at in 0..last.costs.len() {
            let (amounts, cost) = last.entry(at, check.counted.limits.len());
            numbers.meter.work(check.steps)?;
            let covers = |position: usize| {
                let point = &self.claimed[position].sums;
                costs[position].as_ref().is_some_and(|least| least <= cost)
                    && (0..objectives).all(|objective| point.amount(objective) <= amounts[objective])
            };
            if self.claimed.is_empty() || !covers(position(numbers, &mut expected, self.claimed.len())?) {
                let cost = self.scenario.full(&cost.to_big()).to_string();
                return Err(Wrong::NotClaimed { amounts: listed(&amounts[..objectives]), cost });
            }
        }
        numbers.meter.release(held);
        Ok(())
    }
}

/// The integers of a scenario's lists.
pub fn width(scenario: &Scenario) -> Width {
    match Width::of(&scenario.most) {
        Width::Bits32 | Width::Bits64 => Width::Bits64,
        Width::Bits128 | Width::Any => Width::Any,
    }
}

/// Reads a position among `count` things: given as the difference to the one after the position before.
fn position(numbers: &mut Numbers, expected: &mut u64, count: usize) -> Result<usize, Wrong> {
    let what = "the position of what covers a sum";
    let position = numbers.after(*expected, what)?;
    *expected = position + 1;
    let within = usize::try_from(position).ok().filter(|&position| position < count);
    within.ok_or(Wrong::Number { what, problem: "out of range" })
}

fn listed(amounts: &[u64]) -> String {
    amounts.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}

/// The entries of a list, one after the other.
struct List<C> {
    /// The blocks of each group of entries, and the position of its first one.
    groups: Vec<(BlockSet, usize)>,
    /// Rows of amounts.
    amounts: Vec<u64>,
    costs: Vec<C>,
    /// Its bytes.
    held: u64,
}

impl<C: Cost> List<C> {
    /// The list of no classes: one entry, or none if it is beyond the limits.
    fn first(sharing: &Sharing, counted: &Counted) -> Self {
        let amounts = sharing.amounts_at_first(&counted.resources);
        let amounts =
            amounts.filter(|sums| sums.iter().zip(&counted.limits).all(|(sum, limit)| sum <= limit));
        let costs = amounts.iter().map(|_| C::zero()).collect();
        Self { groups: vec![(sharing.none(), 0)], amounts: amounts.unwrap_or_default(), costs, held: 0 }
    }

    fn entry(&self, at: usize, width: usize) -> (&[u64], &C) {
        (&self.amounts[at * width..(at + 1) * width], &self.costs[at])
    }

    /// The group of an entry.
    fn group_of(&self, at: usize) -> usize {
        self.groups.partition_point(|(_, first)| *first <= at) - 1
    }
}

/// What all lists of a scenario have in common.
struct Lists<'a, C> {
    scenario: &'a Scenario<'a>,
    counted: Counted,
    sharing: Sharing<'a>,
    /// The largest cost asked about.
    most: C,
    /// Of a set with several modes.
    modes: Option<Modes>,
    /// Bytes of an entry in vectors that grow by doubling.
    entry_bytes: u64,
    /// The most steps to read an entry, or to make a sum and look at what covers it.
    steps: u64,
}

impl<C: Cost> Lists<'_, C> {
    fn read(&self, numbers: &mut Numbers, list: usize) -> Result<List<C>, Wrong> {
        let (width, count) = (self.counted.limits.len(), self.scenario.blocks.len());
        let mut read = List { groups: Vec::new(), amounts: Vec::new(), costs: Vec::new(), held: 0 };
        let group_bytes = 2 * size_of::<(BlockSet, usize)>() as u64 + 64 + count as u64 / 8;
        let wrong = |problem: &str| Wrong::List { list, problem: problem.into() };
        for _ in 0..numbers.within(MOST, "the number of groups")? {
            numbers.meter.hold(group_bytes)?;
            numbers.meter.work(group_bytes)?;
            read.held += group_bytes;
            let mut blocks = self.sharing.none();
            for _ in 0..numbers.within(count, "the number of blocks")? {
                numbers.meter.work(8)?;
                let block = numbers.within(count - 1, "a block")?;
                if !self.sharing.is_of_use(block, list) {
                    return Err(wrong("a block is of no more use"));
                }
                insert(&mut blocks, block as u32);
            }
            read.groups.push((blocks, read.costs.len()));
            let (mut amounts, mut cost) = (vec![0; width], C::zero());
            for _ in 0..numbers.within(MOST, "the number of entries")? {
                numbers.meter.hold(self.entry_bytes)?;
                numbers.meter.work(self.steps)?;
                read.held += self.entry_bytes;
                for amount in &mut amounts {
                    *amount = numbers.after(*amount, "an amount")?;
                }
                let (change, is_less) = C::read(numbers, "a cost")?.halved();
                if is_less && change == C::zero() {
                    return Err(Wrong::Number { what: "a cost", problem: "-0" });
                }
                if change > self.most {
                    return Err(wrong("a cost is more than any that is asked about"));
                }
                cost = match is_less {
                    true => cost.minus(&change).ok_or_else(|| wrong("a cost is negative"))?,
                    false => cost.plus(&change),
                };
                if cost > self.most {
                    return Err(wrong("a cost is more than any that is asked about"));
                }
                read.amounts.extend(&amounts);
                read.costs.push(cost.clone());
            }
        }
        Ok(read)
    }

    /// Reads what covers each sum of an entry of `list` and an option of `class`, and checks it.
    fn follows(
        &self,
        numbers: &mut Numbers,
        list: &List<C>,
        next: &List<C>,
        class: usize,
        number: usize,
    ) -> Result<(), Wrong> {
        let width = self.counted.limits.len();
        let words = self.scenario.blocks.len() as u64 / 64 + 1;
        let mut sum = vec![0; width];
        for option in &self.scenario.classes[class] {
            let cost = C::from_big(&option.cost).unwrap_or_else(C::zero);
            for (at, (blocks, first)) in list.groups.iter().enumerate() {
                let end = list.groups.get(at + 1).map_or(list.costs.len(), |(_, first)| *first);
                let slots = self.scenario.blocks.len() as u64;
                let slots = times(&[slots, 4 + option.blocks.len() as u64 + width as u64]);
                numbers.meter.work(100 + 8 * width as u64 + slots)?;
                let resources = &self.counted.resources;
                let Some((blocks, extra)) = self.sharing.with_amounts(blocks, option, number, resources)
                else {
                    continue;
                };
                let (mut expected, mut standing) = (0, None);
                for entry in *first..end {
                    numbers.meter.work(self.steps)?;
                    let (amounts, own) = list.entry(entry, width);
                    let mut total = own.plus(&cost);
                    if total > self.most || !self.add(&mut sum, amounts, &extra) {
                        continue;
                    }
                    if let Some(modes) = &self.modes {
                        let closed = modes.close(number, &mut sum[1..], total.small().unwrap_or(u64::MAX));
                        let mut looks = 0;
                        let is_beaten = modes.is_beaten(number, sum[0], &sum[1..], closed, &mut looks);
                        numbers.meter.work(times(&[looks, modes.look_steps()]))?;
                        total = C::of(closed);
                        if is_beaten || total > self.most {
                            continue;
                        }
                    }
                    let missing = || self.missing(number, class, option, amounts, own);
                    if next.costs.is_empty() {
                        return Err(missing());
                    }
                    let position = position(numbers, &mut expected, next.costs.len())?;
                    let (least, least_cost) = next.entry(position, width);
                    let covers =
                        *least_cost <= total && least.iter().zip(&sum).all(|(least, sum)| least <= sum);
                    let group = next.group_of(position);
                    if standing != Some(group) {
                        numbers.meter.work(20 + 4 * words)?;
                        standing = self.sharing.stands_for(&next.groups[group].0, &blocks).then_some(group);
                    }
                    if !covers || standing.is_none() {
                        return Err(missing());
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds amounts; returns whether the sums are within the limits.
    #[inline]
    fn add(&self, sum: &mut [u64], amounts: &[u64], extra: &[u64]) -> bool {
        let mut within = true;
        for (((sum, amount), extra), limit) in
            sum.iter_mut().zip(amounts).zip(extra).zip(&self.counted.limits)
        {
            let total = amount.checked_add(*extra);
            within &= total.is_some_and(|total| total <= *limit);
            *sum = total.unwrap_or(u64::MAX);
        }
        within
    }

    fn missing(&self, list: usize, class: usize, option: &Opt, amounts: &[u64], cost: &C) -> Wrong {
        let (option, amounts, cost) = (option.option, listed(amounts), cost.to_string());
        Wrong::SumNotCovered { list, class, option, amounts, cost }
    }
}
