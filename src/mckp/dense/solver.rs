//! The passes over all layers: forward to the last row, and back from it.

use super::bound::{Relaxations, Tangent};
use super::forward::Forward;
use super::kernels::Kernels;
use super::memory::next_checkpoint;
use super::model::Model;
use super::row::{Lengths, Row, STRIP};
use super::scratch::Scratch;
use super::settings::Settings;
use super::strip::{Items, Narrowing, Strip};
use super::trace::{Reached, Trace};
use super::walks::Walks;
use super::windows::{Groups, Windows};
use crate::answer::{Answer, CellPicks, item_weights};
use crate::family::Wanted;
use isx_engine::{Context, EngineError};
use isx_machine::cpu::{Team, in_words};
use isx_machine::rates;
use isx_problems::reduce::mckp::Reduced;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Words of marks in a strip.
const STRIP_WORDS: usize = STRIP / 64;

/// The cost of dividing the search for items, as a multiple of dividing other work.
const TRACE_FORKS: f64 = 2.0;

/// The state of solving a problem.
pub struct Solver<'a, V: Kernels> {
    /// Memory of rows not in use; the last one is used next.
    free: Vec<&'a mut [V]>,
    problem: &'a Reduced<V>,
    context: &'a Context<'a>,
    settings: Settings,
    model: Model,
    team: &'a Team<'a>,
    lengths: Lengths,
    items: Vec<Items>,
    /// One tangent per strip of every layer with bounds.
    tangents: Vec<Vec<Option<Tangent>>>,
    /// Temporary buffers of each thread.
    scratch: Vec<Mutex<Scratch>>,
    updates: u64,
    /// Layers reported so far.
    reported: usize,
}

impl<'a, V: Kernels> Solver<'a, V> {
    /// Prepares the solver; `team` divides the strips of a layer.
    pub fn new(
        problem: &'a Reduced<V>,
        context: &'a Context<'a>,
        settings: Settings,
        model: Model,
        team: &'a Team<'a>,
    ) -> Self {
        let lengths = Lengths::new(problem);
        let capacity = lengths.reach.last().copied().unwrap_or(0);
        let items = problem.classes.iter().map(|class| Items::new(class, capacity)).collect();
        let tangents = tangents(problem, &lengths, settings.bound_from, team);
        let scratch = (0..team.threads()).map(|_| Mutex::default()).collect();
        Self {
            free: Vec::new(),
            problem,
            context,
            settings,
            model,
            team,
            lengths,
            items,
            tangents,
            scratch,
            updates: 0,
            reported: 0,
        }
    }

    /// Lengths of the `rows` rows to be stored besides the first one, which is the last of them.
    pub fn row_lengths(&self, rows: usize) -> Vec<usize> {
        let layers = self.problem.classes.len();
        let beside = |row: usize| self.lengths.padded(if rows == layers { row } else { layers });
        (1..=rows).rev().map(beside).chain([self.lengths.padded(0)]).collect()
    }

    /// Solves the problem, started at `started`, in the given rows, whose lengths are those of
    /// [`Solver::row_lengths`].
    pub fn solve(
        mut self,
        wanted: Wanted,
        rows: Vec<&'a mut [V]>,
        started: Instant,
    ) -> Result<Answer, EngineError> {
        let layers = self.problem.classes.len();
        self.context.progress.begin("solving", layers as u64);
        let mut walks = Walks::new(wanted, started);
        self.free = rows;
        // The memory is zeroed, which is the row before any class.
        let first = self.row();
        if wanted == Wanted::Values || layers == 0 {
            let last = self.forward(0, layers, &first);
            let reach = self.lengths.reach.last().copied().unwrap_or(0);
            walks.begin(last.as_ref().unwrap_or(&first), reach, self.team);
        } else {
            let beside = self.free.len();
            self.go_back(0, layers, &first, beside, &mut walks)?;
        }
        self.context.go_on()?;
        let how = format!("{}, {}", self.settings.isa().name(), in_words(self.team.took_part()));
        Ok(walks.answer(self.updates, how, self.team))
    }

