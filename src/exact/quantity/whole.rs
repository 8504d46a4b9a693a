//! Fast paths for exact numbers that are nearly always 64-bit integers: the same results as general arithmetic,
//! without its divisions and allocations. A file of ten thousand numbers spends most of its time here.

use super::Rational;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Both numbers as `u64`, if they fit.
fn small(a: &BigInt, b: &BigInt) -> Option<(u64, u64)> {
    Some((a.to_u64()?, b.to_u64()?))
}

/// The greatest common divisor. For a long and a short number the long one is reduced first, because the general
/// algorithm takes a step for each of its bits.
pub fn gcd(a: &BigInt, b: &BigInt) -> BigInt {
    if let Some((a, b)) = small(a, b) {
        return a.gcd(&b).into();
    }
    match (a.bits(), b.bits()) {
        (0, _) | (_, 0) => a.gcd(b),
        (long, short) if short < long => b.gcd(&(a % b)),
        _ => a.gcd(&(b % a)),
    }
}

/// The least common multiple.
pub fn lcm(a: &BigInt, b: &BigInt) -> BigInt {
    match small(a, b) {
        Some((0, _) | (_, 0)) => BigInt::ZERO,
        Some((a, b)) => (u128::from(a / a.gcd(&b)) * u128::from(b)).into(),
        None if a.is_zero() || b.is_zero() => BigInt::ZERO,
        None => (a / gcd(a, b) * b).abs(),
    }
}

/// How many whole times `unit`, which must be positive, fits into `value`.
///
/// ```
/// use isx_exact::quantity::{Rational, times};
/// let ratio = |numerator: i64, denominator: i64| Rational::new(numerator.into(), denominator.into());
/// assert_eq!(times(&ratio(7, 2), &ratio(3, 4)), 4.into());
/// ```
pub fn times(value: &Rational, unit: &Rational) -> BigInt {
    if let Some((numerator, denominator)) = small(value.numer(), value.denom())
        && let Some((unit, parts)) = small(unit.numer(), unit.denom())
        && unit > 0
    {
        if (denominator, parts, unit) == (1, 1, 1) {
            return numerator.into();
        }
        return (u128::from(numerator) * u128::from(parts) / (u128::from(denominator) * u128::from(unit)))
            .into();
    }
    (value.numer() * unit.denom()) / (value.denom() * unit.numer())
}

/// `a - b`.
pub fn difference(a: &Rational, b: &Rational) -> Rational {
    if a.denom().is_one() && b.denom().is_one() { Rational::from(a.numer() - b.numer()) } else { a - b }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small and large numbers, and those at the limits of 64 bits.
    fn numbers() -> Vec<BigInt> {
        let mut numbers: Vec<BigInt> = (0..14).map(BigInt::from).collect();
        for edge in [u64::MAX, u64::MAX - 1, 1 << 63, 1 << 32, 600_000_000_000] {
            numbers.extend([BigInt::from(edge), BigInt::from(edge) + 1, BigInt::from(edge) * 6]);
        }
        numbers
    }

    #[test]
    fn fast_paths_equal_general_arithmetic() {
        let numbers = numbers();
        let negative = BigInt::from(-12);
        for a in numbers.iter().chain([&negative]) {
            for b in &numbers {
                assert_eq!(gcd(a, b), a.gcd(b), "{a} {b}");
                assert_eq!(lcm(a, b), a.lcm(b), "{a} {b}");
            }
        }
        let fractions: Vec<Rational> = numbers
            .iter()
            .flat_map(|a| [1u64, 7, 10, u64::MAX].map(|b| Rational::new(a.clone(), b.into())))
            .collect();
        for a in &fractions {
            for b in &fractions {
                assert_eq!(difference(a, b), a - b);
                if b.numer() != &BigInt::ZERO {
                    assert_eq!(times(a, b), (a / b).to_integer(), "{a} {b}");
                }
            }
        }
    }
}
