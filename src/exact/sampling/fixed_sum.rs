//! Integers with a fixed sum and limits for each, every such vector equally likely, without discarding any.
//!
//! The parts are drawn one after the other. How many vectors there are with a first part of at most x is counted
//! exactly; x is the smallest whose count is above a uniform random integer.
//!
//! Counting: with all low ends subtracted, part i is an integer of `0..=w_i`. The number of vectors of m parts with sum
//! s is the coefficient of z^s in `prod (1 - z^(w_i + 1)) / (1 - z)^m`, so with the product expanded into terms
//! `c z^o` it is the sum of `c C(s - o + m - 1, m - 1)`; that of the vectors with sum *up to* s has m in place of m - 1.
//! Equal limits give m + 1 terms; limits that all differ give up to 2^m. Where more than half of the room is used, the
//! distances from the upper limits are drawn instead: by symmetry the same distribution, with fewer terms.
//!
//! Worked instance: two parts of 0..=2 with sum 3. The product is `(1 - z^3)^2`; up to degree 3 its terms are 1 and
//! `-2 z^3`, so there are C(4, 1) - 2 C(1, 1) = 2 vectors: (1, 2) and (2, 1).
//!
//! The distribution is that of Stafford's RandFixedSum (Emberson, Stafford and Davis, "Techniques for the Synthesis of
//! Multiprocessor Tasksets", WATERS 2010), and with limits that differ that of ConvolutionalFixedSum (Griffin and
//! Davis, RTAS 2025), on a grid; these two compute with floats.

use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};
use std::collections::BTreeMap;

/// The most terms times parts^2, which the time to draw a vector grows with: 256 parts with equal limits, or 14 parts
/// with limits that all differ, take a second or two.
const MOST_WORK: usize = 10_000_000;

/// `prod (1 - z^(w_i + 1))` over the parts still to draw, up to the degree that their sum has: coefficients by degree.
struct Terms(BTreeMap<u64, BigInt>);

/// Draws a uniform integer below its argument.
pub(super) type Below<'a> = dyn FnMut(&BigUint) -> BigUint + 'a;

/// A vector of integers with this sum, the i-th within `limits[i]`, both ends included.
///
/// `None` if there is no such vector, or if counting would take too long ([`MOST_WORK`]).
pub(super) fn draw(total: u64, limits: &[(u64, u64)], below: &mut Below) -> Option<Vec<u64>> {
    let widths: Vec<u64> = limits.iter().map(|(low, high)| high.checked_sub(*low)).collect::<Option<_>>()?;
    let lowest: u128 = limits.iter().map(|(low, _)| u128::from(*low)).sum();
    let room: u128 = widths.iter().map(|&width| u128::from(width)).sum();
    let used = u128::from(total).checked_sub(lowest)?;
    let free = room.checked_sub(used)?;
    let mirrored = free < used;
    let mut left = used.min(free) as u64;
    let mut terms = Terms::of(&widths, left)?;
    let mut parts = Vec::with_capacity(limits.len());
    for (&(low, high), &width) in limits.iter().zip(&widths) {
        terms.divide(width, left);
        let others = limits.len() - parts.len() - 1;
        let part = terms.draw_part(width.min(left), left, others as u64, below);
        left -= part;
        parts.push(if mirrored { high - part } else { low + part });
    }
    Some(parts)
}

impl Terms {
    fn of(widths: &[u64], degree: u64) -> Option<Self> {
        let mut terms = BTreeMap::from([(0, BigInt::one())]);
        for &width in widths {
            let moved = |(offset, coefficient): (&u64, &BigInt)| {
                let offset = offset.checked_add(width)?.checked_add(1)?;
                (offset <= degree).then(|| (offset, -coefficient))
            };
            let moved: Vec<(u64, BigInt)> = terms.iter().filter_map(moved).collect();
            for (offset, coefficient) in moved {
                *terms.entry(offset).or_default() += coefficient;
            }
            terms.retain(|_, coefficient| !coefficient.is_zero());
            if terms.len().saturating_mul(widths.len()).saturating_mul(widths.len()) > MOST_WORK {
                return None;
            }
        }
        Some(Self(terms))
    }

    /// Divides by `1 - z^(width + 1)`, as a power series up to this degree: each coefficient of the quotient is that of
    /// the product plus that of the quotient `width + 1` degrees below.
    fn divide(&mut self, width: u64, degree: u64) {
        let mut rest = std::mem::take(&mut self.0);
        while let Some((offset, coefficient)) = rest.pop_first().filter(|(offset, _)| *offset <= degree) {
            if coefficient.is_zero() {
                continue;
            }
            if let Some(next) = offset.checked_add(width).and_then(|next| next.checked_add(1)) {
                *rest.entry(next).or_default() += &coefficient;
            }
            self.0.insert(offset, coefficient);
        }
    }

