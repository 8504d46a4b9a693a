//! Random integers that are the same on every machine: the source of both generators.
//!
//! A seed identifies a generated instance only if it gives the same bytes on every machine and in every version. So
//! nothing here goes through a float: `ln`, `pow` and `exp` may differ in the last bit between platforms and library
//! versions, and one bit is enough to change an instance. Each distribution is drawn by an exact integer method:
//!
//! | distribution | method |
//! |---|---|
//! | uniform on `low..=high` | bits of the generator under a mask, too large ones discarded: no modulo bias |
//! | log-uniform (probability of x proportional to 1/x) | an octave `[low 2^b, low 2^(b+1))` uniformly, x uniformly in it, kept with probability `low 2^b / x` |
//! | n positive parts of a total, every vector equally likely | the gaps between n-1 distinct uniform cuts: the distribution of UUniFast |
//! | the same with limits for each part | part by part, by counting the vectors that are left: `fixed_sum` |
//! | exponential, rounded down | von Neumann's comparisons of uniform integers |
//!
//! The bits come from ChaCha8 (`chacha20`), which is specified to the bit. The seed is the key's first eight
//! bytes, little-endian; `seed_from_u64` is not used, since libraries may change its expansion.

mod fixed_sum;
mod range;

pub use range::{DecimalRange, IntRange, MAX_PLACES, RangeError};

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use num_bigint::BigUint;

/// A reproducible stream of random integers.
///
/// ```
/// use isx_exact::sampling::Sampler;
/// let draw = || Sampler::new(7).uniform(1, 6);
/// assert_eq!(draw(), draw());
/// ```
pub struct Sampler {
    bits: ChaCha8Rng,
}

