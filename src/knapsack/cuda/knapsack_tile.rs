//! Binding of `kernels/knapsack/knapsack_tile.cu`: several light items, a tile of cells a block.

use super::cell::{BLOCK_CELLS, Cell};
use super::losses::Step;
use super::row::Row;
use cudarc::driver::{CudaView, CudaViewMut, LaunchConfig, PushKernelArg};
use isx_machine::cuda::{Device, DeviceError, During, KernelFile};
use std::ops::Range;

const FILE: KernelFile = KernelFile {
    stem: "knapsack_tile",
    ptx: &[(70, include_str!("../../../kernels/ptx/knapsack_tile.compute_70.ptx"))],
};

const THREADS: u32 = 512;
/// Cells before a tile come in warps of threads.
const WARP: u64 = 32;

/// What the kernel is given.
pub(super) struct Args<'a, C> {
    pub previous: &'a Row<C>,
    /// Its marks are cleared outside of `blocks`.
    pub next: &'a mut Row<C>,
    pub blocks: Range<u64>,
    /// The items' steps on the GPU,
    pub items: CudaView<'a, Step>,
    /// and what they weigh together, at most [`Kernels::halo`](super::cell::Kernels::halo).
    pub weight: u64,
    pub limit: u64,
    /// For each item a bit a cell of the blocks.
    pub taken: Option<CudaViewMut<'a, u8>>,
}

/// Launches the kernel; it runs while the host goes on.
pub(super) fn launch<C: Cell>(device: &Device, args: &mut Args<'_, C>) -> Result<(), DeviceError> {
    let kernels = C::KERNELS;
    let name = kernels.tile;
    let unfit = |why: &str| DeviceError::Unfit { kernel: name, why: why.into() };
    let grid = super::checked_grid(name, args.previous, args.next, &args.blocks, kernels.tile_blocks)?;
    let stride = (args.blocks.end - args.blocks.start).saturating_mul(BLOCK_CELLS / 8);
    let bits = stride.saturating_mul(args.items.len() as u64);
    if args.taken.as_ref().is_some_and(|taken| (taken.len() as u64) < bits) {
        return Err(unfit("a cell has no place for its decision"));
    }
    if args.weight > kernels.halo || args.limit >= C::DEAD {
        return Err(unfit("the items are heavier than it can take up together"));
    }
    let count =
        i32::try_from(args.items.len()).map_err(|_| unfit("there are more items than it can count"))?;
    let halo = args.weight.next_multiple_of(WARP);
    let shared = 2 * (halo + kernels.tile_blocks * BLOCK_CELLS) * C::WIDTH.bytes();
    let function = device.kernel(&FILE, name, shared as usize)?;
    // A halo is at most a few blocks.
    let (halo, tile_blocks) = (halo as i32, kernels.tile_blocks as i32);
    let (first, end, stride) = (args.blocks.start as i64, args.blocks.end as i64, stride as i64);
    let limit = C::sum(args.limit);
    let nowhere = 0u64;
    let mut builder = device.stream().launch_builder(&function);
    builder.arg(&args.previous.cells).arg(&mut args.next.cells);
    builder.arg(&args.previous.alive).arg(&mut args.next.alive);
    builder.arg(&first).arg(&end).arg(&args.items).arg(&count).arg(&halo).arg(&tile_blocks).arg(&limit);
    match &mut args.taken {
        Some(taken) => builder.arg(taken),
        None => builder.arg(&nowhere),
    };
    builder.arg(&stride);
    let config =
        LaunchConfig { grid_dim: (grid, 1, 1), block_dim: (THREADS, 1, 1), shared_mem_bytes: shared as u32 };
    // SAFETY: arguments are in the kernel's order and of its types; both rows hold all blocks launched and have a mark
    // for each, and `taken` a bit for each of their cells and each item (checked above); the kernel reads cells and
    // marks from the halo on, none below 0, to the last block launched; the shared memory is what it asks for; nothing
    // else touches these buffers until the stream is waited for.
    unsafe { builder.launch(config) }.map(|_| ()).during(format!("launching kernel {name}"))
}
