//! Reads the scheduler of a task set and the priorities of its tasks.
//!
//! ```yaml
//! scheduler: fixed       # edf (where the key is absent), rm, dm or fixed
//! tasks:
//!   - {name: control, wcet: 2, period: 10, priority: 1}    # 1 is the highest
//! ```

use std::ops::Range;

use num_traits::{ToPrimitive, Zero};

use super::Scheduler;
use super::diagnostic::{Diagnostic, Severity, shortened};
use super::fields::{Fields, nearest};
use super::reader::{Found, Reader};
use super::scalars::Least;
use isx_exact::quantity::parse_decimal;

/// What is known of schedulers and priorities while a file is read.
#[derive(Default)]
pub(super) struct Priorities {
    pub scheduler: Scheduler,
    /// Where priorities stand that the scheduler does not ask for.
    unused: Vec<Range<usize>>,
    /// Which tasks have none where the scheduler goes by it, and where they stand.
    missing: Vec<(Range<usize>, String)>,
}

impl Reader<'_> {
    /// Reads the task set's `scheduler`; EDF if it has none.
    pub(super) fn read_scheduler(&mut self, set: &Fields<'_>) -> Found<()> {
        let Some(node) = set.get("scheduler") else { return Ok(()) };
        if node.is_null() {
            return Err(self.blank(set, node, "scheduler"));
        }
        let text = self.scalar(set, node, "scheduler", "the name of a scheduler")?;
        let Some(scheduler) = Scheduler::named(text) else {
            let names = Scheduler::ALL.map(Scheduler::name);
            let label = nearest(text, names).map_or_else(
                || "no scheduler has this name".to_owned(),
                |nearest| format!("did you mean `{nearest}`?"),
            );
            let message = format!("unknown scheduler `{}`", shortened(text));
            return Err(Diagnostic::error(self.source, set.place(node), message).label(label).help(
                "the schedulers are `edf` (earliest deadline first), `rm` (rate-monotonic), `dm` (deadline-monotonic) \
                 and `fixed` (by the tasks' `priority`)",
            ));
        };
        self.priorities.scheduler = scheduler;
        Ok(())
    }

    /// Reads a task's `priority`, which there must be where the scheduler goes by it.
    pub(super) fn priority(&mut self, task: &Fields<'_>) -> Found<Option<u32>> {
        let is_used = self.priorities.scheduler == Scheduler::FixedPriority;
        let Some(node) = task.get("priority") else {
            if is_used {
                self.priorities.missing.push((task.anchor(), task.owner().to_owned()));
            }
            return Ok(None);
        };
        let text = self.scalar(task, node, "priority", "a whole number")?;
        let value = parse_decimal(text)
            .map_err(|error| self.quantity_error(task, node, "priority", &error, Least::AboveZero))?;
        let wrong = |must: &str, label: &str| {
            let message = format!("`priority` of {} must be {must}", task.owner());
            Diagnostic::error(self.source, task.place(node), message).label(label)
        };
        if value.is_zero() {
            return Err(wrong("greater than 0", "this is 0").help("1 is the highest priority"));
        }
        if !value.is_integer() {
            return Err(wrong("a whole number", "this is a fraction").help("1 is the highest priority"));
        }
        let Some(priority) = value.to_integer().to_u32() else {
            return Err(wrong("at most 4294967295", "this is more"));
        };
        if !is_used {
            self.priorities.unused.push(task.place(node));
        }
        Ok(Some(priority))
    }

    /// The error of tasks without the priority that the scheduler goes by, at the first of them.
    pub(super) fn missing_priorities(&self) -> Option<Box<Diagnostic>> {
        let (place, first) = self.priorities.missing.first()?;
        let message = match self.priorities.missing.len() {
            1 => format!("{first} has no `priority`"),
            count => format!("{count} tasks have no `priority`, the first is {first}"),
        };
        let help = "with `scheduler: fixed` every task has a `priority`, a whole number; 1 is the highest";
        Some(Diagnostic::error(self.source, place.clone(), message).help(help))
    }

    /// The warning of priorities that decide nothing, at the first of them.
    pub(super) fn unused_priorities(&self) -> Option<Diagnostic> {
        let first = self.priorities.unused.first()?;
        let scheduler = self.priorities.scheduler.name();
        let message = match self.priorities.unused.len() {
            1 => format!("a `priority` is given that the scheduler `{scheduler}` does not use"),
            count => format!("{count} priorities are given that the scheduler `{scheduler}` does not use"),
        };
        let warning = Diagnostic::new(Severity::Warning, self.source, first.clone(), message);
        let warning = Box::new(warning).label("not used");
        Some(*warning.help("write `scheduler: fixed` to schedule by the priorities, or leave them out"))
    }
}
