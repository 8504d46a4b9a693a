//! The items of every point, read when they are asked for.

use isx_problems::mckp::{Configurations, NO_ITEM};
use isx_problems::resources::Problem;
use isx_set_union::{Fields, Selections};
use std::ops::Range;

/// The field of every class: an item is its position, counted from 1.
pub(crate) fn fields_of(problem: &Problem) -> Fields {
    Fields::new(problem.classes.iter().map(Vec::len))
}

/// Packed items, and what the answer calls each.
#[derive(Debug)]
pub(crate) struct Picked {
    selections: Selections,
    numbers: Vec<Vec<u32>>,
}

impl Picked {
    pub fn new(problem: &Problem, fields: Fields, words: Vec<u64>) -> Self {
        let numbers = problem.classes.iter().map(|items| items.iter().map(|item| item.number).collect());
        Self { selections: Selections::new(fields, words), numbers: numbers.collect() }
    }
}

impl Configurations for Picked {
    fn write(&self, configurations: Range<usize>, columns: &mut [u32]) {
        let count = configurations.len();
        self.selections.write(configurations, columns);
        for (column, numbers) in columns.chunks_exact_mut(count).zip(&self.numbers) {
            for item in column {
                *item = numbers.get(*item as usize).copied().unwrap_or(NO_ITEM);
            }
        }
    }
}
