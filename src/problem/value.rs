//! The integer types a sum of values can be held in: the arithmetic tiers.

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};
use std::fmt;

/// An exact integer type for values and their sums.
///
/// Implemented for `i32`, `i64`, `i128` and [`BigInt`]. The fixed-size ones overflow silently or panic
/// outside their range: [`Tier::narrowest`] picks one in which no sum of a given problem does.
pub trait Value: Clone + Ord + fmt::Debug + fmt::Display + Send + Sync + 'static {
    /// The tier this type is.
    const TIER: Tier;
    /// Zero.
    fn zero() -> Self;
    /// One below zero: less than every value that is reached.
    fn minus_one() -> Self;
    /// The sum.
    fn plus(&self, other: &Self) -> Self;
    /// The difference.
    fn minus(&self, other: &Self) -> Self;
    /// The same number as a big integer.
    fn to_big(&self) -> BigInt;
    /// The number in this type, if it fits.
    fn from_big(value: &BigInt) -> Option<Self>;
}

macro_rules! fixed_size_value {
    ($type:ty, $tier:expr, $convert:ident) => {
        impl Value for $type {
            const TIER: Tier = $tier;
            fn zero() -> Self {
                0
            }
            fn minus_one() -> Self {
                -1
            }
            fn plus(&self, other: &Self) -> Self {
                self + other
            }
            fn minus(&self, other: &Self) -> Self {
                self - other
            }
            fn to_big(&self) -> BigInt {
                BigInt::from(*self)
            }
            fn from_big(value: &BigInt) -> Option<Self> {
                value.$convert()
            }
        }
    };
}

fixed_size_value!(i32, Tier::I32, to_i32);
fixed_size_value!(i64, Tier::I64, to_i64);
fixed_size_value!(i128, Tier::I128, to_i128);

impl Value for BigInt {
    const TIER: Tier = Tier::Big;
    fn zero() -> Self {
        <BigInt as Zero>::zero()
    }
    fn minus_one() -> Self {
        BigInt::from(-1)
    }
    fn plus(&self, other: &Self) -> Self {
        self + other
    }
    fn minus(&self, other: &Self) -> Self {
        self - other
    }
    fn to_big(&self) -> BigInt {
        self.clone()
    }
    fn from_big(value: &BigInt) -> Option<Self> {
        Some(value.clone())
    }
}

/// The width of the integers that an answer was computed in; every tier is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// 32-bit integers, sums below 2^30.
    I32,
    /// 64-bit integers, sums below 2^62.
    I64,
    /// 128-bit integers, sums below 2^126.
    I128,
    /// Integers of any size.
    Big,
}

impl Tier {
    /// The narrowest tier that holds every sum of absolute size up to `bound`, with a bit to spare.
    ///
    /// ```
    /// use isx::problem::value::Tier;
    /// assert_eq!(Tier::narrowest(&((1i64 << 30) - 1).into()), Tier::I32);
    /// assert_eq!(Tier::narrowest(&(1i64 << 30).into()), Tier::I64);
    /// ```
    #[must_use]
    pub fn narrowest(bound: &BigInt) -> Self {
        match bound.abs().bits() {
            0..=30 => Self::I32,
            31..=62 => Self::I64,
            63..=126 => Self::I128,
            _ => Self::Big,
        }
    }

    /// The name in outputs: `i32`, `i64`, `i128` or `big`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::I128 => "i128",
            Self::Big => "big",
        }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
