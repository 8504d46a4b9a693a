//! The integer types for sums of costs: the narrowest that hold every sum.

use super::failure::Wrong;
use super::read::Numbers;
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{CheckedSub, ToPrimitive};
use std::fmt::Display;

/// A non-negative cost. The caller ensures that sums and products fit: a sum of costs has two bits to spare.
pub trait Cost:
    Clone + Integer + CheckedSub + ToPrimitive + Display + From<u64> + Into<BigUint> + TryFrom<BigUint>
{
    /// The sum.
    fn plus(&self, other: &Self) -> Self;
    /// The product.
    fn times(&self, other: &Self) -> Self;
    /// Half of it, rounded down.
    fn half(&self) -> Self;
    /// Reads a cost. Fails if it does not fit or is malformed.
    fn read(numbers: &mut Numbers, what: &'static str) -> Result<Self, Wrong>;

    /// Converts an integer; 0 stands for one that does not fit.
    fn narrowed(big: &BigUint) -> Self {
        big.clone().try_into().unwrap_or_else(|_| Self::zero())
    }
}

macro_rules! machine_cost {
    ($type:ty, |$numbers:ident, $what:ident| $read:expr) => {
        impl Cost for $type {
            #[inline]
            fn plus(&self, other: &Self) -> Self {
                self.wrapping_add(*other)
            }
            #[inline]
            fn times(&self, other: &Self) -> Self {
                self.wrapping_mul(*other)
            }
            #[inline]
            fn half(&self) -> Self {
                self >> 1
            }
            fn read($numbers: &mut Numbers, $what: &'static str) -> Result<Self, Wrong> {
                $read
            }
        }
    };
}

machine_cost!(u64, |numbers, what| numbers.small(what));
machine_cost!(u128, |numbers, what| {
    numbers.big(what)?.to_u128().ok_or(Wrong::Number { what, problem: "too large" })
});

impl Cost for BigUint {
    fn plus(&self, other: &Self) -> Self {
        self + other
    }
    fn times(&self, other: &Self) -> Self {
        self * other
    }
    fn half(&self) -> Self {
        self >> 1u32
    }
    fn read(numbers: &mut Numbers, what: &'static str) -> Result<Self, Wrong> {
        numbers.big(what)
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
