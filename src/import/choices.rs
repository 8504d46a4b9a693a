//! The second file: choices for the tasks of the first, one per row.
//!
//! ```text
//! task, choice, area [NAND2], wcet_us
//! fir,  mac,    120,          1250
//! ```
//!
//! Columns are `task`, `choice`, `area`, `wcet` or `saves`, and optionally `source`. Units are written as in
//! [`csv`](super::csv); the brackets of `area` name the unit of all areas. If the set has a clock, times in another
//! unit than the task's WCET are converted; plain numbers are then cycles, and if WCETs are times they need the word
//! `cycles` in the header.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::csv::{is_unit, time_unit};
use super::draft::{Draft, DraftChoice, Gives, Problems, file_name};
use super::figures::{Found, Time, error, meant};
use super::table::{Cell, Row, Table};
use super::{MAX_TASKS, Options, Refusal};
use isx_exact::quantity::{TimeUnit, parse_decimal};
use isx_taskset::{Source, name_problem, printable, shortened};

const HELP: &str =
    "the columns of choices are `task`, `choice`, `area`, `wcet` or `saves`, and perhaps `source`";

struct Columns {
    task: usize,
    choice: usize,
    area: usize,
    /// The column of new WCETs or of savings.
    time: usize,
    saves: bool,
    source: Option<usize>,
    unit: String,
    /// Whether the header names a unit, or says that times are cycles.
    names_unit: bool,
}

/// The maximum number of tasks compared with an unknown name.
const MAX_COMPARED: usize = 1_000;

/// Adds the choices to the tasks that they name.
pub(super) fn add(draft: &mut Draft, source: &Arc<Source>) -> Result<(), Refusal> {
    let table = Table::new(source, is_unit)?;
    let columns = columns(&table)?;
    if let Some(column) = table.columns.get(columns.area) {
        draft.area_unit = column.unit.clone();
    }
    leave_out(&table, &columns, draft);
    let by_name: HashMap<String, usize> =
        draft.tasks.iter().enumerate().map(|(at, task)| (task.name.clone(), at)).collect();
    let mut seen: HashMap<(usize, String), Range<usize>> = HashMap::new();
    let mut problems = Problems::default();
    for (before, row) in table.rows().enumerate() {
        let Some(row) = problems.keep(row) else { continue };
        if before >= MAX_TASKS {
            let place = row.cells[columns.choice].place.clone();
            let message = format!("the file has more than {MAX_TASKS} choices");
            problems.refuse(*error(source, place, message).label("one too many"));
            break;
        }
        let Some(&at) = by_name.get(&*row.cells[columns.task].text) else {
            problems.refuse(*unknown_task(draft, source, &row.cells[columns.task], !problems.are_full()));
            continue;
        };
        let Some(choice) = problems.keep(choice(draft, &table, &columns, &row, at)) else { continue };
        let place = row.cells[columns.choice].place.clone();
        let key = (at, choice.name.clone());
        if let Some(first) = seen.get(&key) {
            problems.refuse(*double(source, &choice.name, &draft.tasks[at].name, place, first));
            continue;
        }
        seen.insert(key, place);
        draft.tasks[at].choices.push(choice);
    }
    if !draft.area_unit.is_empty() && name_problem(&draft.area_unit).is_some() {
        let place = table.columns[columns.area].head.place.clone();
        problems.refuse(*error(source, place, "the unit of the areas is no text that can be printed"));
    }
    problems.none()?;
    let with = draft.tasks.iter().filter(|task| !task.choices.is_empty()).count();
    let (choices, tasks) = (seen.len(), draft.tasks.len());
    draft
        .taken
        .push(format!("Choices are from {}: {choices}, for {with} of {tasks} tasks.", file_name(source)));
    Ok(())
}

/// Records the unused columns.
fn leave_out(table: &Table<'_>, columns: &Columns, draft: &mut Draft) {
    let read = [columns.task, columns.choice, columns.area, columns.time];
    for (at, column) in table.columns.iter().enumerate() {
        if read.contains(&at) || columns.source == Some(at) {
            continue;
        }
        let kind = match column.name.as_str() {
            "uses" | "blocks" => "blocks of choices, which are declared and used in the task set by hand",
            _ => "columns that no choice has",
        };
        let line = table.source.line(column.head.place.start);
        let who = format!("{} of {}", column.head.text, file_name(table.source));
        draft.left_out.note_in_line(kind, &who, line);
    }
}

