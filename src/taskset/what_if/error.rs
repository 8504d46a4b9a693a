//! Why a what-if change is invalid.

use crate::diagnostics::{nearest, shortened};

/// Why a change is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say what is wrong and with what")]
pub enum WhatIfError {
    #[error("`{}` does not say which choice of which task: write TASK=CHOICE", shortened(text))]
    NoAssignment { text: String },
    #[error("{message}{}", did_you_mean(nearest))]
    Unknown { message: String, nearest: Option<String> },
    #[error(
        "`{}` does not say how much of which resource: write RESOURCE=AMOUNT, for example LUT=5000,DSP=8",
        shortened(text)
    )]
    NoAmount { text: String },
    #[error("{0}")]
    Contradiction(String),
    #[error("a factor on WCETs must be greater than 0")]
    Scale,
    #[error("a margin must be 0 or greater; scale the WCETs to make them shorter")]
    Margin,
}

pub(super) fn unknown<'n>(
    message: String,
    name: &str,
    known: impl Iterator<Item = &'n String>,
) -> WhatIfError {
    let nearest = nearest(name, known.map(String::as_str)).map(str::to_owned);
    WhatIfError::Unknown { message, nearest }
}

fn did_you_mean(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |name| format!("; did you mean `{}`?", shortened(name)))
}
