//! Binding of `kernels/knapsack/knapsack_exchange.cu`: the live blocks of a row, and the copy of a row on another GPU.

use super::cell::{BLOCK_CELLS, Cell};
use super::row::Row;
use cudarc::driver::{CudaSlice, LaunchConfig};
use isx_machine::cuda::{Device, DeviceError, KernelFile, grid};
use isx_machine::faults::{Door, is_shut};
use isx_machine::{kernel_file, launch};

const FILE: KernelFile = kernel_file!("knapsack_exchange"; 70);

const THREADS: u32 = 256;
/// The most blocks of threads.
const MOST_BLOCKS: u64 = 4096;
/// Bytes that are copied at once.
const PACKED: u64 = 1 << 29;

/// The number of a row's live blocks.
pub(super) fn live_blocks<C: Cell>(device: &Device, row: &Row<C>) -> Result<u64, DeviceError> {
    let blocks = row.alive.len() as i64;
    let mut sum = device.zeros::<u64>("a row's live blocks", 1)?;
    // SAFETY: arguments are in the kernel's order and of its types; the row has so many marks.
    unsafe { launch!(device, FILE => "knapsack_count", over_marks(row); &row.alive, &blocks, &mut sum) }?;
    Ok(device.download("a row's live blocks", &sum.slice(..))?[0])
}

/// Copies a row, whose GPU has finished it and counted this many live blocks, into one of as many blocks on another GPU, or on
/// the same. Fails if the copy has another digest than the original.
pub(super) fn exchange<C: Cell>(
    from: (&Device, &Row<C>),
    to: (&Device, &mut Row<C>),
    live: u64,
) -> Result<(), DeviceError> {
    let ((theirs, row), (device, copy)) = (from, to);
    if row.alive.len() != copy.alive.len() || row.cells.len() != copy.cells.len() {
        let why = "the rows of the two GPUs differ in length".into();
        return Err(DeviceError::Unfit { kernel: "knapsack_exchange", why });
    }
    if live == 0 {
        return copy.clear(device);
    }
    let of_theirs = listed(theirs, row, live)?;
    let mut list = device.unwritten::<u32>("live blocks", of_theirs.len())?;
    device.copy_from(theirs, &of_theirs.slice(..), &mut list.slice_mut(..))?;
    device.copy_from(theirs, &row.alive.slice(..), &mut copy.alive.slice_mut(..))?;
    let expected = digest(theirs, row, &of_theirs)?;
    let quads = quads::<C>();
    let each = (PACKED / (BLOCK_CELLS * C::WIDTH.bytes())).min(live).max(1) as usize;
    let cells = each * BLOCK_CELLS as usize;
    let mut packed = theirs.unwritten::<C>("live blocks of a row", cells)?;
    let mut received = device.unwritten::<C>("live blocks of a row", cells)?;
    for first in (0..of_theirs.len()).step_by(each) {
        let blocks = first..(first + each).min(of_theirs.len());
        let (count, grid) = (blocks.len() as i64, over_blocks(blocks.len()));
        let cells = blocks.len() * BLOCK_CELLS as usize;
        let (packed_blocks, unpacked) = (of_theirs.slice(blocks.clone()), list.slice(blocks));
        // SAFETY: arguments are in the kernels' order and of their types; a list has numbers of blocks of the row and of its
        // copy, which have the same length (checked above), and both buffers room for `each` blocks.
        unsafe {
            launch!(theirs, FILE => "knapsack_pack", grid;
                &row.cells, &packed_blocks, &count, &quads, &mut packed)?;
            theirs.finish("knapsack_pack")?;
            device.copy_from(theirs, &packed.slice(..cells), &mut received.slice_mut(..cells))?;
            if is_shut(Door::Exchange) {
                device.copy_from(theirs, &packed.slice(1..cells), &mut received.slice_mut(..cells - 1))?;
            }
            launch!(device, FILE => "knapsack_unpack", grid;
                &mut copy.cells, &unpacked, &count, &quads, &received)?;
        }
        device.finish("knapsack_unpack")?;
    }
    if digest(device, copy, &list)? != expected {
        let why = "a row is not the same on another GPU".into();
        return Err(DeviceError::Unbelievable { kernel: "knapsack_exchange", why });
    }
    Ok(())
}

/// The numbers of a row's live blocks, of which there are `live`.
fn listed<C: Cell>(device: &Device, row: &Row<C>, live: u64) -> Result<CudaSlice<u32>, DeviceError> {
    let kernel = "knapsack_list";
    let unfit = |why: &str| DeviceError::Unfit { kernel, why: why.into() };
    let blocks = row.alive.len() as i64;
    if u32::try_from(blocks).is_err() || (row.cells.len() as u64) < row.alive.len() as u64 * BLOCK_CELLS {
        return Err(unfit("a row has more marks than a list can number, or than it has blocks of cells"));
    }
    if live_blocks(device, row)? != live {
        return Err(unfit("the number of a row's live blocks differs from the one counted before"));
    }
    let mut list = device.unwritten::<u32>("live blocks", live as usize)?;
    let mut sum = device.zeros::<u64>("a row's live blocks", 1)?;
    // SAFETY: arguments are in the kernel's order and of its types; the row has so many marks, and the list room for all that
    // are set (counted above).
    unsafe { launch!(device, FILE => kernel, over_marks(row); &row.alive, &blocks, &mut list, &mut sum) }?;
    device.finish(kernel)?;
    Ok(list)
}

/// A sum over the listed blocks of a row, which is another for a row with another cell in any of them.
fn digest<C: Cell>(device: &Device, row: &Row<C>, list: &CudaSlice<u32>) -> Result<u64, DeviceError> {
    let (count, quads) = (list.len() as i64, quads::<C>());
    let mut sum = device.zeros::<u64>("a row's digest", 1)?;
    // SAFETY: arguments are in the kernel's order and of its types; the list has numbers of the row's blocks.
    unsafe {
        launch!(device, FILE => "knapsack_digest", over_blocks(list.len());
            &row.cells, list, &count, &quads, &mut sum)
    }?;
    Ok(device.download("a row's digest", &sum.slice(..))?[0])
}

/// 16 bytes of a block of cells.
fn quads<C: Cell>() -> i64 {
    (BLOCK_CELLS * C::WIDTH.bytes() / 16) as i64
}

fn over_marks<C: Cell>(row: &Row<C>) -> LaunchConfig {
    grid((row.alive.len() as u64).div_ceil(THREADS.into()).clamp(1, MOST_BLOCKS) as u32, THREADS, 0)
}

fn over_blocks(blocks: usize) -> LaunchConfig {
    grid((blocks as u64).clamp(1, MOST_BLOCKS) as u32, THREADS, 0)
}
