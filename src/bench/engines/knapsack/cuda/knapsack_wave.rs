//! Binding of `kernels/knapsack/knapsack_wave.cu`: a row of values from the previous row, and one bit per cell.

use crate::wave::cuda::Launch;
use cudarc::driver::{LaunchConfig, PushKernelArg};
use isx_machine::cuda::{DeviceError, During, KernelFile, Plain};

const FILE: KernelFile = KernelFile {
    stem: "knapsack_wave",
    ptx: &[(70, include_str!("../../../../../kernels/ptx/knapsack_wave.compute_70.ptx"))],
};

/// Threads of a block.
const THREADS: u32 = 256;
/// Cells per warp, whose bits are as many bytes as a wave's choices are rounded up to.
const STRIP: usize = 1024;

/// A cell of a row.
pub trait WaveCell: Plain {
    /// The kernel for it.
    const KERNEL: &'static str;
    /// That of anti-diagonals.
    const DIAGONAL: &'static str;
}

impl WaveCell for i32 {
    const KERNEL: &'static str = "knapsack_wave_i32";
    const DIAGONAL: &'static str = "knapsack_diagonal_i32";
}

impl WaveCell for i64 {
    const KERNEL: &'static str = "knapsack_wave_i64";
    const DIAGONAL: &'static str = "knapsack_diagonal_i64";
}

/// Launches the row after an item of that weight and profit; returns before it finishes.
pub(super) fn launch<C: WaveCell>(
    mut args: Launch<'_, C>,
    cells: usize,
    weight: u64,
    profit: C,
) -> Result<(), DeviceError> {
    let name = C::KERNEL;
    let unfit = |why: &str| DeviceError::Unfit { kernel: name, why: why.into() };
    let [previous] = &args.before[..] else { return Err(unfit("it needs the one row before")) };
    let strips = cells.div_ceil(STRIP);
    let has_place = args.choices.as_ref().is_none_or(|choices| choices.len() >= strips * STRIP / 8);
    if previous.len() < cells || args.next.len() < cells || !has_place {
        return Err(unfit("a row is shorter than its cells"));
    }
    // The first dimension of a grid is a signed 32-bit number.
    let blocks =
        i32::try_from((strips * 32).div_ceil(THREADS as usize)).map_err(|_| unfit("a row is too long"))?;
    let function = args.device.kernel(&FILE, name, 0)?;
    let (cells, weight) = (cells as i64, i64::try_from(weight).unwrap_or(i64::MAX));
    let null = 0u64;
    let mut builder = args.device.stream().launch_builder(&function);
    builder.arg(previous).arg(&mut args.next);
    match &mut args.choices {
        Some(choices) => builder.arg(choices),
        None => builder.arg(&null),
    };
    builder.arg(&cells).arg(&weight).arg(&profit);
    let config = LaunchConfig {
        grid_dim: (blocks.unsigned_abs(), 1, 1),
        block_dim: (THREADS, 1, 1),
        shared_mem_bytes: 0,
    };
    // SAFETY: arguments are in the kernel's order and of its types; both rows have all cells and the choices the bits
    // of all strips (checked above); a source left of the row is not read; the stream orders the launches.
    unsafe { builder.launch(config) }.map(|_| ()).during(format!("launching kernel {name}"))
}
