//! The driver on a GPU.
//!
//! If the choices of all waves fit the GPU's memory, they stay there. Else they are streamed to the host: waves are
//! filled in groups, alternating between two buffers, and while the GPU fills one buffer, the choices in the other
//! pass through page-locked buffers into memory, unpacked by all threads.

mod printed;
mod ring;
mod table;

pub use printed::Printed;
pub use table::{Place, Table};

use super::Waves;
use cudarc::driver::{CudaView, CudaViewMut, ValidAsZeroBits};
use isx_machine::cuda::{Device, DeviceError, Plain};

/// A recurrence whose cells a kernel fills.
pub trait Kernels {
    /// A cell.
    type Cell: Plain + ValidAsZeroBits;
    /// The waves of the table.
    type Waves: Waves;

    /// The waves that it fills.
    fn table(&self) -> &Self::Waves;

    /// Launches the kernel that fills a wave; returns before it finishes.
    /// Fails when a launch is refused.
    fn fill(&self, wave: u64, launch: Launch<'_, Self::Cell>) -> Result<(), DeviceError>;
}

/// The inputs and outputs of filling a wave.
pub struct Launch<'a, C> {
    /// The GPU.
    pub device: &'a Device,
    /// The previous waves, the latest first, each as long as the widest; all 0 before the table begins.
    pub before: Vec<CudaView<'a, C>>,
    /// The wave's cells, as long as the widest wave.
    pub next: CudaViewMut<'a, C>,
    /// The wave's choices, the first cell's in the lowest bits of the first byte; `None` if choices are not stored.
    /// Their bytes are rounded up to a multiple of 128, and all of them are written.
    pub choices: Option<CudaViewMut<'a, u8>>,
}
