//! Tracks blocks through the lists: which are paid for, and until when that matters.

use crate::problem::Block;
use crate::scenario::{Opt, Scenario};
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

/// The blocks of a scenario with a given order of classes.
#[derive(Clone, Debug)]
pub struct Sharing<'a> {
    scenario: &'a Scenario<'a>,
    /// For each block the number of the last list whose class has an option that uses it or another block of its
    /// slot.
    last: Vec<usize>,
    /// The blocks that are in slots.
    slotted: BlockSet,
}

impl<'a> Sharing<'a> {
    /// List k belongs to class `order[k - 1]`.
    pub fn new(scenario: &'a Scenario<'a>, order: &[usize]) -> Self {
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
        let of_slot = |block: &Block| of_slots.get(&block.slot?).copied();
        let last =
            scenario.blocks.iter().zip(&own).map(|(block, &own)| of_slot(block).unwrap_or(own)).collect();
        let mut slotted = vec![0; scenario.blocks.len().div_ceil(64)];
        let in_slots = (0..).zip(scenario.blocks).filter(|(_, block)| block.slot.is_some());
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

    /// The blocks that are of use after a list.
    pub fn useful(&self, list: usize) -> BlockSet {
        let mut useful = self.none();
        let of_use = (0..self.last.len()).filter(|&block| self.is_of_use(block, list));
        of_use.for_each(|block| insert(&mut useful, block as u32));
        useful
    }

    /// Whether a block is in a slot.
    pub fn is_slotted(&self, block: u32) -> bool {
        contains(&self.slotted, block)
    }

    /// Adds the blocks of an option; `add` is called for those that were not there. `None` if a slot forbids it or `add`
    /// returns `None`.
    fn join(
        &self,
        blocks: &mut BlockSet,
        option: &Opt,
        add: &mut dyn FnMut(&Block) -> Option<()>,
    ) -> Option<()> {
        for &block in &option.blocks {
            if contains(blocks, block) {
                continue;
            }
            let built = &self.scenario.blocks[block as usize];
            let clash = |(other, block): (u32, &Block)| block.slot == built.slot && contains(blocks, other);
            if built.slot.is_some() && (0..).zip(self.scenario.blocks).any(clash) {
                return None;
            }
            insert(blocks, block);
            add(built)?;
        }
        Some(())
    }

    /// Sets `after` to those of the blocks and of an option's that are [useful](Self::useful) after it; returns the area
    /// that the option adds, or `None` if a slot forbids it or the area exceeds 64 bits.
    pub fn with(&self, blocks: &[u64], option: &Opt, useful: &[u64], after: &mut BlockSet) -> Option<u64> {
        after.clear();
        after.extend_from_slice(blocks);
        let mut extra = option.area;
        self.join(after, option, &mut |block| {
            extra = extra.checked_add(block.area)?;
            Some(())
        })?;
        after.iter_mut().zip(useful).for_each(|(blocks, useful)| *blocks &= useful);
        Some(extra)
    }

    /// The blocks after an option of list `list`'s class, and the amounts it adds of these resources: its own, those
    /// of the blocks it adds, and those of blocks that are now settled not to be built. `None` if a slot forbids it or
    /// an amount exceeds 64 bits.
    pub fn with_amounts(
        &self,
        blocks: &BlockSet,
        option: &Opt,
        list: usize,
        resources: &[usize],
    ) -> Option<(BlockSet, Vec<u64>)> {
        let mut blocks = blocks.clone();
        let mut extra: Vec<u64> = resources.iter().map(|&resource| option.amount(resource)).collect();
        let mut add = |amount: &dyn Fn(usize) -> u64| {
            extra.iter_mut().zip(resources).try_for_each(|(sum, &resource)| {
                *sum = sum.checked_add(amount(resource))?;
                Some(())
            })
        };
        self.join(&mut blocks, option, &mut |block| add(&|resource| block.built(resource)))?;
        for (at, block) in (0..).zip(self.scenario.blocks) {
            if self.last[at as usize] == list && !contains(&blocks, at) {
                add(&|resource| block.unbuilt(resource))?;
            }
        }
        blocks.iter_mut().zip(self.useful(list)).for_each(|(blocks, useful)| *blocks &= useful);
        Some((blocks, extra))
    }

    /// The amounts of these resources before the first list: those of the blocks that no option uses. `None` if an
    /// amount exceeds 64 bits.
    pub fn amounts_at_first(&self, resources: &[usize]) -> Option<Vec<u64>> {
        let unused = || self.last.iter().zip(self.scenario.blocks).filter(|(last, _)| **last == 0);
        let sum = |&resource: &usize| {
            unused().try_fold(0u64, |sum, (_, block)| sum.checked_add(block.unbuilt(resource)))
        };
        resources.iter().map(sum).collect()
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
