//! Pareto fronts of designs: area strictly rising, utilization strictly falling, a configuration behind each point.

use crate::formulate::Formulation;
use crate::quantity::Rational;
use crate::solve::Solution;
use crate::taskset::TaskSet;
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// How a front was computed, for the reader of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RanOn {
    /// The engine and what it used, for example `list (1 thread)`.
    pub ran_on: String,
    /// The arithmetic tier, for example `i64`.
    pub arithmetic: String,
    /// Why this engine.
    pub why: String,
}

/// What vouches for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Every point was summed again from its choices, and a certificate proves that none is better or missing.
    Proved,
    /// Every point was summed again from its choices; optimality was proved for some.
    Checked,
    /// Computed by an exact engine; not checked by anything else.
    Unverified,
}

impl Status {
    /// The word in file formats.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Checked => "checked",
            Self::Unverified => "unverified",
        }
    }
}

/// A design: its exact cost and benefit, and whether EDF schedules it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Design {
    /// Area, in the task set's unit.
    pub area: Rational,
    /// Utilization.
    pub utilization: Rational,
    /// `Some(true)`: EDF schedules this design. `Some(false)`: EDF schedules no design of this area or less.
    /// `None`: this design fails, or is undecided, and another of the same area may pass; where the front is inexact,
    /// one that is missing.
    pub schedulable: Option<bool>,
}

/// A design with the choice of every task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenDesign {
    /// Cost and benefit.
    pub design: Design,
    /// The choice of every task, in file order; `None` is software.
    pub choices: Vec<Option<u32>>,
}

/// The smallest area at which EDF schedules some design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SmallestSchedulable {
    /// The design that needs it. Where deadlines are shorter than periods it need not be on the front.
    At(ChosenDesign),
    /// No design within the explored area is schedulable.
    None,
    /// Not decided, and why.
    Unknown(String),
}

/// The points of a front.
#[derive(Clone, Debug)]
pub(crate) enum Points {
    /// As an engine left them.
    Solved(Box<Solution>),
    /// Chosen in floats, summed exactly.
    Listed(Vec<ListedPoint>),
}

/// A point written out.
#[derive(Clone, Debug)]
pub(crate) struct ListedPoint {
    /// Area, in [`Formulation::area_unit`]s.
    pub area: u64,
    /// Demand over a hyperperiod.
    pub demand: BigInt,
    /// The choice of every task.
    pub choices: Vec<Option<u32>>,
}

impl Points {
    fn len(&self) -> usize {
        match self {
            Self::Solved(solution) => solution.points(),
            Self::Listed(points) => points.len(),
        }
    }
}

/// The exact front of a task set. Points are numbered from 0 in order of area.
#[derive(Clone, Debug)]
pub struct DesignFront {
    /// The task set: names and units.
    pub taskset: TaskSet,
    /// How the front was computed.
    pub engine: RanOn,
    /// The software-only design, area 0; it is not on the front where a free choice saves time. Its verdict is
    /// about itself alone.
    pub base: Design,
    /// The smallest schedulable design.
    pub smallest: SmallestSchedulable,
    /// What vouches for the front.
    pub status: Status,
    /// Whether the front reaches every useful area; false where a budget cut it.
    pub complete: bool,
    pub(crate) formulation: Formulation,
    pub(crate) points: Points,
    /// One a point.
    pub(crate) schedulable: Vec<Option<bool>>,
}

impl DesignFront {
    /// Whether the points are the exact front. Where they were chosen in floats they are real designs, summed exactly,
    /// and some of the front may be missing.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        matches!(self.points, Points::Solved(_))
    }

    /// Number of points, at least 1.
    #[must_use]
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Point `index`: its area, utilization and verdict.
    ///
    /// # Panics
    ///
    /// If there is no such point.
    #[must_use]
    pub fn design(&self, index: usize) -> Design {
        Design { schedulable: self.known(self.schedulable[index]), ..self.summed(index) }
    }

    /// What is known of a verdict: of an inexact front that a design is schedulable, not that none of its area is.
    fn known(&self, verdict: Option<bool>) -> Option<bool> {
        verdict.filter(|&schedulable| schedulable || self.is_exact())
    }

    /// Point `index` before its verdict is known.
    pub(crate) fn summed(&self, index: usize) -> Design {
        let utilization = Rational::new(self.demand(index), self.formulation.hyperperiod.clone());
        Design { area: self.area(index), utilization, schedulable: None }
    }

    /// The area of point `index`.
    ///
    /// # Panics
    ///
    /// If there is no such point.
    #[must_use]
    pub fn area(&self, index: usize) -> Rational {
        Rational::from(BigInt::from(self.area_units(index))) * &self.formulation.area_unit
    }

    /// The area of point `index`, in [`Formulation::area_unit`]s.
    ///
    /// # Panics
    ///
    /// If there is no such point.
    #[must_use]
    pub fn area_units(&self, index: usize) -> u64 {
        match &self.points {
            Points::Solved(solution) => solution.weight(index),
            Points::Listed(points) => points[index].area,
        }
    }

    /// The task set in integers.
    #[must_use]
    pub fn formulation(&self) -> &Formulation {
        &self.formulation
    }

    /// The last point within an area, if even the first is: the one of least utilization there.
    #[must_use]
    pub fn within(&self, area: &Rational) -> Option<usize> {
        let budget = (area / &self.formulation.area_unit).floor().to_integer();
        let budget = budget.to_u64().unwrap_or(u64::MAX);
        let count = match &self.points {
            Points::Solved(solution) => solution.points_within(budget),
            Points::Listed(points) => points.partition_point(|point| point.area <= budget),
        };
        count.checked_sub(1)
    }

    /// The demand of point `index` over a hyperperiod: its utilization times the hyperperiod.
    ///
    /// # Panics
    ///
    /// If there is no such point.
    #[must_use]
    pub fn demand(&self, index: usize) -> BigInt {
        match &self.points {
            Points::Solved(solution) => &self.formulation.base_demand - solution.value(index),
            Points::Listed(points) => points[index].demand.clone(),
        }
    }

    /// The choice of every task at point `index`, in file order; `None` is software.
    ///
    /// # Panics
    ///
    /// If there is no such point, or the engine was not asked for the items.
    #[must_use]
    pub fn choices(&self, index: usize) -> Vec<Option<u32>> {
        let mut choices = vec![None; self.taskset.tasks.len()];
        self.write_choices(index, &mut choices, &mut Vec::new());
        choices
    }

    /// As [`DesignFront::choices`], into buffers that a loop over many points can use again.
    ///
    /// # Panics
    ///
    /// As [`DesignFront::choices`], and if `choices` is not one a task.
    pub fn write_choices(&self, index: usize, choices: &mut [Option<u32>], scratch: &mut Vec<usize>) {
        match &self.points {
            Points::Solved(solution) => solution.write_picks(index, choices, scratch),
            Points::Listed(points) => choices.copy_from_slice(&points[index].choices),
        }
    }
}
