//! Binding of `kernels/mckp/mckp_packed.cu`: the tiled kernel with two 16-bit cells per word.

use super::cell::Cell;
use super::mckp_tiled::{Args, Launch, with_constant_items};
use super::shape::Variant;
use super::variants::variant;
use isx_machine::cuda::{Device, DeviceError};
use isx_machine::launch;

/// The kernels; each has its own file, which the driver compiles only when it is used.
pub(super) const VARIANTS: &[Variant] = &[
    variant!(512, 8, "mckp_packed_x8", 90),
    variant!(512, 16, "mckp_packed_x16", 90),
    variant!(512, 32, "mckp_packed_x32", 90),
];

/// Launches the kernel; returns before it has finished.
pub(super) fn launch<V: Cell>(
    device: &Device,
    launch: &Launch,
    args: &mut Args<'_, V>,
) -> Result<(), DeviceError> {
    let (file, function, config) = launch.ready(device, "mckp_packed", VARIANTS, args)?;
    let [tile_warps, groups] = launch.warps_and_groups();
    with_constant_items(device, file, &args.items, || {
        // SAFETY: arguments are in the kernel's order and of its types. Rows contain class_count + 1 strides and
        // progress one counter per tile (checked above); the constant bank and the parts of shared memory were sized
        // by `Layout` from the same classes that the kernel reads; nothing else accesses these buffers until the
        // stream is synchronized.
        unsafe {
            launch!(device, function, file.stem, config;
                &mut args.rows, &args.stride, &args.classes, &launch.class_count, &tile_warps, &groups,
                &launch.window_capacity, &mut *args.progress, &mut *args.wide_tiles, &launch.first_ticket,
                &launch.classes_before)
        }
    })
}
