//! The two cell types that the kernels have.

use cudarc::driver::ValidAsZeroBits;
use isx_machine::cuda::Plain;
use isx_problems::value::Value;

/// A cell of a table on the GPU.
pub trait Cell: Value + Plain + ValidAsZeroBits {
    /// The first of two things where cells are 32 bits wide, the second where they are 64.
    fn either<T>(narrow: T, wide: T) -> T;
    /// The same number, if a cell holds it.
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
