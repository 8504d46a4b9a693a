//! The integer types that can hold sums of values: the arithmetic tiers.

use num_bigint::BigInt;
use num_traits::{CheckedAdd, CheckedMul, Signed, ToPrimitive, Zero};
use std::fmt;

/// An exact integer type for values and their sums.
///
/// Implemented for `i32`, `i64`, `i128` and [`BigInt`]. The fixed-size types overflow silently or panic outside their
/// range: [`Tier::narrowest`] selects one in which no sum of a given problem does.
pub trait Value: Clone + Ord + fmt::Debug + fmt::Display + Send + Sync + 'static {
    /// The tier of this type.
    const TIER: Tier;
    /// Zero.
    fn zero() -> Self;
    /// A value below zero: less than every reachable value.
    fn minus_one() -> Self;
    /// The sum.
    fn plus(&self, other: &Self) -> Self;
    /// The difference.
    fn minus(&self, other: &Self) -> Self;
    /// The same number as a big integer.
    fn to_big(&self) -> BigInt;
    /// The number in this type, if it fits.
    fn from_big(value: &BigInt) -> Option<Self>;
    /// Number `index` of `values` in this type, if it fits. Panics if the index is out of range.
    fn at(values: &Values, index: usize) -> Option<Self>;
    /// Wraps a vector of these.
    fn store(values: Vec<Self>) -> Values;
}

macro_rules! fixed_size_value {
    ($type:ty, $tier:ident, $convert:ident) => {
        impl Value for $type {
            const TIER: Tier = Tier::$tier;
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
            fn at(values: &Values, index: usize) -> Option<Self> {
                values.get_i128(index)?.try_into().ok()
            }
            fn store(values: Vec<Self>) -> Values {
                Values::$tier(values)
            }
        }
    };
}

fixed_size_value!(i32, I32, to_i32);
fixed_size_value!(i64, I64, to_i64);
fixed_size_value!(i128, I128, to_i128);

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
    fn at(values: &Values, index: usize) -> Option<Self> {
        Some(values.get(index))
    }
    fn store(values: Vec<Self>) -> Values {
        Values::Big(values)
    }
}

/// The integer width of an answer; every tier is exact.
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
    /// The narrowest tier that holds every sum of absolute value up to `bound`, with a bit to spare.
    ///
    /// ```
    /// use isx_problems::value::Tier;
    /// assert_eq!(Tier::narrowest(&((1i64 << 30) - 1).into()), Tier::I32);
    /// assert_eq!(Tier::narrowest(&(1i64 << 30).into()), Tier::I64);
    /// ```
    pub fn narrowest(bound: &BigInt) -> Self {
        match bound.abs().bits() {
            0..=30 => Self::I32,
            31..=62 => Self::I64,
            63..=126 => Self::I128,
            _ => Self::Big,
        }
    }

    /// The name in outputs: `i32`, `i64`, `i128` or `big`.
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

/// Values of one tier, one per front point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// 32-bit values.
    I32(Vec<i32>),
    /// 64-bit values.
    I64(Vec<i64>),
    /// 128-bit values.
    I128(Vec<i128>),
    /// Values of any size.
    Big(Vec<BigInt>),
}

/// The same for the vector of any tier.
macro_rules! in_each {
    ($of:expr, $values:ident => $body:expr) => {
        match $of {
            Values::I32($values) => $body,
            Values::I64($values) => $body,
            Values::I128($values) => $body,
            Values::Big($values) => $body,
        }
    };
}

impl Values {
    /// The number of values.
    pub fn len(&self) -> usize {
        in_each!(self, values => values.len())
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of point `index`. Panics if the index is out of range.
    pub fn get(&self, index: usize) -> BigInt {
        in_each!(self, values => values[index].to_big())
    }

    /// The value of point `index` as a machine integer, if it fits. Panics if the index is out of range.
    pub fn get_i128(&self, index: usize) -> Option<i128> {
        in_each!(self, values => values[index].to_i128())
    }

    /// Removes the value of point `index`.
    pub fn remove(&mut self, index: usize) {
        in_each!(self, values => drop(values.remove(index)));
    }

    /// `offset + unit * value` for every value, in the narrowest integers of 64 bits or more that hold all of them.
    pub fn scaled(&self, offset: &BigInt, unit: &BigInt) -> Self {
        let in_64 = || self.scaled_in(offset, unit, |value| value.to_i64()).map(Self::I64);
        let in_128 = || self.scaled_in(offset, unit, |value| value.to_i128()).map(Self::I128);
        let in_any = || (0..self.len()).map(|index| offset + unit * self.get(index)).collect();
        in_64().or_else(in_128).unwrap_or_else(|| Self::Big(in_any()))
    }

    /// As [`Values::scaled`], in integers of one width; `None` if they are too narrow.
    fn scaled_in<T: CheckedMul + CheckedAdd>(
        &self,
        offset: &BigInt,
        unit: &BigInt,
        narrow: impl Fn(&BigInt) -> Option<T>,
    ) -> Option<Vec<T>>
    where
        i128: TryInto<T>,
    {
        let (offset, unit) = (narrow(offset)?, narrow(unit)?);
        let scaled = |index| {
            let value: T = self.get_i128(index)?.try_into().ok()?;
            value.checked_mul(&unit)?.checked_add(&offset)
        };
        (0..self.len()).map(scaled).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaled_values_are_exact_in_the_narrowest_integers() {
        let values = Values::I32(vec![0, 7, 1 << 29]);
        let scaled = values.scaled(&BigInt::from(-3), &BigInt::from(2));
        assert_eq!(scaled, Values::I64(vec![-3, 11, (1 << 30) - 3]));
        let wide = values.scaled(&BigInt::from(1), &(BigInt::from(1) << 40));
        assert_eq!(wide, Values::I128(vec![1, (7 << 40) + 1, (1 << 69) + 1]));
        let unit: BigInt = BigInt::from(1) << 200;
        assert_eq!(values.scaled(&BigInt::from(1), &unit).get(2), (unit << 29) + 1);
        // The offset alone may exceed a width that the sums do not.
        let offset: BigInt = BigInt::from(-1) << 65;
        let sums = Values::I128(vec![1 << 65, (1 << 65) + 5]).scaled(&offset, &BigInt::from(1));
        assert_eq!((sums.get(0), sums.get(1)), (BigInt::from(0), BigInt::from(5)));
    }
}
