//! Binding of `kernels/mckp/mckp_batch_rows.cu`: one problem per block, with its values as one row in shared memory.

use super::mckp_batch::{Placed, Queue};
use cudarc::driver::PushKernelArg;
use isx_machine::cuda::{Device, DeviceError, During, KernelFile, grid};
use isx_machine::kernel_file;

const FILE: KernelFile = kernel_file!("mckp_batch_rows"; 90, 70);

/// Lanes of a warp.
const WARP: usize = 32;
/// Warps per block, each of which prepares one problem for the block.
const WARPS: usize = 8;
/// Bytes of a prepared problem.
const READY: usize = 48;
/// Words of a row that are not cells.
const MARGIN: usize = 8;
/// A shorter row is not worth a launch.
const LEAST_CELLS: usize = 16;

/// Words of a problem's rows for which a block has room, if the lane has the memory and no problem needs less.
const REGION: usize = 128 << 10;

/// Bytes for the rows of all concurrent blocks: of a lane at most, and of all lanes of a GPU together. With fewer bytes,
/// fewer blocks of a lane run or fewer problems fit.
pub(super) const STORE: usize = 1 << 30;
pub(super) const STORES: usize = 4 << 30;

/// The sizes of a launch.
struct Shape {
    /// States of lists that take as much space as the raw items and the layers.
    list: usize,
    /// Bytes of a warp's part of a problem.
    bytes: usize,
    /// Cells of a row.
    cells: usize,
    /// Bytes of shared memory.
    shared: usize,
}

impl Shape {
    /// A row for all weights up to the largest capacity, or the longest row that fits a block; `None` if none fits.
    fn of(at: &Placed, most: usize) -> Option<Self> {
        // Four ints per class take the space of 40 bytes per state.
        let list = at.most.least_list().max((2 * at.most.classes).div_ceil(5));
        let bytes = at.most.shared(list);
        let fixed = WARPS * (READY + bytes) + 4 * MARGIN;
        let most = most.checked_sub(fixed)? / 4;
        // Weights from 0 on, and the other half of the last word.
        let cells = (at.most.capacity + 2).next_multiple_of(8).min(most / 8 * 8);
        (cells >= LEAST_CELLS).then_some(Self { list, bytes, cells, shared: fixed + 4 * cells })
    }
}

/// Whether a row for all weights up to the largest capacity fits a block.
pub(super) fn holds(device: &Device, at: &Placed) -> bool {
    Shape::of(at, device.info().shared_per_block).is_some_and(|shape| at.most.capacity < shape.cells)
}

/// Launches the kernel on all problems of a piece, or on those of `full`; problems that do not fit are put into
/// `beyond`. Returns false if no block has room for a row; then nothing was launched.
pub(super) fn launch_rows(device: &Device, at: &Placed, from: Option<Queue>) -> Result<bool, DeviceError> {
    let name = "mckp_batch_rows";
    let Some(shape) = Shape::of(at, device.info().shared_per_block) else { return Ok(false) };
    let function = device.kernel(&FILE, name, shape.shared)?;
    let together = function
        .occupancy_max_active_blocks_per_multiprocessor((WARPS * WARP) as u32, shape.shared, None)
        .during("asking how many blocks of mckp_batch_rows run at a time")?;
    let longest = at.most.classes.max(1) * (shape.cells / 2 + 1);
    let words = at.store_bytes / 4;
    // With too little memory for all, fewer blocks run before fewer problems fit.
    let blocks = (together as usize * device.info().multiprocessors)
        .min(at.piece.problems.div_ceil(WARPS))
        .min(words / (WARPS * longest.min(REGION)))
        .max(1);
    let region = longest.min(words / (blocks * WARPS));
    let all = if from.is_some() { 0 } else { at.piece.problems as i32 };
    let (slots, classes, list) = (at.most.slots as i32, at.most.classes as i32, shape.list as i32);
    let (bytes, cells, region) = (shape.bytes as i32, shape.cells as i32, region as i32);
    let mut builder = at.stream.launch_builder(&function);
    builder.arg(&at.records).arg(&at.sizes).arg(&at.items).arg(&at.found).arg(&at.picks);
    builder.arg(&at.full).arg(&at.beyond).arg(&at.store).arg(&all);
    builder.arg(&slots).arg(&classes).arg(&list).arg(&bytes).arg(&cells).arg(&region);
    let config = grid(blocks as u32, (WARPS * WARP) as u32, shape.shared as u32);
    // SAFETY: arguments are in the kernel's order and of its types. The piece's arrays have its sizes (checked by
    // `place`); no problem has more slots or classes than shared memory was sized for, the raw items and the layers
    // fit the space of the lists, a block's rows are in its part of the store, and the kernel skips problems that
    // exceed `cells` or `region`.
    unsafe { builder.launch(config) }.during("launching kernel mckp_batch_rows")?;
    Ok(true)
}
