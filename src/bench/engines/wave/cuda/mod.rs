//! The driver on a GPU.
//!
//! Where the choices of all waves fit the GPU's memory they stay there. Else they stream to the host: waves are filled in
//! groups, into two buffers by turns, and while the GPU fills one the other's choices pass through page-locked buffers
//! into memory, unpacked by all threads. Where the host has no room for them either, the table is cut into pieces whose
//! choices fit the GPU, and only the waves before each piece are kept, on the host.

mod plan;
mod ring;
mod table;

pub use plan::Place;
pub use table::Table;

use super::Waves;
use cudarc::driver::{CudaView, CudaViewMut};
use isx_machine::cuda::{Device, DeviceError, Plain};

/// A recurrence whose cells a kernel fills.
pub trait Kernels: Waves {
    /// A cell.
    type Cell: Plain;

    /// Launches what fills a wave; it runs while the host goes on.
    ///
    /// # Errors
    ///
    /// When a launch is refused.
    fn fill(&self, wave: u64, launch: Launch<'_, Self::Cell>) -> Result<(), DeviceError>;
}

/// What a wave is filled from, and where to.
pub struct Launch<'a, C> {
    /// The GPU.
    pub device: &'a Device,
    /// The waves before, the latest first, each as long as the widest; all 0 before the table begins.
    pub before: Vec<CudaView<'a, C>>,
    /// The wave's cells, as long as the widest wave.
    pub next: CudaViewMut<'a, C>,
    /// The wave's choices, the first cell's in the lowest bits of the first byte; `None` where none are kept. Their bytes are
    /// rounded up to a multiple of 128, and all of them are written.
    pub choices: Option<CudaViewMut<'a, u8>>,
}

impl<C> std::fmt::Debug for Launch<'_, C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Launch").field("before", &self.before.len()).finish_non_exhaustive()
    }
}
