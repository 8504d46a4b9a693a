//! What the engine keeps between two layers of its first sweep: the rows in use, from which another run goes on.
//!
//! Rows are kept in the order of their layers, as the sweep asks for them, so that a run that goes on reads each into the
//! memory that it would have computed it in. A run with other memory may hold other rows: those it has no use for are
//! passed over, and those it misses computed.

use super::row::{Cell, Row};
use super::solver::Solver;
use crate::{Wanted, written};
use isx_engine::{EngineError, Figures, Parts, unfit};
use std::io::{self, Write};

/// A row in use, and those in use before it.
pub struct Held<'p, 'a, V> {
    /// Which row: that after so many layers.
    pub after: usize,
    /// The row.
    pub row: &'p Row<'a, V>,
    /// Those before it.
    pub below: Option<&'p Held<'p, 'a, V>>,
}

/// Rows that are still to be read.
pub struct Kept<'k> {
    parts: Parts<'k>,
    left: u64,
    /// The next row: that after so many layers.
    next: usize,
}

impl Kept<'_> {
    /// Whether the next row is one of those after `low` layers or more and no more than `high`; those before are passed over.
    pub fn has(&self, low: usize, high: usize) -> bool {
        self.left > 0 && (low..=high).contains(&self.next)
    }

    fn number_of_next(&mut self) -> Result<(), EngineError> {
        let before = std::mem::take(&mut self.next);
        if self.left > 0 {
            self.next = usize::try_from(self.parts.number()?).unwrap_or(usize::MAX);
            if self.next <= before {
                return Err(unfit("its rows are not in order"));
            }
        }
        Ok(())
    }
}

impl<'a, V: Cell> Solver<'a, V> {
    /// What there is to go on from.
    pub fn kept(&mut self, wanted: Wanted) -> Result<Option<Kept<'a>>, EngineError> {
        let Some(keeper) = self.context.keeper else { return Ok(None) };
        let (problem, context) = (self.problem, self.context);
        let subject = |out: &mut dyn Write| written(problem, wanted, context, out);
        let Some(state) = keeper.begin(&subject)? else { return Ok(None) };
        let mut parts = Parts(state);
        self.updates = parts.number()?;
        if parts.number()? > 0 {
            self.team.was_used();
        }
        let mut kept = Kept { left: parts.number()?, parts, next: 0 };
        kept.number_of_next()?;
        Ok(Some(kept))
    }

    /// Reads the next row into memory; gives the number of layers that it comes after.
    pub fn read(&mut self, kept: &mut Kept<'_>, row: &mut Row<'a, V>) -> Result<usize, EngineError> {
        let after = kept.next;
        if after > self.problem.classes.len() {
            return Err(unfit("it has other classes"));
        }
        let cells = &mut row.cells_mut()[..self.lengths.row(after)];
        kept.parts.fill(cells)?;
        kept.left -= 1;
        kept.number_of_next()?;
        let done = after.saturating_sub(self.reported);
        self.reported += done;
        self.context.progress.advance(done as u64);
        Ok(after)
    }

    /// Keeps the rows in use if it is time to, and the first sweep goes on: those held, and those after `low + 1` layers
    /// and on.
    pub fn keep_if_due(&self, held: &Held<'_, 'a, V>, (low, rows): (usize, &[Row<'a, V>])) {
        let Some(keeper) = self.context.keeper else { return };
        let all_read = self.kept.as_ref().is_none_or(|kept| kept.left == 0);
        let sweeps = self.reported < self.problem.classes.len() && !self.context.machine.is_cancelled();
        if all_read && sweeps && keeper.is_due() {
            keeper.keep(&|out| self.write(out, held, (low, rows)));
        }
    }

    fn write(
        &self,
        out: &mut dyn Write,
        held: &Held<'_, 'a, V>,
        (low, rows): (usize, &[Row<'a, V>]),
    ) -> io::Result<()> {
        let below = std::iter::successors(Some(held), |held| held.below);
        // Before any layer all cells are 0.
        let mut all: Vec<(usize, &Row<'a, V>)> =
            below.map(|held| (held.after, held.row)).filter(|&(after, _)| after > 0).collect();
        all.reverse();
        all.extend((low + 1..).zip(rows));
        let mut out = Figures(out);
        out.number(self.updates)?;
        out.number(u64::from(self.team.took_part() > 1))?;
        out.number(all.len() as u64)?;
        for (after, row) in all {
            out.number(after as u64)?;
            out.values(&row.cells()[..self.lengths.row(after)])?;
        }
        Ok(())
    }
}
