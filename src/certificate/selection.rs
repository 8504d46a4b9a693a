//! Writes selections of options in the format of certificates: as differences from the previous selection.

use super::numbers::Numbers;
use std::io;

/// Writes selections in sequence.
pub(super) struct Selections {
    options: Vec<u32>,
    changes: Vec<(usize, u32)>,
}

impl Selections {
    /// For this many classes.
    pub fn new(classes: usize) -> Self {
        Self { options: vec![0; classes], changes: Vec::new() }
    }

    /// Writes the choice (or none) of every class.
    pub fn write(&mut self, numbers: &mut Numbers, choices: &[Option<u32>]) -> io::Result<()> {
        self.changes.clear();
        for (class, (option, choice)) in self.options.iter_mut().zip(choices).enumerate() {
            let chosen = choice.map_or(0, |choice| choice + 1);
            if *option != chosen {
                *option = chosen;
                self.changes.push((class, chosen));
            }
        }
        numbers.count(self.changes.len())?;
        let mut before: Option<usize> = None;
        for &(class, option) in &self.changes {
            numbers.count(before.map_or(class, |before| class - before - 1))?;
            numbers.small(option.into())?;
            before = Some(class);
        }
        Ok(())
    }
}
