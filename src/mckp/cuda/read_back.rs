//! Data downloaded from a table on the GPU: rows, and the items of cells.

use super::cell::Cell;
use super::table::Table;
use crate::answer::{LayerPicks, item_weights};
use cudarc::driver::CudaSlice;
use isx_engine::ItemIndices;
use isx_machine::cuda::{DeviceError, plain_bytes};
use isx_parallel as parallel;

impl<V: Cell> Table<'_, V> {
    /// Bits by which the rows' values are shifted left.
    pub(super) fn pick_bits(&self) -> u32 {
        self.plan.layout.pick_bits
    }

    /// The rows of the current run, and the cells from one to the next.
    pub(super) fn rows(&self) -> (&CudaSlice<V>, usize) {
        (&self.on_device.rows, self.plan.stride)
    }

    /// Row `index` of the current run (0 is the row it started from), up to the capacity; values are shifted left
    /// by the index bits.
    pub(super) fn row(&self, index: usize) -> Result<Vec<V>, DeviceError> {
        self.cells(index, self.cells_of_a_row())
    }

    /// The row that the current run started from, including the part beyond the capacity.
    pub(super) fn checkpoint(&self) -> Result<Vec<V>, DeviceError> {
        self.cells(0, self.plan.stride)
    }

    /// Cells up to the capacity. The plan ensured that their number does not overflow.
    fn cells_of_a_row(&self) -> usize {
        self.problem.capacity as usize + 1
    }

    fn cells(&self, index: usize, cells: usize) -> Result<Vec<V>, DeviceError> {
        let from = index * self.plan.stride;
        self.device.download("a row", &self.on_device.rows.slice(from..from + cells))
    }

    /// The item of every cell for the classes of a finished run; does nothing if none are stored.
    pub(super) fn indices(&self, run: usize, layers: &mut Vec<LayerPicks>) -> Result<(), DeviceError> {
        let Some(picks) = &self.on_device.picks else { return Ok(()) };
        let cells = self.cells_of_a_row();
        let classes = self.layers_of(run);
        let items_of = |class: usize| self.problem.classes[class].items.len();
        // In parallel, since page faults cost more than the copy itself.
        let mut items: Vec<ItemIndices> =
            parallel::map(classes.len(), 1, |at| ItemIndices::zeros(cells, items_of(classes.start + at)));
        let mut places: Vec<(usize, &mut [u8])> = classes
            .clone()
            .zip(&mut items)
            .map(|(class, item)| (self.plan.layout.classes[class].pick_offset as usize, as_bytes(item)))
            .collect();
        places.sort_unstable_by_key(|&(at, _)| at);
        self.device.download_parts(self.device.stream(), "item indices", &picks.as_view(), places)?;
        let layer = |(class, item)| LayerPicks::Cells { item, weights: item_weights(self.problem, class) };
        layers.extend(classes.zip(items).map(layer));
        Ok(())
    }
}

/// The memory of the indices as bytes.
fn as_bytes(items: &mut ItemIndices) -> &mut [u8] {
    match items {
        ItemIndices::U8(items) => items,
        ItemIndices::U16(items) => plain_bytes(items),
        ItemIndices::U32(items) => plain_bytes(items),
    }
}
