//! A row of cells on the GPU.

use super::cell::{BLOCK_CELLS, Cell, Width};
use cudarc::driver::CudaSlice;
use isx_machine::cuda::{Device, DeviceError, During};

/// Cells from weight 0 on, in whole blocks, and a byte a block that says whether any of its cells is alive.
pub(super) struct Row<C> {
    pub cells: CudaSlice<C>,
    pub alive: CudaSlice<u8>,
}

/// Bytes of a row of so many blocks.
pub(super) fn row_bytes(blocks: u64, width: Width) -> u64 {
    blocks.saturating_mul(BLOCK_CELLS * width.bytes() + 1)
}

impl<C: Cell> Row<C> {
    /// Bytes of a row of so many blocks.
    pub fn bytes(blocks: u64) -> u64 {
        row_bytes(blocks, C::WIDTH)
    }

    /// A row of so many blocks, none of them alive.
    pub fn new(device: &Device, blocks: u64) -> Result<Self, DeviceError> {
        let bytes = Self::bytes(blocks);
        let unfit = || DeviceError::Memory { needed: bytes, free: 0 };
        let blocks = usize::try_from(blocks).map_err(|_| unfit())?;
        let cells = blocks.checked_mul(BLOCK_CELLS as usize).ok_or_else(unfit)?;
        let alive = device.zeros("marks of blocks of a row", blocks)?;
        Ok(Self { cells: device.unwritten("a row of losses", cells)?, alive })
    }

    /// Forgets what its cells held.
    pub fn clear(&mut self, device: &Device) -> Result<(), DeviceError> {
        device.stream().memset_zeros(&mut self.alive).during("clearing the marks of a row")
    }

    /// The loss at a cell, unless there is none.
    pub fn loss_at(&self, device: &Device, cell: u64) -> Result<Option<u64>, DeviceError> {
        let at = cell as usize;
        let block = (cell / BLOCK_CELLS) as usize;
        let what = "a cell of a row";
        // Cells of a block that is not alive were perhaps never written.
        if device.download(what, &self.alive.slice(block..=block))? == [0] {
            return Ok(None);
        }
        let loss = device.download(what, &self.cells.slice(at..=at))?;
        Ok(Some(loss[0].loss()).filter(|&loss| loss < C::DEAD))
    }
}
