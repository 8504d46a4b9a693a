//! Reads the front from the last row, and follows the tracebacks from its points.

use super::row::{Cell, Row, TILE};
use super::scratch::CellItem;
use super::strip::Items;
use super::windows::Windows;
use crate::Wanted;
use crate::answer::{Answer, CellPicks, LayerPicks, Picks, Values};
use isx_engine::ItemIndices;
use isx_engine::rises::Rises;
use isx_machine::cpu::Team;
use isx_machine::rates;
use std::time::{Duration, Instant};

/// The tracebacks from the points of the front, and the front.
pub struct Walks {
    wanted: Wanted,
    started: Instant,
    solve: Duration,
    front: Option<(Vec<u64>, Values)>,
    /// Cells of the current layer that tracebacks visit.
    marks: Vec<u64>,
    /// Memory for the marks of the previous layer.
    windows: Windows,
    /// The cell of a single traceback.
    cell: usize,
    /// Last layer first.
    layers: Vec<LayerPicks>,
}

impl Walks {
    /// For an answer whose computation started at `started`.
    pub fn new(wanted: Wanted, started: Instant) -> Self {
        Self {
            wanted,
            started,
            solve: Duration::ZERO,
            front: None,
            marks: Vec::new(),
            windows: Windows::default(),
            cell: 0,
            layers: Vec::new(),
        }
    }

    /// Whether the front has been read.
    pub fn have_begun(&self) -> bool {
        self.front.is_some()
    }

    /// Reads the front from the last row, up to cell `reach`.
    pub fn begin<V: Cell>(&mut self, last: &Row<'_, V>, reach: usize, team: &Team) {
        let cells = &last.cells()[..=reach];
        let rises = Rises::of(cells, team);
        let (weights, values) = rises.points(cells, team, |&value| value);
        self.front = Some((weights, V::store(values)));
        self.cell = rises.last();
        self.marks = rises.marks;
        self.marks.resize(cells.len().next_multiple_of(TILE) / 64, 0);
        self.solve = self.started.elapsed();
    }

    /// Follows the tracebacks through a layer; `trace` finds the items of marked cells and marks their predecessors.
    pub fn step<V: Cell>(
        &mut self,
        items: &Items,
        old: &Row<'_, V>,
        new: &Row<'_, V>,
        trace: impl FnOnce(Vec<u64>, &mut Windows) -> (CellPicks, Vec<u64>),
    ) {
        if self.wanted == Wanted::AllPicks {
            let (picks, reached) = trace(std::mem::take(&mut self.marks), &mut self.windows);
            self.marks = reached;
            self.layers.push(LayerPicks::Marked(picks));
            return;
        }
        let value = new.cells()[self.cell].wide();
        let explains = |item: &CellItem| {
            item.weight <= self.cell && old.cells()[self.cell - item.weight].wide() + item.value == value
        };
        // There always is one, since the cell is the maximum over the items; the zero item weighs nothing.
        let index = items.all.iter().position(explains).unwrap_or(items.zero as usize);
        let item = ItemIndices::of([index].into_iter(), items.all.len());
        self.layers.push(LayerPicks::States { item, parent: vec![0] });
        self.cell -= items.all[index].weight;
    }

    /// The answer, once the tracebacks are finished.
    pub fn answer(self, updates: u64, how: String, team: &Team) -> Answer {
        let (weights, values) = self.front.unwrap_or_else(|| (Vec::new(), Values::I32(Vec::new())));
        let mut layers = self.layers;
        layers.reverse();
        let picks = match self.wanted {
            Wanted::Values => None,
            Wanted::BestPicks => Some(Picks { start: vec![0], layers }),
            Wanted::AllPicks => Some(Picks { start: copy(&weights, team), layers }),
        };
        let picks = picks.map(|picks| picks.of_last(weights.len()));
        let traceback = self.started.elapsed().saturating_sub(self.solve);
        let threads = team.took_part();
        Answer { weights, values, picks, how, threads, updates, solve: self.solve, traceback }
    }
}

/// Numbers copied per task.
const CHUNK: usize = 1 << 14;

fn copy(numbers: &[u64], team: &Team) -> Vec<u64> {
    let mut copy = vec![0; numbers.len()];
    let seconds = numbers.len() as f64 * rates::MCKP_COPIED;
    team.sum_chunks(&mut copy, CHUNK, seconds, |at, chunk| {
        chunk.copy_from_slice(&numbers[at * CHUNK..][..chunk.len()]);
        0
    });
    copy
}
