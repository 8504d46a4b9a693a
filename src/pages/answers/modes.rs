//! A design in every mode, as texts and documents say it.

use crate::answers::words::ratio;
use isx_design::schedulability::ModeVerdict;
use isx_taskset::formulate::critical_mode;
use serde_json::{Map, Value};

/// A verdict as one word or two.
pub(super) fn schedulable_in_words(schedulable: Option<bool>) -> &'static str {
    match schedulable {
        Some(true) => "schedulable",
        Some(false) => "not schedulable",
        None => "not decided",
    }
}

/// Adds `mode_utilization`, `mode_schedulable` and `critical_mode` to a document, if the set has modes.
pub(super) fn add_json(names: &[String], modes: &[ModeVerdict], document: &mut Value) {
    let utilizations: Vec<_> = modes.iter().map(|mode| mode.utilization.clone()).collect();
    let Some(critical) = names.get(critical_mode(&utilizations)) else { return };
    let named = |value: &dyn Fn(&ModeVerdict) -> Value| -> Map<String, Value> {
        names.iter().zip(modes).map(|(name, mode)| (name.clone(), value(mode))).collect()
    };
    document["mode_utilization"] = named(&|mode| ratio(&mode.utilization)).into();
    document["mode_schedulable"] = named(&|mode| mode.schedulable.into()).into();
    document["critical_mode"] = critical.clone().into();
}
