//! The complete path from a task set to its exact front: formulate, solve, recheck, decide.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod clocks;
mod error;
mod front;
mod margins;
mod modes;
mod options;
pub mod partition;
pub mod resources;
mod variants;

pub use error::ExploreError;
pub use margins::explore_margins;
pub use options::Options;

use error::no_design;
use front::{front, mode_areas, smallest};
use isx_design::exploration::Exploration;
use isx_design::schedulability::{
    BudgetVerdict, Effort, SmallestWithin, Verdict, decided_by_utilization, judge, smallest_with_margins,
};
use isx_design::witness::Mismatch;
use isx_exact::quantity::Rational;
use isx_mckp::Wanted;
use isx_problems::resources::Goal;
use isx_solve::SolveError;
use isx_taskset::TaskSet;
use isx_taskset::formulate::{FormulateError, Formulation, formulate_variants};

/// Computes the exact Pareto front of area against utilization, the choices of every point, and which points the
/// set's scheduler can schedule.
/// Fails if the areas exceed the integers, the engine refuses (memory, unavailable hardware), the requested arithmetic is
/// too narrow, or the recheck of the answer fails.
///
/// ```
/// use isx_explore::{Options, explore};
/// let text = "
/// name: two tasks
/// tasks:
///   - {name: control, wcet: 6, period: 10, choices: [{name: mac, area: 120, wcet: 4}]}
///   - {name: filter, wcet: 5, period: 10, choices: [{name: fir, area: 300, saves: 2}]}
/// ";
/// let task_set = isx_taskset::read_str("two-tasks.yaml", text).unwrap().task_set;
/// let explored = explore(&task_set, &Options::default()).unwrap();
/// let areas: Vec<String> = explored.front.iter().map(|point| point.area().to_string()).collect();
/// assert_eq!(areas, ["0", "120", "420"]);
/// assert_eq!(explored.verdicts.points, [Some(false), Some(true), Some(true)]);
/// assert_eq!(explored.front.get(2).unwrap().choices(), Some(vec![Some(0), Some(0)]));
/// ```
pub fn explore(task_set: &TaskSet, options: &Options) -> Result<Exploration, ExploreError> {
    explore_within(task_set, options, &mut Effort::new(options.limits))
}

/// As [`explore`], with the remaining effort shared with other questions; the limits in the options are ignored.
/// Fails as [`explore`].
pub fn explore_within(
    task_set: &TaskSet,
    options: &Options,
    effort: &mut Effort,
) -> Result<Exploration, ExploreError> {
    task_set.validate()?;
    refuse_area(task_set, options.max_area.is_some())?;
    let explore = |formulation: Formulation, options: &Options, effort: &mut Effort| {
        explore_variant(task_set, formulation, options, effort)
    };
    variants::explored(task_set, options.max_area.as_ref(), &Goal::Front, options, effort, &explore)
}

/// The front of one variant of the processor, or of a set with one processor.
fn explore_variant(
    task_set: &TaskSet,
    formulation: Formulation,
    options: &Options,
    effort: &mut Effort,
) -> Result<Exploration, ExploreError> {
    let front = front(task_set, &formulation, &Goal::Front, options, Wanted::AllPicks)?;
    let front = front.ok_or_else(|| no_design(task_set, &formulation))?;
    let is_line = formulation.costs.is_line();
    let (verdicts, margins) = options.machine.workers().run(|| {
        let verdicts = judge(&front, effort);
        let margins = is_line.then(|| smallest_with_margins(&front, &verdicts.smallest, effort));
        (verdicts, margins.unwrap_or_default())
    });
    let mode_areas = match is_line {
        true => mode_areas(task_set, &formulation, &verdicts.smallest, options, effort)?,
        false => Vec::new(),
    };
    Ok(Exploration { margins, mode_areas, ..Exploration::new(front, verdicts) })
}

/// Refuses several resources where an area is asked about.
/// Fails with [`ExploreError::NoArea`].
pub fn refuse_area(task_set: &TaskSet, is_asked: bool) -> Result<(), ExploreError> {
    match task_set.named_resources().filter(|_| is_asked) {
        Some(resources) => {
            let (taskset, resources) = (task_set.name.clone(), resources.names.join(", "));
            Err(ExploreError::NoArea { taskset, resources })
        }
        None => Ok(()),
    }
}

