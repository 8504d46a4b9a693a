//! Binding of `kernels/knapsack/knapsack_walk.cu`: the traceback from a cell through the decisions.

use cudarc::driver::CudaSlice;
use isx_machine::cuda::{Device, DeviceError, KernelFile, grid};
use isx_machine::{kernel_file, launch};

const FILE: KernelFile = kernel_file!("knapsack_walk"; 70);

const NAME: &str = "knapsack_walk";

/// Which items are taken on the traceback from `cell` to cell 0.
///
/// `offsets` contains for each item the position in `decisions` of the byte of its cell 0, which may lie outside.
/// Fails if the launch fails, or the traceback does not end at cell 0.
pub(super) fn walk(
    device: &Device,
    decisions: &CudaSlice<u8>,
    offsets: &[i64],
    weights: &[u64],
    cell: u64,
) -> Result<Vec<bool>, DeviceError> {
    let count = i32::try_from(offsets.len().min(weights.len())).map_err(|_| DeviceError::Unfit {
        kernel: NAME,
        why: "there are more items than it can count".into(),
    })?;
    if count == 0 && cell == 0 {
        return Ok(Vec::new());
    }
    let offsets = device.upload("places of decisions", offsets)?;
    let weights = device.upload("weights", weights)?;
    let mut at = device.upload("the cell a walk starts from", &[cell as i64])?;
    let mut taken = device.zeros::<u8>("items taken", count.unsigned_abs() as usize)?;
    // SAFETY: arguments are in the kernel's order and of its types; there is an offset, a weight and a place for
    // every item; the traceback of a live cell stays in the windows that `decisions` has bits for, and one through
    // wrong bits ends below 0.
    unsafe {
        launch!(device, FILE => NAME, grid(1, 1, 0); decisions, &offsets, &weights, &count, &mut at, &mut taken)
    }?;
    let end = device.download("the cell a walk ended at", &at.slice(..))?;
    if end != [0] {
        let why = "the traceback through the items did not end at cell 0".into();
        return Err(DeviceError::Unbelievable { kernel: NAME, why });
    }
    let taken = device.download("items taken", &taken.slice(..))?;
    Ok(taken.into_iter().map(|taken| taken != 0).collect())
}
