//! The tasks of a manifest: cycles in software and with each combination of blocks that was run.

use super::blocks::Blocks;
use super::built::Reports;
use super::reading::{entries, handed, more, names, rest};
use crate::counted::Placed;
use crate::draft::{DraftChoice, DraftTask, Gives, Handed, MAX_TASKS, More, Problems, file_name};
use crate::figures::{Found, Time, error, meant};
use crate::refusal::Refusal;
use crate::write::{number, scalar};
use isx_exact::quantity::{Rational, TimeUnit, format_decimal, parse_decimal, parse_time};
use isx_taskset::document::{self, Field, Fields, Keys, Least, Node, Value};
use isx_taskset::{Source, shortened};
use num_traits::Zero;
use std::ops::Range;
use std::sync::Arc;

const TASK_KEYS: &Keys = &Keys { of: "a task", names: &["period", "deadline", "software", "choices"] };
/// What the manifest says in other words, or finds out.
const NOT_OF_TASK: &[&str] = &["name", "wcet", "source"];
const CHOICE_KEYS: &Keys = &Keys { of: "a choice", names: &["uses", "cycles"] };
const NOT_OF_CHOICE: &[&str] = &["name", "wcet", "saves", "source"];
const FIGURE_KEYS: &Keys = &Keys { of: "a figure of reports", names: &["reports", "name"] };

/// Reads all tasks.
pub fn read(reports: &mut Reports<'_>, blocks: &Blocks, field: Field<'_>) -> Result<Vec<DraftTask>, Refusal> {
    let mut problems = Problems::default();
    let (mut tasks, mut choices) = (Vec::new(), 0);
    let mut first = None;
    for (name, node) in entries(reports.source, field, "the name of a task")? {
        let place = name.place.clone();
        let Some(task) = problems.keep(task(reports, blocks, &name, node, &mut first)) else { continue };
        choices += task.choices.len();
        if choices > MAX_TASKS {
            let message = format!("the manifest has more than {MAX_TASKS} choices");
            problems.refuse(*error(reports.source, place, message).label("too many up to this task"));
            break;
        }
        tasks.push(task);
    }
    problems.none()?;
    Ok(tasks)
}

/// The unit of the first time of the manifest, with its place.
type First = Option<(TimeUnit, Range<usize>)>;

fn task(
    reports: &mut Reports<'_>,
    blocks: &Blocks,
    name: &Placed<'_>,
    node: &Node<'_>,
    first: &mut First,
) -> Found<DraftTask> {
    let source = reports.source;
    let owner = format!("task `{}`", shortened(name.text));
    let further = rest(document::TASK_KEYS, TASK_KEYS, NOT_OF_TASK);
    let fields = Fields::with_more(source, node, owner.clone(), TASK_KEYS, &further)?;
    let mut more = more(&fields, TASK_KEYS);
    let mut timing = |field: Field<'_>| -> Found<Option<Time>> {
        if !matches!(field.node.value, Value::Map(_)) {
            return time(source, field, first).map(Some);
        }
        more.0.push(handed(field.key, field.node, field.place()));
        Ok(None)
    };
    // That of every mode is left to the reader of task sets.
    let period = timing(fields.required("period")?)?;
    let period = period.unwrap_or(Time { value: Rational::zero(), unit: TimeUnit::None });
    let deadline = fields.get_filled("deadline").map(timing).transpose()?.flatten();
    let software = fields.required("software").map_err(|error| {
        error.help("add `software: ..`, its cycles without blocks: a number, or `{reports: [FILE, ..], name: cycles}`")
    })?;
    let (wcet, told) = cycles(reports, software, &mut more)?;
    let mut choices = Vec::new();
    if let Some(field) = fields.get_filled("choices") {
        for (name, node) in entries(source, field, "the name of a choice")? {
            let owner = format!("choice `{}` of {owner}", shortened(name.text));
            let further = rest(document::CHOICE_KEYS, CHOICE_KEYS, NOT_OF_CHOICE);
            let fields = Fields::with_more(source, node, owner.clone(), CHOICE_KEYS, &further)?;
            let mut more = self::more(&fields, CHOICE_KEYS);
            let uses = fields.required("uses").map_err(|error| {
                error.help(
                    "add `uses: [BLOCK, ..]`: the blocks of the hardware that the cycles were counted on",
                )
            })?;
            let uses = blocks.names_of(&blocks.named(source, uses, &owner)?);
            let (wcet, source) = cycles(reports, fields.required("cycles")?, &mut more)?;
            let gives = Gives::Wcet(wcet);
            let name = name.text.to_owned();
            choices.push(DraftChoice { name, uses, cost: Vec::new(), gives, source, more });
        }
    }
    let task = DraftTask::new(name.text.to_owned(), [wcet, period], told, name.place.clone());
    Ok(DraftTask { deadline, choices, more, ..task })
}

