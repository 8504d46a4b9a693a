//! Binding of `kernels/papers/knapsack_boyer.cu`: two value rows and decisions packed 32 to a word.

use cudarc::driver::{CudaSlice, CudaView, LaunchConfig, PushKernelArg};
use isx_machine::cuda::{Device, DeviceError, During, KernelFile};
use std::ops::Range;

const FILE: KernelFile = kernel_file!("knapsack_boyer");

/// Threads per block, most items per launch, and cells of the halo and of the tile, as in the kernel.
const THREADS: u32 = 1024;
pub(super) const ITEMS: usize = 16;
pub(super) const HALO: u64 = 8192;
const TILE: u64 = 16_384;
const SHARED_BYTES: u32 = 96 << 10;

const ONE: &str = "knapsack_boyer_one";
const SHARED: &str = "knapsack_boyer_tile";
const BOUNDS: &str = "knapsack_boyer_bounds";

/// The rows, with one cell per capacity, and the words of decisions.
pub(super) struct Rows {
    pub values: [CudaSlice<i32>; 2],
    pub words: CudaSlice<u32>,
    pub capacity: u64,
}

/// The items of a launch.
pub(super) struct Items<'a> {
    /// (weight, profit) on the GPU,
    pub device: CudaView<'a, [i64; 2]>,
    /// and on the host.
    pub host: &'a [[i64; 2]],
    /// The bit of the first item.
    pub shift: u32,
    /// The first cell to fill, and the last.
    pub lower: u64,
    pub upper: u64,
    /// The last cell of the previous row; every cell above it has value `total`.
    pub last: u64,
    pub total: i64,
}

impl Rows {
    /// Rows of value 0 everywhere, and no decisions.
    pub fn new(device: &Device, capacity: u64) -> Result<Self, DeviceError> {
        let cells =
            usize::try_from(capacity + 1).map_err(|_| DeviceError::Memory { needed: u64::MAX, free: 0 })?;
        let row = || device.zeros("a row of values", cells);
        Ok(Self { values: [row()?, row()?], words: device.zeros("words of decisions", cells)?, capacity })
    }

    /// Total size in bytes.
    pub fn bytes(capacity: u64) -> u64 {
        capacity.saturating_add(1).saturating_mul(12)
    }

    /// The number of blocks for these cells, `each` per block.
    fn grid(&self, kernel: &'static str, cells: Range<u64>, each: u64) -> Result<u32, DeviceError> {
        let cells = cells.end.checked_sub(cells.start).filter(|&of| of > 0 && cells.end <= self.capacity + 1);
        let blocks = cells.and_then(|cells| i32::try_from(cells.div_ceil(each)).ok());
        let why = "its cells are none, or more than a launch can fill";
        blocks.map(i32::unsigned_abs).ok_or(DeviceError::Unfit { kernel, why: why.into() })
    }

    /// Fills row `1 - from` from row `from`; several items only if they are light.
    pub fn fill(&mut self, device: &Device, from: usize, items: &Items<'_>) -> Result<(), DeviceError> {
        let (lower, upper, last) = (items.lower as i64, items.upper as i64, items.last as i64);
        let shift = items.shift as i32;
        let single = items.host.len() == 1 && !is_light(items.host[0][0] as u64);
        let kernel = if single { ONE } else { SHARED };
        let unfit = |why: &str| DeviceError::Unfit { kernel, why: why.into() };
        let weight: i64 = items.host.iter().map(|item| item[0]).sum();
        let most = if single { 1 } else { ITEMS };
        if items.host.is_empty() || items.host.len() > most || items.device.len() != items.host.len() {
            return Err(unfit("its items are none, or more than it can take up together"));
        }
        if items.shift as usize + items.host.len() > 32 || (!single && weight > HALO as i64) {
            return Err(unfit("its items have no place in a word, or are too heavy together"));
        }
        let profits: Option<Vec<i32>> = items.host.iter().map(|item| item[1].try_into().ok()).collect();
        let profits = profits.ok_or_else(|| unfit("a profit is wider than its cells"))?;
        let total = i32::try_from(items.total).map_err(|_| unfit("a profit is wider than its cells"))?;
        let count = items.host.len() as i32;
        let function = device.kernel(&FILE, kernel, if single { 0 } else { SHARED_BYTES as usize })?;
        if items.last > self.capacity {
            return Err(unfit("the row before has fewer cells than are said to hold something"));
        }
        let each = if single { u64::from(THREADS) } else { TILE };
        let grid = self.grid(kernel, items.lower..items.upper + 1, each)?;
        let [even, odd] = &mut self.values;
        let (previous, next) = if from == 0 { (&*even, odd) } else { (&*odd, even) };
        let mut builder = device.stream().launch_builder(&function);
        builder.arg(previous).arg(next).arg(&mut self.words);
        if single {
            builder.arg(&items.host[0][0]).arg(&profits[0]).arg(&shift);
        } else {
            builder.arg(&items.device).arg(&count).arg(&shift);
        }
        builder.arg(&lower).arg(&upper).arg(&last).arg(&total);
        let shared_mem_bytes = if single { 0 } else { SHARED_BYTES };
        let config = LaunchConfig { grid_dim: (grid, 1, 1), block_dim: (THREADS, 1, 1), shared_mem_bytes };
        // SAFETY: arguments are in the kernel's order and of its types; rows and words have one cell for every
        // capacity, and the kernel accesses only cells 0 .. upper, which are no more (checked above); items, their
        // number and the shared memory are as the kernel requires (checked above); nothing else accesses these
        // buffers before the stream is synchronized.
        unsafe { builder.launch(config) }.map(|_| ()).during(format!("launching kernel {kernel}"))
    }

    /// The first word of those cells that is not 0, and one more than the last that is not `all`; all words beyond it
    /// are `all`.
    pub fn bounds(&self, device: &Device, all: u32, cells: Range<u64>) -> Result<(u64, u64), DeviceError> {
        let mut bounds = device.upload("bounds of words", &[cells.end, 0u64])?;
        let function = device.kernel(&FILE, BOUNDS, 0)?;
        let grid = self.grid(BOUNDS, cells.clone(), THREADS.into())?;
        let (first, upper) = (cells.start as i64, cells.end as i64 - 1);
        let mut builder = device.stream().launch_builder(&function);
        builder.arg(&self.words).arg(&all).arg(&first).arg(&upper).arg(&mut bounds);
        let config = LaunchConfig { grid_dim: (grid, 1, 1), block_dim: (THREADS, 1, 1), shared_mem_bytes: 0 };
        // SAFETY: arguments are in the kernel's order and of its types; words have one cell for every capacity, and
        // there are two bounds.
        unsafe { builder.launch(config) }.map(|_| ()).during(format!("launching kernel {BOUNDS}"))?;
        let bounds = device.download("bounds of words", &bounds.slice(..))?;
        Ok((bounds[0], bounds[1]))
    }
}

/// Whether an item may share a launch with others.
pub(super) fn is_light(weight: u64) -> bool {
    weight <= HALO / 4
}
