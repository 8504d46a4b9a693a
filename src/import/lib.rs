//! Files that other tools wrote, as task sets in YAML.
//!
//! A file goes through three steps: a [`Format`] reads it into a draft (figures as exact numbers, each with the place that it came
//! from), a second file may add choices, and the draft becomes YAML. What the file says and a task set cannot hold is
//! kept in a list, [`Imported::left_out`], which stands at the head of the YAML too. The YAML has been read by
//! [`taskset::read_str`](isx_taskset::read_str) before anybody gets it, and says the figures of the draft.
//!
//! | format | what is read | by |
//! |---|---|---|
//! | `csv` | a row a task, columns with their units in the head | `csv.rs` |
//! | `schedcat` | `taskset`, `testpoint` and `task` as SchedCAT's `serialize.py` writes them | `schedcat.rs` |
//! | `rt-app` | threads that wake by a timer or have a deadline reservation | `rt_app/` |
//! | `simso` | tasks and processors of a simulation | `simso.rs` |
//! | `amalthea` | APP4MC's `.amxmi` from 0.9.5 on: periodic stimuli, tick bounds, a core's clock | `amalthea/` |

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod amalthea;
mod choices;
mod csv;
mod draft;
mod figures;
mod rt_app;
mod schedcat;
mod simso;
mod table;
mod write;
mod xml;
mod xml_limits;

use std::sync::Arc;

use draft::Draft;
use isx_exact::quantity::Rational;
use isx_taskset::{Diagnostic, FileProblem, ReadError, Reading, Source, nearest, printable};

/// The largest file that is imported, in bytes.
pub const MAX_BYTES: u64 = 32 << 20;

/// The most tasks, and the most choices of all tasks together, that a file may give.
pub const MAX_TASKS: usize = 40_000;

/// A kind of file that is understood.
pub struct Format {
    /// The word for it on the command line.
    pub name: &'static str,
    /// The ending of such files' names, without its dot.
    pub ending: &'static str,
    /// Whether a file's beginning is one of this format.
    recognises: fn(&Head<'_>) -> bool,
    /// What may be said beside such a file.
    takes: &'static [Need],
    read: fn(&Arc<Source>, &Options) -> Result<Draft, Refusal>,
}

/// Every format; the first that recognises a file reads it.
pub const FORMATS: &[Format] =
    &[schedcat::FORMAT, simso::FORMAT, amalthea::FORMAT, rt_app::FORMAT, csv::FORMAT];

impl Format {
    /// The format of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.name == name)
    }
}

/// What a file begins with.
struct Head<'t> {
    /// Its text, from the first character that is no white space.
    text: &'t str,
    /// The name of its root element, without a prefix, where it looks like XML.
    root: Option<&'t str>,
}

/// What may be said beside the file.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The core, or kind of cores, that the tasks run on, where the file has several.
    pub core: Option<String>,
    /// The clock that WCETs are cycles of, in hertz and above 0, where the file names none.
    pub clock: Option<Rational>,
    /// The unit of times that have none in the file: `s`, `ms`, `us`, `ns` or `ps`.
    pub unit: Option<String>,
    /// Which task set of a file that holds several, counted from 1.
    pub set: Option<usize>,
    /// The name of the task set; that of the file, or what the file says, if absent.
    pub name: Option<String>,
}

/// A task set made of another tool's file.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The task set as YAML.
    pub yaml: String,
    /// What [`read_str`](isx_taskset::read_str) makes of it.
    pub reading: Reading,
    /// The format that the file was read as.
    pub format: &'static str,
    /// What the file says and the task set does not, a sentence a kind.
    pub left_out: Vec<String>,
}

/// What the caller must say before a file can be imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Need {
    /// The format.
    Format,
    /// [`Options::core`].
    Core,
    /// [`Options::clock`].
    Clock,
    /// [`Options::unit`].
    Unit,
    /// [`Options::set`].
    Set,
}

/// Why a file was not imported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub struct Refusal {
    /// What is wrong, with its place.
    pub error: ReadError,
    /// What would have to be said, where that is all that is missing.
    pub need: Option<Need>,
}

impl Refusal {
    fn needs(need: Need, error: Box<Diagnostic>) -> Self {
        Refusal { need: Some(need), ..error.into() }
    }

    fn all(diagnostics: Vec<Diagnostic>, omitted: usize) -> Self {
        Refusal { error: ReadError::Invalid { diagnostics, omitted }, need: None }
    }
}

impl From<Box<Diagnostic>> for Refusal {
    fn from(error: Box<Diagnostic>) -> Self {
        Refusal::all(vec![*error], 0)
    }
}

