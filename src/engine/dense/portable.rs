//! Vectors as plain arrays, for machines without a better instruction set.

use super::lanes::{Lane, Lanes};

/// The token of plain loops over arrays; every machine has it.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

/// Cells in an array: two 128-bit vectors of 32-bit cells.
const WIDTH: usize = 8;

impl<N: Lane> Lanes<N> for Portable {
    type Reg = [N; WIDTH];
    const WIDTH: usize = WIDTH;

    #[inline(always)]
    fn splat(self, value: N) -> Self::Reg {
        [value; WIDTH]
    }

    #[inline(always)]
    fn load(self, cells: &[N]) -> Self::Reg {
        std::array::from_fn(|lane| cells[lane])
    }

    #[inline(always)]
    fn store(self, cells: &mut [N], reg: Self::Reg) {
        cells[..WIDTH].copy_from_slice(&reg);
    }

    #[inline(always)]
    fn add(self, a: Self::Reg, b: Self::Reg) -> Self::Reg {
        std::array::from_fn(|lane| a[lane].plus(b[lane]))
    }

    #[inline(always)]
    fn sub(self, a: Self::Reg, b: Self::Reg) -> Self::Reg {
        std::array::from_fn(|lane| a[lane].minus(b[lane]))
    }

    #[inline(always)]
    fn max(self, a: Self::Reg, b: Self::Reg) -> Self::Reg {
        std::array::from_fn(|lane| a[lane].max(b[lane]))
    }

    #[inline(always)]
    fn equal(self, a: Self::Reg, b: Self::Reg) -> u64 {
        (0..WIDTH).fold(0, |bits, lane| bits | u64::from(a[lane] == b[lane]) << lane)
    }
}
