//! The integer types of weights and profits, with comparisons of products that never overflow.

use std::cmp::Ordering;
use std::fmt::Debug;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// A signed integer for weights, profits and their sums.
pub trait Number:
    Copy
    + Ord
    + Debug
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + Into<i128>
    + TryFrom<i128>
{
    const ZERO: Self;
    const ONE: Self;
    /// The largest value of the type.
    const MAX: Self;

    /// The number in this type, if it fits.
    fn of(number: i128) -> Option<Self> {
        number.try_into().ok()
    }

    /// The number in the widest type.
    fn wide(self) -> i128 {
        self.into()
    }

    /// Whether a b >= c d. `b` and `d` are not negative, nor both zero; `a` and `c` may be.
    fn product_reaches(a: Self, b: Self, c: Self, d: Self) -> bool;

    /// How a b compares with c d. None is negative.
    fn compare_products(a: Self, b: Self, c: Self, d: Self) -> Ordering;

    /// The integer part of a b / d. None is negative, `d` is positive; a result that does not fit becomes the
    /// largest number.
    fn scaled(a: Self, b: Self, d: Self) -> Self;

    /// `count` times the number; the product must fit.
    fn times(self, count: i64) -> Self;

    /// Approximate: for estimates only, never for decisions.
    fn approximate(self) -> f64 {
        self.wide() as f64
    }
}

impl Number for i64 {
    const ZERO: Self = 0;
    const ONE: Self = 1;
    const MAX: Self = Self::MAX;

    #[inline(always)]
    fn product_reaches(a: Self, b: Self, c: Self, d: Self) -> bool {
        i128::from(a) * i128::from(b) >= i128::from(c) * i128::from(d)
    }

    #[inline(always)]
    fn compare_products(a: Self, b: Self, c: Self, d: Self) -> Ordering {
        (i128::from(a) * i128::from(b)).cmp(&(i128::from(c) * i128::from(d)))
    }

    fn scaled(a: Self, b: Self, d: Self) -> Self {
        (i128::from(a) * i128::from(b) / i128::from(d)).try_into().unwrap_or(Self::MAX)
    }

    #[inline(always)]
    fn times(self, count: i64) -> Self {
        self * count
    }
}

impl Number for i128 {
    const ZERO: Self = 0;
    const ONE: Self = 1;
    const MAX: Self = Self::MAX;

    fn product_reaches(a: Self, b: Self, c: Self, d: Self) -> bool {
        let first = || product(a.unsigned_abs(), b.unsigned_abs());
        let second = || product(c.unsigned_abs(), d.unsigned_abs());
        match (a >= 0, c > 0) {
            (true, true) => first() >= second(),
            (false, false) => first() <= second(),
            (reaches, _) => reaches,
        }
    }

    fn compare_products(a: Self, b: Self, c: Self, d: Self) -> Ordering {
        product(a.unsigned_abs(), b.unsigned_abs()).cmp(&product(c.unsigned_abs(), d.unsigned_abs()))
    }

    fn scaled(a: Self, b: Self, d: Self) -> Self {
        if let Some(product) = a.checked_mul(b) {
            return product / d;
        }
        // The largest q with q d <= a b, bit by bit.
        let (mut low, mut high) = (0, Self::MAX);
        while low < high {
            let middle = low + (high - low) / 2 + 1;
            if Self::product_reaches(a, b, middle, d) { low = middle } else { high = middle - 1 }
        }
        low
    }

    fn times(self, count: i64) -> Self {
        self * Self::from(count)
    }
}

/// The 256 bits of a product, high half first.
fn product(a: u128, b: u128) -> (u128, u128) {
    const LOW: u128 = u64::MAX as u128;
    let (a_high, a_low) = (a >> 64, a & LOW);
    let (b_high, b_low) = (b >> 64, b & LOW);
    let low = a_low * b_low;
    // Neither sum reaches 2^128: a product of halves is at most (2^64 - 1)^2.
    let cross = a_high * b_low + (low >> 64);
    let other = a_low * b_high + (cross & LOW);
    (a_high * b_high + (cross >> 64) + (other >> 64), (other << 64) | (low & LOW))
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;

    #[test]
    fn wide_products_are_those_of_big_integers() {
        let ends = [
            0,
            1,
            2,
            u64::MAX as u128 - 1,
            u64::MAX as u128,
            1 << 64,
            (1 << 120) - 1,
            u128::MAX - 1,
            u128::MAX,
        ];
        for a in ends {
            for b in ends {
                let (high, low) = product(a, b);
                assert_eq!((BigUint::from(high) << 128) + low, BigUint::from(a) * b, "{a} times {b}");
            }
        }
    }

    #[test]
    fn both_types_compare_and_scale_alike() {
        let ends = [0i64, 1, 2, 3, 7, 1000, (1 << 31) + 1, (1 << 62) - 1];
        for a in ends {
            for b in ends {
                for c in [-5, -1, 0, 1, 2, 3, 7, 999, 1000, (1 << 62) - 2, (1 << 62) - 1] {
                    for d in &ends[1..] {
                        for a in [a, -a] {
                            let wide = i128::product_reaches(a.into(), b.into(), c.into(), (*d).into());
                            assert_eq!(i64::product_reaches(a, b, c, *d), wide, "{a} {b} {c} {d}");
                        }
                    }
                }
                let (huge, unit) = (i128::from(a) << 60, 1i128 << 60);
                // A result that does not fit becomes the largest number.
                let wanted = (i128::from(a) * i128::from(b)).min(i128::MAX >> 60);
                assert_eq!(i128::scaled(huge, i128::from(b) << 60, unit) >> 60, wanted, "{a} times {b}");
            }
        }
    }
}
