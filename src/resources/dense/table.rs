//! The tables of all states, and the effect of an operation on them.

use super::moves::{Chain, Move, Op};
use isx_engine::{Context, EngineError};
use isx_machine::cpu::Team;
use isx_machine::cpu::lanes::{Isa, Kernel, Lane, Simd};

/// Cells that stay in the first-level cache while all moves are applied.
const TILE: usize = 4096;
/// Cells of a piece of work.
const PIECE: usize = 1 << 15;
/// Seconds per cell and move.
const UPDATE: f64 = 3.0e-10;

/// A table per state: the greatest value within each vector, below 0 if there is none. An impossible state has no cells.
pub(super) struct Tables<N> {
    /// Cells along every axis.
    pub spans: Vec<usize>,
    of_states: Vec<Vec<N>>,
}

impl<N: Lane> Tables<N> {
    /// Nothing is taken.
    pub fn start(chain: &Chain) -> Self {
        let cells = if chain.start.is_some() { vec![N::of(0)] } else { Vec::new() };
        Self { spans: vec![1; chain.axes.len()], of_states: vec![cells] }
    }

    /// The cells of a state; none if it is impossible.
    pub fn of_state(&self, state: usize) -> &[N] {
        self.of_states.get(state).map_or(&[], Vec::as_slice)
    }

    /// The place of a vector.
    pub fn place(&self, at: &[u32]) -> usize {
        self.spans.iter().zip(at).fold(0, |place, (span, &at)| place * span + at as usize)
    }

    /// The tables after an operation.
    pub fn moved(&self, op: &Op, context: &Context) -> Result<Self, EngineError> {
        let cells: usize = op.after.iter().product();
        let possible = |by: &&Move| !self.of_state(by.source as usize).is_empty();
        let moves: Vec<Vec<&Move>> =
            op.moves.iter().map(|moves| moves.iter().filter(possible).collect()).collect();
        let size = |moves: &Vec<&Move>| if moves.is_empty() { Vec::new() } else { vec![N::LOWEST; cells] };
        let mut of_states: Vec<Vec<N>> = moves.iter().map(size).collect();
        let row = op.after.last().copied().unwrap_or(1);
        let rows = (PIECE / row).max(1);
        let mut jobs = Vec::new();
        for (table, moves) in of_states.iter_mut().zip(&moves) {
            let pieces = table.chunks_mut(rows * row).enumerate();
            jobs.extend(pieces.map(|(piece, cells)| (piece * rows, moves, cells)));
        }
        let team = Team::of(context.machine.workers());
        let updates: usize = moves.iter().map(|moves| moves.len() * cells).sum();
        team.for_each(jobs, updates as f64 * UPDATE, |(first, moves, cells)| {
            if context.go_on().is_ok() {
                self.fill(first, moves, cells, &op.after);
            }
        });
        context.go_on()?;
        Ok(Self { spans: op.after.clone(), of_states })
    }

    /// Computes some rows of a table of these spans, the first of them `first`.
    fn fill(&self, first: usize, moves: &[&Move], cells: &mut [N], spans: &[usize]) {
        let Some((&row, outer)) = spans.split_last() else { return };
        let isa = Isa::best();
        let mut sources: Vec<Source<N>> = Vec::with_capacity(moves.len());
        for (number, cells) in cells.chunks_mut(row).enumerate() {
            sources.clear();
            sources.extend(moves.iter().filter_map(|by| self.source(first + number, by, outer)));
            isa.run(Relax { sources: &sources, row: cells });
        }
    }

    /// The row that a move brings to another; `None` if it costs more than that row stands for.
    fn source(&self, mut row: usize, by: &Move, outer: &[usize]) -> Option<Source<'_, N>> {
        let (mut from, mut step) = (0, 1);
        for axis in (0..outer.len()).rev() {
            let at = row % outer[axis];
            row /= outer[axis];
            // Beyond what was reached, nothing changes.
            let at = at.checked_sub(by.costs[axis] as usize)?.min(self.spans[axis] - 1);
            from += at * step;
            step *= self.spans[axis];
        }
        let length = self.spans[outer.len()];
        let cells = &self.of_state(by.source as usize)[from * length..][..length];
        Some(Source { cells, shift: by.costs[outer.len()] as usize, value: N::of(by.value) })
    }
}

/// A row of the tables before, moved.
struct Source<'a, N> {
    cells: &'a [N],
    shift: usize,
    value: N,
}

/// The greatest of all moved rows in every cell.
struct Relax<'a, N> {
    sources: &'a [Source<'a, N>],
    row: &'a mut [N],
}

impl<N: Lane> Kernel for Relax<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Self { sources, row } = self;
        let mut from = 0;
        for tile in row.chunks_mut(TILE) {
            for Source { cells, shift, value } in sources {
                let skipped = shift.saturating_sub(from);
                if skipped >= tile.len() {
                    continue;
                }
                let tile = &mut tile[skipped..];
                let at = from + skipped - shift;
                let (within, beyond) = tile.split_at_mut(cells.len().saturating_sub(at).min(tile.len()));
                let source = &cells[at.min(cells.len())..];
                for (cell, &before) in within.iter_mut().zip(source) {
                    *cell = (*cell).max(before.plus(*value));
                }
                // Beyond what was reached, nothing changes.
                let most = cells[cells.len() - 1].plus(*value);
                for cell in beyond {
                    *cell = (*cell).max(most);
                }
            }
            from += TILE;
        }
    }
}
