//! The whole way from a task set to its exact front: formulate, reduce, solve, recheck, decide.

use crate::certificate::{Mismatch, recheck};
use crate::engine::Context;
use crate::formulate::{FormulateError, formulate};
use crate::front::{Design, DesignFront, RanOn, SmallestSchedulable, Status};
use crate::problem::value::Tier;
use crate::quantity::Rational;
use crate::schedulability::{BudgetVerdict, Limits, mark};
use crate::solve::{self, SolveError, solve};
use crate::taskset::TaskSet;

/// How to explore.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// The engine's name; by itself if `None`.
    pub engine: Option<&'a str>,
    /// No design above this area, in the set's area unit.
    pub max_area: Option<&'a Rational>,
    /// The arithmetic tier; the narrowest exact one if `None`.
    pub arithmetic: Option<Tier>,
    /// Threads, memory, progress.
    pub context: Context<'a>,
}

/// Why a task set was not explored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExploreError {
    /// The task set does not fit the integers.
    #[error(transparent)]
    Formulate(#[from] FormulateError),
    /// No engine gave an answer.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// An answer was found and does not hold.
    #[error(transparent)]
    SelfCheck(#[from] Mismatch),
}

/// Computes the exact Pareto front of area against utilization, the choices behind every point, and which points
/// EDF schedules.
///
/// # Errors
///
/// When the areas pass the integers, the engine refuses (memory, not available), the arithmetic asked for is too
/// narrow, or the recheck of the answer fails.
///
/// ```
/// use isx::explore::{Options, explore};
/// let text = "
/// name: two tasks
/// tasks:
///   - {name: control, wcet: 6, period: 10, choices: [{name: mac, area: 120, wcet: 4}]}
///   - {name: filter, wcet: 5, period: 10, choices: [{name: fir, area: 300, saves: 2}]}
/// ";
/// let task_set = isx::taskset::read_str("two-tasks.yaml", text).unwrap().task_set;
/// let front = explore(&task_set, &Options::default()).unwrap();
/// let areas: Vec<String> = (0..front.len()).map(|point| front.area(point).to_string()).collect();
/// assert_eq!(areas, ["0", "120", "420"]);
/// assert_eq!(front.design(1).schedulable, Some(true));
/// assert_eq!(front.choices(2), [Some(0), Some(0)]);
/// ```
pub fn explore(task_set: &TaskSet, options: &Options) -> Result<DesignFront, ExploreError> {
    let formulation = formulate(task_set, options.max_area)?;
    let how = solve::Options {
        engine: options.engine,
        arithmetic: options.arithmetic,
        context: options.context,
        ..solve::Options::default()
    };
    let solution = solve(&formulation.problem, how)?;
    let engine = RanOn {
        ran_on: solution.answer().ran_on.clone(),
        arithmetic: solution.tier().name().into(),
        why: solution.why.clone(),
    };
    let base = Design {
        area: Rational::default(),
        utilization: Rational::new(formulation.base_demand.clone(), formulation.hyperperiod.clone()),
        schedulable: None,
    };
    let mut front = DesignFront {
        taskset: task_set.clone(),
        engine,
        base,
        smallest: SmallestSchedulable::None,
        status: Status::Unverified,
        complete: solution.complete(),
        formulation,
        solution,
        schedulable: Vec::new(),
    };
    recheck(&front)?;
    mark(&mut front, &Limits::default());
    Ok(front)
}

/// Decides whether the task set is schedulable under EDF with `area` of hardware.
///
/// # Errors
///
/// As [`explore`].
pub fn check(task_set: &TaskSet, area: &Rational, options: &Options) -> Result<BudgetVerdict, ExploreError> {
    let front = explore(task_set, &Options { max_area: None, ..*options })?;
    Ok(BudgetVerdict::new(front, area.clone()))
}
