//! Errors in a recipe of a generated problem.

use std::borrow::Cow;
use std::fmt;

/// Why a recipe is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field} {value}: {must}")]
pub struct RecipeError {
    /// The name of the field in the recipe's text form.
    pub field: &'static str,
    /// The given value.
    pub value: String,
    /// The condition it must meet.
    pub must: Cow<'static, str>,
}

/// Makes an error for that field.
pub(super) fn refuse(
    field: &'static str,
    value: impl fmt::Display,
    must: impl Into<Cow<'static, str>>,
) -> RecipeError {
    RecipeError { field, value: value.to_string(), must: must.into() }
}

/// Returns an error for that field unless the condition holds.
pub(super) fn require(
    holds: bool,
    field: &'static str,
    value: impl fmt::Display,
    must: &'static str,
) -> Result<(), RecipeError> {
    if holds { Ok(()) } else { Err(refuse(field, value, must)) }
}
