//! An explored task set: its front, the schedulability verdicts, and how far both were verified. Reports are built
//! from this.

use crate::front::{ChosenDesign, Design, DesignFront, Point};
use crate::schedulability::{
    AtMargin, FrontVerdicts, SmallestSchedulable, SmallestWithin, decided_by_utilization,
};
use isx_exact::quantity::Rational;
use isx_taskset::{Task, TaskSet, TimeBase};
use num_traits::Signed;

/// How far a front was verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Every point was recomputed from its choices, and a certificate proves that no better point exists and none is
    /// missing.
    Proved,
    /// Every point was recomputed from its choices.
    Checked,
}

impl Status {
    /// The keyword in file formats.
    pub fn name(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Checked => "checked",
        }
    }
}

/// The smallest area at which some of the modes are schedulable, regardless of the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AreaOfModes {
    /// The numbers of these modes, in file order.
    pub modes: Vec<usize>,
    /// The smallest area, in the task set's unit.
    pub smallest: SmallestWithin,
}

/// A front with its verdicts.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// The front.
    pub front: DesignFront,
    /// Which points are schedulable, and the smallest schedulable area.
    pub verdicts: FrontVerdicts,
    /// The smallest schedulable area with all WCETs longer by a margin, one entry per margin in rising order; empty if
    /// the set has several resources.
    pub margins: Vec<AtMargin>,
    /// The smallest areas of subsets of the modes, the smallest subsets first; empty if the set has one mode, or many.
    pub mode_areas: Vec<AreaOfModes>,
    /// For a front of area against margin, the margin of every point; empty for one of area against utilization.
    pub point_margins: Vec<Rational>,
    /// The points whose margins are limits that are not reached, see
    /// [`Margin::is_reached`](crate::schedulability::Margin::is_reached).
    pub open_margins: Vec<usize>,
    /// Why the designs of larger margins are not known, on such a front.
    pub larger_margins_unknown: Option<String>,
    /// How far the front was verified.
    pub status: Status,
}

impl Exploration {
    /// A checked front with its verdicts, without margins and areas of modes.
    pub fn new(front: DesignFront, verdicts: FrontVerdicts) -> Self {
        Self {
            front,
            verdicts,
            margins: Vec::new(),
            mode_areas: Vec::new(),
            point_margins: Vec::new(),
            open_margins: Vec::new(),
            larger_margins_unknown: None,
            status: Status::Checked,
        }
    }

    /// The task set: names and units.
    pub fn task_set(&self) -> &TaskSet {
        self.front.task_set()
    }

    /// The clock of the set in hertz, if the lowest clock of every point is that times its utilization, or divided by its
    /// margin. `None` if the set has no clock, or if a block or variant lowers it.
    pub fn clock_of_measure(&self) -> Option<Rational> {
        let set = self.task_set();
        let TimeBase::Cycles { hertz } = &set.time_base else { return None };
        // A lower clock makes longer what a margin leaves as it is.
        let waits = |task: &Task| task.kernel.blocking.is_positive();
        let is_known = match self.point_margins.is_empty() {
            true => decided_by_utilization(self.front.formulation()),
            false => !set.has_switches() && !set.tasks.iter().any(waits),
        };
        let is_line = self.front.formulation().costs.is_line();
        (is_known && !set.limits_clock() && is_line).then(|| hertz.clone())
    }

    /// Point `index` with its verdict.
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

    /// The software-only design, which may not be on the front.
    pub fn base(&self) -> Design {
        let schedulable = self.verdicts.base;
        let schedulable_within = match () {
            () if schedulable == Some(true) => schedulable,
            () if !self.front.formulation().costs.is_line() => {
                self.verdicts.within_cost(self.task_set(), &self.front.base().cost)
            }
            () => self.within_area(self.front.base().area()),
        };
        Design { schedulable, schedulable_within, ..self.front.base() }
    }

    /// Whether some design of at most this area is schedulable.
    pub(crate) fn within_area(&self, area: &Rational) -> Option<bool> {
        match &self.verdicts.smallest {
            SmallestSchedulable::At(chosen) => Some(chosen.design.area() <= area),
            SmallestSchedulable::None => Some(false),
            // With forced choices there may be no design of this area.
            SmallestSchedulable::Unknown(_) => match self.front.within(area) {
                None => Some(false),
                Some(last) => {
                    let within = self.verdicts.within(last.index());
                    within.filter(|&within| within || !last.fits() || last.area() == *area)
                }
            },
        }
    }

    /// The design of the smallest schedulable area, if known.
    pub fn smallest(&self) -> Option<&ChosenDesign> {
        match &self.verdicts.smallest {
            SmallestSchedulable::At(chosen) => Some(chosen),
            SmallestSchedulable::None | SmallestSchedulable::Unknown(_) => None,
        }
    }
}
