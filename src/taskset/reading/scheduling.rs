//! Reads the scheduler of a task set and the priorities of its tasks.
//!
//! ```yaml
//! scheduler: fixed       # edf (where the key is absent), rm, dm or fixed
//! tasks:
//!   - {name: control, wcet: 2, period: 10, priority: 1}    # 1 is the highest; under rm and dm it orders equal periods or
//!                                                          # deadlines
//! ```

use std::ops::Range;
use std::sync::Arc;

use isx_exact::quantity::parse_decimal;
use num_traits::ToPrimitive;

use super::fields::{Fields, Least};
use crate::diagnostics::{Diagnostic, Found, Source, meant, shortened};
use crate::model::{Scheduler, Task};

/// Schedulers and priorities collected while reading a file.
#[derive(Default)]
pub struct Priorities {
    pub scheduler: Scheduler,
    /// Locations of all priorities.
    given: Vec<Range<usize>>,
}

impl Priorities {
    /// Reads the task set's `scheduler`; the default is EDF.
    pub fn read_scheduler(&mut self, set: &Fields<'_>) -> Found<()> {
        let Some(field) = set.get("scheduler") else { return Ok(()) };
        let text = field.filled_text("the name of a scheduler")?;
        self.scheduler = Scheduler::named(text).ok_or_else(|| {
            let label = meant(text, Scheduler::ALL.map(Scheduler::name)).unwrap_or_else(|| "no scheduler has this name".to_owned());
            field.refused(format!("unknown scheduler `{}`", shortened(text))).label(label).help(
                "the schedulers are `edf` (earliest deadline first), `rm` (rate-monotonic), `dm` (deadline-monotonic) \
                 and `fixed` (by the tasks' `priority`)",
            )
        })?;
        Ok(())
    }

    /// Reads a task's `priority`.
    pub fn read(&mut self, task: &Fields<'_>) -> Found<Option<u32>> {
        let Some(field) = task.get("priority") else { return Ok(None) };
        let value = field.quantity("a whole number", Least::AboveZero, parse_decimal)?;
        const HELP: &str = "1 is the highest priority";
        field.not_zero(&value).map_err(|error| error.help(HELP))?;
        if !value.is_integer() {
            return Err(field.error("must be a whole number").label("this is a fraction").help(HELP));
        }
        let Some(priority) = value.to_integer().to_u32() else {
            return Err(field.error("must be at most 4294967295").label("this is more"));
        };
        self.given.push(field.place());
        Ok(Some(priority))
    }

    /// The warning for priorities that the scheduler does not use, at the first of them: all of them under EDF; under
    /// rate- and deadline-monotonic priorities that of a task whose period or deadline no other task has.
    pub fn unused(&self, source: &Arc<Source>, tasks: &[Task]) -> Option<Diagnostic> {
        let with_priority = tasks.iter().filter(|task| task.priority.is_some() && !task.is_part());
        let unused = with_priority.zip(&self.given).filter(|(task, _)| !self.scheduler.orders(task, tasks));
        let unused: Vec<&Range<usize>> = unused.map(|(_, place)| place).collect();
        let first = *unused.first()?;
        let scheduler = self.scheduler.name();
        let message = match unused.len() {
            1 => format!("a `priority` is given that the scheduler `{scheduler}` does not use"),
            count => format!("{count} priorities are given that the scheduler `{scheduler}` does not use"),
        };
        let help = "write `scheduler: fixed` to schedule by the priorities, or leave them out";
        Some(*Diagnostic::warning(source, first.clone(), message).label("not used").help(help))
    }
}
