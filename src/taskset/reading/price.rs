//! Reads what a block, choice or variant costs: an `area`, or a `cost` in the resources of the set.

use isx_exact::quantity::{Rational, parse_decimal};

use super::fields::{Field, Fields, Least};
use super::resources::{amounts, first_name, without_resources};
use super::tree::Value;
use crate::diagnostics::{Diagnostic, Found, shortened};
use crate::model::{MAX_RESOURCES, Resources, name_problem};

/// Reads the `area` of hardware, or its `cost` if resources have names; `None` if neither is given.
pub fn cost(resources: &Resources, hardware: &Fields<'_>) -> Found<Option<Vec<Rational>>> {
    let is_area = resources.area_unit.is_some();
    match (is_area, hardware.get("area"), hardware.get("cost")) {
        (true, _, Some(cost)) => Err(cost_without_resources(cost)),
        (true, Some(field), None) => Ok(Some(vec![area(field)?])),
        (false, Some(area), _) => {
            let cost = match area.node.text() {
                Some(text) if shortened(text) == text => text,
                _ => "..",
            };
            Err(area
                .error("stands in a set with `resources`")
                .label("a `cost` is due here")
                .help(format!("write for example `cost: {{{}: {cost}}}`", first_name(resources))))
        }
        (false, None, Some(field)) => Ok(Some(amounts(field, resources)?)),
        (_, None, None) => Ok(None),
    }
}

/// The error for hardware without a cost.
pub fn without_cost(resources: &Resources, hardware: &Fields<'_>) -> Box<Diagnostic> {
    let missing = hardware.missing(cost_key(resources));
    match resources.area_unit {
        Some(_) => missing,
        None => {
            missing.help(format!("add what it costs, for example `cost: {{{}: 41}}`", first_name(resources)))
        }
    }
}

/// The key under which hardware gives what it costs.
pub fn cost_key(resources: &Resources) -> &'static str {
    if resources.area_unit.is_some() { "area" } else { "cost" }
}

/// The error for a `cost` in a set with one area: the names it gives may be the resources that were forgotten.
fn cost_without_resources(cost: Field<'_>) -> Box<Diagnostic> {
    let names: Vec<&str> = match &cost.node.value {
        Value::Map(entries) => entries.iter().filter_map(|(key, _)| key.text()).collect(),
        _ => Vec::new(),
    };
    let are_names = !names.is_empty()
        && names.len() <= MAX_RESOURCES
        && names.iter().all(|name| name.len() < 20 && name_problem(name).is_none());
    without_resources(cost, if are_names { &names } else { &["LUT", "DSP"] })
}

/// An area, 0 or greater.
fn area(field: Field<'_>) -> Found<Rational> {
    field.quantity("a number", Least::Zero, parse_decimal).map_err(|error| match field.node.text() {
        Some(text) if text.contains(char::is_alphabetic) => {
            error.help("areas are plain numbers; name their unit once, as `area_unit` of the task set")
        }
        _ => error,
    })
}
