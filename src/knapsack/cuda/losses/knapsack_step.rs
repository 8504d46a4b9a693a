//! Binding of `kernels/knapsack/knapsack_step.cu`: a few heavy items, computing a row from the previous one.

use super::cell::Cell;
use super::problem::Step;
use super::row::Fill;
use cudarc::driver::CudaView;
use isx_machine::cuda::{Device, DeviceError, KernelFile, OrNull, grid};
use isx_machine::{kernel_file, launch};

const FILE: KernelFile = kernel_file!("knapsack_step"; 90, 70);

const THREADS: u32 = 256;

/// The most items of a launch. The kernel takes four, but each doubles the selections it looks at, and three are fastest.
pub(super) const TOGETHER: usize = 3;

/// The most blocks of cells that a block of threads handles.
const SPAN: u64 = 32;
/// As many blocks of threads as keep each multiprocessor busy to the end.
const THREAD_BLOCKS: u64 = 64;

/// Launches the kernel for items whose steps are on the GPU; returns before it has finished.
pub(super) fn launch<C: Cell>(
    device: &Device,
    args: &mut Fill<'_, C>,
    host: &[Step],
    items: &CudaView<'_, Step>,
) -> Result<(), DeviceError> {
    let name = C::KERNELS.step;
    let filled = args.blocks.end.saturating_sub(args.blocks.start);
    let span = (filled / (device.info().multiprocessors as u64 * THREAD_BLOCKS).max(1)).clamp(1, SPAN);
    let blocks = args.checked_grid(name, items.len(), span)?;
    let is_one = |step: &Step| step.weight > 0 && step.leave.min(step.take) == 0;
    if host.len() != items.len() || !(1..=TOGETHER).contains(&host.len()) || !host.iter().all(is_one) {
        return Err(DeviceError::Unfit { kernel: name, why: "the items are not as it requires".into() });
    }
    let limit = C::sum(args.limit);
    let (span, count, stride) = (span as i32, host.len() as i32, args.stride() as i64);
    let (first, end) = (args.blocks.start as i64, args.blocks.end as i64);
    // SAFETY: arguments are in the kernel's order and of its types; both rows contain all blocks launched and have a
    // mark for each, and `taken` has a bit for each of their cells and each item (checked above); the kernel reads
    // cells and marks at or left of those blocks, none below 0; nothing else accesses these buffers until the stream
    // is synchronized.
    unsafe {
        launch!(device, FILE => name, grid(blocks, THREADS, 0);
            &args.previous.cells, &mut args.next.cells, &args.previous.alive, &mut args.next.alive, &first, &end,
            &span, items, &count, &limit, OrNull(args.taken.as_mut()), &stride)
    }
}
