//! Random pairs of sequences: a recipe with a seed gives a pair, identical on every machine.
//!
//! Letters are drawn uniformly. With a given percentage of common letters, both sequences contain a common sequence
//! of that length at uniformly drawn positions; the longest common subsequence is then at least that percentage of
//! the shorter sequence. J. O'Connell and C. Mumford ("An exact dynamic programming based method to solve
//! optimisation problems using GPUs", section on test data) restrict the match sequence of their random pairs to 50
//! %, but do not describe how; `common: 50` is a documented substitute for their recipe.

use super::Lcs;
use crate::recipe::{RecipeError, refuse};
use isx_exact::sampling::Sampler;
use std::fmt;

/// The maximum number of letters of a sequence.
pub const MAX_LENGTH: u64 = 1_000_000_000;

/// All parameters of a generated pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LcsRecipe {
    /// Lengths of the first and of the second sequence.
    pub lengths: [u64; 2],
    /// The size of the alphabet, 1 to 256: `ACGT` up to 4, `A` to `Z` up to 26, bytes from 0 on beyond.
    pub alphabet: u64,
    /// The length of the planted common sequence, in percent of the shorter sequence.
    pub common: u64,
    /// The random seed, which selects one of the pairs of the recipe.
    pub seed: u64,
}

impl Default for LcsRecipe {
    fn default() -> Self {
        Self { lengths: [1000, 1000], alphabet: 4, common: 0, seed: 1 }
    }
}

impl fmt::Display for LcsRecipe {
    /// The flags that reproduce the same pair.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { lengths: [a, b], alphabet, common, seed } = self;
        write!(f, "--lengths {a},{b} --alphabet {alphabet} --common {common} --seed {seed}")
    }
}

/// Generates the pair. Fails if a field of the recipe is out of range.
///
/// ```
/// use isx_problems::lcs::generate::{LcsRecipe, generate_lcs};
/// let pair = generate_lcs(&LcsRecipe { lengths: [7, 5], ..LcsRecipe::default() }).unwrap();
/// assert_eq!((pair.a.len(), pair.b.len()), (7, 5));
/// ```
pub fn generate_lcs(recipe: &LcsRecipe) -> Result<Lcs, RecipeError> {
    let &LcsRecipe { lengths, alphabet, common, seed } = recipe;
    if lengths.iter().any(|&length| length > MAX_LENGTH) {
        return Err(refuse("lengths", format!("{},{}", lengths[0], lengths[1]), "each may be up to 10^9"));
    }
    if !(1..=256).contains(&alphabet) {
        return Err(refuse("alphabet", alphabet, "must be from 1 to 256"));
    }
    if common > 100 {
        return Err(refuse("common", common, "must be a percentage, from 0 to 100"));
    }
    let mut sampler = Sampler::new(seed);
    let letter = |sampler: &mut Sampler| {
        // Below 256.
        let number = sampler.uniform(0, alphabet - 1) as u8;
        match alphabet {
            ..=4 => b"ACGT"[usize::from(number)],
            5..=26 => b'A' + number,
            _ => number,
        }
    };
    let shared: Vec<u8> =
        (0..lengths[0].min(lengths[1]) * common / 100).map(|_| letter(&mut sampler)).collect();
    let mut sequence = |length: u64| {
        let mut rest = shared.iter();
        let mut left = shared.len() as u64;
        let mut next = |at: u64| {
            // Every remaining position is equally likely to receive one of the remaining letters.
            if left > 0 && sampler.uniform(1, length - at) <= left {
                left -= 1;
                rest.next().copied().unwrap_or_default()
            } else {
                letter(&mut sampler)
            }
        };
        (0..length).map(&mut next).collect()
    };
    let a = sequence(lengths[0]);
    Ok(Lcs { a, b: sequence(lengths[1]) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_common_share_is_in_both() {
        for (alphabet, common) in [(1, 0), (2, 100), (4, 50), (26, 30), (256, 50)] {
            let recipe = LcsRecipe { lengths: [300, 200], alphabet, common, seed: 3 };
            let pair = generate_lcs(&recipe).unwrap();
            assert_eq!((pair.a.len(), pair.b.len()), (300, 200));
            let mut letters = [pair.a.clone(), pair.b.clone()].concat();
            letters.sort_unstable();
            letters.dedup();
            assert!(letters.len() as u64 <= alphabet);
            let mut row = vec![0; 201];
            for a in &pair.a {
                let mut diagonal = 0;
                for (at, b) in pair.b.iter().enumerate() {
                    let up = row[at + 1];
                    row[at + 1] = if a == b { diagonal + 1 } else { up.max(row[at]) };
                    diagonal = up;
                }
            }
            assert!(row[200] >= 2 * common, "{} of {common} %", row[200]);
            assert_eq!(generate_lcs(&recipe).unwrap(), pair);
            assert!(alphabet == 1 || generate_lcs(&LcsRecipe { seed: 4, ..recipe }).unwrap() != pair);
        }
    }

    #[test]
    fn recipes_out_of_range_are_refused_with_their_field() {
        let message = |recipe: LcsRecipe| generate_lcs(&recipe).unwrap_err().to_string();
        let recipe = LcsRecipe::default;
        assert_eq!(message(LcsRecipe { alphabet: 0, ..recipe() }), "alphabet 0: must be from 1 to 256");
        assert!(message(LcsRecipe { alphabet: 257, ..recipe() }).starts_with("alphabet 257: "));
        assert!(message(LcsRecipe { common: 101, ..recipe() }).starts_with("common 101: "));
        assert!(message(LcsRecipe { lengths: [1, MAX_LENGTH + 1], ..recipe() }).contains("10^9"));
        let empty = generate_lcs(&LcsRecipe { lengths: [0, 3], common: 100, ..recipe() }).unwrap();
        assert_eq!((empty.a.len(), empty.b.len()), (0, 3));
    }
}
