//! Binding of `kernels/mckp/mckp_split.cu`: splits the indices of merged layers into those of their classes.

use super::cell::Cell;
use cudarc::driver::{CudaSlice, CudaView, DeviceRepr, LaunchConfig, PushKernelArg};
use isx_machine::cuda::{Device, DeviceError, During, KernelFile};

const FILE: KernelFile = KernelFile { stem: "mckp_split", ptx: &[(70, isx_kernels::ptx("mckp_split", 70))] };

/// `struct Split` of `kernels/mckp/mckp_split.cu`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Split {
    pub from: i64,
    pub first: i64,
    pub second: i64,
    pub first_choice: i64,
    pub row: i32,
    pub from_bytes: i32,
    pub first_bytes: i32,
    pub second_bytes: i32,
}

/// `struct Choice` of `kernels/mckp/mckp_split.cu`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Choice {
    pub second_weight: i64,
    pub first: u32,
    pub second: u32,
}

const _: () = assert!(size_of::<Split>() == 48 && size_of::<Choice>() == 16);

// SAFETY: `repr(C)`, of 64- and 32-bit integers without padding, laid out as the C structs of the same sizes.
unsafe impl DeviceRepr for Split {}
// SAFETY: as above.
unsafe impl DeviceRepr for Choice {}

/// The kernel's arguments.
pub(super) struct Args<'a, V> {
    pub rows: &'a CudaSlice<V>,
    pub stride: i64,
    /// Cells that are read, at most `stride`.
    pub cells: i64,
    pub splits: CudaView<'a, Split>,
    pub choices: &'a CudaSlice<Choice>,
    pub picks: &'a mut CudaSlice<u8>,
}

const THREADS: u32 = 256;
/// Enough blocks per layer to keep any GPU busy; each processes further cells in turn.
const MOST_BLOCKS: u32 = 1024;

/// Launches the kernel; returns before it has finished.
pub(super) fn launch<V: Cell>(device: &Device, args: &mut Args<'_, V>) -> Result<(), DeviceError> {
    let name = V::either("mckp_split_i32", "mckp_split_i64");
    let splits = u32::try_from(args.splits.len()).ok().filter(|&splits| splits <= 0xffff);
    let splits = splits.ok_or_else(|| DeviceError::Unfit {
        kernel: name,
        why: format!("{} merged layers are more than a launch can have", args.splits.len()),
    })?;
    let wanted = (args.cells as u64).div_ceil(THREADS.into());
    let blocks = u32::try_from(wanted).map_or(MOST_BLOCKS, |blocks| blocks.min(MOST_BLOCKS));
    let function = device.kernel(&FILE, name, 0)?;
    let mut builder = device.stream().launch_builder(&function);
    builder.arg(args.rows).arg(&args.stride).arg(&args.cells).arg(&args.splits).arg(args.choices);
    builder.arg(&mut *args.picks);
    let config =
        LaunchConfig { grid_dim: (blocks, splits, 1), block_dim: (THREADS, 1, 1), shared_mem_bytes: 0 };
    // SAFETY: arguments are in the kernel's order and of its types; the splits' rows and places in `picks` were
    // planned for these buffers, and their indices are below the number of choices, since the table kernel stored
    // them; nothing else accesses these buffers until the stream is synchronized.
    unsafe { builder.launch(config) }.map(|_| ()).during(format!("launching kernel {name}"))
}
