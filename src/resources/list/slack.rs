//! A resource that is no objective counts only as far as it can still exceed its limit: with what every later class can
//! cost at most, a sum below the rest of the limit can be completed with anything. Such sums are equal in that resource.
//! This holds for the last limited resource: amounts of those after it only decide between equal sums, as does then its
//! own.

use crate::shape::Shape;
use isx_problems::resources::{Item, Problem};
use isx_set_union::order::Schedule;

/// The last resource that is limited, if it is no objective and no element costs any of it.
fn limited(problem: &Problem, shape: &Shape) -> Option<usize> {
    let last = shape.axes.iter().map(|axis| axis.resource).fold(shape.first, usize::max);
    (last >= problem.objectives && problem.elements.is_empty()).then_some(last)
}

/// Whether lists of this shape are made as a whole.
pub(super) fn suits(shape: &Shape) -> bool {
    shape.cells.is_none() && shape.axes.len() > 1
}

fn most(shape: &Shape, items: &[Item], resource: usize) -> u64 {
    let fitting = items.iter().filter(|item| shape.fits(&item.cost));
    fitting.map(|item| item.cost[resource]).max().unwrap_or(0)
}

/// Puts the classes that can cost the most of the last limited resource first, so that sums soon are equal in it.
pub(super) fn arrange(schedule: &mut Schedule, problem: &Problem, shape: &Shape) {
    if let Some(resource) = limited(problem, shape).filter(|_| suits(shape)) {
        schedule
            .steps
            .sort_by_key(|step| std::cmp::Reverse(most(shape, &problem.classes[step.class], resource)));
    }
}

/// The resource in which sums of up to some amount are equal after a step.
#[derive(Clone, Copy)]
pub(super) struct Slack {
    pub resource: usize,
    pub amount: u64,
}

/// Where sums are equal after every step.
pub(super) fn slack(problem: &Problem, schedule: &Schedule, shape: &Shape) -> Vec<Option<Slack>> {
    let Some(resource) = limited(problem, shape) else { return vec![None; schedule.steps.len()] };
    let limit = if resource == shape.first {
        shape.limit
    } else {
        shape.axes.iter().find(|axis| axis.resource == resource).map_or(0, |axis| axis.limit)
    };
    let mut later = 0u64;
    let mut after: Vec<Option<Slack>> = Vec::with_capacity(schedule.steps.len());
    for step in schedule.steps.iter().rev() {
        after.push(Some(Slack { resource, amount: limit.saturating_sub(later) }));
        later = later.saturating_add(most(shape, &problem.classes[step.class], resource));
    }
    after.reverse();
    after
}
