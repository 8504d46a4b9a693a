//! Binding of `kernels/thesis/mckp_shared.cu`: CUDA-SHARED, the items in shared memory.

use super::row::{Args, RowKernel, blocks_for, items_in_shared};
use isx_machine::cuda::DeviceError;
use isx_machine::cuda::{Device, KernelFile};
use isx_mckp::cuda::Cell;

const FILE: KernelFile = KernelFile {
    stem: "mckp_shared",
    ptx: &[(70, include_str!("../../../kernels/ptx/mckp_shared.compute_70.ptx"))],
};

/// Loads the kernel for classes of at most `most_items` items.
pub(super) fn load<V: Cell>(device: &Device, most_items: usize) -> Result<RowKernel, DeviceError> {
    RowKernel::load::<V>(device, &FILE, ("mckp_shared_i32", "mckp_shared_i64"), items_in_shared, most_items)
}

/// Launches one thread a cell.
pub(super) fn launch<V: Cell>(
    device: &Device,
    kernel: &RowKernel,
    args: Args<'_, V>,
) -> Result<(), DeviceError> {
    kernel.launch(device, blocks_for(args.next.len()), args)
}
