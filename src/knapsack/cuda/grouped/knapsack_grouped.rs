//! Binding of `kernels/knapsack/knapsack_grouped.cu`: all items of one weight in one launch, and the traceback
//! through the rows.

use cudarc::driver::{
    CudaSlice, CudaView, CudaViewMut, DeviceRepr, LaunchConfig, PushKernelArg, ValidAsZeroBits,
};
use isx_machine::cpu::lanes::Lane;
use isx_machine::cuda::{Device, DeviceError, During, KernelFile, Plain};
use isx_problems::value::Stored;

const FILE: KernelFile = KernelFile {
    stem: "knapsack_grouped",
    ptx: &[(90, isx_kernels::ptx("knapsack_grouped", 90)), (70, isx_kernels::ptx("knapsack_grouped", 70))],
};

const THREADS: u64 = 256;
const WARP: u64 = 32;

/// A cell of a row: the most profit within its capacity.
pub(super) trait GroupedCell: Plain + ValidAsZeroBits + Stored + Lane {
    /// Cells that a thread fills.
    const ROWS: usize;
    const FILL: &'static str;
    const WALK: &'static str;
}

macro_rules! cell {
    ($type:ty, $rows:literal, $suffix:literal) => {
        impl GroupedCell for $type {
            const ROWS: usize = $rows;
            const FILL: &'static str = concat!("knapsack_grouped_", $suffix);
            const WALK: &'static str = concat!("knapsack_grouped_walk_", $suffix);
        }
    };
}
cell!(i32, 16, "i32");
cell!(i64, 8, "i64");

/// The number of steps that a launch takes for up to `most` items.
pub(super) fn steps<C: GroupedCell>(most: usize) -> usize {
    (most + C::ROWS).next_multiple_of(C::ROWS)
}

/// P(0), P(1), .. in the kernel's format.
pub(super) fn table<C: GroupedCell>(sums: &[i64]) -> Vec<C> {
    let before = std::iter::repeat_n(C::LOWEST, C::ROWS - 1);
    let mut table: Vec<C> = before.chain(sums.iter().map(|&sum| C::of(sum))).collect();
    table.resize(steps::<C>(sums.len() - 1) + C::ROWS, C::LOWEST);
    table
}

pub(super) struct Args<'a, C> {
    /// The previous row, one cell per capacity.
    pub previous: CudaView<'a, C>,
    pub next: CudaViewMut<'a, C>,
    /// P in the format of [`table`].
    pub gains: CudaView<'a, C>,
    /// The maximum number of items.
    pub most: usize,
    /// Their weight.
    pub weight: u64,
    /// The first cell to fill.
    pub first: u64,
    pub end: u64,
    /// The highest cell of the previous row.
    pub last: u64,
}

/// Launches the kernel; returns before it has finished.
pub(super) fn fill<C: GroupedCell>(device: &Device, args: &mut Args<'_, C>) -> Result<(), DeviceError> {
    let unfit = |why: &str| DeviceError::Unfit { kernel: C::FILL, why: why.into() };
    let Args { weight, first, end, last, .. } = *args;
    let holds = (args.previous.len() as u64) > last && args.next.len() as u64 >= end;
    if weight == 0 || first >= end || !holds {
        return Err(unfit("the rows are shorter than what is to be filled"));
    }
    let steps = steps::<C>(args.most);
    if args.gains.len() < steps + C::ROWS {
        return Err(unfit("its items have no sums"));
    }
    let lanes = weight.min(WARP);
    let strips = weight.div_ceil(lanes);
    let first_row = first / weight;
    let rows = (end - 1) / weight + 1 - first_row;
    let below = rows.div_ceil(THREADS / lanes * C::ROWS as u64);
    // The first dimension of a grid is a signed 32-bit number.
    let grid = strips.checked_mul(below).and_then(|blocks| i32::try_from(blocks).ok());
    let grid = grid.ok_or_else(|| unfit("the rows are longer than a launch can fill"))?;
    let steps = i32::try_from(steps).map_err(|_| unfit("there are more items than it can count"))?;
    let [weight, first_row, first, end, last, strips] =
        [weight, first_row, first, end, last, strips].map(|number| number as i64);
    let lanes = lanes as i32;
    let function = device.kernel(&FILE, C::FILL, 0)?;
    let mut builder = device.stream().launch_builder(&function);
    builder.arg(&args.previous).arg(&mut args.next).arg(&args.gains).arg(&steps);
    builder.arg(&weight).arg(&first_row).arg(&first).arg(&end).arg(&last).arg(&lanes).arg(&strips);
    let config = LaunchConfig {
        grid_dim: (grid.unsigned_abs(), 1, 1),
        block_dim: (THREADS as u32, 1, 1),
        shared_mem_bytes: 0,
    };
    // SAFETY: arguments are in the kernel's order and of its types; it reads cells 0 .. last of the previous row and
    // writes first .. end of the next, which both rows have, and reads as many gains as there are (checked above);
    // nothing else accesses these buffers until the stream is synchronized.
    unsafe { builder.launch(config) }.map(|_| ()).during(format!("launching kernel {}", C::FILL))
}

