//! Numbers that are copied to and from a GPU as bytes.

use cudarc::driver::DeviceRepr;

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

/// The memory of the values as bytes.
pub fn plain_bytes<T: Plain>(values: &mut [T]) -> &mut [u8] {
    let bytes = size_of_val(values);
    // SAFETY: `Plain` types have no padding and every bit pattern is a value; the slice is borrowed for the same
    // lifetime.
    unsafe { std::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), bytes) }
}
