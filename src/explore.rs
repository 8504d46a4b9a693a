//! The whole way from a task set to its exact front: formulate, reduce, solve, recheck, decide.

use crate::certificate::{Mismatch, recheck};
use crate::engine::Context;
use crate::float_front::{FloatVariant, float_front};
use crate::formulate::{FormulateError, Formulation, formulate};
use crate::front::{Design, DesignFront, ListedPoint, Points, RanOn, SmallestSchedulable, Status};
use crate::problem::value::Tier;
use crate::quantity::Rational;
use crate::schedulability::{BudgetVerdict, Effort, Limits, mark};
use crate::solve::{self, SolveError, solve};
use crate::taskset::TaskSet;

/// How to explore.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// The engine's name; by itself if `None`.
    pub engine: Option<&'a str>,
    /// No design above this area, in the set's area unit.
    pub max_area: Option<&'a Rational>,
    /// The arithmetic; the narrowest exact integers if `None`.
    pub arithmetic: Option<Arithmetic>,
    /// Threads, memory, progress.
    pub context: Context<'a>,
}

/// What utilizations are computed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Exact integers.
    Exact(Tier),
    /// The papers' floats, for comparison and teaching. What comes out is no longer the exact front: each design is
    /// summed exactly, but better ones may be missing.
    Float(FloatVariant),
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
    /// Floats were asked for together with an engine that has none.
    #[error("--arithmetic {variant} has an engine of its own on the CPU; leave --engine {engine} out")]
    FloatEngine {
        /// The arithmetic.
        variant: &'static str,
        /// The engine asked for.
        engine: String,
    },
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
    explore_within(task_set, options, &mut Effort::new(Limits::default()))
}

fn explore_within(
    task_set: &TaskSet,
    options: &Options,
    effort: &mut Effort,
) -> Result<DesignFront, ExploreError> {
    let formulation = formulate(task_set, options.max_area)?;
    let answer = match options.arithmetic {
        Some(Arithmetic::Float(variant)) => in_floats(&formulation, variant, options)?,
        Some(Arithmetic::Exact(tier)) => in_integers(&formulation, Some(tier), options)?,
        None => in_integers(&formulation, None, options)?,
    };
    let base = Design {
        area: Rational::default(),
        utilization: Rational::new(formulation.base_demand.clone(), formulation.hyperperiod.clone()),
        schedulable: None,
    };
    let mut front = DesignFront {
        taskset: task_set.clone(),
        engine: answer.engine,
        base,
        smallest: SmallestSchedulable::None,
        status: Status::Unverified,
        complete: answer.complete,
        formulation,
        points: answer.points,
        schedulable: Vec::new(),
    };
    recheck(&front)?;
    mark(&mut front, effort);
    Ok(front)
}

/// The points of a front and how they came to be.
struct Answer {
    engine: RanOn,
    points: Points,
    complete: bool,
}

fn in_integers(
    formulation: &Formulation,
    arithmetic: Option<Tier>,
    options: &Options,
) -> Result<Answer, ExploreError> {
    let how = solve::Options {
        engine: options.engine,
        arithmetic,
        context: options.context,
        ..solve::Options::default()
    };
    let solution = solve(&formulation.problem, how)?;
    let engine = RanOn {
        ran_on: solution.answer().ran_on.clone(),
        arithmetic: solution.tier().name().into(),
        why: solution.why.clone(),
    };
    let complete = solution.complete();
    Ok(Answer { engine, points: Points::Solved(Box::new(solution)), complete })
}

/// The designs that floats choose, summed exactly; those that are then seen to be dominated are left out.
fn in_floats(
    formulation: &Formulation,
    variant: FloatVariant,
    options: &Options,
) -> Result<Answer, ExploreError> {
    if let Some(engine) = options.engine {
        return Err(ExploreError::FloatEngine { variant: variant.name(), engine: engine.into() });
    }
    let floats = float_front(formulation, variant, options.context.max_memory).map_err(SolveError::from)?;
    let mut points: Vec<ListedPoint> = Vec::with_capacity(floats.len());
    for (at, &area) in floats.areas.iter().enumerate() {
        let choices = floats.choices(at).to_vec();
        let demand = (formulation.utilization(&choices) * &formulation.hyperperiod).to_integer();
        if points.last().is_none_or(|last| demand < last.demand) {
            points.push(ListedPoint { area, demand, choices });
        }
    }
    let engine = RanOn {
        ran_on: "float table (1 thread)".into(),
        arithmetic: format!("{} (inexact)", variant.name()),
        why: format!(
            "asked for; of {} points that the floats see, {} are dominated once summed exactly",
            floats.len(),
            floats.len() - points.len()
        ),
    };
    Ok(Answer { engine, points: Points::Listed(points), complete: false })
}

/// Decides whether the task set is schedulable under EDF with `area` of hardware.
///
/// # Errors
///
/// As [`explore`].
pub fn check(task_set: &TaskSet, area: &Rational, options: &Options) -> Result<BudgetVerdict, ExploreError> {
    let mut effort = Effort::new(Limits::default());
    let front = explore_within(task_set, &Options { max_area: None, ..*options }, &mut effort)?;
    Ok(BudgetVerdict::new(front, area.clone(), &mut effort))
}
