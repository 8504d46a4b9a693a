//! Binding of `kernels/papers/multidim_lemos.cu`: one item over the tables of all instances, and the walks back.

use cudarc::driver::{CudaSlice, CudaView, CudaViewMut};
use isx_machine::cuda::{Device, DeviceError, KernelFile, grid as config};
use isx_machine::launch;

const FILE: KernelFile = kernel_file!("multidim_lemos");

/// The grid of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Blocks.
    pub blocks: u32,
    /// Threads of a block, a multiple of 32.
    pub threads: u32,
}

/// Threads per block.
const THREADS: u32 = 256;
/// Blocks per multiprocessor, which divide the cells among themselves.
const BLOCKS: u32 = 8;

/// The arguments of a sweep, in the kernel's own order.
pub(super) struct Sweep<'a> {
    pub previous: &'a CudaSlice<i32>,
    pub next: &'a mut CudaSlice<i32>,
    /// The item's words of decisions.
    pub bits: CudaViewMut<'a, u32>,
    pub starts: &'a CudaSlice<i64>,
    pub sides: &'a CudaSlice<i32>,
    /// The item's weights, 3 per instance.
    pub weights: CudaView<'a, i32>,
    /// The item's profits, one per instance.
    pub profits: CudaView<'a, i32>,
    pub instances: i32,
}

/// The arguments of the walks, in the kernel's own order.
pub(super) struct Back<'a> {
    pub last: &'a CudaSlice<i32>,
    pub bits: &'a CudaSlice<u32>,
    pub starts: &'a CudaSlice<i64>,
    pub sides: &'a CudaSlice<i32>,
    pub weights: &'a CudaSlice<i32>,
    pub items: i32,
    pub instances: i32,
    pub best: &'a mut CudaSlice<i32>,
    pub chosen: &'a mut CudaSlice<u32>,
    pub chosen_words: i32,
}

fn unfit(kernel: &'static str) -> DeviceError {
    DeviceError::Unfit { kernel, why: "a buffer is shorter than the instances need".into() }
}

/// Launches an item's sweep over `cells` cells, by a grid that fills the GPU unless one is given; returns before it finishes.
pub(super) fn sweep(
    device: &Device,
    cells: usize,
    grid: Option<Grid>,
    args: &mut Sweep<'_>,
) -> Result<(), DeviceError> {
    let name = "multidim_lemos_i32";
    let instances = args.instances.unsigned_abs() as usize;
    let held = args.previous.len() >= cells && args.next.len() >= cells && args.bits.len() >= cells / 32;
    let printed = args.starts.len() > instances && args.sides.len() >= 3 * instances;
    if !held || !printed || args.weights.len() < 3 * instances || args.profits.len() < instances {
        return Err(unfit(name));
    }
    let most = device.info().multiprocessors as u32 * BLOCKS;
    let blocks =
        u32::try_from(cells.div_ceil(THREADS as usize)).map_or(most, |blocks| blocks.min(most)).max(1);
    let Grid { blocks, threads } = grid.unwrap_or(Grid { blocks, threads: THREADS });
    if threads % 32 != 0 {
        return Err(DeviceError::Unfit { kernel: name, why: "its blocks are of whole warps".into() });
    }
    let config = config(blocks, threads, 0);
    // SAFETY: arguments are in the kernel's order and of its types; cells, bits, offsets, sides, weights and profits
    // have the sizes that the instances need (checked above), `cells` is the last offset and a multiple of 32, as are
    // the threads of a block (checked above), and an item's source cell is in its instance because the kernel compares its weights with the cell; the stream orders
    // the launches.
    unsafe {
        launch!(device, FILE => name, config; args.previous, &mut *args.next, &mut args.bits, args.starts, args.sides, &args.weights, &args.profits, &args.instances)
    }
}

/// Launches the walks back; returns before they finish.
pub(super) fn back(device: &Device, cells: usize, args: &mut Back<'_>) -> Result<(), DeviceError> {
    let name = "multidim_lemos_i32_back";
    let (instances, items) = (args.instances.unsigned_abs() as usize, args.items.unsigned_abs() as usize);
    let held = args.last.len() >= cells && args.bits.len() >= cells / 32 * items;
    let printed = args.starts.len() > instances && args.sides.len() >= 3 * instances;
    let written = args.chosen.len() >= instances * args.chosen_words.unsigned_abs() as usize;
    let words = args.chosen_words.unsigned_abs() as usize >= items.div_ceil(32);
    if !held
        || !printed
        || !written
        || !words
        || args.best.len() < instances
        || args.weights.len() < 3 * instances * items
    {
        return Err(unfit(name));
    }
    let config = config(args.instances.unsigned_abs().div_ceil(32).max(1), 32, 0);
    // SAFETY: arguments are in the kernel's order and of its types; all buffers have the sizes that the instances and
    // items need (checked above); a walk goes back only by items whose bit the sweep set where they fit, so it stays
    // in its instance.
    unsafe {
        launch!(device, FILE => name, config; args.last, args.bits, args.starts, args.sides, args.weights, &args.items, &args.instances, &mut *args.best, &mut *args.chosen, &args.chosen_words)
    }
}
