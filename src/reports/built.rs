//! Designs that were built: what their reports count of each resource, of several builds the best.
//!
//! Synthesis is no function of the design alone: the same multiplier takes 397 or 197 LUTs by another recipe of the same
//! tool. So a design may have several reports, by recipe or seed. The best counts: the first in the order of the
//! resources with the least amounts. All of it is one build; amounts of different builds are never mixed. How far the
//! builds lie apart shows how far a small difference can be trusted.

use crate::counted::Counted;
use isx_exact::quantity::{Rational, format_decimal};

/// A design as it was built.
#[derive(Clone, Debug, Default)]
pub struct Built {
    /// The amount of each resource in the best of its reports.
    pub amounts: Vec<Rational>,
    /// How far the amounts of its reports lie apart.
    pub spread: Vec<Rational>,
    /// The best of its reports.
    pub file: String,
    /// The best report, and what the others say.
    pub words: String,
    /// The names of all its reports.
    pub files: Vec<String>,
}

impl Built {
    /// The best of these reports.
    pub fn best(resources: &[Counted], all: Vec<(String, Vec<Rational>)>) -> Option<Self> {
        // The first of equal ones.
        let best = all.iter().min_by(|(_, one), (_, other)| one.cmp(other))?;
        let range = |at: usize| {
            let amounts = || all.iter().filter_map(|(_, amounts)| amounts.get(at));
            Some((amounts().min()?.clone(), amounts().max()?.clone()))
        };
        let ranges: Vec<(Rational, Rational)> = (0..resources.len()).filter_map(range).collect();
        let (file, mut words) = (best.0.clone(), best.0.clone());
        if all.len() > 1 {
            let told = ranges.iter().zip(resources).enumerate();
            // The first resource decides; of the others those that differ are worth a word.
            let told = told.filter(|(at, ((least, most), _))| *at == 0 || least != most);
            let told = told.map(|(_, ((least, most), counted))| {
                let least_words = format_decimal(least);
                let to = if least == most { String::new() } else { format!(" to {}", format_decimal(most)) };
                format!("{least_words}{to} {}", counted.name)
            });
            let told: Vec<String> = told.collect();
            words = format!("{words} (best of {}: {})", all.len(), told.join(", "));
        }
        let spread = ranges.iter().map(|(least, most)| most - least).collect();
        let amounts = best.1.clone();
        Some(Self { amounts, spread, file, words, files: all.into_iter().map(|(file, _)| file).collect() })
    }
}
