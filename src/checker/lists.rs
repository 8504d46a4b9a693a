//! The lists of a scenario, and the check that each follows from the previous one.
//!
//! An *entry* of a list is a row of amounts, a cost, and the set of blocks that are paid for and can still be used. An
//! entry *covers* a sum of an entry of the previous list and an option of the class if no amount and no cost of it is
//! larger and its blocks may stand for those of the sum. Every sum within the limits, and of at most the cost asked about,
//! must be covered. By induction every design within the limits has at least the amounts and the cost of an entry of the last
//! list, and each of those is compared with the points of the claim.
//!
//! Lists of one amount and no blocks are *staircases*: amounts rise and costs fall, so what covers a sum is found by one look
//! at each. Of a question about a cost the sums that a [`bound`](crate::bound) excludes may be missing. In all other lists
//! entries have any order, and the certificate names for every sum the entry that covers it: one look is enough again.
//!
//! Worked instance: two resources, limits (2, 2), one class before: L_1 = {(0, 0; 6), (1, 0; 2)} as (amounts; cost). A
//! class with the options (0, 0; 3) and (1, 1; 0) makes the sums (0, 0; 9), (1, 0; 5), (1, 1; 6), (2, 1; 2). The list
//! {(0, 0; 9), (1, 0; 5), (2, 1; 2)} follows: the sum (1, 1; 6) is covered by its second entry.

use crate::shared::bound::{Bound, needed};
use crate::shared::cost::{Cost, Width};
use crate::shared::failure::Wrong;
use crate::shared::limits::{Meter, times, words};
use crate::shared::modes::Modes;
use crate::shared::problem::MOST;
use crate::shared::read::Numbers;
use crate::shared::scenario::{Claimed, Opt, Scenario};
use crate::shared::sharing::{BlockSet, Sharing, Step, insert};
use crate::shared::undominated::Undominated;
use num_bigint::BigUint;

/// What the lists of a scenario must show: every design of at most a cost has, in the objectives and the cost, at least what
/// a point of the claim has; without points there is no such design.
pub(crate) struct Asked<'a> {
    pub scenario: &'a Scenario,
    /// Designs of a larger cost above the minimum are not asked about.
    pub most: Option<&'a BigUint>,
    /// The points, with the first amount never falling.
    pub claimed: &'a [Claimed<'a>],
}

