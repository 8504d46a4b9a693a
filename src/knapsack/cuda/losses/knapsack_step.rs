//! Binding of `kernels/knapsack/knapsack_step.cu`: one item, computing a row from the previous one.

use super::cell::Cell;
use super::problem::Step;
use super::row::Fill;
use cudarc::driver::{LaunchConfig, PushKernelArg};
use isx_machine::cuda::{Device, DeviceError, During, KernelFile};

const FILE: KernelFile =
    KernelFile { stem: "knapsack_step", ptx: &[(70, isx_kernels::ptx("knapsack_step", 70))] };

const THREADS: u32 = 256;

/// Launches the kernel; returns before it has finished.
pub(super) fn launch<C: Cell>(
    device: &Device,
    args: &mut Fill<'_, C>,
    step: Step,
) -> Result<(), DeviceError> {
    let name = C::KERNELS.step;
    let grid = args.checked_grid(name, 1, 1)?;
    if step.weight == 0 || step.leave.min(step.take) != 0 {
        return Err(DeviceError::Unfit { kernel: name, why: "an item is not as it requires".into() });
    }
    let function = device.kernel(&FILE, name, 0)?;
    let (leave, take, limit) = (C::sum(step.leave), C::sum(step.take), C::sum(args.limit));
    // An item heavier than the row is long leaves it unchanged, since a source left of the row does not exist.
    let weight = step.weight.min(1 << 62) as i64;
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
    // SAFETY: arguments are in the kernel's order and of its types; both rows contain all blocks launched and have a
    // mark for each, and `taken` has a bit for each of their cells (checked above); the kernel reads cells and marks
    // at or left of those blocks, none below 0; nothing else accesses these buffers until the stream is
    // synchronized.
    unsafe { builder.launch(config) }.map(|_| ()).during(format!("launching kernel {name}"))
}
