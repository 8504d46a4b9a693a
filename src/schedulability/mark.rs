//! Marks which points of a front EDF schedules, and finds the smallest schedulable area.

use super::{Demand, Limits, SmallestArea, demand_test, edf_tasks, smallest_area, unconstrained};
use crate::front::{ChosenDesign, Design, DesignFront, SmallestSchedulable};

/// Fills in the verdict of every point and the smallest schedulable design.
///
/// Where every deadline is at least its period, U <= 1 decides and the smallest is the first such point. Else each
/// point's own configuration is put to the demand test, and the smallest is searched among all designs.
pub fn mark(front: &mut DesignFront, limits: &Limits) {
    let software = vec![None; front.formulation().tasks.len()];
    let by_utilization = unconstrained(&edf_tasks(front.formulation(), &software));
    if by_utilization { mark_by_utilization(front) } else { mark_by_demand(front, limits) }
}

fn mark_by_utilization(front: &mut DesignFront) {
    let fits: Vec<bool> =
        (0..front.len()).map(|at| front.demand(at) <= front.formulation().hyperperiod).collect();
    front.base.schedulable = Some(front.formulation().base_demand <= front.formulation().hyperperiod);
    front.smallest = match fits.iter().position(|&fits| fits) {
        first if !front.is_exact() => SmallestSchedulable::Unknown(inexact(front, first)),
        None => SmallestSchedulable::None,
        Some(first) => {
            let design = Design { schedulable: Some(true), ..front.summed(first) };
            SmallestSchedulable::At(ChosenDesign { design, choices: front.choices(first) })
        }
    };
    front.schedulable = fits.into_iter().map(Some).collect();
}

/// What is known of the smallest schedulable area where designs may be missing.
fn inexact(front: &DesignFront, first: Option<usize>) -> String {
    let enough = first.map_or(String::new(), |first| {
        format!("; area {} is enough", crate::quantity::format_decimal(&front.area(first)))
    });
    format!("the front is inexact{enough}")
}

fn mark_by_demand(front: &mut DesignFront, limits: &Limits) {
    let formulation = front.formulation();
    let passes =
        |choices: &[Option<u32>]| match demand_test(&edf_tasks(formulation, choices), limits.design_steps) {
            Demand::Passes => Some(true),
            Demand::Overload | Demand::Fails { .. } => Some(false),
            Demand::Undecided(_) => None,
        };
    let smallest = match smallest_area(formulation, formulation.problem.capacity, limits) {
        SmallestArea::At { choices } => {
            let (area, utilization) = (formulation.area(&choices), formulation.utilization(&choices));
            let design = Design { area, utilization, schedulable: Some(true) };
            SmallestSchedulable::At(ChosenDesign { design, choices })
        }
        SmallestArea::None => SmallestSchedulable::None,
        SmallestArea::Unknown { reason, .. } => SmallestSchedulable::Unknown(reason.to_string()),
    };
    let point = |at: usize| {
        let none_within = match &smallest {
            SmallestSchedulable::At(chosen) => front.area(at) < chosen.design.area,
            SmallestSchedulable::None => true,
            SmallestSchedulable::Unknown(_) => false,
        };
        if none_within || front.demand(at) > formulation.hyperperiod {
            return Some(false);
        }
        passes(&front.choices(at)).filter(|&passes| passes)
    };
    let schedulable = (0..front.len()).map(point).collect();
    let base = passes(&vec![None; formulation.tasks.len()]);
    front.schedulable = schedulable;
    front.smallest = smallest;
    front.base.schedulable = base;
}
