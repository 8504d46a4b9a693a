//! Why an import failed.

use isx_taskset::{Diagnostic, ReadError};

/// Options that the caller must set before a file can be imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Need {
    /// The format.
    Format,
    /// [`Options::core`](crate::Options::core).
    Core,
    /// [`Options::clock`](crate::Options::clock).
    Clock,
    /// [`Options::unit`](crate::Options::unit).
    Unit,
    /// [`Options::set`](crate::Options::set).
    Set,
    /// [`Options::decimal`](crate::Options::decimal).
    Decimal,
    /// [`Tables::blocks`](crate::Tables::blocks).
    Blocks,
    /// A further file of an index of candidate instructions, such as [`Options::schedules`](crate::Options::schedules).
    Candidates,
}

/// Why an import failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub struct Refusal {
    /// The error with its location.
    pub error: ReadError,
    /// The missing options, if nothing else is wrong.
    pub need: Option<Need>,
    /// Whether isx is at fault, not the file: its own text is not read as it was meant.
    pub is_fault: bool,
}

impl Refusal {
    pub(crate) fn needs(need: Need, error: Box<Diagnostic>) -> Self {
        Refusal { need: Some(need), ..error.into() }
    }

    pub(crate) fn all(diagnostics: Vec<Diagnostic>, omitted: usize) -> Self {
        ReadError::Invalid { diagnostics, omitted }.into()
    }
}

impl From<Box<Diagnostic>> for Refusal {
    fn from(error: Box<Diagnostic>) -> Self {
        ReadError::from(error).into()
    }
}

impl From<ReadError> for Refusal {
    fn from(error: ReadError) -> Self {
        Refusal { error, need: None, is_fault: false }
    }
}
