//! The machine that engines run on: threads, memory, a GPU, and cancellation.
//!
//! A [`Machine`] is created once, by the code that starts a computation, and passed by reference to everything that
//! takes part. Threads are started and a GPU is opened on first use, and only once; clones share both. Nothing in
//! this crate knows about problems or tasks.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod allocated;
mod cancel;
pub mod cpu;
#[cfg(feature = "cuda")]
pub mod cuda;
pub mod faults;
pub mod rates;
mod share;

pub use cancel::Cancel;

use cpu::Workers;
use std::fmt;
use std::sync::Arc;

/// More bytes than any process can address.
const ADDRESSABLE: u64 = 1 << 47;

/// Default limit on the bytes of tables in memory at the same time.
const DEFAULT_MEMORY: u64 = 4 << 30;

/// Threads, memory and a GPU.
///
/// Create one and clone it for every computation: starting threads takes microseconds, opening a GPU a fifth of a
/// second.
///
/// ```
/// use isx_machine::Machine;
/// let machine = Machine::default().with_threads(2).with_max_memory(1 << 30);
/// assert_eq!(machine.threads(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Machine {
    workers: Arc<Workers>,
    /// The memory limit in bytes, and how much of it is already taken.
    max_memory: u64,
    taken: u64,
    /// Bytes to reserve for what follows the tables.
    kept_free: u64,
    cancel: Cancel,
    #[cfg(feature = "cuda")]
    gpu: Arc<cuda::Gpu>,
    /// Those beside the first.
    #[cfg(feature = "cuda")]
    more_gpus: Vec<Arc<cuda::Gpu>>,
}

impl Default for Machine {
    /// All cores, 4 GiB of tables, the first GPU, no cancellation.
    fn default() -> Self {
        Self {
            workers: Arc::new(Workers::new(cpu::cores())),
            max_memory: DEFAULT_MEMORY,
            taken: 0,
            kept_free: 0,
            cancel: Cancel::default(),
            #[cfg(feature = "cuda")]
            gpu: Arc::new(cuda::Gpu::new(0)),
            #[cfg(feature = "cuda")]
            more_gpus: Vec::new(),
        }
    }
}

impl Machine {
    /// Sets the number of threads, at least 1.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { workers: Arc::new(Workers::new(threads)), ..self }
    }

    /// Sets the limit on the bytes of tables in memory at the same time.
    #[must_use]
    pub fn with_max_memory(self, bytes: u64) -> Self {
        Self { max_memory: bytes, taken: 0, ..self }
    }

    /// Sets how many bytes of the memory limit are taken by something else.
    #[must_use]
    pub fn with_taken(self, bytes: u64) -> Self {
        Self { taken: self.taken.saturating_add(bytes), ..self }
    }

    /// Reserves bytes, if there are enough, for what follows the tables.
    #[must_use]
    pub fn keeping_free(self, bytes: u64) -> Self {
        Self { kept_free: bytes, ..self }
    }

    /// Bytes reserved for what follows the tables.
    pub fn kept_free(&self) -> u64 {
        self.kept_free
    }

    /// Bytes of the memory limit that something else has taken.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// Sets the handle that can cancel the computation.
    #[must_use]
    pub fn with_cancel(self, cancel: Cancel) -> Self {
        Self { cancel, ..self }
    }

    /// Selects the GPU by its number, as the driver counts.
    #[cfg(feature = "cuda")]
    #[must_use]
    pub fn with_gpu(self, ordinal: usize) -> Self {
        Self { gpu: Arc::new(self.gpu.numbered(ordinal)), more_gpus: Vec::new(), ..self }
    }

    /// Selects several GPUs, at least one; one that is named twice counts twice, and is opened once.
    #[cfg(feature = "cuda")]
    #[must_use]
    pub fn with_gpus(self, ordinals: &[usize]) -> Self {
        let Some((&first, more)) = ordinals.split_first() else { return self };
        let mut machine = self.with_gpu(first);
        for &ordinal in more {
            let same = machine.gpus().find(|gpu| gpu.ordinal() == ordinal).cloned();
            machine.more_gpus.push(same.unwrap_or_else(|| Arc::new(machine.gpu.numbered(ordinal))));
        }
        machine
    }

    /// Sets the limit on the GPU memory in use at the same time; without one, all free memory.
    #[cfg(feature = "cuda")]
    #[must_use]
    pub fn with_gpu_memory(self, bytes: u64) -> Self {
        let ordinals: Vec<usize> = self.gpus().map(|gpu| gpu.ordinal()).collect();
        Self { gpu: Arc::new(self.gpu.limited(bytes)), ..self }.with_gpus(&ordinals)
    }

    /// Seconds until a kernel could run on the GPU, estimated without checking whether there is one.
    pub fn seconds_to_start_gpu(&self) -> f64 {
        #[cfg(feature = "cuda")]
        return if self.gpu.is_started() { 0.0 } else { rates::GPU_START };
        #[cfg(not(feature = "cuda"))]
        return f64::INFINITY;
    }

    /// Whether there is a GPU that could be used; the driver is queried, but the GPU not opened.
    pub fn has_gpu(&self) -> bool {
        #[cfg(feature = "cuda")]
        return self.gpu.info().is_ok();
        #[cfg(not(feature = "cuda"))]
        return false;
    }

    /// The number of threads that a computation may use.
    pub fn threads(&self) -> usize {
        self.workers.threads()
    }

    /// The threads.
    pub fn workers(&self) -> &Workers {
        &self.workers
    }

    /// The limit on the bytes of tables in memory at the same time.
    pub fn max_memory(&self) -> u64 {
        self.max_memory.saturating_sub(self.taken)
    }

    /// Refuses tables that exceed the memory limit. Fails with [`OverMemory`].
    pub fn allow(&self, needed: u64) -> Result<(), OverMemory> {
        let allowed = self.max_memory();
        if needed > allowed.min(ADDRESSABLE) { Err(OverMemory { needed, allowed }) } else { Ok(()) }
    }

    /// Whether the computation was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// The GPU, which may be absent; the first if there are several.
    #[cfg(feature = "cuda")]
    pub fn gpu(&self) -> &cuda::Gpu {
        &self.gpu
    }

    /// The GPUs, which may be absent.
    #[cfg(feature = "cuda")]
    pub fn gpus(&self) -> impl Iterator<Item = &Arc<cuda::Gpu>> {
        std::iter::once(&self.gpu).chain(&self.more_gpus)
    }
}

/// The tables would exceed the memory limit; nothing was allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub struct OverMemory {
    /// Bytes needed at the same time, or [`OverMemory::UNKNOWN`].
    pub needed: u64,
    /// The limit in bytes.
    pub allowed: u64,
}

impl OverMemory {
    /// More bytes than a `u64` counts, or an unknown number.
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
