//! Why there is no page.

use isx_report::front::unreadable::PlotError;
use isx_taskset::TaskSet;
use isx_taskset::formulate::FormulateError;
use std::io;

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The document is not a front.
    #[error(transparent)]
    Front(#[from] PlotError),
    /// The document's points have different tasks, or a choice is not a name.
    #[error("not an isx front: {0}")]
    Choices(String),
    /// The document is the front of another task set.
    #[error("this is not the front of `{taskset}`: {why}")]
    OtherTaskSet {
        /// The name of the task set.
        taskset: String,
        /// The difference.
        why: String,
    },
    /// The task set does not fit the integers.
    #[error(transparent)]
    Formulate(#[from] FormulateError),
    /// The processor has variants, whose WCETs a page does not tell apart.
    #[error(
        "the processor of `{taskset}` has variants, whose execution times a page does not show; leave --taskset out"
    )]
    Variants {
        /// The name of the task set.
        taskset: String,
    },
    /// The set has tasks that overrun, whose WCETs a page does not tell apart.
    #[error("a page shows WCETs that are not exceeded, and `{taskset}` has tasks that overrun")]
    Overruns {
        /// The name of the task set.
        taskset: String,
    },
    /// The figures are too long.
    #[error("the figures of the designs have no common denominator of a length that a page can hold")]
    Digits,
    /// The page cannot be written.
    #[error("cannot write the page: {0}")]
    Write(#[from] io::Error),
}

/// Refuses sets with overruns.
pub(super) fn refuse_overruns(set: &TaskSet) -> Result<(), ReportError> {
    match set.overruns {
        None => Ok(()),
        Some(_) => Err(ReportError::Overruns { taskset: set.name.clone() }),
    }
}
