//! Shared code of the kernels that fill one row per launch: arguments, checks, and the launch.

use cudarc::driver::{CudaFunction, CudaView, CudaViewMut, DeviceRepr};
use isx_machine::cuda::{Device, DeviceError, During, KernelFile, grid};
use isx_machine::launch;
use isx_mckp::cuda::Cell;

/// `struct Item` of `kernels/cells.cuh`, for cells of type `V`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct ItemRecord<V> {
    /// Value.
    pub value: V,
    /// Weight, below 2^31.
    pub weight: i32,
}

const _: () = assert!(size_of::<ItemRecord<i32>>() == 8 && size_of::<ItemRecord<i64>>() == 16);

// SAFETY: `repr(C)`, laid out as the C struct of the same size; the padding after a 64-bit value's weight is never
// read.
unsafe impl<V: Copy> DeviceRepr for ItemRecord<V> {}

/// The arguments of a row kernel, in its own order.
pub(super) struct Args<'a, V> {
    pub previous: CudaView<'a, V>,
    pub next: CudaViewMut<'a, V>,
    pub items: CudaView<'a, ItemRecord<V>>,
}

/// A row kernel, loaded.
pub(super) struct RowKernel {
    pub name: &'static str,
    pub function: CudaFunction,
    /// Bytes of shared memory per block for a class of this many items.
    pub shared: fn(items: usize, item_bytes: usize) -> usize,
}

/// Rows are shorter than this: the kernels count cells in 32 bits, and step beyond the last one.
pub(super) const MOST_CELLS: i32 = 1 << 30;

/// Threads per block; 8 blocks fill a multiprocessor of most GPUs.
pub(super) const THREADS: usize = 256;

/// The items in shared memory. The compiler loads items in groups of four and reads ahead to the end of a group.
pub(super) fn items_in_shared(items: usize, item_bytes: usize) -> usize {
    items.next_multiple_of(4) * item_bytes
}

/// No shared memory.
pub(super) fn nothing_in_shared(_: usize, _: usize) -> usize {
    0
}

impl RowKernel {
    /// Loads the kernel for cells of type `V` and classes of at most `most_items` items.
    pub fn load<V: Cell>(
        device: &Device,
        file: &KernelFile,
        names: (&'static str, &'static str),
        shared: fn(usize, usize) -> usize,
        most_items: usize,
    ) -> Result<Self, DeviceError> {
        let name = V::either(names.0, names.1);
        let bytes = shared(most_items, size_of::<ItemRecord<V>>());
        if bytes > device.info().shared_per_block {
            let why = format!("a class of {most_items} items does not fit a block's shared memory");
            return Err(DeviceError::Unfit { kernel: name, why });
        }
        Ok(Self { name, function: device.kernel(file, name, bytes)?, shared })
    }

    /// Blocks that can be resident together, each with `shared` bytes.
    pub fn resident_blocks(&self, device: &Device, shared: usize) -> Result<usize, DeviceError> {
        let blocks = self
            .function
            .occupancy_max_active_blocks_per_multiprocessor(THREADS as u32, shared, None)
            .during(format!("asking how many blocks of kernel {} fit", self.name))?;
        Ok((blocks as usize).max(1) * device.info().multiprocessors)
    }

    /// Launches the kernel over `blocks` blocks; returns before it finishes.
    pub fn launch<V: Cell>(
        &self,
        device: &Device,
        blocks: usize,
        mut args: Args<'_, V>,
    ) -> Result<(), DeviceError> {
        let capacity = capacity_of(self.name, &args)?;
        let count = args.items.len() as i32;
        let shared = (self.shared)(args.items.len(), size_of::<ItemRecord<V>>());
        let config = grid(blocks as u32, THREADS as u32, shared as u32);
        // SAFETY: arguments are in the kernels' common order and of their types; both rows have capacity + 1 cells
        // and `count` is the number of items (checked above); shared memory has room for what the kernel stores
        // there.
        unsafe {
            launch!(device, self.function, self.name, config; &args.previous, &mut args.next, &args.items, &count, &capacity)
        }
    }
}

/// The capacity of a kernel's rows, if they have equal lengths within the kernels' 32-bit indices.
pub(super) fn capacity_of<V>(name: &'static str, args: &Args<'_, V>) -> Result<i32, DeviceError> {
    let unfit = |why: &str| DeviceError::Unfit { kernel: name, why: why.into() };
    if args.previous.len() != args.next.len() || args.items.is_empty() {
        return Err(unfit("rows of different lengths, or no items"));
    }
    let cells = i32::try_from(args.previous.len()).ok().filter(|&cells| cells < MOST_CELLS);
    let too_many = || unfit("rows of 2^30 cells and more are for the tiled kernel");
    cells.map(|cells| cells - 1).ok_or_else(too_many)
}

/// Blocks for one thread per cell.
pub(super) fn blocks_for(cells: usize) -> usize {
    cells.div_ceil(THREADS)
}
