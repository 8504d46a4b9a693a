//! The two cell types that the kernels support.

use super::shape::Variant;
use super::variants;
use crate::answer::Value;
use isx_machine::cuda;
use std::ops::Shr;

/// A cell of the table on the GPU.
pub trait Cell: Value + cuda::Cell + Shr<u32, Output = Self> {
    /// Its width, by which tables are planned.
    const WIDTH: Width = if size_of::<Self>() == 4 { Width::Narrow } else { Width::Wide };
}

impl Cell for i32 {}
impl Cell for i64 {}

/// The width of a table's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// 32 bits.
    Narrow,
    /// 64 bits.
    Wide,
}

impl Width {
    /// Bytes of a cell.
    pub const fn bytes(self) -> usize {
        match self {
            Self::Narrow => 4,
            Self::Wide => 8,
        }
    }

    /// Bits of a non-negative cell.
    pub fn bits(self) -> u32 {
        self.bytes() as u32 * 8 - 1
    }

    /// Items per 16-byte record.
    pub(super) fn items_a_record(self) -> usize {
        8 / self.bytes()
    }

    /// The variants of the tiled kernel for these cells.
    pub(super) fn tiled(self) -> &'static [Variant] {
        match self {
            Self::Narrow => variants::NARROW,
            Self::Wide => variants::WIDE,
        }
    }

    /// Whether a kernel stores two of these cells in a word.
    pub fn packs(self) -> bool {
        self == Self::Narrow
    }

    /// Up to [`Width::items_a_record`] items (weight, value) in the format of `kernels/mckp/table.cuh`, if their
    /// values fit a cell; a missing item repeats the first, which changes no maximum.
    pub(super) fn record(self, items: &[(i32, i64)]) -> Option<[i32; 4]> {
        let (first, second) = (items.first()?, items.last()?);
        match self {
            Self::Narrow => Some([first.0, first.1.try_into().ok()?, second.0, second.1.try_into().ok()?]),
            Self::Wide => Some([first.1 as i32, (first.1 >> 32) as i32, first.0, 0]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lone_item_fills_both_places_of_a_record() {
        assert_eq!(Width::Narrow.record(&[(3, 7)]), Some([3, 7, 3, 7]));
        assert_eq!(Width::Narrow.record(&[(3, 7), (4, 9)]), Some([3, 7, 4, 9]));
    }

    #[test]
    fn a_value_too_large_for_a_cell_makes_no_record() {
        assert_eq!(Width::Narrow.record(&[(0, 0), (1, 1 << 31)]), None);
        assert_eq!(Width::Narrow.record(&[(0, i64::from(i32::MAX)), (0, 0)]), Some([0, i32::MAX, 0, 0]));
    }

    #[test]
    fn a_wide_value_is_cut_into_its_two_words() {
        assert_eq!(Width::Wide.record(&[(5, i64::MAX)]), Some([-1, i32::MAX, 5, 0]));
        assert_eq!(Width::Wide.record(&[(5, 1 << 32)]), Some([0, 1, 5, 0]));
    }
}
