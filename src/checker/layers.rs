//! The lists of a proof, and the check that each follows from the previous one.

use crate::bound::{Bound, read_order};
use crate::cost::Cost;
use crate::dense::{follows, is_dense, is_worth_a_row, row};
use crate::failure::Wrong;
use crate::group::{Group, Groups};
use crate::limits::{Meter, times, words};
use crate::problem::MOST;
use crate::read::Numbers;
use crate::scenario::{Opt, Scenario};
use crate::sharing::{BlockSet, Sharing, contains, insert};
use std::collections::HashMap;

/// What an option adds to the pairs of a group, and the blocks behind the sums.
#[derive(Clone)]
struct Sum {
    /// The area; `None` if the option is not possible there.
    extra: Option<u64>,
    blocks: BlockSet,
}

/// An option, prepared for adding to pairs.
struct Step<'a, C> {
    option: &'a Opt,
    cost: C,
}

/// The check of a scenario's lists and its progress.
pub(crate) struct Lists<'a, C> {
    scenario: &'a Scenario<'a>,
    /// Largest sum of costs.
    most: C,
    /// The bound that allows pairs to be missing, also in the integers of the lists: the loss of a pair follows from
    /// its sums.
    bound: Option<Narrow<C>>,
    order: Vec<usize>,
    sharing: Sharing<'a>,
    groups: Groups<C>,
    /// The same as a row, if that is faster.
    row: Option<Vec<C>>,
    /// The total number of pairs.
    pairs: u64,
    /// Bytes per pair in a vector that grows by doubling.
    pair_bytes: u64,
    /// Maximum steps to add to a cost and compare the sum.
    pair_steps: u64,
    /// Bytes of the groups and the row.
    held: u64,
}

/// A bound in the integers of the lists.
struct Narrow<C> {
    numerator: C,
    denominator: C,
    full: Bound,
    /// The maximum weight of pairs of the current list: the class minima so far plus the room.
    limit: num_bigint::BigUint,
    limit_narrow: C,
}

impl<'a, C: Cost> Lists<'a, C> {
    /// Reads the order of the classes.
    pub fn read(
        numbers: &mut Numbers,
        scenario: &'a Scenario<'a>,
        bound: Option<Bound>,
    ) -> Result<Self, Wrong> {
        let order = read_order(numbers, scenario.classes.len())?;
        let blocks = scenario.blocks.len() as u64;
        numbers.meter.hold(64 * blocks)?;
        numbers.meter.work(times(&[blocks, 100]))?;
        let sharing = Sharing::new(scenario, &order);
        let groups = Groups { sets: sharing.none(), ends: vec![1], areas: vec![0], costs: vec![C::zero()] };
        let most = C::from_big(&scenario.most).unwrap_or_else(C::zero);
        let narrow = |full: Bound| {
            let limit = full.room.clone().unwrap_or_default();
            let narrow = |big| C::from_big(big).unwrap_or_else(C::zero);
            let (numerator, denominator) = (narrow(&full.numerator), narrow(&full.denominator));
            Narrow { numerator, denominator, limit_narrow: narrow(&limit), full, limit }
        };
        // Big integers store their digits separately, and their weights need a multiplication.
        let long = size_of::<C>() > 16;
        let longest = scenario.words() + bound.as_ref().map_or(0, |bound| words(&bound.limit()));
        let pair_bytes = 2 * (8 + size_of::<C>() as u64) + if long { 16 + 8 * longest } else { 0 };
        let pair_steps = if long { 100 + times(&[longest, longest]) } else { 2 };
        Ok(Self {
            scenario,
            most,
            bound: bound.map(narrow),
            order,
            sharing,
            groups,
            row: None,
            pairs: 1,
            pair_bytes,
            pair_steps,
            held: 0,
        })
    }

    /// Reads and checks all lists; returns the pairs of the last one, which have no blocks any more, and the total
    /// number of pairs.
    pub fn finish(mut self, numbers: &mut Numbers) -> Result<(Groups<C>, u64), Wrong> {
        for list in 1..=self.order.len() {
            self.step(numbers, list)?;
        }
        numbers.meter.release(self.held);
        Ok((self.groups, self.pairs))
    }

