//! The whole way from a task set to its exact front: formulate, solve, sum again, decide.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod clocks;

use isx_certificate::most_bytes;
use isx_design::exploration::{Exploration, Status};
use isx_design::front::{DesignFront, Point};
use isx_design::schedulability::{
    BudgetVerdict, Effort, Limits, SmallestWithin, Verdict, decided_by_utilization, judge,
};
use isx_design::witness::{Mismatch, recheck};
use isx_engine::{Choice, Keeper, NoProgress, Progress};
use isx_exact::quantity::Rational;
use isx_machine::Machine;
use isx_mckp::{Mckp, Wanted};
use isx_problems::mckp::enough_capacity;
use isx_problems::value::Tier;
use isx_solve as solve;
use isx_solve::{Solution, SolveError};
use isx_taskset::formulate::{FormulateError, Formulation, formulate};
use isx_taskset::{InvalidTaskSet, TaskSet};
use std::fmt;

/// How to explore.
#[derive(Clone)]
pub struct Options<'a> {
    /// The engine.
    pub engine: Choice<Mckp>,
    /// No design above this area, in the set's area unit.
    pub max_area: Option<Rational>,
    /// The integers to compute in; the narrowest exact ones if `None`.
    pub arithmetic: Option<Tier>,
    /// Threads, memory, a GPU.
    pub machine: Machine,
    /// How much work verdicts may take.
    pub limits: Limits,
    /// Told of the progress.
    pub progress: &'a dyn Progress,
    /// Keeps states to go on from, where that is wanted; engines that cannot are then left out.
    pub keeper: Option<&'a dyn Keeper>,
    /// Whether the answer is to be proved: memory is then kept free for it as far as there is enough.
    pub proof: bool,
}

impl Default for Options<'_> {
    /// Everything by itself, every design, nobody listening.
    fn default() -> Self {
        Self {
            engine: Choice::Auto,
            max_area: None,
            arithmetic: None,
            machine: Machine::default(),
            limits: Limits::default(),
            progress: &NoProgress,
            keeper: None,
            proof: false,
        }
    }
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { engine, max_area, arithmetic, machine, limits, .. } = self;
        f.debug_struct("Options")
            .field("engine", engine)
            .field("max_area", max_area)
            .field("arithmetic", arithmetic)
            .field("machine", machine)
            .field("limits", limits)
            .finish_non_exhaustive()
    }
}

