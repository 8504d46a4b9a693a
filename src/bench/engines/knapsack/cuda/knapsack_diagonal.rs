//! Binding of `kernels/knapsack/knapsack_diagonal.cu`: an anti-diagonal of values in a ring of them, one bit per cell.

use super::knapsack_wave::WaveCell;
use cudarc::driver::{CudaFunction, CudaSlice, CudaViewMut, DeviceRepr, PushKernelArg};
use isx_machine::cuda::{Device, DeviceError, During, KernelFile, grid};

const FILE: KernelFile = KernelFile {
    stem: "knapsack_diagonal",
    ptx: &[(70, include_str!("../../../../../kernels/ptx/knapsack_diagonal.compute_70.ptx"))],
};

/// Threads of a block.
const THREADS: usize = 256;
/// Cells whose bits are as many bytes as a wave's choices are rounded up to.
const STRIP: usize = 1024;

/// `struct Item` of the kernel.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Record {
    pub weight: i64,
    pub profit: i64,
}

// SAFETY: `repr(C)` of two 64-bit integers, as in the kernel.
unsafe impl DeviceRepr for Record {}

/// What a wave is filled from and where it goes.
pub(super) struct Args<'a, C> {
    /// Written in the wave's slot, read in the others.
    pub ring: &'a CudaSlice<C>,
    /// One cell is written.
    pub last: &'a CudaSlice<C>,
    pub choices: Option<CudaViewMut<'a, u8>>,
    /// At least one for every item.
    pub items: &'a CudaSlice<Record>,
    pub item_count: u64,
    /// Waves of the ring: 2 more than the heaviest item that fits the capacity.
    pub slots: u64,
    pub wave: u64,
    /// The wave's first row.
    pub top: u64,
    pub cells: usize,
}

/// The kernel for a type of cells, looked up once for many launches.
pub(super) fn load<C: WaveCell>(device: &Device) -> Result<CudaFunction, DeviceError> {
    device.kernel(&FILE, C::DIAGONAL, 0)
}

/// Launches a wave; returns before it finishes.
pub(super) fn launch<C: WaveCell>(
    device: &Device,
    function: &CudaFunction,
    mut args: Args<'_, C>,
) -> Result<(), DeviceError> {
    let unfit = |why: &str| DeviceError::Unfit { kernel: C::DIAGONAL, why: why.into() };
    let stride = args.item_count + 1;
    let padded = args.cells.next_multiple_of(STRIP);
    let has_place = args.choices.as_ref().is_none_or(|choices| choices.len() >= padded / 8);
    let in_ring = args.slots.checked_mul(stride).is_some_and(|cells| cells <= args.ring.len() as u64);
    let in_wave = args.top + args.cells as u64 <= stride && args.items.len() as u64 >= args.item_count;
    let in_row = args.wave.saturating_sub(args.item_count) < args.last.len() as u64;
    if !has_place || !in_ring || !in_wave || !in_row || args.slots < 2 {
        return Err(unfit("a wave is shorter than its cells"));
    }
    let blocks = i32::try_from(padded / THREADS).map_err(|_| unfit("a wave is too long"))?;
    let slot = args.wave % args.slots;
    let numbers = [args.item_count, args.slots, stride, slot, args.wave, args.top, args.cells as u64];
    let numbers = numbers.map(|number| number as i64);
    let null = 0u64;
    let mut builder = device.stream().launch_builder(function);
    builder.arg(args.ring).arg(args.last);
    match &mut args.choices {
        Some(choices) => builder.arg(choices),
        None => builder.arg(&null),
    };
    builder.arg(args.items);
    for number in &numbers {
        builder.arg(number);
    }
    let config = grid(blocks.unsigned_abs(), THREADS as u32, 0);
    // SAFETY: arguments are in the kernel's order and of its types; the ring has all slots of all rows, the last row
    // the wave's cell of it, and the choices all bits of the blocks (checked above); a source is read only where the
    // item is no heavier than its column, so at most `slots` - 1 waves back; ring and last row belong to the waves of
    // this sweep, which the stream orders, and nothing on the host reads them before it is synchronized.
    unsafe { builder.launch(config) }.map(|_| ()).during(format!("launching kernel {}", C::DIAGONAL))
}
