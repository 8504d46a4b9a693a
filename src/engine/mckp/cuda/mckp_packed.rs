//! Binding of `kernels/mckp_packed.cu`: the tiled kernel with two 16-bit cells a word.

use super::layout::ClassRecord;
use super::mckp_tiled::{Launch, progress_words};
use super::shape::Variants;
use crate::machine::cuda::{Device, KernelFile};
use crate::machine::cuda::{DeviceError, During};
use cudarc::driver::{CudaSlice, CudaView, LaunchConfig, PushKernelArg};

const X8: KernelFile = KernelFile {
    stem: "mckp_packed_x8",
    ptx: &[(90, include_str!("../../../../kernels/ptx/mckp_packed_x8.compute_90.ptx"))],
};
const X16: KernelFile = KernelFile {
    stem: "mckp_packed_x16",
    ptx: &[(90, include_str!("../../../../kernels/ptx/mckp_packed_x16.compute_90.ptx"))],
};

/// What the kernel is given, in its own order.
pub(super) struct Args<'a> {
    pub rows: &'a mut CudaSlice<i32>,
    pub stride: i64,
    pub records: &'a CudaSlice<[i32; 4]>,
    pub classes: CudaView<'a, ClassRecord>,
    pub class_count: i32,
    pub record_capacity: i32,
    pub window_capacity: i32,
    pub progress: &'a mut CudaSlice<u32>,
    pub wide_tiles: &'a mut CudaSlice<u64>,
}

/// Pairs of cells a thread, and most threads.
pub(super) const VARIANTS: Variants = &[(8, 512), (16, 512)];

/// Launches the kernel; it runs while the host goes on.
pub(super) fn launch(device: &Device, launch: &Launch, args: &mut Args<'_>) -> Result<(), DeviceError> {
    let file = if launch.shape.cells == 8 { &X8 } else { &X16 };
    let name = file.stem;
    let unfit = |why: &str| DeviceError::Unfit { kernel: name, why: why.into() };
    let rows = (args.stride as usize).checked_mul(args.class_count as usize + 1);
    if rows.is_none_or(|cells| cells > args.rows.len()) {
        return Err(unfit("the rows are fewer than the classes need"));
    }
    if args.progress.len() < progress_words(launch.tiles as usize)
        || args.classes.len() < args.class_count as usize
    {
        return Err(unfit("a tile without a counter, or a class without a record"));
    }
    let function = device.kernel(file, name, launch.shared_bytes as usize)?;
    let (tile_warps, groups) = (launch.shape.tile_warps as i32, launch.shape.groups as i32);
    let mut builder = device.stream().launch_builder(&function);
    builder.arg(&mut *args.rows).arg(&args.stride).arg(args.records).arg(&args.classes);
    builder.arg(&args.class_count).arg(&tile_warps).arg(&groups);
    builder.arg(&args.record_capacity).arg(&args.window_capacity);
    builder.arg(&mut *args.progress).arg(&mut *args.wide_tiles);
    let config = LaunchConfig {
        grid_dim: (launch.tiles, 1, 1),
        block_dim: (launch.shape.threads() as u32, 1, 1),
        shared_mem_bytes: launch.shared_bytes,
    };
    // SAFETY: arguments are in the kernel's order and of its types. Rows hold class_count + 1 strides and progress a
    // counter a tile (checked above); records and the shared memory's parts were sized by `Layout` from the same
    // classes that the kernel reads; nothing else touches these buffers until the stream is waited for.
    unsafe { builder.launch(config) }.map(|_| ()).during(format!("launching kernel {name}"))
}