    fn step(&mut self, numbers: &mut Numbers, list: usize) -> Result<(), Wrong> {
        let class = self.order[list - 1];
        if let Some(bound) = &mut self.bound {
            bound.limit += &bound.full.least[class];
            bound.limit_narrow = C::from_big(&bound.limit).unwrap_or_else(C::zero);
            if !numbers.flag("whether there is a list")? {
                return self.pass(class, &mut numbers.meter);
            }
        }
        let (groups, mut held) = self.read_groups(numbers, list)?;
        self.charge_options(class, &mut numbers.meter)?;
        let costs = |option: &'a Opt| Some(Step { option, cost: C::from_big(&option.cost)? });
        let steps: Vec<Step<C>> =
            needed(&self.scenario.classes[class]).into_iter().filter_map(costs).collect();
        let row = self.row(&groups, &mut numbers.meter, &mut held);
        let is_covered = |(row, next): (&Vec<C>, &Vec<C>)| {
            steps.iter().all(|step| follows(row, next, step.option.area, &step.cost))
        };
        let dense = self.row.as_ref().zip(row.as_ref()).filter(|_| is_dense(&groups, self.scenario.capacity));
        if dense.is_some() {
            numbers.meter.work(times(&[steps.len() as u64, 1 + self.scenario.capacity / 2]))?;
        }
        if dense.is_some_and(is_covered) {
            self.take(groups, row, held, &mut numbers.meter);
            return Ok(());
        }
        // Check shorter lists pair by pair; also if the row shows that a pair is missing, to find which.
        let useful = self.sharing.useful(list);
        let mut next = Next::new(&groups, row.as_deref(), self.scenario.blocks.len(), &mut numbers.meter)?;
        let bytes = times(&[steps.len() as u64, 64 + 8 * useful.len() as u64]);
        numbers.meter.hold(bytes)?;
        next.held += bytes;
        let mut sums: Vec<Sum> = vec![Sum { extra: None, blocks: useful.clone() }; steps.len()];
        for at in 0..self.groups.len() {
            let (group, own) = (self.groups.group(at), self.groups.set(at));
            for (step, sum) in steps.iter().zip(&mut sums) {
                let blocks = times(&[self.scenario.blocks.len() as u64, 2 + step.option.blocks.len() as u64]);
                numbers.meter.work(100 + blocks)?;
                let extra = self.sharing.with(own, step.option, &useful, &mut sum.blocks);
                sum.extra = extra.filter(|extra| *extra <= self.scenario.capacity);
            }
            // Comparing an option with all others takes about as long as checking as many pairs.
            let compares = !useful.is_empty() && steps.len() < 16 + group.areas.len();
            let others = if compares { steps.len() } else { 0 };
            for (at, step) in steps.iter().enumerate() {
                numbers.meter.work(times(&[others as u64, 4 + useful.len() as u64]))?;
                let Some(extra) = sums[at].extra else { continue };
                if (0..others).any(|other| self.does_as_well(&steps, &sums, other, at)) {
                    continue;
                }
                numbers.meter.work(times(&[group.areas.len() as u64, self.pair_steps]))?;
                let blocks = &sums[at].blocks;
                let missing =
                    self.first_missing(&group, step, extra, blocks, &mut next, &mut numbers.meter)?;
                if let Some(at) = missing {
                    let (area, cost) = (group.areas[at], group.costs[at].to_string());
                    return Err(Wrong::NotCovered { list, class, option: step.option.option, area, cost });
                }
            }
        }
        numbers.meter.release(next.held);
        self.take(groups, row, held, &mut numbers.meter);
        Ok(())
    }

    /// Whether the sums of a group with one option cover those with another, so that these need no check: it adds no more
    /// area and cost, and its blocks stand for the others. Between equal ones the order of the options decides.
    fn does_as_well(&self, steps: &[Step<C>], sums: &[Sum], one: usize, other: usize) -> bool {
        let key = |at: usize| (sums[at].extra, &steps[at].cost, at);
        sums[one].extra.is_some()
            && key(one) < key(other)
            && steps[one].cost <= steps[other].cost
            && self.sharing.stands_for(&sums[one].blocks, &sums[other].blocks)
    }

