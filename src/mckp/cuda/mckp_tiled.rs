//! Binding of `kernels/mckp/mckp_tiled.cu`: the table of a run of classes, one tile of cells per block.

use super::cell::Cell;
use super::layout::{ClassRecord, Segment};
use super::shape::{Shape, Variant};
use cudarc::driver::{CudaFunction, CudaSlice, CudaView, CudaViewMut, LaunchConfig};
use isx_machine::cuda::{Device, DeviceError, KernelFile, OrNull, grid};
use isx_machine::launch;
use std::sync::{Mutex, PoisonError};

/// The arguments of a kernel of the tiled family.
pub(super) struct Args<'a, V> {
    /// The first row of the launch, which is already filled, and those to fill.
    pub rows: CudaViewMut<'a, V>,
    pub stride: i64,
    /// The content of the constant bank.
    pub items: CudaView<'a, [i32; 4]>,
    pub records: &'a CudaSlice<[i32; 4]>,
    pub segments: &'a CudaSlice<Segment>,
    pub classes: CudaView<'a, ClassRecord>,
    pub picks: Option<&'a mut CudaSlice<u8>>,
    pub mask: V,
    pub progress: &'a mut CudaSlice<u32>,
    /// Counts the tiles that the packed kernel fills with full cells.
    pub wide_tiles: &'a mut CudaSlice<u64>,
}

/// The launch parameters of a kernel of the tiled family; all numbers were checked to fit when the table was
/// planned.
pub struct Launch {
    pub(super) shape: Shape,
    pub(super) tiles: u32,
    pub(super) shared_bytes: u32,
    pub(super) record_capacity: i32,
    pub(super) window_capacity: i32,
    pub(super) class_count: i32,
    /// Tickets drawn by the earlier launches of the same run.
    pub(super) first_ticket: u32,
    /// Classes filled by them.
    pub(super) classes_before: u32,
}

/// Words of `progress` for `tiles` tiles.
pub(super) fn progress_words(tiles: usize) -> usize {
    8 * (tiles + 1)
}

/// The place in `progress` of the number of tickets drawn.
pub(super) const TICKETS: usize = 0;
/// The place in `progress` of the flag that a block gave up waiting.
pub(super) const GAVE_UP: usize = 1;

/// Locked from filling the constant bank until the kernel that reads it is in the stream: another thread that uses
/// the same GPU must not fill it in between.
static CONSTANT_BANK: Mutex<()> = Mutex::new(());

impl Launch {
    /// The kernel of this shape among `variants`, and its launch parameters. Checks that rows, counters and class
    /// records have the sizes that it reads.
    pub(super) fn ready<V>(
        &self,
        device: &Device,
        family: &'static str,
        variants: &'static [Variant],
        args: &Args<'_, V>,
    ) -> Result<(&'static KernelFile, CudaFunction, LaunchConfig), DeviceError> {
        let unfit = |kernel, why: &str| DeviceError::Unfit { kernel, why: why.into() };
        let Some(Variant { file, .. }) = variants.iter().find(|variant| variant.cells == self.shape.cells)
        else {
            let why = format!("there is no variant for tiles of shape {:?}", self.shape);
            return Err(unfit(family, &why));
        };
        let class_count = usize::try_from(self.class_count).ok();
        let needed = class_count
            .zip(usize::try_from(args.stride).ok())
            .and_then(|(classes, stride)| stride.checked_mul(classes.checked_add(1)?));
        if needed.is_none_or(|cells| cells > args.rows.len()) {
            return Err(unfit(file.stem, "the rows are fewer than the classes need"));
        }
        if args.progress.len() < progress_words(self.tiles as usize) {
            return Err(unfit(file.stem, "a tile has no counter"));
        }
        if class_count.is_none_or(|count| count > args.classes.len()) {
            return Err(unfit(file.stem, "a class has no record"));
        }
        let threads = self.shape.threads();
        let too_many = || unfit(file.stem, &format!("{threads} threads are more than a block can have"));
        let config = grid(self.tiles, u32::try_from(threads).map_err(|_| too_many())?, self.shared_bytes);
        Ok((file, device.kernel(file, file.stem, self.shared_bytes as usize)?, config))
    }

    /// Adjacent warps of a tile, and groups of them, in the kernels' format.
    pub(super) fn warps_and_groups(&self) -> [i32; 2] {
        // Both are at most 32: a block has at most 32 warps.
        [self.shape.tile_warps, self.shape.groups].map(|number| number.min(32) as i32)
    }
}

/// Fills the constant bank of the kernel's module and launches the kernel, with no other thread in between.
pub(super) fn with_constant_items(
    device: &Device,
    file: &KernelFile,
    items: &CudaView<'_, [i32; 4]>,
    launch: impl FnOnce() -> Result<(), DeviceError>,
) -> Result<(), DeviceError> {
    let _locked = CONSTANT_BANK.lock().unwrap_or_else(PoisonError::into_inner);
    device.fill_constant(file, "launch_items", items)?;
    launch()
}

/// Launches the kernel; returns before it has finished.
pub(super) fn launch<V: Cell>(
    device: &Device,
    launch: &Launch,
    args: &mut Args<'_, V>,
) -> Result<(), DeviceError> {
    let (file, function, config) = launch.ready(device, "mckp_tiled", V::WIDTH.tiled(), args)?;
    let [tile_warps, groups] = launch.warps_and_groups();
    with_constant_items(device, file, &args.items, || {
        // SAFETY: arguments are in the kernel's order and of its types. Rows contain class_count + 1 strides and
        // progress one counter per tile (checked above); the constant bank, records, segments, picks and the parts
        // of shared memory were sized by `Layout` from the same classes that the kernel reads; nothing else accesses
        // these buffers until the stream is synchronized.
        unsafe {
            launch!(device, function, file.stem, config;
                &mut args.rows, &args.stride, args.records, args.segments, &args.classes, &launch.class_count,
                OrNull(args.picks.as_deref_mut()), &args.mask, &tile_warps, &groups, &launch.record_capacity,
                &launch.window_capacity, &mut *args.progress, &launch.first_ticket, &launch.classes_before)
        }
    })
}
