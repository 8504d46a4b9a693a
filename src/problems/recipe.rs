//! What is wrong with a recipe of a generated problem.

use std::borrow::Cow;
use std::fmt;

/// Why a recipe cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field} {value}: {must}")]
pub struct RecipeError {
    /// The field, as it is named where the recipe is written out.
    pub field: &'static str,
    /// What was given.
    pub value: String,
    /// What must hold.
    pub must: Cow<'static, str>,
}

/// A refusal of that field.
pub(super) fn refuse(
    field: &'static str,
    value: impl fmt::Display,
    must: impl Into<Cow<'static, str>>,
) -> RecipeError {
    RecipeError { field, value: value.to_string(), must: must.into() }
}

/// Refuses that field unless the condition holds.
pub(super) fn require(
    holds: bool,
    field: &'static str,
    value: impl fmt::Display,
    must: &'static str,
) -> Result<(), RecipeError> {
    if holds { Ok(()) } else { Err(refuse(field, value, must)) }
}
