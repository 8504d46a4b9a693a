//! Binding of `kernels/knapsack/knapsack_tile.cu`: several light items per launch, one tile of cells per block.

use super::cell::{BLOCK_CELLS, Cell};
use super::problem::Step;
use super::row::Fill;
use cudarc::driver::{CudaView, LaunchConfig, PushKernelArg};
use isx_machine::cuda::{Device, DeviceError, During, KernelFile};

const FILE: KernelFile =
    KernelFile { stem: "knapsack_tile", ptx: &[(70, isx_kernels::ptx("knapsack_tile", 70))] };

const THREADS: u32 = 512;
/// The halo of a tile is a multiple of a warp.
const WARP: u64 = 32;

/// Launches the kernel for items whose steps are on the GPU and weigh at most
/// [`Kernels::halo`](super::cell::Kernels::halo) in total; returns before it has finished.
pub(super) fn launch<C: Cell>(
    device: &Device,
    args: &mut Fill<'_, C>,
    items: &CudaView<'_, Step>,
    weight: u64,
) -> Result<(), DeviceError> {
    let kernels = C::KERNELS;
    let name = kernels.tile;
    let unfit = |why: &str| DeviceError::Unfit { kernel: name, why: why.into() };
    let grid = args.checked_grid(name, items.len(), kernels.tile_blocks)?;
    let stride = args.stride();
    if weight > kernels.halo {
        return Err(unfit("the items are heavier than it can take up together"));
    }
    let count = i32::try_from(items.len()).map_err(|_| unfit("there are more items than it can count"))?;
    let halo = weight.next_multiple_of(WARP);
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
    builder.arg(&first).arg(&end).arg(items).arg(&count).arg(&halo).arg(&tile_blocks).arg(&limit);
    match &mut args.taken {
        Some(taken) => builder.arg(taken),
        None => builder.arg(&nowhere),
    };
    builder.arg(&stride);
    let config =
        LaunchConfig { grid_dim: (grid, 1, 1), block_dim: (THREADS, 1, 1), shared_mem_bytes: shared as u32 };
    // SAFETY: arguments are in the kernel's order and of its types; both rows contain all blocks launched and have a
    // mark for each, and `taken` has a bit for each of their cells and each item (checked above); the kernel reads
    // cells and marks from the halo on, none below 0, to the last block launched; the shared memory has the size it
    // requires; nothing else accesses these buffers until the stream is synchronized.
    unsafe { builder.launch(config) }.map(|_| ()).during(format!("launching kernel {name}"))
}