/// A group in the traceback's format, the layout of `WalkGroup` in the kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub(super) struct WalkGroup {
    pub weight: i64,
    /// The highest cell of the row before it.
    pub last: i64,
    /// The position of its P(0) among the sums.
    pub sums: i64,
    /// How many items there are.
    pub count: i64,
}
// SAFETY: four numbers of 64 bits: every bit pattern is a value, and there is no padding.
unsafe impl DeviceRepr for WalkGroup {}
// SAFETY: as above.
unsafe impl Plain for WalkGroup {}

/// The rows of a traceback.
pub(super) struct Walk<'a, C> {
    /// The row before the first group and those after each group, at a constant distance in cells.
    pub rows: CudaView<'a, C>,
    pub stride: u64,
    pub groups: &'a [WalkGroup],
    /// P(0), P(1), .. of all groups.
    pub sums: CudaView<'a, C>,
    /// The highest cell of the last row.
    pub highest: u64,
    /// The cell in it where the traceback begins.
    pub cell: u64,
}

/// The number of items taken from each group, and the cell in the first row where the traceback ends.
///
/// # Errors
///
/// If the launch fails, or some cell cannot be explained by any number of items.
pub(super) fn walk<C: GroupedCell>(
    device: &Device,
    args: &Walk<'_, C>,
) -> Result<(Vec<u32>, u64), DeviceError> {
    let unfit = |why: &str| DeviceError::Unfit { kernel: C::WALK, why: why.into() };
    let count =
        i32::try_from(args.groups.len()).map_err(|_| unfit("there are more groups than it can count"))?;
    let last = |group: &WalkGroup| group.last.unsigned_abs();
    let highest = args.groups.iter().map(last).fold(args.highest, u64::max);
    let rows = args.stride.checked_mul(args.groups.len() as u64 + 1);
    let sums = |group: &WalkGroup| group.sums + group.count < args.sums.len() as i64;
    if highest >= args.stride || rows.is_none_or(|rows| rows > args.rows.len() as u64) {
        return Err(unfit("there are fewer rows, or shorter ones, than it walks through"));
    }
    if args.groups.is_empty() || !args.groups.iter().all(sums) {
        return Err(unfit("its items have no sums"));
    }
    let groups = device.upload("groups", args.groups)?;
    let mut cell: CudaSlice<i64> = device.upload("the cell a walk starts from", &[args.cell as i64])?;
    let mut numbers = device.zeros::<u32>("numbers of items", args.groups.len())?;
    let (stride, highest) = (args.stride as i64, args.highest as i64);
    let function = device.kernel(&FILE, C::WALK, 0)?;
    let mut builder = device.stream().launch_builder(&function);
    builder.arg(&args.rows).arg(&stride).arg(&groups).arg(&count).arg(&args.sums);
    builder.arg(&highest).arg(&mut cell).arg(&mut numbers);
    let config = LaunchConfig { grid_dim: (1, 1, 1), block_dim: (WARP as u32, 1, 1), shared_mem_bytes: 0 };
    // SAFETY: arguments are in the kernel's order and of its types; every row has the cells that are read, none of
    // them above its last cell, and every group has its sums (checked above); nothing else accesses these buffers.
    unsafe { builder.launch(config) }.map(|_| ()).during(format!("launching kernel {}", C::WALK))?;
    let end = device.download("the cell a walk ended at", &cell.slice(..))?;
    let end = end.first().and_then(|&end| u64::try_from(end).ok()).ok_or_else(|| {
        let why = "no number of items explains what a cell holds".into();
        DeviceError::Unbelievable { kernel: C::WALK, why }
    })?;
    Ok((device.download("numbers of items", &numbers.slice(..))?, end))
}
