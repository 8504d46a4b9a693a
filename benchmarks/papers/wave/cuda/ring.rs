//! The waves that are still needed, on the GPU.

use super::{Kernels, Launch};
use cudarc::driver::{CudaSlice, CudaViewMut, ValidAsZeroBits};
use isx_machine::cuda::{Device, DeviceError, Plain};

/// As many waves as the kernels reach back, plus the one being filled.
pub(super) struct Ring<C> {
    /// Wave w is in buffer w % (reach + 1).
    buffers: Vec<CudaSlice<C>>,
}

impl<C: Plain + ValidAsZeroBits> Ring<C> {
    /// Bytes on the GPU.
    pub fn bytes(reach: usize, widest: usize) -> u64 {
        (reach as u64 + 1).saturating_mul(widest as u64).saturating_mul(size_of::<C>() as u64)
    }

    /// Before the first wave: all 0.
    pub fn new(device: &Device, reach: usize, widest: usize) -> Result<Self, DeviceError> {
        let buffer = |_| device.zeros("waves of a table", widest);
        Ok(Self { buffers: (0..=reach).map(buffer).collect::<Result<_, _>>()? })
    }

    fn at(&self, wave: u64) -> usize {
        (wave % self.buffers.len() as u64) as usize
    }

    /// Launches a wave.
    pub fn fill<K: Kernels<Cell = C>>(
        &mut self,
        device: &Device,
        kernels: &K,
        wave: u64,
        choices: Option<CudaViewMut<'_, u8>>,
    ) -> Result<(), DeviceError> {
        let at = self.at(wave);
        let (left, right) = self.buffers.split_at_mut(at);
        let Some((next, right)) = right.split_first_mut() else { return Ok(()) };
        // In order of age: from the left neighbor of `at` leftwards, then from the right end.
        let before = left.iter().rev().chain(right.iter().rev()).map(|wave| wave.as_view()).collect();
        kernels.fill(wave, Launch { device, before, next: next.as_view_mut(), choices })
    }

    /// Cells of a wave that is still in the ring.
    pub fn cells(
        &self,
        device: &Device,
        wave: u64,
        cells: std::ops::Range<usize>,
    ) -> Result<Vec<C>, DeviceError> {
        device.download("cells of a wave", &self.buffers[self.at(wave)].slice(cells))
    }
}