    /// The steps to find the needed options of a class and their losses.
    fn charge_options(&self, class: usize, meter: &mut Meter) -> Result<(), Wrong> {
        let options = &self.scenario.classes[class];
        let uses: u64 = options.iter().map(|option| option.blocks.len() as u64).sum();
        let each = 100 + self.pair_steps;
        meter.work(times(&[options.len() as u64, if uses == 0 { each } else { each + 4 * uses }]))
    }

    fn take(&mut self, groups: Groups<C>, row: Option<Vec<C>>, held: u64, meter: &mut Meter) {
        meter.release(std::mem::replace(&mut self.held, held));
        self.pairs += groups.areas.len() as u64;
        self.groups = groups;
        self.row = row;
    }

    /// The row of a list, if that is faster and memory allows.
    fn row(&self, groups: &Groups<C>, meter: &mut Meter, held: &mut u64) -> Option<Vec<C>> {
        let capacity = self.scenario.capacity;
        let is_plain = self.bound.is_none() && self.scenario.blocks.is_empty();
        // Larger than any sum of two costs.
        let beyond = self.most.plus(&self.most).plus(&C::of(1));
        if !is_plain || groups.len() != 1 || !is_worth_a_row(groups, capacity) {
            return None;
        }
        let bytes = times(&[capacity.saturating_add(1), self.pair_bytes]);
        meter.hold(bytes).and_then(|()| meter.work(capacity)).ok()?;
        *held += bytes;
        Some(row(groups, capacity, &beyond))
    }

    /// In every relevant design the class takes its option without loss, since all others lose more than the room.
    fn pass(&mut self, class: usize, meter: &mut Meter) -> Result<(), Wrong> {
        self.charge_options(class, meter)?;
        meter.work(times(&[self.groups.areas.len() as u64, self.pair_steps]))?;
        let Some(bound) = &self.bound else { return Ok(()) };
        let options = needed(&self.scenario.classes[class]);
        let losses: Vec<_> = options.iter().map(|option| bound.full.loss(class, option)).collect();
        let Some(best) = (0..options.len()).min_by_key(|&at| &losses[at]) else { return Ok(()) };
        let room = bound.full.room.clone().unwrap_or_default();
        let stays = |at: usize| at != best && losses[at] <= room;
        let stays = (0..options.len()).find(|&at| stays(at)).filter(|_| self.scenario.blocks.is_empty());
        if stays.is_some() || !self.scenario.blocks.is_empty() {
            let option = stays.map_or(0, |at| options[at].option);
            return Err(Wrong::NotBounded { class, option });
        }
        let (area, cost) = (options[best].area, C::from_big(&options[best].cost).unwrap_or_else(C::zero));
        let capacity = self.scenario.capacity;
        // Without blocks there is one group, or none.
        let Groups { ends, areas, costs, .. } = &mut self.groups;
        let within = |at: &u64| at.checked_add(area).is_some_and(|sum| sum <= capacity);
        let kept = areas.iter().take_while(|&at| within(at)).count();
        areas.truncate(kept);
        costs.truncate(kept);
        areas.iter_mut().for_each(|at| *at += area);
        costs.iter_mut().for_each(|at| *at = at.plus(&cost));
        ends.iter_mut().for_each(|end| *end = kept);
        Ok(())
    }

