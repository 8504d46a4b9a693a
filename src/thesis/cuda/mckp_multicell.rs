//! Binding of `kernels/thesis/mckp_multicell.cu`: CUDA-MULTICELL, a grid that just fills the GPU.

use super::row::{Args, RowKernel, items_in_shared};
use isx_machine::cuda::DeviceError;
use isx_machine::cuda::{Device, KernelFile};
use isx_mckp::cuda::Cell;

const FILE: KernelFile = KernelFile {
    stem: "mckp_multicell",
    ptx: &[(70, include_str!("../../../kernels/ptx/mckp_multicell.compute_70.ptx"))],
};

/// Loads the kernel for classes of at most `most_items` items.
pub(super) fn load<V: Cell>(device: &Device, most_items: usize) -> Result<RowKernel, DeviceError> {
    RowKernel::load::<V>(
        device,
        &FILE,
        ("mckp_multicell_i32", "mckp_multicell_i64"),
        items_in_shared,
        most_items,
    )
}

/// Launches `blocks` blocks, [`RowKernel::resident_blocks`] of the largest class.
pub(super) fn launch<V: Cell>(
    device: &Device,
    kernel: &RowKernel,
    blocks: usize,
    args: Args<'_, V>,
) -> Result<(), DeviceError> {
    kernel.launch(device, blocks, args)
}
