//! The machine that engines run on: threads, memory, a GPU, and the word to stop.
//!
//! A [`Machine`] is made once, by whoever starts a computation, and lent to everything that takes part. Threads are
//! started and a GPU is opened when they are first needed, and only once; a clone shares both. Nothing here knows of
//! problems or tasks.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod allocated;
mod cancel;
pub mod cpu;
#[cfg(feature = "cuda")]
pub mod cuda;
pub mod faults;
mod share;

pub use cancel::Cancel;

use cpu::Workers;
use std::fmt;
use std::sync::Arc;

/// More bytes than any process can address.
const ADDRESSABLE: u64 = 1 << 47;

/// Most bytes of tables that are held at once unless somebody says otherwise.
const DEFAULT_MEMORY: u64 = 4 << 30;

/// Threads, memory and a GPU.
///
/// Make one and clone it for every computation: starting threads takes microseconds, opening a GPU a fifth of a second.
///
/// ```
/// use isx_machine::Machine;
/// let machine = Machine::default().with_threads(2).with_max_memory(1 << 30);
/// assert_eq!(machine.threads(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Machine {
    workers: Arc<Workers>,
    /// Most bytes to take, and those of them that are no longer to be had.
    max_memory: u64,
    taken: u64,
    /// Bytes that what comes after the tables may need.
    kept_free: u64,
    cancel: Cancel,
    #[cfg(feature = "cuda")]
    gpu: Arc<cuda::Gpu>,
}

impl Default for Machine {
    /// Every core, 4 GiB of tables, the first GPU, nobody who cancels.
    fn default() -> Self {
        Self {
            workers: Arc::new(Workers::new(cpu::cores())),
            max_memory: DEFAULT_MEMORY,
            taken: 0,
            kept_free: 0,
            cancel: Cancel::default(),
            #[cfg(feature = "cuda")]
            gpu: Arc::new(cuda::Gpu::new(0)),
        }
    }
}

impl Machine {
    /// With so many threads, at least 1.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { workers: Arc::new(Workers::new(threads.max(1))), ..self }
    }

    /// With at most so many bytes of tables at once.
    #[must_use]
    pub fn with_max_memory(self, bytes: u64) -> Self {
        Self { max_memory: bytes, taken: 0, ..self }
    }

    /// With so many bytes of the memory allowed taken by something else.
    #[must_use]
    pub fn with_taken(self, bytes: u64) -> Self {
        Self { taken: self.taken.saturating_add(bytes), ..self }
    }

    /// With so many bytes to be kept free, where there are enough, for what comes after the tables.
    #[must_use]
    pub fn keeping_free(self, bytes: u64) -> Self {
        Self { kept_free: bytes, ..self }
    }

    /// Bytes that what comes after the tables may need.
    pub fn kept_free(&self) -> u64 {
        self.kept_free
    }

    /// Bytes of the memory allowed that something else has taken.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// With somebody who may call the computation off.
    #[must_use]
    pub fn with_cancel(self, cancel: Cancel) -> Self {
        Self { cancel, ..self }
    }

    /// With the GPU of that number, as the driver counts.
    #[cfg(feature = "cuda")]
    #[must_use]
    pub fn with_gpu(self, ordinal: usize) -> Self {
        Self { gpu: Arc::new(self.gpu.numbered(ordinal)), ..self }
    }

    /// With at most so many bytes of the GPU's memory taken at once, all of what is free if not given.
    #[cfg(feature = "cuda")]
    #[must_use]
    pub fn with_device_memory(self, bytes: u64) -> Self {
        Self { gpu: Arc::new(self.gpu.limited(bytes)), ..self }
    }

    /// Seconds until a kernel could run on the GPU, told without looking whether there is one.
    pub fn seconds_to_start_gpu(&self) -> f64 {
        #[cfg(feature = "cuda")]
        return self.gpu.seconds_to_start();
        #[cfg(not(feature = "cuda"))]
        return f64::INFINITY;
    }

    /// Threads that a computation may use.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.workers.threads()
    }

    /// The threads.
    #[must_use]
    pub fn workers(&self) -> &Workers {
        &self.workers
    }

    /// Most bytes of tables to hold at once.
    #[must_use]
    pub fn max_memory(&self) -> u64 {
        self.max_memory.saturating_sub(self.taken)
    }

    /// Refuses more bytes of tables than are allowed.
    ///
    /// # Errors
    ///
    /// [`OverMemory`].
    pub fn allow(&self, needed: u64) -> Result<(), OverMemory> {
        let allowed = self.max_memory();
        let refused = faults::is_shut(faults::Door::Memory);
        if refused || needed > allowed.min(ADDRESSABLE) {
            Err(OverMemory { needed, allowed })
        } else {
            Ok(())
        }
    }

    /// Whether the computation was called off.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// The GPU, which need not be there.
    #[cfg(feature = "cuda")]
    #[must_use]
    pub fn gpu(&self) -> &cuda::Gpu {
        &self.gpu
    }
}

/// Tables would pass the memory allowed; nothing was allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub struct OverMemory {
    /// Bytes that would be held at once, or [`OverMemory::UNKNOWN`].
    pub needed: u64,
    /// Bytes that may be.
    pub allowed: u64,
}

impl OverMemory {
    /// More bytes than can be counted, or nobody knows how many.
    pub const UNKNOWN: u64 = u64::MAX;
}

impl fmt::Display for OverMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { needed, allowed } = *self;
        match needed {
            Self::UNKNOWN => write!(
                f,
                "needs more than the {allowed} bytes of tables that are allowed; no amount is known to be enough"
            ),
            _ => write!(f, "needs {needed} bytes of tables and {allowed} are allowed"),
        }
    }
}
