//! The passes over all layers: forward to the last row, and back from it.

use super::Settings;
use super::bound::{Relaxation, Tangent};
use super::forward::Forward;
use super::memory::next_checkpoint;
use super::row::{Cell, Lengths, Row, STRIP};
use super::strip::{Items, Narrowing, Scratch, Strip};
use super::trace::Trace;
use crate::engine::mckp::Wanted;
use crate::engine::mckp::answer::{Answer, CellPicks, ItemIndices, LayerPicks, Picks, item_weights};
use crate::engine::{Context, EngineError};
use crate::reduce::mckp::Reduced;
use rayon::ThreadPool;
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Words of marks in a strip.
const STRIP_WORDS: usize = STRIP / 64;

/// A problem on its way to its answer.
pub struct Solver<'a, V: Cell> {
    /// Memory of rows not in use; the last is used next.
    free: Vec<&'a mut [V]>,
    problem: &'a Reduced<V>,
    context: &'a Context<'a>,
    settings: Settings,
    lengths: Lengths,
    items: Vec<Items>,
    /// A tangent a strip of every layer that is to be bounded.
    tangents: Vec<Vec<Option<Tangent>>>,
    pool: Option<&'a ThreadPool>,
    spare: Mutex<Vec<Scratch>>,
    updates: u64,
    /// Layers reported so far.
    reported: usize,
}

impl<'a, V: Cell> Solver<'a, V> {
    /// Gets ready; `pool` runs the strips of a layer, the caller's thread alone does where there is none.
    pub fn new(
        problem: &'a Reduced<V>,
        context: &'a Context<'a>,
        settings: Settings,
        pool: Option<&'a ThreadPool>,
    ) -> Self {
        let lengths = Lengths::new(problem);
        let capacity = lengths.reach.last().copied().unwrap_or(0);
        let items = problem.classes.iter().map(|class| Items::new(class, capacity)).collect();
        let tangents = tangents(problem, &lengths, settings.bound_from);
        let (free, spare) = (Vec::new(), Mutex::default());
        Self {
            free,
            problem,
            context,
            settings,
            lengths,
            items,
            tangents,
            pool,
            spare,
            updates: 0,
            reported: 0,
        }
    }

    /// Lengths of the `rows` rows to be held beside the first, which is the last of them.
    pub fn row_lengths(&self, rows: usize) -> Vec<usize> {
        let layers = self.problem.classes.len();
        let beside = |row: usize| self.lengths.padded(if rows == layers { row } else { layers });
        (1..=rows).rev().map(beside).chain([self.lengths.padded(0)]).collect()
    }

    /// Solves the problem in the rows given, which are as long as [`Solver::row_lengths`] asks.
    pub fn solve(
        mut self,
        wanted: Wanted,
        rows: Vec<&'a mut [V]>,
        how: String,
    ) -> Result<Answer, EngineError> {
        let started = Instant::now();
        let layers = self.problem.classes.len();
        self.context.progress.begin("solving", layers as u64);
        let mut walks = Walks::new(wanted, started);
        self.free = rows;
        // The memory is all 0, as is the row before any class.
        let first = self.row();
        if wanted == Wanted::Values || layers == 0 {
            let last = self.forward(0, layers, &first);
            walks.begin(last.as_ref().unwrap_or(&first), self.lengths.reach.last().copied());
        } else {
            let beside = self.free.len();
            self.go_back(0, layers, &first, beside, &mut walks);
        }
        self.context.go_on()?;
        let threads = self.pool.map_or(1, ThreadPool::current_num_threads);
        Ok(walks.answer(self.updates, how, threads))
    }

    /// Goes back through layers `low .. high`, whose first row is `base`, with room for `rows` more.
    fn go_back(&mut self, low: usize, mut high: usize, base: &Row<'a, V>, rows: usize, walks: &mut Walks) {
        while high - low > rows {
            let middle = low + next_checkpoint(high - low, rows);
            if let Some(checkpoint) = self.forward(low, middle, base) {
                self.go_back(middle, high, &checkpoint, rows - 1, walks);
                self.free.push(checkpoint.give_back());
            }
            high = middle;
        }
        let mut kept: Vec<Row<'a, V>> = Vec::with_capacity(high - low);
        for layer in low..high {
            let mut new = self.row();
            self.advance(layer, kept.last().unwrap_or(base), &mut new);
            kept.push(new);
        }
        while let Some(new) = kept.pop() {
            if self.context.machine.is_cancelled() {
                return;
            }
            walks.step(self, low + kept.len(), kept.last().unwrap_or(base), &new);
            self.free.push(new.give_back());
        }
    }

