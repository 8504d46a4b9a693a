//! Items over a row of cells, one after the other or several in one go.
//!
//! Two rows take turns, so that stretches of a row (tiles) are independent and threads share them. A row that the cache
//! does not hold is not read once an item: neighbouring items of little weight form a *group*, and a tile takes a whole
//! group in two small windows. The window begins left of the tile by the weight of the group's later items, whose cells
//! are computed a second time there.
//!
//! ```text
//! group w = 3, 2, tile [8, 16):    window of item 1: cells 6 .. 15 (reads 3 .. 15 of the row), then item 2: cells 8 .. 15
//! ```
//!
//! Cells left out: above the weight of all items so far; and where one capacity C is asked for, below C less the weight of
//! all items to come (P. Toth, "Dynamic programming algorithms for the zero-one knapsack problem", Computing 25, 1980).

use super::form::Form;
use super::pass::{BLOCK, CellItem, PAD, Pass};
use crate::Decisions;
use isx_engine::{Context, EngineError};
use isx_machine::cpu::Team;
use isx_machine::cpu::lanes::{Isa, Lane};
use isx_problems::value::Stored;
use std::sync::Mutex;

/// Cells of a tile.
const TILE: usize = 256 * BLOCK;

/// Weight of a group's items together, at most.
const HALO: usize = TILE / 2;

/// Bytes of a row from which on items are grouped.
const CACHED: usize = 1 << 20;

/// Words of bits a block of cells.
const BLOCK_WORDS: usize = BLOCK / 64;

/// Cells a second of one thread with 32-bit cells, their bits not asked for. (Measured in processor time on one core of a
/// busy AVX-512 Xeon: 3.3e9 on 2.5 million cells in groups, 4.8e9 on 75,000 cells.)
const RATE: f64 = 4e9;

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
    /// Whether the bits of cells beyond the weight of all items so far are set, too, which nobody needs to read.
    pub all_bits: bool,
}

/// The capacity, and what of the row is wanted at the end.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// The last cell.
    pub capacity: usize,
    /// Cells below the capacity less this are not wanted; `None`: all are.
    pub below: Option<u128>,
}

/// Cells of a row without padding, for that capacity.
pub fn row_cells(capacity: usize) -> usize {
    (capacity + 1).next_multiple_of(BLOCK)
}

/// The cells, from `first` to `end`, that are computed for an item: the weight of all items up to it and of all after it
/// are given.
fn computed(form: Form, wanted: Wanted, so_far: u128, to_come: u128) -> (usize, usize) {
    let capacity = wanted.capacity as u128;
    let first = match wanted.below {
        Some(below) if form.slope.is_none() => capacity.saturating_sub(below + to_come) as usize,
        _ => 0,
    };
    (first / BLOCK * BLOCK, row_cells(capacity.min(so_far) as usize))
}

/// Cells that all items are computed at together, and the most of one row.
pub fn work(form: Form, items: &[CellItem], wanted: Wanted) -> f64 {
    let all = together(items);
    let mut so_far = 0;
    let cells = items.iter().map(|item| {
        so_far += item.weight as u128;
        let (first, end) = computed(form, wanted, so_far, all - so_far);
        end.saturating_sub(first) as f64
    });
    cells.sum()
}

/// Seconds that one thread is expected to need for so many cells.
pub fn seconds(form: Form, cells: f64, bits: bool) -> f64 {
    let width = if form.narrow { 1.0 } else { 2.0 };
    cells * (width + if bits { 0.5 } else { 0.0 }) / RATE
}

/// The weight of all.
pub fn together(items: &[CellItem]) -> u128 {
    items.iter().map(|item| item.weight as u128).sum()
}

/// Neighbouring items that a tile takes in one go.
struct Group<'a> {
    items: &'a [CellItem],
    /// How far left of the tile each begins.
    halos: Vec<usize>,
}

impl<'a> Group<'a> {
    fn new(items: &'a [CellItem]) -> Self {
        let mut after = 0;
        let mut halos: Vec<usize> = Vec::with_capacity(items.len());
        for item in items.iter().rev() {
            halos.push(usize::next_multiple_of(after, BLOCK));
            after += item.weight;
        }
        halos.reverse();
        Self { items, halos }
    }
}

/// The windows of a thread.
type Windows<V> = Mutex<[Vec<V>; 2]>;

/// A row between two items.
pub struct Rows<'r, V> {
    now: &'r mut [V],
    next: &'r mut [V],
    windows: Vec<Windows<V>>,
    /// Weight of all items so far.
    so_far: u128,
    /// Cells that hold something.
    valid: usize,
}

impl<V: Cell> Rows<'_, V> {
    /// Makes the row hold something up to `end`: beyond the weight of all items so far nothing more is reached.
    fn extend(&mut self, end: usize, form: Form) {
        let beyond = if form.slope.is_some() { form.unreached() } else { self.now[PAD + self.valid - 1] };
        self.now[PAD + self.valid..PAD + end].fill(beyond);
        self.valid = end;
    }
}

