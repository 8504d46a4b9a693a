//! Binding of `kernels/papers/mckp_sync.cu`: CUDA-SYNC, the table in one cooperative launch.

use super::row::{ItemRecord, THREADS, items_in_shared};
use cudarc::driver::{CudaFunction, CudaSlice, LaunchConfig, PushKernelArg};
use isx_machine::cuda::{Device, DeviceError, During};
use isx_mckp::cuda::Cell;

/// The arguments, in the kernel's own order.
pub(super) struct Args<'a, V> {
    pub rows: &'a mut CudaSlice<V>,
    pub stride: i64,
    pub items: &'a CudaSlice<ItemRecord<V>>,
    pub offsets: &'a CudaSlice<i32>,
    pub class_count: i32,
    pub capacity: i32,
    pub barrier: &'a mut CudaSlice<u32>,
}

/// The kernel, loaded for classes of a certain size.
pub(super) struct Sync {
    name: &'static str,
    pub function: CudaFunction,
    pub shared: usize,
    blocks: usize,
}

/// Words of `barrier`.
pub(super) const BARRIER_WORDS: usize = 2;

/// Loads the kernel for classes of at most `most_items` items, and queries how many blocks can be resident together.
pub(super) fn load<V: Cell>(device: &Device, most_items: usize) -> Result<Sync, DeviceError> {
    let name = V::either("mckp_sync_i32", "mckp_sync_i64");
    let shared = items_in_shared(most_items, size_of::<ItemRecord<V>>());
    if shared > device.info().shared_per_block {
        let why = format!("a class of {most_items} items does not fit a block's shared memory");
        return Err(DeviceError::Unfit { kernel: name, why });
    }
    let function = device.kernel(&kernel_file!("mckp_sync"), name, shared)?;
    let blocks = function
        .occupancy_max_active_blocks_per_multiprocessor(THREADS as u32, shared, None)
        .during(format!("asking how many blocks of kernel {name} fit"))?;
    Ok(Sync { name, function, shared, blocks: blocks as usize * device.info().multiprocessors })
}

/// Launches the kernel; returns before it finishes. `barrier` must contain zeros.
pub(super) fn launch<V: Cell>(
    device: &Device,
    kernel: &Sync,
    args: &mut Args<'_, V>,
) -> Result<(), DeviceError> {
    let unfit = |why: &str| DeviceError::Unfit { kernel: kernel.name, why: why.into() };
    let rows = (args.stride as usize).checked_mul(args.class_count as usize + 1);
    if rows.is_none_or(|cells| cells > args.rows.len()) || i64::from(args.capacity) >= args.stride {
        return Err(unfit("the rows are fewer or shorter than the classes need"));
    }
    if args.offsets.len() < args.class_count as usize + 1 || args.barrier.len() < BARRIER_WORDS {
        return Err(unfit("a class without an offset, or no barrier"));
    }
    let config = LaunchConfig {
        grid_dim: (kernel.blocks as u32, 1, 1),
        block_dim: (THREADS as u32, 1, 1),
        shared_mem_bytes: kernel.shared as u32,
    };
    let mut builder = device.stream().launch_builder(&kernel.function);
    builder.arg(&mut *args.rows).arg(&args.stride).arg(args.items).arg(args.offsets);
    builder.arg(&args.class_count).arg(&args.capacity).arg(&mut *args.barrier);
    // SAFETY: arguments are in the kernel's order and of its types; rows, offsets and barrier have the lengths of
    // their counts (checked above); shared memory has room for the largest class; the launch is cooperative, so all
    // blocks run at once and the barrier ends.
    unsafe { builder.launch_cooperative(config) }
        .map(|_| ())
        .during(format!("launching kernel {}", kernel.name))
}
