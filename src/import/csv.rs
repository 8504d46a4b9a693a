//! CSV: one task per row.
//!
//! ```text
//! name,      period_ms, wcet [us], deadline_ms, priority
//! control,   10,        2500,      8,           1
//! telemetry, 100,       4000,      ,            2
//! ```
//!
//! | column | is | if absent |
//! |---|---|---|
//! | `name` or `task` | the task's name | an error |
//! | `period` | a time | an error |
//! | `wcet`, `cost` or `c` | a time, or cycles | an error |
//! | `deadline` | a time; an empty cell is the period | the period |
//! | `priority` | a whole number, 1 is the highest; the set is then `scheduler: fixed` | EDF |
//! | `jitter`, `blocking`, `nonpreemptive` | a time; an empty cell is none; `nonpreemptive` may be `all` | none |
//! | `core` | a whole number from 0 on; the set then has `cores` | one core |
//! | `source` | where the figures come from | the row's line |
//!
//! A unit (`s`, `ms`, `us`, `ns`, `ps`, for WCETs also `cycles`) is given in the header, as `period_ms` or `period
//! [ms]`, or in the cell, `10 ms`. Without units, all times are in the same unnamed unit. WCETs in cycles require a
//! clock if other times have units. Any other key of a task is a column too. Figures have decimal points or decimal commas, all of them the same.

use std::ops::Range;
use std::sync::Arc;

use num_traits::ToPrimitive;

use super::draft::MAX_TASKS;
use super::draft::{Draft, DraftTask, one_too_many};
use super::figures::{Figure, Found, Time, error, meant};
use super::format::{Format, Head, Options};
use super::printed::{self, Drafted};
use super::refusal::{Need, Refusal};
use super::table::{Cell, Row, Table, head_line, wrong_unit};
use isx_exact::quantity::{Rational, TimeUnit};
use isx_taskset::document::{CORE_KEY, TASK_KEYS};
use isx_taskset::{Scheduler, Source, shortened};
use isx_text::Problems;

pub(super) const FORMAT: Format =
    Format { name: "csv", ending: "csv", recognises, takes: &[Need::Clock, Need::Unit, Need::Decimal], read };

const NAME: &[&str] = &["name", "task"];
const PERIOD: &[&str] = &["period", "p", "t"];
const WCET: &[&str] = &["wcet", "cost", "c"];
const DEADLINE: &[&str] = &["deadline", "d"];
const PRIORITY: &[&str] = &["priority", "prio"];
const SOURCE: &[&str] = &["source"];
/// The times among the further keys of a task.
const FURTHER_TIMES: [&str; 4] = ["jitter", "blocking", "nonpreemptive", "wcet_high"];

const HELP: &str = "the columns are `name`, `period`, `wcet` and, if there are any, `deadline`, `priority`, `jitter`, `blocking`, \
                    `nonpreemptive`, `core` and `source`; a unit stands behind the word: `period_ms` or `period [ms]`";

/// The units of times, and the word for no unit.
pub(super) const UNITS: &[&str] = &["s", "ms", "us", "µs", "μs", "ns", "ps", "cycles"];

pub(super) fn is_unit(text: &str) -> bool {
    UNITS.contains(&text)
}

fn recognises(head: &Head<'_>) -> bool {
    // A header names at least two known columns; other text with as many commas does not.
    let known = |cell: &str| {
        let cell = cell.trim().trim_matches('"').to_lowercase();
        let word = cell.split(['_', '[', '(']).next().unwrap_or("").trim();
        [NAME, PERIOD, WCET].iter().any(|names| names.contains(&word))
    };
    let Some((_, line, separator)) = head_line(head.text) else { return false };
    line.split(separator).take(200).filter(|cell| known(cell)).count() >= 2
}