    /// The row after layers `low .. high`; `None` if there are none.
    fn forward(&mut self, low: usize, high: usize, base: &Row<'a, V>) -> Option<Row<'a, V>> {
        let mut last: Option<Row<'a, V>> = None;
        for layer in low..high {
            let mut new = self.row();
            self.advance(layer, last.as_ref().unwrap_or(base), &mut new);
            if let Some(old) = last.replace(new) {
                self.free.push(old.give_back());
            }
        }
        last
    }

    /// A row not in use.
    fn row(&mut self) -> Row<'a, V> {
        let Some(cells) = self.free.pop() else {
            unreachable!("the plan of checkpoints counts the rows in use")
        };
        Row::new(cells)
    }

    /// Computes a layer, unless the computation was called off: then nothing of it is used.
    fn advance(&mut self, layer: usize, old: &Row<'_, V>, new: &mut Row<'a, V>) {
        if self.context.machine.is_cancelled() {
            return;
        }
        let wanted = self.lengths.row(layer + 1);
        let (cells, beyond) = new.cells_mut()[..wanted].split_at_mut(self.lengths.computed(layer));
        let strip = |(at, out): (usize, &mut [V])| {
            let mut scratch = self.scratch();
            let tangent = self.tangents[layer].get(at).copied().flatten();
            let cells = (at * STRIP, out.len());
            let strip =
                Strip::new(old.padded(), cells, &self.items[layer], tangent, self.settings.narrowing());
            let updates = V::forward(self.settings.isa(), Forward { strip, out, scratch: &mut scratch });
            self.put_back(scratch);
            updates
        };
        let updates: u64 = match self.pool {
            Some(pool) => pool.install(|| cells.par_chunks_mut(STRIP).enumerate().map(strip).sum()),
            None => cells.chunks_mut(STRIP).enumerate().map(strip).sum(),
        };
        beyond.fill(cells[self.lengths.reach[layer]]);
        self.updates += updates;
        if layer == self.reported {
            self.reported += 1;
            self.context.progress.advance(1);
        }
    }

    /// Finds the items behind the marked cells of a layer, and marks the cells of the layer before.
    fn trace(
        &self,
        layer: usize,
        old: &Row<'_, V>,
        new: &Row<'_, V>,
        marks: Vec<u64>,
    ) -> (CellPicks, Vec<u64>) {
        let words = marks.len();
        self.spare().iter_mut().for_each(|scratch| scratch.reached.clear());
        let mut picks = CellPicks::new(marks, item_weights(self.problem, layer));
        let (marks, writers) = picks.writers(STRIP);
        let strip = |(at, writer)| {
            let first = at * STRIP;
            let marks = &marks[at * STRIP_WORDS..words.min((at + 1) * STRIP_WORDS)];
            let marked: u32 = marks.iter().map(|word| word.count_ones()).sum();
            if marked == 0 {
                return;
            }
            let mut scratch = self.scratch();
            // A tile's cells may lead to half a word beyond the last one.
            scratch.reached.resize(words + 1, 0);
            let len = marks.len() * 64;
            let tangent = self.tangents[layer].get(at).copied().flatten();
            // With little to find, trying every item is less than bounding every cell.
            let little =
                marked as usize * self.items[layer].all.len() < len && !self.settings.bounds_always();
            let narrowing = if little { Narrowing::Never } else { self.settings.traced(tangent.is_some()) };
            let tangent = tangent.filter(|_| !little);
            let strip = Strip::new(old.padded(), (first, len), &self.items[layer], tangent, narrowing);
            let new = &new.cells()[first..first + len];
            V::trace(self.settings.isa(), Trace { strip, new, marks, writer, scratch: &mut scratch });
            self.put_back(scratch);
        };
        match self.pool {
            Some(pool) => pool.install(|| writers.into_par_iter().enumerate().for_each(strip)),
            None => writers.into_iter().enumerate().for_each(strip),
        }
        let before = layer.checked_sub(1).map_or(1, |before| self.lengths.computed(before) / 64);
        let mut reached = vec![0; before];
        for scratch in self.spare().iter() {
            for (reached, more) in reached.iter_mut().zip(&scratch.reached) {
                *reached |= more;
            }
        }
        (picks, reached)
    }

    fn spare(&self) -> std::sync::MutexGuard<'_, Vec<Scratch>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn scratch(&self) -> Scratch {
        self.spare().pop().unwrap_or_default()
    }

    fn put_back(&self, scratch: Scratch) {
        self.spare().push(scratch);
    }
}

