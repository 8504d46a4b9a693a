//! A row from one GPU to another: the blocks of cells that are alive, and a digest that both must have.

use super::cell::{BLOCK_CELLS, Cell};
use super::knapsack_join::digest;
use super::row::Row;
use isx_machine::cuda::{Device, DeviceError};
use isx_machine::faults::{Door, is_shut};
use std::ops::Range;

/// Dead blocks between live ones that are copied with them: a copy begins within the time that these take.
const GAP: usize = 256;

/// Copies a row, whose GPU has finished it, into one of as many blocks on another GPU, or on the same. Fails if the copy has
/// another digest than the original.
pub(super) fn exchange<C: Cell>(
    from: (&Device, &Row<C>),
    to: (&Device, &mut Row<C>),
) -> Result<(), DeviceError> {
    let ((theirs, row), (device, copy)) = (from, to);
    if row.alive.len() != copy.alive.len() || row.cells.len() != copy.cells.len() {
        let why = "the rows of two GPUs are not equally long".into();
        return Err(DeviceError::Unfit { kernel: C::KERNELS.join, why });
    }
    let alive = theirs.download("marks of a row", &row.alive.slice(..))?;
    device.copy_from(theirs, &row.alive.slice(..), &mut copy.alive.slice_mut(..))?;
    for blocks in live_runs(&alive) {
        let cells = blocks.start * BLOCK_CELLS as usize..blocks.end * BLOCK_CELLS as usize;
        let displaced = usize::from(is_shut(Door::Exchange));
        let source = row.cells.slice(cells.start + displaced..cells.end);
        let mut target = copy.cells.slice_mut(cells.start..cells.end - displaced);
        device.copy_from(theirs, &source, &mut target)?;
    }
    device.finish(C::KERNELS.join)?;
    if digest(theirs, row)? != digest(device, copy)? {
        let why = "a row is not the same on another GPU".into();
        return Err(DeviceError::Unbelievable { kernel: C::KERNELS.join, why });
    }
    Ok(())
}

/// Runs of blocks with all that are alive, and few that are not.
fn live_runs(alive: &[u8]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (block, _) in alive.iter().enumerate().filter(|(_, alive)| **alive != 0) {
        match runs.last_mut() {
            Some(last) if block - last.end <= GAP => last.end = block + 1,
            _ => runs.push(block..block + 1),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_hold_all_live_blocks_and_no_long_gap() {
        let mut alive = vec![0; 6 * GAP];
        for block in [3, 4, 4 + GAP, 4 + 3 * GAP, 6 * GAP - 1] {
            alive[block] = 1;
        }
        assert_eq!(live_runs(&alive), [3..5 + GAP, 4 + 3 * GAP..5 + 3 * GAP, 6 * GAP - 1..6 * GAP]);
        assert_eq!(live_runs(&[0; 9]), []);
        assert_eq!(live_runs(&[1; 9]).first(), Some(&(0..9)));
    }
}
