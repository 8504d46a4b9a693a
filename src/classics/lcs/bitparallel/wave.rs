//! The whole table, tile by tile: a tile can be computed once those above it and to its left are.
//!
//! A thread that has computed a tile continues with the one to its right, if that one waits for nothing else, and
//! leaves the one below to another thread. A strip's bits and a block's carries are each used by one tile at a time,
//! so their locks are never contended.

use super::sweep::{Column, Masks, ROWS, Sweep, WORDS, fill_masks};
use crate::lcs::grid::Grid;
use isx_engine::{Context, EngineError};
use isx_machine::cpu::Team;
use isx_machine::cpu::lanes::Isa;
use isx_problems::reduce::lcs::Reduced;
use rayon::Scope;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How the table is divided into tiles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Rows of a tile, a multiple of [`ROWS`].
    pub side: usize,
    /// Columns of a tile, a multiple of `side`.
    pub block: usize,
    /// Whether a grid is stored.
    pub keep: bool,
}

/// A row of tiles.
struct Strip {
    columns: Vec<Column>,
    kept: Vec<u64>,
}

/// A column of tiles.
struct Block {
    carries: Vec<u64>,
    kept: Vec<u64>,
}

/// A table that is being filled.
pub(super) struct Wave<'a> {
    problem: &'a Reduced,
    shape: Shape,
    isa: Isa,
    context: &'a Context<'a>,
    strips: Vec<Mutex<Strip>>,
    blocks: Vec<Mutex<Block>>,
    /// For every tile, the number of neighbors it waits for.
    waiting: Vec<AtomicU8>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Wave<'a> {
    pub fn new(problem: &'a Reduced, shape: Shape, isa: Isa, context: &'a Context<'a>) -> Self {
        let Shape { side, block, keep } = shape;
        let (rows, columns) = (problem.rows.len(), problem.columns.len());
        let (strips, blocks) = (rows.div_ceil(side), columns.div_ceil(block));
        let strip = |at: usize| {
            let own = side.min(rows - at * side).div_ceil(ROWS);
            // After the columns of every whole tile, except at the table's end.
            let kept = if keep { (columns - 1) / side * side / 64 } else { 0 };
            Mutex::new(Strip { columns: vec![[u64::MAX; WORDS]; own], kept: vec![u64::MAX; kept] })
        };
        let block = |at: usize| {
            let own = block.min(columns - at * block);
            let kept = if keep { (strips - 1) * own.div_ceil(64) } else { 0 };
            Mutex::new(Block { carries: vec![0; own], kept: vec![0; kept] })
        };
        let waits = |at: usize| AtomicU8::new(u8::from(at >= blocks) + u8::from(!at.is_multiple_of(blocks)));
        Self {
            problem,
            shape,
            isa,
            context,
            strips: (0..strips).map(strip).collect(),
            blocks: (0..blocks).map(block).collect(),
            waiting: (0..strips * blocks).map(waits).collect(),
        }
    }

    /// Bytes of a table without its grid.
    pub fn bytes(problem: &Reduced, shape: Shape, threads: usize) -> u64 {
        let (rows, columns) = (problem.rows.len() as u64, problem.columns.len() as u64);
        let tiles = rows.div_ceil(shape.side as u64).saturating_mul(columns.div_ceil(shape.block as u64));
        let masks = (threads * size_of::<Masks>()) as u64;
        (rows.div_ceil(ROWS as u64) * (ROWS / 8) as u64)
            .saturating_add(columns.saturating_mul(8))
            .saturating_add(tiles)
            .saturating_add(masks)
    }

    /// Computes the table; `seconds` is the expected time of one thread.
    pub fn fill(&self, team: &Team<'_>, seconds: f64) -> Result<(), EngineError> {
        self.context.progress.begin("solving", self.waiting.len() as u64);
        if self.waiting.len() > 1 && team.would_share(seconds) {
            team.enter(|| rayon::scope(|scope| self.follow(scope, 0, 0)));
        } else {
            for strip in 0..self.strips.len() {
                for block in 0..self.blocks.len() {
                    self.context.go_on()?;
                    self.tile(strip, block);
                }
            }
        }
        self.context.go_on()
    }

    /// The length, and the grid if it was stored.
    pub fn finish(self) -> (u64, Grid) {
        let Shape { side, block, .. } = self.shape;
        let own = |mutex: Mutex<Strip>| mutex.into_inner().unwrap_or_else(PoisonError::into_inner);
        let strips: Vec<Strip> = self.strips.into_iter().map(own).collect();
        // Rows beyond the end have no letter, and their bits stay 1.
        let words = strips.iter().flat_map(|strip| strip.columns.as_flattened());
        let length = words.map(|word| u64::from(word.count_zeros())).sum();
        let own = |mutex: Mutex<Block>| mutex.into_inner().unwrap_or_else(PoisonError::into_inner).kept;
        let blocks = self.blocks.into_iter().map(own).collect();
        let strips = strips.into_iter().map(|strip| strip.kept).collect();
        (length, Grid { side, strips, together: 1, blocks, block, columns: self.problem.columns.len() })
    }

    /// Computes a tile, and then every tile that this thread should continue with.
    fn follow<'s>(&'s self, scope: &Scope<'s>, mut strip: usize, mut block: usize) {
        while !self.context.machine.is_cancelled() {
            self.tile(strip, block);
            let below = strip + 1 < self.strips.len() && self.is_ready(strip + 1, block);
            let right = block + 1 < self.blocks.len() && self.is_ready(strip, block + 1);
            match (right, below) {
                (true, true) => {
                    scope.spawn(move |scope| self.follow(scope, strip + 1, block));
                    block += 1;
                }
                (true, false) => block += 1,
                (false, true) => strip += 1,
                (false, false) => return,
            }
        }
    }

    /// Marks one neighbor of a tile as computed; returns whether it was the last one that the tile waited for.
    fn is_ready(&self, strip: usize, block: usize) -> bool {
        self.waiting[strip * self.blocks.len() + block].fetch_sub(1, Ordering::AcqRel) == 1
    }

    fn tile(&self, strip_at: usize, block_at: usize) {
        let Shape { side, block: width, keep } = self.shape;
        let mut strip = locked(&self.strips[strip_at]);
        let mut block = locked(&self.blocks[block_at]);
        let (strip, block) = (&mut *strip, &mut *block);
        let letters = &self.problem.columns[block_at * width..][..block.carries.len()];
        let mut masks = Box::new([[0; WORDS]; 256]);
        let rows = self.problem.rows[strip_at * side..].chunks(ROWS);
        for (at, (column, rows)) in strip.columns.iter_mut().zip(rows).enumerate() {
            fill_masks(rows, self.problem.letters, &mut masks);
            let piece = if keep { side } else { width };
            let pieces = letters.chunks(piece).zip(block.carries.chunks_mut(piece));
            for (number, (letters, carries)) in pieces.enumerate() {
                self.isa.run(Sweep { masks: &masks, letters, column, carries });
                if keep {
                    let behind = (block_at * width / side + number) * (side / 64) + at * WORDS;
                    keep_column(column, strip.kept.get_mut(behind..));
                }
            }
        }
        if keep && strip_at + 1 < self.strips.len() {
            let words = block.carries.len().div_ceil(64);
            let kept = block.kept[strip_at * words..].iter_mut();
            for (word, carries) in kept.zip(block.carries.chunks(64)) {
                *word = carries.iter().rev().fold(0, |word, carry| word << 1 | carry);
            }
        }
        self.context.progress.advance(1);
    }
}

/// Stores a column's words, first word first, if it has a place in the grid.
fn keep_column(column: &Column, place: Option<&mut [u64]>) {
    for (kept, &word) in place.into_iter().flatten().zip(column.iter().rev()) {
        *kept = word;
    }
}
