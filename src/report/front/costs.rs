//! Costs in words. Only this file distinguishes an area with its unit from resources with names.

use super::Point;
use super::fields::{Amount, InOrder};
use crate::text::{joined, visible, with_unit};
use isx_exact::quantity::{Rational, format_decimal};
use isx_taskset::{Resources, in_percent};
use num_traits::{One, Zero};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use std::ops::Deref;

/// The name of the only column of cost in a set with one area.
pub const AREA: &str = "area";

/// Whether the only resource is called an area.
pub fn is_area(resources: &Resources) -> bool {
    resources.area_unit.is_some()
}

/// What a design costs: an area, or a cost in several resources.
pub fn word(resources: &Resources) -> &'static str {
    if is_area(resources) { AREA } else { "cost" }
}

/// The names of the columns of cost, in the order of [`Point::cost`].
pub fn names(resources: &Resources) -> Vec<&str> {
    if is_area(resources) { vec![AREA] } else { resources.names.iter().map(String::as_str).collect() }
}

/// The heads of the columns of cost, an area with its unit: `area/NAND2`.
pub fn heads(resources: &Resources) -> Vec<String> {
    match resources.area_unit.as_deref() {
        None => resources.names.clone(),
        Some("") => vec![AREA.to_owned()],
        Some(unit) => vec![format!("{AREA}/{unit}")],
    }
}

/// What is smallest: `smallest schedulable area`.
pub fn smallest(resources: &Resources) -> &'static str {
    if is_area(resources) { "smallest schedulable area" } else { "minimal schedulable costs" }
}

/// Where an incomplete front ends.
pub fn cut_at(resources: &Resources) -> &'static str {
    if is_area(resources) { "up to the area budget" } else { "within the limits" }
}

/// The limits within which an incomplete front has its designs.
pub fn cut_within(resources: &Resources) -> &'static str {
    if is_area(resources) { "within the area budget" } else { "within the limits" }
}

/// The end of an incomplete front, as a place.
pub fn cut_at_its(resources: &Resources) -> &'static str {
    if is_area(resources) { "at its area budget" } else { "at its limits" }
}

/// The resources as JSON documents of answers hold them: the unit of an area, if there is one, the names, the device and the
/// limits.
#[derive(Serialize)]
pub struct Counted<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    area_unit: &'a Option<String>,
    resources: &'a [String],
    device: &'a Option<String>,
    limits: InOrder<Amount>,
}

impl<'a> From<&'a Resources> for Counted<'a> {
    fn from(counted: &'a Resources) -> Self {
        let Resources { area_unit, names, device, .. } = counted;
        Self { area_unit, resources: names, device, limits: limits(counted) }
    }
}

/// What something costs. Every document has it as `cost` by resource, and as `area`, the same figure, where there is one resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Costs {
    resources: Vec<String>,
    cost: Vec<Rational>,
}

impl Costs {
    /// Of these costs, one per resource.
    pub fn new(resources: &Resources, cost: Vec<Rational>) -> Self {
        Self { resources: resources.names.clone(), cost }
    }

    /// Writes it under other names than `cost` and `area`.
    pub fn serialize_as<S: Serializer>(&self, names: [&str; 2], serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_map(None)?;
        let amounts = self.resources.iter().cloned().zip(self.cost.iter().map(Amount::from));
        fields.serialize_entry(names[0], &amounts.collect::<InOrder<_>>())?;
        if let [area] = self.cost.as_slice() {
            fields.serialize_entry(names[1], &Amount::from(area))?;
        }
        fields.end()
    }
}

impl Deref for Costs {
    type Target = [Rational];
    fn deref(&self) -> &[Rational] {
        &self.cost
    }
}

impl Serialize for Costs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialize_as(["cost", AREA], serializer)
    }
}

/// The minimal schedulable costs, as every document has them: all by resource, the smallest area where there is one resource, and
/// why there may be others.
#[derive(Serialize)]
pub struct Minimal<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    min_schedulable_area: Option<Option<Amount>>,
    min_schedulable: Option<Vec<InOrder<Amount>>>,
    min_schedulable_unknown: Option<&'a str>,
}

