//! Binding of `kernels/knapsack/knapsack_ends.cu`: the first row of a sweep, and the cell where two rows meet.

use super::cell::{BLOCK_CELLS, Cell};
use super::row::Row;
use cudarc::driver::{LaunchConfig, PushKernelArg};
use isx_machine::cuda::{Device, DeviceError, During, KernelFile};
use std::ops::Range;

const FILE: KernelFile =
    KernelFile { stem: "knapsack_ends", ptx: &[(70, isx_kernels::ptx("knapsack_ends", 70))] };

const THREADS: u32 = 256;
/// The most blocks that search for the least loss.
const MOST_BLOCKS: u64 = 2048;

/// Initializes the row in which weight 0 has loss 0 and no other weight is reached; its marks are clear.
pub(super) fn start<C: Cell>(device: &Device, row: &mut Row<C>) -> Result<(), DeviceError> {
    let name = C::KERNELS.start;
    let function = device.kernel(&FILE, name, 0)?;
    let (count, price) = (0i64, C::sum(0));
    let mut builder = device.stream().launch_builder(&function);
    builder.arg(&mut row.cells).arg(&mut row.alive).arg(&count).arg(&price);
    let config = LaunchConfig { grid_dim: (1, 1, 1), block_dim: (THREADS, 1, 1), shared_mem_bytes: 0 };
    // SAFETY: arguments are in the kernel's order and of its types; a row has at least one block, and no more is
    // written.
    unsafe { builder.launch(config) }.map(|_| ()).during(format!("launching kernel {name}"))
}

/// The counterpart of the last row of a sweep.
#[derive(Clone, Copy)]
pub(super) enum Other<'a, C> {
    /// A sweep from the other end.
    Row(&'a Row<C>),
    /// Unused capacity, at a price.
    Slack(u64),
}

/// The least loss `front[j] + other[total - j]` over the given cells, and a cell j of `front` at which it is
/// reached.
///
/// # Errors
///
/// If the launch fails. If no cells meet, the answer is `None`.
pub(super) fn meet<C: Cell>(
    device: &Device,
    front: &Row<C>,
    other: Other<'_, C>,
    total: u64,
    cells: Range<u64>,
) -> Result<Option<(u64, u64)>, DeviceError> {
    let name = C::KERNELS.meet;
    let holds = |row: &Row<C>, cell: u64| {
        cell < row.cells.len() as u64 && cell / BLOCK_CELLS < row.alive.len() as u64
    };
    let fits = match other {
        Other::Row(back) => holds(back, total - cells.start.min(total)),
        Other::Slack(price) => {
            price.checked_mul(total - cells.start.min(total)).is_some_and(|loss| loss <= 1 << 62)
        }
    };
    if cells.end <= cells.start || cells.end > total + 1 || !holds(front, cells.end - 1) || !fits {
        return Err(DeviceError::Unfit { kernel: name, why: "the rows do not overlap".into() });
    }
    let blocks = (cells.end - cells.start).div_ceil(THREADS.into()).min(MOST_BLOCKS);
    let mut losses = device.unwritten::<u64>("least losses", blocks as usize)?;
    let mut places = device.unwritten::<i64>("places of least losses", blocks as usize)?;
    let function = device.kernel(&FILE, name, 0)?;
    let (nowhere, total) = (0u64, total as i64);
    let (from, end) = (cells.start as i64, cells.end as i64);
    let price = if let Other::Slack(price) = other { price } else { 0 };
    let mut builder = device.stream().launch_builder(&function);
    builder.arg(&front.cells).arg(&front.alive);
    match other {
        Other::Row(back) => builder.arg(&back.cells).arg(&back.alive),
        Other::Slack(_) => builder.arg(&nowhere).arg(&nowhere),
    };
    builder.arg(&total).arg(&price).arg(&from).arg(&end).arg(&mut losses).arg(&mut places);
    let config =
        LaunchConfig { grid_dim: (blocks as u32, 1, 1), block_dim: (THREADS, 1, 1), shared_mem_bytes: 0 };
    // SAFETY: arguments are in the kernel's order and of its types; the given cells, and their counterparts relative
    // to `total`, lie in the rows (checked above); a block writes its own place of both results.
    unsafe { builder.launch(config) }.map(|_| ()).during(format!("launching kernel {name}"))?;
    let losses = device.download("least losses", &losses.slice(..))?;
    let places = device.download("places of least losses", &places.slice(..))?;
    let least = losses.into_iter().zip(places).min().filter(|&(loss, _)| loss != u64::MAX);
    let least = least.map(|(loss, place)| (loss, place.unsigned_abs()));
    if let Some((_, place)) = least.filter(|(_, place)| !cells.contains(place)) {
        let why = format!("it names cell {place}, which it was not to look at");
        return Err(DeviceError::Unbelievable { kernel: name, why });
    }
    Ok(least)
}
