//! The textbook dynamic program: a table of 32-bit lengths, and a traceback through it.
//!
//! R. Wagner and M. Fischer, "The string-to-string correction problem", Journal of the ACM 21(1), 1974. The other
//! engines are tested against it, so it stays as simple as the book. Time O(m n); memory 4 bytes per cell, or two
//! rows if only the length is requested.
//!
//! Worked instance: rows `ab`, columns `ba`: the table's rows are 0 0 0, 0 0 1 and 0 1 1. From the last cell the
//! traceback goes up to row 1, where the value 1 is greater than those to the left and above: the letter is `a`.

use super::{Found, Lcs, Pair, Wanted};
use crate::answer::Answer;
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use std::time::Instant;

/// The textbook engine.
pub struct Reference;

/// Seconds per cell, on a common core.
const CELL: f64 = 1.2e-9;

impl Engine<Lcs> for Reference {
    fn plan<'a>(&'a self, request: Request<'a, Lcs>) -> Result<Plan<'a, Lcs>, EngineError> {
        let Request { problem, wanted, context } = request;
        let side = |letters: &[u8]| letters.len() as u64 + 1;
        let rows = if wanted == Wanted::Length { 2 } else { side(&problem.rows) };
        let cells = rows.saturating_mul(side(&problem.columns));
        let pairs = if wanted == Wanted::Length { 0 } else { problem.pairs_bytes() };
        let bytes = cells.saturating_mul(4).saturating_add(pairs);
        context.machine.allow(bytes)?;
        if side(&problem.rows).min(side(&problem.columns)) > u64::from(u32::MAX) {
            return Err(EngineError::Unavailable("its lengths have 32 bits".into()));
        }
        let estimate = Estimate { seconds: problem.cells() as f64 * CELL, bytes };
        Ok(Plan::new(estimate, move || solve(problem, wanted, context)))
    }
}

fn solve(problem: &Pair, wanted: Wanted, context: &Context) -> Result<Answer<Found>, EngineError> {
    let started = Instant::now();
    context.progress.begin("solving", problem.rows.len() as u64);
    let width = problem.columns.len() + 1;
    let kept = if wanted == Wanted::Length { 2 } else { problem.rows.len() + 1 };
    let mut table = vec![0u32; kept * width];
    for (at, &row) in problem.rows.iter().enumerate() {
        context.go_on()?;
        let (before, here) = two_rows(&mut table, width, at % kept, (at + 1) % kept);
        for (column, &letter) in problem.columns.iter().enumerate() {
            here[column + 1] =
                if row == letter { before[column] + 1 } else { before[column + 1].max(here[column]) };
        }
        context.progress.advance(1);
    }
    let length = table[(problem.rows.len() % kept + 1) * width - 1];
    let solve = started.elapsed();
    let started = Instant::now();
    let pairs = (wanted == Wanted::Subsequence).then(|| walk_back(&table, width));
    Ok(Answer {
        found: Found { length: length.into(), pairs },
        how: "1 thread".into(),
        threads: 1,
        updates: problem.cells(),
        solve,
        traceback: started.elapsed(),
    })
}

/// A row to read and another one to write.
fn two_rows(table: &mut [u32], width: usize, before: usize, here: usize) -> (&[u32], &mut [u32]) {
    if before < here {
        let (low, high) = table.split_at_mut(here * width);
        (&low[before * width..][..width], &mut high[..width])
    } else {
        let (low, high) = table.split_at_mut(before * width);
        (&high[..width], &mut low[here * width..][..width])
    }
}

/// From the last cell: up while the value stays the same, then left while it does, then a letter.
fn walk_back(table: &[u32], width: usize) -> Vec<(usize, usize)> {
    let value = |row: usize, column: usize| table[row * width + column];
    let (mut row, mut column) = (table.len() / width - 1, width - 1);
    let mut pairs = Vec::with_capacity(value(row, column) as usize);
    while value(row, column) > 0 {
        if value(row - 1, column) == value(row, column) {
            row -= 1;
        } else if value(row, column - 1) == value(row, column) {
            column -= 1;
        } else {
            row -= 1;
            column -= 1;
            pairs.push((row, column));
        }
    }
    pairs.reverse();
    pairs
}
