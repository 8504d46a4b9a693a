//! Objects and values of rt-app's JSON.

use crate::figures::{Figure, Found, Time, error};
use crate::json::{Entries, bytes};
use isx_exact::quantity::{Rational, TimeUnit};
use isx_taskset::{Diagnostic, Source, shortened};
use jsonc_parser::ast::{ObjectProp, Value};
use num_bigint::BigInt;
use num_traits::Zero;
use std::ops::Range;
use std::sync::Arc;

/// rt-app's integer type for numbers.
const MAX_NUMBER: i64 = i32::MAX as i64;

/// The number of a property: a whole one from 0 to rt-app's maximum.
pub(super) fn number(of: Entries<'_>, property: &ObjectProp<'_>) -> Found<Rational> {
    let (source, place) = (of.source, bytes(&property.value));
    let what = format!("`{}` of {}", shortened(property.name.as_str()), of.owner);
    let refused = |message: String| error(source, place.clone(), message);
    let Value::NumberLit(literal) = &property.value else {
        return Err(refused(format!("{what} is no number")).label("expected a whole number"));
    };
    let figure = Figure { source, text: literal.value, place: place.clone(), what: what.clone() };
    let number = figure.whole()?;
    if number <= Rational::from_integer(MAX_NUMBER.into()) {
        return Ok(number);
    }
    let message = format!("{what} is larger than {MAX_NUMBER}, the most that rt-app reads");
    Err(refused(message).label("expected a smaller number"))
}

/// The number of microseconds under a key; `None` if the key is absent.
pub(super) fn micros(of: Entries<'_>, key: &str) -> Found<Option<Rational>> {
    of.once(key)?.map(|property| number(of, property)).transpose()
}

/// The error for a 0 at this place.
pub(super) fn zero(source: &Arc<Source>, place: Range<usize>, what: &str) -> Box<Diagnostic> {
    error(source, place, format!("{what} must be greater than 0")).label("this is 0")
}

/// The number, unless it is 0.
pub(super) fn above_zero(number: Option<Rational>) -> Option<Rational> {
    number.filter(|number| !number.is_zero())
}

pub(super) fn in_seconds(micros: &Rational) -> Time {
    Time { value: micros / Rational::from_integer(BigInt::from(1_000_000)), unit: TimeUnit::Seconds }
}