impl Asked<'_> {
    /// Reads and checks the lists; returns the number of entries.
    pub fn check(&self, numbers: &mut Numbers) -> Result<u64, Wrong> {
        let scenario = self.scenario;
        let mut bound = None;
        if let Some(most) = self.most.filter(|_| scenario.is_stairs()) {
            let read = Bound::read(numbers, scenario, most)?;
            let products = times(&[words(&read.numerator) + words(&read.denominator), scenario.words()]);
            numbers.meter.work(times(&[scenario.options(), 100 + 8 * products]))?;
            if read.room.is_none() {
                return Ok(0);
            }
            bound = Some(read);
        }
        match Width::of_lists(scenario, bound.as_ref()) {
            Width::Bits64 => self.check_in::<u64>(numbers, bound),
            Width::Bits128 => self.check_in::<u128>(numbers, bound),
            Width::Any => self.check_in::<BigUint>(numbers, bound),
        }
    }

    fn check_in<C: Cost>(&self, numbers: &mut Numbers, bound: Option<Bound>) -> Result<u64, Wrong> {
        let scenario = self.scenario;
        let order = read_order(numbers, scenario.classes.len())?;
        let blocks = scenario.blocks.len() as u64;
        numbers.meter.hold(64 * blocks)?;
        numbers.meter.work(times(&[blocks, 100]))?;
        let sharing = Sharing::new(scenario, &order);
        let most = C::narrowed(self.most.unwrap_or(&scenario.most).min(&scenario.most));
        // Big integers store their digits apart, and their weights need a multiplication.
        let long = size_of::<C>() > 16;
        let digits = if long { scenario.words() } else { 0 };
        let longest = digits + bound.as_ref().filter(|_| long).map_or(0, |bound| words(&bound.limit()));
        let width = scenario.limits.len();
        let entry_bytes = 2 * (8 * width + size_of::<C>()) as u64 + if long { 16 + 8 * longest } else { 0 };
        let weight = if long && bound.is_some() { times(&[longest, longest]) } else { 0 };
        let steps = 8 * width as u64 + if long { 100 + longest + weight } else { 2 };
        let modes = Modes::new(scenario, &order, self.claimed, self.most, &mut numbers.meter)?;
        let limit = bound.as_ref().and_then(|bound| bound.room.clone()).unwrap_or_default();
        let price =
            bound.as_ref().map(|bound| (C::narrowed(&bound.numerator), C::narrowed(&bound.denominator)));
        let mut check = Lists {
            scenario,
            sharing,
            most,
            bound,
            price,
            limit,
            narrow: C::zero(),
            modes,
            entry_bytes,
            steps,
        };
        let mut list = List::first(&check.sharing);
        let mut entries = list.costs.len() as u64;
        for (number, &class) in (1..).zip(&order) {
            check.raise_limit(class);
            if check.bound.is_some() && !numbers.flag("whether there is a list")? {
                check.pass(&mut list, class, &mut numbers.meter)?;
                continue;
            }
            let next = check.read(numbers, number)?;
            match scenario.is_stairs() {
                true => check.follow_as_stairs(&mut numbers.meter, &list, &next, class, number)?,
                false => check.follow(numbers, &list, &next, class, number)?,
            }
            numbers.meter.release(list.held);
            entries += next.costs.len() as u64;
            list = next;
        }
        self.is_claimed(&mut numbers.meter, &check, &list)?;
        numbers.meter.release(list.held);
        Ok(entries)
    }

    /// Checks that a point covers each entry of the last list that is asked about.
    fn is_claimed<C: Cost>(&self, meter: &mut Meter, check: &Lists<C>, last: &List<C>) -> Result<(), Wrong> {
        let (points, entries) = (self.claimed.len() as u64, last.costs.len() as u64);
        let scenario = self.scenario;
        let held = times(&[points, 24 + size_of::<C>() as u64 + 8 * scenario.words()]) + 8 * entries;
        meter.hold(held)?;
        meter.work(times(&[points, 64 * (2 + scenario.words())]) + times(&[entries, 200 + check.steps]))?;
        // A point above all possible costs covers nothing.
        let cost = |point: &Claimed| C::try_from(scenario.at_least(point.1)).ok();
        let points: Vec<(&[u64], Option<C>)> =
            self.claimed.iter().map(|point| (&point.0[..scenario.objectives], cost(point))).collect();
        let mut costs: Vec<&C> = points.iter().filter_map(|(_, cost)| cost.as_ref()).collect();
        costs.sort_unstable();
        let rank = |cost: &C, is_own: bool| {
            costs.partition_point(|other| if is_own { *other < cost } else { *other <= cost }) as u64
        };
        let mut order: Vec<usize> =
            (0..last.costs.len()).filter(|&at| last.costs[at] <= check.most).collect();
        let width = scenario.limits.len();
        order.sort_by_key(|&at| last.amounts[at * width]);
        let mut seen = Undominated::new(&scenario.limits[1..scenario.objectives]);
        let (mut held_by_points, mut next) = (0, points.iter().peekable());
        for at in order {
            let (amounts, own) = last.entry(at, width);
            while let Some((point, cost)) = next.next_if(|(point, _)| point[0] <= amounts[0]) {
                let Some(cost) = cost else { continue };
                meter.work(seen.steps())?;
                let bytes = seen.insert(&point[1..], rank(cost, true), 0);
                held_by_points += bytes;
                meter.hold(bytes)?;
            }
            meter.work(seen.steps())?;
            let tail = &amounts[1..scenario.objectives];
            let below = rank(own, false).checked_sub(1);
            if below.and_then(|value| seen.dominating(tail, value)).is_none() {
                let cost = scenario.full(&own.clone().into()).to_string();
                return Err(Wrong::NotClaimed { amounts: listed(&amounts[..scenario.objectives]), cost });
            }
        }
        meter.release(held + held_by_points);
        Ok(())
    }
}