impl Sweep<'_> {
    /// Runs the items over a row that begins with nothing; gives the row and the spare one. Rows hold [`PAD`] cells and
    /// those of [`row_cells`]; row `i` of the bits is that of item `i`.
    ///
    /// # Errors
    ///
    /// When the computation is called off.
    pub fn run<'r, V: Cell>(
        &self,
        items: &[CellItem],
        wanted: Wanted,
        rows: [&'r mut [V]; 2],
        bits: Option<&mut Decisions>,
    ) -> Result<[&'r mut [V]; 2], EngineError> {
        let mut rows = self.begin(rows);
        self.advance(&mut rows, items, 0, wanted, bits)?;
        Ok(self.end(rows, wanted))
    }

    /// The row of no items.
    pub fn begin<'r, V: Cell>(&self, rows: [&'r mut [V]; 2]) -> Rows<'r, V> {
        let [mut now, mut next] = rows;
        for row in [&mut now, &mut next] {
            row[..PAD].fill(V::LOWEST);
            row[PAD..PAD + BLOCK].fill(self.form.unreached());
        }
        now[PAD] = V::of(0);
        let windows = (0..self.team.threads()).map(|_| Mutex::new([vec![], vec![]])).collect();
        Rows { now, next, windows, so_far: 0, valid: BLOCK }
    }

    /// Runs these items over the row; those that come after them weigh so much together.
    ///
    /// # Errors
    ///
    /// When the computation is called off.
    pub fn advance<V: Cell>(
        &self,
        rows: &mut Rows<'_, V>,
        items: &[CellItem],
        after: u128,
        wanted: Wanted,
        mut bits: Option<&mut Decisions>,
    ) -> Result<(), EngineError> {
        let all = rows.so_far + together(items) + after;
        let mut at = 0;
        while at < items.len() {
            self.context.go_on()?;
            let to_come = all - rows.so_far - items[at].weight as u128;
            let (first, _) = computed(self.form, wanted, rows.so_far, to_come);
            let count = group_size::<V>(&items[at..], row_cells(wanted.capacity) - first);
            let group = Group::new(&items[at..at + count]);
            rows.so_far += together(group.items);
            let (_, end) = computed(self.form, wanted, rows.so_far, 0);
            rows.extend(end, self.form);
            let bits = bits.as_deref_mut().map(|bits| (bits, at));
            let Rows { now, next, windows, .. } = rows;
            self.group(&group, now, first, &mut next[PAD + first..PAD + end], bits, windows);
            std::mem::swap(&mut rows.now, &mut rows.next);
            at += count;
            self.context.progress.advance(count as u64);
        }
        Ok(())
    }

    /// The row after the last item, all its cells, and the spare one.
    pub fn end<'r, V: Cell>(&self, mut rows: Rows<'r, V>, wanted: Wanted) -> [&'r mut [V]; 2] {
        rows.extend(row_cells(wanted.capacity), self.form);
        [rows.now, rows.next]
    }

    /// A group over all cells from `first` on.
    fn group<V: Cell>(
        &self,
        group: &Group,
        old: &[V],
        first: usize,
        new: &mut [V],
        bits: Option<(&mut Decisions, usize)>,
        windows: &[Windows<V>],
    ) {
        let seconds = seconds(self.form, (new.len() * group.items.len()) as f64, bits.is_some());
        let tiles = new.len().div_ceil(TILE);
        let mut bits_of_tiles: Vec<Vec<&mut [u64]>> = (0..tiles).map(|_| Vec::new()).collect();
        if let Some((decisions, at)) = bits {
            let (all, words) = decisions.rows();
            for row in all[at * words..].chunks_mut(words.max(1)).take(group.items.len()) {
                let (row, beyond) = row.split_at_mut((first + new.len()) / BLOCK * BLOCK_WORDS);
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
            if let [item] = group.items {
                let bits = bits.into_iter().next();
                V::pass(self.isa, Pass { old, at: PAD + cell, cell, item: *item, new, bits });
            } else if let Ok(mut windows) = windows[self.team.member()].lock() {
                self.tile(group, old, cell, new, bits, &mut windows);
            }
        });
    }

    /// A group over the tile that begins at `cell`.
    fn tile<V: Cell>(
        &self,
        group: &Group,
        old: &[V],
        cell: usize,
        new: &mut [V],
        bits: Vec<&mut [u64]>,
        windows: &mut [Vec<V>; 2],
    ) {
        let origin = cell.saturating_sub(group.halos[0]);
        let last = group.items.len() - 1;
        for window in windows.iter_mut() {
            window.resize(PAD + HALO + BLOCK + TILE, V::LOWEST);
            window[..PAD].fill(V::LOWEST);
        }
        let [source, target] = windows;
        let (mut source, mut target) = (source, target);
        let mut bits = bits.into_iter();
        for (step, (&item, &halo)) in group.items.iter().zip(&group.halos).enumerate() {
            let start = cell.saturating_sub(halo);
            let bits = bits.next();
            let (from, at): (&[V], usize) =
                if step == 0 { (old, PAD + start) } else { (source, PAD + start - origin) };
            if step == last {
                V::pass(self.isa, Pass { old: from, at, cell, item, new: &mut *new, bits });
                return;
            }
            let stretch = &mut target[PAD + start - origin..][..cell - start + new.len()];
            let (before, inside) = stretch.split_at_mut(cell - start);
            V::pass(self.isa, Pass { old: from, at, cell: start, item, new: before, bits: None });
            V::pass(self.isa, Pass { old: from, at: at + cell - start, cell, item, new: inside, bits });
            std::mem::swap(&mut source, &mut target);
        }
    }
}

/// How many of the first items a tile takes together.
fn group_size<V>(items: &[CellItem], cells: usize) -> usize {
    if cells * size_of::<V>() < CACHED {
        return 1;
    }
    let mut weight = 0;
    let after = items[1..].iter().take_while(|item| {
        weight += item.weight;
        weight <= HALO
    });
    1 + after.count()
}
