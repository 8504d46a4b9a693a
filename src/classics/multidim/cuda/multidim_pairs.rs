//! Binding of `kernels/multidim/multidim_pairs.cu`: two items per pass over many instances, then the last items and
//! the tracebacks.

use super::cell::Cell;
use cudarc::driver::{CudaSlice, CudaView, LaunchConfig, PushKernelArg};
use isx_machine::cuda::{Device, DeviceError, During, KernelFile};

const FILE: KernelFile =
    KernelFile { stem: "multidim_pairs", ptx: &[(70, isx_kernels::ptx("multidim_pairs", 70))] };

/// Threads of a block, in both kernels.
const THREADS: u32 = 256;
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

/// The arguments of the search and the tracebacks, in the kernel's order.
pub(super) struct Last<'a, V> {
    pub even: &'a CudaSlice<V>,
    pub odd: &'a CudaSlice<V>,
    pub bits: &'a CudaSlice<u32>,
    pub places: &'a CudaSlice<i64>,
    pub frames: &'a CudaSlice<i32>,
    pub tails: &'a CudaSlice<i32>,
    pub weights: &'a CudaSlice<i32>,
    pub profits: &'a CudaSlice<V>,
    pub instances: i32,
    pub best: &'a mut CudaSlice<V>,
    pub chosen: &'a mut CudaSlice<u32>,
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
    let function = device.kernel(&FILE, name, 0)?;
    let mut builder = device.stream().launch_builder(&function);
    builder.arg(args.from).arg(&mut *args.to).arg(&mut *args.bits).arg(args.places).arg(&args.frames);
    builder.arg(&args.gains).arg(&args.pass);
    let grid_dim = (blocks.max(1), instances as u32, 1);
    let config = LaunchConfig { grid_dim, block_dim: (THREADS, 1, 1), shared_mem_bytes: 0 };
    // SAFETY: arguments are in the kernel's order and of its types; tables, bits, places, frames and gains have the
    // size that the instances need (checked above); frames lie within the tables given by their places, sources
    // before their cells and within the reach of the layer that is read; nothing written is read by the same launch;
    // the stream orders the launches.
    unsafe { builder.launch(config) }.map(|_| ()).during(format!("launching kernel {name}"))
}

/// Launches the search over the last items and the tracebacks; returns before they have finished.
pub(super) fn last<V: Cell>(
    device: &Device,
    passes: usize,
    args: &mut Last<'_, V>,
) -> Result<(), DeviceError> {
    let name = V::either("multidim_pairs_i32_last", "multidim_pairs_i64_last");
    let instances = args.instances.unsigned_abs() as usize;
    let told = args.places.len() >= PLACE * instances && args.tails.len() >= TAIL * instances;
    if !told || args.frames.len() < FRAME * instances * passes || args.best.len() < instances {
        return Err(unfit(name));
    }
    let function = device.kernel(&FILE, name, 0)?;
    let mut builder = device.stream().launch_builder(&function);
    builder.arg(args.even).arg(args.odd).arg(args.bits).arg(args.places).arg(args.frames).arg(args.tails);
    builder.arg(args.weights).arg(args.profits).arg(&args.instances).arg(&mut *args.best);
    builder.arg(&mut *args.chosen);
    let blocks = args.instances.unsigned_abs().max(1);
    let config = LaunchConfig { grid_dim: (blocks, 1, 1), block_dim: (THREADS, 1, 1), shared_mem_bytes: 0 };
    // SAFETY: arguments are in the kernel's order and of its types; places, frames and tails exist for every
    // instance and pass (checked above), and give the position of an instance's data in the tables, bits, items and
    // chosen words, as laid out by `pairs.rs`, which allocated all of them; a traceback follows bits that were set
    // where items fit.
    unsafe { builder.launch(config) }.map(|_| ()).during(format!("launching kernel {name}"))
}