    /// Follows the traceback through layers `low .. high`, whose first row is `base`, with room for `rows` more.
    fn go_back(
        &mut self,
        low: usize,
        mut high: usize,
        base: &Row<'a, V>,
        rows: usize,
        walks: &mut Walks,
    ) -> Result<(), EngineError> {
        while high - low > rows {
            let middle = low + next_checkpoint(high - low, rows);
            if let Some(checkpoint) = self.forward(low, middle, base) {
                self.go_back(middle, high, &checkpoint, rows - 1, walks)?;
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
            self.context.go_on()?;
            let layer = low + kept.len();
            if !walks.have_begun() {
                walks.begin(&new, self.lengths.reach[layer], self.team);
            }
            let old = kept.last().unwrap_or(base);
            walks.step(&self.items[layer], old, &new, |marks, windows| {
                self.trace(layer, old, &new, marks, windows)
            });
            self.free.push(new.give_back());
        }
        Ok(())
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

    /// Computes a layer, unless the computation was cancelled: then no part of it is used.
    fn advance(&mut self, layer: usize, old: &Row<'_, V>, new: &mut Row<'a, V>) {
        if self.context.machine.is_cancelled() {
            return;
        }
        let wanted = self.lengths.row(layer + 1);
        let (cells, beyond) = new.cells_mut()[..wanted].split_at_mut(self.lengths.computed(layer));
        let items = &self.items[layer];
        let seconds = self.model.layers[layer].forward;
        let updates = self.team.sum_chunks(cells, STRIP, seconds, |at, out| {
            let tangent = self.tangents[layer].get(at).copied().flatten();
            let cells = (at * STRIP, out.len());
            let strip = Strip::new(old.padded(), cells, items, tangent, self.settings.narrowing());
            self.with_scratch(|scratch| V::forward(self.settings.isa(), Forward { strip, out, scratch }))
        });
        beyond.fill(cells[self.lengths.reach[layer]]);
        self.updates += updates;
        if layer == self.reported {
            self.reported += 1;
            self.context.progress.advance(1);
        }
    }

    /// Finds the items of the marked cells of a layer, and marks the cells of the previous layer.
    fn trace(
        &self,
        layer: usize,
        old: &Row<'_, V>,
        new: &Row<'_, V>,
        marks: Vec<u64>,
        windows: &mut Windows,
    ) -> (CellPicks, Vec<u64>) {
        let items = &self.items[layer];
        let groups = Groups::new(marks.len(), items.heaviest, self.team.threads());
        let (mut picks, marked) = CellPicks::new(marks, item_weights(self.problem, layer));
        let (marks, writers) = picks.writers(groups.cells());
        let seconds = self.traced_seconds(layer, marked, marks.len());
        let mut used = vec![false; groups.count];
        let group_words = groups.strips * STRIP_WORDS;
        let jobs =
            marks.chunks(group_words).zip(writers).zip(windows.open(&groups)).zip(&mut used).enumerate();
        self.team.for_each(jobs.collect(), seconds, |(group, (((marks, mut writer), reached), used))| {
            for (at, marks) in (group * groups.strips..).zip(marks.chunks(STRIP_WORDS)) {
                let marked: u32 = marks.iter().map(|word| word.count_ones()).sum();
                if marked == 0 {
                    continue;
                }
                if !*used {
                    reached.words.fill(0);
                    *used = true;
                }
                let strip = self.strip_to_trace(layer, (at * STRIP, marks.len() * 64), old, marked);
                let new = &new.cells()[strip.start..strip.start + strip.len];
                let reached = Reached { words: reached.words, first: reached.first };
                self.with_scratch(|scratch| {
                    let job = Trace { strip, new, marks, writer: &mut writer, reached, scratch };
                    V::trace(self.settings.isa(), job);
                });
            }
        });
        let before = layer.checked_sub(1).map_or(1, |before| self.lengths.computed(before) / 64);
        let reached = windows.join(&groups, &used, before, self.team);
        (picks, reached)
    }

    /// Expected seconds of one thread to find the items of `marked` cells among those of `words` words of marks.
    fn traced_seconds(&self, layer: usize, marked: u64, words: usize) -> f64 {
        let each = rates::MCKP_MARKED_CELL + rates::MCKP_MARKED_ITEM * self.items[layer].all.len() as f64;
        let strips = words as f64 / STRIP_WORDS as f64;
        let seconds = marked as f64 * each + strips * rates::MCKP_UNMARKED_STRIP;
        let seconds = seconds.min(self.model.layers[layer].back);
        // Windows also have to be joined, and their marks come from other threads' caches.
        seconds / TRACE_FORKS
    }

    /// The strip of the cells `cells` of a layer, in the format that suits the search for the items of `marked` of
    /// them.
    fn strip_to_trace<'s>(
        &'s self,
        layer: usize,
        cells: (usize, usize),
        old: &'s Row<'_, V>,
        marked: u32,
    ) -> Strip<'s, V> {
        let items = &self.items[layer];
        let tangent = self.tangents[layer].get(cells.0 / STRIP).copied().flatten();
        // If there is little to find, trying every item is cheaper than bounding every cell.
        let little = marked as usize * items.all.len() < cells.1 && !self.settings.bounds_always();
        let narrowing = if little { Narrowing::Never } else { self.settings.traced(tangent.is_some()) };
        Strip::new(old.padded(), cells, items, tangent.filter(|_| !little), narrowing)
    }

    /// Runs `work` with the temporary buffers of the current thread.
    fn with_scratch<T>(&self, work: impl FnOnce(&mut Scratch) -> T) -> T {
        let scratch = &self.scratch[self.team.member()];
        work(&mut scratch.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Tangents at every strip of the layers whose classes have `from` items or more.
fn tangents<V: Kernels>(
    problem: &Reduced<V>,
    lengths: &Lengths,
    from: usize,
    team: &Team,
) -> Vec<Vec<Option<Tangent>>> {
    let layers = problem.classes.len();
    let is_bounded = |layer: &usize| problem.classes[*layer].items.len() >= from;
    let bounded: Vec<usize> = (0..layers).filter(is_bounded).collect();
    let mut tangents = vec![Vec::new(); layers];
    if bounded.is_empty() {
        return tangents;
    }
    let largest = |items: &[isx_problems::mckp::Item<V>]| {
        items.iter().map(|item| Into::<i64>::into(item.value).unsigned_abs()).max().unwrap_or(0)
    };
    let bound = problem.classes.iter().fold(0u64, |sum, class| sum.saturating_add(largest(&class.items)));
    let relaxations = Relaxations::new(problem, u64::BITS - bound.leading_zeros(), team);
    let strips = |layer: usize| lengths.computed(layer).div_ceil(STRIP);
    let seconds = bounded.iter().map(|&layer| relaxations.seconds(strips(layer))).sum();
    let made = team
        .map(bounded.len(), seconds, |at| relaxations.tangents(bounded[at] + 1, strips(bounded[at]), STRIP));
    for (layer, of_layer) in bounded.into_iter().zip(made) {
        tangents[layer] = of_layer;
    }
    tangents
}
