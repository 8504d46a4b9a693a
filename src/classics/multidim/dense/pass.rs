//! One pass over the plane of values: two items at the same time, or the last one alone.
//!
//! With items a and b, A(x) = G(x - w_a) + p_a and so on:
//!
//! ```text
//! G'(x) = max( G(x), A(x), B(x), AB(x) )
//! ```
//!
//! reads each cell's four sources and writes the cell once, where two passes would write it twice. Cells are
//! computed in place from the last to the first: the sources of a cell precede it. A row consists of groups of
//! [`GROUP`] cells after one group of unreachable cells, so that a source may lie left of cell 0.
//!
//! Bits: of equal candidates the first in the order G, A, B, AB is taken, so a bit is set only if necessary.

use isx_machine::cpu::lanes::{Isa, Kernel, Lane, Lanes, Simd};
use isx_problems::multidim::{MAX_DIMENSIONS, PerDimension};
use isx_problems::value::Value;

/// Cells per word of bits; a whole number of vectors on every instruction set.
pub const GROUP: usize = 64;

/// A cell in each dimension.
pub type Place = [usize; MAX_DIMENSIONS];

/// The layout of cells and bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Grid {
    /// Rows: cells of the first dimension, and of the second.
    sides: [usize; 2],
    /// Groups of a row, without the padding.
    groups: usize,
}

impl Grid {
    /// A grid whose last cell is `last`; the caller guarantees that it fits into memory.
    pub fn new(last: PerDimension) -> Self {
        let [first, second, third] = last.map(|cell| cell as usize + 1);
        Self { sides: [first, second], groups: third.div_ceil(GROUP) }
    }

    pub fn rows(&self) -> usize {
        self.sides[0] * self.sides[1]
    }

    /// Cells of a row with its padding.
    pub fn row_length(&self) -> usize {
        (self.groups + 1) * GROUP
    }

    /// Words of the bits of an item.
    pub fn words(&self) -> usize {
        self.rows() * self.groups
    }

    fn row(&self, x: usize, y: usize) -> usize {
        x * self.sides[1] + y
    }

    /// The number of a cell.
    pub fn cell(&self, [x, y, z]: Place) -> usize {
        self.row(x, y) * self.row_length() + GROUP + z
    }

    /// The word and the bit of a cell.
    pub fn bit(&self, [x, y, z]: Place) -> (usize, usize) {
        (self.row(x, y) * self.groups + z / GROUP, z % GROUP)
    }
}

/// An item of a pass.
#[derive(Clone, Copy, Debug)]
pub struct Step<V> {
    /// Its weights.
    pub weights: PerDimension,
    /// Its profit.
    pub profit: V,
}

/// A pass over the cells from `low` to `reach`.
pub struct Pass<'a, V> {
    pub grid: Grid,
    pub cells: &'a mut [V],
    /// An item and its bits.
    pub first: (Step<V>, &'a mut [u64]),
    /// The second item, if any.
    pub second: Option<(Step<V>, &'a mut [u64])>,
    pub low: Place,
    pub reach: Place,
}

/// A cell of the table.
pub trait Cell: Value + Copy {
    /// A value so low that no sum of profits raises it to 0.
    const UNREACHABLE: Self;
    /// Runs a pass.
    fn run(isa: Isa, pass: Pass<'_, Self>);
}

macro_rules! lanes {
    ($type:ty) => {
        impl Cell for $type {
            const UNREACHABLE: Self = <$type as Lane>::LOWEST;
            fn run(isa: Isa, pass: Pass<'_, Self>) {
                isa.run(pass);
            }
        }
        impl Kernel for Pass<'_, $type> {
            type Output = ();
            #[inline(always)]
            fn run<S: Simd>(self, simd: S) {
                rows(self, |cells, row| groups::<$type, S>(simd, cells, row));
            }
        }
    };
}
lanes!(i32);
lanes!(i64);

impl Cell for i128 {
    const UNREACHABLE: Self = i128::MIN / 2;
    fn run(_: Isa, pass: Pass<'_, Self>) {
        rows(pass, groups_one_by_one);
    }
}

/// The source of a candidate for a row's cells: `shift` cells before the same cell of the row that begins at
/// `start`.
#[derive(Clone, Copy)]
struct Source<V> {
    start: usize,
    shift: usize,
    profit: V,
}

/// A row of cells to compute.
struct Row<'a, V> {
    /// Its cell 0.
    start: usize,
    /// The first group and the last.
    groups: (usize, usize),
    first: Option<Source<V>>,
    second: Option<Source<V>>,
    both: Option<Source<V>>,
    first_bits: &'a mut [u64],
    second_bits: &'a mut [u64],
}

