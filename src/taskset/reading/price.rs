//! Reads what a block, choice or variant costs: an `area`, or a `cost` in the resources of the set.

use std::sync::Arc;

use isx_exact::quantity::{Rational, parse_decimal};
use num_traits::Zero;

use super::fields::{Field, Fields, Least};
use super::resources::{amounts, first_name, without_resources};
use super::tree::Value;
use crate::diagnostics::{Diagnostic, Found, Source, shortened};
use crate::model::{MAX_RESOURCES, Resources, name_problem};

/// What hardware costs: an area, or an amount of every resource.
#[derive(Default)]
pub struct Price {
    pub area: Rational,
    pub cost: Vec<Rational>,
}

impl Price {
    /// Hardware that costs nothing.
    pub fn nothing(resources: Option<&Resources>) -> Self {
        let count = resources.map_or(0, |resources| resources.names.len());
        Self { area: Rational::zero(), cost: vec![Rational::zero(); count] }
    }

    /// Reads the `area` of a block or choice, or its `cost` if the set has resources; `None` if neither is given.
    pub fn read(
        source: &Arc<Source>,
        resources: Option<&Resources>,
        hardware: &Fields<'_>,
    ) -> Found<Option<Self>> {
        match (resources, hardware.get("area"), hardware.get("cost")) {
            (None, _, Some(cost)) => Err(cost_without_resources(cost)),
            (None, Some(field), None) => Ok(Some(Self { area: area(field)?, cost: Vec::new() })),
            (Some(resources), Some(area), _) => {
                let cost = match area.node.text() {
                    Some(text) if shortened(text) == text => text,
                    _ => "..",
                };
                Err(area
                    .error("stands in a set with `resources`")
                    .label("a `cost` is due here")
                    .help(format!("write for example `cost: {{{}: {cost}}}`", first_name(resources))))
            }
            (Some(resources), None, Some(field)) => {
                Ok(Some(Self { area: Rational::zero(), cost: amounts(source, field, resources)? }))
            }
            (_, None, None) => Ok(None),
        }
    }

    /// The error for hardware without a price.
    pub fn missing(resources: Option<&Resources>, hardware: &Fields<'_>) -> Box<Diagnostic> {
        match resources {
            None => hardware.missing("area"),
            Some(resources) => hardware
                .missing("cost")
                .help(format!("add what it costs, for example `cost: {{{}: 41}}`", first_name(resources))),
        }
    }
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
