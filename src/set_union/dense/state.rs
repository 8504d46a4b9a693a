//! The checkpoint that the dense engine saves between two classes: the rows between all steps done, which the traceback
//! needs. Everything else about a step follows from the schedule.

use super::rows::{Level, Memory, Rows};
use super::{Sweep, Table};
use crate::state::{header, most_value, stored, write_header};
use isx_engine::{EngineError, StateReader, StateStore, StateWriter, unfit};
use isx_machine::cpu::lanes::Lane;
use isx_problems::value::{Tier, Value};
use std::io;

impl<'m> Sweep<'m> {
    /// Resumes from saved rows, if there are any.
    pub fn resumed(table: &'m Table<'m>, memory: &'m Memory<'m>) -> Result<Self, EngineError> {
        let Table { problem, schedule, context, cells, .. } = table;
        let mut sweep = Self::start(table, memory);
        let Some(mut parts) = stored(problem, Tier::I64, context)? else { return Ok(sweep) };
        let [done, updates, _] = header(&mut parts, context)?;
        let most = i64::from_big(&most_value(problem)).unwrap_or(i64::HIGHEST);
        for step in schedule.done(done)? {
            sweep.begin(step)?;
            sweep.rows = Rows::read(1 << sweep.open.len(), *cells, memory, most, &mut parts)?;
        }
        sweep.updates = updates;
        context.progress.advance(done);
        Ok(sweep)
    }

    /// Saves the rows if a checkpoint is due.
    pub fn keep_if_due(&self) {
        let due = |store: &&dyn StateStore| store.is_due();
        let Some(store) = self.table.context.store.filter(due) else { return };
        store.keep(&|out| {
            let mut out = StateWriter(out);
            write_header(&mut out, [self.levels.len() as u64, self.updates, 0], self.table.context)?;
            // Before the first step all cells are 0.
            for Level { opened, rows, .. } in self.levels.iter().skip(1) {
                rows.write(rows.states() >> opened.len(), &mut out)?;
            }
            self.rows.write(self.rows.states(), &mut out)
        });
    }
}

impl<'m> Rows<'m> {
    /// Writes the rows of the first `states` states: those before elements opened.
    fn write(&self, states: usize, out: &mut StateWriter<'_>) -> io::Result<()> {
        for state in 0..states {
            let row = self.of_state(state);
            out.number(row.is_some().into())?;
            out.values(row.unwrap_or_default())?;
        }
        Ok(())
    }

    /// Reads the rows of `states` states; no value in them exceeds `most`.
    fn read(
        states: usize,
        cells: usize,
        memory: &'m Memory<'m>,
        most: i64,
        parts: &mut StateReader<'_>,
    ) -> Result<Self, EngineError> {
        let mut rows = Self::none(cells, memory);
        for _ in 0..states {
            let is_possible = parts.number()? > 0;
            let row: Vec<i64> = parts.values(if is_possible { cells } else { 0 })?;
            if row.iter().any(|value| !(i64::LOWEST..=most).contains(value)) {
                return Err(unfit("a sum is too large"));
            }
            rows.push(is_possible.then_some(row));
        }
        Ok(rows)
    }
}
