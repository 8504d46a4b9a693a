//! Numbers that are copied to and from a GPU as bytes, and the two types of a table's cells.

use cudarc::driver::{DeviceRepr, ValidAsZeroBits};

/// A plain number, of which every bit pattern is a value.
///
/// # Safety
///
/// Every bit pattern must be a value, and the type must have no padding.
pub unsafe trait Plain: DeviceRepr + Copy + Default + Send + Sync {}
// SAFETY: integers take any bytes.
unsafe impl Plain for u8 {}
// SAFETY: integers take any bytes.
unsafe impl Plain for u16 {}
// SAFETY: integers take any bytes.
unsafe impl Plain for u32 {}
// SAFETY: integers take any bytes.
unsafe impl Plain for i32 {}
// SAFETY: integers take any bytes.
unsafe impl Plain for i64 {}
// SAFETY: integers take any bytes.
unsafe impl Plain for u64 {}
// SAFETY: integers take any bytes, and arrays of them have no padding.
unsafe impl Plain for [i32; 4] {}
// SAFETY: floats take any bytes.
unsafe impl Plain for f32 {}
// SAFETY: floats take any bytes.
unsafe impl Plain for f64 {}

/// A cell of a table on the GPU: an integer of 32 or 64 bits.
pub trait Cell: Plain + ValidAsZeroBits + Into<i64> {
    /// The first value for 32-bit cells, the second for 64-bit cells.
    fn either<T>(narrow: T, wide: T) -> T {
        if size_of::<Self>() == 4 { narrow } else { wide }
    }

    /// The number; the greatest if it is greater than that.
    fn at_most(value: i64) -> Self;
}

impl Cell for i32 {
    fn at_most(value: i64) -> Self {
        value.try_into().unwrap_or(Self::MAX)
    }
}

impl Cell for i64 {
    fn at_most(value: i64) -> Self {
        value
    }
}

/// The memory of the values as bytes.
pub fn plain_bytes<T: Plain>(values: &mut [T]) -> &mut [u8] {
    let bytes = size_of_val(values);
    // SAFETY: `Plain` types have no padding and every bit pattern is a value; the slice is borrowed for the same
    // lifetime.
    unsafe { std::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), bytes) }
}
