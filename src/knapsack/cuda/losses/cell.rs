//! The integer types of a row of losses (`kernels/knapsack/knapsack.cuh`).

use cudarc::driver::DeviceRepr;
use isx_machine::cuda::Plain;

/// Cells per block; each block has a byte that says whether any of its cells is alive.
pub(super) const BLOCK_CELLS: u64 = 4096;

/// How wide a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
    /// 16 bits.
    W16,
    /// 32 bits.
    W32,
    /// 64 bits.
    W64,
}

impl Width {
    /// The narrowest width that fits losses up to `limit`.
    pub fn narrowest(limit: u64) -> Option<Self> {
        [(u16::DEAD, Self::W16), (u32::DEAD, Self::W32), (u64::DEAD, Self::W64)]
            .into_iter()
            .find(|&(dead, _)| limit < dead)
            .map(|(_, width)| width)
    }

    /// The greatest loss that a cell can hold.
    pub(super) fn most(self) -> u64 {
        match self {
            Self::W16 => u16::DEAD - 1,
            Self::W32 => u32::DEAD - 1,
            Self::W64 => u64::DEAD - 1,
        }
    }

    /// Bytes of a cell.
    pub fn bytes(self) -> u64 {
        match self {
            Self::W16 => 2,
            Self::W32 => 4,
            Self::W64 => 8,
        }
    }
}

/// The kernels for one type of cell, and tile sizes of `knapsack_tile.cu` with which several tiles fit on a
/// multiprocessor.
pub(super) struct Kernels {
    pub step: &'static str,
    pub tile: &'static str,
    pub start: &'static str,
    pub meet: &'static str,
    pub least: &'static str,
    pub join: &'static str,
    /// Blocks of cells per tile.
    pub tile_blocks: u64,
    /// Most cells before a tile: the total weight of the items that are applied together.
    pub halo: u64,
}

/// A cell: the least loss of a set of items of that weight.
pub(super) trait Cell: Plain {
    /// No such set; the same value as in `knapsack.cuh`.
    const DEAD: u64;
    const WIDTH: Width;
    const KERNELS: Kernels;
    /// The kernels' argument type for losses.
    type Sum: DeviceRepr + Copy;
    /// A loss, limited to [`Cell::DEAD`].
    fn sum(loss: u64) -> Self::Sum;
    /// The cell's loss.
    fn loss(self) -> u64;
}

macro_rules! cell {
    ($type:ty, $suffix:literal, $sum:ty, $dead:expr, $width:ident, $tile_blocks:literal) => {
        impl Cell for $type {
            const DEAD: u64 = $dead;
            const WIDTH: Width = Width::$width;
            const KERNELS: Kernels = Kernels {
                step: concat!("knapsack_step_", $suffix),
                tile: concat!("knapsack_tile_", $suffix),
                start: concat!("knapsack_start_", $suffix),
                meet: concat!("knapsack_meet_", $suffix),
                least: concat!("knapsack_least_", $suffix),
                join: concat!("knapsack_join_", $suffix),
                tile_blocks: $tile_blocks,
                halo: $tile_blocks * BLOCK_CELLS,
            };
            type Sum = $sum;
            // No loss passes `DEAD`, which fits.
            #[allow(clippy::cast_possible_truncation)]
            fn sum(loss: u64) -> $sum {
                loss.min(Self::DEAD) as $sum
            }
            fn loss(self) -> u64 {
                self.into()
            }
        }
    };
}

cell!(u16, "u16", u32, 0xffff, W16, 2);
cell!(u32, "u32", u32, 0x7fff_ffff, W32, 1);
cell!(u64, "u64", u64, 1 << 62, W64, 1);

/// Calls a generic function with the cells of a width.
macro_rules! in_cells {
    ($width:expr, $function:ident($($argument:expr),*)) => {
        match $width {
            $crate::cuda::Width::W16 => $function::<u16>($($argument),*),
            $crate::cuda::Width::W32 => $function::<u32>($($argument),*),
            $crate::cuda::Width::W64 => $function::<u64>($($argument),*),
        }
    };
}
pub(super) use in_cells;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_narrowest_cells_hold_the_limit_below_dead() {
        let of = Width::narrowest;
        assert_eq!([of(0), of(0xfffe), of(0xffff)], [Some(Width::W16), Some(Width::W16), Some(Width::W32)]);
        assert_eq!([of(0x7fff_fffe), of(0x7fff_ffff)], [Some(Width::W32), Some(Width::W64)]);
        assert_eq!([of((1 << 62) - 1), of(1 << 62), of(u64::MAX)], [Some(Width::W64), None, None]);
    }

    #[test]
    fn a_sum_of_two_losses_fits_its_type() {
        assert!(u16::sum(u64::MAX).checked_mul(2).is_some());
        assert!(u32::sum(u64::MAX).checked_mul(2).is_some());
        assert!(u64::sum(u64::MAX).checked_mul(2).is_some());
    }
}