/// Decides whether the task set is schedulable with `area` of hardware, and which area is the smallest that suffices.
/// Computes only the designs needed for these questions.
/// Fails as [`explore`].
pub fn check(task_set: &TaskSet, area: &Rational, options: &Options) -> Result<BudgetVerdict, ExploreError> {
    check_within(task_set, Some(area), options, &mut Effort::new(options.limits))
}

/// As [`check`], with the remaining effort shared with other questions; the limits in the options are ignored.
/// Without an area, all designs are considered, and the one shown is the smallest schedulable design; with several
/// resources, those within their limits, and the designs of all minimal costs are found.
/// Fails as [`check`].
pub fn check_within(
    task_set: &TaskSet,
    area: Option<&Rational>,
    options: &Options,
    effort: &mut Effort,
) -> Result<BudgetVerdict, ExploreError> {
    task_set.validate()?;
    refuse_area(task_set, area.is_some())?;
    let check = |formulation: Formulation, area: Option<&Rational>, effort: &mut Effort| match formulation
        .costs
        .is_line()
    {
        true => check_variant(task_set, formulation, area, options, effort),
        false => resources::check_variant(task_set, &formulation, true, options, effort),
    };
    variants::decided(task_set, area, effort, &check)
}

/// As [`check_within`], for one variant of the processor of a set with one area, or for a set with one processor.
fn check_variant(
    task_set: &TaskSet,
    formulation: Formulation,
    area: Option<&Rational>,
    options: &Options,
    effort: &mut Effort,
) -> Result<BudgetVerdict, ExploreError> {
    let variant = formulation.variant;
    let by_utilization = decided_by_utilization(&formulation);
    // If utilization alone decides, only the design of least utilization is considered.
    let wanted = if by_utilization && area.is_some() { Wanted::BestPicks } else { Wanted::AllPicks };
    let front =
        front(task_set, &formulation, &Goal::Front, options, wanted).map_err(|error| match error {
            ExploreError::Solve(error) => {
                error.needing_more(|| needed_beyond(task_set, variant, options)).into()
            }
            error => error,
        })?;
    let front = front.ok_or_else(|| no_design(task_set, &formulation))?;
    let workers = options.machine.workers();
    let decided = workers.run(|| BudgetVerdict::new(&front, area.cloned(), effort));
    let mut decided = decided.ok_or_else(|| Mismatch::missing(front.len()))?;
    // At the end of a complete front every task has its shortest WCET, unless blocks exclude each other or lower the
    // clock, a choice has locks of its own, or it runs in a mode of less utilization: then a larger design may shorten the
    // task that needs it more, or hold no lock.
    let Formulation { sharing, clocks, modes, .. } = &formulation;
    let has_locks = task_set.tasks.iter().flat_map(|task| &task.choices).any(|choice| choice.locks.is_some());
    let ends_fastest = by_utilization
        || (modes.is_empty()
            && clocks.count() == 1
            && !has_locks
            && sharing.elements.iter().all(|element| element.group.is_none()));
    let is_all = front.is_complete() && ends_fastest;
    if matches!(decided.verdict, Verdict::NotSchedulable { .. }) && !is_all && area.is_some() {
        decided.smallest = smallest_beyond(task_set, variant, options, effort)?;
    }
    Ok(decided)
}

/// Bytes that [`smallest_beyond`] may need; it refuses if none are allowed.
fn needed_beyond(task_set: &TaskSet, variant: usize, options: &Options) -> u64 {
    let Ok(formulation) = unlimited(task_set, variant) else { return 0 };
    let nothing = Options { machine: options.machine.clone().with_max_memory(0), ..options.clone() };
    match front(task_set, &formulation, &Goal::Front, &nothing, Wanted::Values) {
        Err(ExploreError::Solve(SolveError::Engine(refusal))) => {
            refusal.cause.over_memory().map_or(0, |over| over.needed)
        }
        _ => 0,
    }
}

/// One variant of the processor, or a set with one processor, without an area budget.
fn unlimited(task_set: &TaskSet, variant: usize) -> Result<Formulation, FormulateError> {
    formulate_variants(task_set, None)?.swap_remove(variant)
}

/// The smallest schedulable area overall, if a budget was insufficient.
fn smallest_beyond(
    task_set: &TaskSet,
    variant: usize,
    options: &Options,
    effort: &mut Effort,
) -> Result<SmallestWithin, ExploreError> {
    match unlimited(task_set, variant) {
        Ok(formulation) => smallest(task_set, &formulation, options, effort),
        // Areas above the budget that do not fit the integers did not matter for the budget.
        Err(error) => Ok(SmallestWithin::Unknown(error.to_string())),
    }
}
