//! Binding of `kernels/papers/lcs_wave.cu`: an anti-diagonal from the previous two, and two bits per cell.

use crate::wave::cuda::Launch;
use cudarc::driver::{CudaFunction, CudaSlice};
use isx_machine::cuda::{Device, DeviceError, KernelFile, OrNull, grid};
use isx_machine::launch;

const NAME: &str = "lcs_wave";

const FILE: KernelFile = kernel_file!("lcs_wave");

/// Threads of a block.
const THREADS: u32 = 256;
/// Cells per thread, whose choices are one byte.
const CELLS: usize = 4;
/// Bytes to which a wave's choices are rounded up.
const ALIGN: usize = 128;

/// The kernel, looked up once for thousands of launches.
pub(super) fn kernel(device: &Device) -> Result<CudaFunction, DeviceError> {
    device.kernel(&FILE, NAME, 0)
}

/// The letters of a pair, on the GPU.
pub(super) struct Letters {
    pub rows: CudaSlice<u8>,
    pub columns: CudaSlice<u8>,
    /// The number of letters of each.
    pub counts: (usize, usize),
}

/// Launches a wave of this many cells; returns before it finishes.
pub(super) fn fill(
    function: &CudaFunction,
    letters: &Letters,
    (wave, cells): (u64, usize),
    mut args: Launch<'_, i32>,
) -> Result<(), DeviceError> {
    let unfit = |why: &str| DeviceError::Unfit { kernel: NAME, why: why.into() };
    let [one, two] = &args.before[..] else { return Err(unfit("it needs the two waves before")) };
    let (row_count, column_count) = letters.counts;
    let bytes = cells.div_ceil(CELLS).next_multiple_of(ALIGN);
    let has_place = args.choices.as_ref().is_none_or(|choices| choices.len() >= bytes);
    let shortest = one.len().min(two.len()).min(args.next.len());
    let held = letters.rows.len() >= row_count && letters.columns.len() >= column_count;
    // A wave has at most one cell for every row or column, and one more.
    if !has_place || !held || shortest <= row_count.min(column_count) || cells > shortest {
        return Err(unfit("a wave is shorter than its cells"));
    }
    let in_32_bits = |number: u64| i32::try_from(number).map_err(|_| unfit("a sequence is too long"));
    let (wave, last) = (in_32_bits(wave)?, in_32_bits((row_count + column_count) as u64)?);
    if wave > last {
        return Err(unfit("there is no such wave"));
    }
    let [cells, bytes, columns] = [cells, bytes, column_count].map(|number| in_32_bits(number as u64));
    let (cells, bytes, column_count) = (cells?, bytes?, columns?);
    let config = grid(bytes.unsigned_abs().div_ceil(THREADS), THREADS, 0);
    let (letters, choices) = ((&letters.rows, &letters.columns), OrNull(args.choices.as_mut()));
    // SAFETY: arguments are in the kernel's order and of its types; the waves have one cell for every row or column
    // and one more, the choices all bytes, and the letters their lengths (checked above); cells inside the borders
    // read only cells of the previous waves; the stream orders the launches.
    unsafe {
        launch!(args.device, function, NAME, config; one, two, &mut args.next, choices, letters.0, letters.1, &column_count, &wave, &cells, &bytes)
    }
}
