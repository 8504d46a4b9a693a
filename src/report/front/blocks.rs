//! The blocks that designs build.

use isx_taskset::{Block, TaskSet};

/// Sets `found` to the indices of the blocks that a design builds (`choices`: at most one per task), ascending.
pub fn find(set: &TaskSet, choices: &[Option<u32>], found: &mut Vec<u32>) {
    found.clear();
    for (task, choice) in set.tasks.iter().zip(choices) {
        let taken = choice.and_then(|choice| task.choices.get(choice as usize));
        found.extend(taken.iter().flat_map(|choice| &choice.uses));
    }
    found.sort_unstable();
    found.dedup();
}

/// The blocks that a design builds, in file order.
pub fn built<'a>(set: &'a TaskSet, choices: &[Option<u32>]) -> Vec<&'a Block> {
    let mut found = Vec::new();
    find(set, choices, &mut found);
    found.iter().filter_map(|&at| set.blocks.get(at as usize)).collect()
}

/// Their names.
pub fn built_names<'a>(set: &'a TaskSet, choices: &[Option<u32>]) -> Vec<&'a str> {
    built(set, choices).into_iter().map(|block| block.name.as_str()).collect()
}
