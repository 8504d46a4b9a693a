//! Rows of cells, and the cell formats of a strip that is being computed.

use super::scratch::LaneScratch;
use crate::answer::Value;
use isx_machine::cpu::lanes::Lane;
use isx_problems::reduce::mckp::Reduced;
use num_traits::ToPrimitive;

/// Unreachable cells left of cell 0, so that a tile may read there; row lengths are also multiples of this. No tile
/// is longer.
pub const TILE: usize = 256;

/// Cells per strip, the work of one task.
pub const STRIP: usize = 4096;

/// A cell of a row.
pub trait Cell: Value + Lane + Into<i64> + ToPrimitive + LaneScratch + bytemuck::Pod {}
impl Cell for i32 {}
impl Cell for i64 {}

/// A lane type for cells stored as differences from a base; values below its range saturate.
pub trait Narrow<V>: Lane + LaneScratch {
    /// The cell minus the base, saturating below; the caller guarantees that it does not exceed the upper end.
    fn pack(cell: V, base: V) -> Self;
    /// The cell again.
    fn unpack(self, base: V) -> V;
}

macro_rules! narrow {
    ($narrow:ty, $wide:ty) => {
        impl Narrow<$wide> for $narrow {
            #[inline(always)]
            fn pack(cell: $wide, base: $wide) -> Self {
                // Saturation comes first: an unreachable cell minus the base may exceed the wide type's own range.
                let lowest = base.wrapping_add(<$wide>::from(<$narrow>::LOWEST));
                Ord::max(cell, lowest).wrapping_sub(base) as $narrow
            }
            #[inline(always)]
            fn unpack(self, base: $wide) -> $wide {
                <$wide>::from(self).wrapping_add(base)
            }
        }
    };
}
narrow!(i16, i32);
narrow!(i16, i64);
narrow!(i32, i64);

/// One row of the dynamic program: [`TILE`] unreachable cells, followed by the cells from 0 on.
pub struct Row<'a, V> {
    cells: &'a mut [V],
}

impl<'a, V: Cell> Row<'a, V> {
    /// A row in existing memory, whatever its content.
    pub fn new(cells: &'a mut [V]) -> Self {
        cells[..TILE].fill(V::LOWEST);
        Self { cells }
    }

    /// Its memory, to be used for another row.
    pub fn give_back(self) -> &'a mut [V] {
        self.cells
    }

    /// All cells, including the unreachable ones.
    pub fn padded(&self) -> &[V] {
        self.cells
    }

    /// The cells from 0 on.
    pub fn cells(&self) -> &[V] {
        &self.cells[TILE..]
    }

    /// The cells from 0 on.
    pub fn cells_mut(&mut self) -> &mut [V] {
        &mut self.cells[TILE..]
    }
}

/// The lengths of rows and layers.
pub struct Lengths {
    /// The last cell that matters, per layer.
    pub reach: Vec<usize>,
}

impl Lengths {
    /// For a problem whose capacity is known to fit into memory.
    pub fn new<V: Cell>(problem: &Reduced<V>) -> Self {
        Self { reach: problem.reach().iter().map(|&reach| reach as usize).collect() }
    }

    /// Cells of row `row` from cell 0 on, where row 0 precedes all classes: all that the next layer reads, its own
    /// reach and beyond.
    pub fn row(&self, row: usize) -> usize {
        let asked = self.reach.get(row).or(self.reach.last()).copied().unwrap_or(0);
        (asked + 1).next_multiple_of(TILE)
    }

    /// Cells of that row with its padding.
    pub fn padded(&self, row: usize) -> usize {
        TILE + self.row(row)
    }

    /// Cells that layer `layer` computes.
    pub fn computed(&self, layer: usize) -> usize {
        (self.reach[layer] + 1).next_multiple_of(TILE)
    }
}
