//! Which engine is asked for.

use crate::{Entry, Family};

/// Which engine solves a problem.
#[derive(Clone, Copy, Debug, Default)]
pub enum Choice<F: Family> {
    /// The one expected to be fastest.
    #[default]
    Auto,
    /// This engine of the registry.
    Named(&'static Entry<F>),
}