fn columns(table: &Table<'_>) -> Found<Columns> {
    let (wcet, saves) = (table.find(&["wcet"])?, table.find(&["saves"])?);
    let time = match (wcet, saves) {
        (Some(wcet), None) => wcet,
        (None, Some(saves)) => saves,
        (None, None) => table.required(&["wcet", "saves"], HELP)?,
        (Some(wcet), Some(saves)) => {
            let place = |at: usize| table.columns[at].head.place.clone();
            return Err(error(table.source, place(saves), "the file has both `wcet` and `saves`")
                .label("the savings")
                .also(place(wcet), "the new WCETs")
                .help("give one of the two: the other follows from it"));
        }
    };
    Ok(Columns {
        task: table.required(&["task"], HELP)?,
        choice: table.required(&["choice", "name"], HELP)?,
        area: table.required(&["area"], HELP)?,
        time,
        saves: saves.is_some(),
        source: table.find(&["source"])?,
        unit: time_unit(table, time, &Options::default())?,
        names_unit: !table.columns[time].unit.is_empty(),
    })
}

/// A choice of the task with this index.
fn choice(
    draft: &Draft,
    table: &Table<'_>,
    columns: &Columns,
    row: &Row<'_>,
    at: usize,
) -> Found<DraftChoice> {
    let source = table.source;
    let (task, name) = (&row.cells[columns.task], &row.cells[columns.choice]);
    if let Some(problem) = name_problem(&name.text) {
        let message = format!("the name of a choice of task `{}` {problem}", shortened(&task.text));
        return Err(error(source, name.place.clone(), message).label("a name is due here"));
    }
    let owner = format!("choice `{}` of task `{}`", shortened(&name.text), shortened(&task.text));
    let area = table.figure(row, columns.area, &owner);
    let area = parse_decimal(area.text).map_err(|problem| {
        let due = "a number that is not negative is due here, without a unit";
        error(source, area.place.clone(), format!("{}: {problem}", area.what)).label(due)
    })?;
    let figure = table.figure(row, columns.time, &owner);
    let time =
        if columns.saves { figure.time(&columns.unit)? } else { figure.positive_time(&columns.unit)? };
    let wcet = &draft.tasks[at].wcet;
    let time = like(draft, wcet, time, columns.names_unit).map_err(|words| {
        error(source, figure.place.clone(), format!("{} {words}", figure.what))
            .label("in another unit than the task's")
    })?;
    if columns.saves && time.value >= wcet.value {
        let message = format!("{} leaves no WCET: it must be smaller than the task's", figure.what);
        return Err(error(source, figure.place.clone(), message).label("saves all there is, or more"));
    }
    let told =
        columns.source.map(|column| row.cells[column].text.to_string()).filter(|told| !told.is_empty());
    let line = source.line(row.place.start);
    Ok(DraftChoice {
        name: name.text.to_string(),
        area,
        gives: if columns.saves { Gives::Saves(time) } else { Gives::Wcet(time) },
        source: printable(&told.unwrap_or_else(|| format!("{} line {line}", file_name(source)))),
    })
}

/// The time in the unit of the task's WCET, since a task set does not mix units; a clock converts.
fn like(draft: &Draft, wcet: &Time, time: Time, names_unit: bool) -> Result<Time, &'static str> {
    let unit = wcet.unit;
    match (&draft.clock, time.unit) {
        _ if time.unit == unit => Ok(time),
        (Some(hertz), TimeUnit::Seconds) => Ok(Time { value: time.value * hertz, unit }),
        (Some(hertz), TimeUnit::None) if names_unit => Ok(Time { value: time.value / hertz, unit }),
        (Some(_), TimeUnit::None) => {
            Err("has no unit, but the task's WCET has one: write for example `wcet_us`, or `wcet_cycles`")
        }
        (None, TimeUnit::None) => {
            Err("has no unit, but the task's WCET has one: write for example `wcet_us`")
        }
        (None, TimeUnit::Seconds) => Err("has a unit, but the task's WCET has none"),
    }
}

/// The error for an unknown task name; the suggestion takes time and is computed only if it is shown.
fn unknown_task(
    draft: &Draft,
    source: &Arc<Source>,
    cell: &Cell<'_>,
    is_shown: bool,
) -> Box<isx_taskset::Diagnostic> {
    let message = format!("no task is named `{}`", shortened(&cell.text));
    if !is_shown {
        return error(source, cell.place.clone(), message);
    }
    let known = draft.tasks.iter().take(MAX_COMPARED).map(|task| task.name.as_str());
    let label = meant(&cell.text, known).unwrap_or_else(|| "the name of a task is due here".to_owned());
    let names: Vec<String> =
        draft.tasks.iter().take(10).map(|task| format!("`{}`", shortened(&task.name))).collect();
    let more = draft.tasks.len().saturating_sub(10);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    error(source, cell.place.clone(), message)
        .label(label)
        .help(format!("the tasks are {}{more}", names.join(", ")))
}

fn double(
    source: &Arc<Source>,
    choice: &str,
    task: &str,
    place: Range<usize>,
    first: &Range<usize>,
) -> Box<isx_taskset::Diagnostic> {
    let message = format!(
        "a second choice of task `{}` is named `{}`, the first is in line {}",
        shortened(task),
        shortened(choice),
        source.line(first.start)
    );
    error(source, place, message).label("named again here").also(first.clone(), "first named here")
}
