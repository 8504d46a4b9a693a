//! The table of choices for the tasks of the imported file, one choice per row.
//!
//! ```text
//! task, choice, area [NAND2], wcet_us, uses
//! fir,  mac,    120,          1250,    multiplier
//! ```
//!
//! Columns are `task`, `choice`, `area` or the costs in several [resources](super::price), `wcet` or `saves`, and optionally `uses`, the names of [`blocks`](super::blocks),
//! and `source`; a choice that uses blocks needs no area of its own. Units are written as in
//! [`csv`](super::csv); the brackets of `area` name the unit of all areas. If the set has a clock, times in another
//! unit than the task's WCET are converted; plain numbers are then cycles, and if WCETs are times they need the word
//! `cycles` in the header.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::blocks;
use super::csv::{is_unit, time_unit};
use super::draft::MAX_TASKS;
use super::draft::{Draft, named_again, one_too_many};
use super::figures::{Found, Time, error, meant};
use super::format::Options;
use super::measured::price;
use super::price::PriceColumns;
use super::printed::{Drafted, Part};
use super::refusal::{Need, Refusal};
use super::table::{Cell, Row, Table};
use isx_exact::quantity::TimeUnit;
use isx_taskset::{Diagnostic, Source, name_problem, printable, shortened};
use isx_text::Problems;

const HELP: &str = "the columns of choices are `task`, `choice`, `area` (or `cost.LUT`, `cost.DSP` ..), `wcet` or `saves`, and perhaps `uses` and `source`";

