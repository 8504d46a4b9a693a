//! Items over a row of cells, one after the other or several together.
//!
//! Two rows alternate, so that sections of a row (tiles) are independent and threads can divide them. A row that
//! does not fit the cache is not read once per step: a tile applies a whole *batch* of consecutive steps in two
//! small windows. The window begins left of the tile by the reach of the batch's later steps; the cells there are
//! computed twice.
//!
//! ```text
//! items of weight 3, 2, tile [8, 16):    window of item 1: cells 6 .. 15 (reads 3 .. 15 of the row), then item 2: cells 8 .. 15
//! ```
//!
//! Skipped cells: those above the weight of all items so far; and, if one capacity C is requested, those below C
//! minus the weight of all later items (P. Toth, "Dynamic programming algorithms for the zero-one knapsack problem",
//! Computing 25, 1980).
//!
//! The decisions on an item can be stored, one bit per cell ([`Decisions`]).

pub mod form;
mod layers;
pub mod step;

pub use layers::{BLOCK, Layer, Target, bits_seconds, front_seconds, row_cells, together, work};

use crate::Decisions;
use form::Form;
use isx_engine::{Context, EngineError};
use isx_machine::cpu::lanes::Isa;
use isx_machine::cpu::{Arena, Team};
use isx_machine::rates;
use layers::{BITS, HALO, TILE, batch_size, computed, halos};
use std::sync::{Mutex, MutexGuard, PoisonError};
use step::{Cell, Pass};

/// Words of bits per block of cells.
const BLOCK_WORDS: usize = BLOCK / 64;

/// A row between two steps.
pub struct Row {
    memory: Arena,
    /// Weight of all items so far.
    pub so_far: u128,
    /// Number of valid cells, counted from 0; cells below the needed range may be invalid.
    valid: usize,
}

impl Row {
    /// The cells, after a block of unreachable ones.
    pub fn cells<V: Cell>(&self) -> &[V] {
        &self.memory.cells()[BLOCK..]
    }
}

#[derive(Default)]
struct Windows<V> {
    source: Vec<V>,
    target: Vec<V>,
}

/// The rows of one length, and the threads that fill them.
pub struct Sweep<'a, V> {
    context: &'a Context<'a>,
    pub team: &'a Team<'a>,
    pub isa: Isa,
    pub form: Form,
    /// Cells of a row, for the capacity.
    cells: usize,
    windows: Vec<Mutex<Windows<V>>>,
    /// Rows that can be reused.
    spare: Mutex<Vec<Row>>,
}

