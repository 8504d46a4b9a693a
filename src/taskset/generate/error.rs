//! Why a recipe is invalid.

use isx_exact::quantity::QuantityError;
use isx_exact::sampling::RangeError;
use std::fmt;

/// Why a recipe is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecipeError {
    /// A field is out of range.
    #[error("{field} {value}: {must}")]
    Field {
        /// The name of the field in the recipe's text form.
        field: &'static str,
        /// The given value.
        value: String,
        /// The condition it must meet.
        must: &'static str,
    },
    /// A malformed range.
    #[error(transparent)]
    Range(#[from] RangeError),
    /// A malformed time.
    #[error("periods: {0}")]
    Period(#[from] QuantityError),
    /// UUniFast-Discard found no valid vector.
    #[error(
        "no utilization vector of {tasks} tasks with sum {utilization} and no task above {limit} in {attempts} \
         attempts; lower the sum, or raise the largest utilization of a task"
    )]
    Discarded {
        /// The number of tasks.
        tasks: usize,
        /// The requested sum.
        utilization: String,
        /// The limit per task.
        limit: String,
        /// The number of vectors drawn.
        attempts: u32,
    },
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
