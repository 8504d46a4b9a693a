//! Values of rt-app's JSON.

use crate::figures::{Figure, Found, Time, error};
use crate::json::{bytes, once};
use isx_exact::quantity::{Rational, TimeUnit};
use isx_taskset::Source;
use jsonc_parser::ast::{Object, Value};
use num_bigint::BigInt;
use std::sync::Arc;

/// rt-app's integer type for numbers.
const MAX_NUMBER: i64 = i32::MAX as i64;

/// A whole number from 0 to rt-app's maximum.
pub(super) fn number(source: &Arc<Source>, value: &Value<'_>, what: String) -> Found<Rational> {
    let place = bytes(value);
    let Value::NumberLit(literal) = value else {
        return Err(error(source, place, format!("{what} is no number")).label("a whole number is due here"));
    };
    let number = Figure { source, text: literal.value, place: place.clone(), what: what.clone() }.whole()?;
    if number <= Rational::from_integer(MAX_NUMBER.into()) {
        return Ok(number);
    }
    let message = format!("{what} is larger than {MAX_NUMBER}, the most that rt-app reads");
    Err(error(source, place, message).label("a smaller number is due here"))
}

/// A number of microseconds under a key; `None` if the key is absent.
pub(super) fn micros(
    source: &Arc<Source>,
    object: &Object<'_>,
    key: &str,
    owner: &str,
) -> Found<Option<Rational>> {
    let Some(property) = once(source, object, key, owner)? else { return Ok(None) };
    number(source, &property.value, format!("`{key}` of {owner}")).map(Some)
}

pub(super) fn in_seconds(micros: &Rational) -> Time {
    Time { value: micros / Rational::from_integer(BigInt::from(1_000_000)), unit: TimeUnit::Seconds }
}
