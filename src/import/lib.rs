//! Imports files of other tools as task sets in YAML.
//!
//! A file is processed in three steps: a [`Format`] reads it into a draft (exact numbers, each with its location), further
//! tables may add choices and the blocks that they share ([`Tables`]), and the draft is written as YAML. What the file contains but a task set cannot
//! represent is collected in [`Imported::left_out`], which is also written in the header of the YAML. The YAML is
//! read back by [`taskset::read_str`](isx_taskset::read_str) and compared with the draft before it is returned.
//!
//! | format | what is read | by |
//! |---|---|---|
//! | `csv` | a row a task, columns with their units in the head | `csv.rs` |
//! | `schedcat` | `taskset`, `testpoint` and `task` as SchedCAT's `serialize.py` writes them | `schedcat.rs` |
//! | `rt-app` | threads that wake by a timer or have a deadline reservation | `rt_app/` |
//! | `simso` | tasks and processors of a simulation | `simso.rs` |
//! | `amalthea` | APP4MC's `.amxmi` from 0.9.5 on: periodic stimuli, tick bounds, a core's clock | `amalthea/` |
//! | `isaac` | ISAAC's index of candidate instructions, its schedules and benefits | `isaac/` |

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod amalthea;
mod blocks;
mod choices;
pub mod confirm;
mod csv;
mod decimals;
mod draft;
mod format;
mod isaac;
mod measured;
mod price;
mod printed;
mod read_again;
mod refusal;
mod replaced;
mod rt_app;
mod schedcat;
mod simso;
mod table;
mod write;
mod xml;
mod xml_limits;

use std::sync::Arc;

use isx_reports::{decode, json};
use isx_text::figures;
pub use isx_text::figures::Time;

pub use decimals::DecimalMark;
pub use draft::MAX_TASKS;
pub use format::{Format, FurtherFile, Options, TIME_UNITS};
pub use isaac::solution_numbers;
pub use isx_reports::{self as reports, Files, MAX_BYTES};
pub use measured::Measured;
pub use refusal::{Need, Refusal};
pub use replaced::replaced;

use draft::Draft;
use format::{Head, TASK_SET};
use isx_taskset::document::{Node, Value, parse};
use isx_taskset::{Diagnostic, Reading, SCHEMA_LINES, Source, printable, read_beside};

/// All formats; the first that recognizes a file reads it.
pub const FORMATS: &[Format] =
    &[schedcat::FORMAT, simso::FORMAT, amalthea::FORMAT, isaac::FORMAT, rt_app::FORMAT, csv::FORMAT];

impl Format {
    /// The format with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.name == name)
    }
}

/// Further input files in CSV, each with its name.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tables<'a> {
    /// Choices: columns `task`, `choice`, `area` or `cost.LUT` and so on, `wcet` or `saves`, and optionally `uses` and
    /// `source`.
    pub choices: Option<(&'a str, &'a [u8])>,
    /// Blocks that choices use: columns `block`, `area` or `cost.LUT` and so on, and optionally `slot`, `fmax` and
    /// `source`.
    pub blocks: Option<(&'a str, &'a [u8])>,
}

/// A task set imported from another tool's file.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The task set as YAML.
    pub yaml: String,
    /// The result of [`read_str`](isx_taskset::read_str) for it.
    pub reading: Reading,
    /// The detected or given format of the file.
    pub format: &'static str,
    /// What the file contains and the task set does not, one sentence per kind.
    pub left_out: Vec<String>,
    /// Warnings about the file, for example of a figure within the noise of its measurement.
    pub warnings: Vec<Diagnostic>,
}

/// Converts a file's bytes to a task set; `source_name` names the file in messages and in the YAML.
///
/// If `format` is not given, it is detected from the content, then from the file extension. Fails with [`Refusal`],
/// with the location of the error, if the bytes are not text of the format, exceed a limit ([`MAX_BYTES`],
/// [`MAX_TASKS`], limits of the format's reader), contain no recurring task, or give an invalid figure; or with the
/// missing options if the file alone is not sufficient.
///
/// ```
/// let csv = "name,period_ms,wcet_us\nfir,10,2500\n";
/// let imported = isx_import::import("plant.csv", csv.as_bytes(), None, Default::default(), &Default::default())?;
/// assert_eq!(imported.format, "csv");
/// assert_eq!(imported.reading.task_set.tasks[0].wcets[0].to_string(), "1/400");
/// # Ok::<(), isx_import::Refusal>(())
/// ```
pub fn import(
    source_name: &str,
    bytes: &[u8],
    format: Option<&Format>,
    tables: Tables<'_>,
    options: &Options,
) -> Result<Imported, Refusal> {
    let source = match decode(source_name, bytes) {
        Ok(source) => source,
        Err(refused) => {
            return Err(
                reports::in_place_of_tasks(source_name, bytes).map_or_else(|| refused.into(), Refusal::from)
            );
        }
    };
    if format.is_none() && is_task_set(&source) {
        return frozen(&source, bytes, tables, options);
    }
    let format = match format {
        Some(format) => format,
        None => recognised(&source, bytes)?,
    };
    refuse_what_is_of_no_use(&source, format, tables, options)?;
    let mut draft = (format.read)(&source, options)?;
    if draft.tasks.is_empty() {
        return Err(nothing_recurs(&source, &draft).into());
    }
    draft.refuse_doubles(&source)?;
    if let Some(name) = &options.name {
        draft.name.clone_from(name);
    }
    if let Some((name, bytes)) = tables.blocks {
        blocks::add(&mut draft, &decode(name, bytes)?, options)?;
    }
    if let Some((name, bytes)) = tables.choices {
        choices::add(&mut draft, &decode(name, bytes)?, options)?;
    }
    if !options.measured.is_empty() {
        measured::refuse_unused(&options.measured, &draft, &source)?;
    }
    let (yaml, set) = write::yaml(&mut draft, &source)?;
    let reading = read_again::read_again(&yaml, &set, &draft, &source)?;
    let (left_out, warnings) = (draft.left_out.sentences(), draft.warnings);
    Ok(Imported { yaml: yaml.text, reading, format: format.name, left_out, warnings })
}

