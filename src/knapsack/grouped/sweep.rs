//! Steps over a row of cells, several in one go.
//!
//! As in the dense engine (`dense/sweep.rs`) rows take turns, stretches of a row are independent, and where the cache does
//! not hold a row, a tile takes neighbouring steps in one go, in two small windows that begin left of the tile by what
//! the later steps reach. Cells are left out above the weight of all items so far and, where one capacity is asked for,
//! where what is to come cannot fill it (P. Toth, Computing 25, 1980).
//!
//! A row may be kept: rows after every group are what items are found from (`walk.rs`).

use super::pass::{BLOCK, Pass, Step};
use crate::dense::form::Form;
use isx_engine::{Context, EngineError};
use isx_machine::cpu::lanes::{Isa, Lane};
use isx_machine::cpu::{Arena, Team};
use isx_problems::value::Stored;
use std::sync::Mutex;

/// Cells of a tile, and what its later steps reach together at most.
const TILE: usize = 256 * BLOCK;
const HALO: usize = TILE / 2;

/// Bytes of a row from which on steps are taken together.
const CACHED: usize = 1 << 20;

/// Seconds to read and write a byte of a row that no cache holds.
const BYTE: f64 = 0.05e-9;

/// A cell of a row.
pub trait Cell: Lane + Stored + bytemuck::Pod {
    /// Runs a pass on an instruction set.
    fn pass(isa: Isa, pass: Pass<'_, Self>);
}

macro_rules! cell {
    ($cell:ty) => {
        impl Cell for $cell {
            fn pass(isa: Isa, pass: Pass<'_, Self>) {
                isa.run(pass);
            }
        }
    };
}
cell!(i32);
cell!(i64);

/// A step and the group that it belongs to.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The step.
    pub step: Step,
    /// The number of the group.
    pub group: usize,
}

/// What of the last row is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// The last cell.
    pub capacity: usize,
    /// Cells below the capacity less this are not wanted; `None`: all are.
    pub below: Option<u128>,
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

/// What a sweep works with.
pub struct Sweep<'a> {
    /// Whom to ask whether to go on.
    pub context: &'a Context<'a>,
    /// The threads.
    pub team: &'a Team<'a>,
    /// The instruction set.
    pub isa: Isa,
    /// How cells are held.
    pub form: Form,
    /// Cells of a row, for the capacity.
    pub cells: usize,
    /// Unreachable cells before the first.
    pub pad: usize,
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
fn computed(form: Form, wanted: Wanted, so_far: u128, to_come: u128) -> (usize, usize) {
    let capacity = wanted.capacity as u128;
    let first = match wanted.below {
        Some(below) if form.slope.is_none() => capacity.saturating_sub(below + to_come) as usize,
        _ => 0,
    };
    (first / BLOCK * BLOCK, row_cells(capacity.min(so_far) as usize))
}

