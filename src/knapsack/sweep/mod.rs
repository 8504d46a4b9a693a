//! Steps over a row of cells, one after the other or several in one go: what all engines of the CPU that fill rows share.
//!
//! Rows take turns, so that stretches of a row (tiles) are independent and threads share them. A row that the cache does
//! not hold is not read once per step: a tile takes a whole *batch* of neighbouring steps in two small windows. The window
//! begins left of the tile by what the batch's later steps reach, whose cells are computed a second time there.
//!
//! ```text
//! items of weight 3, 2, tile [8, 16):    window of item 1: cells 6 .. 15 (reads 3 .. 15 of the row), then item 2: cells 8 .. 15
//! ```
//!
//! Cells left out: above the weight of all items so far; and where one capacity C is asked for, below C less the weight of
//! all items to come (P. Toth, "Dynamic programming algorithms for the zero-one knapsack problem", Computing 25, 1980).
//!
//! What a step did can be kept in two ways: a bit per item and cell ([`Decisions`]), or the rows between groups of items.

pub mod form;
mod item;
pub mod step;

use crate::Decisions;
use form::Form;
use isx_engine::{Context, EngineError};
use isx_machine::cpu::lanes::Isa;
use isx_machine::cpu::{Arena, Team};
use isx_problems::knapsack::Item;
use std::sync::{Mutex, MutexGuard, PoisonError};
use step::{BLOCK, Cell, Pass, Step};

/// Cells of a tile, and what its later steps reach together at most.
const TILE: usize = 256 * BLOCK;
const HALO: usize = TILE / 2;

/// Bytes of a row from which on steps are taken together.
const CACHED: usize = 1 << 20;

/// Words of bits per block of cells.
const BLOCK_WORDS: usize = BLOCK / 64;

/// What a bit per cell costs, as a part of a step's time over 32-bit cells.
const BITS: f64 = 0.5;

/// Seconds to read and write a byte of a row that no cache holds.
const BYTE: f64 = 0.05e-9;

/// A step and the group that it belongs to.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The step.
    pub step: Step,
    /// The number of the group; of an item that is a step by itself its own.
    pub group: usize,
}

impl Layer {
    /// An item by itself.
    pub fn item(form: Form, item: &Item, number: usize) -> Self {
        // The weight is at most the capacity, which fits memory.
        Self { step: Step::Item { weight: item.weight as usize, gain: form.gain(item) }, group: number }
    }
}

/// What of the last row is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The last cell.
    pub capacity: usize,
    /// Cells below the capacity less this are not wanted; `None`: all are.
    pub below: Option<u128>,
}

impl Target {
    /// For that question; a best selection is lighter than the capacity by no more than `slack`.
    pub fn of(wanted: crate::Wanted, capacity: usize, slack: u64) -> Self {
        Self { capacity, below: wanted.is_one_capacity().then_some(slack.into()) }
    }
}

/// A row between two steps.
pub struct Row {
    memory: Arena,
    /// Weight of all items so far.
    pub so_far: u128,
    /// Cells, from 0 on, that hold something, if they are not below all that is wanted.
    valid: usize,
    /// The number of groups so far, between two of them.
    pub after: Option<usize>,
}

impl std::fmt::Debug for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { so_far, valid, after, .. } = self;
        f.debug_struct("Row").field("so_far", so_far).field("valid", valid).field("after", after).finish()
    }
}

impl Row {
    /// The cells, after so many unreachable ones.
    pub fn cells<V: Cell>(&self, pad: usize) -> &[V] {
        &self.memory.cells()[pad..]
    }
}

/// Cells of a row without padding, for that capacity.
pub fn row_cells(capacity: usize) -> usize {
    (capacity + 1).next_multiple_of(BLOCK)
}

/// The weight that the steps bring.
pub fn together(layers: &[Layer]) -> u128 {
    layers.iter().map(|layer| layer.step.reach() as u128).sum()
}

