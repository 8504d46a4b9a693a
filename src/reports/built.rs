//! Designs that were built: the amounts in their reports, and the best of several builds.
//!
//! Synthesis is no function of the design alone: the same multiplier takes 397 or 197 LUTs by another recipe of the same
//! tool. So a design may have several reports, by recipe or seed. The best counts: the first in the order of the
//! resources with the least amounts. All of it is one build; amounts of different builds are never mixed. The
//! spread of the builds shows how far a small difference can be trusted.

use crate::counted::Counted;
use isx_exact::quantity::{Rational, format_decimal};

/// A design as it was built.
#[derive(Clone, Debug, Default)]
pub struct Built {
    /// The amount of each resource in the best of its reports.
    pub amounts: Vec<Rational>,
    /// The largest minus the smallest amount of each resource over its reports.
    pub spread: Vec<Rational>,
    /// The best of its reports.
    pub file: String,
    /// The best report, and the ranges of the amounts over all reports.
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
            let ranges_in_words = ranges.iter().zip(resources).enumerate();
            // The first resource decides; the others are shown if their amounts differ.
            let ranges_in_words =
                ranges_in_words.filter(|(at, ((least, most), _))| *at == 0 || least != most);
            let ranges_in_words = ranges_in_words.map(|(_, ((least, most), counted))| {
                let least_words = format_decimal(least);
                let to = if least == most { String::new() } else { format!(" to {}", format_decimal(most)) };
                format!("{least_words}{to} {}", counted.name)
            });
            let ranges_in_words: Vec<String> = ranges_in_words.collect();
            words = format!("{words} (best of {}: {})", all.len(), ranges_in_words.join(", "));
        }
        let spread = ranges.iter().map(|(least, most)| most - least).collect();
        let amounts = best.1.clone();
        Some(Self { amounts, spread, file, words, files: all.into_iter().map(|(file, _)| file).collect() })
    }
}
