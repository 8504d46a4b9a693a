//! Why a task set is not explored.

use isx_design::witness::Mismatch;
use isx_engine::{EngineError, Refusal};
use isx_exact::quantity::format_decimal;
use isx_solve::SolveError;
use isx_taskset::formulate::{FormulateError, Formulation};
use isx_taskset::{InvalidTaskSet, TaskSet};

/// Why an exploration failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExploreError {
    /// The task set, built or changed in code, is invalid.
    #[error(transparent)]
    TaskSet(#[from] InvalidTaskSet),
    /// The task set exceeds the range of the integers.
    #[error(transparent)]
    Formulate(#[from] FormulateError),
    /// No engine found an answer.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// No design within the area budget has all forced choices.
    #[error("no design within area {budget} has all choices that are forced")]
    Forced {
        /// The budget in the set's area unit, as a decimal.
        budget: String,
    },
    /// No design is within the limits of the resources.
    #[error("no design{} is within the limits of {limits}", if *.forced { " with all choices that are forced" } else { "" })]
    Limits {
        /// The limits: `LUT 5280, DSP 8`.
        limits: String,
        /// Whether choices are forced.
        forced: bool,
    },
    /// The set counts several resources, and an area was given.
    #[error("`{taskset}` counts {resources}, not one area")]
    NoArea {
        /// Name of the task set.
        taskset: String,
        /// The resources: `LUT, DSP`.
        resources: String,
    },
    /// The set counts several resources or has several modes, and an arithmetic was asked for.
    #[error(
        "several resources or modes are counted in the narrowest exact integers: the arithmetic cannot be chosen"
    )]
    NoArithmetic,
    /// The tasks cannot be distributed among cores.
    #[error("the tasks of `{taskset}` cannot be distributed among cores: {why}")]
    Partition {
        /// Name of the task set.
        taskset: String,
        /// The reason.
        why: String,
    },
    /// There is no front of area against margin.
    #[error("`{taskset}` has no front of area against margin: {why}")]
    Margins {
        /// Name of the task set.
        taskset: String,
        /// The reason.
        why: String,
    },
    /// An answer was found but failed the recheck.
    #[error(transparent)]
    SelfCheck(#[from] Mismatch),
}

/// The error in terms of a set with several resources: what is too wide for the engines is what choices save.
pub(super) fn wide(task_set: &TaskSet, error: SolveError) -> ExploreError {
    let SolveError::Engine(Refusal { cause: EngineError::Width { needed, held }, .. }) = error else {
        return error.into();
    };
    let (taskset, what) = (task_set.name.clone(), "the times that choices save".to_owned());
    FormulateError::DemandRange { taskset, what, needed, held }.into()
}

/// The error where no design is within the area budget or the limits.
pub(super) fn no_design(task_set: &TaskSet, formulation: &Formulation) -> ExploreError {
    if formulation.costs.is_line() {
        let budget = format_decimal(&formulation.in_area_unit(formulation.capacity()));
        return ExploreError::Forced { budget };
    }
    let limits = task_set.resources.limits_in_words().unwrap_or_default();
    ExploreError::Limits { limits, forced: formulation.is_forced() }
}
