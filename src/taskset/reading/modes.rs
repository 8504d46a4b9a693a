//! Reads the modes of a task set, and the times of tasks in each.
//!
//! ```yaml
//! modes: [cruise, landing]                    # one runs at a time, all on one hardware
//! tasks:
//!   - name: radar
//!     wcet: {cruise: 9100, landing: 6700}     # or one WCET, the same in all
//!     period: {cruise: 40 ms, landing: 10 ms} # a mode left out is one in which the task does not run
//! ```

use isx_exact::quantity::Rational;

use super::fields::{Field, Fields, Least};
use super::resources::listed;
use super::task_set::Reader;
use super::tree::Value;
use super::variants::{times_due, without_period};
use crate::diagnostics::Found;
use crate::model::{MAX_MODES, Task, Timing};

/// How many modes there may be.
const MOST: (usize, &str) = (MAX_MODES, "up to 16 are computed");

impl Reader<'_> {
    /// Reads the task set's `modes`.
    pub fn read_modes(&mut self, set: &Fields<'_>) -> Found<()> {
        let Some(field) = set.get_filled("modes") else { return Ok(()) };
        let names = listed(field, "the name of a mode", "cruise", MOST)?;
        self.modes.extend(names.into_iter().map(|(name, _)| name.to_owned()));
        Ok(())
    }

    /// For each mode whether a task runs in it, by the keys of its period; empty if it runs in all.
    pub fn runs_in(&self, task: &Fields<'_>) -> Vec<bool> {
        match task.get("period") {
            Some(field) if matches!(field.node.value, Value::Map(_)) => {
                self.modes.iter().map(|name| field.node.entry(name).is_some()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The period and deadline of a task.
    pub fn timings(&mut self, task: &Fields<'_>) -> Found<Vec<Option<Timing>>> {
        let period_field = task.required("period")?;
        let periods = self.in_each(period_field)?;
        let deadline_field = task.get("deadline");
        let deadlines = deadline_field.map(|field| self.in_each(field)).transpose()?;
        let count = periods.len().max(deadlines.as_ref().map_or(1, Vec::len));
        let in_mode = |times: &[Option<Rational>], number: usize| times[number.min(times.len() - 1)].clone();
        let mut timings = Vec::with_capacity(count);
        for number in 0..count {
            let given = deadlines.as_ref().and_then(|deadlines| in_mode(deadlines, number));
            let Some(period) = in_mode(&periods, number) else {
                let mode = self.modes.get(number);
                if let Some((field, mode)) = deadline_field.filter(|_| given.is_some()).zip(mode)
                    && field.node.entry(mode).is_some()
                {
                    return Err(without_period(field, mode));
                }
                timings.push(None);
                continue;
            };
            timings.push(Some(Timing { deadline: given.unwrap_or_else(|| period.clone()), period }));
        }
        if timings.iter().all(Option::is_none) {
            let error = period_field.error("names no mode").label("a period is due here");
            return Err(error.help(times_due(&self.modes, "mode")));
        }
        Ok(timings)
    }

    /// A time, or one for some of the modes.
    fn in_each(&mut self, field: Field<'_>) -> Found<Vec<Option<Rational>>> {
        if !matches!(field.node.value, Value::Map(_)) || self.modes.is_empty() {
            return Ok(vec![Some(self.time(field, field.key, Least::AboveZero)?)]);
        }
        let modes = self.modes.clone();
        let given = self.by_name(&field, &modes, "mode")?;
        let time = |name: &String| {
            given.get(name).map(|time| self.time(time, field.key, Least::AboveZero)).transpose()
        };
        modes.iter().map(time).collect()
    }
}

impl Task {
    /// For each mode whether it runs in it, one for all modes if its timing is the same in all.
    pub(super) fn runs(&self) -> Vec<bool> {
        self.timings.iter().map(Option::is_some).collect()
    }
}
