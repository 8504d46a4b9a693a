//! The table, and the effect of an operation on it.

use super::moves::{Chain, Move, Op};
use isx_engine::{Context, EngineError};
use isx_machine::cpu::Team;
use isx_machine::cpu::lanes::{Isa, Kernel, Lane, Simd};
use isx_machine::rates;

/// Cells that stay in the first-level cache while all moves are applied.
const TILE: usize = 2048;
/// Cells of a piece of work.
const PIECE: usize = 1 << 17;

/// The greatest value within each vector, below 0 if there is none. Without a selection it has no cells.
pub(super) struct Table<N> {
    /// Cells along every axis.
    pub spans: Vec<usize>,
    pub cells: Vec<N>,
}

impl<N: Lane> Table<N> {
    /// Nothing is taken.
    pub fn start(chain: &Chain) -> Self {
        Self { spans: vec![1; chain.axes.len()], cells: vec![N::of(0)] }
    }

    /// The place of a vector.
    pub fn place(&self, at: &[u32]) -> usize {
        self.spans.iter().zip(at).fold(0, |place, (span, &at)| place * span + at as usize)
    }

    /// The table after an operation, in the memory of another that is needed no more.
    pub fn moved(&self, op: &Op, spare: Option<Self>, context: &Context) -> Result<Self, EngineError> {
        let is_possible = !self.cells.is_empty() && !op.moves.is_empty();
        let count = if is_possible { op.after.iter().product() } else { 0 };
        let mut cells = spare.map_or(Vec::new(), |spare| spare.cells);
        cells.resize(count, N::LOWEST);
        let pieces = pieced(&mut cells, &op.after);
        let team = Team::of(context.machine.workers());
        let updates = op.moves.len() * count;
        let seconds = updates as f64 * rates::RESOURCES_UPDATE * size_of::<N>() as f64 / 8.0;
        team.for_each(pieces, seconds, |piece| {
            if context.go_on().is_ok() {
                piece.into_iter().for_each(|tile| self.fill(tile, &op.moves, &op.after));
            }
        });
        context.go_on()?;
        Ok(Self { spans: op.after.clone(), cells })
    }

    /// Computes a tile of a table of these spans.
    fn fill(&self, Tile { row, from, cells }: Tile<N>, moves: &[Move], spans: &[usize]) {
        let outer = &spans[..spans.len() - 1];
        let sources = moves.iter().filter_map(|by| self.source(row, by, outer));
        let sources: Vec<Source<N>> = sources.collect();
        Isa::best().run(Relax { sources: &sources, from, cells });
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
        let cells = &self.cells[from * length..][..length];
        Some(Source { cells, shift: by.costs[outer.len()] as usize, value: N::of(by.value) })
    }
}

/// A row of the table before, moved.
struct Source<'a, N> {
    cells: &'a [N],
    shift: usize,
    value: N,
}

/// Some cells of a row, the first of them `from`.
struct Tile<'a, N> {
    row: usize,
    from: usize,
    cells: &'a mut [N],
}

/// A table in pieces: the same cells of neighboring rows, which mostly move to each other.
fn pieced<'a, N>(table: &'a mut [N], spans: &[usize]) -> Vec<Vec<Tile<'a, N>>> {
    let length = spans.last().copied().unwrap_or(1);
    let tiles = length.div_ceil(TILE);
    let rows = (PIECE / length.min(TILE)).max(1);
    let groups = (table.len() / length).div_ceil(rows);
    let mut pieces: Vec<Vec<Tile<N>>> = Vec::new();
    pieces.resize_with(tiles * groups, Vec::new);
    for (row, cells) in table.chunks_mut(length).enumerate() {
        for (tile, cells) in cells.chunks_mut(TILE).enumerate() {
            pieces[tile * groups + row / rows].push(Tile { row, from: tile * TILE, cells });
        }
    }
    pieces
}

/// The greatest of all moved rows in every cell of a tile.
struct Relax<'a, N> {
    sources: &'a [Source<'a, N>],
    from: usize,
    cells: &'a mut [N],
}

impl<N: Lane> Kernel for Relax<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Self { sources, from, cells: tile } = self;
        tile.fill(N::LOWEST);
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
    }
}
