//! Binding of `kernels/mckp_tiled.cu`: the table in one launch, a tile of cells a block.

use super::cell::Cell;
use super::layout::{ClassRecord, Segment};
use super::shape::{Shape, Variants};
use crate::machine::cuda::{Device, KernelFile};
use crate::machine::cuda::{DeviceError, During};
use cudarc::driver::{CudaSlice, LaunchConfig, PushKernelArg};

/// The file of one variant; each is compiled by the driver only when it is used.
macro_rules! variant {
    ($name:literal) => {
        KernelFile {
            stem: $name,
            ptx: &[
                (90, include_str!(concat!("../../../../kernels/ptx/", $name, ".compute_90.ptx"))),
                (70, include_str!(concat!("../../../../kernels/ptx/", $name, ".compute_70.ptx"))),
            ],
        }
    };
}

const I32X4: KernelFile = variant!("mckp_tiled_i32x4");
const I32X8: KernelFile = variant!("mckp_tiled_i32x8");
const I32X12: KernelFile = variant!("mckp_tiled_i32x12");
const I32X16: KernelFile = variant!("mckp_tiled_i32x16");
const I64X4: KernelFile = variant!("mckp_tiled_i64x4");
const I64X8: KernelFile = variant!("mckp_tiled_i64x8");

/// What the kernel is given, in its own order.
pub(super) struct Args<'a, V> {
    pub rows: &'a mut CudaSlice<V>,
    pub stride: i64,
    pub records: &'a CudaSlice<[i32; 4]>,
    pub segments: &'a CudaSlice<Segment>,
    pub classes: cudarc::driver::CudaView<'a, ClassRecord>,
    pub class_count: i32,
    pub picks: Option<&'a mut CudaSlice<u8>>,
    pub mask: V,
    pub record_capacity: i32,
    pub window_capacity: i32,
    pub progress: &'a mut CudaSlice<u32>,
}

/// How it is launched.
pub(super) struct Launch {
    pub shape: Shape,
    pub tiles: u32,
    pub shared_bytes: u32,
}

/// Words of `progress` for so many tiles.
pub(super) fn progress_words(tiles: usize) -> usize {
    8 * (tiles + 1)
}

/// Where `progress` says that a wait was given up.
pub(super) const GAVE_UP: usize = 1;

/// Cells a thread and most threads of the kernels for that cell type.
pub(super) fn variants<V: Cell>() -> Variants {
    if V::NAME == "i32" { &[(4, 1024), (8, 1024), (12, 512), (16, 512)] } else { &[(4, 1024), (8, 512)] }
}

fn file<V: Cell>(cells: usize) -> &'static KernelFile {
    match (V::NAME, cells) {
        ("i32", 4) => &I32X4,
        ("i32", 8) => &I32X8,
        ("i32", 12) => &I32X12,
        ("i32", _) => &I32X16,
        (_, 4) => &I64X4,
        (_, _) => &I64X8,
    }
}

/// Launches the kernel; it runs while the host goes on.
pub(super) fn launch<V: Cell>(
    device: &Device,
    launch: &Launch,
    args: &mut Args<'_, V>,
) -> Result<(), DeviceError> {
    let file = file::<V>(launch.shape.cells);
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
    let nowhere = 0u64;
    let mut builder = device.stream().launch_builder(&function);
    builder.arg(&mut *args.rows).arg(&args.stride).arg(args.records).arg(args.segments).arg(&args.classes);
    builder.arg(&args.class_count);
    match &mut args.picks {
        Some(picks) => builder.arg(&mut **picks),
        None => builder.arg(&nowhere),
    };
    builder.arg(&args.mask).arg(&tile_warps).arg(&groups);
    builder.arg(&args.record_capacity).arg(&args.window_capacity).arg(&mut *args.progress);
    let config = LaunchConfig {
        grid_dim: (launch.tiles, 1, 1),
        block_dim: (launch.shape.threads() as u32, 1, 1),
        shared_mem_bytes: launch.shared_bytes,
    };
    // SAFETY: arguments are in the kernel's order and of its types. Rows hold class_count + 1 strides and progress a
    // counter a tile (checked above); records, segments, picks and the shared memory's parts were sized by `Layout`
    // from the same classes that the kernel reads; nothing else touches these buffers until the stream is waited for.
    unsafe { builder.launch(config) }.map(|_| ()).during(format!("launching kernel {name}"))
}
