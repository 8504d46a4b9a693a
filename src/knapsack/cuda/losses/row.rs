//! A row of cells on the GPU.

use super::cell::{BLOCK_CELLS, Cell, Width};
use cudarc::driver::{CudaSlice, CudaViewMut};
use isx_machine::cuda::{Device, DeviceError, During};
use std::ops::Range;

/// Cells from weight 0 on, in whole blocks, and one byte per block that says whether any of its cells is alive.
pub(super) struct Row<C> {
    pub cells: CudaSlice<C>,
    pub alive: CudaSlice<u8>,
}

pub(super) fn row_bytes(blocks: u64, width: Width) -> u64 {
    blocks.saturating_mul(BLOCK_CELLS * width.bytes() + 1)
}

impl<C: Cell> Row<C> {
    pub fn bytes(blocks: u64) -> u64 {
        row_bytes(blocks, C::WIDTH)
    }

    /// A row of this many blocks, none of them alive.
    pub fn new(device: &Device, blocks: u64) -> Result<Self, DeviceError> {
        let bytes = Self::bytes(blocks);
        let unfit = || DeviceError::Memory { needed: bytes, free: 0 };
        let blocks = usize::try_from(blocks).map_err(|_| unfit())?;
        let cells = blocks.checked_mul(BLOCK_CELLS as usize).ok_or_else(unfit)?;
        let alive = device.zeros("marks of blocks of a row", blocks)?;
        Ok(Self { cells: device.unwritten("a row of losses", cells)?, alive })
    }

    /// Marks all cells dead.
    pub fn clear(&mut self, device: &Device) -> Result<(), DeviceError> {
        device.stream().memset_zeros(&mut self.alive).during("clearing the marks of a row")
    }

    /// The loss at a cell; `None` if the cell is dead.
    pub fn loss_at(&self, device: &Device, cell: u64) -> Result<Option<u64>, DeviceError> {
        let at = cell as usize;
        let block = (cell / BLOCK_CELLS) as usize;
        let what = "a cell of a row";
        // Cells of a dead block may never have been written.
        if device.download(what, &self.alive.slice(block..=block))? == [0] {
            return Ok(None);
        }
        let loss = device.download(what, &self.cells.slice(at..=at))?;
        Ok(Some(loss[0].loss()).filter(|&loss| loss < C::DEAD))
    }
}

/// A row to be filled from the previous row.
pub(super) struct Fill<'a, C> {
    pub previous: &'a Row<C>,
    /// Its marks are cleared outside of `blocks`.
    pub next: &'a mut Row<C>,
    pub blocks: Range<u64>,
    /// Losses above this are irrelevant.
    pub limit: u64,
    /// One bit per item and cell of the blocks.
    pub taken: Option<CudaViewMut<'a, u8>>,
}

impl<C: Cell> Fill<'_, C> {
    /// Bytes of an item's decisions.
    pub fn stride(&self) -> u64 {
        (self.blocks.end - self.blocks.start).saturating_mul(BLOCK_CELLS / 8)
    }

    /// The number of thread blocks for this many items, each of which fills `each` blocks of cells, after checking
    /// that both rows contain these blocks and that the decisions have room.
    pub fn checked_grid(&self, kernel: &'static str, items: usize, each: u64) -> Result<u32, DeviceError> {
        let unfit = |why: &str| DeviceError::Unfit { kernel, why: why.into() };
        let Range { start, end } = self.blocks;
        let holds = |row: &Row<C>| {
            end <= row.alive.len() as u64 && end.saturating_mul(BLOCK_CELLS) <= row.cells.len() as u64
        };
        if end <= start || !holds(self.previous) || !holds(self.next) {
            return Err(unfit("the rows are shorter than what is to be filled"));
        }
        let bits = self.stride().saturating_mul(items as u64);
        if self.taken.as_ref().is_some_and(|taken| (taken.len() as u64) < bits) {
            return Err(unfit("the decisions exceed their buffer"));
        }
        if self.limit >= C::DEAD {
            return Err(unfit("the losses are wider than its cells"));
        }
        // The first dimension of a grid is a signed 32-bit number.
        let grid = i32::try_from((end - start).div_ceil(each));
        grid.map(i32::unsigned_abs).map_err(|_| unfit("the rows are longer than a launch can fill"))
    }
}
