//! Rows of cells, and how cells are held while a strip of them is worked on.

use super::forward::Forward;
use super::lanes::{Isa, Lane};
use super::strip::LaneScratch;
use super::trace::Trace;
use crate::engine::mckp::answer::Stored;
use crate::machine::cpu::Team;
use crate::reduce::mckp::Reduced;
use num_traits::ToPrimitive;

/// Unreachable cells left of cell 0, so that a tile may look there; also what lengths of rows are multiples of.
/// No tile is longer.
pub const TILE: usize = 256;

/// Cells of a strip: what one task works on.
pub const STRIP: usize = 4096;

/// A cell of a row.
pub trait Cell: Stored + Lane + Into<i64> + ToPrimitive + LaneScratch + bytemuck::Pod {
    /// Runs a strip of the forward pass.
    fn forward(isa: Isa, job: Forward<'_, Self>) -> u64;
    /// Runs a strip of the traceback.
    fn trace(isa: Isa, job: Trace<'_, '_, Self>);
}

/// A lane type in which cells are held as differences from a base; what falls below its range is cut there.
pub trait Narrow<V>: Lane + LaneScratch {
    /// The cell less the base, if not cut; the caller knows that it does not pass the upper end.
    fn pack(cell: V, base: V) -> Self;
    /// The cell again.
    fn unpack(self, base: V) -> V;
}

macro_rules! narrow {
    ($narrow:ty, $wide:ty) => {
        impl Narrow<$wide> for $narrow {
            #[inline(always)]
            fn pack(cell: $wide, base: $wide) -> Self {
                // Cutting comes first: an unreachable cell less the base may pass the wide type's own range.
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

/// One row of the dynamic program: [`TILE`] unreachable cells, then cell 0 and on.
pub struct Row<'a, V> {
    cells: &'a mut [V],
}

impl<'a, V: Cell> Row<'a, V> {
    /// A row in that memory, whatever it held.
    pub fn new(cells: &'a mut [V]) -> Self {
        cells[..TILE].fill(V::LOWEST);
        Self { cells }
    }

    /// The memory, for another row.
    pub fn give_back(self) -> &'a mut [V] {
        self.cells
    }

    /// With the unreachable cells.
    pub fn padded(&self) -> &[V] {
        self.cells
    }

    /// Cell 0 and on.
    pub fn cells(&self) -> &[V] {
        &self.cells[TILE..]
    }

    /// Cell 0 and on.
    pub fn cells_mut(&mut self) -> &mut [V] {
        &mut self.cells[TILE..]
    }
}

/// Memory of all rows, in one piece so that the system can give it in large pages: a row is written once and
/// read a few times, so that with small ones more time would go into getting pages than into computing rows.
pub struct Arena {
    map: memmap2::MmapMut,
}

/// Memory from which on large pages are asked for.
pub const LARGE: usize = 4 << 20;

/// Bytes of the large pages of most systems, and of the small ones.
pub const LARGE_PAGE: usize = 2 << 20;
const SMALL_PAGE: usize = 4 << 10;

/// Seconds to get a byte of a large page.
pub const SECONDS_A_BYTE: f64 = 0.05e-9;

impl Arena {
    /// Room for `bytes` bytes, all 0.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    pub fn new(bytes: usize) -> std::io::Result<Self> {
        let map = memmap2::MmapMut::map_anon(bytes.max(1))?;
        #[cfg(target_os = "linux")]
        if bytes >= LARGE {
            // Small pages do as well, only slower.
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        Ok(Self { map })
    }

    /// Makes the system give the memory now, all threads asking for their part of it. Left to the rows, a large page
    /// would be filled with zeros by one thread while the others wait for it.
    pub fn touch(&mut self, team: &Team) {
        let bytes = self.map.len();
        if team.threads() < 2 || bytes < LARGE {
            return;
        }
        let before = self.map.as_ptr().align_offset(LARGE_PAGE).min(bytes);
        let (first, aligned) = self.map.split_at_mut(before);
        let touch = |part: &mut [u8]| part.iter_mut().step_by(SMALL_PAGE).for_each(|byte| *byte = 0);
        touch(first);
        let seconds = bytes as f64 * SECONDS_A_BYTE;
        team.sum_chunks(aligned, LARGE_PAGE, seconds, |_, page| {
            touch(page);
            0
        });
    }

    /// The memory, cut into rows of those lengths (padding included).
    pub fn rows<V: Cell>(&mut self, lengths: impl Iterator<Item = usize>) -> Vec<&mut [V]> {
        let bytes = self.map.len() / size_of::<V>() * size_of::<V>();
        let mut rest: &mut [V] = bytemuck::cast_slice_mut(&mut self.map[..bytes]);
        let mut rows = Vec::new();
        for length in lengths {
            let (row, after) = rest.split_at_mut(length);
            rest = after;
            rows.push(row);
        }
        rows
    }
}

/// How many cells rows and layers have.
pub struct Lengths {
    /// The last cell that counts, a layer.
    pub reach: Vec<usize>,
}

impl Lengths {
    /// Those of a problem whose capacity is known to fit memory.
    pub fn new<V: Cell>(problem: &Reduced<V>) -> Self {
        Self { reach: problem.reach().iter().map(|&reach| reach as usize).collect() }
    }

    /// Cells of row `row` from cell 0 on, where row 0 comes before any class: all that the next layer asks of it,
    /// its own reach and beyond.
    pub fn row(&self, row: usize) -> usize {
        let asked = self.reach.get(row).or(self.reach.last()).copied().unwrap_or(0);
        (asked + 1).next_multiple_of(TILE)
    }

    /// Cells of that row and its padding.
    pub fn padded(&self, row: usize) -> usize {
        TILE + self.row(row)
    }

    /// Cells that layer `layer` computes.
    pub fn computed(&self, layer: usize) -> usize {
        (self.reach[layer] + 1).next_multiple_of(TILE)
    }
}
