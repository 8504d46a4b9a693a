//! Traceback in little memory: some rows and columns of the table are stored, and only the tiles that the path
//! crosses are computed again.
//!
//! D. Hirschberg ("A linear space algorithm for computing maximal common subsequences", Communications of the ACM
//! 18(6), 1975) halves the table recursively, and computes twice its cells. A. Driga, P. Lu, J. Schaeffer, D.
//! Szafron, K. Charter and I. Parsons ("FastLSA: a fast, linear-space, parallel and sequential algorithm for
//! sequence alignment", Algorithmica 45, 2006) store a grid of rows and columns, so that no cell far from the path
//! is computed twice. Here a stored row or column takes one bit per cell: whether the value rises there.
//!
//! With tiles of side s, the grid of a table of m x n cells has about 2 m n / s bits and a tile s^2 bits; at most (m
//! + n) s cells are computed again. The path is that of the whole table, so the letters do not depend on s.
//!
//! A cell's bit in its column is 0 if its value is greater than that of the row above. From a cell whose bit is 1
//! the path goes up. From one whose bit is 0 it goes left if its left neighbor's bit is 0 too: let v be the cell's
//! value. The cell diagonally above and to the left has at least v - 1, since diagonal neighbors differ by at most
//! 1, so the left neighbor has v. If that bit is 1, the left neighbor's value is that of the cell above it, at most
//! v - 1: here two letters are equal.

use isx_engine::{Context, EngineError};
use isx_problems::reduce::lcs::Reduced;

/// Stored rows and columns of a table.
pub(super) struct Grid {
    /// Distance between stored rows and between stored columns, a multiple of 64.
    pub side: usize,
    /// For every `side` rows, the bits after every `side` columns except at the table's end, with [`Grid::together`]
    /// such strips in each vector.
    pub strips: Vec<Vec<u64>>,
    /// Consecutive strips that are stored together.
    pub together: usize,
    /// For every [`Grid::block`] columns, the bits below every `side` rows, from the first such row on, in whole
    /// words: 1 if the value rises from the previous column.
    pub blocks: Vec<Vec<u64>>,
    /// Columns per block except the last, a multiple of `side`.
    pub block: usize,
    /// Columns of the table.
    pub columns: usize,
}

/// Bytes of a grid with tiles of that side, including the tile that is computed again.
pub(super) fn bytes(problem: &Reduced, side: u64) -> u64 {
    let (rows, columns) = (problem.rows.len() as u64, problem.columns.len() as u64);
    let (strips, tiles) = (rows.div_ceil(side), columns.div_ceil(side));
    let kept = strips.saturating_mul(tiles).saturating_mul(side / 8).saturating_mul(2);
    let (tile_rows, tile_columns) = (rows.min(side).div_ceil(64) * 8, columns.min(side));
    let tile = tile_rows.saturating_mul(tile_columns + 1 + problem.letters as u64);
    kept.saturating_add(tile)
}

/// The smallest side, `least` times a power of two, whose grid takes at most `room` bytes; if there is none, the
/// side whose grid takes the fewest.
pub(super) fn side(problem: &Reduced, least: u64, room: u64) -> u64 {
    let longest = problem.rows.len().max(problem.columns.len()) as u64;
    let mut best = least;
    let mut side = least;
    loop {
        if bytes(problem, side) <= room {
            return side;
        }
        if bytes(problem, side) < bytes(problem, best) {
            best = side;
        }
        if side >= longest {
            return best;
        }
        side *= 2;
    }
}

/// The letters found by the traceback, and the number of cells computed for it.
pub(super) fn walk_back(
    problem: &Reduced,
    grid: &Grid,
    context: &Context,
) -> Result<(Vec<(usize, usize)>, u64), EngineError> {
    let (mut row, mut column) = (problem.rows.len(), problem.columns.len());
    let (mut pairs, mut cells) = (Vec::new(), 0);
    let mut tile = Tile::default();
    while row > 0 && column > 0 {
        context.go_on()?;
        let corner = ((row - 1) / grid.side, (column - 1) / grid.side);
        tile.fill(problem, grid, corner, (row, column));
        cells += ((row - tile.row) * (column - tile.column)) as u64;
        (row, column) = tile.walk(row, column, &mut pairs);
    }
    pairs.reverse();
    Ok((pairs, cells))
}

