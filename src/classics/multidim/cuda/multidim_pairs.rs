//! Binding of `kernels/multidim/multidim_pairs.cu`: two items per pass over many instances, then the last items and
//! the tracebacks.

use super::cell::Cell;
use cudarc::driver::{CudaSlice, CudaView, LaunchConfig};
use isx_machine::cuda::{Device, DeviceError, KernelFile, grid};
use isx_machine::{kernel_file, launch};

const FILE: KernelFile = kernel_file!("multidim_pairs"; 70);

/// Threads of a block, except of the tracebacks.
const THREADS: u32 = 256;
/// Threads of a block of the tracebacks, one per instance.
const WALKERS: u32 = 32;
/// The first of the last items, of whose choices each thread of a block has one.
pub(super) const OWN_ITEMS: usize = 8;
/// Last items whose choices are one part.
const PART_ITEMS: usize = 16;
/// Rows that a block computes, one per warp.
pub(super) const ROWS: u64 = 8;
/// Cells of a row that a warp computes.
pub(super) const RUN: u64 = 128;
/// Numbers of a frame, a place and a tail.
pub(super) const FRAME: usize = 16;
pub(super) const PLACE: usize = 6;
pub(super) const TAIL: usize = 12;
/// The most instances of a launch.
pub(super) const MOST_INSTANCES: usize = 65_535;

/// The arguments of a pass, in the kernel's order.
pub(super) struct Pass<'a, V> {
    pub from: &'a CudaSlice<V>,
    pub to: &'a mut CudaSlice<V>,
    pub bits: &'a mut CudaSlice<u32>,
    pub places: &'a CudaSlice<i64>,
    /// The frames of this pass.
    pub frames: CudaView<'a, i32>,
    /// The profits of this pass.
    pub gains: CudaView<'a, V>,
    pub pass: i32,
}

/// The arguments of the search and the tracebacks.
pub(super) struct Last<'a, V> {
    pub even: &'a CudaSlice<V>,
    pub odd: &'a CudaSlice<V>,
    pub bits: &'a CudaSlice<u32>,
    pub places: &'a CudaSlice<i64>,
    pub frames: &'a CudaSlice<i32>,
    pub tails: &'a CudaSlice<i32>,
    pub weights: &'a CudaSlice<i32>,
    pub profits: &'a CudaSlice<V>,
    /// The most value of each of `parts` parts of every instance's choices, and the choice that has it.
    pub tops: &'a mut CudaSlice<V>,
    pub by: &'a mut CudaSlice<u32>,
    pub parts: i32,
    pub instances: i32,
    pub best: &'a mut CudaSlice<V>,
    pub chosen: &'a mut CudaSlice<u32>,
}

/// Parts of the choices of so many last items.
pub(super) fn parts(last: usize) -> usize {
    1 << last.saturating_sub(PART_ITEMS)
}

fn unfit(kernel: &'static str) -> DeviceError {
    DeviceError::Unfit { kernel, why: "a buffer is shorter than the instances need".into() }
}

/// Launches a pass over `instances` instances of at most `blocks` blocks each, whose tables have `cells` cells and
/// `words` words of bits in total; returns before it has finished.
pub(super) fn pass<V: Cell>(
    device: &Device,
    (instances, blocks): (usize, u32),
    (cells, words): (usize, usize),
    args: &mut Pass<'_, V>,
) -> Result<(), DeviceError> {
    let name = V::either("multidim_pairs_i32", "multidim_pairs_i64");
    let held = args.from.len() >= cells && args.to.len() >= cells && args.bits.len() >= words;
    let told = args.places.len() >= PLACE * instances && args.frames.len() >= FRAME * instances;
    if !held || !told || args.gains.len() < 2 * instances || instances > MOST_INSTANCES {
        return Err(unfit(name));
    }
    let grid_dim = (blocks.max(1), instances as u32, 1);
    // SAFETY: arguments are in the kernel's order and of its types; tables, bits, places, frames and gains have the
    // size that the instances need (checked above); frames lie within the tables given by their places, sources
    // before their cells and within the reach of the layer that is read; nothing written is read by the same launch;
    // the stream orders the launches.
    unsafe {
        launch!(device, FILE => name, LaunchConfig { grid_dim, ..grid(1, THREADS, 0) };
            args.from, &mut *args.to, &mut *args.bits, args.places, &args.frames, &args.gains, &args.pass)
    }
}

/// Launches the search over the last items and the tracebacks; returns before they have finished.
pub(super) fn last<V: Cell>(
    device: &Device,
    passes: usize,
    args: &mut Last<'_, V>,
) -> Result<(), DeviceError> {
    let name = V::either("multidim_pairs_i32_last", "multidim_pairs_i64_last");
    let back = V::either("multidim_pairs_i32_back", "multidim_pairs_i64_back");
    let instances = args.instances.unsigned_abs() as usize;
    let parts = args.parts.unsigned_abs() as usize;
    let told = args.places.len() >= PLACE * instances && args.tails.len() >= TAIL * instances;
    let found = args.tops.len() >= parts * instances && args.by.len() >= parts * instances;
    let short = args.frames.len() < FRAME * instances * passes || args.best.len() < instances;
    if !told || !found || short || parts == 0 || instances > MOST_INSTANCES {
        return Err(unfit(name));
    }
    let grid_dim = (parts as u32, instances.max(1) as u32, 1);
    // SAFETY: arguments are in the kernel's order and of its types; places and tails exist for every instance, and
    // room for every part (checked above), and give the position of an instance's data in the tables and items, as
    // laid out by `pairs.rs`, which allocated all of them and counted the parts of the instance that has most.
    unsafe {
        launch!(device, FILE => name, LaunchConfig { grid_dim, ..grid(1, THREADS, 0) };
            args.even, args.odd, args.places, args.tails, args.weights, args.profits, &mut *args.tops, &mut *args.by)
    }?;
    let blocks = (instances as u32).div_ceil(WALKERS).max(1);
    // SAFETY: as above, also of the frames of every pass; a traceback follows bits that were set where items fit.
    unsafe {
        launch!(device, FILE => back, grid(blocks, WALKERS, 0);
            args.bits, args.places, args.frames, args.tails, args.weights, &*args.tops, &*args.by, &args.parts,
            &args.instances, &mut *args.best, &mut *args.chosen)
    }
}
