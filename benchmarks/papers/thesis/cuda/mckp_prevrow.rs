//! Binding of `kernels/papers/mckp_prevrow.cu`: CUDA-PREVROW, with the previous row in shared memory if equation 4.2
//! says so.

use super::row::{Args, ItemRecord, THREADS, blocks_for, capacity_of, items_in_shared};
use cudarc::driver::CudaFunction;
use isx_machine::cuda::{Device, DeviceError, grid};
use isx_machine::launch;
use isx_mckp::cuda::Cell;

/// The kernel, loaded.
pub(super) struct Prevrow {
    name: &'static str,
    pub function: CudaFunction,
    shared_per_block: usize,
}

/// The lightest and the heaviest item of a class.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    pub lightest: i32,
    pub heaviest: i32,
}

/// Equation 4.2: references to the fetched cells per access to global memory, for a class of `items` items.
pub(super) fn references_per_access(items: usize, weights: Weights) -> f64 {
    let fetched = THREADS as f64 + f64::from(weights.heaviest) - f64::from(weights.lightest);
    (THREADS * items) as f64 / fetched
}

/// Equation 4.2 for classes of so many items with these lightest and heaviest weights: the mean over all classes.
pub fn mean_references_per_access(classes: impl Iterator<Item = (usize, u64, u64)>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for (items, lightest, heaviest) in classes {
        let weight = |weight: u64| i32::try_from(weight).unwrap_or(i32::MAX);
        let weights = Weights { lightest: weight(lightest), heaviest: weight(heaviest) };
        sum += references_per_access(items, weights);
        count += 1.0;
    }
    sum / f64::max(count, 1.0)
}

/// Loads the kernel.
pub(super) fn load<V: Cell>(device: &Device) -> Result<Prevrow, DeviceError> {
    let name = V::either("mckp_prevrow_i32", "mckp_prevrow_i64");
    let shared_per_block = device.info().shared_per_block;
    Ok(Prevrow {
        name,
        function: device.kernel(&kernel_file!("mckp_prevrow"), name, shared_per_block)?,
        shared_per_block,
    })
}

/// Whether to fetch the previous row's cells: where that pays and they fit; and a block's bytes of shared memory.
pub(super) fn shared<V: Cell>(kernel: &Prevrow, items: usize, weights: Weights) -> (bool, usize) {
    let span = (weights.heaviest - weights.lightest) as usize;
    let only_items = items_in_shared(items, size_of::<ItemRecord<V>>());
    let with_cells = only_items + (THREADS + span) * size_of::<V>();
    let pays = references_per_access(items, weights) > 1.0 && with_cells <= kernel.shared_per_block;
    (pays, if pays { with_cells } else { only_items })
}

/// Launches one thread per cell; fetches the previous row's cells if that pays and they fit.
pub(super) fn launch<V: Cell>(
    device: &Device,
    kernel: &Prevrow,
    weights: Weights,
    mut args: Args<'_, V>,
) -> Result<(), DeviceError> {
    let capacity = capacity_of(kernel.name, &args)?;
    let items = args.items.len();
    let (pays, shared) = shared::<V>(kernel, items, weights);
    if shared > kernel.shared_per_block {
        let why = "a class's items do not fit a block's shared memory".into();
        return Err(DeviceError::Unfit { kernel: kernel.name, why });
    }
    let (count, fetch) = (items as i32, i32::from(pays));
    let config = grid(blocks_for(args.next.len()) as u32, THREADS as u32, shared as u32);
    // SAFETY: arguments are in the kernel's order and of its types; both rows have capacity + 1 cells and `count` is
    // the number of items (checked above); shared memory has room for the items and, with `fetch`, one cell per
    // thread of a block and the spread of the weights, which the caller computed from these items.
    unsafe {
        launch!(device, kernel.function, kernel.name, config; &args.previous, &mut args.next, &args.items, &count, &capacity, &weights.lightest, &weights.heaviest, &fetch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equation_4_2_of_equal_weights_is_the_number_of_items() {
        let ratio = references_per_access(517, Weights { lightest: 9, heaviest: 9 });
        assert!((ratio - 517.0).abs() < 1e-9);
        let mean = mean_references_per_access([(517, 9, 9), (100, 0, 9_744)].into_iter());
        assert!((mean - (517.0 + 2.56) / 2.0).abs() < 1e-9);
        assert!(references_per_access(30, Weights { lightest: 0, heaviest: 10_000 }) < 1.0);
    }
}
