//! The response times of the design that a verdict shows.
//!
//! ```text
//! response times in cycles:
//!   response  deadline  task
//!          2         4  fir
//!          7         6  iir (late)
//! ```

use super::super::text::{columns, visible, wrapped};
use crate::quantity::format_decimal;
use crate::schedulability::{BudgetVerdict, ResponseTime};
use crate::taskset::Task;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Prints a line a task; nothing where there are no response times.
pub(super) fn write_text(verdict: &BudgetVerdict, width: usize, out: &mut impl Write) -> io::Result<()> {
    let Some(times) = &verdict.response_times else { return Ok(()) };
    let unit = match verdict.task_set.time_base.unit() {
        "" => String::new(),
        unit => format!(" in {unit}"),
    };
    let rows: Vec<[String; 3]> = tasks(verdict, times).map(|(task, time)| row(verdict, task, time)).collect();
    let widest = |column: usize, head: &str| {
        rows.iter().map(|row| columns(&row[column])).fold(columns(head), usize::max)
    };
    let (first, second) = (widest(0, "response"), widest(1, "deadline"));
    writeln!(out, "\nresponse times{unit}:\n  {:>first$}  {:>second$}  task", "response", "deadline")?;
    for [response, deadline, task] in &rows {
        let label = format!("  {response:>first$}  {deadline:>second$}  ");
        writeln!(out, "{}", wrapped(&label, task, width))?;
    }
    Ok(())
}

fn tasks<'a>(
    verdict: &'a BudgetVerdict,
    times: &'a [ResponseTime],
) -> impl Iterator<Item = (&'a Task, &'a ResponseTime)> {
    times.iter().filter_map(|time| Some((verdict.task_set.tasks.get(time.task)?, time)))
}

fn row(verdict: &BudgetVerdict, task: &Task, time: &ResponseTime) -> [String; 3] {
    let (name, deadline) = (visible(&task.name), format_decimal(&task.deadline));
    match &time.response {
        Ok(units) => {
            let response = verdict.time(units);
            let late = if response > task.deadline { " (late)" } else { "" };
            [format_decimal(&response), deadline, format!("{name}{late}")]
        }
        Err(why) => ["-".to_owned(), deadline, format!("{name} ({why})")],
    }
}

/// An object a task: `response_time` is null where there is none, and `why` says so then.
pub(super) fn json(verdict: &BudgetVerdict, times: &[ResponseTime]) -> Value {
    let entry = |(task, time): (&Task, &ResponseTime)| {
        let (response, why) = match &time.response {
            Ok(units) => (Some(format_decimal(&verdict.time(units))), None),
            Err(why) => (None, Some(why.to_string())),
        };
        let mut entry = json!({
            "task": task.name,
            "response_time": response,
            "deadline": format_decimal(&task.deadline),
        });
        if let Some(why) = why {
            entry["why"] = why.into();
        }
        entry
    };
    tasks(verdict, times).map(entry).collect()
}