/// Every row of the pass, from the last to the first.
#[inline(always)]
fn rows<V: Value + Copy>(pass: Pass<'_, V>, mut compute: impl FnMut(&mut [V], Row<'_, V>)) {
    let Pass { grid, cells, first: (first, first_bits), second, low, reach } = pass;
    // If there is no second item, the stand-in for it is heavier than anything.
    let (second, second_bits) = match second {
        Some((second, bits)) => (Some(second), bits),
        None => (None, &mut [][..]),
    };
    let both = second.and_then(|second| {
        let mut weights = first.weights;
        for (weight, more) in weights.iter_mut().zip(second.weights) {
            *weight = weight.checked_add(more)?;
        }
        Some(Step { weights, profit: first.profit.plus(&second.profit) })
    });
    for x in (low[0]..=reach[0]).rev() {
        for y in (low[1]..=reach[1]).rev() {
            let source = |step: Step<V>| {
                let weight = |at: usize| usize::try_from(step.weights[at]).ok();
                let (x, y, shift) = (x.checked_sub(weight(0)?)?, y.checked_sub(weight(1)?)?, weight(2)?);
                (shift <= reach[2]).then(|| Source {
                    start: grid.cell([x, y, 0]),
                    shift,
                    profit: step.profit,
                })
            };
            let words = grid.row(x, y) * grid.groups..(grid.row(x, y) + 1) * grid.groups;
            let row = Row {
                start: grid.cell([x, y, 0]),
                groups: (low[2] / GROUP, reach[2] / GROUP),
                first: source(first),
                second: second.and_then(source),
                both: both.and_then(source),
                first_bits: &mut first_bits[words.clone()],
                second_bits: if second_bits.is_empty() { &mut [] } else { &mut second_bits[words] },
            };
            compute(cells, row);
        }
    }
}

/// The groups of a row, in vectors.
#[inline(always)]
fn groups<V: Lane, S: Lanes<V>>(simd: S, cells: &mut [V], row: Row<'_, V>) {
    let Row { start, groups, first, second, both, first_bits, second_bits } = row;
    for group in (groups.0..=groups.1).rev() {
        // A source matters from the first group that has a cell at or after its shift.
        let here = |source: Option<Source<V>>| source.filter(|source| group >= source.shift / GROUP);
        let at = start + group * GROUP;
        let (a, b) = match (here(first), here(second), here(both)) {
            (Some(first), Some(second), Some(both)) => several(simd, cells, at, start, [first, second, both]),
            (Some(first), Some(second), None) => several(simd, cells, at, start, [first, second]),
            (Some(first), None, _) => (one(simd, cells, at, start, first), 0),
            (None, Some(second), _) => (0, one(simd, cells, at, start, second)),
            (None, None, _) => (0, 0),
        };
        first_bits[group] = a;
        if let Some(bits) = second_bits.get_mut(group) {
            *bits = b;
        }
    }
}

/// The candidates from a source for the vector at `at`.
#[inline(always)]
fn candidates<V: Lane, S: Lanes<V>>(
    simd: S,
    cells: &[V],
    at: usize,
    start: usize,
    source: &Source<V>,
) -> S::Reg {
    let from = source.start + (at - start) - source.shift;
    simd.add(simd.load(&cells[from..]), simd.splat(source.profit))
}

#[inline(always)]
fn one<V: Lane, S: Lanes<V>>(simd: S, cells: &mut [V], at: usize, start: usize, source: Source<V>) -> u64 {
    let mut bits = 0;
    for vector in (0..GROUP / S::WIDTH).rev() {
        let at = at + vector * S::WIDTH;
        let old = simd.load(&cells[at..]);
        let best = simd.max(old, candidates(simd, cells, at, start, &source));
        let kept = simd.equal(best, old);
        simd.store(&mut cells[at..], best);
        bits |= (!kept & (u64::MAX >> (64 - S::WIDTH))) << (vector * S::WIDTH);
    }
    bits
}

/// The maximum of two sources, or of three, of which the last takes both items.
#[inline(always)]
fn several<V: Lane, S: Lanes<V>, const N: usize>(
    simd: S,
    cells: &mut [V],
    at: usize,
    start: usize,
    sources: [Source<V>; N],
) -> (u64, u64) {
    let (mut first_bits, mut second_bits) = (0, 0);
    for vector in (0..GROUP / S::WIDTH).rev() {
        let at = at + vector * S::WIDTH;
        let old = simd.load(&cells[at..]);
        let first = candidates(simd, cells, at, start, &sources[0]);
        let second = candidates(simd, cells, at, start, &sources[1]);
        let rest = match sources.get(2) {
            Some(both) => simd.max(second, candidates(simd, cells, at, start, both)),
            None => second,
        };
        let best = simd.max(simd.max(old, first), rest);
        let changed = !simd.equal(best, old) & (u64::MAX >> (64 - S::WIDTH));
        let by_first = simd.equal(best, first);
        let by_both = if N > 2 { !simd.equal(best, second) } else { 0 };
        simd.store(&mut cells[at..], best);
        first_bits |= (changed & (by_first | by_both)) << (vector * S::WIDTH);
        second_bits |= (changed & !by_first) << (vector * S::WIDTH);
    }
    (first_bits, second_bits)
}

/// The same without vectors, for types that no vector supports.
fn groups_one_by_one<V: Value + Copy>(cells: &mut [V], row: Row<'_, V>) {
    let Row { start, groups, first, second, both, first_bits, second_bits } = row;
    for group in (groups.0..=groups.1).rev() {
        let (mut a, mut b) = (0, 0);
        for bit in (0..GROUP).rev() {
            let cell = group * GROUP + bit;
            let mut best = (cells[start + cell], false, false);
            for (source, by_first, by_second) in
                [(first, true, false), (second, false, true), (both, true, true)]
            {
                let Some(source) = source.filter(|source| source.shift <= cell) else { continue };
                let candidate = cells[source.start + cell - source.shift].plus(&source.profit);
                if candidate > best.0 {
                    best = (candidate, by_first, by_second);
                }
            }
            cells[start + cell] = best.0;
            a |= u64::from(best.1) << bit;
            b |= u64::from(best.2) << bit;
        }
        first_bits[group] = a;
        if let Some(bits) = second_bits.get_mut(group) {
            *bits = b;
        }
    }
}
