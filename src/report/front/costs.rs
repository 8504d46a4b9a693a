//! The columns of cost that reports have: one called `area` with the set's unit, or one per resource.

use crate::text::{visible, with_unit};
use isx_design::front::ChosenDesign;
use isx_exact::quantity::{Rational, format_decimal};
use isx_taskset::{Resources, TaskSet};
use num_traits::Zero;
use serde_json::{Map, Value};

/// The name of the only column of cost in a set with one area.
pub(crate) const AREA: &str = "area";

/// The names of the columns of cost, in the order of [`Design::cost`](isx_design::front::Design::cost).
pub(crate) fn names(task_set: &TaskSet) -> Vec<&str> {
    match &task_set.resources {
        Some(resources) => resources.names.iter().map(String::as_str).collect(),
        None => vec![AREA],
    }
}

/// A cost in words: `120 NAND2`, or with several resources `LUT 120, DSP 4`.
pub(crate) fn in_words(cost: &[Rational], task_set: &TaskSet) -> String {
    words(cost, task_set.resources.as_ref(), &task_set.area_unit)
}

/// As [`in_words`], for a set with these resources, or with an area in this unit.
pub(crate) fn words(cost: &[Rational], resources: Option<&Resources>, area_unit: &str) -> String {
    match (resources, cost.first()) {
        (Some(resources), _) => with_names(resources, cost),
        (None, Some(area)) => with_unit(area, area_unit),
        (None, None) => String::new(),
    }
}

/// The cost of a choice or block alone in words: `120`, or with several resources `LUT 120`, without what costs nothing.
pub(crate) fn own(cost: &[Rational], resources: Option<&Resources>) -> String {
    let Some(resources) = resources else { return cost.first().map_or_else(String::new, format_decimal) };
    let counted = resources.names.iter().zip(cost).filter(|(_, cost)| !cost.is_zero());
    let counted: Vec<String> =
        counted.map(|(name, cost)| format!("{} {}", visible(name), format_decimal(cost))).collect();
    if counted.is_empty() { "0".to_owned() } else { counted.join(", ") }
}

/// As [`in_words`], with several resources.
pub(crate) fn with_names(resources: &Resources, cost: &[Rational]) -> String {
    let costs = resources.names.iter().zip(cost);
    let costs: Vec<String> =
        costs.map(|(name, cost)| format!("{} {}", visible(name), format_decimal(cost))).collect();
    costs.join(", ")
}

/// A cost as a JSON object: `{"LUT": "120", "DSP": "4"}`, exact decimals.
pub(crate) fn object(resources: &Resources, cost: &[Rational]) -> Map<String, Value> {
    let costs = resources.names.iter().zip(cost);
    costs.map(|(name, cost)| (name.clone(), format_decimal(cost).into())).collect()
}

/// The limits as a JSON object, without the resources that have none.
pub(crate) fn limits(resources: &Resources) -> Map<String, Value> {
    let limits = resources.names.iter().zip(&resources.limits);
    let limit = |(name, limit): (&String, &Option<Rational>)| {
        Some((name.clone(), format_decimal(limit.as_ref()?).into()))
    };
    limits.filter_map(limit).collect()
}

/// What a cost leaves of the limits: `LUT 604, DSP 4`; `None` if nothing is limited.
pub(crate) fn left(resources: &Resources, cost: &[Rational]) -> Option<String> {
    let parts = resources.names.iter().zip(&resources.limits).zip(cost);
    let parts = parts.filter_map(|((name, limit), cost)| {
        Some(format!("{} {}", visible(name), format_decimal(&(limit.as_ref()? - cost))))
    });
    let parts: Vec<String> = parts.collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The costs of the minimal schedulable designs: `LUT 120, DSP 4 or LUT 300, DSP 0`, at most some of them.
pub(crate) fn minimal_in_words(minimal: &[ChosenDesign], task_set: &TaskSet) -> String {
    const MOST: usize = 3;
    let costs = minimal.iter().take(MOST).map(|chosen| in_words(&chosen.design.cost, task_set));
    let more = match minimal.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" or {more} more"),
    };
    costs.collect::<Vec<_>>().join(" or ") + &more
}

/// The limits in words: `LUT 5280, DSP 8`; empty if there are none.
pub(crate) fn limits_in_words(resources: &Resources) -> String {
    let limits = resources.names.iter().zip(&resources.limits);
    let limits = limits
        .filter_map(|(name, limit)| Some(format!("{} {}", visible(name), format_decimal(limit.as_ref()?))));
    limits.collect::<Vec<_>>().join(", ")
}
