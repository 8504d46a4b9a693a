//! Why a text is no TSPLIB problem.

use isx_exact::quantity::shortened;

/// Why a text is no TSPLIB problem: where, what, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {what}; {help}")]
pub struct TsplibError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub help: String,
}

/// A place in a text, both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub line: usize,
    pub column: usize,
}

/// An error at a place.
pub(super) fn refuse(place: Place, what: impl Into<String>, help: impl Into<String>) -> TsplibError {
    let Place { line, column } = place;
    TsplibError { line, column, what: what.into(), help: help.into() }
}

/// A word of the text as it may be shown: cut, and without control characters.
pub(super) fn shown(text: &str) -> String {
    format!("`{}`", shortened(text))
}