/// The cells, from `first` to `end`, that are computed up to a step; the weights up to it and after it are given.
fn computed(form: Form, target: Target, so_far: u128, to_come: u128) -> (usize, usize) {
    let capacity = target.capacity as u128;
    let first = match target.below {
        Some(below) if form.slope.is_none() => capacity.saturating_sub(below + to_come) as usize,
        _ => 0,
    };
    (first / BLOCK * BLOCK, row_cells(capacity.min(so_far) as usize))
}

/// Cells that all steps are computed at, and the seconds that one thread is expected to need for them.
pub fn work(form: Form, layers: &[Layer], target: Target) -> (f64, f64) {
    let all = together(layers);
    let width = form.width();
    let mut so_far = 0;
    layers.iter().fold((0.0, 0.0), |(cells, seconds), layer| {
        so_far += layer.step.reach() as u128;
        let (first, end) = computed(form, target, so_far, all - so_far);
        let more = end.saturating_sub(first) as f64;
        let far = layer.step.reach() > HALO && more * width * 4.0 > CACHED as f64;
        let byte = if far { BYTE * 12.0 * width } else { 0.0 };
        (cells + more, seconds + more * (layer.step.seconds() * width + byte))
    })
}

/// Seconds that one thread is expected to need for items at so many cells.
pub fn item_seconds(form: Form, cells: f64, bits: bool) -> f64 {
    cells * (form.width() + if bits { BITS } else { 0.0 }) * step::ITEM
}

/// Working memory of a thread.
#[derive(Default)]
struct Windows<V> {
    source: Vec<V>,
    target: Vec<V>,
    scratch: Vec<V>,
}

/// Neighbouring steps that a tile takes in one go.
struct Batch<'a> {
    layers: &'a [Layer],
    /// How far left of the tile each begins.
    halos: Vec<usize>,
}

impl<'a> Batch<'a> {
    fn new(layers: &'a [Layer]) -> Self {
        let mut after = 0;
        let mut halos: Vec<usize> = Vec::with_capacity(layers.len());
        for layer in layers.iter().rev() {
            halos.push(usize::next_multiple_of(after, BLOCK));
            after += layer.step.reach();
        }
        halos.reverse();
        Self { layers, halos }
    }
}

/// Rows of a length, and who fills them.
pub struct Sweep<'a, V> {
    /// Whom to ask whether to go on.
    context: &'a Context<'a>,
    /// The threads.
    pub team: &'a Team<'a>,
    /// The instruction set.
    pub isa: Isa,
    /// How cells are held.
    pub form: Form,
    /// Cells of a row, for the capacity.
    cells: usize,
    /// Unreachable cells before the first.
    pub pad: usize,
    /// Whether the bits of cells beyond the weight of all items so far are set, too, which nobody needs to read.
    pub all_bits: bool,
    windows: Vec<Mutex<Windows<V>>>,
    /// Rows that nobody needs any more.
    spare: Mutex<Vec<Row>>,
}

