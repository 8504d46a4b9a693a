//! An explored task set: its front, what a scheduler says of the designs, and what vouches for both. Reports are made
//! of this.

use crate::front::{ChosenDesign, Design, DesignFront, Point};
use crate::schedulability::{FrontVerdicts, SmallestSchedulable};
use isx_taskset::TaskSet;

/// What vouches for a front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Every point was summed again from its choices, and a certificate proves that none is better or missing.
    Proved,
    /// Every point was summed again from its choices.
    Checked,
}

impl Status {
    /// The word in file formats.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Checked => "checked",
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
        self.front.get(index).map(|point| self.judged(&point))
    }

    /// The points with their verdicts, in order of area.
    pub fn designs(&self) -> impl ExactSizeIterator<Item = (Point<'_>, Design)> {
        self.front.iter().map(|point| (point, self.judged(&point)))
    }

    fn judged(&self, point: &Point) -> Design {
        let index = point.index();
        let schedulable = self.verdicts.points.get(index).copied().flatten();
        Design { schedulable, schedulable_within: self.verdicts.within(index), ..point.design() }
    }

    /// The software-only design, area 0, which need not be on the front.
    #[must_use]
    pub fn base(&self) -> Design {
        let schedulable = self.verdicts.base;
        let schedulable_within = match self.front.get(0) {
            _ if schedulable == Some(true) => schedulable,
            Some(first) if first.area_units() == 0 => self.verdicts.within(0),
            // Choices that are forced leave no design of area 0.
            _ => Some(false),
        };
        Design { schedulable, schedulable_within, ..self.front.base() }
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