/// A part of the table, computed again.
#[derive(Default)]
struct Tile {
    /// Its first row and column.
    row: usize,
    column: usize,
    /// Words of a column.
    words: usize,
    /// The bits of its columns, starting with the column before the first.
    bits: Vec<u64>,
    /// The rows of each letter.
    masks: Vec<u64>,
}

impl Tile {
    /// Computes the tile at `corner`, counted in tiles, up to `end` in the table.
    fn fill(&mut self, problem: &Reduced, grid: &Grid, corner: (usize, usize), end: (usize, usize)) {
        (self.row, self.column) = (corner.0 * grid.side, corner.1 * grid.side);
        let (rows, columns) = (&problem.rows[self.row..end.0], &problem.columns[self.column..end.1]);
        self.words = rows.len().div_ceil(64);
        self.masks.clear();
        self.masks.resize(problem.letters * self.words, 0);
        for (at, &letter) in rows.iter().enumerate() {
            self.masks[usize::from(letter) * self.words + at / 64] |= 1 << (at % 64);
        }
        self.bits.clear();
        self.bits.reserve((columns.len() + 1) * self.words);
        match grid.left_of(corner) {
            Some(left) => self.bits.extend_from_slice(&left[..self.words]),
            None => self.bits.resize(self.words, u64::MAX),
        }
        let above = grid.above(corner);
        for (at, &letter) in columns.iter().enumerate() {
            let mut carry = above.map_or(0, |above| above[at / 64] >> (at % 64) & 1);
            let masks = &self.masks[usize::from(letter) * self.words..][..self.words];
            let before = self.bits.len() - self.words;
            for (word, &mask) in masks.iter().enumerate() {
                let bits = self.bits[before + word];
                let (sum, over) = bits.overflowing_add(bits & mask);
                let (sum, carried) = sum.overflowing_add(carry);
                carry = u64::from(over || carried);
                self.bits.push(sum | bits & !mask);
            }
        }
    }

    /// Whether the value of a cell of the table equals that of the cell above it.
    fn stays(&self, row: usize, column: usize) -> bool {
        let row = row - 1 - self.row;
        self.bits[(column - self.column) * self.words + row / 64] >> (row % 64) & 1 == 1
    }

    /// Follows the path until it leaves the tile; returns where it does.
    fn walk(&self, mut row: usize, mut column: usize, pairs: &mut Vec<(usize, usize)>) -> (usize, usize) {
        while row > self.row && column > self.column {
            if self.stays(row, column) {
                row -= 1;
            } else if !self.stays(row, column - 1) {
                column -= 1;
            } else {
                row -= 1;
                column -= 1;
                pairs.push((row, column));
            }
        }
        (row, column)
    }
}

impl Grid {
    /// The bits of the column before a tile; `None` if no value rises.
    fn left_of(&self, (strip, tile): (usize, usize)) -> Option<&[u64]> {
        let words = self.side / 64;
        let kept = (self.columns - 1) / self.side;
        let at = strip % self.together * kept + tile.checked_sub(1)?;
        Some(&self.strips[strip / self.together][at * words..][..words])
    }

