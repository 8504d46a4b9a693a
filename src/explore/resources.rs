//! Task sets with several resources: their fronts, and what can be answered without the whole front.

use super::clocks::solve_resources_at_every_clock;
use super::{ExploreError, Options, how};
use isx_design::front::DesignFront;
use isx_design::witness::recheck;
use isx_mckp::Wanted;
use isx_problems::resources::Goal;
use isx_solve::Solution;
use isx_taskset::formulate::Formulation;
use isx_taskset::{Resources, TaskSet};

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
    let limits = task_set.resources.as_ref().and_then(Resources::limits_in_words);
    ExploreError::Limits { limits: limits.unwrap_or_default(), forced }
}
