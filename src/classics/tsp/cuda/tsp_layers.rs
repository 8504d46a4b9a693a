//! Binding of `kernels/tsp/tsp_layers.cu`: the rows of one layer from those of the previous one, and the join.

use super::cell::Cell;
use cudarc::driver::{CudaFunction, CudaSlice, LaunchConfig};
use isx_machine::cuda::{self, Device, DeviceError, During};
use isx_machine::launch;

/// The most cities besides the first: one lane each.
pub(super) const MOST_OTHERS: usize = 32;
/// Cells of the matrix of distances.
pub(super) const DISTANCES: usize = MOST_OTHERS * MOST_OTHERS;
/// Rows of the table of binomial coefficients, 32 each.
pub(super) const CHOOSE_ROWS: usize = 18;

/// Threads of a block, and neighbouring sets that a warp takes at a time.
const THREADS: u32 = 256;
const RUN: u32 = 32;
/// Warps of a block.
const WARPS: u32 = THREADS / 32;

/// The last arguments of both kernels, in their order.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a, V> {
    pub distances: &'a CudaSlice<V>,
    pub choose: &'a CudaSlice<u32>,
    /// m.
    pub others: usize,
}

/// A layer's rows from the previous layer.
pub(super) struct Fill<'a, V> {
    pub ground: Ground<'a, V>,
    pub from: &'a CudaSlice<V>,
    pub to: &'a mut CudaSlice<V>,
    /// Cities of a set.
    pub size: usize,
    pub sets: u32,
}

/// The last layer's rows, joined with the other half's layer.
pub(super) struct Join<'a, V> {
    pub ground: Ground<'a, V>,
    pub after: &'a CudaSlice<V>,
    pub before: &'a CudaSlice<V>,
    /// Cities of a set of the half after the turning city.
    pub size: usize,
    pub sets: u32,
    /// C(m, size) - 1.
    pub last: u32,
}

/// As many blocks as the sets need, but no more than run at the same time: later blocks would read again what
/// earlier ones had in the cache.
fn grid(device: &Device, function: &CudaFunction, sets: u32) -> Result<LaunchConfig, DeviceError> {
    let at_once = function
        .occupancy_max_active_blocks_per_multiprocessor(THREADS, 0, None)
        .during("asking how many blocks of kernel tsp_layers a multiprocessor takes")?;
    let most = (device.info().multiprocessors as u32).saturating_mul(at_once).max(1);
    let blocks = sets.div_ceil(RUN * WARPS).clamp(1, most);
    Ok(cuda::grid(blocks, THREADS, 0))
}

/// C(n, k), saturating; used to check the lengths of layers.
fn choose(n: usize, k: usize) -> u64 {
    (0..k.min(n)).fold(1, |product, at| product * (n - at) as u64 / (at as u64 + 1))
}

fn kernel<V: Cell>(device: &Device, name: &'static str, fits: bool) -> Result<CudaFunction, DeviceError> {
    if !fits {
        return Err(DeviceError::Unfit {
            kernel: name,
            why: "a buffer is shorter than the sets need".into(),
        });
    }
    device.kernel(&V::FILE, name, 0)
}

/// Whether the ground has the sizes that the kernels require, for sets of these sizes, read without one city.
fn holds<V>(ground: &Ground<'_, V>, sizes: std::ops::RangeInclusive<usize>) -> bool {
    ground.distances.len() >= DISTANCES
        && ground.choose.len() >= CHOOSE_ROWS * MOST_OTHERS
        && ground.others <= MOST_OTHERS
        && *sizes.start() >= 1
        && *sizes.end() < CHOOSE_ROWS.min(ground.others + 1)
}

/// Cells of the layer of sets of k cities.
fn cells(others: usize, k: usize) -> u64 {
    choose(others, k) * (others - k) as u64
}

/// Launches a layer; returns before it has finished.
pub(super) fn fill<V: Cell>(device: &Device, args: &mut Fill<'_, V>) -> Result<(), DeviceError> {
    let Ground { distances, choose: table, others } = args.ground;
    let size = args.size;
    let fits = holds(&args.ground, size..=size)
        && u64::from(args.sets) <= choose(others, size)
        && args.from.len() as u64 >= cells(others, size - 1)
        && args.to.len() as u64 >= u64::from(args.sets) * (others - size) as u64;
    let function = kernel::<V>(device, "tsp_layers_fill", fits)?;
    let grid = grid(device, &function, args.sets)?;
    let (others, size) = (others as i32, size as i32);
    // SAFETY: arguments are in the kernel's order and of its types; the layers, distances and coefficients have the
    // lengths that the kernel requires for such sets (checked above); a block has 8 warps; the stream orders the
    // launches.
    unsafe {
        launch!(device, function, "tsp_layers_fill", grid;
            args.from, &mut *args.to, distances, table, &others, &size, &args.sets)
    }
}

/// For each warp of a join the best negated length that it found, and the number of the first set with it.
pub(super) type Found<V> = (CudaSlice<V>, CudaSlice<u32>);

/// Launches the join; its result is valid once the stream has executed it.
pub(super) fn join<V: Cell>(device: &Device, args: &Join<'_, V>) -> Result<Found<V>, DeviceError> {
    let Ground { distances, choose: table, others } = args.ground;
    let size = args.size;
    let rest = others - size.min(others);
    let fits = holds(&args.ground, size.min(rest)..=size.max(rest))
        && u64::from(args.sets) <= choose(others, size)
        && u64::from(args.last) + 1 == choose(others, size)
        && args.after.len() as u64 >= cells(others, size - 1)
        && args.before.len() as u64 >= cells(others, rest - 1);
    let function = kernel::<V>(device, "tsp_layers_join", fits)?;
    let grid = grid(device, &function, args.sets)?;
    let warps = (grid.grid_dim.0 * WARPS) as usize;
    let mut lengths = device.unwritten::<V>("lengths of tours", warps)?;
    let mut numbers = device.unwritten::<u32>("numbers of sets", warps)?;
    let (others, size) = (others as i32, size as i32);
    // SAFETY: arguments are in the kernel's order and of its types; the layers, distances and coefficients have the
    // lengths that the kernel requires for such sets and the remaining cities (checked above); every warp of the
    // grid has a place for its best; the stream orders the launches.
    unsafe {
        launch!(device, function, "tsp_layers_join", grid;
            args.after, args.before, distances, table, &others, &size, &args.sets, &args.last, &mut lengths,
            &mut numbers)
    }?;
    Ok((lengths, numbers))
}