/// Why a task set was not explored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExploreError {
    /// The task set, built or changed in code, is none.
    #[error(transparent)]
    TaskSet(#[from] InvalidTaskSet),
    /// The task set does not fit the integers.
    #[error(transparent)]
    Formulate(#[from] FormulateError),
    /// No engine gave an answer.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// No design within the area budget has all choices that are forced.
    #[error("no design within area {budget} has all choices that are forced")]
    Forced {
        /// The budget in the set's area unit, as a decimal.
        budget: String,
    },
    /// An answer was found and does not hold.
    #[error(transparent)]
    SelfCheck(#[from] Mismatch),
}

/// Computes the exact Pareto front of area against utilization, the choices behind every point, and which points
/// the set's scheduler can do.
///
/// # Errors
///
/// When the areas pass the integers, the engine refuses (memory, not available), the arithmetic asked for is too
/// narrow, or the recheck of the answer fails.
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
    task_set.validate()?;
    let formulation = formulate(task_set, options.max_area.as_ref())?;
    let front = solved(task_set, formulation, options, Wanted::AllPicks)?;
    let mut effort = Effort::new(options.limits);
    let verdicts = options.machine.workers().run(|| judge(&front, &mut effort));
    Ok(Exploration { front, verdicts, status: Status::Checked })
}

/// The front, every point whose choices are wanted summed again.
fn solved(
    task_set: &TaskSet,
    formulation: Formulation,
    options: &Options,
    wanted: Wanted,
) -> Result<DesignFront, ExploreError> {
    // A default machine would count the cores anew.
    let mut machine = options.machine.clone();
    if options.proof {
        machine = machine.keeping_free(most_bytes(&formulation));
    }
    let &Options { engine, arithmetic, progress, keeper, .. } = options;
    let how = solve::Options { engine, arithmetic, raw: false, wanted, machine, progress, keeper };
    let Solution { claim, account } = clocks::solve_at_every_clock(&formulation, &how)?;
    let front = DesignFront::new(task_set.clone(), formulation, claim, account);
    options.machine.workers().run(|| recheck(&front))?;
    Ok(front)
}

/// Decides whether the task set is schedulable with `area` of hardware, and which area is the smallest that
/// would do. Designs are computed no further than these questions need.
///
/// # Errors
///
/// As [`explore`].
pub fn check(task_set: &TaskSet, area: &Rational, options: &Options) -> Result<BudgetVerdict, ExploreError> {
    check_within(task_set, Some(area), options, &mut Effort::new(options.limits))
}

/// As [`check`], with what is left of an effort that other questions share; the options' limits are not looked at. Without
/// an area, all designs are looked at, and the one shown is the smallest that is schedulable.
///
/// # Errors
///
/// As [`check`].
pub fn check_within(
    task_set: &TaskSet,
    area: Option<&Rational>,
    options: &Options,
    effort: &mut Effort,
) -> Result<BudgetVerdict, ExploreError> {
    task_set.validate()?;
    let formulation = formulate(task_set, area)?;
    let by_utilization = decided_by_utilization(&formulation);
    // Where utilization alone decides, no other design than the one of least utilization is looked at.
    let wanted = if by_utilization && area.is_some() { Wanted::BestPicks } else { Wanted::AllPicks };
    let front = solved(task_set, formulation, options, wanted).map_err(|error| match error {
        ExploreError::Solve(error) => error.needing_more(|| needed_beyond(task_set, options)).into(),
        error => error,
    })?;
    let workers = options.machine.workers();
    let decided = workers.run(|| BudgetVerdict::new(&front, area.cloned(), effort));
    let mut decided = decided.ok_or_else(|| Mismatch::missing(front.len()))?;
    // At the end of a complete front every task has its shortest WCET, unless blocks exclude each other or lower the clock:
    // then a larger design may give a task less that needs it more.
    let Formulation { sharing, clocks, .. } = front.formulation();
    let ends_fastest = by_utilization
        || (clocks.count() == 1 && sharing.elements.iter().all(|element| element.group.is_none()));
    let is_all = front.is_complete() && ends_fastest;
    if matches!(decided.verdict, Verdict::NotSchedulable { .. }) && !is_all && area.is_some() {
        decided.smallest = smallest_beyond(task_set, options, effort)?;
    }
    Ok(decided)
}

/// Bytes that [`smallest_beyond`] may need: what is refused where none are allowed.
fn needed_beyond(task_set: &TaskSet, options: &Options) -> u64 {
    let Ok(formulation) = formulate(task_set, None) else { return 0 };
    let nothing = Options { machine: options.machine.clone().with_max_memory(0), ..options.clone() };
    match solved(task_set, formulation, &nothing, Wanted::Values) {
        Err(ExploreError::Solve(SolveError::Engine(refusal))) => {
            refusal.cause.over_memory().map_or(0, |over| over.needed)
        }
        _ => 0,
    }
}

/// The smallest schedulable area of all, where a budget was not enough.
fn smallest_beyond(
    task_set: &TaskSet,
    options: &Options,
    effort: &mut Effort,
) -> Result<SmallestWithin, ExploreError> {
    let mut formulation = match formulate(task_set, None) {
        Ok(formulation) => formulation,
        // Areas above the budget that cannot be counted were none of the budget's business.
        Err(error) => return Ok(SmallestWithin::Unknown(error.to_string())),
    };
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
    // What is enough beside the blocks is surely enough with all of them.
    let blocks: u64 = formulation.sharing.elements.iter().map(|element| element.weight).sum();
    let all = formulation.problem.capacity;
    let surely = enough.saturating_add(blocks).min(all);
    // Unless two of the blocks go into one slot; then nothing less than everything may be enough.
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
