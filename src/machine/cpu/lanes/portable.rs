//! Vectors as plain arrays, for machines without a better instruction set.

use super::lane::{Lane, Lanes};

/// The token for plain loops over arrays; every machine supports it.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

/// Cells in an array: two 128-bit vectors of 32-bit cells.
const WIDTH: usize = 8;

/// A plain loop, which the compiler vectorizes.
#[inline(always)]
fn each<N: Lane>(mut a: [N; WIDTH], b: [N; WIDTH], join: impl Fn(N, N) -> N) -> [N; WIDTH] {
    for (a, b) in a.iter_mut().zip(b) {
        *a = join(*a, b);
    }
    a
}

impl<N: Lane> Lanes<N> for Portable {
    type Reg = [N; WIDTH];
    const WIDTH: usize = WIDTH;

    inlined! {
        fn splat(self, value: N) -> Self::Reg = [value; WIDTH];
        fn add(self, a: Self::Reg, b: Self::Reg) -> Self::Reg = each(a, b, |a, b| a.plus(b));
        fn sub(self, a: Self::Reg, b: Self::Reg) -> Self::Reg = each(a, b, |a, b| a.minus(b));
        fn max(self, a: Self::Reg, b: Self::Reg) -> Self::Reg = each(a, b, |a, b| a.max(b));
        fn equal(self, a: Self::Reg, b: Self::Reg) -> u64 =
            (0..WIDTH).fold(0, |bits, lane| bits | u64::from(a[lane] == b[lane]) << lane);
    }

    #[inline(always)]
    fn load(self, cells: &[N]) -> Self::Reg {
        let mut reg = [N::LOWEST; WIDTH];
        reg.copy_from_slice(&cells[..WIDTH]);
        reg
    }

    #[inline(always)]
    fn store(self, cells: &mut [N], reg: Self::Reg) {
        cells[..WIDTH].copy_from_slice(&reg);
    }
}
