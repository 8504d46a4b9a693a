//! Reads the numbers of a file exactly from their text; invalid ones are reported at their location.

use std::ops::Range;
use std::sync::Arc;

use num_traits::Zero;

use crate::{Diagnostic, Source};
pub use crate::{Found, meant};
use isx_exact::quantity::{
    QuantityError, Rational, TimeUnit, parse_decimal, parse_fraction, parse_rate, parse_signed_decimal,
    parse_time,
};

/// An error at this byte range of a text.
pub fn error(source: &Arc<Source>, place: Range<usize>, message: impl Into<String>) -> Box<Diagnostic> {
    Diagnostic::error(source, place, message)
}

/// A time, in seconds or in the unit of a file's plain numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Time {
    /// The number.
    pub value: Rational,
    /// Whether it is in seconds.
    pub unit: TimeUnit,
}

/// A figure as written: its description, such as "`period` of task `radio`", and its location.
pub struct Figure<'t> {
    /// The file.
    pub source: &'t Arc<Source>,
    /// As it is written.
    pub text: &'t str,
    /// Where it stands.
    pub place: Range<usize>,
    /// Its description.
    pub what: String,
}

impl Figure<'_> {
    /// A non-negative number, or a fraction of two of them.
    pub fn number(&self) -> Found<Rational> {
        parse_fraction(self.text).map_err(|problem| self.refused(&problem))
    }

    /// A decimal of any sign.
    pub fn decimal(&self) -> Found<Rational> {
        parse_signed_decimal(self.text).map_err(|problem| self.refused(&problem))
    }

    /// A decimal that is not negative.
    pub fn not_negative(&self) -> Found<Rational> {
        parse_decimal(self.text).map_err(|problem| self.refused(&problem))
    }

    /// A number above 0.
    pub fn positive(&self) -> Found<Rational> {
        self.above_zero(self.number()?)
    }

    /// A non-negative time: with a unit, or in `unit`, which may be empty for no unit.
    pub fn time(&self, unit: &str) -> Found<Time> {
        let (value, own) = parse_time(self.text).map_err(|problem| self.refused(&problem))?;
        match (own, unit) {
            (_, "") => Ok(Time { value, unit: own }),
            (TimeUnit::None, _) => {
                let (scale, _) =
                    parse_time(&format!("1 {unit}")).map_err(|problem| self.refused(&problem))?;
                Ok(Time { value: value * scale, unit: TimeUnit::Seconds })
            }
            (TimeUnit::Seconds, _) => {
                let message = format!("{} has a unit, though it should be in {unit}", self.what);
                Err(error(self.source, self.place.clone(), message)
                    .label("expected a plain number")
                    .help("the unit has been given already: leave it out here, or there"))
            }
        }
    }

    /// A time above 0, as [`Figure::time`].
    pub fn positive_time(&self, unit: &str) -> Found<Time> {
        let time = self.time(unit)?;
        let value = self.above_zero(time.value)?;
        Ok(Time { value, ..time })
    }

    /// A time above 0 in a format whose figures have no unit: it is in `unit`, which may be empty for no unit.
    pub fn bare_time(&self, unit: &str) -> Found<Time> {
        let time = self.positive_time(unit)?;
        if time.unit == TimeUnit::None || !unit.is_empty() {
            return Ok(time);
        }
        let message = format!("{} has a unit, which this format does not have", self.what);
        Err(error(self.source, self.place.clone(), message).label("expected a plain number"))
    }

    /// A clock rate above 0, in hertz.
    pub fn rate(&self) -> Found<Rational> {
        let hertz = parse_rate(self.text).map_err(|problem| self.refused(&problem))?;
        self.above_zero(hertz)
    }

    /// A non-negative whole number.
    pub fn whole(&self) -> Found<Rational> {
        let value = self.number()?;
        if value.is_integer() {
            return Ok(value);
        }
        let message = format!("{} is no whole number", self.what);
        Err(error(self.source, self.place.clone(), message).label("expected a whole number"))
    }

    /// The value, which must be above 0.
    pub fn above_zero(&self, value: Rational) -> Found<Rational> {
        if !value.is_zero() {
            return Ok(value);
        }
        let message = format!("{} must be greater than 0", self.what);
        Err(error(self.source, self.place.clone(), message).label("this is 0"))
    }

    fn refused(&self, problem: &QuantityError) -> Box<Diagnostic> {
        let label = match problem {
            QuantityError::Negative(_) => "expected a number that is not negative",
            QuantityError::NotFinite(_) | QuantityError::Empty => "expected a number",
            QuantityError::Unit { .. } => "expected another unit",
            QuantityError::NoUnit { .. } => "expected a number with its unit",
            _ => "expected a plain decimal number",
        };
        error(self.source, self.place.clone(), format!("{}: {problem}", self.what)).label(label)
    }
}
