//! Why an engine gives no answer.

use isx_machine::OverMemory;
#[cfg(feature = "cuda")]
use isx_machine::cuda::DeviceError;
use isx_problems::value::Tier;

/// Why an engine gives no answer. The texts go on from "the NAME engine", which [`Refusal`] puts before them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The tables would pass the memory allowed; nothing was allocated.
    #[error(transparent)]
    Memory(#[from] OverMemory),
    /// As [`EngineError::Memory`], where another engine begins with less.
    #[error("{over}")]
    MemoryOfThisEngine {
        /// What this one needs.
        over: OverMemory,
        /// The other one.
        other: &'static str,
        /// Bytes that it needs at least.
        least: u64,
    },
    /// No machine has the memory for the tables, for the reason given.
    #[error("{0}")]
    TooLarge(String),
    /// The memory of the GPU does not hold the tables, not even piece by piece.
    #[error("needs {needed} bytes of GPU memory and {free} are free")]
    GpuMemory {
        /// Bytes needed at once.
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
    /// Memory within what is allowed was not to be had, of the system or of the GPU's driver, for the reason given.
    #[error("failed: {0}")]
    NoMemory(String),
    /// The checkpoint that it was to go on from is not one of this problem, for the reason given.
    #[error("cannot go on from the checkpoint: {0}")]
    Checkpoint(String),
    /// It failed as it ran, for the reason given; what it had computed was thrown away.
    #[error("failed: {0}")]
    Failed(String),
    /// The computation was called off.
    #[error("was called off")]
    Cancelled,
}

impl EngineError {
    /// The memory that it needs and may not have, if that is why.
    #[must_use]
    pub fn over_memory(&self) -> Option<OverMemory> {
        match self {
            Self::Memory(over) | Self::MemoryOfThisEngine { over, .. } => Some(*over),
            _ => None,
        }
    }
}

/// An engine that gives no answer, by name, and why.
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
