//! Tracks blocks through the lists: which are paid for, and until when that matters.

use super::scenario::{Hardware, Opt, Scenario};
use std::collections::HashMap;

/// A set of blocks, one bit each.
pub type BlockSet = Vec<u64>;

/// Adds a block.
pub fn insert(set: &mut [u64], block: u32) {
    set[block as usize / 64] |= 1 << (block % 64);
}

/// Whether it contains a block.
pub fn contains(set: &[u64], block: u32) -> bool {
    set[block as usize / 64] >> (block % 64) & 1 == 1
}

/// An option as it adds to entries of the same blocks.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    /// The option.
    pub option: &'a Opt,
    /// The blocks of the sums that are of use after it.
    pub blocks: BlockSet,
    /// The amounts that it adds.
    pub extra: Vec<u64>,
}

/// Adds amounts; `None` if a sum exceeds 64 bits.
fn add(sums: &mut [u64], amounts: &[u64]) -> Option<()> {
    sums.iter_mut().zip(amounts).try_for_each(|(sum, amount)| {
        *sum = sum.checked_add(*amount)?;
        Some(())
    })
}

/// The blocks of a scenario with a given order of classes.
#[derive(Clone, Debug)]
pub struct Sharing<'a> {
    scenario: &'a Scenario,
    /// For each block the number of the last list whose class has an option that uses it or another block of its
    /// slot.
    last: Vec<usize>,
    /// The blocks that are in slots.
    slotted: BlockSet,
}

impl<'a> Sharing<'a> {
    /// List k belongs to class `order[k - 1]`.
    pub fn new(scenario: &'a Scenario, order: &[usize]) -> Self {
        let mut own = vec![0; scenario.blocks.len()];
        for (list, &class) in (1..).zip(order) {
            for option in &scenario.classes[class] {
                option.blocks.iter().for_each(|&block| own[block as usize] = list);
            }
        }
        let mut of_slots: HashMap<u64, usize> = HashMap::new();
        for (block, &last) in scenario.blocks.iter().zip(&own) {
            let Some(slot) = block.slot else { continue };
            of_slots.entry(slot).and_modify(|latest| *latest = last.max(*latest)).or_insert(last);
        }
        let of_slot = |block: &Hardware| of_slots.get(&block.slot?).copied();
        let last =
            scenario.blocks.iter().zip(&own).map(|(block, &own)| of_slot(block).unwrap_or(own)).collect();
        let mut slotted = vec![0; scenario.blocks.len().div_ceil(64)];
        let in_slots = (0..).zip(&scenario.blocks).filter(|(_, block)| block.slot.is_some());
        in_slots.for_each(|(block, _)| insert(&mut slotted, block));
        Self { scenario, last, slotted }
    }

    /// The empty set.
    pub fn none(&self) -> BlockSet {
        vec![0; self.last.len().div_ceil(64)]
    }

    /// Whether a block, or another one of its slot, can still be used after a list.
    pub fn is_of_use(&self, block: usize, list: usize) -> bool {
        self.last[block] > list
    }

    /// The blocks after an option of list `list`'s class that are of use then, and the amounts it adds: its own, those
    /// of the blocks it adds, and those of blocks that are now settled not to be built. `None` if a slot forbids it or
    /// an amount exceeds 64 bits.
    fn with(&self, blocks: &BlockSet, option: &Opt, list: usize) -> Option<(BlockSet, Vec<u64>)> {
        let (mut blocks, mut extra) = (blocks.clone(), option.amounts.clone());
        for &block in &option.blocks {
            if contains(&blocks, block) {
                continue;
            }
            let built = &self.scenario.blocks[block as usize];
            let clash =
                |(other, block): (u32, &Hardware)| block.slot == built.slot && contains(&blocks, other);
            if built.slot.is_some() && (0..).zip(&self.scenario.blocks).any(clash) {
                return None;
            }
            insert(&mut blocks, block);
            add(&mut extra, &built.built)?;
        }
        for (at, block) in (0..).zip(&self.scenario.blocks) {
            if self.last[at as usize] == list && !contains(&blocks, at) {
                add(&mut extra, &block.unbuilt)?;
            }
        }
        let ended = (0..).zip(&self.last).filter(|(_, last)| **last <= list);
        ended.for_each(|(block, _)| blocks[block / 64] &= !(1 << (block % 64)));
        Some((blocks, extra))
    }

    /// The options of list `list`'s class as they add to `entries` entries with these blocks. Left out is what a slot
    /// forbids or exceeds 64 bits, and an option that another one covers: that adds no more of any amount and no more cost, and
    /// its blocks may stand for the others. (To compare options with each other takes as long as to look at some sums, so with
    /// many options for few entries it is not done.)
    pub fn steps(&self, blocks: &BlockSet, class: usize, list: usize, entries: usize) -> Vec<Step<'a>> {
        let options = &self.scenario.classes[class];
        let step =
            |option| self.with(blocks, option, list).map(|(blocks, extra)| Step { option, blocks, extra });
        let mut steps: Vec<Step> = options.iter().filter_map(step).collect();
        if steps.len() > 16 + entries {
            return steps;
        }
        let covers = |one: &Step, other: &Step| {
            one.option.cost <= other.option.cost
                && one.extra.iter().zip(&other.extra).all(|(one, other)| one <= other)
                && self.stands_for(&one.blocks, &other.blocks)
        };
        let is_needed = |at: usize| {
            let own = &steps[at];
            let others = steps.iter().enumerate().filter(|(other, _)| *other != at);
            !others.into_iter().any(|(other, step)| covers(step, own) && (other < at || !covers(own, step)))
        };
        let needed: Vec<bool> = (0..steps.len()).map(is_needed).collect();
        let mut needed = needed.into_iter();
        steps.retain(|_| needed.next() == Some(true));
        steps
    }

    /// The amounts before the first list: those of the blocks that no option uses. `None` if they are beyond the limits.
    pub fn at_first(&self) -> Option<Vec<u64>> {
        let mut sums = vec![0; self.scenario.limits.len()];
        let unused = self.last.iter().zip(&self.scenario.blocks).filter(|(last, _)| **last == 0);
        unused.map(|(_, block)| add(&mut sums, &block.unbuilt)).collect::<Option<()>>()?;
        Some(sums).filter(|sums| sums.iter().zip(&self.scenario.limits).all(|(sum, limit)| sum <= limit))
    }

    /// Whether a pair with the blocks `more` may replace one with `blocks`: it has all of them, and in every slot the
    /// same ones. What it has more is paid for; the other has yet to pay for it, either to build it or not to.
    #[inline]
    pub fn stands_for(&self, more: &[u64], blocks: &[u64]) -> bool {
        let words = more.iter().zip(blocks).zip(&self.slotted);
        words
            .into_iter()
            .all(|((more, blocks), slotted)| more & blocks == *blocks && (more ^ blocks) & slotted == 0)
    }
}