/// A time above 0; with a unit, or in cycles as all others.
fn time(source: &Arc<Source>, field: Field<'_>, first: &mut First) -> Found<Time> {
    let (value, unit) = field.quantity("a time", Least::AboveZero, parse_time)?;
    field.not_zero(&value)?;
    let (others, place) = first.get_or_insert_with(|| (unit, field.place()));
    if *others != unit {
        let (has, due) = match unit {
            TimeUnit::None => ("has no unit", "a unit is due here, such as ms"),
            TimeUnit::Seconds => ("has a unit", "a number of cycles is due here"),
        };
        let message = format!("{field} {has}, unlike the time in line {}", source.line(place.start));
        return Err(field
            .refused(message)
            .label(due)
            .also(place.clone(), "the first time")
            .help("write every period and deadline with a unit, or every one in cycles"));
    }
    Ok(Time { value, unit })
}

/// Cycles, or those in each variant or mode, the first of which count here, with where they come from.
fn cycles(reports: &mut Reports<'_>, field: Field<'_>, more: &mut More) -> Found<(Time, String)> {
    let is_figure =
        |key: &Node<'_>| key.text().is_none_or(|key| meant(key, FIGURE_KEYS.names.iter().copied()).is_some());
    match &field.node.value {
        Value::Map(pairs) if !pairs.is_empty() && !pairs.iter().any(|(key, _)| is_figure(key)) => {}
        _ => return figure(reports, field),
    }
    let by_name = Fields::of_names(field, &|key| Ok(key.text().unwrap_or_default()))?;
    let (mut first, mut all, mut told) = (None, Vec::new(), Vec::new());
    for field in by_name.all() {
        let (time, from) = figure(reports, field)?;
        all.push(format!("{}: {}", scalar(field.key), number(&time.value).unwrap_or_default()));
        if !told.contains(&from) {
            told.push(from);
        }
        first.get_or_insert(time);
    }
    more.0.push(Handed {
        key: "wcet".to_owned(),
        yaml: format!("{{{}}}", all.join(", ")),
        place: field.place(),
    });
    Ok((first.ok_or_else(|| field.error("is empty"))?, told.join(", ")))
}

/// Cycles as a number, or as a figure of reports, with where they come from.
fn figure(reports: &mut Reports<'_>, field: Field<'_>) -> Found<(Time, String)> {
    let (value, told) = match &field.node.value {
        Value::Map(_) => of_reports(reports, field)?,
        _ => {
            let value = field
                .quantity("a number of cycles", Least::AboveZero, parse_decimal)
                .map_err(|error| error.help("cycles of the `clock`, without a unit"))?;
            let line = reports.source.line(field.place().start);
            (value, format!("{} line {line}", file_name(reports.source)))
        }
    };
    field.not_zero(&value)?;
    Ok((Time { value, unit: TimeUnit::None }, told))
}

/// The largest figure of this name in the reports.
fn of_reports(reports: &mut Reports<'_>, field: Field<'_>) -> Found<(Rational, String)> {
    let source = reports.source;
    let fields = Fields::new(source, field.node, field.to_string(), FIGURE_KEYS)?;
    let wanted = fields.required("name").map_err(|error| {
        error.help("add `name: ..`: what the reports call the figure, for example `name: cycles`")
    })?;
    let wanted = Placed { text: wanted.filled_text("the name of a figure")?, place: wanted.place() };
    let mut found: Vec<(&str, Rational)> = Vec::new();
    for path in names(source, fields.required("reports")?, "the path of a report")? {
        let report = reports.get(&path)?;
        let Some(figure) = report.figures.get(wanted.text) else {
            let (name, file) = (shortened(wanted.text), shortened(path.text));
            let known = || report.figures.keys().map(String::as_str);
            let help = match known().take(10).map(|name| format!("`{}`", shortened(name))).collect::<Vec<_>>()
            {
                none if none.is_empty() => format!("{file} ({}) has no figures by name", report.tool),
                some => format!("{file} has {}", some.join(", ")),
            };
            let label = meant(wanted.text, known()).unwrap_or_else(|| "no figure of this name".to_owned());
            let message = format!("{field}: report `{file}` has no figure `{name}`");
            return Err(error(source, wanted.place, message).label(label).help(help));
        };
        found.push((path.text, figure.clone()));
    }
    // The first of equal ones.
    let worst = found.iter().rev().max_by(|(_, one), (_, other)| one.cmp(other));
    let Some((path, worst)) = worst else { return Err(field.error("has no reports")) };
    let mut told = format!("{path} {}", wanted.text);
    if found.len() > 1 {
        let least = found.iter().map(|(_, figure)| figure).min().cloned().unwrap_or_else(Rational::zero);
        told = format!(
            "{told} (worst of {}: {} to {})",
            found.len(),
            format_decimal(&least),
            format_decimal(worst)
        );
    }
    Ok((worst.clone(), told))
}
