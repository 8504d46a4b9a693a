//! Which points of a front EDF schedules, and the smallest schedulable area.

use super::{Demand, Limits, SmallestArea, demand_test, edf_tasks, smallest_area, unconstrained};
use crate::formulate::Formulation;
use crate::front::{ChosenDesign, Design, DesignFront, Point};

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

/// What EDF makes of a front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdicts {
    /// Whether it schedules the software-only design.
    pub base: Option<bool>,
    /// One a point, see [`Design::schedulable`].
    pub points: Vec<Option<bool>>,
    /// The smallest schedulable design.
    pub smallest: SmallestSchedulable,
}

/// Decides every point, and finds the smallest schedulable design.
///
/// Where every deadline is at least its period, U <= 1 decides and the smallest is the first such point. Else each
/// point's own configuration is put to the demand test, and the smallest is searched among all designs.
///
/// Where floats chose the points, what holds of a design alone is said and nothing about designs that may be missing.
#[must_use]
pub fn verdicts(front: &DesignFront, limits: &Limits) -> Verdicts {
    let software = vec![None; front.formulation().tasks.len()];
    let by_utilization = unconstrained(&edf_tasks(front.formulation(), &software));
    let mut verdicts = if by_utilization { by_utilization_of(front) } else { by_demand(front, limits) };
    if !front.is_exact() {
        verdicts.forget_what_is_missing(by_utilization);
    }
    verdicts
}

impl Verdicts {
    /// Takes back what only holds if no design is missing from the front.
    fn forget_what_is_missing(&mut self, by_utilization: bool) {
        for verdict in &mut self.points {
            *verdict = verdict.filter(|&passes| passes);
        }
        // The search with constrained deadlines looks at all designs, not at the front.
        if by_utilization {
            let why = "floats chose the points, so a smaller schedulable design may be missing";
            self.smallest = SmallestSchedulable::Unknown(why.into());
        }
    }
}

fn by_utilization_of(front: &DesignFront) -> Verdicts {
    let formulation = front.formulation();
    let fitting: Vec<bool> = front.iter().map(|point| point.fits()).collect();
    let first = fitting.iter().position(|&fits| fits).and_then(|first| front.get(first));
    let smallest = match first.and_then(|first| Some((first, first.choices()?))) {
        None => SmallestSchedulable::None,
        Some((first, choices)) => {
            let design = Design { schedulable: Some(true), ..first.design() };
            SmallestSchedulable::At(ChosenDesign { design, choices })
        }
    };
    Verdicts {
        base: Some(formulation.base_demand <= formulation.hyperperiod),
        points: fitting.into_iter().map(Some).collect(),
        smallest,
    }
}

/// A design by its choices, with a verdict.
pub(super) fn chosen(
    formulation: &Formulation,
    choices: Vec<Option<u32>>,
    schedulable: bool,
) -> Option<ChosenDesign> {
    let (area, utilization) = (formulation.area(&choices)?, formulation.utilization(&choices));
    Some(ChosenDesign { design: Design { area, utilization, schedulable: Some(schedulable) }, choices })
}

fn by_demand(front: &DesignFront, limits: &Limits) -> Verdicts {
    let formulation = front.formulation();
    let passes =
        |choices: &[Option<u32>]| match demand_test(&edf_tasks(formulation, choices), limits.design_steps) {
            Demand::Passes => Some(true),
            Demand::Overload | Demand::Fails { .. } => Some(false),
            Demand::Undecided(_) => None,
        };
    let smallest = match smallest_area(formulation, formulation.problem.capacity, limits) {
        SmallestArea::At { choices } => {
            chosen(formulation, choices, true).map_or(SmallestSchedulable::None, SmallestSchedulable::At)
        }
        SmallestArea::None => SmallestSchedulable::None,
        SmallestArea::Unknown { reason, .. } => SmallestSchedulable::Unknown(reason.to_string()),
    };
    let point = |point: Point| {
        let none_within = match &smallest {
            SmallestSchedulable::At(chosen) => point.area() < chosen.design.area,
            SmallestSchedulable::None => true,
            SmallestSchedulable::Unknown(_) => false,
        };
        if none_within || !point.fits() {
            return Some(false);
        }
        passes(&point.choices()?).filter(|&passes| passes)
    };
    let points = front.iter().map(point).collect();
    let base = passes(&vec![None; formulation.tasks.len()]);
    Verdicts { base, points, smallest }
}
