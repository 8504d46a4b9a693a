//! Binding of `kernels/thesis/mckp_reduction.cu`: section 4.5, one warp a cell.

use super::row::{Args, RowKernel, nothing_in_shared};
use isx_machine::cuda::DeviceError;
use isx_machine::cuda::{Device, KernelFile};
use isx_mckp::cuda::Cell;

const FILE: KernelFile = KernelFile {
    stem: "mckp_reduction",
    ptx: &[(70, include_str!("../../../kernels/ptx/mckp_reduction.compute_70.ptx"))],
};

/// Loads the kernel for classes of at most `most_items` items.
pub(super) fn load<V: Cell>(device: &Device, most_items: usize) -> Result<RowKernel, DeviceError> {
    RowKernel::load::<V>(
        device,
        &FILE,
        ("mckp_reduction_i32", "mckp_reduction_i64"),
        nothing_in_shared,
        most_items,
    )
}

/// Launches `blocks` blocks, [`RowKernel::resident_blocks`], whose warps walk the row.
pub(super) fn launch<V: Cell>(
    device: &Device,
    kernel: &RowKernel,
    blocks: usize,
    args: Args<'_, V>,
) -> Result<(), DeviceError> {
    kernel.launch(device, blocks, args)
}