impl<'a> Minimal<'a> {
    /// Of these costs, `None` where none was asked about.
    pub fn new(resources: &Resources, costs: Option<&[Vec<Rational>]>, unknown: Option<&'a str>) -> Self {
        let area = |costs: &[Vec<Rational>]| costs.first().map(|cost| Amount::from(&cost[0]));
        Self {
            min_schedulable_area: (resources.names.len() == 1).then(|| costs.and_then(area)),
            min_schedulable: costs.map(|costs| costs.iter().map(|cost| object(resources, cost)).collect()),
            min_schedulable_unknown: unknown,
        }
    }
}

/// A figure with the unit of the area, if it has one.
pub fn figure_with_unit(figure: &str, resources: &Resources) -> String {
    let unit = resources.area_unit.as_deref().map(visible).unwrap_or_default();
    format!("{figure} {unit}").trim_end().to_owned()
}

/// A cost in words: `120 NAND2`, or with several resources `LUT 120, DSP 4`.
pub fn in_words(cost: &[Rational], resources: &Resources) -> String {
    match (&resources.area_unit, cost.first()) {
        (Some(unit), Some(area)) => with_unit(area, unit),
        _ => with_names(resources, cost),
    }
}

/// The cost of a choice or block alone in words: `120`, or with several resources `LUT 120`, without what costs nothing.
pub fn own(cost: &[Rational], resources: &Resources) -> String {
    if let (true, Some(area)) = (is_area(resources), cost.first()) {
        return format_decimal(area);
    }
    let counted = named(resources, &mut cost.iter().map(|cost| (!cost.is_zero()).then(|| cost.clone())));
    if counted.is_empty() { "0".to_owned() } else { counted }
}

/// A cost in words: `LUT 120, DSP 4`.
pub fn with_names(resources: &Resources, cost: &[Rational]) -> String {
    named(resources, &mut cost.iter().map(|cost| Some(cost.clone())))
}

/// Amounts in words, each after the name of its resource; `None` is left out.
fn named(resources: &Resources, amounts: &mut dyn Iterator<Item = Option<Rational>>) -> String {
    let amounts = resources.names.iter().zip(amounts);
    let mut words =
        amounts.filter_map(|(name, amount)| Some(format!("{} {}", visible(name), format_decimal(&amount?))));
    joined(&mut words, ", ")
}

/// A cost by resource: `{"LUT": "120", "DSP": "4"}`, exact decimals.
pub fn object(resources: &Resources, cost: &[Rational]) -> InOrder<Amount> {
    resources.names.iter().cloned().zip(cost.iter().map(Amount::from)).collect()
}

/// The limits by resource, without the resources that have none.
pub fn limits(resources: &Resources) -> InOrder<Amount> {
    let limits = resources.names.iter().zip(&resources.limits);
    limits.filter_map(|(name, limit)| Some((name.clone(), Amount::from(limit.as_ref()?)))).collect()
}

/// What a cost leaves of the limits: `LUT 604, DSP 4`; empty if nothing is limited.
pub fn left(resources: &Resources, cost: &[Rational]) -> String {
    let limits = resources.limits.iter().zip(cost);
    named(resources, &mut limits.map(|(limit, cost)| Some(limit.as_ref()? - cost)))
}

/// The costs of the minimal schedulable designs: `LUT 120, DSP 4 or LUT 300, DSP 0`, at most some of them.
pub fn minimal_in_words(minimal: &[Point], resources: &Resources) -> String {
    some_in_words(&mut minimal.iter().map(Point::exact_cost), resources)
}

/// As [`minimal_in_words`], of costs alone.
pub fn some_in_words(minimal: &mut dyn Iterator<Item = Vec<Rational>>, resources: &Resources) -> String {
    const MOST: usize = 3;
    let costs: Vec<String> = minimal.map(|cost| in_words(&cost, resources)).collect();
    let some = costs[..costs.len().min(MOST)].join(" or ");
    match costs.len().saturating_sub(MOST) {
        0 => some,
        more => format!("{some} or {more} more"),
    }
}

/// The least of minimal costs as a figure without its unit, or in words if it has several.
pub fn figures(minimal: &mut dyn Iterator<Item = Vec<Rational>>, resources: &Resources) -> String {
    match is_area(resources) {
        true => minimal.next().map_or_else(String::new, |cost| format_decimal(&cost[0])),
        false => some_in_words(minimal, resources),
    }
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
