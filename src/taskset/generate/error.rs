//! Why a recipe is invalid.

use isx_exact::quantity::QuantityError;
use isx_exact::sampling::RangeError;
use std::fmt;

/// Why a recipe is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what is wrong and with what")]
pub enum RecipeError {
    #[error("{field} {value}: {must}")]
    Field { field: &'static str, value: String, must: &'static str },
    #[error(transparent)]
    Range(#[from] RangeError),
    #[error("periods: {0}")]
    Period(#[from] QuantityError),
    #[error(
        "no utilization vector of {tasks} tasks with sum {utilization} and no task above {limit} in {attempts} \
         attempts; lower the sum, raise the largest utilization of a task, or split by fixed-sum, which discards none"
    )]
    Discarded { tasks: usize, utilization: String, limit: String, attempts: u32 },
    #[error("{file}:{line}:{column}: {problem}")]
    Catalog { file: String, line: usize, column: usize, problem: String },
}

/// Makes a [`RecipeError::Field`].
pub(super) fn field(field: &'static str, value: impl fmt::Display, must: &'static str) -> RecipeError {
    RecipeError::Field { field, value: value.to_string(), must }
}

/// Returns a [`RecipeError::Field`] unless the condition holds.
pub(super) fn require(
    holds: bool,
    name: &'static str,
    value: impl fmt::Display,
    must: &'static str,
) -> Result<(), RecipeError> {
    if holds { Ok(()) } else { Err(field(name, value, must)) }
}
