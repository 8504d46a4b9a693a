//! Binding of `kernels/mckp/mckp_packed.cu`: the tiled kernel with two 16-bit cells a word.

use super::layout::ClassRecord;
use super::mckp_tiled::{Launch, with_constant_items};
use super::shape::Variants;
use cudarc::driver::{CudaSlice, CudaView, CudaViewMut, LaunchConfig, PushKernelArg};
use isx_machine::cuda::{Device, KernelFile};
use isx_machine::cuda::{DeviceError, During};

const X8: KernelFile = KernelFile {
    stem: "mckp_packed_x8",
    ptx: &[(90, include_str!("../../../kernels/ptx/mckp_packed_x8.compute_90.ptx"))],
};
const X16: KernelFile = KernelFile {
    stem: "mckp_packed_x16",
    ptx: &[(90, include_str!("../../../kernels/ptx/mckp_packed_x16.compute_90.ptx"))],
};
const X32: KernelFile = KernelFile {
    stem: "mckp_packed_x32",
    ptx: &[(90, include_str!("../../../kernels/ptx/mckp_packed_x32.compute_90.ptx"))],
};

/// What the kernel is given; cells are of type `V`, 32 bits wide.
pub struct Args<'a, V> {
    /// The first row of the launch, which is filled already, and those to fill.
    pub(super) rows: CudaViewMut<'a, V>,
    pub(super) stride: i64,
    /// What the constant bank shall hold.
    pub(super) items: CudaView<'a, [i32; 4]>,
    pub(super) classes: CudaView<'a, ClassRecord>,
    pub(super) progress: &'a mut CudaSlice<u32>,
    pub(super) wide_tiles: &'a mut CudaSlice<u64>,
}

/// Pairs of cells a thread, and most threads.
pub(super) const VARIANTS: Variants = &[(8, 512), (16, 512), (32, 512)];

/// Launches the kernel; it runs while the host goes on.
pub(super) fn launch(device: &Device, launch: &Launch, args: &mut Args<'_, i32>) -> Result<(), DeviceError> {
    let file = match launch.shape.cells {
        8 => &X8,
        16 => &X16,
        _ => &X32,
    };
    let name = file.stem;
    launch.check(name, &args.rows, args.stride, args.progress, &args.classes)?;
    let function = device.kernel(file, name, launch.shared_bytes as usize)?;
    let config: LaunchConfig = launch.config(name)?;
    let [tile_warps, groups] = launch.warps_and_groups();
    with_constant_items(device, file, &args.items, || {
        let mut builder = device.stream().launch_builder(&function);
        builder.arg(&mut args.rows).arg(&args.stride).arg(&args.classes).arg(&launch.class_count);
        builder.arg(&tile_warps).arg(&groups).arg(&launch.window_capacity);
        builder.arg(&mut *args.progress).arg(&mut *args.wide_tiles);
        builder.arg(&launch.first_ticket).arg(&launch.classes_before);
        // SAFETY: arguments are in the kernel's order and of its types. Rows hold class_count + 1 strides and progress
        // a counter a tile (checked above); the constant bank and the shared memory's parts were sized by `Layout` from
        // the same classes that the kernel reads; nothing else touches these buffers until the stream is waited for.
        unsafe { builder.launch(config) }.map(|_| ()).during(format!("launching kernel {name}"))
    })
}