    /// The first pair of `group` that, with the option added, no pair of the next list covers.
    fn first_missing(
        &self,
        group: &Group<C>,
        step: &Step<C>,
        extra: u64,
        blocks: &BlockSet,
        next: &mut Next<C>,
        meter: &mut Meter,
    ) -> Result<Option<usize>, Wrong> {
        let Some(room) = self.scenario.capacity.checked_sub(extra) else { return Ok(None) };
        let pairs = group.areas.iter().take_while(|area| **area <= room).zip(group.costs);
        let mut sums = pairs.map(|(area, cost)| (area + extra, cost.plus(&step.cost))).enumerate();
        if let Some(row) = next.row {
            return Ok(sums.find(|(_, (area, cost))| row[*area as usize] > *cost).map(|(at, _)| at));
        }
        // The group with the blocks of the sums, and the last of others that covered one.
        let mut own = next.groups.find(blocks).map(|at| next.groups.group(at));
        let (mut last, mut known): (Option<Group<C>>, _) = (None, None);
        for (at, (area, cost)) in sums {
            let covered = [&mut own, &mut last].into_iter().flatten().any(|group| group.covers(area, &cost));
            if covered || self.is_beyond(area, &cost) {
                continue;
            }
            let known = match known {
                Some(known) => known,
                None => *known.insert(next.standing(&self.sharing, blocks, meter)?),
            };
            let standing = &mut next.standing[known];
            meter.work(times(&[standing.len() as u64, 20 + self.pair_steps]))?;
            let found = standing.iter().position(|by| {
                let mut group = next.groups.group(*by as usize);
                let covers = group.covers(area, &cost);
                last = covers.then_some(group);
                covers
            });
            let Some(by) = found else { return Ok(Some(at)) };
            // The same group often covers the next pair.
            standing.swap(0, by);
        }
        Ok(None)
    }

    /// Whether a pair of the current list cannot lead to a relevant design.
    fn is_beyond(&self, area: u64, cost: &C) -> bool {
        let Some(bound) = &self.bound else { return false };
        bound.denominator.times(cost).plus(&bound.numerator.times(&C::of(area))) > bound.limit_narrow
    }

    /// The groups of a list, and their size in bytes.
    fn read_groups(&self, numbers: &mut Numbers, list: usize) -> Result<(Groups<C>, u64), Wrong> {
        let words = self.sharing.none().len();
        let mut groups = Groups { sets: vec![], ends: vec![], areas: vec![], costs: vec![] };
        let group_bytes = 16 + 16 * words as u64;
        let wrong = |problem: &str| Wrong::List { list, problem: problem.into() };
        for number in 0..numbers.within(MOST, "the number of groups")? {
            numbers.meter.hold(group_bytes)?;
            numbers.meter.work(100 + group_bytes)?;
            let start = groups.sets.len();
            groups.sets.resize(start + words, 0);
            let (before, blocks) = groups.sets.split_at_mut(start);
            let count = self.scenario.blocks.len();
            for _ in 0..numbers.within(count, "the number of blocks")? {
                let block = numbers.within(count - 1, "a block")?;
                if !self.sharing.is_of_use(block, list) {
                    return Err(wrong("a block is of no more use"));
                }
                insert(blocks, block as u32);
            }
            if number > 0 && before[start - words..] >= *blocks {
                return Err(wrong("the groups are not in order"));
            }
            self.read_pairs(numbers, &mut groups, list)?;
            groups.ends.push(groups.areas.len());
        }
        let held = times(&[groups.len() as u64, group_bytes]);
        let pairs = times(&[groups.areas.len() as u64, self.pair_bytes]);
        Ok((groups, held + pairs))
    }

    /// Reads the pairs of a group.
    fn read_pairs(&self, numbers: &mut Numbers, groups: &mut Groups<C>, list: usize) -> Result<(), Wrong> {
        let wrong = |problem: &str| Wrong::List { list, problem: problem.into() };
        let (mut area, mut cost) = (0u64, C::zero());
        for at in 0..numbers.within(MOST, "the number of pairs")? {
            numbers.meter.hold(self.pair_bytes)?;
            numbers.meter.work(4 + self.pair_steps)?;
            let more = numbers.small("an area")?;
            let less = C::read(numbers, "a cost")?;
            if at == 0 {
                (area, cost) = (more, less);
            } else {
                if more == 0 || less == C::zero() {
                    return Err(wrong("the pairs do not rise in area and fall in cost"));
                }
                area = area.checked_add(more).ok_or_else(|| wrong("an area is beyond the capacity"))?;
                cost = cost.minus(&less).ok_or_else(|| wrong("a cost is negative"))?;
            }
            if area > self.scenario.capacity {
                return Err(wrong("an area is beyond the capacity"));
            }
            if cost > self.most {
                return Err(wrong("a cost is more than all options together have"));
            }
            groups.areas.push(area);
            groups.costs.push(cost.clone());
        }
        Ok(())
    }
}

