//! Why a change of a what-if analysis is invalid.

use crate::diagnostics::{nearest, shortened};

/// Why a change is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WhatIfError {
    /// The text is not of the form task and choice.
    #[error("`{}` does not say which choice of which task: write TASK=CHOICE", shortened(text))]
    NoAssignment {
        /// The given text.
        text: String,
    },
    /// The task, choice or block does not exist.
    #[error("{message}{}", did_you_mean(nearest))]
    Unknown {
        /// What does not exist.
        message: String,
        /// The most similar name.
        nearest: Option<String>,
    },
    /// The text is not of the form resource and amount.
    #[error(
        "`{}` does not say how much of which resource: write RESOURCE=AMOUNT, for example LUT=5000,DSP=8",
        shortened(text)
    )]
    NoAmount {
        /// The given text.
        text: String,
    },
    /// Changes that contradict each other, or the set.
    #[error("{0}")]
    Contradiction(String),
    /// The factor is not above 0.
    #[error("a factor on WCETs must be greater than 0")]
    Scale,
    /// The margin is below 0.
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
