//! The two cell types that the kernels support.

use super::mckp_tiled;
use super::shape::Variant;
use crate::answer::Value;
use cudarc::driver::ValidAsZeroBits;
use isx_machine::cuda::Plain;
use std::ops::Shr;

/// A cell of the table on the GPU.
pub trait Cell: Value + Plain + ValidAsZeroBits + Shr<u32, Output = Self> {
    /// Bits of a non-negative cell.
    const BITS: u32;
    /// Items per 16-byte record.
    const ITEMS_A_RECORD: usize;
    /// The variants of the tiled kernel for these cells.
    const TILED: &'static [Variant];
    /// Whether a kernel stores two of these cells in a word.
    const PACKED: bool;

    /// The first value for 32-bit cells, the second for 64-bit cells.
    fn either<T>(narrow: T, wide: T) -> T;
    /// The same number, if a cell can represent it.
    fn from_i64(value: i64) -> Option<Self>;
    /// The same number.
    fn to_i64(self) -> i64;
    /// A number whose lowest `bits` bits are set.
    fn low_bits(bits: u32) -> Self;
    /// Up to [`Cell::ITEMS_A_RECORD`] items (weight, value) in the format of `kernels/mckp/table.cuh`, if their
    /// values fit a cell; a missing item repeats the first, which changes no maximum.
    fn record(items: &[(i32, i64)]) -> Option<[i32; 4]>;
}

impl Cell for i32 {
    const BITS: u32 = 31;
    const ITEMS_A_RECORD: usize = 2;
    const TILED: &'static [Variant] = mckp_tiled::NARROW;
    const PACKED: bool = true;

    fn either<T>(narrow: T, _: T) -> T {
        narrow
    }
    fn from_i64(value: i64) -> Option<Self> {
        value.try_into().ok()
    }
    fn to_i64(self) -> i64 {
        self.into()
    }
    fn low_bits(bits: u32) -> Self {
        (1 << bits) - 1
    }
    fn record(items: &[(i32, i64)]) -> Option<[i32; 4]> {
        let (first, second) = (items.first()?, items.last()?);
        Some([first.0, Self::from_i64(first.1)?, second.0, Self::from_i64(second.1)?])
    }
}

impl Cell for i64 {
    const BITS: u32 = 63;
    const ITEMS_A_RECORD: usize = 1;
    const TILED: &'static [Variant] = mckp_tiled::WIDE;
    const PACKED: bool = false;

    fn either<T>(_: T, wide: T) -> T {
        wide
    }
    fn from_i64(value: i64) -> Option<Self> {
        Some(value)
    }
    fn to_i64(self) -> i64 {
        self
    }
    fn low_bits(bits: u32) -> Self {
        (1 << bits) - 1
    }
    fn record(items: &[(i32, i64)]) -> Option<[i32; 4]> {
        let &(weight, value) = items.first()?;
        let [a, b, c, d, e, f, g, h] = value.to_le_bytes();
        Some([i32::from_le_bytes([a, b, c, d]), i32::from_le_bytes([e, f, g, h]), weight, 0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lone_item_fills_both_places_of_a_record() {
        assert_eq!(i32::record(&[(3, 7)]), Some([3, 7, 3, 7]));
        assert_eq!(i32::record(&[(3, 7), (4, 9)]), Some([3, 7, 4, 9]));
    }

    #[test]
    fn a_value_too_large_for_a_cell_makes_no_record() {
        assert_eq!(i32::record(&[(0, 0), (1, 1 << 31)]), None);
        assert_eq!(i32::record(&[(0, i64::from(i32::MAX)), (0, 0)]), Some([0, i32::MAX, 0, 0]));
        assert_eq!(i32::from_i64(1 << 31), None);
    }

    #[test]
    fn a_wide_value_is_cut_into_its_two_words() {
        assert_eq!(i64::record(&[(5, i64::MAX)]), Some([-1, i32::MAX, 5, 0]));
        assert_eq!(i64::record(&[(5, 1 << 32)]), Some([0, 1, 5, 0]));
    }

    #[test]
    fn index_bits_are_masked() {
        assert_eq!((i32::low_bits(0), i32::low_bits(3), i64::low_bits(40)), (0, 7, (1 << 40) - 1));
    }
}
