//! Binding of `kernels/mckp/mckp_walk.cu`: the items of front points, one warp per point.

use super::cell::Cell;
use cudarc::driver::{CudaSlice, CudaView, LaunchConfig, PushKernelArg};
use isx_machine::cuda::{Device, DeviceError, During, KernelFile};

const FILE: KernelFile = KernelFile { stem: "mckp_walk", ptx: &[(70, isx_kernels::ptx("mckp_walk", 70))] };

/// The arguments, in the kernel's order.
pub(super) struct Args<'a, V> {
    pub rows: &'a CudaSlice<V>,
    pub stride: i64,
    /// (weight, value) of every item.
    pub items: &'a CudaSlice<[i64; 2]>,
    /// Where each class's items begin, and the end.
    pub offsets: CudaView<'a, i64>,
    pub class_count: i32,
    pub cells: &'a mut CudaSlice<i64>,
    pub points: i64,
    pub picks: &'a mut CudaSlice<u32>,
    pub strays: &'a mut CudaSlice<u32>,
}

const THREADS: u32 = 256;
const POINTS_A_BLOCK: u64 = 8;

/// Launches the kernel; returns before it has finished.
pub(super) fn launch<V: Cell>(device: &Device, args: &mut Args<'_, V>) -> Result<(), DeviceError> {
    let name = V::either("mckp_walk_i32", "mckp_walk_i64");
    let unfit = |why: &str| DeviceError::Unfit { kernel: name, why: why.into() };
    let (points, classes) = (args.points as usize, args.class_count as usize);
    let rows = (args.stride as usize).checked_mul(classes + 1);
    if rows.is_none_or(|cells| cells > args.rows.len()) || args.offsets.len() < classes + 1 {
        return Err(unfit("the rows or the items are fewer than the classes need"));
    }
    if points > args.cells.len() || points.checked_mul(classes).is_none_or(|picks| picks > args.picks.len()) {
        return Err(unfit("a point without a place for its picks"));
    }
    let blocks = u32::try_from((args.points as u64).div_ceil(POINTS_A_BLOCK))
        .map_err(|_| unfit("there are more points than a launch can hold"))?;
    let function = device.kernel(&FILE, name, 0)?;
    let mut builder = device.stream().launch_builder(&function);
    builder.arg(args.rows).arg(&args.stride).arg(args.items).arg(&args.offsets).arg(&args.class_count);
    builder.arg(&mut *args.cells).arg(&args.points).arg(&mut *args.picks).arg(&mut *args.strays);
    let config = LaunchConfig { grid_dim: (blocks, 1, 1), block_dim: (THREADS, 1, 1), shared_mem_bytes: 0 };
    // SAFETY: arguments are in the kernel's order and of its types; rows, offsets, cells and picks have the sizes
    // that their counts say (checked above); the start cells are cells of a row, and the kernel only goes left from
    // them by weights it compared with the cell; nothing else accesses these buffers until the stream is
    // synchronized.
    unsafe { builder.launch(config) }.map(|_| ()).during(format!("launching kernel {name}"))
}