/// Tangents at every strip of the layers whose classes have `from` items or more.
fn tangents<V: Cell>(problem: &Reduced<V>, lengths: &Lengths, from: usize) -> Vec<Vec<Option<Tangent>>> {
    let largest = |items: &[crate::problem::mckp::Item<V>]| {
        items.iter().map(|item| Into::<i64>::into(item.value).unsigned_abs()).max().unwrap_or(0)
    };
    let bound = problem.classes.iter().fold(0u64, |sum, class| sum.saturating_add(largest(&class.items)));
    let mut relaxation = Relaxation::new(u64::BITS - bound.leading_zeros(), problem.capacity);
    let layer = |(layer, class): (usize, &crate::reduce::mckp::Class<V>)| {
        relaxation.add(&class.items);
        if class.items.len() < from {
            return Vec::new();
        }
        relaxation.tangents(lengths.computed(layer).div_ceil(STRIP), STRIP)
    };
    problem.classes.iter().enumerate().map(layer).collect()
}

/// The walks back from the points of the front, and the front.
struct Walks {
    wanted: Wanted,
    started: Instant,
    solve: Duration,
    front: Option<(Vec<u64>, crate::engine::mckp::answer::Values)>,
    /// Cells of the current layer that walks pass.
    marks: Vec<u64>,
    /// The only walk's cell.
    cell: usize,
    /// Last layer first.
    layers: Vec<LayerPicks>,
}

impl Walks {
    fn new(wanted: Wanted, started: Instant) -> Self {
        Self {
            wanted,
            started,
            solve: Duration::ZERO,
            front: None,
            marks: Vec::new(),
            cell: 0,
            layers: Vec::new(),
        }
    }

    /// Reads the front off the last row.
    fn begin<V: Cell>(&mut self, last: &Row<'_, V>, reach: Option<usize>) {
        let cells = &last.cells()[..=reach.unwrap_or(0)];
        let rises = |&cell: &usize| cell == 0 || cells[cell] > cells[cell - 1];
        let points = (0..cells.len()).filter(rises).count();
        let mut weights = Vec::with_capacity(points);
        let mut values = Vec::with_capacity(points);
        self.marks = vec![0; cells.len().next_multiple_of(super::row::TILE) / 64];
        for cell in (0..cells.len()).filter(rises) {
            weights.push(cell as u64);
            values.push(cells[cell]);
            self.marks[cell / 64] |= 1 << (cell % 64);
            self.cell = cell;
        }
        self.front = Some((weights, V::store(values)));
        self.solve = self.started.elapsed();
    }

    /// Goes back through a layer.
    fn step<V: Cell>(&mut self, solver: &Solver<'_, V>, layer: usize, old: &Row<'_, V>, new: &Row<'_, V>) {
        if self.front.is_none() {
            self.begin(new, Some(solver.lengths.reach[layer]));
        }
        if self.wanted == Wanted::AllPicks {
            let (picks, reached) = solver.trace(layer, old, new, std::mem::take(&mut self.marks));
            self.marks = reached;
            self.layers.push(LayerPicks::Marked(picks));
            return;
        }
        let value = new.cells()[self.cell].wide();
        let items = &solver.items[layer];
        let explains = |item: &super::strip::Ready| {
            item.weight <= self.cell && old.cells()[self.cell - item.weight].wide() + item.value == value
        };
        // Some item does, since the cell is the largest of theirs; the zero item weighs nothing.
        let index = items.all.iter().position(explains).unwrap_or(items.zero as usize);
        let weight = items.all[index].weight;
        let mut item = ItemIndices::zeros(1, solver.problem.classes[layer].items.len());
        item.set(0, index);
        self.layers.push(LayerPicks::States { item, parent: vec![0] });
        self.cell -= weight;
    }

    fn answer(self, updates: u64, how: String, threads: usize) -> Answer {
        let (weights, values) =
            self.front.unwrap_or_else(|| (Vec::new(), crate::engine::mckp::answer::Values::I32(Vec::new())));
        let traceback = self.started.elapsed().saturating_sub(self.solve);
        let mut layers = self.layers;
        layers.reverse();
        let picks = match self.wanted {
            Wanted::Values => None,
            Wanted::BestPicks => Some(Picks { start: vec![0], layers }),
            Wanted::AllPicks => Some(Picks { start: weights.clone(), layers }),
        };
        Answer { weights, values, picks, how, threads, updates, solve: self.solve, traceback }
    }
}
