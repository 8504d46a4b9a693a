//! The smallest schedulable areas of some of the modes, as documents say them:
//! `{"modes": ["cruise"], "min_schedulable_area": "1157", "min_schedulable_unknown": null}`.

use super::margins::area_in_words;
use super::read_point::exactly;
use isx_design::exploration::Exploration;
use serde::{Deserialize, Serialize};

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
            && self.min_schedulable_area.as_ref().is_none_or(|area| exactly(area).is_some())
    }
}

/// One for each of [`Exploration::mode_areas`].
pub fn mode_areas(explored: &Exploration) -> impl Iterator<Item = ModeAreaWords> {
    let names = &explored.task_set().modes;
    explored.mode_areas.iter().map(|of_modes| {
        let (area, unknown) = area_in_words(&of_modes.smallest);
        let modes = of_modes.modes.iter().map(|&mode| names[mode].clone()).collect();
        ModeAreaWords { modes, min_schedulable_area: area, min_schedulable_unknown: unknown }
    })
}
