//! Tables that are swept in waves: the common driver of all recurrences whose cells depend only on earlier waves.
//!
//! A *wave* is a set of cells that do not depend on each other: a row of a knapsack table, an anti-diagonal of two
//! strings' table, all subsets of one size. A recurrence defines its waves and how a cell follows from cells of the
//! last few waves ([`Recurrence`]; for a GPU `cuda::Kernels`). The driver does the rest: it stores a ring of the
//! waves that are still needed, fills waves in parallel, and stores for every cell the few bits that say how it was
//! made, its *choice*, so that a walk from the last wave to the first finds the answer behind a value.
//!
//! Choices that do not fit a GPU are streamed to the host while the next waves are computed.
//!
//! The model of waves, and of moving finished ones to the host, is that of J. O'Connell and C. Mumford, "An exact
//! dynamic programming based method to solve optimisation problems using GPUs", 2014; storing choices instead of
//! values is isx's addition.
//!
//! ```
//! use isx_machine::Machine;
//! use isx_papers::wave::{Before, Recurrence, Table, Waves};
//!
//! /// Paths through a square of numbers from the left edge to the right, each step at most one row up or down.
//! struct Paths([[u32; 4]; 4]);
//!
//! impl Waves for Paths {
//!     fn waves(&self) -> u64 { 4 }                  // a wave a column
//!     fn cells(&self, _: u64) -> usize { 4 }
//!     fn reach(&self) -> usize { 1 }                // which needs the column before
//!     fn choice_bits(&self) -> u32 { 2 }            // up, level, down
//! }
//!
//! impl Recurrence for Paths {
//!     type Cell = u32;
//!     fn cell(&self, column: u64, row: usize, before: &Before<'_, u32>) -> (u32, u8) {
//!         let from = |step: u8| Some(*before.wave(1).get((row + usize::from(step)).checked_sub(1)?)?);
//!         let best = (0..3).filter_map(|step| Some((from(step)?, step))).min().unwrap_or((0, 1));
//!         (best.0 + self.0[row][column as usize], best.1)
//!     }
//! }
//!
//! let square = Paths([[3, 9, 9, 9], [9, 1, 9, 1], [9, 9, 2, 9], [1, 9, 9, 9]]);
//! let machine = Machine::default();
//! let table = Table::sweep(&square, &machine, true, &|_| ())?;
//! let (mut row, least) = (1, table.last()[1]);
//! assert_eq!(least, 3 + 1 + 2 + 1);
//! let mut rows = vec![row];
//! for column in (1..4).rev() {
//!     row = (row + usize::from(table.choice(column, row))) - 1;
//!     rows.push(row);
//! }
//! assert_eq!(rows, [1, 2, 1, 0]);
//! # Ok::<(), isx_engine::EngineError>(())
//! ```

pub mod cuda;
mod layout;
mod ring;
mod table;

pub use layout::Layout;
pub use ring::Before;
pub use table::{Table, bytes_of};

use isx_engine::EngineError;

/// The waves of a table.
pub trait Waves: Sync {
    /// The number of waves, at least 1; the first is number 0.
    fn waves(&self) -> u64;

    /// Cells of a wave, at least 1.
    fn cells(&self, wave: u64) -> usize;

    /// The number of previous waves from which a cell is computed, at least 1.
    fn reach(&self) -> usize;

    /// Bits per choice: 1, 2, 4 or 8.
    fn choice_bits(&self) -> u32;
}

/// How a cell follows from the previous waves.
pub trait Recurrence: Waves {
    /// A cell.
    type Cell: Copy + Default + Send + Sync;

    /// A cell's value, and its choice.
    fn cell(&self, wave: u64, at: usize, before: &Before<'_, Self::Cell>) -> (Self::Cell, u8);

    /// Fills the cells of a wave from `first` on, and their choices: none if there is no byte for them, else packed,
    /// the first cell's in the lowest bits of the first byte. Override it if many cells at once are faster.
    fn fill(
        &self,
        wave: u64,
        first: usize,
        before: &Before<'_, Self::Cell>,
        cells: &mut [Self::Cell],
        choices: &mut [u8],
    ) {
        if choices.is_empty() {
            for (at, cell) in (first..).zip(cells) {
                *cell = self.cell(wave, at, before).0;
            }
            return;
        }
        let bits = self.choice_bits();
        let per_byte = (8 / bits) as usize;
        for ((at, cells), byte) in (first..).step_by(per_byte).zip(cells.chunks_mut(per_byte)).zip(choices) {
            let mut packed = 0u32;
            for (within, cell) in cells.iter_mut().enumerate() {
                let (value, choice) = self.cell(wave, at + within, before);
                *cell = value;
                packed |= u32::from(choice) << (within as u32 * bits);
            }
            *byte = packed as u8;
        }
    }
}

/// The error of a system that gives no memory for a table.
fn no_memory(error: std::io::Error) -> EngineError {
    EngineError::NoMemory(format!("the system gives no memory for a table: {error}"))
}
