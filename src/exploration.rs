//! An explored task set: its front, what a scheduler says of the designs, and what vouches for both. Reports are made
//! of this.

use crate::front::{ChosenDesign, Design, DesignFront, Point};
use crate::schedulability::{FrontVerdicts, SmallestSchedulable};
use crate::taskset::TaskSet;

/// What vouches for a front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Every point was summed again from its choices, and a certificate proves that none is better or missing.
    Proved,
    /// Every point was summed again from its choices.
    Checked,
    /// Floats chose the points: each was summed again, better ones may be missing.
    Inexact,
}

impl Status {
    /// The word in file formats.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Checked => "checked",
            Self::Inexact => "inexact",
        }
    }
}

/// A front with its verdicts.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// The designs.
    pub front: DesignFront,
    /// Which of them are schedulable, and from which area on any is.
    pub verdicts: FrontVerdicts,
    /// What vouches for the front.
    pub status: Status,
}

impl Exploration {
    /// The task set: names and units.
    #[must_use]
    pub fn task_set(&self) -> &TaskSet {
        self.front.task_set()
    }

    /// Point `index` with its verdict.
    #[must_use]
    pub fn design(&self, index: usize) -> Option<Design> {
        let schedulable = *self.verdicts.points.get(index)?;
        Some(Design { schedulable, ..self.front.get(index)?.design() })
    }

    /// The points with their verdicts, in order of area.
    pub fn designs(&self) -> impl ExactSizeIterator<Item = (Point<'_>, Design)> {
        let judged = self.front.iter().zip(&self.verdicts.points);
        judged.map(|(point, &schedulable)| (point, Design { schedulable, ..point.design() }))
    }

    /// The software-only design, area 0. Its verdict is about itself alone.
    #[must_use]
    pub fn base(&self) -> Design {
        Design { schedulable: self.verdicts.base, ..self.front.base() }
    }

    /// The design of the smallest schedulable area, if it is known.
    #[must_use]
    pub fn smallest(&self) -> Option<&ChosenDesign> {
        match &self.verdicts.smallest {
            SmallestSchedulable::At(chosen) => Some(chosen),
            SmallestSchedulable::None | SmallestSchedulable::Unknown(_) => None,
        }
    }
}
