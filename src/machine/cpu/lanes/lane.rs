//! A cell, and vectors of cells.

/// A cell as kernels store it. Sums below the lowest value saturate, so that "unreachable" stays unreachable.
pub trait Lane: Copy + Default + Ord + Send + Sync + 'static {
    /// A value so low that adding an item's value to it never makes it usable again.
    const LOWEST: Self;
    /// The largest number of the type.
    const HIGHEST: i64;
    /// Converts a number; the caller guarantees that it fits.
    fn of(value: i64) -> Self;
    /// The same number.
    fn wide(self) -> i64;
    /// The sum; 16-bit lanes saturate.
    fn plus(self, other: Self) -> Self;
    /// The difference; 16-bit lanes saturate.
    fn minus(self, other: Self) -> Self;
}

macro_rules! lane {
    ($type:ty, $lowest:expr, $plus:ident, $minus:ident) => {
        impl Lane for $type {
            const LOWEST: Self = $lowest;
            const HIGHEST: i64 = <$type>::MAX as i64;
            // Callers pass numbers that fit; see the trait.
            #[inline(always)]
            fn of(value: i64) -> Self {
                value as $type
            }
            #[inline(always)]
            fn wide(self) -> i64 {
                self.into()
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.$plus(other)
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.$minus(other)
            }
        }
    };
}
// Half the range stays below zero: the values of a tier lie within the other half.
lane!(i16, i16::MIN, saturating_add, saturating_sub);
lane!(i32, i32::MIN / 2, wrapping_add, wrapping_sub);
lane!(i64, i64::MIN / 2, wrapping_add, wrapping_sub);

/// Vectors of `N` on one instruction set.
pub trait Lanes<N: Lane>: Copy {
    /// A vector.
    type Reg: Copy;
    /// Cells in a vector; divides 64.
    const WIDTH: usize;
    /// A vector with `value` in every lane.
    fn splat(self, value: N) -> Self::Reg;
    /// The first [`Lanes::WIDTH`] cells.
    fn load(self, cells: &[N]) -> Self::Reg;
    /// The first `COUNT` vectors of cells. (`std::array::from_fn` is not inlined.)
    #[inline(always)]
    fn load_all<const COUNT: usize>(self, cells: &[N]) -> [Self::Reg; COUNT] {
        let cells = &cells[..COUNT * Self::WIDTH];
        let mut all = [self.load(cells); COUNT];
        for at in 1..COUNT {
            all[at] = self.load(&cells[at * Self::WIDTH..]);
        }
        all
    }
    /// Writes the first [`Lanes::WIDTH`] cells.
    fn store(self, cells: &mut [N], reg: Self::Reg);
    /// Lane-wise [`Lane::plus`].
    fn add(self, a: Self::Reg, b: Self::Reg) -> Self::Reg;
    /// Lane-wise [`Lane::minus`].
    fn sub(self, a: Self::Reg, b: Self::Reg) -> Self::Reg;
    /// Lane-wise maximum.
    fn max(self, a: Self::Reg, b: Self::Reg) -> Self::Reg;
    /// One bit per lane: whether both are equal; the first lane is bit 0.
    fn equal(self, a: Self::Reg, b: Self::Reg) -> u64;
    /// The highest lane. (`Iterator::max` would call a function for every lane: it is not inlined.)
    #[inline(always)]
    fn highest(self, a: Self::Reg) -> N {
        let mut lanes = [N::LOWEST; 64];
        self.store(&mut lanes, a);
        let mut highest = N::LOWEST;
        for &lane in &lanes[..Self::WIDTH] {
            if lane > highest {
                highest = lane;
            }
        }
        highest
    }
}
