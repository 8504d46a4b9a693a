//! The error of what-if changes.

use crate::diagnostics::{nearest, shortened};

/// Why a what-if change is invalid, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WhatIfError(pub(super) String);

/// The error for an unknown name, with the known one that is nearest.
pub(super) fn unknown<'n>(
    message: String,
    name: &str,
    known: impl Iterator<Item = &'n String>,
) -> WhatIfError {
    let nearest = nearest(name, known.map(String::as_str));
    let meant = nearest.map(|name| format!("; did you mean `{}`?", shortened(name)));
    WhatIfError(message + &meant.unwrap_or_default())
}
