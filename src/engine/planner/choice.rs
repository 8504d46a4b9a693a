//! Which engine is asked for, and which may be taken.

use crate::{Entry, Family, Request};
use std::fmt;

/// Which engine solves a problem.
#[derive(Default)]
pub enum Choice<F: Family> {
    /// The one expected to be fastest.
    #[default]
    Auto,
    /// This engine of the registry.
    Named(&'static Entry<F>),
}

impl<F: Family> Clone for Choice<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F: Family> Copy for Choice<F> {}

impl<F: Family> fmt::Debug for Choice<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("Auto"),
            Self::Named(entry) => write!(f, "Named({})", entry.name),
        }
    }
}

/// Whether the engine can save states, if that is requested.
pub(super) fn is_kept<F: Family>(entry: &Entry<F>, request: Request<'_, F>) -> bool {
    request.context.keeper.is_none() || entry.engine.can_resume()
}
