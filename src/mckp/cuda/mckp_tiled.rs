//! Binding of `kernels/mckp/mckp_tiled.cu`: the table of a run of classes, a tile of cells a block.

use super::cell::{Cell, Variant};
use super::layout::{ClassRecord, Segment};
use super::shape::Shape;
use cudarc::driver::{CudaSlice, CudaView, CudaViewMut, LaunchConfig, PushKernelArg};
use isx_machine::cuda::{Device, KernelFile};
use isx_machine::cuda::{DeviceError, During};
use std::sync::{Mutex, PoisonError};

/// One variant; each is a file of its own, compiled by the driver only when it is used.
macro_rules! variant {
    ($name:literal, $cells:literal, $most_threads:literal) => {
        Variant {
            cells: $cells,
            most_threads: $most_threads,
            file: KernelFile {
                stem: $name,
                ptx: &[
                    (90, include_str!(concat!("../../../kernels/ptx/", $name, ".compute_90.ptx"))),
                    (70, include_str!(concat!("../../../kernels/ptx/", $name, ".compute_70.ptx"))),
                ],
            },
        }
    };
}

/// The kernels for 32-bit cells.
pub(super) const NARROW: &[Variant] = &[
    variant!("mckp_tiled_i32x4", 4, 1024),
    variant!("mckp_tiled_i32x8", 8, 1024),
    variant!("mckp_tiled_i32x12", 12, 512),
    variant!("mckp_tiled_i32x16", 16, 512),
    // Measured on an H200: of 32 cells a thread, blocks of 3 warps are faster than those of 4 to 12.
    variant!("mckp_tiled_i32x32", 32, 96),
];

/// The kernels for 64-bit cells.
pub(super) const WIDE: &[Variant] =
    &[variant!("mckp_tiled_i64x4", 4, 1024), variant!("mckp_tiled_i64x8", 8, 512)];

/// What the kernel is given.
pub(super) struct Args<'a, V> {
    /// The first row of the launch, which is filled already, and those to fill.
    pub rows: CudaViewMut<'a, V>,
    pub stride: i64,
    /// What the constant bank shall hold.
    pub items: CudaView<'a, [i32; 4]>,
    pub records: &'a CudaSlice<[i32; 4]>,
    pub segments: &'a CudaSlice<Segment>,
    pub classes: CudaView<'a, ClassRecord>,
    pub picks: Option<&'a mut CudaSlice<u8>>,
    pub mask: V,
    pub progress: &'a mut CudaSlice<u32>,
}

/// How a kernel of the tiled family is launched; all numbers were checked to fit when the table was planned.
pub struct Launch {
    pub(super) shape: Shape,
    pub(super) tiles: u32,
    pub(super) shared_bytes: u32,
    pub(super) record_capacity: i32,
    pub(super) window_capacity: i32,
    pub(super) class_count: i32,
    /// Tickets that the launches before over the same run drew.
    pub(super) first_ticket: u32,
    /// Classes that they filled.
    pub(super) classes_before: u32,
}

/// Words of `progress` for so many tiles.
pub(super) fn progress_words(tiles: usize) -> usize {
    8 * (tiles + 1)
}

/// Where `progress` says how many tickets were drawn,
pub(super) const TICKETS: usize = 0;
/// and that a wait was given up.
pub(super) const GAVE_UP: usize = 1;

/// Held from filling the constant bank until the kernel that reads it is in the stream: whoever uses the same GPU from
/// another thread must not fill it in between.
static CONSTANT_BANK: Mutex<()> = Mutex::new(());

