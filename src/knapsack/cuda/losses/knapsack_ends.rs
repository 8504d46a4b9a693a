//! Binding of `kernels/knapsack/knapsack_ends.cu`: the first row of a sweep, and the cell where two rows meet.

use super::cell::{BLOCK_CELLS, Cell};
use super::row::Row;
use isx_machine::cuda::{Device, DeviceError, KernelFile, OrNull, grid};
use isx_machine::{kernel_file, launch};
use std::ops::Range;

const FILE: KernelFile = kernel_file!("knapsack_ends"; 70);

const THREADS: u32 = 256;
/// The most blocks that search for the least loss.
const MOST_BLOCKS: u64 = 2048;

/// Initializes the row in which weight 0 has loss 0 and no other weight is reached; its marks are clear.
pub(super) fn start<C: Cell>(device: &Device, row: &mut Row<C>) -> Result<(), DeviceError> {
    let (count, price) = (0i64, C::sum(0));
    // SAFETY: arguments are in the kernel's order and of its types; a row has at least one block, and no more is
    // written.
    unsafe {
        launch!(device, FILE => C::KERNELS.start, grid(1, THREADS, 0);
            &mut row.cells, &mut row.alive, &count, &price)
    }
}

/// The counterpart of the last row of a sweep.
#[derive(Clone, Copy)]
pub(super) enum Other<'a, C> {
    /// A sweep from the other end.
    Row(&'a Row<C>),
    /// Unused capacity, at a price.
    Slack(u64),
}

/// The least loss `front[j] + other[total - j]` over the given cells, and a cell j of `front` at which it is reached.
/// Fails if the launch fails. If no cells meet, the answer is `None`.
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
    let blocks = ((cells.end - 1) / BLOCK_CELLS - cells.start / BLOCK_CELLS + 1).min(MOST_BLOCKS);
    let mut losses = device.unwritten::<u64>("least losses", blocks as usize)?;
    let mut places = device.unwritten::<i64>("places of least losses", blocks as usize)?;
    let (total, from, end) = (total as i64, cells.start as i64, cells.end as i64);
    let (back, price) = match other {
        Other::Row(back) => (Some(back), 0),
        Other::Slack(price) => (None, price),
    };
    // SAFETY: arguments are in the kernel's order and of its types; the given cells, and their counterparts relative
    // to `total`, lie in the rows (checked above); a block writes its own place of both results.
    unsafe {
        launch!(device, FILE => name, grid(blocks as u32, THREADS, 0);
            &front.cells, &front.alive, OrNull(back.map(|back| &back.cells)), OrNull(back.map(|back| &back.alive)),
            &total, &price, &from, &end, &mut losses, &mut places)
    }?;
    let losses = device.download("least losses", &losses.slice(..))?;
    let places = device.download("places of least losses", &places.slice(..))?;
    let least = losses.into_iter().zip(places).min().filter(|&(loss, _)| loss != u64::MAX);
    let least = least.map(|(loss, place)| (loss, place.unsigned_abs()));
    if let Some((_, place)) = least.filter(|(_, place)| !cells.contains(place)) {
        let why = format!("it returned cell {place}, which is outside the searched range");
        return Err(DeviceError::Unbelievable { kernel: name, why });
    }
    Ok(least)
}
