//! Binding of `kernels/knapsack/knapsack_walk.cu`: the traceback from a cell through the decisions.

use cudarc::driver::{CudaSlice, LaunchConfig, PushKernelArg};
use isx_machine::cuda::{Device, DeviceError, During, KernelFile};

const FILE: KernelFile =
    KernelFile { stem: "knapsack_walk", ptx: &[(70, isx_kernels::ptx("knapsack_walk", 70))] };

const NAME: &str = "knapsack_walk";

/// Which items are taken on the traceback from `cell` to cell 0.
///
/// `offsets` contains for each item the position in `decisions` of the byte of its cell 0, which may lie outside.
///
/// # Errors
///
/// If the launch fails, or the traceback does not end at cell 0.
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
    let function = device.kernel(&FILE, NAME, 0)?;
    let mut builder = device.stream().launch_builder(&function);
    builder.arg(decisions).arg(&offsets).arg(&weights).arg(&count).arg(&mut at).arg(&mut taken);
    let config = LaunchConfig { grid_dim: (1, 1, 1), block_dim: (1, 1, 1), shared_mem_bytes: 0 };
    // SAFETY: arguments are in the kernel's order and of its types; there is an offset, a weight and a place for
    // every item; the traceback of a live cell stays in the windows that `decisions` has bits for, and one through
    // wrong bits ends below 0.
    unsafe { builder.launch(config) }.map(|_| ()).during(format!("launching kernel {NAME}"))?;
    let end = device.download("the cell a walk ended at", &at.slice(..))?;
    if end != [0] {
        let why = "a walk back through the items did not end where it began".into();
        return Err(DeviceError::Unbelievable { kernel: NAME, why });
    }
    let taken = device.download("items taken", &taken.slice(..))?;
    Ok(taken.into_iter().map(|taken| taken != 0).collect())
}