impl Launch {
    /// Whether rows, counters and class records are as many as the kernel reads.
    pub(super) fn check<V>(
        &self,
        kernel: &'static str,
        rows: &CudaViewMut<'_, V>,
        stride: i64,
        progress: &CudaSlice<u32>,
        classes: &CudaView<'_, ClassRecord>,
    ) -> Result<(), DeviceError> {
        let unfit = |why: &str| Err(DeviceError::Unfit { kernel, why: why.into() });
        let class_count = usize::try_from(self.class_count).ok();
        let needed = class_count
            .zip(usize::try_from(stride).ok())
            .and_then(|(classes, stride)| stride.checked_mul(classes.checked_add(1)?));
        if needed.is_none_or(|cells| cells > rows.len()) {
            return unfit("the rows are fewer than the classes need");
        }
        if progress.len() < progress_words(self.tiles as usize) {
            return unfit("a tile has no counter");
        }
        if class_count.is_none_or(|count| count > classes.len()) {
            return unfit("a class has no record");
        }
        Ok(())
    }

    /// The grid and the blocks.
    pub(super) fn config(&self, kernel: &'static str) -> Result<LaunchConfig, DeviceError> {
        let threads = u32::try_from(self.shape.threads()).map_err(|_| DeviceError::Unfit {
            kernel,
            why: format!("{} threads are more than a block can have", self.shape.threads()),
        })?;
        Ok(LaunchConfig {
            grid_dim: (self.tiles, 1, 1),
            block_dim: (threads, 1, 1),
            shared_mem_bytes: self.shared_bytes,
        })
    }

    /// Warps side by side in a tile, and groups of them, as the kernels read them.
    pub(super) fn warps_and_groups(&self) -> [i32; 2] {
        // Both are at most 32: a block has no more warps.
        [self.shape.tile_warps, self.shape.groups].map(|number| number.min(32) as i32)
    }
}

/// Fills the constant bank of the kernel's module and launches the kernel, with nobody in between.
pub(super) fn with_constant_items(
    device: &Device,
    file: &KernelFile,
    items: &CudaView<'_, [i32; 4]>,
    launch: impl FnOnce() -> Result<(), DeviceError>,
) -> Result<(), DeviceError> {
    let _nobody_else = CONSTANT_BANK.lock().unwrap_or_else(PoisonError::into_inner);
    device.fill_constant(file, "launch_items", items)?;
    launch()
}

/// Launches the kernel; it runs while the host goes on.
pub(super) fn launch<V: Cell>(
    device: &Device,
    launch: &Launch,
    args: &mut Args<'_, V>,
) -> Result<(), DeviceError> {
    let variants = V::TILED;
    let Some(variant) = variants.iter().find(|variant| variant.cells == launch.shape.cells) else {
        let why = format!("there is no variant for tiles of shape {:?}", launch.shape);
        return Err(DeviceError::Unfit { kernel: "mckp_tiled", why });
    };
    let name = variant.file.stem;
    launch.check(name, &args.rows, args.stride, args.progress, &args.classes)?;
    let function = device.kernel(&variant.file, name, launch.shared_bytes as usize)?;
    let config = launch.config(name)?;
    let [tile_warps, groups] = launch.warps_and_groups();
    let nowhere = 0u64;
    with_constant_items(device, &variant.file, &args.items, || {
        let mut builder = device.stream().launch_builder(&function);
        builder.arg(&mut args.rows).arg(&args.stride).arg(args.records).arg(args.segments).arg(&args.classes);
        builder.arg(&launch.class_count);
        match &mut args.picks {
            Some(picks) => builder.arg(&mut **picks),
            None => builder.arg(&nowhere),
        };
        builder.arg(&args.mask).arg(&tile_warps).arg(&groups);
        builder.arg(&launch.record_capacity).arg(&launch.window_capacity).arg(&mut *args.progress);
        builder.arg(&launch.first_ticket).arg(&launch.classes_before);
        // SAFETY: arguments are in the kernel's order and of its types. Rows hold class_count + 1 strides and progress
        // a counter a tile (checked above); the constant bank, records, segments, picks and the shared memory's parts
        // were sized by `Layout` from the same classes that the kernel reads; nothing else touches these buffers until
        // the stream is waited for.
        unsafe { builder.launch(config) }.map(|_| ()).during(format!("launching kernel {name}"))
    })
}
