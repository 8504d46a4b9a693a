//! Parts of a document that are kept as text: how a front was computed, and the smallest schedulable areas with a margin or of
//! some modes:
//! `{"margin": "0.1", "min_schedulable_area": "1157", "min_schedulable_unknown": null}`.

use super::number::parse;
use isx_design::exploration::Exploration;
use isx_design::schedulability::{AtMargin, Smallest, SmallestWithin};
use isx_exact::quantity::{Rational, format_decimal};
use serde::{Deserialize, Serialize};

/// How a front was computed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct EngineWords {
    /// The engine and its hardware.
    #[serde(default)]
    pub ran_on: String,
    /// The integers it computed in.
    #[serde(default)]
    pub arithmetic: String,
    /// Why this engine.
    #[serde(default)]
    pub why: String,
}

/// The smallest schedulable area with a margin; numbers are exact decimals.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarginWords {
    /// 0.1 for 10 %.
    pub margin: String,
    /// Null if no design suffices, or if that is not known.
    pub min_schedulable_area: Option<String>,
    /// Why it is not known.
    #[serde(default)]
    pub min_schedulable_unknown: Option<String>,
}

/// A smallest area as a decimal, and why it is not known.
fn area_in_words(smallest: &SmallestWithin) -> (Option<String>, Option<String>) {
    match smallest {
        Smallest::At(area) => (Some(format_decimal(area)), None),
        Smallest::None => (None, None),
        Smallest::Unknown(why) => (None, Some(why.clone())),
    }
}

impl From<&AtMargin> for MarginWords {
    fn from(AtMargin { margin, smallest }: &AtMargin) -> Self {
        let (area, unknown) = area_in_words(smallest);
        let margin = format_decimal(margin);
        Self { margin, min_schedulable_area: area, min_schedulable_unknown: unknown }
    }
}

impl MarginWords {
    /// The figures; `None` if one is no number.
    pub fn read(self) -> Option<AtMargin> {
        let number = |text: &str| -> Option<Rational> { Some(parse(text)?.exact()) };
        let smallest = match (self.min_schedulable_area, self.min_schedulable_unknown) {
            (Some(area), _) => Smallest::At(number(&area)?),
            (None, Some(why)) => Smallest::Unknown(why),
            (None, None) => Smallest::None,
        };
        Some(AtMargin { margin: number(&self.margin)?, smallest })
    }
}

/// The smallest schedulable area of some modes, an exact decimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModeAreaWords {
    /// Their names.
    pub modes: Vec<String>,
    /// Null if no design suffices, or if that is not known.
    pub min_schedulable_area: Option<String>,
    /// Why it is not known.
    pub min_schedulable_unknown: Option<String>,
}

impl ModeAreaWords {
    /// Whether it is about some of these modes, and its area is a number.
    pub fn is_of(&self, modes: &[String]) -> bool {
        self.modes.iter().all(|mode| modes.contains(mode))
            && self.min_schedulable_area.as_ref().is_none_or(|area| parse(area).is_some())
    }
}

/// One for each of [`Exploration::mode_areas`].
pub fn mode_areas(explored: &Exploration) -> Vec<ModeAreaWords> {
    let names = &explored.task_set().modes;
    let words = explored.mode_areas.iter().map(|of_modes| {
        let (area, unknown) = area_in_words(&of_modes.smallest);
        let modes = of_modes.modes.iter().map(|&mode| names[mode].clone()).collect();
        ModeAreaWords { modes, min_schedulable_area: area, min_schedulable_unknown: unknown }
    });
    words.collect()
}