/// The order of the classes in the lists.
fn read_order(numbers: &mut Numbers, classes: usize) -> Result<Vec<usize>, Wrong> {
    numbers.meter.hold(32 * classes as u64)?;
    let mut seen = vec![false; classes];
    let mut order = Vec::new();
    for _ in 0..classes.min(MOST) {
        let class = numbers.within(classes - 1, "a class of the order")?;
        if std::mem::replace(&mut seen[class], true) {
            return Err(Wrong::List { list: 0, problem: format!("class {class} comes twice in the order") });
        }
        order.push(class);
    }
    Ok(order)
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
    fn first(sharing: &Sharing) -> Self {
        let amounts = sharing.at_first();
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
    scenario: &'a Scenario,
    sharing: Sharing<'a>,
    /// The largest cost asked about.
    most: C,
    /// The bound that allows entries to be missing, also in the integers of the lists: price, and the largest weight of
    /// entries of the current list, which is the class minima so far plus the room.
    bound: Option<Bound>,
    price: Option<(C, C)>,
    limit: BigUint,
    narrow: C,
    /// Of a set with several modes.
    modes: Option<Modes>,
    /// Bytes of an entry in vectors that grow by doubling.
    entry_bytes: u64,
    /// The most steps to read an entry, or to make a sum and look at what covers it.
    steps: u64,
}

impl<C: Cost> Lists<'_, C> {
    fn raise_limit(&mut self, class: usize) {
        if let Some(bound) = &self.bound {
            self.limit += &bound.least[class];
            self.narrow = C::narrowed(&self.limit);
        }
    }

    /// Whether an entry of the current list cannot lead to a design that is asked about.
    fn is_beyond(&self, area: u64, cost: &C) -> bool {
        let weight = |(p, q): &(C, C)| q.times(cost).plus(&p.times(&C::from(area)));
        self.price.as_ref().is_some_and(|price| weight(price) > self.narrow)
    }

    /// In every relevant design the class takes its option without loss, since all others lose more than the room.
    fn pass(&self, list: &mut List<C>, class: usize, meter: &mut Meter) -> Result<(), Wrong> {
        let Some(bound) = &self.bound else { return Ok(()) };
        self.charge_options(class, meter)?;
        meter.work(times(&[list.costs.len() as u64, self.steps]))?;
        let options = needed(&self.scenario.classes[class]);
        let losses: Vec<_> = options.iter().map(|option| bound.loss(class, option)).collect();
        let Some(best) = (0..options.len()).min_by_key(|&at| &losses[at]) else { return Ok(()) };
        let room = bound.room.clone().unwrap_or_default();
        if let Some(stays) = (0..options.len()).find(|&at| at != best && losses[at] <= room) {
            return Err(Wrong::NotBounded { class, option: options[stays].option });
        }
        let (area, cost) = (options[best].amounts[0], C::narrowed(&options[best].cost));
        let within = |own: &&u64| own.checked_add(area).is_some_and(|sum| sum <= self.scenario.limits[0]);
        let kept = list.amounts.iter().take_while(within).count();
        list.amounts.truncate(kept);
        list.costs.truncate(kept);
        list.amounts.iter_mut().for_each(|own| *own += area);
        list.costs.iter_mut().for_each(|own| *own = own.plus(&cost));
        Ok(())
    }

    /// The steps to find the needed options of a class and their losses.
    fn charge_options(&self, class: usize, meter: &mut Meter) -> Result<(), Wrong> {
        meter.work(times(&[self.scenario.classes[class].len() as u64, 100 + self.steps]))
    }

    fn read(&self, numbers: &mut Numbers, list: usize) -> Result<List<C>, Wrong> {
        let (width, count) = (self.scenario.limits.len(), self.scenario.blocks.len());
        let is_stairs = self.scenario.is_stairs();
        let largest = C::narrowed(&self.scenario.most);
        let mut read = List { groups: Vec::new(), amounts: Vec::new(), costs: Vec::new(), held: 0 };
        let group_bytes = 2 * size_of::<(BlockSet, usize)>() as u64 + 64 + count as u64 / 8;
        let wrong = |problem: &str| Wrong::List { list, problem: problem.into() };
        let groups = if is_stairs { 1 } else { numbers.within(MOST, "the number of groups")? };
        for _ in 0..groups {
            numbers.meter.hold(group_bytes)?;
            numbers.meter.work(group_bytes)?;
            read.held += group_bytes;
            let mut blocks = self.sharing.none();
            let used = if is_stairs { 0 } else { numbers.within(count, "the number of blocks")? };
            for _ in 0..used {
                numbers.meter.work(8)?;
                let block = numbers.within(count - 1, "a block")?;
                if !self.sharing.is_of_use(block, list) {
                    return Err(wrong("it names a block that no later class uses"));
                }
                insert(&mut blocks, block as u32);
            }
            read.groups.push((blocks, read.costs.len()));
            let (mut amounts, mut cost) = (vec![0; width], C::zero());
            for at in 0..numbers.within(MOST, "the number of entries")? {
                numbers.meter.hold(self.entry_bytes)?;
                numbers.meter.work(4 + self.steps)?;
                read.held += self.entry_bytes;
                let last = amounts[0];
                for amount in &mut amounts {
                    *amount = numbers.after(*amount, "an amount")?;
                }
                let doubled = C::read(numbers, "a cost")?;
                let (change, is_less) = (doubled.half(), doubled.is_odd());
                if doubled.is_one() {
                    return Err(Wrong::Number { what: "a cost", problem: "-0" });
                }
                let falls = is_less && amounts[0] > last;
                if is_stairs && at > 0 && !falls {
                    return Err(wrong("its entries do not rise in area and fall in cost"));
                }
                cost = match is_less {
                    _ if change > largest => {
                        return Err(wrong("a cost is more than all options together have"));
                    }
                    true => cost.checked_sub(&change).ok_or_else(|| wrong("a cost is negative"))?,
                    false => cost.plus(&change),
                };
                if cost > largest {
                    return Err(wrong("a cost is more than all options together have"));
                }
                read.amounts.extend(&amounts);
                read.costs.push(cost.clone());
            }
        }
        Ok(read)
    }

    /// Checks that a staircase follows from the one before.
    fn follow_as_stairs(
        &self,
        meter: &mut Meter,
        list: &List<C>,
        next: &List<C>,
        class: usize,
        number: usize,
    ) -> Result<(), Wrong> {
        self.charge_options(class, meter)?;
        let entries = (list.costs.len() + next.costs.len()) as u64;
        let row = self.row(meter, next)?;
        for option in needed(&self.scenario.classes[class]) {
            meter.work(times(&[entries, self.steps]))?;
            let Some(room) = self.scenario.limits[0].checked_sub(option.amounts[0]) else { break };
            let cost = C::narrowed(&option.cost);
            let kept = list.amounts.partition_point(|own| *own <= room);
            let pairs = || list.amounts[..kept].iter().zip(&list.costs[..kept]);
            if let Some(row) = &row {
                let row = &row[option.amounts[0] as usize..];
                // Without a branch.
                let lacks = |(own, own_cost): (&u64, &C)| row[*own as usize] > own_cost.plus(&cost);
                if !pairs().fold(false, |any, pair| any | lacks(pair)) {
                    continue;
                }
            }
            let mut reached = 0;
            for (&own, own_cost) in pairs() {
                let (area, sum) = (own + option.amounts[0], own_cost.plus(&cost));
                while next.amounts.get(reached).is_some_and(|amount| *amount <= area) {
                    reached += 1;
                }
                let covers = reached.checked_sub(1).is_some_and(|at| next.costs[at] <= sum);
                if !covers && !self.is_beyond(area, &sum) {
                    return Err(self.missing(number, class, option, &[own], own_cost));
                }
            }
        }
        Ok(())
    }

    /// The least cost of an entry of at most each amount, if all entries must be covered and this takes little memory: one
    /// comparison shows whether a sum is covered.
    fn row(&self, meter: &mut Meter, next: &List<C>) -> Result<Option<Vec<C>>, Wrong> {
        let limit = self.scenario.limits[0];
        if self.bound.is_some() || size_of::<C>() > 16 || limit / 32 > next.costs.len() as u64 {
            return Ok(None);
        }
        let bytes = times(&[limit.saturating_add(1), self.entry_bytes / 2]);
        if meter.hold(bytes).is_err() {
            return Ok(None);
        }
        meter.work(times(&[limit, 2 + self.steps / 8]))?;
        // More than any sum.
        let mut least = self.most.plus(&self.most).plus(&C::one());
        let mut row = Vec::with_capacity(limit as usize + 1);
        for (&amount, cost) in next.amounts.iter().zip(&next.costs) {
            row.resize(
                (amount as usize).min(limit as usize + 1),
                std::mem::replace(&mut least, cost.clone()),
            );
        }
        row.resize(limit as usize + 1, least);
        meter.release(bytes);
        Ok(Some(row))
    }

    /// Reads what covers each sum of an entry of `list` and an option of `class`, and checks it.
    fn follow(
        &self,
        numbers: &mut Numbers,
        list: &List<C>,
        next: &List<C>,
        class: usize,
        number: usize,
    ) -> Result<(), Wrong> {
        let (width, loads) = (self.scenario.limits.len(), self.scenario.limits.len() - self.scenario.loads);
        let (blocks, words) = (self.scenario.blocks.len() as u64, self.scenario.blocks.len() as u64 / 64 + 1);
        let options = &self.scenario.classes[class];
        let uses: u64 = options.iter().map(|option| option.blocks.len() as u64).sum();
        let count = options.len() as u64;
        let mut sum = vec![0; width];
        for (at, (own_blocks, first)) in list.groups.iter().enumerate() {
            let end = list.groups.get(at + 1).map_or(list.costs.len(), |(_, first)| *first);
            let others = if count > 16 + (end - first) as u64 { 0 } else { count };
            let each = 100 + 8 * width as u64 + times(&[blocks, 5 + width as u64]);
            numbers.meter.work(times(&[count, each + times(&[others, 4 + 2 * width as u64 + words])]))?;
            numbers.meter.work(times(&[blocks, uses]))?;
            for Step { option, blocks, extra } in self.sharing.steps(own_blocks, class, number, end - first) {
                let cost = C::narrowed(&option.cost);
                let (mut expected, mut standing) = (0, None);
                for entry in *first..end {
                    numbers.meter.work(20 + self.steps)?;
                    let (amounts, own) = list.entry(entry, width);
                    let mut total = own.plus(&cost);
                    if total > self.most || !self.add(&mut sum, amounts, &extra) {
                        continue;
                    }
                    if let Some(modes) = &self.modes {
                        let (own, loads) = sum.split_at_mut(loads);
                        let closed = modes.close(number, loads, total.to_u64().unwrap_or(u64::MAX));
                        let mut looks = 0;
                        let is_beaten = modes.is_beaten(number, own[0], loads, closed, &mut looks);
                        numbers.meter.work(times(&[looks, modes.look_steps()]))?;
                        total = C::from(closed);
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
            sum.iter_mut().zip(amounts).zip(extra).zip(&self.scenario.limits)
        {
            let total = amount.checked_add(*extra);
            within &= total.is_some_and(|total| total <= *limit);
            *sum = total.unwrap_or(u64::MAX);
        }
        within
    }

    fn missing(&self, list: usize, class: usize, option: &Opt, amounts: &[u64], cost: &C) -> Wrong {
        let (option, amounts, cost) = (option.option, listed(amounts), cost.to_string());
        Wrong::NotCovered { list, class, option, amounts, cost }
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
