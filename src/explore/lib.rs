//! The complete path from a task set to its exact front: formulate, solve, recheck, decide.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod clocks;
mod error;
mod margins;
mod modes;
mod options;
pub mod partition;
pub mod resources;
mod variants;

pub use error::ExploreError;
pub use margins::explore_margins;
pub use options::Options;

use isx_certificate::most_bytes;
use isx_design::exploration::Exploration;
use isx_design::front::{DesignFront, Point};
use isx_design::schedulability::{
    BudgetVerdict, Effort, SmallestWithin, Verdict, decided_by_utilization, judge, smallest_with_margins,
};
use isx_design::witness::{Mismatch, recheck};
use isx_exact::quantity::Rational;
use isx_mckp::Wanted;
use isx_problems::mckp::enough_capacity;
use isx_problems::resources::Goal;
use isx_solve::{Solution, SolveError};
use isx_taskset::TaskSet;
use isx_taskset::formulate::{FormulateError, Formulation, formulate_variants};
use options::how;

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
    if !formulation.costs.is_line() {
        let front = resources::front(task_set, &formulation, &Goal::Front, options, Wanted::AllPicks)?;
        let front = front.ok_or_else(|| resources::no_design(task_set))?;
        let verdicts = options.machine.workers().run(|| judge(&front, effort));
        return Ok(Exploration::new(front, verdicts));
    }
    let front = solved(task_set, formulation, options, Wanted::AllPicks)?;
    let (verdicts, margins) = options.machine.workers().run(|| {
        let verdicts = judge(&front, effort);
        let margins = smallest_with_margins(&front, &verdicts.smallest, effort);
        (verdicts, margins)
    });
    let mode_areas = modes::areas(front.formulation(), &verdicts.smallest, options, effort)?;
    Ok(Exploration { margins, mode_areas, ..Exploration::new(front, verdicts) })
}

/// Refuses several resources where an area is asked about.
fn refuse_area(task_set: &TaskSet, is_asked: bool) -> Result<(), ExploreError> {
    match task_set.named_resources().filter(|_| is_asked) {
        Some(resources) => {
            let (taskset, resources) = (task_set.name.clone(), resources.names.join(", "));
            Err(ExploreError::NoArea { taskset, resources })
        }
        None => Ok(()),
    }
}

/// The front, with every point whose choices were requested rechecked.
fn solved(
    task_set: &TaskSet,
    formulation: Formulation,
    options: &Options,
    wanted: Wanted,
) -> Result<DesignFront, ExploreError> {
    let mut how = how(options, wanted);
    if options.proof {
        how.machine = how.machine.keeping_free(most_bytes(&formulation));
    }
    let Solution { claim, account } = if formulation.modes.is_empty() {
        let solution = clocks::solve_at_every_clock(task_set, &formulation, &Goal::Front, &how)?;
        solution.ok_or_else(|| clocks::forced_beyond(&formulation))?
    } else {
        modes::solve(&formulation, None, options)?
    };
    let front = DesignFront::new(task_set.clone(), formulation, claim, account);
    options.machine.workers().run(|| recheck(&front))?;
    Ok(front)
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
    let front = solved(task_set, formulation, options, wanted).map_err(|error| match error {
        ExploreError::Solve(error) => error.needing_more(|| needed_beyond(task_set, variant, options)).into(),
        error => error,
    })?;
    let workers = options.machine.workers();
    let decided = workers.run(|| BudgetVerdict::new(&front, area.cloned(), effort));
    let mut decided = decided.ok_or_else(|| Mismatch::missing(front.len()))?;
    // At the end of a complete front every task has its shortest WCET, unless blocks exclude each other or lower the
    // clock, a choice has locks of its own, or it runs in a mode of less utilization: then a larger design may shorten the
    // task that needs it more, or hold no lock.
    let Formulation { sharing, clocks, modes, .. } = front.formulation();
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
    match solved(task_set, formulation, &nothing, Wanted::Values) {
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
    let mut formulation = match unlimited(task_set, variant) {
        Ok(formulation) => formulation,
        // Areas above the budget that do not fit the integers did not matter for the budget.
        Err(error) => return Ok(SmallestWithin::Unknown(error.to_string())),
    };
    if !formulation.modes.is_empty() {
        return modes::smallest(&formulation, options, effort);
    }
    let enough = (0..formulation.clocks.count()).filter_map(|clock| {
        let scenario = formulation.at_clock(clock);
        let settled = clocks::settled(&scenario)?;
        let needed = &scenario.base_demand - &scenario.hyperperiod - &settled.value;
        Some(enough_capacity(&settled.problem, &needed)?.saturating_add(settled.weight))
    });
    let Some(enough) = enough.min() else { return Ok(SmallestWithin::None) };
    if !decided_by_utilization(&formulation) {
        return Ok(options.machine.workers().run(|| SmallestWithin::searched(&formulation, effort)));
    }
    // What suffices in addition to the blocks certainly suffices with all of them.
    let blocks: u64 = formulation.sharing.elements.iter().map(|element| element.weight).sum();
    let all = formulation.problem.capacity;
    let surely = enough.saturating_add(blocks).min(all);
    // Unless two of the blocks share a slot: then possibly nothing less than the total suffices.
    for capacity in [surely, all] {
        formulation.problem.capacity = capacity;
        let front = solved(task_set, formulation.clone(), options, Wanted::Values)?;
        if let Some(first) = front.iter().find(Point::fits) {
            return Ok(SmallestWithin::At(first.area()));
        }
        if front.is_complete() {
            break;
        }
    }
    Ok(SmallestWithin::None)
}