impl Sampler {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Self { bits: ChaCha8Rng::from_seed(key) }
    }

    /// A uniform integer of `low..=high`; `low` if the range is empty.
    #[inline]
    pub fn uniform(&mut self, low: u64, high: u64) -> u64 {
        let span = high.saturating_sub(low);
        let mask = u64::MAX.checked_shr(span.leading_zeros()).unwrap_or(0);
        loop {
            let offset = self.bits.next_u64() & mask;
            if offset <= span {
                return low + offset;
            }
        }
    }

    /// A uniform integer below the bound; 0 if that is 0.
    fn below(&mut self, bound: &BigUint) -> BigUint {
        let bits = bound.bits();
        loop {
            let digits = (0..bits.div_ceil(32)).map(|_| self.bits.next_u32()).collect();
            let drawn = BigUint::new(digits) >> (bits.div_ceil(32) * 32 - bits);
            if drawn < *bound || bits == 0 {
                return drawn;
            }
        }
    }

    /// A uniform integer of the range.
    pub fn within(&mut self, range: IntRange) -> u64 {
        self.uniform(range.low, range.high)
    }

    /// A uniformly chosen element of the slice.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        let last = from.len().checked_sub(1)?;
        from.get(self.uniform(0, last as u64) as usize)
    }

    /// An integer x of `low..=high` with probability proportional to 1/x.
    ///
    /// A `low` of 0 counts as 1. At least about a third of the draws are kept: ln 2 of those in range, and at worst
    /// half of the octaves lie in range.
    pub fn log_uniform(&mut self, low: u64, high: u64) -> u64 {
        let low = low.max(1);
        let high = high.max(low);
        // The last octave that starts within the range.
        let last = (high / low).ilog2();
        loop {
            let octave = low << self.uniform(0, u64::from(last));
            let end = if last == 0 { high } else { octave.saturating_mul(2) - 1 };
            let x = self.uniform(octave, end);
            if x <= high && self.uniform(1, x) <= octave {
                return x;
            }
        }
    }

    /// An integer x with probability proportional to `exp(-x / mean)`: an exponential number of this mean, rounded
    /// down. A `mean` of 0 counts as 1.
    ///
    /// Its remainder by `mean` and its quotient are independent, so each is drawn by itself (C. Canonne, G. Kamath and
    /// T. Steinke, "The Discrete Gaussian for Differential Privacy", NeurIPS 2020, algorithm 2).
    pub fn exponential(&mut self, mean: u64) -> u64 {
        let mean = mean.max(1);
        let remainder = loop {
            let drawn = self.uniform(0, mean - 1);
            if self.decays(drawn, mean) {
                break drawn;
            }
        };
        let mut drawn = remainder;
        while self.decays(1, 1) {
            drawn = drawn.saturating_add(mean);
        }
        drawn
    }

    /// True with probability `exp(-part / whole)`, for parts up to the whole (J. von Neumann, "Various Techniques Used
    /// in Connection with Random Digits", 1951): with g = part / whole, the first k at which an event of probability
    /// g / k fails is odd with probability 1 - g + g^2/2! - g^3/3! ..
    fn decays(&mut self, part: u64, whole: u64) -> bool {
        let mut step = 1;
        while self.uniform(1, whole.saturating_mul(step)) <= part {
            step += 1;
        }
        step % 2 == 1
    }

    /// `size` different integers below `of`, ascending, every such set equally likely; all of them if there are no more.
    ///
    /// Floyd's method (Bentley and Floyd, "A Sample of Brilliance", Communications of the ACM 30, 1987): one draw per
    /// member.
    pub fn subset(&mut self, size: u64, of: u64) -> Vec<u64> {
        let mut members: Vec<u64> = Vec::new();
        for last in of.saturating_sub(size)..of {
            let drawn = self.uniform(0, last);
            match members.binary_search(&drawn) {
                // Larger than all of them.
                Ok(_) => members.push(last),
                Err(place) => members.insert(place, drawn),
            }
        }
        members
    }

    /// A uniformly distributed vector of integers that sum to `total`, the i-th from `limits[i].0` to `limits[i].1`.
    ///
    /// `None` if there is none, or if there are more parts than can be counted: 256 with equal limits and 14 with
    /// different ones always can. Takes time proportional to the third power of the parts.
    pub fn fixed_sum(&mut self, total: u64, limits: &[(u64, u64)]) -> Option<Vec<u64>> {
        fixed_sum::draw(total, limits, &mut |bound| self.below(bound))
    }

    /// A uniformly distributed vector of `parts` positive integers that sum to `total`.
    ///
    /// This is the simplex distribution of UUniFast (Bini and Buttazzo, "Measuring the Performance of
    /// Schedulability Tests", Real-Time Systems 30, 2005) on a grid, drawn as gaps between sorted cuts. `None` if
    /// `parts` is 0 or `total` is below `parts`.
    pub fn composition(&mut self, total: u64, parts: usize) -> Option<Vec<u64>> {
        if parts == 0 || total < parts as u64 {
            return None;
        }
        let mut cuts = Vec::with_capacity(parts);
        // As many again as were equal to others.
        while cuts.len() < parts - 1 {
            cuts.extend((cuts.len()..parts - 1).map(|_| self.uniform(1, total - 1)));
            cuts.sort_unstable();
            cuts.dedup();
        }
        cuts.push(total);
        let mut start = 0;
        for cut in &mut cuts {
            let part = *cut - start;
            start = std::mem::replace(cut, part);
        }
        Some(cuts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uniform_covers_its_range_evenly() {
        let mut sampler = Sampler::new(1);
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            counts[sampler.uniform(0, 5) as usize] += 1;
        }
        // Standard deviation about 91: six of them.
        assert!(counts.iter().all(|&c| (9_450..=10_550).contains(&c)), "{counts:?}");
    }

    #[test]
    fn uniform_reaches_both_ends_of_any_range() {
        let mut sampler = Sampler::new(2);
        assert_eq!(sampler.uniform(9, 9), 9);
        assert_eq!(sampler.uniform(9, 8), 9);
        assert_eq!([0, u64::MAX].map(|end| sampler.uniform(end, end)), [0, u64::MAX]);
        let draws: Vec<u64> = (0..64).map(|_| sampler.uniform(0, u64::MAX)).collect();
        assert!(draws.iter().any(|&x| x > u64::MAX / 2) && draws.iter().any(|&x| x < u64::MAX / 2));
    }

    #[test]
    fn log_uniform_gives_each_decade_its_share() {
        let mut sampler = Sampler::new(3);
        let mut decades = [0u32; 3];
        for _ in 0..60_000 {
            let x = sampler.log_uniform(10, 9_999);
            assert!((10..=9_999).contains(&x));
            decades[x.ilog10() as usize - 1] += 1;
        }
        // The exact shares are H(99)-H(9), H(999)-H(99), H(9999)-H(999) over their sum: 0.3389, 0.3332, 0.3279.
        for (count, expected) in decades.iter().zip([20_334, 19_992, 19_674u32]) {
            assert!(count.abs_diff(expected) < 700, "{decades:?}");
        }
    }

    #[test]
    fn log_uniform_favours_small_numbers_exactly() {
        let mut sampler = Sampler::new(4);
        let mut counts = [0u32; 4];
        for _ in 0..60_000 {
            counts[sampler.log_uniform(1, 3) as usize] += 1;
        }
        // 1 : 1/2 : 1/3 is 6 : 3 : 2.
        for (count, expected) in counts[1..].iter().zip([32_727, 16_364, 10_909u32]) {
            assert!(count.abs_diff(expected) < 700, "{counts:?}");
        }
    }

    #[test]
    fn exponential_integers_have_the_shares_of_the_exponential_distribution() {
        let mut sampler = Sampler::new(8);
        let mut counts = [0u32; 40];
        for _ in 0..60_000 {
            counts[(sampler.exponential(5) as usize).min(39)] += 1;
        }
        for (x, &count) in counts[..39].iter().enumerate() {
            let share = (1.0 - (-0.2f64).exp()) * (-0.2 * x as f64).exp();
            let expected = 60_000.0 * share;
            // Five standard deviations.
            assert!(
                (f64::from(count) - expected).abs() < 5.0 * expected.sqrt() + 1.0,
                "{x}: {count} {expected}"
            );
        }
        let mean = 250_000_000;
        let sum: u64 = (0..10_000).map(|_| sampler.exponential(mean)).sum();
        assert!((sum / 10_000).abs_diff(mean) < mean / 20, "{}", sum / 10_000);
        assert!(sampler.exponential(0) < 100);
    }

    #[test]
    fn integers_below_a_bound_are_equally_likely() {
        let mut sampler = Sampler::new(9);
        let bound = BigUint::from(3u32) << 70u32;
        let thirds = (0..3_000).map(|_| (sampler.below(&bound) >> 70u32).iter_u32_digits().sum::<u32>());
        let counts = thirds.fold([0u32; 3], |mut counts, third| {
            counts[third as usize] += 1;
            counts
        });
        assert!(counts.iter().all(|count| (850..=1150).contains(count)), "{counts:?}");
        assert_eq!(sampler.below(&BigUint::ZERO), BigUint::ZERO);
    }

    #[test]
    fn narrow_log_uniform_ranges_end() {
        let mut sampler = Sampler::new(5);
        for _ in 0..100 {
            assert!(
                (1_000_000_000..=1_000_000_001).contains(&sampler.log_uniform(1_000_000_000, 1_000_000_001))
            );
        }
    }

    #[test]
    fn log_uniform_serves_the_ends_of_the_machine() {
        let mut sampler = Sampler::new(7);
        assert_eq!(sampler.log_uniform(0, 0), 1);
        assert_eq!(sampler.log_uniform(u64::MAX, u64::MAX), u64::MAX);
        assert_eq!(sampler.log_uniform(u64::MAX, 0), u64::MAX);
        for low in [1, 3, u64::MAX / 2, u64::MAX / 2 + 1, u64::MAX - 1] {
            assert!((0..200).all(|_| sampler.log_uniform(low, u64::MAX) >= low));
        }
        let parts = sampler.composition(u64::MAX, 3).unwrap();
        assert_eq!(parts.iter().map(|&part| u128::from(part)).sum::<u128>(), u128::from(u64::MAX));
        assert_eq!(sampler.composition(u64::MAX, 0), None);
    }

    #[test]
    fn every_composition_is_equally_likely() {
        let mut sampler = Sampler::new(6);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..60_000 {
            *counts.entry(sampler.composition(5, 3).unwrap()).or_insert(0u32) += 1;
        }
        assert_eq!(counts.len(), 6, "5 = a + b + c in C(4, 2) ways");
        assert!(counts.values().all(|&c| (9_450..=10_550).contains(&c)), "{counts:?}");
        assert_eq!(sampler.composition(2, 3), None);
        assert_eq!(sampler.composition(3, 3), Some(vec![1, 1, 1]));
        assert_eq!(sampler.composition(9, 1), Some(vec![9]));
    }
}
