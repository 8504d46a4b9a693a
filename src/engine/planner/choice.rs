//! Which engine is asked for, and which may be taken.

use crate::{Entry, Family, Request};

/// Which engine solves a problem.
#[derive(Clone, Copy, Debug, Default)]
pub enum Choice<F: Family> {
    /// The one expected to be fastest.
    #[default]
    Auto,
    /// This engine of the registry.
    Named(&'static Entry<F>),
}

/// Whether the engine can save states, if that is requested.
pub(super) fn is_kept<F: Family>(entry: &Entry<F>, request: Request<'_, F>) -> bool {
    request.context.store.is_none() || entry.engine.can_resume()
}