/// What the lock guards is written before it is read, or whole at any time: a thread that failed leaves nothing behind.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a, V: Cell> Sweep<'a, V> {
    /// For rows up to that capacity with so many unreachable cells before them.
    pub fn new(
        context: &'a Context<'a>,
        team: &'a Team<'a>,
        form: Form,
        capacity: usize,
        pad: usize,
    ) -> Self {
        let mut windows = Vec::new();
        windows.resize_with(team.threads(), || Mutex::new(Windows::default()));
        let (isa, cells, spare) = (Isa::best(), row_cells(capacity), Mutex::default());
        Self { context, team, isa, form, cells, pad, all_bits: false, windows, spare }
    }

    /// Takes the memory of so many rows, all threads asking for their part of it.
    ///
    /// # Errors
    ///
    /// When the system gives no memory.
    pub fn reserve(&self, rows: usize) -> Result<(), EngineError> {
        let rows = (0..rows).map(|_| self.new_row(true)).collect::<Result<Vec<_>, _>>()?;
        lock(&self.spare).extend(rows);
        Ok(())
    }

    fn new_row(&self, touched: bool) -> Result<Row, EngineError> {
        let mut memory = Arena::new((self.pad + self.cells) * size_of::<V>()).map_err(|error| {
            EngineError::NoMemory(format!("the system gives no memory for its rows: {error}"))
        })?;
        if touched {
            memory.touch(self.team);
        }
        memory.cells_mut::<V>()[..self.pad].fill(V::LOWEST);
        Ok(Row { memory, so_far: 0, valid: 0, after: None })
    }

    fn row(&self) -> Result<Row, EngineError> {
        let spare = lock(&self.spare).pop();
        spare.map_or_else(|| self.new_row(false), Ok)
    }

    /// Takes a row that nobody needs any more.
    pub fn give_back(&self, row: Row) {
        lock(&self.spare).push(row);
    }

    /// The row of no items.
    ///
    /// # Errors
    ///
    /// When the system gives no memory.
    pub fn start(&self) -> Result<Row, EngineError> {
        let Row { mut memory, .. } = self.row()?;
        let cells = &mut memory.cells_mut::<V>()[self.pad..];
        cells[..BLOCK].fill(self.form.unreached());
        cells[0] = V::of(0);
        Ok(Row { memory, so_far: 0, valid: BLOCK, after: Some(0) })
    }

    /// Makes the row hold something up to `end`: beyond the weight of all items so far nothing more is reached.
    fn extend(&self, row: &mut Row, end: usize) {
        if row.valid < end {
            let cells = &mut row.memory.cells_mut::<V>()[self.pad..];
            let last = cells[row.valid - 1];
            let beyond = if self.form.slope.is_some() { self.form.unreached() } else { last };
            cells[row.valid..end].fill(beyond);
            row.valid = end;
        }
    }

    /// Runs items that are steps by themselves over a row of no items, and gives the last row.
    ///
    /// # Errors
    ///
    /// As [`Sweep::run`].
    pub fn items(
        &self,
        layers: &[Layer],
        target: Target,
        bits: Option<&mut Decisions>,
    ) -> Result<Row, EngineError> {
        Ok(self.run(self.start()?, layers, target, &|_| false, bits)?.1)
    }

    /// Runs the layers over a row, and gives the last one, every cell of it up to the capacity. The rows between that are
    /// `kept`, by the number of groups before them, come first in the list.
    ///
    /// # Errors
    ///
    /// When the computation is called off, or the system gives no memory.
    pub fn run(
        &self,
        start: Row,
        layers: &[Layer],
        target: Target,
        kept: &dyn Fn(usize) -> bool,
        mut bits: Option<&mut Decisions>,
    ) -> Result<(Vec<Row>, Row), EngineError> {
        let all = start.so_far + together(layers);
        let (mut rows, mut now) = (Vec::new(), start);
        let mut at = 0;
        while at < layers.len() {
            self.context.go_on()?;
            let to_come = all - now.so_far - layers[at].step.reach() as u128;
            let (first, _) = computed(self.form, target, now.so_far, to_come);
            let count = batch_size::<V>(&layers[at..], row_cells(target.capacity) - first, kept);
            let batch = Batch::new(&layers[at..at + count]);
            let so_far = now.so_far + together(batch.layers);
            let (_, end) = computed(self.form, target, so_far, 0);
            self.extend(&mut now, end);
            let mut next = self.row()?;
            let bits = bits.as_deref_mut().map(|bits| (bits, at));
            self.batch(&batch, &now, first, (&mut next, end), bits);
            at += count;
            let group = batch.layers[count - 1].group;
            let ended = layers.get(at).is_none_or(|layer| layer.group != group);
            (next.so_far, next.valid) = (so_far, end);
            next.after = ended.then_some(group + 1);
            let before = std::mem::replace(&mut now, next);
            match before.after.filter(|&groups| kept(groups)) {
                Some(_) => rows.push(before),
                None => self.give_back(before),
            }
            self.context.progress.advance(count as u64);
        }
        self.extend(&mut now, row_cells(target.capacity));
        Ok((rows, now))
    }

    /// A batch over all cells from `first` to `end`; the first of its items has row `at` of the bits.
    fn batch(
        &self,
        batch: &Batch,
        old: &Row,
        first: usize,
        (new, end): (&mut Row, usize),
        bits: Option<(&mut Decisions, usize)>,
    ) {
        let old = old.memory.cells::<V>();
        let new = &mut new.memory.cells_mut::<V>()[self.pad + first..self.pad + end];
        let cells = new.len() as f64;
        let with_bits = bits.is_some();
        let of = |layer: &Layer| match layer.step {
            Step::Item { .. } => item_seconds(self.form, cells, with_bits),
            ref step => step.seconds() * cells,
        };
        let seconds = batch.layers.iter().map(of).sum();
        let tiles = new.len().div_ceil(TILE);
        let mut bits_of_tiles: Vec<Vec<&mut [u64]>> = (0..tiles).map(|_| Vec::new()).collect();
        if let Some((decisions, at)) = bits {
            let (all, words) = decisions.rows();
            for row in all[at * words..].chunks_mut(words.max(1)).take(batch.layers.len()) {
                let (row, beyond) = row.split_at_mut(end / BLOCK * BLOCK_WORDS);
                if self.all_bits {
                    beyond.fill(u64::MAX);
                }
                let row = &mut row[first / BLOCK * BLOCK_WORDS..];
                for (tile, bits) in bits_of_tiles.iter_mut().zip(row.chunks_mut(TILE / BLOCK * BLOCK_WORDS)) {
                    tile.push(bits);
                }
            }
        }
        let jobs: Vec<_> = (first..).step_by(TILE).zip(new.chunks_mut(TILE)).zip(bits_of_tiles).collect();
        self.team.for_each(jobs, seconds, |((cell, new), bits)| {
            self.tile(batch, old, cell, new, bits, &mut lock(&self.windows[self.team.member()]));
        });
    }

    /// A batch over the tile that begins at `cell`.
    fn tile(
        &self,
        batch: &Batch,
        old: &[V],
        cell: usize,
        new: &mut [V],
        bits: Vec<&mut [u64]>,
        windows: &mut Windows<V>,
    ) {
        let origin = cell.saturating_sub(batch.halos[0]);
        let last = batch.layers.len() - 1;
        let Windows { source, target, scratch } = windows;
        if last > 0 {
            for window in [&mut *source, &mut *target] {
                window.resize(self.pad + HALO + BLOCK + TILE, V::LOWEST);
                window[..self.pad].fill(V::LOWEST);
            }
        }
        let (mut source, mut target) = (source, target);
        let mut bits = bits.into_iter();
        for (number, (layer, &halo)) in batch.layers.iter().zip(&batch.halos).enumerate() {
            let start = cell.saturating_sub(halo);
            let (old, at): (&[V], usize) =
                if number == 0 { (old, self.pad + start) } else { (source, self.pad + start - origin) };
            let step = &layer.step;
            let bits = bits.next();
            if number == last {
                V::pass(self.isa, Pass { old, at, cell: start, step, new: &mut *new, bits, scratch });
                return;
            }
            let stretch = &mut target[self.pad + start - origin..][..cell - start + new.len()];
            // Bits are those of the tile alone.
            let before = if bits.is_some() { cell - start } else { 0 };
            let (halo, stretch) = stretch.split_at_mut(before);
            if before > 0 {
                V::pass(self.isa, Pass { old, at, cell: start, step, new: halo, bits: None, scratch });
            }
            let (at, cell) = (at + before, start + before);
            V::pass(self.isa, Pass { old, at, cell, step, new: stretch, bits, scratch });
            std::mem::swap(&mut source, &mut target);
        }
    }
}

/// How many of the first layers a tile takes together; none after one whose row is kept.
fn batch_size<V>(layers: &[Layer], cells: usize, kept: &dyn Fn(usize) -> bool) -> usize {
    if cells * size_of::<V>() < CACHED {
        return 1;
    }
    let mut reach = 0;
    let after = layers.windows(2).take_while(|pair| {
        reach += pair[1].step.reach();
        reach <= HALO && (pair[0].group == pair[1].group || !kept(pair[0].group + 1))
    });
    1 + after.count()
}