/// The guarded data is written before it is read, or consistent at any time, so a panicked thread leaves no invalid
/// state.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a, V: Cell> Sweep<'a, V> {
    /// For rows up to this capacity.
    pub fn new(context: &'a Context<'a>, team: &'a Team<'a>, form: Form, capacity: usize) -> Self {
        let mut windows = Vec::new();
        windows.resize_with(team.threads(), || Mutex::new(Windows::default()));
        let (isa, cells, spare) = (Isa::best(), row_cells(capacity), Mutex::default());
        Self { context, team, isa, form, cells, windows, spare }
    }

    /// Allocates the memory of this many rows, with all threads touching their part of it. Fails if the system
    /// provides no memory.
    pub fn reserve(&self, rows: usize) -> Result<(), EngineError> {
        let rows = (0..rows).map(|_| self.new_row(true)).collect::<Result<Vec<_>, _>>()?;
        lock(&self.spare).extend(rows);
        Ok(())
    }

    fn new_row(&self, touched: bool) -> Result<Row, EngineError> {
        let mut memory = Arena::new((BLOCK + self.cells) * size_of::<V>()).map_err(|error| {
            EngineError::NoMemory(format!("the system gives no memory for its rows: {error}"))
        })?;
        if touched {
            memory.touch(self.team);
        }
        memory.cells_mut::<V>()[..BLOCK].fill(V::LOWEST);
        Ok(Row { memory, so_far: 0, valid: 0 })
    }

    fn row(&self) -> Result<Row, EngineError> {
        let spare = lock(&self.spare).pop();
        spare.map_or_else(|| self.new_row(false), Ok)
    }

    /// Returns a row for reuse.
    pub fn give_back(&self, row: Row) {
        lock(&self.spare).push(row);
    }

    /// The row of no items. Fails if the system provides no memory.
    fn start(&self) -> Result<Row, EngineError> {
        let Row { mut memory, .. } = self.row()?;
        let cells = &mut memory.cells_mut::<V>()[BLOCK..];
        cells[..BLOCK].fill(self.form.unreached());
        cells[0] = V::of(0);
        Ok(Row { memory, so_far: 0, valid: BLOCK })
    }

    /// Makes the row valid up to `end`: beyond the weight of all items so far its value stays the same.
    fn extend(&self, row: &mut Row, end: usize) {
        if row.valid < end {
            let cells = &mut row.memory.cells_mut::<V>()[BLOCK..];
            let last = cells[row.valid - 1];
            let beyond = if self.form.slope.is_some() { self.form.unreached() } else { last };
            cells[row.valid..end].fill(beyond);
            row.valid = end;
        }
    }

    /// Applies the layers to the empty row, and returns the last row, valid in every cell up to the capacity. Fails if the
    /// computation is cancelled, or the system provides no memory.
    pub fn items(
        &self,
        layers: &[Layer],
        target: Target,
        mut bits: Option<&mut Decisions>,
    ) -> Result<Row, EngineError> {
        let all = together(layers);
        let (mut now, mut spare) = (self.start()?, None);
        let mut at = 0;
        while at < layers.len() {
            self.context.go_on()?;
            let to_come = all - now.so_far - layers[at].weight as u128;
            let (first, _) = computed(self.form, target, now.so_far, to_come);
            let count = batch_size::<V>(&layers[at..], row_cells(target.capacity) - first);
            let batch = &layers[at..at + count];
            let so_far = now.so_far + together(batch);
            let (_, end) = computed(self.form, target, so_far, 0);
            self.extend(&mut now, end);
            let mut next = match spare.take() {
                Some(row) => row,
                None => self.row()?,
            };
            let bits = bits.as_deref_mut().map(|bits| (bits, at));
            self.batch(batch, &now, first, (&mut next, end), bits);
            at += count;
            (next.so_far, next.valid) = (so_far, end);
            spare = Some(std::mem::replace(&mut now, next));
            self.context.progress.advance(count as u64);
        }
        if let Some(row) = spare {
            self.give_back(row);
        }
        self.extend(&mut now, row_cells(target.capacity));
        Ok(now)
    }

    /// A batch over all cells from `first` to `end`; `at` is the row of bits of its first item.
    fn batch(
        &self,
        layers: &[Layer],
        old: &Row,
        first: usize,
        (new, end): (&mut Row, usize),
        bits: Option<(&mut Decisions, usize)>,
    ) {
        let old = old.memory.cells::<V>();
        let new = &mut new.memory.cells_mut::<V>()[BLOCK + first..BLOCK + end];
        let cells = new.len() as f64;
        let with_bits = bits.is_some();
        let width = self.form.width() + if with_bits { BITS } else { 0.0 };
        let seconds = layers.len() as f64 * cells * width * rates::KNAPSACK_ITEM;
        let tiles = new.len().div_ceil(TILE);
        let mut bits_of_tiles: Vec<Vec<&mut [u64]>> = (0..tiles).map(|_| Vec::new()).collect();
        if let Some((decisions, at)) = bits {
            let (all, words) = decisions.rows();
            for row in all[at * words..].chunks_mut(words.max(1)).take(layers.len()) {
                let row = &mut row[first / BLOCK * BLOCK_WORDS..end / BLOCK * BLOCK_WORDS];
                for (tile, bits) in bits_of_tiles.iter_mut().zip(row.chunks_mut(TILE / BLOCK * BLOCK_WORDS)) {
                    tile.push(bits);
                }
            }
        }
        let jobs: Vec<_> = (first..).step_by(TILE).zip(new.chunks_mut(TILE)).zip(bits_of_tiles).collect();
        let halos = halos(layers);
        self.team.for_each(jobs, seconds, |((cell, new), bits)| {
            if let [layer] = *layers {
                let (at, bits) = (BLOCK + cell, bits.into_iter().next());
                return V::pass(self.isa, Pass { old, at, cell, layer, new, bits });
            }
            let windows = &mut lock(&self.windows[self.team.member()]);
            self.tile((layers, &halos), old, cell, new, bits, windows);
        });
    }

    /// A batch over the tile that begins at `cell`.
    fn tile(
        &self,
        (layers, halos): (&[Layer], &[usize]),
        old: &[V],
        cell: usize,
        new: &mut [V],
        bits: Vec<&mut [u64]>,
        windows: &mut Windows<V>,
    ) {
        let start_of = |number: usize| cell.saturating_sub(halos.get(number).copied().unwrap_or(0));
        let origin = start_of(0);
        let last = layers.len() - 1;
        let Windows { source, target } = windows;
        if last > 0 {
            for window in [&mut *source, &mut *target] {
                window.resize(BLOCK + HALO + BLOCK + TILE, V::LOWEST);
                window[..BLOCK].fill(V::LOWEST);
            }
        }
        let (mut source, mut target) = (source, target);
        let mut bits = bits.into_iter();
        for (number, &layer) in layers.iter().enumerate() {
            let start = start_of(number);
            let (old, at): (&[V], usize) =
                if number == 0 { (old, BLOCK + start) } else { (source, BLOCK + start - origin) };
            let bits = bits.next();
            if number == last {
                V::pass(self.isa, Pass { old, at, cell: start, layer, new: &mut *new, bits });
                return;
            }
            let stretch = &mut target[BLOCK + start - origin..][..cell - start + new.len()];
            // Only the tile itself has bits.
            let before = if bits.is_some() { cell - start } else { 0 };
            let (halo, stretch) = stretch.split_at_mut(before);
            if before > 0 {
                V::pass(self.isa, Pass { old, at, cell: start, layer, new: halo, bits: None });
            }
            let (at, cell) = (at + before, start + before);
            V::pass(self.isa, Pass { old, at, cell, layer, new: stretch, bits });
            std::mem::swap(&mut source, &mut target);
        }
    }
}