/// Cells that all steps are computed at, and the seconds that one thread is expected to need for them.
pub fn work(form: Form, layers: &[Layer], wanted: Wanted) -> (f64, f64) {
    let all = together(layers);
    let width = if form.narrow { 1.0 } else { 2.0 };
    let mut so_far = 0;
    layers.iter().fold((0.0, 0.0), |(cells, seconds), layer| {
        so_far += layer.step.reach() as u128;
        let (first, end) = computed(form, wanted, so_far, all - so_far);
        let more = end.saturating_sub(first) as f64;
        let far = layer.step.reach() > HALO && more * width * 4.0 > CACHED as f64;
        let byte = if far { BYTE * 12.0 * width } else { 0.0 };
        (cells + more, seconds + more * (layer.step.seconds() * width + byte))
    })
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

impl Sweep<'_> {
    fn row<V: Cell>(&self) -> Result<Row, EngineError> {
        let memory = Arena::new((self.pad + self.cells) * size_of::<V>());
        let memory = memory.map_err(|error| {
            EngineError::NoMemory(format!("the system gives no memory for its rows: {error}"))
        })?;
        let mut row = Row { memory, so_far: 0, valid: 0, after: None };
        row.memory.cells_mut::<V>()[..self.pad].fill(V::LOWEST);
        Ok(row)
    }

    /// The row of no items.
    ///
    /// # Errors
    ///
    /// When the system gives no memory.
    pub fn start<V: Cell>(&self) -> Result<Row, EngineError> {
        let mut row = self.row::<V>()?;
        let cells = &mut row.memory.cells_mut::<V>()[self.pad..];
        cells[..BLOCK].fill(self.form.unreached());
        cells[0] = V::of(0);
        row.valid = BLOCK;
        row.after = Some(0);
        Ok(row)
    }

    /// Makes the row hold something up to `end`: beyond the weight of all items so far nothing more is reached.
    fn extend<V: Cell>(&self, row: &mut Row, end: usize) {
        if row.valid < end {
            let cells = &mut row.memory.cells_mut::<V>()[self.pad..];
            let last = cells[row.valid - 1];
            let beyond = if self.form.slope.is_some() { self.form.unreached() } else { last };
            cells[row.valid..end].fill(beyond);
            row.valid = end;
        }
    }

    /// Runs the layers over a row, and gives the last one, every cell of it up to the capacity. The rows between that are
    /// `kept`, by the number of groups before them, come first in the list.
    ///
    /// # Errors
    ///
    /// When the computation is called off, or the system gives no memory.
    pub fn run<V: Cell>(
        &self,
        start: Row,
        layers: &[Layer],
        wanted: Wanted,
        kept: impl Fn(usize) -> bool,
    ) -> Result<(Vec<Row>, Row), EngineError> {
        let mut windows = Vec::new();
        windows.resize_with(self.team.threads(), || Mutex::new(Windows::<V>::default()));
        let all = start.so_far + together(layers);
        let (mut rows, mut now, mut spare) = (Vec::new(), start, None);
        let mut at = 0;
        while at < layers.len() {
            self.context.go_on()?;
            let to_come = all - now.so_far - layers[at].step.reach() as u128;
            let (first, _) = computed(self.form, wanted, now.so_far, to_come);
            let count = batch_size::<V>(&layers[at..], row_cells(wanted.capacity) - first, &kept);
            let batch = Batch::new(&layers[at..at + count]);
            at += count;
            let so_far = now.so_far + together(batch.layers);
            let (_, end) = computed(self.form, wanted, so_far, 0);
            self.extend::<V>(&mut now, end);
            let mut next = match spare.take() {
                Some(row) => row,
                None => self.row::<V>()?,
            };
            self.batch::<V>(&batch, &now, first, (&mut next, end), &windows);
            let group = batch.layers[count - 1].group;
            let ended = layers.get(at).is_none_or(|layer| layer.group != group);
            (next.so_far, next.valid) = (so_far, end);
            next.after = ended.then_some(group + 1);
            let before = std::mem::replace(&mut now, next);
            match before.after.filter(|&groups| kept(groups)) {
                Some(_) => rows.push(before),
                None => spare = Some(before),
            }
            self.context.progress.advance(count as u64);
        }
        self.extend::<V>(&mut now, row_cells(wanted.capacity));
        Ok((rows, now))
    }

    /// A batch over all cells from `first` to `end`.
    fn batch<V: Cell>(
        &self,
        batch: &Batch,
        old: &Row,
        first: usize,
        (new, end): (&mut Row, usize),
        windows: &[Mutex<Windows<V>>],
    ) {
        let old = old.memory.cells::<V>();
        let new = &mut new.memory.cells_mut::<V>()[self.pad + first..self.pad + end];
        let a_cell: f64 = batch.layers.iter().map(|layer| layer.step.seconds()).sum();
        let seconds = a_cell * new.len() as f64;
        let jobs: Vec<_> = (first..).step_by(TILE).zip(new.chunks_mut(TILE)).collect();
        self.team.for_each(jobs, seconds, |(cell, new)| {
            if let Ok(mut windows) = windows[self.team.member()].lock() {
                self.tile(batch, old, cell, new, &mut windows);
            }
        });
    }

    /// A batch over the tile that begins at `cell`.
    fn tile<V: Cell>(&self, batch: &Batch, old: &[V], cell: usize, new: &mut [V], windows: &mut Windows<V>) {
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
        for (number, (layer, &halo)) in batch.layers.iter().zip(&batch.halos).enumerate() {
            let start = cell.saturating_sub(halo);
            let (old, at): (&[V], usize) =
                if number == 0 { (old, self.pad + start) } else { (source, self.pad + start - origin) };
            let step = &layer.step;
            if number == last {
                V::pass(self.isa, Pass { old, at, cell: start, step, new: &mut *new, scratch });
                return;
            }
            let stretch = &mut target[self.pad + start - origin..][..cell - start + new.len()];
            V::pass(self.isa, Pass { old, at, cell: start, step, new: stretch, scratch });
            std::mem::swap(&mut source, &mut target);
        }
    }
}

/// How many of the first layers a tile takes together; none after one whose row is kept.
fn batch_size<V>(layers: &[Layer], cells: usize, kept: impl Fn(usize) -> bool) -> usize {
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
