//! A design in every mode, as texts and documents say it.

use super::document::Document;
use isx_design::schedulability::ModeVerdict;
use isx_report::front::fields::{InOrder, Ratio};
use isx_taskset::formulate::critical_mode;

/// A verdict as one word or two.
pub(super) fn schedulable_in_words(schedulable: Option<bool>) -> &'static str {
    match schedulable {
        Some(true) => "schedulable",
        Some(false) => "not schedulable",
        None => "not decided",
    }
}

/// The fields of a design in every mode; none if the set has no modes.
pub(super) fn document(names: &[String], modes: &[ModeVerdict]) -> Document {
    let utilizations: Vec<_> = modes.iter().map(|mode| mode.utilization.clone()).collect();
    let Some(critical) = names.get(critical_mode(&utilizations)).filter(|_| !modes.is_empty()) else {
        return Document::default();
    };
    let named = || names.iter().cloned().zip(modes);
    let utilization = named().map(|(name, mode)| (name, Ratio::from(&mode.utilization)));
    let schedulable = named().map(|(name, mode)| (name, mode.schedulable));
    Document::default()
        .add("mode_utilization", utilization.collect::<InOrder<_>>())
        .add("mode_schedulable", schedulable.collect::<InOrder<_>>())
        .add("critical_mode", critical)
}
