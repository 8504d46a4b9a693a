//! The integer types for sums of costs: the narrowest that hold every sum.

use super::failure::Wrong;
use super::read::Numbers;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use std::fmt;

/// A non-negative cost.
pub trait Cost: Clone + Ord + fmt::Display + Sized {
    /// Zero.
    fn zero() -> Self;
    /// Converts an integer that fits.
    fn from_big(big: &BigUint) -> Option<Self>;
    /// The cost as a big integer.
    fn to_big(&self) -> BigUint;
    /// The cost as a machine integer, if it fits.
    fn small(&self) -> Option<u64>;
    /// The sum. The caller ensures that it fits: both are at most the largest sum of costs, with one bit to spare.
    fn plus(&self, other: &Self) -> Self;
    /// The product; the caller ensures that it fits.
    fn times(&self, other: &Self) -> Self;
    /// Converts an area; the caller ensures that it fits.
    fn of(area: u64) -> Self;
    /// Reads a cost. Fails if it does not fit or is malformed.
    fn read(numbers: &mut Numbers, what: &'static str) -> Result<Self, Wrong>;
    /// The difference, if it is non-negative.
    fn minus(&self, other: &Self) -> Option<Self>;
    /// Half of it, rounded down, and whether it is odd.
    fn halved(&self) -> (Self, bool);
}

/// Reads a number of at most 64 bits.
fn small(numbers: &mut Numbers, what: &'static str) -> Result<u64, Wrong> {
    numbers.small(what)
}

/// Reads a number of at most 128 bits.
fn wide(numbers: &mut Numbers, what: &'static str) -> Result<u128, Wrong> {
    numbers.big(what)?.to_u128().ok_or(Wrong::Number { what, problem: "too large" })
}

macro_rules! machine_cost {
    ($($type:ty, $from:ident, $read:ident);*) => {$(
        impl Cost for $type {
            fn zero() -> Self {
                0
            }
            fn from_big(big: &BigUint) -> Option<Self> {
                big.$from()
            }
            fn to_big(&self) -> BigUint {
                (*self).into()
            }
            fn small(&self) -> Option<u64> {
                (*self).try_into().ok()
            }
            #[inline]
            fn plus(&self, other: &Self) -> Self {
                self.wrapping_add(*other)
            }
            #[inline]
            fn times(&self, other: &Self) -> Self {
                self.wrapping_mul(*other)
            }
            #[inline]
            fn of(area: u64) -> Self {
                area as Self
            }
            fn read(numbers: &mut Numbers, what: &'static str) -> Result<Self, Wrong> {
                $read(numbers, what)
            }
            #[inline]
            fn minus(&self, other: &Self) -> Option<Self> {
                self.checked_sub(*other)
            }
            #[inline]
            fn halved(&self) -> (Self, bool) {
                (self >> 1, self & 1 == 1)
            }
        }
    )*};
}

machine_cost!(u64, to_u64, small; u128, to_u128, wide);

impl Cost for BigUint {
    fn zero() -> Self {
        Self::ZERO
    }
    fn from_big(big: &BigUint) -> Option<Self> {
        Some(big.clone())
    }
    fn to_big(&self) -> BigUint {
        self.clone()
    }
    fn small(&self) -> Option<u64> {
        self.try_into().ok()
    }
    fn plus(&self, other: &Self) -> Self {
        self + other
    }
    fn times(&self, other: &Self) -> Self {
        self * other
    }
    fn of(area: u64) -> Self {
        area.into()
    }
    fn read(numbers: &mut Numbers, what: &'static str) -> Result<Self, Wrong> {
        numbers.big(what)
    }
    fn minus(&self, other: &Self) -> Option<Self> {
        (self >= other).then(|| self - other)
    }
    fn halved(&self) -> (Self, bool) {
        (self >> 1u32, self.bit(0))
    }
}

/// The integer types for sums of costs, each with two bits to spare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// `u64`.
    Bits64,
    /// `u128`.
    Bits128,
    /// Integers of any size.
    Any,
}

impl Width {
    /// The narrowest type for sums of at most `most`.
    pub fn of(most: &BigUint) -> Self {
        match most.bits() {
            0..=62 => Self::Bits64,
            63..=126 => Self::Bits128,
            _ => Self::Any,
        }
    }
}
