//! Errors in a TSPLIB file.

use isx_exact::quantity::shortened;

/// An error in a TSPLIB file: location, problem, and hint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {what}; {help}")]
pub struct TsplibError {
    /// Line, 1-based.
    pub line: usize,
    /// Column in characters, 1-based.
    pub column: usize,
    /// What is wrong.
    pub what: String,
    /// How to fix it.
    pub help: String,
}

/// A location in a text, both numbers 1-based.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub line: usize,
    pub column: usize,
}

/// An error at a location.
pub(super) fn refuse(place: Place, what: impl Into<String>, help: impl Into<String>) -> TsplibError {
    let Place { line, column } = place;
    TsplibError { line, column, what: what.into(), help: help.into() }
}

/// A word of the text, made safe to display: truncated, and without control characters.
pub(super) fn shown(text: &str) -> String {
    format!("`{}`", shortened(text))
}
