//! Ranges as a recipe writes them, `LOW..HIGH` with both ends included: `10..1024`, `0.05..0.60`.

use crate::quantity::{QuantityError, Rational, Written, parse_decimal};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::fmt;
use std::str::FromStr;

/// The most decimal places of the ends of a [`DecimalRange`].
pub const MAX_PLACES: u32 = 9;

/// Why a text is not a range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RangeError {
    /// An end is not a number.
    #[error("`{text}` is not a range `LOW..HIGH`: {source}")]
    Number {
        /// The range as written.
        text: String,
        /// What is wrong with the end.
        source: QuantityError,
    },
    /// An integer was expected.
    #[error("`{0}` is not a range of integers below 10^15; write `LOW..HIGH`, for example `10..1024`")]
    NotInteger(String),
    /// LOW is above HIGH.
    #[error("the range `{0}` is empty: its low end is above its high end")]
    Empty(String),
    /// Too many decimals or too large.
    #[error(
        "`{0}` has an exponent, more than {MAX_PLACES} decimals or an end of 10^15 units of its last decimal or more"
    )]
    TooFine(String),
}

/// Integers from `low` to `high`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntRange {
    /// The smallest.
    pub low: u64,
    /// The largest; not below `low`.
    pub high: u64,
}

impl IntRange {
    /// Whether the integer lies in the range.
    pub fn contains(self, x: u64) -> bool {
        (self.low..=self.high).contains(&x)
    }
}

impl fmt::Display for IntRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.low, self.high)
    }
}

impl FromStr for IntRange {
    type Err = RangeError;

    /// Reads `10..1024`, or `7` for `7..7`.
    fn from_str(text: &str) -> Result<Self, RangeError> {
        let range = DecimalRange::from_str(text)?;
        if range.places != 0 {
            return Err(RangeError::NotInteger(text.to_owned()));
        }
        Ok(Self { low: range.low, high: range.high })
    }
}

/// Decimals from `low` to `high`, both included, on the grid of 10^-places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecimalRange {
    /// The smallest, in units of 10^-places.
    pub low: u64,
    /// The largest, in units of 10^-places; not below `low`.
    pub high: u64,
    /// Decimal places of every number drawn: as many as the ends are written with.
    pub places: u32,
}

impl DecimalRange {
    /// The number that is `digits` units of the last decimal place.
    pub fn value(self, digits: u64) -> Rational {
        Rational::new(BigInt::from(digits), BigInt::from(self.unit()))
    }

    /// Units of the last decimal place per 1: 10^places.
    pub fn unit(self) -> u64 {
        10_u64.pow(self.places.min(MAX_PLACES))
    }

    /// The decimal text of `digits` units of the last decimal place, with trailing zeros.
    pub fn text(self, digits: u64) -> String {
        if self.places == 0 {
            return digits.to_string();
        }
        let places = self.places.min(MAX_PLACES) as usize;
        let padded = format!("{digits:0>width$}", width = places + 1);
        let (whole, fraction) = padded.split_at(padded.len() - places);
        format!("{whole}.{fraction}")
    }
}

impl fmt::Display for DecimalRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.text(self.low), self.text(self.high))
    }
}

impl FromStr for DecimalRange {
    type Err = RangeError;

    /// Reads `0.05..0.60`, or `7` for `7..7`; the decimal places of the ends set the grid of the numbers drawn.
    fn from_str(text: &str) -> Result<Self, RangeError> {
        let (low_text, high_text) = text.split_once("..").unwrap_or((text, text));
        // Ends that are not numbers have no decimal places here; parsing them below reports the error.
        let written = || [low_text, high_text].into_iter().filter_map(|end| Written::of(end.trim()));
        let decimals = written().map(|end| end.fraction.len()).max().unwrap_or(0);
        let places = u32::try_from(decimals).unwrap_or(u32::MAX);
        if places > MAX_PLACES || written().any(|end| end.exponent.is_some()) {
            return Err(RangeError::TooFine(text.to_owned()));
        }
        let digits = |end: &str| {
            let value =
                parse_decimal(end).map_err(|source| RangeError::Number { text: text.to_owned(), source })?;
            let scaled = value * BigInt::from(10_u64.pow(places));
            scaled
                .to_integer()
                .to_u64()
                .filter(|&digits| digits < 1_000_000_000_000_000)
                .ok_or_else(|| RangeError::TooFine(text.to_owned()))
        };
        let (low, high) = (digits(low_text)?, digits(high_text)?);
        if low > high {
            return Err(RangeError::Empty(text.to_owned()));
        }
        Ok(Self { low, high, places })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_print_as_they_are_read() {
        for text in ["10..1024", "7..7", "0..0"] {
            assert_eq!(text.parse::<IntRange>().unwrap().to_string(), text);
        }
        for text in ["0.05..0.60", "1..2", "0.500..12.000"] {
            assert_eq!(text.parse::<DecimalRange>().unwrap().to_string(), text);
        }
        assert_eq!("7".parse::<IntRange>().unwrap(), IntRange { low: 7, high: 7 });
        assert_eq!("1..2.50".parse::<DecimalRange>().unwrap().to_string(), "1.00..2.50");
    }

    #[test]
    fn every_kind_of_invalid_range_is_refused() {
        assert!(matches!("5..3".parse::<IntRange>(), Err(RangeError::Empty(_))));
        assert!(matches!("1.5..3".parse::<IntRange>(), Err(RangeError::NotInteger(_))));
        assert!(matches!("a..3".parse::<IntRange>(), Err(RangeError::Number { .. })));
        assert!(
            matches!("one..three".parse::<IntRange>(), Err(RangeError::Number { .. })),
            "an e, no exponent"
        );
        assert!(matches!("1...3".parse::<DecimalRange>(), Err(RangeError::Empty(_))), "1 .. .3");
        assert!(matches!("0.0000000001..1".parse::<DecimalRange>(), Err(RangeError::TooFine(_))));
        assert!(matches!("1e3..2e3".parse::<DecimalRange>(), Err(RangeError::TooFine(_))));
        assert!(matches!("1..1000000000000000".parse::<IntRange>(), Err(RangeError::TooFine(_))));
        assert!("1..999999999999999".parse::<IntRange>().is_ok());
        assert!("0.000000001..999999.999999999".parse::<DecimalRange>().is_ok());
        assert!(matches!("0.1..1000000.000000000".parse::<DecimalRange>(), Err(RangeError::TooFine(_))));
    }
}
