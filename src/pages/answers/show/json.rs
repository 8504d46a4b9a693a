//! A design as JSON, schema `isx.design/1`. Numbers that must be exact are strings.

use super::{Change, Margin, Shown};
use crate::answers::modes::InModes;
use isx_exact::quantity::Rational;
use isx_report::front::costs::{self, Costs, Counted};
use isx_report::front::fields::{Amount, Ratio};
use isx_taskset::{Resources, Scheduler};
use num_traits::{One, Zero};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::io::{self, Write};

/// The schema's name.
pub const SCHEMA: &str = "isx.design/1";
/// The schema's name for a task set with several resources, whose points have no `next`.
pub const SCHEMA_OF_RESOURCES: &str = "isx.design/2";

#[derive(serde::Serialize)]
struct Document<'a> {
    schema: &'static str,
    #[serde(flatten)]
    shown: &'a Shown,
    #[serde(flatten)]
    modes: Option<InModes<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<&'a String>,
}

/// Writes the design as one JSON object. Unknown values are null; fields that the set does not have are omitted.
pub fn write_json(shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    let document = Document {
        schema: if costs::is_area(&shown.resources) { SCHEMA } else { SCHEMA_OF_RESOURCES },
        shown,
        modes: InModes::new(&shown.modes, &shown.schedulability.modes),
        mode: shown.modes.get(shown.schedulability.mode),
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

pub(super) fn counted<S: Serializer>(resources: &Resources, serializer: S) -> Result<S::Ok, S::Error> {
    Counted::from(resources).serialize(serializer)
}

pub(super) fn scheduler<S: Serializer>(name: &Option<Scheduler>, serializer: S) -> Result<S::Ok, S::Error> {
    name.map(Scheduler::name).serialize(serializer)
}

pub(super) fn utilization<S: Serializer>(change: &Change, serializer: S) -> Result<S::Ok, S::Error> {
    let mut fields = serializer.serialize_map(None)?;
    fields.serialize_entry("utilization", &Ratio::from(&change.design))?;
    fields.serialize_entry("software_utilization", &Ratio::from(&change.software))?;
    fields.serialize_entry("slack", &Ratio::from(&(Rational::one() - &change.design)))?;
    fields.end()
}

pub(super) fn margin<S: Serializer>(margin: &Margin, serializer: S) -> Result<S::Ok, S::Error> {
    let (factor, limit, unknown, is_reached) = match margin {
        Margin::Exactly { factor, limit, is_reached } => (Some(factor), Some(limit), None, *is_reached),
        Margin::Unknown(why) => (None, None, Some(why), true),
    };
    let mut fields = serializer.serialize_map(None)?;
    fields.serialize_entry("margin", &factor.map(Ratio::from))?;
    if !is_reached {
        fields.serialize_entry("margin_reached", &false)?;
    }
    fields.serialize_entry("margin_limit", &limit)?;
    fields.serialize_entry("margin_unknown", &unknown)?;
    fields.end()
}

pub(super) fn saving<S: Serializer>(time: &Option<Rational>, serializer: S) -> Result<S::Ok, S::Error> {
    time.as_ref().map(Amount::from).serialize(serializer)
}

pub(super) fn more_cost<S: Serializer>(next: &Costs, serializer: S) -> Result<S::Ok, S::Error> {
    next.serialize_as(["more_cost", "more_area"], serializer)
}

pub(super) fn times<S: Serializer>(times: &Change, serializer: S) -> Result<S::Ok, S::Error> {
    let Change { software, design } = times;
    serializer.collect_map(
        [("software", software), ("design", design)].map(|(name, time)| (name, Amount::from(time))),
    )
}

pub(super) fn ratios<S: Serializer>(ratios: &Change, serializer: S) -> Result<S::Ok, S::Error> {
    let Change { software, design } = ratios;
    serializer.collect_map(
        [("software", software), ("design", design)].map(|(name, part)| (name, Ratio::from(part))),
    )
}

pub(super) fn is_nothing(change: &Change) -> bool {
    change.software.is_zero() && change.design.is_zero()
}
