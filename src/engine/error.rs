//! Why an engine returns no answer.

use isx_machine::OverMemory;
#[cfg(feature = "cuda")]
use isx_machine::cuda::DeviceError;
use isx_problems::value::Tier;
use std::time::Duration;

/// Why an engine returns no answer. The texts continue the phrase "the NAME engine", which [`Refusal`] prepends.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The tables would exceed the memory limit; nothing was allocated.
    #[error(transparent)]
    Memory(#[from] OverMemory),
    /// As [`EngineError::Memory`], if another engine needs less memory to start.
    #[error("{over}")]
    MemoryOfThisEngine {
        /// What this engine needs.
        over: OverMemory,
        /// The other engine.
        other: &'static str,
        /// Bytes that the other engine needs at least.
        least: u64,
    },
    /// No machine has the memory for the tables, for the reason given.
    #[error("{0}")]
    TooLarge(String),
    /// The tables do not fit into the GPU's memory, not even piece by piece.
    #[error("needs {needed} bytes of GPU memory and {free} are free")]
    GpuMemory {
        /// Bytes needed at the same time.
        needed: u64,
        /// Bytes free.
        free: u64,
    },
    /// The engine cannot run on this machine, for the reason given.
    #[error("is not available: {0}")]
    Unavailable(String),
    /// The engine has no cells wide enough for the problem's values.
    #[error("has no {0} arithmetic")]
    Arithmetic(Tier),
    /// The system or the GPU's driver did not provide memory that was within the limit, for the reason given.
    #[error("failed: {0}")]
    NoMemory(String),
    /// The checkpoint to resume from does not belong to this problem, for the reason given.
    #[error("cannot go on from the checkpoint: {0}")]
    Checkpoint(String),
    /// The engine failed while running, for the reason given; its partial result was discarded.
    #[error("failed: {0}")]
    Failed(String),
    /// It would take longer than the caller allows now; about this long, or [`Duration::MAX`] if that is unknown.
    #[error("would take too long")]
    TooLong(Duration),
    /// The computation was cancelled.
    #[error("was called off")]
    Cancelled,
}

impl EngineError {
    /// The memory limit that was exceeded, if that is the cause.
    #[must_use]
    pub fn over_memory(&self) -> Option<OverMemory> {
        match self {
            Self::Memory(over) | Self::MemoryOfThisEngine { over, .. } => Some(*over),
            _ => None,
        }
    }
}

/// An engine that returns no answer, by name, and the cause.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {engine} engine {cause}")]
pub struct Refusal {
    /// The engine's name.
    pub engine: &'static str,
    /// Why.
    pub cause: EngineError,
}

#[cfg(feature = "cuda")]
impl From<DeviceError> for EngineError {
    fn from(error: DeviceError) -> Self {
        match error {
            DeviceError::Memory { needed, free } => Self::GpuMemory { needed, free },
            error if error.is_absence() => Self::Unavailable(error.to_string()),
            error if error.is_out_of_memory() => Self::NoMemory(error.to_string()),
            error => Self::Failed(error.to_string()),
        }
    }
}
