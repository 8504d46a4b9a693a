//! A design in every mode, as texts and documents say it.

use isx_design::schedulability::ModeVerdict;
use isx_report::front::fields::{InOrder, Ratio};
use isx_taskset::formulate::critical_mode;
use serde::Serialize;

/// A verdict as one word or two.
pub(super) fn schedulable_in_words(schedulable: Option<bool>) -> &'static str {
    match schedulable {
        Some(true) => "schedulable",
        Some(false) => "not schedulable",
        None => "not decided",
    }
}

/// A design in every mode, as documents have it.
#[derive(Serialize)]
pub(super) struct InModes<'a> {
    mode_utilization: InOrder<Ratio>,
    mode_schedulable: InOrder<Option<bool>>,
    critical_mode: &'a str,
}

impl<'a> InModes<'a> {
    /// `None` if the set has no modes.
    pub(super) fn new(names: &'a [String], modes: &[ModeVerdict]) -> Option<Self> {
        let utilizations: Vec<_> = modes.iter().map(|mode| mode.utilization.clone()).collect();
        let named = || names.iter().cloned().zip(modes);
        Some(Self {
            critical_mode: names.get(critical_mode(&utilizations))?,
            mode_utilization: named().map(|(name, mode)| (name, Ratio::from(&mode.utilization))).collect(),
            mode_schedulable: named().map(|(name, mode)| (name, mode.schedulable)).collect(),
        })
    }
}