struct Columns {
    name: usize,
    period: usize,
    wcet: usize,
    deadline: Option<usize>,
    priority: Option<usize>,
    source: Option<usize>,
    /// Further keys of a task.
    more: Vec<(&'static str, usize)>,
    /// The unit of a column, appended to its numbers.
    units: Vec<String>,
}

impl Columns {
    fn further_times(&self) -> impl Iterator<Item = usize> {
        self.more.iter().filter(|(key, _)| FURTHER_TIMES.contains(key)).map(|(_, column)| *column)
    }
}

/// A task as it was read.
struct Read {
    task: DraftTask,
    /// Its times by column.
    times: Vec<(usize, Time)>,
    /// Its core, with the place.
    core: Option<(u64, Range<usize>)>,
}

fn read(source: &Arc<Source>, options: &Options) -> Result<Draft, Refusal> {
    let mut table = Table::new(source, is_unit)?;
    let mut draft = Draft::new(source, "CSV");
    let columns = columns(&table, options, &mut draft)?;
    let mut figures = vec![Some(columns.period), Some(columns.wcet), columns.deadline, columns.priority];
    figures.extend(columns.further_times().map(Some));
    table.find_decimal_mark(options.decimal, &figures)?;
    draft.clock.clone_from(&options.clock);
    if columns.priority.is_some() {
        draft.scheduler = Scheduler::FixedPriority;
        draft.taken.push("The column of priorities was taken as isx takes them: 1 is the highest.".into());
    }
    let mut problems = Problems::default();
    let mut tasks: Vec<Read> = Vec::new();
    for (before, row) in table.rows().enumerate() {
        if before >= MAX_TASKS
            && let Ok(row) = &row
        {
            problems.refuse(*one_too_many(source, row.place.clone(), "tasks"));
            break;
        }
        tasks.extend(problems.keep(row.and_then(|row| task(&columns, &row))));
    }
    problems.none()?;
    one_kind_of_time(&table, &columns, &draft, &tasks)?;
    let last = tasks.iter().filter_map(|read| read.core.clone()).max_by_key(|(core, _)| *core);
    if let Some((last, place)) = last {
        draft.more.hand_on("cores", format!("{{count: {}}}", last.saturating_add(1)), place);
    }
    draft.tasks = tasks.into_iter().map(|read| read.task).collect();
    Ok(draft)
}

fn columns(table: &Table<'_>, options: &Options, draft: &mut Draft) -> Found<Columns> {
    let mut columns = Columns {
        name: table.required(NAME, HELP)?,
        period: table.required(PERIOD, HELP)?,
        wcet: table.required(WCET, HELP)?,
        deadline: table.find(DEADLINE)?,
        priority: table.find(PRIORITY)?,
        source: table.find(SOURCE)?,
        more: Vec::new(),
        units: Vec::with_capacity(table.columns.len()),
    };
    let read = [NAME, PERIOD, WCET, DEADLINE, PRIORITY, SOURCE, &["choices"]].concat();
    for key in TASK_KEYS.names.iter().filter(|key| !read.contains(key)) {
        columns.more.extend(table.find(&[key])?.map(|column| (*key, column)));
    }
    let mut times = vec![Some(columns.period), Some(columns.wcet), columns.deadline];
    times.extend(columns.further_times().map(Some));
    let mut others = vec![Some(columns.name), columns.priority, columns.source];
    others.extend(columns.more.iter().map(|(_, column)| Some(*column)));
    for (at, column) in table.columns.iter().enumerate() {
        if times.contains(&Some(at)) {
            columns.units.push(time_unit(table, at, options)?);
        } else {
            columns.units.push(String::new());
            if !others.contains(&Some(at)) {
                draft.left_out.note(
                    "columns that no task set has",
                    &column.head.text,
                    column.head.place.start,
                );
            }
        }
    }
    Ok(columns)
}

/// The unit of the numbers of a column; empty for cycles, and for no unit.
pub(super) fn time_unit(table: &Table<'_>, at: usize, options: &Options) -> Found<String> {
    let column = &table.columns[at];
    match column.unit.as_str() {
        "" => Ok(options.unit.clone().unwrap_or_default()),
        "cycles" | "ticks" => Ok(String::new()),
        unit if is_unit(unit) => Ok(unit.to_owned()),
        unit => {
            let due = meant(unit, UNITS.iter().copied());
            let due = due.unwrap_or_else(|| "expected s, ms, us, ns, ps or cycles".to_owned());
            Err(wrong_unit(table.source, column, &due))
        }
    }
}

fn task(columns: &Columns, row: &Row<'_>) -> Found<Read> {
    let Cell { text: name, place } = &row.cells[columns.name];
    if name.is_empty() {
        return Err(row.error(columns.name, "the row names no task").label("expected a name"));
    }
    let owner = format!("task `{}`", shortened(name));
    let mut times: Vec<(usize, Time)> = Vec::new();
    let mut time = |column: usize| -> Found<Time> {
        let time = row.figure(column, &owner).positive_time(&columns.units[column])?;
        times.push((column, time.clone()));
        Ok(time)
    };
    let figures = [time(columns.wcet)?, time(columns.period)?];
    let deadline = row.filled(columns.deadline).map(time).transpose()?;
    let origin = row.origin(columns.source);
    let mut task = DraftTask::new(name.to_string(), figures, deadline.as_ref(), origin, place.clone());
    if let Some(column) = columns.priority {
        task.part.number("priority", priority(row.figure(column, &owner))? as usize);
    }
    let mut core = None;
    for &(key, column) in columns.more.iter().filter(|(_, column)| row.filled(Some(*column)).is_some()) {
        let figure = row.figure(column, &owner);
        let yaml = if key == CORE_KEY {
            let number = figure.whole()?;
            core = Some((number.to_u64().unwrap_or(0), figure.place.clone()));
            number.to_string()
        } else if FURTHER_TIMES.contains(&key) && figure.text != "all" {
            let time = figure.time(&columns.units[column])?;
            let yaml = printed::time(&time).unwrap_or_else(|| figure.text.to_owned());
            task.part.drafted.push((key, Drafted::Time(time.clone())));
            times.push((column, time));
            yaml
        } else {
            printed::as_written(figure.text)
        };
        task.part.written.hand_on(key, yaml, figure.place);
    }
    Ok(Read { task, times, core })
}

fn priority(figure: Figure<'_>) -> Found<u32> {
    let whole = Some(figure.positive()?).filter(Rational::is_integer).and_then(|value| value.to_u32());
    whole.ok_or_else(|| {
        let refused = error(figure.source, figure.place.clone(), format!("{} is no priority", figure.what));
        refused.label(format!("expected a whole number from 1, the highest, to {}", u32::MAX))
    })
}

/// Times with and without a unit must not be mixed; with a clock WCETs may be cycles, if all of them are.
fn one_kind_of_time(
    table: &Table<'_>,
    columns: &Columns,
    draft: &Draft,
    tasks: &[Read],
) -> Result<(), Refusal> {
    let times = tasks
        .iter()
        .flat_map(|Read { task, times, .. }| times.iter().map(move |(column, time)| (task, time, *column)));
    let has_unit = |(_, time, _): &(&DraftTask, &Time, usize)| time.unit == TimeUnit::Seconds;
    // As in a task set, what delays a task may be in cycles like its WCET, or have a unit.
    let is_wcet = |&(_, time, column): &(&DraftTask, &Time, usize)| {
        let key = columns.more.iter().find(|(_, further)| *further == column).map_or("", |(key, _)| *key);
        column == columns.wcet
            || key == "wcet_high"
            || matches!(key, "blocking" | "nonpreemptive") && time.unit == TimeUnit::None
    };
    let mixed = |counts: &dyn Fn(&(&DraftTask, &Time, usize)) -> bool| {
        let mut times = times.clone().filter(|time| counts(time));
        let first = times.next()?;
        let other = times.find(|time| has_unit(time) != has_unit(&first))?;
        Some(if has_unit(&first) { (other, first) } else { (first, other) })
    };
    let found = match draft.clock {
        None => mixed(&|_| true),
        Some(_) => mixed(&|time| has_unit(time) || !is_wcet(time)).or_else(|| mixed(&is_wcet)),
    };
    let Some((plain, unit)) = found else { return Ok(()) };
    let name = |column: usize| shortened(&table.columns[column].name);
    let message = format!(
        "`{}` of task `{}` has no unit, but `{}` of task `{}` has one",
        name(plain.2),
        shortened(&plain.0.name),
        name(unit.2),
        shortened(&unit.0.name)
    );
    let help = match draft.clock {
        None => {
            "name the units in the head, such as `period_ms`; cycles beside times need the processor's clock"
        }
        Some(_) => {
            "name the units in the head, such as `period_ms`; beside a clock WCETs may be cycles, if all of them are"
        }
    };
    let refused = error(table.source, table.columns[plain.2].head.place.clone(), message)
        .label("the column without a unit")
        .help(help);
    Err(match (table.columns[plain.2].unit.is_empty(), &draft.clock) {
        (true, _) => Refusal::needs(Need::Unit, refused),
        (false, None) => Refusal::needs(Need::Clock, refused),
        (false, Some(_)) => refused.into(),
    })
}
