//! Binding of `kernels/knapsack/knapsack_step.cu`: one item, a row from the row before.

use super::cell::{BLOCK_CELLS, Cell};
use super::losses::Step;
use super::row::Row;
use cudarc::driver::{CudaViewMut, LaunchConfig, PushKernelArg};
use isx_machine::cuda::{Device, DeviceError, During, KernelFile};
use std::ops::Range;

const FILE: KernelFile = KernelFile {
    stem: "knapsack_step",
    ptx: &[(70, include_str!("../../../kernels/ptx/knapsack_step.compute_70.ptx"))],
};

/// Threads of a block, as the kernel has it.
const THREADS: u32 = 256;

/// What the kernel is given.
pub(super) struct Args<'a, C> {
    pub previous: &'a Row<C>,
    /// Its marks are cleared outside of `blocks`.
    pub next: &'a mut Row<C>,
    pub blocks: Range<u64>,
    pub step: Step,
    pub limit: u64,
    /// A bit a cell of the blocks.
    pub taken: Option<CudaViewMut<'a, u8>>,
}

/// Launches the kernel; it runs while the host goes on.
pub(super) fn launch<C: Cell>(device: &Device, args: &mut Args<'_, C>) -> Result<(), DeviceError> {
    let name = C::KERNELS.step;
    let grid = super::checked_grid(name, args.previous, args.next, &args.blocks, 1)?;
    let bits = (args.blocks.end - args.blocks.start).saturating_mul(BLOCK_CELLS / 8);
    if args.taken.as_ref().is_some_and(|taken| (taken.len() as u64) < bits) {
        return Err(DeviceError::Unfit { kernel: name, why: "a cell has no place for its decision".into() });
    }
    if args.step.weight == 0 || args.limit >= C::DEAD || args.step.leave.min(args.step.take) != 0 {
        return Err(DeviceError::Unfit { kernel: name, why: "an item is not as it requires".into() });
    }
    let function = device.kernel(&FILE, name, 0)?;
    let (leave, take, limit) = (C::sum(args.step.leave), C::sum(args.step.take), C::sum(args.limit));
    // Heavier items than a row is long leave it as it is, and a source left of it is none.
    let weight = args.step.weight.min(1 << 62) as i64;
    let first = args.blocks.start as i64;
    let nowhere = 0u64;
    let mut builder = device.stream().launch_builder(&function);
    builder.arg(&args.previous.cells).arg(&mut args.next.cells);
    builder.arg(&args.previous.alive).arg(&mut args.next.alive);
    builder.arg(&first).arg(&weight).arg(&leave).arg(&take).arg(&limit);
    match &mut args.taken {
        Some(taken) => builder.arg(taken),
        None => builder.arg(&nowhere),
    };
    let config = LaunchConfig { grid_dim: (grid, 1, 1), block_dim: (THREADS, 1, 1), shared_mem_bytes: 0 };
    // SAFETY: arguments are in the kernel's order and of its types; both rows hold all blocks launched and have a mark
    // for each, and `taken` a bit for each of their cells (checked above); the kernel reads cells and marks at or left
    // of those blocks, none below 0; nothing else touches these buffers until the stream is waited for.
    unsafe { builder.launch(config) }.map(|_| ()).during(format!("launching kernel {name}"))
}