/// Makes a task set of a file's bytes; `source_name` names the file in messages and in the YAML.
///
/// `format` is found from the content, then from the name's ending, if it is not given. `choices` is a second file, in
/// CSV, with its name: columns `task`, `choice`, `area` and `wcet` or `saves`, and perhaps `source`.
///
/// # Errors
///
/// [`Refusal`], with the place of what is wrong, when the bytes are no text of the format, pass a limit ([`MAX_BYTES`],
/// [`MAX_TASKS`], what the format's reader allows), have no task that recurs, or give a figure that no task set can have;
/// and with what is to be said where the file alone does not tell.
///
/// ```
/// let csv = "name,period_ms,wcet_us\nfir,10,2500\n";
/// let imported = isx_import::import("plant.csv", csv.as_bytes(), None, None, &Default::default())?;
/// assert_eq!(imported.format, "csv");
/// assert_eq!(imported.reading.task_set.tasks[0].wcet.to_string(), "1/400");
/// # Ok::<(), isx_import::Refusal>(())
/// ```
pub fn import(
    source_name: &str,
    bytes: &[u8],
    format: Option<&Format>,
    choices: Option<(&str, &[u8])>,
    options: &Options,
) -> Result<Imported, Refusal> {
    let source = decode(source_name, bytes)?;
    let format = match format {
        Some(format) => format,
        None => recognised(&source)?,
    };
    refuse_what_is_of_no_use(&source, format, options)?;
    let mut draft = (format.read)(&source, options)?;
    if draft.tasks.is_empty() {
        return Err(nothing_recurs(&source, &draft).into());
    }
    draft.refuse_doubles(&source)?;
    if let Some(name) = &options.name {
        draft.name.clone_from(name);
    }
    if let Some((name, bytes)) = choices {
        choices::add(&mut draft, &decode(name, bytes)?)?;
    }
    let yaml = write::yaml(&draft, &source)?;
    let reading = write::read_again(&draft, &yaml)?;
    Ok(Imported { yaml, reading, format: format.name, left_out: draft.left_out.sentences() })
}

fn decode(name: &str, bytes: &[u8]) -> Result<Arc<Source>, Refusal> {
    let refused = |problem| Refusal { error: ReadError::File { file: printable(name), problem }, need: None };
    if bytes.len() as u64 > MAX_BYTES {
        return Err(refused(FileProblem::Io("it is larger than 32 MiB, the limit for an import".into())));
    }
    Source::decode(name, bytes.to_vec()).map(Arc::new).map_err(|problem| match problem {
        FileProblem::Empty => refused(FileProblem::Io("it is empty".into())),
        problem => refused(problem),
    })
}

/// Refuses what was said beside a file of a format that makes nothing of it.
fn refuse_what_is_of_no_use(source: &Arc<Source>, format: &Format, options: &Options) -> Result<(), Refusal> {
    let said = [
        (options.core.is_some(), Need::Core, "a core was named"),
        (options.clock.is_some(), Need::Clock, "a clock was given"),
        (options.unit.is_some(), Need::Unit, "a unit of times was given"),
        (options.set.is_some(), Need::Set, "one of several task sets was named"),
    ];
    let unused = said.iter().find(|(is_said, need, _)| *is_said && !format.takes.contains(need));
    let Some((_, _, words)) = unused else { return Ok(()) };
    let message = format!("{words}, and files of format {} have no use for it", format.name);
    let at = source.text.len() - source.text.trim_start().len();
    Err(Diagnostic::error(source, at..at, message).label("leave it out for this file").into())
}

/// The format of a file that does not say.
fn recognised(source: &Arc<Source>) -> Result<&'static Format, Refusal> {
    let text = source.text.trim_start();
    let head = Head { text, root: xml_limits::root_name(text) };
    let by_ending = || FORMATS.iter().find(|format| source.name.ends_with(&format!(".{}", format.ending)));
    if let Some(format) = FORMATS.iter().find(|format| (format.recognises)(&head)).or_else(by_ending) {
        return Ok(format);
    }
    let at = source.text.len() - text.len();
    let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
    let message = format!("the file is of no kind that is imported ({})", names.join(", "));
    let error = Diagnostic::error(source, at..at, message);
    if text.lines().any(|line| line.starts_with("tasks:")) {
        let label = "a task set already, by its line `tasks:`: isx reads it as it is";
        return Err(error.label(label).into());
    }
    Err(Refusal::needs(Need::Format, error.label("it does not begin like one of them")))
}

/// The error of a file that has tasks, perhaps, but none that a task set can hold.
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

/// The known word that a wrong one resembles, as the words beside a caret.
fn meant<'n>(text: &str, known: impl IntoIterator<Item = &'n str>) -> Option<String> {
    nearest(text, known).map(|word| format!("did you mean `{}`?", isx_taskset::shortened(word)))
}
