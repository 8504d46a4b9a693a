//! The 0-1 knapsack on an NVIDIA GPU, with nothing but a driver installed.
//!
//! `kernels/knapsack/` hold the kernels; each has its binding here under the same stem.

mod best;
mod board;
mod cell;
mod front;
mod grouped;
mod knapsack_ends;
mod knapsack_grouped;
mod knapsack_step;
mod knapsack_tile;
mod knapsack_walk;
mod losses;
mod passes;
mod row;
mod solve;

pub use best::{Best, Options, best};
pub use cell::Width;
pub use front::{Front, front};
pub use grouped::{Grouped, grouped};
pub use solve::Cuda;

use isx_machine::cuda::DeviceError;
use row::Row;
use std::ops::Range;

/// Blocks of threads for so many blocks of cells, `each` a block of threads, which both rows must have.
fn checked_grid<C>(
    kernel: &'static str,
    previous: &Row<C>,
    next: &Row<C>,
    blocks: &Range<u64>,
    each: u64,
) -> Result<u32, DeviceError> {
    let unfit = |why: &str| DeviceError::Unfit { kernel, why: why.into() };
    let holds = |row: &Row<C>| {
        blocks.end <= row.alive.len() as u64
            && blocks.end.saturating_mul(cell::BLOCK_CELLS) <= row.cells.len() as u64
    };
    if blocks.end <= blocks.start || !holds(previous) || !holds(next) {
        return Err(unfit("the rows are shorter than what is to be filled"));
    }
    // The first dimension of a grid is a signed 32-bit number.
    let grid = i32::try_from((blocks.end - blocks.start).div_ceil(each));
    grid.map(i32::unsigned_abs).map_err(|_| unfit("the rows are longer than a launch can fill"))
}
