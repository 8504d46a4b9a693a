//! The two cell types that the kernels have.

use crate::engine::mckp::answer::Stored;
use crate::machine::cuda::Plain;
use cudarc::driver::ValidAsZeroBits;

/// A cell of the table on the GPU.
pub trait Cell: Stored + Plain + ValidAsZeroBits {
    /// Bits of a non-negative cell.
    const BITS: u32;
    /// Items a 16-byte record holds.
    const ITEMS_A_RECORD: usize;
    /// `i32` or `i64`.
    const NAME: &'static str;

    /// The same number, which callers have bounded.
    fn from_i64(value: i64) -> Self;
    /// The same number.
    fn to_i64(self) -> i64;
    /// Up to [`Cell::ITEMS_A_RECORD`] items (weight, value) as `kernels/table.cuh` reads them; a missing one repeats
    /// the first, which changes no maximum.
    fn record(items: &[(i32, i64)]) -> [i32; 4];
}

// Values were bounded when the tier and the shift were chosen, and halves of a word are meant to be cut.
#[allow(clippy::cast_possible_truncation)]
impl Cell for i32 {
    const BITS: u32 = 31;
    const ITEMS_A_RECORD: usize = 2;
    const NAME: &'static str = "i32";

    fn from_i64(value: i64) -> Self {
        value as Self
    }
    fn to_i64(self) -> i64 {
        self.into()
    }
    fn record(items: &[(i32, i64)]) -> [i32; 4] {
        let second = items[items.len() - 1];
        [items[0].0, items[0].1 as Self, second.0, second.1 as Self]
    }
}

#[allow(clippy::cast_possible_truncation)]
impl Cell for i64 {
    const BITS: u32 = 63;
    const ITEMS_A_RECORD: usize = 1;
    const NAME: &'static str = "i64";

    fn from_i64(value: i64) -> Self {
        value
    }
    fn to_i64(self) -> i64 {
        self
    }
    fn record(items: &[(i32, i64)]) -> [i32; 4] {
        let (weight, value) = items[0];
        [value as i32, (value >> 32) as i32, weight, 0]
    }
}