    /// The first of the parts still to draw, 0 to `most`, if `others` parts come after it and all have the sum `left`.
    fn draw_part(&self, most: u64, left: u64, others: u64, below: &mut Below) -> u64 {
        if others == 0 {
            return left;
        }
        // A first part of at most x leaves a sum of left - x or more to the others.
        let all = self.vectors_up_to(left, others);
        let without =
            |rest: Option<u64>| rest.map_or_else(BigInt::zero, |rest| self.vectors_up_to(rest, others));
        let count = &all - without(left.checked_sub(most + 1));
        let drawn = BigInt::from(below(count.magnitude()));
        let (mut low, mut high) = (0, most);
        while low < high {
            let middle = low + (high - low) / 2;
            if &all - without(left.checked_sub(middle + 1)) > drawn {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }

    /// How many vectors of `parts` parts have a sum of at most `sum`, times `parts!`, which spares the divisions.
    fn vectors_up_to(&self, sum: u64, parts: u64) -> BigInt {
        let rising = |from: u64| (1..=parts).fold(BigUint::one(), |product, step| product * (from + step));
        self.0.range(..=sum).map(|(offset, c)| c * BigInt::from(rising(sum - offset))).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Sampler;
    use super::*;

    fn draw(sampler: &mut Sampler, total: u64, limits: &[(u64, u64)]) -> Option<Vec<u64>> {
        sampler.fixed_sum(total, limits)
    }

    /// All vectors, one by one.
    fn enumerated(total: u64, limits: &[(u64, u64)]) -> Vec<Vec<u64>> {
        let Some((&(low, high), rest)) = limits.split_first() else {
            return if total == 0 { vec![Vec::new()] } else { Vec::new() };
        };
        let with = |part: u64| {
            enumerated(total - part, rest).into_iter().map(move |tail| [vec![part], tail].concat())
        };
        (low..=high.min(total)).flat_map(with).collect()
    }

    /// The chi-squared statistic of 20,000 draws is below its mean plus five standard deviations, degrees of freedom
    /// d + 5 sqrt(2 d); with this seed that is no matter of chance.
    fn assert_all_alike(total: u64, limits: &[(u64, u64)]) {
        const DRAWS: u32 = 20_000;
        let mut sampler = Sampler::new(2026);
        let mut counts: BTreeMap<Vec<u64>, u32> =
            enumerated(total, limits).into_iter().map(|vector| (vector, 0)).collect();
        for _ in 0..DRAWS {
            let drawn = draw(&mut sampler, total, limits).unwrap();
            *counts.get_mut(&drawn).unwrap_or_else(|| panic!("{drawn:?} is no vector of {limits:?}")) += 1;
        }
        let expected = f64::from(DRAWS) / counts.len() as f64;
        assert!(expected > 50.0, "{} vectors are too many", counts.len());
        let chi: f64 = counts.values().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
        let freedom = counts.len() as f64 - 1.0;
        assert!(chi < freedom + 5.0 * (2.0 * freedom).sqrt(), "{total} {limits:?}: {chi} of {freedom}");
    }

    #[test]
    fn every_vector_is_as_likely_as_every_other() {
        assert_all_alike(7, &[(0, 4); 3]);
        assert_all_alike(9, &[(1, 4); 4]);
        assert_all_alike(5, &[(0, 9); 4]);
        assert_all_alike(13, &[(0, 4); 5]);
        assert_all_alike(12, &[(0, 3), (2, 9), (1, 1), (0, 5)]);
        // Degrees 2 + 3 = 5 cancel in the product of the three.
        assert_all_alike(6, &[(0, 1), (0, 2), (0, 4), (0, 6)]);
        assert_all_alike(15, &[(3, 8), (0, 2), (4, 6), (1, 4)]);
    }

    #[test]
    fn sums_and_limits_hold_at_every_size() {
        let mut sampler = Sampler::new(3);
        let unit = 1_000_000_000;
        for (parts, total) in [(1, unit / 3), (2, unit), (20, 10 * unit), (20, 19 * unit), (60, 30 * unit)] {
            let drawn = draw(&mut sampler, total, &vec![(1, unit); parts]).unwrap();
            assert_eq!((drawn.len(), drawn.iter().sum::<u64>()), (parts, total));
            assert!(drawn.iter().all(|&part| (1..=unit).contains(&part)), "{drawn:?}");
        }
        let limits: Vec<(u64, u64)> = (1..=12).map(|part| (part * 1_000, part * part * 70_001)).collect();
        let drawn = draw(&mut sampler, 20_000_000, &limits).unwrap();
        assert_eq!(drawn.iter().sum::<u64>(), 20_000_000);
        assert!(drawn.iter().zip(&limits).all(|(part, (low, high))| low <= part && part <= high));
        assert_eq!(draw(&mut sampler, u64::MAX, &[(0, u64::MAX)]), Some(vec![u64::MAX]));
    }

    #[test]
    fn no_vector_and_too_much_work_are_none() {
        let mut sampler = Sampler::new(4);
        assert_eq!(draw(&mut sampler, 5, &[(3, 4); 2]), None);
        assert_eq!(draw(&mut sampler, 9, &[(3, 4); 2]), None);
        assert_eq!(draw(&mut sampler, 3, &[(4, 2)]), None);
        assert_eq!(draw(&mut sampler, 1, &[]), None);
        assert_eq!(draw(&mut sampler, 0, &[]), Some(Vec::new()));
        let limits: Vec<(u64, u64)> = (0..30).map(|part| (0, 1 << part)).collect();
        assert_eq!(draw(&mut sampler, 400_000_000, &limits), None);
    }
}
