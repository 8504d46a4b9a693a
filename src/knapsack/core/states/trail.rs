//! The items that a state flipped: the last 32 decisions in the state, the older ones in snapshots.
//!
//! A state carries one word: the decisions of the current block of 32 items, and the state's position in the last
//! snapshot, taken when the block began. A snapshot is taken every 32 items and contains the words of all states. So
//! a state costs a quarter of a byte per item in addition to the lists, however many items there are, and nothing
//! has to be solved again.

/// Decisions per block.
pub const BLOCK: usize = 32;

/// Decisions of the current block (low half) and the place in the last snapshot (high half).
pub type Trail = u64;

/// The words of all states at the end of every full block.
#[derive(Default)]
pub struct Trails {
    snapshots: Vec<Vec<Trail>>,
    entries: usize,
}

/// A state that is stored beyond the lifetime of its list.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    trail: Trail,
    blocks: usize,
}

impl Trails {
    /// The bit of item number `step` in a trail.
    pub fn bit(step: usize) -> Trail {
        1 << (step % BLOCK)
    }

    /// Whether a snapshot is due before item number `step`.
    pub fn due(step: usize) -> bool {
        step > 0 && step.is_multiple_of(BLOCK)
    }

    /// Takes the snapshot of all states, and resets their words. There are fewer than 2^32 states.
    pub fn snapshot<'a>(&mut self, trails: impl ExactSizeIterator<Item = &'a mut Trail>) {
        let mut words = Vec::with_capacity(trails.len());
        for (at, trail) in (0u64..).zip(trails) {
            words.push(*trail);
            *trail = at << 32;
        }
        self.entries += words.len();
        self.snapshots.push(words);
    }

    /// A permanent reference to the state with this word.
    pub fn mark(&self, trail: Trail) -> Mark {
        Mark { trail, blocks: self.snapshots.len() }
    }

    /// The numbers of the items that the state flipped, last first.
    pub fn flipped(&self, mark: Mark) -> impl Iterator<Item = usize> {
        let mut trail = mark.trail;
        (0..=mark.blocks).rev().flat_map(move |block| {
            let bits = trail as u32;
            let origin = (trail >> 32) as usize;
            if let Some(before) = block.checked_sub(1) {
                trail = self.snapshots[before][origin];
            }
            (0..BLOCK).rev().filter(move |bit| bits >> bit & 1 == 1).map(move |bit| block * BLOCK + bit)
        })
    }

    pub fn bytes(&self) -> u64 {
        (self.entries * size_of::<Trail>()) as u64
    }
}