struct Columns {
    task: usize,
    choice: usize,
    /// Absent only if there is `uses`.
    price: Option<PriceColumns>,
    uses: Option<usize>,
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
pub(super) fn add(draft: &mut Draft, source: &Arc<Source>, options: &Options) -> Result<(), Refusal> {
    let mut table = Table::new(source, is_unit)?;
    let columns = columns(&table, draft)?;
    let mut figures = columns.price.as_ref().map_or_else(Vec::new, PriceColumns::indices);
    figures.push(Some(columns.time));
    let mut read = vec![Some(columns.task), Some(columns.choice), columns.uses, columns.source];
    read.extend(&figures);
    table.leave_out(draft, &read, "columns that no choice has");
    table.find_decimal_mark(options.decimal, &figures)?;
    refuse_unknown_blocks(draft, &table, &columns)?;
    let by_name: HashMap<String, usize> =
        draft.tasks.iter().enumerate().map(|(at, task)| (task.name.clone(), at)).collect();
    let mut seen: HashMap<(usize, String), Range<usize>> = HashMap::new();
    let mut problems = Problems::default();
    for (before, row) in table.rows().enumerate() {
        let Some(row) = problems.keep(row) else { continue };
        if before >= MAX_TASKS {
            let place = row.cells[columns.choice].place.clone();
            problems.refuse(*one_too_many(source, place, "choices"));
            break;
        }
        let Some(&at) = by_name.get(&*row.cells[columns.task].text) else {
            problems.refuse(*unknown_task(draft, &row, columns.task, !problems.are_full()));
            continue;
        };
        let Some(choice) = problems.keep(choice(draft, &columns, &row, at, options)) else { continue };
        let Cell { text: name, place } = row.cells[columns.choice].clone();
        let key = (at, name.to_string());
        if let Some(first) = seen.get(&key) {
            let kind = format!("choice of task `{}`", shortened(&draft.tasks[at].name));
            problems.refuse(*named_again(source, &kind, &name, place, first));
            continue;
        }
        seen.insert(key, place);
        draft.tasks[at].choices.push((name.into_owned(), choice));
    }
    problems.none()?;
    let with = draft.tasks.iter().filter(|task| !task.choices.is_empty()).count();
    let (choices, tasks) = (seen.len(), draft.tasks.len());
    draft
        .taken
        .push(format!("Choices are from {}: {choices}, for {with} of {tasks} tasks.", source.file_name()));
    Ok(())
}

/// Without a table of blocks the areas of those that choices use are unknown.
fn refuse_unknown_blocks(draft: &Draft, table: &Table<'_>, columns: &Columns) -> Result<(), Refusal> {
    let Some(uses) = columns.uses.filter(|_| draft.blocks.is_empty()) else { return Ok(()) };
    let named = table.rows().filter_map(Result::ok).find(|row| row.filled(Some(uses)).is_some());
    let Some(row) = named else { return Ok(()) };
    let refused = row.error(uses, "choices use blocks, and no table gives the areas of blocks");
    Err(Refusal::needs(Need::Blocks, refused.label("used here")))
}

fn columns(table: &Table<'_>, draft: &mut Draft) -> Found<Columns> {
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
    let uses = table.find(&["uses", "blocks"])?;
    Ok(Columns {
        task: table.required(&["task"], HELP)?,
        choice: table.required(&["choice", "name"], HELP)?,
        price: match (PriceColumns::of(table, draft)?, uses) {
            (None, None) => Some(PriceColumns::Area(table.required(&["area"], HELP)?)),
            (price, _) => price,
        },
        uses,
        time,
        saves: saves.is_some(),
        source: table.find(&["source"])?,
        unit: time_unit(table, time, &Options::default())?,
        names_unit: !table.columns[time].unit.is_empty(),
    })
}

/// A choice of the task with this index.
fn choice(draft: &mut Draft, columns: &Columns, row: &Row<'_>, at: usize, options: &Options) -> Found<Part> {
    let [task, name] = [columns.task, columns.choice].map(|column| &row.cells[column].text);
    if let Some(problem) = name_problem(name) {
        let message = format!("the name of a choice of task `{}` {problem}", shortened(task));
        return Err(row.error(columns.choice, message).label("expected a name"));
    }
    let owner = format!("choice `{}` of task `{}`", shortened(name), shortened(task));
    let uses = match columns.uses {
        Some(uses) => blocks::used(draft, row, uses, &owner)?,
        None => Vec::new(),
    };
    let by_report = price(&options.measured, draft, row, columns.price.as_ref(), (columns.choice, &owner))?;
    if by_report.is_some() && !uses.is_empty() {
        let refused = row.error(columns.choice, format!("{owner} has blocks and a report"));
        return Err(refused
            .label("which part of the report is its own is unknown")
            .help("give reports of the blocks"));
    }
    let (cost, from) = match (by_report, &columns.price) {
        (Some(by_report), _) => by_report,
        (None, price) => {
            let cost = match price {
                Some(price) if uses.is_empty() || price.is_filled(row) => price.read(row, &owner)?,
                None if uses.is_empty() => {
                    let message = format!("{owner} has neither an area nor blocks");
                    let refused = error(row.source(), row.place.clone(), message);
                    return Err(refused.label("expected an area").help(HELP));
                }
                _ => Vec::new(),
            };
            (cost, row.origin(columns.source))
        }
    };
    let figure = row.figure(columns.time, &owner);
    let time =
        if columns.saves { figure.time(&columns.unit)? } else { figure.positive_time(&columns.unit)? };
    let wcet = &draft.tasks[at].wcet;
    let time = like(draft, wcet, time, columns.names_unit).map_err(|words| {
        let refused = row.error(columns.time, format!("{} {words}", figure.what));
        refused.label("in another unit than the task's")
    })?;
    if columns.saves && time.value >= wcet.value {
        let message = format!("{} leaves no WCET: it must be smaller than the task's", figure.what);
        return Err(row.error(columns.time, message).label("saves all there is, or more"));
    }
    let mut part = Part::named(name);
    if !uses.is_empty() {
        part.list("uses", &uses);
    }
    if uses.is_empty() || !cost.is_empty() {
        part.price(cost, draft.resources.is_empty());
    } else {
        part.drafted.push(("cost", Drafted::Cost(Default::default())));
    }
    part.time(if columns.saves { "saves" } else { "wcet" }, &time);
    part.words("source", &printable(&from));
    Ok(part)
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
fn unknown_task(draft: &Draft, row: &Row<'_>, column: usize, is_shown: bool) -> Box<Diagnostic> {
    let name = &row.cells[column].text;
    let refused = row.error(column, format!("no task is named `{}`", shortened(name)));
    if !is_shown {
        return refused;
    }
    let known = draft.tasks.iter().take(MAX_COMPARED).map(|task| task.name.as_str());
    let label = meant(name, known).unwrap_or_else(|| "expected the name of a task".to_owned());
    let names: Vec<String> =
        draft.tasks.iter().take(10).map(|task| format!("`{}`", shortened(&task.name))).collect();
    let more = draft.tasks.len().saturating_sub(10);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    refused.label(label).help(format!("the tasks are {}{more}", names.join(", ")))
}
