//! Finds the blocks that designs build, without allocating a list per point.

use isx_taskset::{Block, TaskSet};

/// Finds the blocks of designs of one task set; can be reused for any number of designs.
pub struct Blocks<'a> {
    task_set: &'a TaskSet,
    /// One bit per block, set if the design uses it.
    built: Vec<u64>,
    found: Vec<usize>,
}

impl<'a> Blocks<'a> {
    /// A finder for designs of this set; it finds nothing if the set has no blocks.
    pub fn new(task_set: &'a TaskSet) -> Self {
        Self { task_set, built: vec![0; task_set.blocks.len().div_ceil(64)], found: Vec::new() }
    }

    /// The indices of the blocks that a design builds (`choices`: at most one per task), ascending.
    ///
    /// Takes time proportional to the blocks that the choices name, plus one bit operation per block of the set.
    pub fn of(&mut self, choices: &[Option<u32>]) -> &[usize] {
        self.built.fill(0);
        self.found.clear();
        if !self.built.is_empty() {
            for (task, choice) in self.task_set.tasks.iter().zip(choices) {
                let taken = choice.and_then(|choice| task.choices.get(choice as usize));
                for &block in taken.map_or(&[][..], |choice| &choice.uses) {
                    if let Some(word) = self.built.get_mut(block as usize / 64) {
                        *word |= 1 << (block % 64);
                    }
                }
            }
        }
        for (at, &word) in self.built.iter().enumerate() {
            let mut left = word;
            while left != 0 {
                self.found.push(64 * at + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
        &self.found
    }
}

/// The blocks that a design builds, in file order.
pub fn built<'a>(set: &'a TaskSet, choices: &[Option<u32>]) -> Vec<&'a Block> {
    Blocks::new(set).of(choices).iter().filter_map(|&at| set.blocks.get(at)).collect()
}

/// Their names.
pub fn built_names<'a>(set: &'a TaskSet, choices: &[Option<u32>]) -> Vec<&'a str> {
    built(set, choices).into_iter().map(|block| block.name.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::with_many_blocks;
    use isx_taskset::formulate::formulate;

    #[test]
    fn more_blocks_than_a_word_has_bits_are_all_found() {
        let many = with_many_blocks(150);
        let formulation = formulate(&many, None).unwrap();
        let choices = vec![Some(0); many.tasks.len()];
        let found = Blocks::new(&many).of(&choices).to_vec();
        assert_eq!(found, (0..150).collect::<Vec<_>>());
        assert_eq!(formulation.blocks(&choices).unwrap().len(), 150);
    }
}
