//! Random pairs of sequences: a recipe with a seed gives a pair, identical on every machine.
//!
//! Letters are drawn uniformly from four. Both sequences contain a common sequence of half their length at uniformly drawn
//! positions. J. O'Connell and C. Mumford ("An exact dynamic programming based method to solve optimisation problems using
//! GPUs", section on test data) restrict the match sequence of their random pairs to 50 %, but do not describe how; this is a
//! documented substitute.

use super::Pair;
use isx_exact::sampling::Sampler;

/// The pair of that length and seed.
///
/// ```
/// let pair = isx_papers::lcs::generate::generate(7, 1);
/// assert_eq!((pair.rows.len(), pair.columns.len()), (7, 7));
/// ```
pub fn generate(length: u64, seed: u64) -> Pair {
    let mut sampler = Sampler::new(seed);
    let letter = |sampler: &mut Sampler| b"ACGT"[sampler.uniform(0, 3) as usize];
    let shared: Vec<u8> = (0..length / 2).map(|_| letter(&mut sampler)).collect();
    let mut sequence = || {
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
    Pair { rows: sequence(), columns: sequence() }
}
