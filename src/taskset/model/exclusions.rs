//! Blocks that exclude each other beyond slots.
//!
//! Engines and certificates know slots alone. Blocks that all exclude each other make a slot, and so on until every pair has
//! one. A block is put in the first of its slots; in every further one it has a companion of no cost, which every choice that
//! uses the block uses too.

use super::{Block, TaskSet};
use isx_exact::quantity::Rational;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

impl TaskSet {
    /// Two of these blocks that exclude each other, other than by a slot.
    pub fn excluding_pair(&self, blocks: &[u32]) -> Option<(u32, u32)> {
        let excludes = |one: u32| self.blocks.get(one as usize).map_or(&[][..], |block| &block.excludes);
        let pairs = blocks.iter().flat_map(|&one| excludes(one).iter().map(move |&other| (one, other)));
        let mut pairs = pairs.filter(|(_, other)| blocks.contains(other));
        pairs.next().map(|(one, other)| (one.min(other), one.max(other)))
    }

    /// A slot that would hold two of these blocks, each given once.
    pub(crate) fn contested_slot(&self, blocks: &[u32]) -> Option<&str> {
        let slots = blocks.iter().filter_map(|&block| self.blocks.get(block as usize)?.slot.as_deref());
        let mut seen = HashSet::new();
        slots.into_iter().find(|slot| !seen.insert(*slot))
    }

    /// The set with slots in place of what blocks exclude. Its first blocks are those of the set.
    pub fn in_slots(&self) -> Cow<'_, Self> {
        if self.blocks.iter().all(|block| block.excludes.is_empty()) {
            return Cow::Borrowed(self);
        }
        let mut set = self.clone();
        let mut pairs: BTreeSet<(usize, usize)> = BTreeSet::new();
        for (at, block) in self.blocks.iter().enumerate() {
            pairs
                .extend(block.excludes.iter().map(|&other| (at.min(other as usize), at.max(other as usize))));
        }
        let is_slot = |&(one, other): &(usize, usize)| {
            let slot = self.blocks[one].slot.as_ref();
            slot.is_some() && slot == self.blocks[other].slot.as_ref()
        };
        let mut open: BTreeSet<(usize, usize)> =
            pairs.iter().copied().filter(|pair| !is_slot(pair)).collect();
        set.blocks.iter_mut().for_each(|block| block.excludes.clear());
        while let Some((one, other)) = open.pop_first() {
            // Whatever excludes all of a slot is of it too.
            let mut members = vec![one, other];
            for &(_, next) in pairs.range((one, other + 1)..(one + 1, 0)) {
                if members.iter().all(|&member| pairs.contains(&(member, next))) {
                    members.push(next);
                }
            }
            open.retain(|(one, other)| !members.contains(one) || !members.contains(other));
            let slot = set.new_name(&format!("{one} or {other}"));
            for at in members {
                if set.blocks[at].slot.is_none() {
                    set.blocks[at].slot = Some(slot.clone());
                } else {
                    set.add_companion(at, &slot);
                }
            }
        }
        if let Some(priced) = &mut set.priced {
            let added = set.blocks[self.blocks.len()..].iter();
            let nothing = vec![Rational::default(); priced.resources.names.len()];
            priced.blocks.extend(added.map(|block| Block { cost: nothing.clone(), ..block.clone() }));
        }
        Cow::Owned(set)
    }

    /// A name that no block or slot has.
    fn new_name(&self, name: &str) -> String {
        let mut name = name.to_owned();
        while self.blocks.iter().any(|block| block.name == name || block.slot.as_ref() == Some(&name)) {
            name.push('*');
        }
        name
    }

    /// Adds a block of no cost in a slot that is used wherever a block is.
    fn add_companion(&mut self, of: usize, slot: &str) {
        let (number, name) = (self.blocks.len() as u32, self.new_name(&format!("{slot}, {of}")));
        let nothing = vec![Rational::default(); self.resources.names.len()];
        self.blocks.push(Block::costing(name, nothing).in_slot(slot));
        for choice in self.tasks.iter_mut().flat_map(|task| &mut task.choices) {
            if choice.uses.contains(&(of as u32)) {
                choice.uses.push(number);
            }
        }
        if let Some(cores) = self.cores.as_mut().filter(|cores| cores.chip_blocks.contains(&(of as u32))) {
            cores.chip_blocks.push(number);
        }
    }
}
