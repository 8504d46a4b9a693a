//! Values of rt-app's JSON.

use crate::figures::{Figure, Found, Time, error};
use isx_exact::quantity::{Rational, TimeUnit};
use isx_taskset::{Source, shortened};
use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged;
use num_bigint::BigInt;
use std::ops::Range;
use std::sync::Arc;

/// rt-app's integer type for numbers.
const MAX_NUMBER: i64 = i32::MAX as i64;

/// The byte range of a node.
pub(super) fn bytes(node: &impl Ranged) -> Range<usize> {
    node.start()..node.end()
}

/// The object value of a property.
pub(super) fn object<'a, 'i>(
    source: &Arc<Source>,
    property: &'a ObjectProp<'i>,
    owner: &str,
) -> Found<&'a Object<'i>> {
    match &property.value {
        Value::Object(object) => Ok(object),
        other => {
            let message = format!("`{}` of {owner} is no object", shortened(property.name.as_str()));
            Err(error(source, bytes(other), message).label("`{ .. }` is due here"))
        }
    }
}

pub(super) fn twice(
    source: &Arc<Source>,
    again: &ObjectProp<'_>,
    owner: &str,
) -> Box<isx_taskset::Diagnostic> {
    let message = format!("`{}` of {owner} is given twice", shortened(again.name.as_str()));
    error(source, bytes(&again.name), message).label("given again here").help("keep one of them")
}

/// A property that may occur once.
pub(super) fn once<'a, 'i>(
    source: &Arc<Source>,
    object: &'a Object<'i>,
    key: &str,
    owner: &str,
) -> Found<Option<&'a ObjectProp<'i>>> {
    let mut found = object.properties.iter().filter(|property| property.name.as_str() == key);
    let first = found.next();
    found.next().map_or(Ok(first), |again| Err(twice(source, again, owner)))
}

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

/// The text under a key, if its value is a text.
pub(super) fn text<'a>(object: &'a Object<'_>, key: &str) -> Option<(&'a str, usize)> {
    let property = object.properties.iter().find(|property| property.name.as_str() == key)?;
    match &property.value {
        Value::StringLit(literal) => Some((literal.value.as_ref(), property.start())),
        _ => None,
    }
}