    /// The bits of the row above a tile; `None` if no value rises.
    fn above(&self, (strip, tile): (usize, usize)) -> Option<&[u64]> {
        let (block, within) = (tile * self.side / self.block, tile * self.side % self.block);
        let words = self.block.min(self.columns - block * self.block).div_ceil(64);
        Some(&self.blocks[block][strip.checked_sub(1)? * words + within / 64..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lcs::{ENGINES, Wanted};
    use isx_engine::{Entry, Request};
    use isx_exact::sampling::Sampler;
    use isx_machine::Machine;
    use isx_problems::reduce::lcs::WayBack;

    /// All values of the table.
    fn values(problem: &Reduced) -> Vec<Vec<u32>> {
        let mut values = vec![vec![0; problem.columns.len() + 1]; problem.rows.len() + 1];
        for (i, row) in problem.rows.iter().enumerate() {
            for (j, column) in problem.columns.iter().enumerate() {
                values[i + 1][j + 1] =
                    if row == column { values[i][j] + 1 } else { values[i][j + 1].max(values[i + 1][j]) };
            }
        }
        values
    }

    /// Words of bits.
    fn words(bits: impl Iterator<Item = bool>) -> Vec<u64> {
        let bits: Vec<u64> = bits.map(u64::from).collect();
        bits.chunks(64).map(|bits| bits.iter().rev().fold(0, |word, bit| word << 1 | bit)).collect()
    }

    /// The grid of a table with `together` strips per part and `block` columns per block.
    fn grid(problem: &Reduced, side: usize, together: usize, block: usize) -> Grid {
        let values = values(problem);
        let (rows, columns) = (problem.rows.len(), problem.columns.len());
        let stays = |row: usize, column: usize| row >= rows || values[row + 1][column] == values[row][column];
        let strips: Vec<Vec<u64>> = (0..rows.div_ceil(side))
            .map(|strip| {
                let kept = (1..=(columns - 1) / side)
                    .map(|tile| words((0..side).map(|row| stays(strip * side + row, tile * side))));
                kept.flatten().collect()
            })
            .collect();
        let blocks = (0..columns.div_ceil(block)).map(|at| {
            let own = at * block..columns.min((at + 1) * block);
            let kept = (1..rows.div_ceil(side)).map(|strip| {
                let row = &values[strip * side];
                words(own.clone().map(|column| row[column + 1] > row[column]))
            });
            kept.flatten().collect()
        });
        let blocks = blocks.collect();
        let strips = strips.chunks(together).map(<[_]>::concat).collect();
        Grid { side, strips, together, blocks, block, columns }
    }

    #[test]
    fn the_walk_through_any_grid_is_that_of_the_whole_table() {
        let mut sampler = Sampler::new(8);
        let machine = Machine::default();
        let context = Context::new(&machine);
        let mut letters = 0;
        for case in 0..40 {
            let alphabet = [1, 2, 4][case % 3];
            let mut text = |most: u64| -> Vec<u8> {
                (0..sampler.uniform(1, most)).map(|_| sampler.uniform(0, alphabet - 1) as u8).collect()
            };
            let (rows, columns) = (text(400), text(400));
            let problem = Reduced { rows, columns, letters: 4, back: WayBack::default() };
            let request = Request { problem: &problem, wanted: Wanted::Subsequence, context: &context };
            let expected = ENGINES.judge().map(|judge: &Entry<_>| judge.solve(request).unwrap()).unwrap();
            for side in [64, 128, 192, 512] {
                for (together, block) in [(1, side), (2, 2 * side), (9, 16 * side)] {
                    let grid = grid(&problem, side, together, block);
                    let (pairs, cells) = walk_back(&problem, &grid, &context).unwrap();
                    assert_eq!(Some(&pairs), expected.pairs.as_ref(), "side {side}");
                    assert!(cells <= problem.cells());
                    letters += pairs.len();
                }
            }
        }
        assert!(letters > 10_000, "{letters}");
    }

    #[test]
    fn the_side_is_the_smallest_that_fits_or_the_one_that_takes_least() {
        let problem = |rows: usize, columns: usize| Reduced {
            rows: vec![0; rows],
            columns: vec![0; columns],
            letters: 1,
            back: WayBack::default(),
        };
        let long = problem(200_000, 300_000);
        assert_eq!(side(&long, 1024, 1 << 30), 1024);
        for room in [40_000_000, 20_000_000, 10_000_000, 6_500_000] {
            let side = side(&long, 1024, room);
            assert!(bytes(&long, side) <= room && (side == 1024 || bytes(&long, side / 2) > room), "{side}");
        }
        let least = side(&long, 1024, 0);
        assert!(
            [1024, 2048, 4096, 8192, 16384].iter().all(|&side| bytes(&long, least) <= bytes(&long, side))
        );
        assert_eq!(side(&problem(1, 1), 1024, 0), 1024);
    }
}
