//! Why an engine returns no answer.

use isx_machine::OverMemory;
#[cfg(feature = "cuda")]
use isx_machine::cuda::DeviceError;
use isx_problems::value::Tier;
use std::time::Duration;

/// Why an engine returns no answer. The texts continue the phrase "the NAME engine", which [`Refusal`] prepends.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what is wrong and with what")]
pub enum EngineError {
    /// The tables would exceed the memory limit; nothing was allocated.
    #[error(transparent)]
    Memory(#[from] OverMemory),
    /// As [`EngineError::Memory`], if another engine needs less memory to start: at least this much.
    #[error("{over}")]
    MemoryOfThisEngine { over: OverMemory, other: &'static str, least: u64 },
    #[error("{0}")]
    TooLarge(String),
    #[error("needs {needed} bytes of GPU memory and {free} are free")]
    GpuMemory { needed: u64, free: u64 },
    #[error("is not available: {0}")]
    Unavailable(String),
    #[error("has no {0} arithmetic")]
    Arithmetic(Tier),
    /// No engine adds integers of this many bits but one that is too slow.
    #[error("adds integers of up to {held} bits, and {needed} are needed")]
    Width { needed: u64, held: u64 },
    /// The system or the GPU's driver did not provide memory that was within the limit.
    #[error("failed: {0}")]
    NoMemory(String),
    /// The engine failed while running; its partial result was discarded.
    #[error("failed: {0}")]
    Failed(String),
    /// It would take longer than the caller allows now; about this long, or [`Duration::MAX`] if that is unknown.
    #[error("would take too long")]
    TooLong(Duration),
    /// The computation was cancelled.
    #[error("was cancelled")]
    Cancelled,
}

impl EngineError {
    /// The memory limit that was exceeded, if that is the cause.
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
