//! The two cell types that the kernels support.

use cudarc::driver::ValidAsZeroBits;
use isx_machine::cuda::{KernelFile, Plain};

/// A cell of a table on the GPU.
pub(super) trait Cell: Plain + ValidAsZeroBits + Ord {
    /// Distances and lengths are below this in absolute value: the kernels need two spare bits.
    const LIMIT: i128;
    /// The kernels for it.
    const FILE: KernelFile;
    /// Converts a number; the caller guarantees that it fits.
    fn of(value: i64) -> Self;
    /// The same number.
    fn wide(self) -> i64;
}

macro_rules! cell {
    ($type:ty, $name:literal, $bits:literal) => {
        impl Cell for $type {
            const LIMIT: i128 = 1 << $bits;
            const FILE: KernelFile = KernelFile {
                stem: $name,
                ptx: &[(90, isx_kernels::ptx($name, 90)), (70, isx_kernels::ptx($name, 70))],
            };
            fn of(value: i64) -> Self {
                value as $type
            }
            fn wide(self) -> i64 {
                self.into()
            }
        }
    };
}
cell!(i32, "tsp_layers_i32", 29);
cell!(i64, "tsp_layers_i64", 61);
