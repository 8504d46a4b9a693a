//! Binding of `kernels/thesis/mckp_global.cu`: CUDA-GLOBAL, one thread a cell.

use super::row::{Args, RowKernel, blocks_for, nothing_in_shared};
use isx_machine::cuda::DeviceError;
use isx_machine::cuda::{Device, KernelFile};
use isx_mckp::cuda::Cell;

const FILE: KernelFile = KernelFile {
    stem: "mckp_global",
    ptx: &[(70, include_str!("../../../kernels/ptx/mckp_global.compute_70.ptx"))],
};

/// Loads the kernel for classes of at most `most_items` items.
pub(super) fn load<V: Cell>(device: &Device, most_items: usize) -> Result<RowKernel, DeviceError> {
    RowKernel::load::<V>(device, &FILE, ("mckp_global_i32", "mckp_global_i64"), nothing_in_shared, most_items)
}

/// Launches one thread a cell.
pub(super) fn launch<V: Cell>(
    device: &Device,
    kernel: &RowKernel,
    args: Args<'_, V>,
) -> Result<(), DeviceError> {
    kernel.launch(device, blocks_for(args.next.len()), args)
}
