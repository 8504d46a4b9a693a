//! The textbook table by anti-diagonals, swept by the wave driver.
//!
//! All cells (i, j) with i + j = d form a wave; a cell needs the two previous waves. Two bits per cell say where its
//! value comes from, and guide the walk back. J. O'Connell and C. Mumford, "An exact dynamic programming based method
//! to solve optimisation problems using GPUs", 2014, section III. Bit-parallel programs compute a word of cells in
//! the time of one cell here.
//!
//! Worked instance: rows `ab`, columns `ba`: the waves are 0, 0 0, 0 0 0 (`a` is not `b`), 1 1 and 1.

use super::{Found, Lcs, Pair, Wanted};
use crate::answer::Answer;
use crate::wave::{Before, Recurrence, Table, Waves, bytes_of};
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_machine::cpu::{in_words, shared_seconds};
use std::time::{Duration, Instant};

/// The wave engine on the CPU.
pub struct Wave;

/// Seconds per cell, on a common core.
const CELL: f64 = 4.0e-9;

/// Threads share a wave in parts of this many cells.
const PART: f64 = 8192.0;

/// A cell whose letter belongs to the subsequence.
const LETTER: u8 = 0;
/// A cell with the value of the cell above it.
const UP: u8 = 1;
/// A cell with the value of the cell to its left, and not of the one above it.
const LEFT: u8 = 2;

impl Engine<Lcs> for Wave {
    fn plan<'a>(&'a self, request: Request<'a, Lcs>) -> Result<Plan<'a, Lcs>, EngineError> {
        let Request { problem, wanted, context } = request;
        let machine = context.machine;
        let diagonals = Diagonals::new(problem)?;
        let own = own_bytes(problem, wanted);
        let bytes = bytes_of(&diagonals, wanted == Wanted::Subsequence, machine)?.saturating_add(own);
        machine.allow(bytes)?;
        let cells = (problem.rows.len().min(problem.columns.len()) + 1) as f64;
        let seconds = shared_seconds(cells * CELL, cells / PART, machine.threads());
        let estimate = Estimate { seconds: seconds * diagonals.waves() as f64, bytes };
        Ok(Plan::new(estimate, move || solve(&diagonals, wanted, context)))
    }
}

/// Bytes besides the table.
pub(super) fn own_bytes(problem: &Pair, wanted: Wanted) -> u64 {
    if wanted == Wanted::Subsequence { problem.pairs_bytes() } else { 0 }
}

fn solve(diagonals: &Diagonals, wanted: Wanted, context: &Context) -> Result<Answer<Found>, EngineError> {
    let started = Instant::now();
    context.progress.begin("solving", diagonals.waves());
    let advance = |waves| context.progress.advance(waves);
    let keep = wanted == Wanted::Subsequence;
    let machine = context.machine;
    let table = Table::sweep(diagonals, machine, keep, &advance)?;
    let length = table.last().last().copied().unwrap_or_default();
    let mut answer = Answer {
        found: Found { length: length.into(), pairs: None },
        how: in_words(machine.threads()),
        threads: machine.threads(),
        updates: 0,
        solve: started.elapsed(),
        traceback: Duration::ZERO,
    };
    if keep {
        let started = Instant::now();
        let choice = |wave, cell| Ok::<_, EngineError>(table.choice(wave, cell));
        answer.found.pairs = Some(diagonals.walk(choice)?);
        answer.traceback = started.elapsed();
    }
    answer.updates = table.filled();
    Ok(answer)
}

/// The anti-diagonals of a pair's table, borders included. Wave d contains the cells (i, d - i), from the least i on.
pub(super) struct Diagonals<'a> {
    pub rows: &'a [u8],
    pub columns: &'a [u8],
}

impl<'a> Diagonals<'a> {
    /// Fails if a length does not fit 32 bits.
    pub fn new(problem: &'a Pair) -> Result<Self, EngineError> {
        let Pair { rows, columns } = problem;
        if rows.len().max(columns.len()) >= i32::MAX as usize {
            return Err(EngineError::Unavailable("its cells have 32 bits".into()));
        }
        Ok(Self { rows, columns })
    }

    /// The least row of a wave.
    pub fn top(&self, wave: u64) -> usize {
        (wave as usize).saturating_sub(self.columns.len())
    }

    /// The letters of the walk back from the last cell: up while the value stays, then left while it stays, then a
    /// letter.
    pub fn walk<E>(
        &self,
        mut choice: impl FnMut(u64, usize) -> Result<u8, E>,
    ) -> Result<Vec<(usize, usize)>, E> {
        let (mut row, mut column, mut pairs) = (self.rows.len(), self.columns.len(), Vec::new());
        while row > 0 && column > 0 {
            let wave = (row + column) as u64;
            match choice(wave, row - self.top(wave))? {
                UP => row -= 1,
                LEFT => column -= 1,
                _ => {
                    (row, column) = (row - 1, column - 1);
                    pairs.push((row, column));
                }
            }
        }
        pairs.reverse();
        Ok(pairs)
    }
}

impl Waves for Diagonals<'_> {
    fn waves(&self) -> u64 {
        (self.rows.len() + self.columns.len()) as u64 + 1
    }

    fn cells(&self, wave: u64) -> usize {
        (wave as usize).min(self.rows.len()) - self.top(wave) + 1
    }

    fn reach(&self) -> usize {
        2
    }

    fn choice_bits(&self) -> u32 {
        2
    }
}

impl Recurrence for Diagonals<'_> {
    type Cell = u32;

    #[inline]
    fn cell(&self, wave: u64, at: usize, before: &Before<'_, u32>) -> (u32, u8) {
        let top = self.top(wave);
        let row = top + at;
        let column = wave as usize - row;
        if row == 0 || column == 0 {
            return (0, LEFT);
        }
        // If the top row moved down, the previous waves begin one row earlier.
        let one = row - self.top(wave - 1);
        let (up, left) = (before.wave(1)[one - 1], before.wave(1)[one]);
        let value = if self.rows[row - 1] == self.columns[column - 1] {
            before.wave(2)[row - 1 - self.top(wave - 2)] + 1
        } else {
            up.max(left)
        };
        let choice = if value == up {
            UP
        } else if value == left {
            LEFT
        } else {
            LETTER
        };
        (value, choice)
    }
}
