//! The two cell types that the kernels support.

use cudarc::driver::ValidAsZeroBits;
use isx_machine::cuda::Plain;
use isx_problems::value::Value;

/// A cell of a table on the GPU.
pub trait Cell: Value + Plain + ValidAsZeroBits {
    /// The first value for 32-bit cells, the second for 64-bit cells.
    fn either<T>(narrow: T, wide: T) -> T;
    /// The same number, if a cell can represent it.
    fn from_i128(value: i128) -> Option<Self>;
}

impl Cell for i32 {
    fn either<T>(narrow: T, _: T) -> T {
        narrow
    }
    fn from_i128(value: i128) -> Option<Self> {
        value.try_into().ok()
    }
}

impl Cell for i64 {
    fn either<T>(_: T, wide: T) -> T {
        wide
    }
    fn from_i128(value: i128) -> Option<Self> {
        value.try_into().ok()
    }
}
