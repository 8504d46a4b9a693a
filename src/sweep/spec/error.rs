//! Why a sweep did not go on.

use isx_report::files::WriteError;
use isx_taskset::ReadError;
use std::io;

/// Why a sweep did not go on.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// The specification, or a task set of its files, is not valid.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A request that cannot be met; the message says why, and what to do.
    #[error("{0}")]
    Asked(String),
    /// A set cannot be drawn or measured.
    #[error("set {index} of point {point}: {why}")]
    Set {
        /// Its point.
        point: u64,
        /// Its number.
        index: u64,
        /// The reason.
        why: String,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The system starts no thread.
    #[error("the system starts no thread: {0}")]
    Thread(io::Error),
    /// It was cancelled.
    #[error("cancelled")]
    Cancelled,
}
