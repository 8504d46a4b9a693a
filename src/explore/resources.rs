//! Task sets with several resources: their fronts, and what can be answered without the whole front.

use super::clocks::solve_resources_at_every_clock;
use super::{ExploreError, Options, how};
use isx_design::front::DesignFront;
use isx_design::witness::recheck;
use isx_exact::quantity::format_decimal;
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
    let solved = solve_resources_at_every_clock(formulation, goal, &how(options, wanted))?;
    let Some(Solution { claim, account }) = solved else { return Ok(None) };
    let front = DesignFront::new(task_set.clone(), formulation.clone(), claim, account);
    options.machine.workers().run(|| recheck(&front))?;
    Ok(Some(front))
}

/// The error where no design is within the limits.
pub(super) fn no_design(task_set: &TaskSet) -> ExploreError {
    let forced = task_set.tasks.iter().any(|task| task.forced);
    ExploreError::Limits { limits: limits_in_words(task_set), forced }
}

/// The limits of a set's resources: `LUT 5280, DSP 8`.
fn limits_in_words(task_set: &TaskSet) -> String {
    let Some(resources) = &task_set.resources else { return String::new() };
    let limits = resources.names.iter().zip(&resources.limits);
    let limits =
        limits.filter_map(|(name, limit)| Some(format!("{name} {}", format_decimal(limit.as_ref()?))));
    limits.collect::<Vec<_>>().join(", ")
}
