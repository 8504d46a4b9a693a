//! Binding of `kernels/multidim/multidim_lemos.cu`: one item over the tables of all instances, and the walks back.

use cudarc::driver::{CudaSlice, CudaView, CudaViewMut, LaunchConfig, PushKernelArg};
use isx_classics::multidim::cuda::Cell;
use isx_machine::cuda::{Device, DeviceError, During, KernelFile};

const FILE: KernelFile = KernelFile {
    stem: "multidim_lemos",
    ptx: &[(70, include_str!("../../../../kernels/ptx/multidim_lemos.compute_70.ptx"))],
};

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
pub(super) struct Sweep<'a, V> {
    pub previous: &'a CudaSlice<V>,
    pub next: &'a mut CudaSlice<V>,
    /// The item's words of decisions.
    pub bits: CudaViewMut<'a, u32>,
    pub starts: &'a CudaSlice<i64>,
    pub sides: &'a CudaSlice<i32>,
    /// The item's weights, 3 per instance.
    pub weights: CudaView<'a, i32>,
    /// The item's profits, one per instance.
    pub profits: CudaView<'a, V>,
    pub instances: i32,
}

/// The arguments of the walks, in the kernel's own order.
pub(super) struct Back<'a, V> {
    pub last: &'a CudaSlice<V>,
    pub bits: &'a CudaSlice<u32>,
    pub starts: &'a CudaSlice<i64>,
    pub sides: &'a CudaSlice<i32>,
    pub weights: &'a CudaSlice<i32>,
    pub items: i32,
    pub instances: i32,
    pub best: &'a mut CudaSlice<V>,
    pub chosen: &'a mut CudaSlice<u32>,
    pub chosen_words: i32,
}

fn unfit(kernel: &'static str) -> DeviceError {
    DeviceError::Unfit { kernel, why: "a buffer is shorter than the instances need".into() }
}

/// Launches an item's sweep over `cells` cells, by a grid that fills the GPU unless one is given; returns before it finishes.
pub(super) fn sweep<V: Cell>(
    device: &Device,
    cells: usize,
    grid: Option<Grid>,
    args: &mut Sweep<'_, V>,
) -> Result<(), DeviceError> {
    let name = V::either("multidim_lemos_i32", "multidim_lemos_i64");
    let instances = args.instances.unsigned_abs() as usize;
    let held = args.previous.len() >= cells && args.next.len() >= cells && args.bits.len() >= cells / 32;
    let told = args.starts.len() > instances && args.sides.len() >= 3 * instances;
    if !held || !told || args.weights.len() < 3 * instances || args.profits.len() < instances {
        return Err(unfit(name));
    }
    let function = device.kernel(&FILE, name, 0)?;
    let mut builder = device.stream().launch_builder(&function);
    builder.arg(args.previous).arg(&mut *args.next).arg(&mut args.bits).arg(args.starts).arg(args.sides);
    builder.arg(&args.weights).arg(&args.profits).arg(&args.instances);
    let most = device.info().multiprocessors as u32 * BLOCKS;
    let blocks =
        u32::try_from(cells.div_ceil(THREADS as usize)).map_or(most, |blocks| blocks.min(most)).max(1);
    let Grid { blocks, threads } = grid.unwrap_or(Grid { blocks, threads: THREADS });
    if threads % 32 != 0 {
        return Err(DeviceError::Unfit { kernel: name, why: "its blocks are of whole warps".into() });
    }
    let config = LaunchConfig { grid_dim: (blocks, 1, 1), block_dim: (threads, 1, 1), shared_mem_bytes: 0 };
    // SAFETY: arguments are in the kernel's order and of its types; cells, bits, offsets, sides, weights and profits
    // have the sizes that the instances need (checked above), `cells` is the last offset and a multiple of 32, as are
    // the threads of a block (checked above), and an item's source cell is in its instance because the kernel compares its weights with the cell; the stream orders
    // the launches.
    unsafe { builder.launch(config) }.map(|_| ()).during(format!("launching kernel {name}"))
}

/// Launches the walks back; returns before they finish.
pub(super) fn back<V: Cell>(
    device: &Device,
    cells: usize,
    args: &mut Back<'_, V>,
) -> Result<(), DeviceError> {
    let name = V::either("multidim_lemos_i32_back", "multidim_lemos_i64_back");
    let (instances, items) = (args.instances.unsigned_abs() as usize, args.items.unsigned_abs() as usize);
    let held = args.last.len() >= cells && args.bits.len() >= cells / 32 * items;
    let told = args.starts.len() > instances && args.sides.len() >= 3 * instances;
    let written = args.chosen.len() >= instances * args.chosen_words.unsigned_abs() as usize;
    let words = args.chosen_words.unsigned_abs() as usize >= items.div_ceil(32);
    if !held
        || !told
        || !written
        || !words
        || args.best.len() < instances
        || args.weights.len() < 3 * instances * items
    {
        return Err(unfit(name));
    }
    let function = device.kernel(&FILE, name, 0)?;
    let mut builder = device.stream().launch_builder(&function);
    builder.arg(args.last).arg(args.bits).arg(args.starts).arg(args.sides).arg(args.weights).arg(&args.items);
    builder.arg(&args.instances).arg(&mut *args.best).arg(&mut *args.chosen).arg(&args.chosen_words);
    let blocks = args.instances.unsigned_abs().div_ceil(32).max(1);
    let config = LaunchConfig { grid_dim: (blocks, 1, 1), block_dim: (32, 1, 1), shared_mem_bytes: 0 };
    // SAFETY: arguments are in the kernel's order and of its types; all buffers have the sizes that the instances and
    // items need (checked above); a walk goes back only by items whose bit the sweep set where they fit, so it stays
    // in its instance.
    unsafe { builder.launch(config) }.map(|_| ()).during(format!("launching kernel {name}"))
}
