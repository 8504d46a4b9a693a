//! Binding of `kernels/papers/knapsack_wave.cu`: a row of values from the previous row, and one bit per cell.

use crate::wave::cuda::Launch;
use isx_machine::cuda::{DeviceError, KernelFile, OrNull, grid};
use isx_machine::launch;

const FILE: KernelFile = kernel_file!("knapsack_wave");

/// Threads of a block.
const THREADS: u32 = 256;
/// Cells per warp, whose bits are as many bytes as a wave's choices are rounded up to.
const STRIP: usize = 1024;

const NAME: &str = "knapsack_wave_i32";

/// Launches the row after an item of that weight and profit; returns before it finishes.
pub(super) fn fill(
    mut args: Launch<'_, i32>,
    cells: usize,
    weight: u64,
    profit: i32,
) -> Result<(), DeviceError> {
    let unfit = |why: &str| DeviceError::Unfit { kernel: NAME, why: why.into() };
    let [previous] = &args.before[..] else { return Err(unfit("it needs the one row before")) };
    let strips = cells.div_ceil(STRIP);
    let has_place = args.choices.as_ref().is_none_or(|choices| choices.len() >= strips * STRIP / 8);
    if previous.len() < cells || args.next.len() < cells || !has_place {
        return Err(unfit("a row is shorter than its cells"));
    }
    // The first dimension of a grid is a signed 32-bit number.
    let blocks =
        i32::try_from((strips * 32).div_ceil(THREADS as usize)).map_err(|_| unfit("a row is too long"))?;
    let (cells, weight) = (cells as i64, i64::try_from(weight).unwrap_or(i64::MAX));
    let (config, choices) = (grid(blocks.unsigned_abs(), THREADS, 0), OrNull(args.choices.as_mut()));
    // SAFETY: arguments are in the kernel's order and of its types; both rows have all cells and the choices the bits
    // of all strips (checked above); a source left of the row is not read; the stream orders the launches.
    unsafe {
        launch!(args.device, FILE => NAME, config; previous, &mut args.next, choices, &cells, &weight, &profit)
    }
}
