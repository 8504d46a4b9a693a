//! Equation 3.1 of the thesis: the share of a multiprocessor's threads that a launch can keep active.
//!
//! ```text
//! φ = min(B_lc, B_reg, B_sm, B_max) T / T_max
//! ```
//!
//! with the blocks that a multiprocessor can hold by its threads (T_max / T), by its registers (R_max / (T R)), by its
//! shared memory (SM_max / SM) and at all. Hardware gives out registers and shared memory in larger units, so the driver
//! may count fewer blocks: [`Occupancy`] has both.

use cudarc::driver::CudaFunction;
use cudarc::driver::sys::CUdevice_attribute as Attribute;
use isx_machine::cuda::{Device, DeviceError, During};

/// What a multiprocessor holds.
#[derive(Clone, Copy, Debug)]
struct Limits {
    threads: usize,
    blocks: usize,
    registers: usize,
    shared: usize,
}

/// The occupancy of a launch, 1 for all threads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Occupancy {
    /// By equation 3.1.
    pub equation: f64,
    /// By the driver's count of resident blocks.
    pub driver: f64,
}

/// Equation 3.1 for blocks of so many threads, registers per thread and bytes of shared memory per block.
fn equation_3_1(limits: Limits, threads: usize, registers: usize, shared: usize) -> f64 {
    let by = |limit: usize, takes: usize| limit.checked_div(takes).unwrap_or(usize::MAX);
    let blocks = by(limits.threads, threads)
        .min(by(limits.registers, threads * registers))
        .min(by(limits.shared, shared))
        .min(limits.blocks);
    (blocks * threads) as f64 / limits.threads as f64
}

/// The occupancy of a kernel's launch with blocks of so many threads and so much dynamic shared memory.
pub(super) fn occupancy(
    device: &Device,
    function: &CudaFunction,
    threads: usize,
    shared: usize,
) -> Result<Occupancy, DeviceError> {
    let asking = "asking for the occupancy of a kernel";
    let context = device.stream().context();
    let attribute = |of| Ok(context.attribute(of).during(asking)?.unsigned_abs() as usize);
    let limits = Limits {
        threads: device.info().threads_per_multiprocessor,
        blocks: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR)?,
        registers: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR)?,
        shared: device.info().shared_per_multiprocessor,
    };
    let registers = function.num_regs().during(asking)?.unsigned_abs() as usize;
    let fixed = function.shared_size_bytes().during(asking)?.unsigned_abs() as usize;
    let blocks = function
        .occupancy_max_active_blocks_per_multiprocessor(threads as u32, shared, None)
        .during(asking)?;
    Ok(Occupancy {
        equation: equation_3_1(limits, threads, registers, fixed + shared),
        driver: f64::from(blocks) * threads as f64 / limits.threads as f64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Example 3.2, in the thesis's order. Its case of 64 threads has eight blocks of them, a third of all threads; it
    /// prints two thirds.
    #[test]
    fn the_thesiss_example_has_the_thesiss_occupancies() {
        let m2050 = Limits { threads: 1536, blocks: 8, registers: 32_768, shared: 49_152 };
        let percent =
            |threads, registers, shared| (100.0 * equation_3_1(m2050, threads, registers, shared)) as u32;
        assert_eq!(percent(768, 10, 4096), 100);
        assert_eq!(percent(1024, 10, 4096), 66);
        assert_eq!(percent(64, 10, 2048), 33);
        assert_eq!(percent(768, 22, 4096), 50);
        assert_eq!(percent(1024, 22, 4096), 66);
        assert_eq!(percent(768, 10, 32_768), 50);
        assert_eq!(percent(1024, 10, 32_768), 66);
        assert_eq!(percent(256, 0, 0), 100);
    }
}
