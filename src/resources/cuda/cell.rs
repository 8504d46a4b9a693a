//! The two cell types that the kernels support.

use cudarc::driver::ValidAsZeroBits;
use isx_machine::cuda::Plain;

/// A cell of a table on the GPU.
pub trait Cell: Plain + ValidAsZeroBits + Into<i64> {
    /// The greatest value.
    const MOST: Self;
    /// Neighboring cells that a lane of `kernels/resources/resources_table.cu` computes.
    const A_LANE: u64;
    /// The first value for 32-bit cells, the second for 64-bit cells.
    fn either<T>(narrow: T, wide: T) -> T;
    /// The number; the greatest if it is greater than that.
    fn at_most(value: i64) -> Self;
}

impl Cell for i32 {
    const MOST: Self = Self::MAX;
    const A_LANE: u64 = 8;

    fn either<T>(narrow: T, _: T) -> T {
        narrow
    }
    fn at_most(value: i64) -> Self {
        value.try_into().unwrap_or(Self::MOST)
    }
}

impl Cell for i64 {
    const MOST: Self = Self::MAX;
    const A_LANE: u64 = 4;

    fn either<T>(_: T, wide: T) -> T {
        wide
    }
    fn at_most(value: i64) -> Self {
        value
    }
}
