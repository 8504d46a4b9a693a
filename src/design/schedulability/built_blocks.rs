//! The blocks that a partial design builds, and the area that each further choice adds.

use isx_problems::set_union::Sharing;

/// For every task, the blocks used by the choices of that task and of all later ones.
pub(super) struct BuiltBlocks<'a> {
    sharing: &'a Sharing,
    /// Words per set of blocks.
    words: usize,
    /// One set per task, followed by an empty one.
    sets: Vec<u64>,
}

/// An area above any budget: two blocks would share a slot.
const IMPOSSIBLE: u128 = 1 << 100;

impl<'a> BuiltBlocks<'a> {
    pub fn new(sharing: &'a Sharing, tasks: usize) -> Self {
        let words = sharing.elements.len().div_ceil(64);
        Self { sharing, words, sets: vec![0; words * (tasks + 1)] }
    }

    /// Assigns to task `task` a choice that uses these blocks, after all later tasks are assigned; returns the area
    /// of the newly used blocks, which exceeds any budget if two blocks would share a slot.
    pub fn assign(&mut self, task: usize, uses: &[u32]) -> u128 {
        let (here, later) = self.sets[self.words * task..].split_at_mut(self.words);
        here.copy_from_slice(&later[..self.words]);
        let mut added = 0;
        for &block in uses {
            let (word, bit) = (block as usize / 64, 1u64 << (block % 64));
            if here[word] & bit != 0 {
                continue;
            }
            let element = self.sharing.elements[block as usize];
            let taken = |(at, other): (usize, &isx_problems::set_union::Element)| {
                here[at / 64] >> (at % 64) & 1 == 1 && other.group == element.group
            };
            if element.group.is_some() && self.sharing.elements.iter().enumerate().any(taken) {
                added += IMPOSSIBLE;
            }
            here[word] |= bit;
            added += u128::from(element.weight);
        }
        added
    }
}
