//! Random travelling salesman problems: a recipe with a seed gives a TSPLIB file, identical on every machine.
//!
//! Symmetric problems have cities at integer coordinates of a square, drawn uniformly, with rounded Euclidean
//! distances (EUC_2D). The others are matrices of independent uniform distances, which need not satisfy the triangle
//! inequality.

use super::MAX_CITIES;
use crate::recipe::{RecipeError, refuse};
use isx_exact::sampling::Sampler;
use std::fmt;
use std::io;

/// The maximum side of the square, and the maximum distance.
const MAX_RANGE: u64 = 1_000_000_000_000;

/// All parameters of a generated problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TspRecipe {
    /// The number of cities.
    pub cities: u64,
    /// The maximum coordinate, or the maximum distance of a matrix.
    pub range: u64,
    /// Whether it is an asymmetric distance matrix, with each direction drawn independently.
    pub asymmetric: bool,
    /// The random seed, which selects one of the problems of the recipe.
    pub seed: u64,
}

impl Default for TspRecipe {
    fn default() -> Self {
        Self { cities: 20, range: 1000, asymmetric: false, seed: 1 }
    }
}

impl fmt::Display for TspRecipe {
    /// The flags that reproduce the same file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let asymmetric = if self.asymmetric { "--asymmetric " } else { "" };
        write!(f, "--cities {} --range {} {asymmetric}--seed {}", self.cities, self.range, self.seed)
    }
}

/// Generates and writes the problem. Fails if a field of the recipe is out of range (the outer error), or writing to
/// `out` fails.
///
/// ```
/// use isx_problems::tsp::{generate::{TspRecipe, write_tsp}, tsplib};
/// let mut text = Vec::new();
/// write_tsp(&TspRecipe::default(), &mut text).unwrap().unwrap();
/// assert_eq!(tsplib::parse(std::str::from_utf8(&text).unwrap()).unwrap().cities(), 20);
/// ```
pub fn write_tsp(recipe: &TspRecipe, out: &mut impl io::Write) -> Result<io::Result<()>, RecipeError> {
    let TspRecipe { cities, range, .. } = *recipe;
    if !(1..=MAX_CITIES as u64).contains(&cities) {
        return Err(refuse("cities", cities, "must be from 1 to 100000"));
    }
    if range > MAX_RANGE {
        return Err(refuse("range", range, "must be at most 10^12"));
    }
    Ok(write(recipe, out))
}

fn write(recipe: &TspRecipe, out: &mut impl io::Write) -> io::Result<()> {
    let TspRecipe { cities, range, asymmetric, seed } = *recipe;
    let mut sampler = Sampler::new(seed);
    let (kind, weights) = match asymmetric {
        true => ("ATSP", "EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\nEDGE_WEIGHT_SECTION"),
        false => ("TSP", "EUC_2D\nNODE_COORD_SECTION"),
    };
    writeln!(out, "NAME: random{cities}\nTYPE: {kind}\nCOMMENT: isx generate tsp {recipe}")?;
    writeln!(out, "DIMENSION: {cities}\nEDGE_WEIGHT_TYPE: {weights}")?;
    for city in 1..=cities {
        if !asymmetric {
            writeln!(out, "{city} {} {}", sampler.uniform(0, range), sampler.uniform(0, range))?;
            continue;
        }
        for other in 1..=cities {
            let distance = if other == city { 0 } else { sampler.uniform(0, range) };
            write!(out, "{}{distance}", if other == 1 { "" } else { " " })?;
        }
        writeln!(out)?;
    }
    writeln!(out, "EOF")
}

#[cfg(test)]
mod tests {
    use super::super::tsplib::parse;
    use super::*;

    fn text(recipe: &TspRecipe) -> String {
        let mut text = Vec::new();
        write_tsp(recipe, &mut text).unwrap().unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn what_is_written_reads_back_and_the_seed_names_it() {
        for asymmetric in [false, true] {
            for cities in [1, 2, 30] {
                let recipe = TspRecipe { cities, asymmetric, ..TspRecipe::default() };
                let written = text(&recipe);
                assert!(written.contains(&format!("isx generate tsp {recipe}\n")));
                let read = parse(&written).unwrap();
                assert_eq!((read.cities() as u64, read.is_symmetric()), (cities, !asymmetric));
                let problem = read.problem().unwrap();
                assert_eq!(problem.is_symmetric(), !asymmetric || cities == 1);
                assert!(problem.distance(0, 0) == 0 && problem.bound() <= 1415 * i128::from(cities));
                assert_eq!(text(&recipe), written);
                assert_ne!(text(&TspRecipe { seed: 2, ..recipe }), written);
            }
        }
    }

    #[test]
    fn recipes_out_of_range_are_refused_with_their_field() {
        let message = |cities, range| {
            let recipe = TspRecipe { cities, range, ..TspRecipe::default() };
            write_tsp(&recipe, &mut Vec::new()).map(drop).unwrap_err().to_string()
        };
        assert!(message(0, 9).starts_with("cities 0: "));
        assert!(message(100_001, 9).starts_with("cities 100001: "));
        assert!(message(9, MAX_RANGE + 1).starts_with("range 1000000000001: "));
    }
}
