//! The points of a formulation that a goal asks for, and the smallest areas that need no whole front.

use super::clocks;
use super::error::ExploreError;
use super::options::{Options, how};
use isx_certificate::most_bytes;
use isx_design::exploration::AreaOfModes;
use isx_design::front::DesignFront;
use isx_design::schedulability::{Effort, SmallestSchedulable, SmallestWithin, decided_by_utilization};
use isx_design::witness::recheck;
use isx_mckp::Wanted;
use isx_problems::resources::Goal;
use isx_solve::Solution;
use isx_taskset::TaskSet;
use isx_taskset::formulate::Formulation;

/// The points that `goal` asks for, each rechecked whose choices were requested; `None` if there is none.
pub(super) fn front(
    task_set: &TaskSet,
    formulation: &Formulation,
    goal: &Goal,
    options: &Options,
    wanted: Wanted,
) -> Result<Option<DesignFront>, ExploreError> {
    let is_line = formulation.costs.is_line();
    if options.arithmetic.is_some() && (!is_line || !formulation.modes.is_empty()) {
        return Err(ExploreError::NoArithmetic);
    }
    let mut how = how(options, wanted);
    if options.proof && is_line {
        how.machine = how.machine.keeping_free(most_bytes(formulation));
    }
    let solved = clocks::solve_at_every_clock(task_set, formulation, goal, &how)?;
    let Some(Solution { claim, account }) = solved else { return Ok(None) };
    let front = DesignFront::new(task_set.clone(), formulation.clone(), claim, account);
    options.machine.workers().run(|| recheck(&front))?;
    Ok(Some(front))
}

/// The smallest area at which a formulation is schedulable.
pub(super) fn smallest(
    task_set: &TaskSet,
    formulation: &Formulation,
    options: &Options,
    effort: &mut Effort,
) -> Result<SmallestWithin, ExploreError> {
    if formulation.least_demand().is_none_or(|least| least > formulation.hyperperiod) {
        return Ok(SmallestWithin::None);
    }
    if !decided_by_utilization(formulation) {
        return Ok(options.machine.workers().run(|| SmallestWithin::searched(formulation, effort)));
    }
    let enough = Goal::AtLeast(&formulation.base_demand - &formulation.hyperperiod);
    let front = front(task_set, formulation, &enough, options, Wanted::Values)?;
    let first = front.and_then(|front| Some(front.get(0)?.area()));
    Ok(first.map_or(SmallestWithin::None, SmallestWithin::At))
}

/// The most modes whose subsets are all looked at.
const MOST_MODES: usize = 6;

/// The smallest schedulable area of every set of modes, the fewest modes first; `all` is that of all.
pub(super) fn mode_areas(
    task_set: &TaskSet,
    formulation: &Formulation,
    all: &SmallestSchedulable,
    options: &Options,
    effort: &mut Effort,
) -> Result<Vec<AreaOfModes>, ExploreError> {
    let count = formulation.modes.len();
    if !(2..=MOST_MODES).contains(&count) {
        return Ok(Vec::new());
    }
    let subset = |number: u32| (0..count).filter(|mode| number >> mode & 1 == 1).collect();
    let mut subsets: Vec<Vec<usize>> = (1..1 << count).map(subset).collect();
    subsets.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    let mut areas = Vec::with_capacity(subsets.len());
    for modes in subsets {
        let smallest = match all {
            all if modes.len() == count => all.clone().map(|chosen| chosen.design.area().clone()),
            _ => smallest(task_set, &formulation.with_some_modes(&modes), options, effort)?,
        };
        areas.push(AreaOfModes { modes, smallest });
    }
    Ok(areas)
}
