//! Why there is no certificate.

use isx_checker::{Failure, Wrong};
use isx_machine::OverMemory;
use std::io;

/// The maximum number of sums in a proof about several resources; the checker examines each of them.
pub(super) const MOST_SUMS: u64 = 200_000_000;

/// Why there is no certificate.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what is wrong and with what")]
pub enum CertifyError {
    #[error("not proved: {0}")]
    Refused(String),
    /// The proof takes too much memory, or too many sums.
    #[error("{0}")]
    Memory(String),
    #[error("the system cannot start a thread for the checker: {0}")]
    Thread(io::Error),
    #[error(transparent)]
    Write(#[from] io::Error),
}

impl CertifyError {
    /// The lists take more than the `allowed` bytes, and at most `more` beside them, after some of all classes.
    pub(super) fn memory(classes: usize, all: usize, more: u64, allowed: u64) -> Self {
        let enough = match allowed.saturating_add(more) {
            OverMemory::UNKNOWN => "no amount is known to be enough".into(),
            needed => format!("{needed} are enough"),
        };
        Self::Memory(format!(
            "the lists of the proof, after {classes} of {all} classes, take more than the {allowed} bytes of memory that are \
             allowed; {enough}"
        ))
    }

    /// The proof takes more than `MOST_SUMS`, after some of all classes.
    pub(super) fn sums(classes: usize, all: usize) -> Self {
        Self::Memory(format!(
            "the proof, after {classes} of {all} classes, takes more than {MOST_SUMS} sums of costs; certificates of that \
             size are not written"
        ))
    }
}

impl From<Failure> for CertifyError {
    fn from(failure: Failure) -> Self {
        match failure.wrong {
            Wrong::Read(error) => Self::Write(error),
            _ => Self::Refused(failure.to_string()),
        }
    }
}

impl From<Wrong> for CertifyError {
    fn from(wrong: Wrong) -> Self {
        Self::Refused(wrong.to_string())
    }
}
