//! The columns of cost that reports have: one called `area` with the set's unit, or one per resource.

use crate::text::{joined, visible, with_unit};
use isx_design::front::ChosenDesign;
use isx_exact::quantity::{Rational, format_decimal};
use isx_taskset::{Resources, TaskSet, in_percent};
use num_traits::{One, Zero};
use serde_json::{Map, Value};

/// The name of the only column of cost in a set with one area.
pub const AREA: &str = "area";

/// The names of the columns of cost, in the order of [`Design::cost`](isx_design::front::Design::cost).
pub fn names(task_set: &TaskSet) -> Vec<&str> {
    match task_set.named_resources() {
        Some(resources) => resources.names.iter().map(String::as_str).collect(),
        None => vec![AREA],
    }
}

/// A cost in words: `120 NAND2`, or with several resources `LUT 120, DSP 4`.
pub fn in_words(cost: &[Rational], task_set: &TaskSet) -> String {
    words(cost, task_set.named_resources(), task_set.area_unit())
}

/// As [`in_words`], for a set with these resources, or with an area in this unit.
pub fn words(cost: &[Rational], resources: Option<&Resources>, area_unit: &str) -> String {
    match (resources, cost.first()) {
        (Some(resources), _) => with_names(resources, cost),
        (None, Some(area)) => with_unit(area, area_unit),
        (None, None) => String::new(),
    }
}

/// The cost of a choice or block alone in words: `120`, or with several resources `LUT 120`, without what costs nothing.
pub fn own(cost: &[Rational], resources: Option<&Resources>) -> String {
    let Some(resources) = resources else { return cost.first().map_or_else(String::new, format_decimal) };
    let counted = named(resources, &mut cost.iter().map(|cost| (!cost.is_zero()).then(|| cost.clone())));
    if counted.is_empty() { "0".to_owned() } else { counted }
}

/// A cost in words: `LUT 120, DSP 4`.
pub fn with_names(resources: &Resources, cost: &[Rational]) -> String {
    named(resources, &mut cost.iter().map(|cost| Some(cost.clone())))
}

/// The amounts that there are, each after its resource.
fn named(resources: &Resources, amounts: &mut dyn Iterator<Item = Option<Rational>>) -> String {
    let amounts = resources.names.iter().zip(amounts);
    let mut words =
        amounts.filter_map(|(name, amount)| Some(format!("{} {}", visible(name), format_decimal(&amount?))));
    joined(&mut words, ", ")
}

/// A cost as a JSON object: `{"LUT": "120", "DSP": "4"}`, exact decimals.
pub fn object(resources: &Resources, cost: &[Rational]) -> Map<String, Value> {
    let costs = resources.names.iter().zip(cost);
    costs.map(|(name, cost)| (name.clone(), format_decimal(cost).into())).collect()
}

/// The limits as a JSON object, without the resources that have none.
pub fn limits(resources: &Resources) -> Map<String, Value> {
    let limits = resources.names.iter().zip(&resources.limits);
    let limit = |(name, limit): (&String, &Option<Rational>)| {
        Some((name.clone(), format_decimal(limit.as_ref()?).into()))
    };
    limits.filter_map(limit).collect()
}

/// What a cost leaves of the limits: `LUT 604, DSP 4`; empty if nothing is limited.
pub fn left(resources: &Resources, cost: &[Rational]) -> String {
    let limits = resources.limits.iter().zip(cost);
    named(resources, &mut limits.map(|(limit, cost)| Some(limit.as_ref()? - cost)))
}

/// The costs of the minimal schedulable designs: `LUT 120, DSP 4 or LUT 300, DSP 0`, at most some of them.
pub fn minimal_in_words(minimal: &[ChosenDesign], task_set: &TaskSet) -> String {
    const MOST: usize = 3;
    let mut costs = minimal.iter().take(MOST).map(|chosen| in_words(&chosen.design.cost, task_set));
    let more = match minimal.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" or {more} more"),
    };
    joined(&mut costs, " or ") + &more
}

/// The limits in words: `LUT 4224 (80 % of 5280), DSP 8`; empty if there are none.
pub fn limits_in_words(resources: &Resources) -> String {
    resources.limits_in_words().map(|limits| visible(&limits).to_string()).unwrap_or_default()
}

/// The parts of a device that may be used: `80 % of LUT, 90 % of DSP`; empty if that is all of it.
pub fn fill_in_words(resources: &Resources) -> String {
    let parts = resources.names.iter().zip(&resources.fill).filter(|(_, fill)| !fill.is_one());
    let mut parts = parts.map(|(name, fill)| format!("{} of {name}", in_percent(fill)));
    joined(&mut parts, ", ")
}