/// The list in which pairs are looked up.
struct Next<'a, C> {
    groups: &'a Groups<C>,
    /// For each block the groups that have it, one bit each.
    having: Vec<Vec<u64>>,
    /// The row of the only group, if worthwhile.
    row: Option<&'a [C]>,
    /// For blocks of a sum the groups that may stand for them, as far as they were looked for.
    standing: Vec<Vec<u32>>,
    /// Where in `standing`.
    known: HashMap<BlockSet, usize>,
    /// The bytes of all this.
    held: u64,
}

impl<'a, C> Next<'a, C> {
    fn new(
        groups: &'a Groups<C>,
        row: Option<&'a [C]>,
        blocks: usize,
        meter: &mut Meter,
    ) -> Result<Self, Wrong> {
        let words = groups.len().div_ceil(64);
        let held = times(&[blocks as u64, 24 + 8 * words as u64]);
        meter.hold(held)?;
        meter.work(times(&[blocks as u64, 2 * groups.len() as u64]))?;
        let mut having = vec![vec![0; words]; blocks];
        for at in 0..groups.len() {
            let set = groups.set(at);
            let own = having.iter_mut().zip(0..).filter(|(_, block)| contains(set, *block));
            own.for_each(|(having, _)| having[at / 64] |= 1 << (at % 64));
        }
        Ok(Self { groups, having, row, standing: Vec::new(), known: HashMap::new(), held })
    }

    /// Where in `standing` are the groups that may stand for these blocks.
    fn standing(&mut self, sharing: &Sharing, blocks: &BlockSet, meter: &mut Meter) -> Result<usize, Wrong> {
        if let Some(known) = self.known.get(blocks) {
            return Ok(*known);
        }
        let words = self.groups.len().div_ceil(64);
        meter.work(100 + times(&[self.having.len() as u64 + 64, words as u64]))?;
        let mut all = vec![u64::MAX; words];
        for (block, having) in (0..).zip(&self.having) {
            let flip = match (contains(blocks, block), sharing.is_slotted(block)) {
                (true, _) => 0,
                (false, true) => u64::MAX,
                (false, false) => continue,
            };
            all.iter_mut().zip(having).for_each(|(all, having)| *all &= having ^ flip);
        }
        let mut standing = Vec::with_capacity(all.iter().map(|word| word.count_ones() as usize).sum());
        for (first, mut word) in (0..).step_by(64).zip(all) {
            while word > 0 {
                standing.push(first + word.trailing_zeros());
                word &= word - 1;
            }
        }
        let beyond = standing.partition_point(|&group| (group as usize) < self.groups.len());
        standing.truncate(beyond);
        let bytes = 192 + 8 * (blocks.len() + standing.capacity()) as u64;
        meter.hold(bytes)?;
        self.held += bytes;
        self.standing.push(standing);
        self.known.insert(blocks.clone(), self.standing.len() - 1);
        Ok(self.standing.len() - 1)
    }
}

/// The options without dominated ones: another option has no more area, no more cost and no further blocks. Replacing
/// a dominated option by that one makes no design worse.
pub fn needed(class: &[Opt]) -> Vec<&Opt> {
    let mut options: Vec<&Opt> = class.iter().collect();
    options.sort_by(|a, b| (a.area, &a.cost, a.blocks.len()).cmp(&(b.area, &b.cost, b.blocks.len())));
    let mut kept: Vec<&Opt> = Vec::new();
    let free = class.iter().all(|option| option.blocks.is_empty());
    for option in options {
        let beats = |other: &&Opt| {
            other.cost <= option.cost && other.blocks.iter().all(|block| option.blocks.contains(block))
        };
        let needless = if free { kept.last().is_some_and(beats) } else { kept.iter().any(beats) };
        if !needless {
            kept.push(option);
        }
    }
    kept
}