/// Whether a text is a task set, by its list of tasks.
fn is_task_set(source: &Arc<Source>) -> bool {
    let lists_tasks = |root: Node<'_>| matches!(root.entry("tasks")?.value, Value::List(_)).then_some(());
    source.text.lines().any(|line| line.starts_with("tasks:"))
        || source.text.trim_start().starts_with('{')
            && parse(source).ok().flatten().and_then(lists_tasks).is_some()
}

/// A task set that names reports, with their numbers in place of them.
fn frozen(
    source: &Arc<Source>,
    bytes: &[u8],
    tables: Tables<'_>,
    options: &Options,
) -> Result<Imported, Refusal> {
    refuse_what_is_of_no_use(source, &TASK_SET, tables, options)?;
    let mut reading = read_beside(&source.name, bytes, &options.files)?;
    let Some(measured) = &mut reading.measured else {
        let at = source.text.len() - source.text.trim_start().len();
        let error = Diagnostic::error(source, at..at, "the file is a task set already, and names no reports");
        return Err(error.label("isx reads it as it is").into());
    };
    let (version, name) = (env!("CARGO_PKG_VERSION"), source.file_name());
    let mut yaml =
        format!("{SCHEMA_LINES}# Imported by isx {version} from {name}, a task set that names reports.\n");
    measured.notes.iter().for_each(|note| yaml.push_str(&format!("# {}\n", printable(note))));
    yaml.push_str(measured.text.strip_prefix(SCHEMA_LINES).unwrap_or(&measured.text));
    let warnings = std::mem::take(&mut reading.warnings);
    Ok(Imported { yaml, reading, format: TASK_SET.name, left_out: Vec::new(), warnings })
}

/// Whether files with this ending, in lower case, are a spreadsheet program's own, which is not read.
pub fn is_spreadsheet(ending: &str) -> bool {
    ["xlsx", "xls", "xlsm", "ods", "numbers"].contains(&ending)
}

/// Rejects options that do not apply to the format of the file.
fn refuse_what_is_of_no_use(
    source: &Arc<Source>,
    format: &Format,
    tables: Tables<'_>,
    options: &Options,
) -> Result<(), Refusal> {
    let has_tables = tables.choices.is_some() || tables.blocks.is_some();
    let is_set = format.name == TASK_SET.name;
    let candidates = [&options.schedules, &options.benefits, &options.specializations];
    let of_candidates = candidates.into_iter().any(Option::is_some) || !options.periods.is_empty();
    let said = [
        (options.core.is_some(), Need::Core, "a core was named"),
        (options.clock.is_some(), Need::Clock, "a clock was given"),
        (options.unit.is_some(), Need::Unit, "a unit of times was given"),
        (options.set.is_some(), Need::Set, "one of several task sets was named"),
        (options.decimal.is_some() && !has_tables, Need::Decimal, "a decimal mark was named"),
        (of_candidates, Need::Candidates, "schedules, benefits, specialisations or a period were given"),
        (is_set && has_tables, Need::Blocks, "a table was given"),
        (is_set && !options.measured.is_empty(), Need::Blocks, "a report was given"),
        (is_set && options.name.is_some(), Need::Blocks, "a name was given"),
    ];
    let unused = said.iter().find(|(is_said, need, _)| *is_said && !format.takes.contains(need));
    let Some((_, _, words)) = unused else { return Ok(()) };
    let message = format!("{words}, and files of format {} have no use for it", format.name);
    let at = source.text.len() - source.text.trim_start().len();
    Err(Diagnostic::error(source, at..at, message).label("leave it out for this file").into())
}

/// Detects the format of a file.
fn recognised(source: &Arc<Source>, bytes: &[u8]) -> Result<&'static Format, Refusal> {
    let head = Head::of(source);
    let text = head.text;
    let found = FORMATS.iter().find(|format| (format.recognises)(&head));
    // Any JSON may be rt-app's, and its comments may speak of reports.
    let is_json = found.is_none_or(|format| format.name == rt_app::FORMAT.name);
    let is_commented = text.starts_with('/') && text.contains("\"tasks\"");
    let is_open = is_json && !is_commented;
    if let Some(report) = is_open.then(|| reports::in_place_of_tasks(&source.name, bytes)).flatten() {
        return Err(report.into());
    }
    let by_ending = || FORMATS.iter().find(|format| source.name.ends_with(&format!(".{}", format.ending)));
    if let Some(format) = found.or_else(by_ending) {
        return Ok(format);
    }
    let at = source.text.len() - text.len();
    let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
    let message = format!("the file is of no kind that is imported ({})", names.join(", "));
    let error = Diagnostic::error(source, at..at, message).label("it does not begin like one of them");
    Err(Refusal::needs(Need::Format, error))
}

/// The error for a file that may have tasks, but none that a task set can represent.
fn nothing_recurs(source: &Arc<Source>, draft: &Draft) -> Box<Diagnostic> {
    let text = &source.text;
    let at = text.len() - text.trim_start().len();
    let error = Diagnostic::error(source, at..at, "nothing periodic is in this file: no task remains")
        .label(format!("read as {}", draft.tool));
    let sentences = draft.left_out.sentences();
    match sentences.as_slice() {
        [] => error.help("a task needs a period and a WCET"),
        sentences => error.help(format!("left out: {}", sentences.join("; "))),
    }
}
