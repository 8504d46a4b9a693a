//! Reads the YAML of a task set: tree in, validated [`TaskSet`] out.
//!
//! ```yaml
//! name: sensor node
//! clock: 100 MHz              # WCETs are cycles, periods are times
//! area_unit: NAND2
//! tasks:
//!   - name: aes
//!     wcet: 3260
//!     period: 1 ms            # 100,000 cycles
//!     choices:
//!       - {name: saes32, area: 1157, wcet: 321}
//!       - {name: sbox,   area: 566,  saves: 1200}    # leaves 2060 cycles
//! ```
//!
//! Hardware that several choices share is read before the tasks, in a file of its own.
//!
//! Every error of a file is reported, up to [`MAX_ERRORS`], each at its own place; within one task the first counts.

use std::collections::HashMap;
use std::io::Read;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use num_traits::{Signed, Zero};

use super::blocks::Blocks;
use super::diagnostic::{Diagnostic, ReadError, Severity, printable, shortened};
use super::fields::{CHOICE_KEYS, Fields, SET_KEYS, TASK_KEYS, describe, name_bytes, scalar_of};
use super::foreign;
use super::priorities::Priorities;
use super::scalars::Least;
use super::source::{self, FileProblem, Source};
use super::tree::{self, Node, Value};
use super::units::Units;
use super::{Choice, Task, TaskSet, TimeBase, WrittenUnits};
use isx_exact::quantity::{Rational, TimeScale, difference, format_decimal};

/// The most errors that are reported with their place; more are counted.
pub const MAX_ERRORS: usize = 20;

/// A task set, with what its author should look at again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The task set.
    pub task_set: TaskSet,
    /// What is allowed but unlikely to be meant, in file order.
    pub warnings: Vec<Diagnostic>,
}

/// Reads a task-set file.
///
/// # Errors
///
/// [`ReadError::File`] when there is no such file, it may not be read, is a directory, passes
/// [`MAX_BYTES`](super::MAX_BYTES) or is not UTF-8 text; otherwise as [`read_str`].
pub fn read_file(path: &Path) -> Result<Reading, ReadError> {
    let name = path.display().to_string();
    let bytes = source::load(path).map_err(|problem| file_error(&name, problem))?;
    read_owned(&name, bytes)
}

/// Reads a task set from a stream, such as standard input; `source_name` names it in messages.
///
/// # Errors
///
/// [`ReadError::File`] when the stream fails or holds more than [`MAX_BYTES`](super::MAX_BYTES), of which no more is
/// read than tells so; otherwise as [`read_bytes`].
///
/// ```
/// let stream = std::io::Cursor::new("name: demo\ntasks: [{name: fir, wcet: 2 ms, period: 10 ms}]");
/// let reading = isx_taskset::read_from("standard input", stream)?;
/// assert_eq!(reading.task_set.name, "demo");
/// # Ok::<(), isx_taskset::ReadError>(())
/// ```
pub fn read_from(source_name: &str, reader: impl Read) -> Result<Reading, ReadError> {
    let mut bytes = Vec::new();
    source::drain(reader, &mut bytes).map_err(|problem| file_error(source_name, problem))?;
    read_owned(source_name, bytes)
}

/// Reads a task set from the bytes of a file; `source_name` names it in messages.
///
/// # Errors
///
/// [`ReadError::File`] when the bytes are not UTF-8 text (a UTF-8 byte-order mark is accepted); otherwise as
/// [`read_str`].
pub fn read_bytes(source_name: &str, bytes: &[u8]) -> Result<Reading, ReadError> {
    if bytes.len() as u64 > source::MAX_BYTES {
        return Err(file_error(source_name, FileProblem::TooLarge));
    }
    read_owned(source_name, bytes.to_vec())
}

/// Reads a task set from its YAML text; `source_name` names the text in messages.
///
/// # Errors
///
/// [`ReadError::Invalid`], with the place of every error, when the text is not YAML, passes a limit
/// ([`MAX_DEPTH`](super::MAX_DEPTH), [`MAX_NODES`](super::MAX_NODES), anchors, several documents) or is no valid
/// task set. [`ReadError::File`] when it is empty or too long.
///
/// ```
/// use isx_taskset::read_str;
///
/// let reading = read_str("demo.yaml", "
/// name: demo
/// tasks:
///   - {name: fir, wcet: 2 ms, period: 10 ms, choices: [{name: mac, area: 41, saves: 0.5 ms}]}
/// ")?;
/// assert_eq!(reading.task_set.tasks[0].choices[0].wcet.to_string(), "3/2000");
///
/// let error = read_str("demo.yaml", "name: demo\ntasks:\n  - {name: fir, wcet: 2 ms, period: 0 ms}\n").unwrap_err();
/// assert!(error.to_string().contains("demo.yaml:3:37"));
/// # Ok::<(), isx_taskset::ReadError>(())
/// ```
pub fn read_str(source_name: &str, text: &str) -> Result<Reading, ReadError> {
    read_bytes(source_name, text.as_bytes())
}

fn file_error(name: &str, problem: FileProblem) -> ReadError {
    ReadError::File { file: printable(name), problem }
}

fn read_owned(name: &str, bytes: Vec<u8>) -> Result<Reading, ReadError> {
    let source = Arc::new(Source::decode(name, bytes).map_err(|problem| file_error(name, problem))?);
    let invalid = |error: Box<Diagnostic>| ReadError::Invalid { diagnostics: vec![*error], omitted: 0 };
    foreign::refuse_by_head(&source).map_err(invalid)?;
    let Some(root) = tree::parse(&source).map_err(invalid)? else {
        return Err(file_error(name, FileProblem::Empty));
    };
    foreign::refuse_by_key(&source, &root).map_err(invalid)?;
    let mut reader = Reader::new(&source);
    let task_set = match reader.task_set(&root) {
        Ok(task_set) => Some(task_set),
        Err(error) => {
            reader.refuse(*error);
            None
        }
    };
    reader.finish(task_set)
}

/// A result with the error of one place.
pub(super) type Found<T> = Result<T, Box<Diagnostic>>;

/// Makes a [`TaskSet`] of a tree.
pub(super) struct Reader<'s> {
    pub(super) source: &'s Arc<Source>,
    pub(super) clock: Option<Rational>,
    pub(super) units: Units,
    pub(super) blocks: Blocks,
    pub(super) priorities: Priorities,
    errors: Vec<Diagnostic>,
    /// How many errors there are beyond [`MAX_ERRORS`].
    omitted: usize,
    warnings: Vec<Diagnostic>,
}

impl<'s> Reader<'s> {
    fn new(source: &'s Arc<Source>) -> Self {
        let (units, blocks, priorities, errors, warnings) = Default::default();
        Reader { source, clock: None, units, blocks, priorities, errors, omitted: 0, warnings }
    }

    fn refuse(&mut self, error: Diagnostic) {
        if self.has_all_errors() {
            self.omitted += 1;
        } else {
            self.errors.push(error);
        }
    }

    /// Whether further errors are only counted.
    pub(super) fn has_all_errors(&self) -> bool {
        self.errors.len() >= MAX_ERRORS
    }

    fn finish(mut self, task_set: Option<TaskSet>) -> Result<Reading, ReadError> {
        let of_several = [self.missing_priorities(), self.mixed_units()];
        of_several.into_iter().flatten().for_each(|error| self.refuse(*error));
        match task_set {
            Some(task_set) if self.errors.is_empty() => Ok(Reading { task_set, warnings: self.warnings }),
            _ => Err(ReadError::Invalid { diagnostics: self.errors, omitted: self.omitted }),
        }
    }

    fn task_set(&mut self, root: &Node<'_>) -> Found<TaskSet> {
        let fields = Fields::new(self.source, root, "the task set".to_owned(), SET_KEYS)?;
        let name = self.name(&fields)?;
        let description = self.free_text(&fields, "description")?;
        self.free_text(&fields, "source")?;
        let area_unit = match fields.get_filled("area_unit") {
            Some(node) => self.label_text(&fields, node, "area_unit")?,
            None => String::new(),
        };
        if let Some(node) = fields.get("clock") {
            self.clock = Some(self.clock_rate(&fields, node, "clock")?);
        }
        self.read_scheduler(&fields)?;
        self.read_blocks(&fields)?;
        let nodes = self.list(&fields, fields.required(self.source, "tasks")?, "tasks")?;
        if nodes.is_empty() {
            let place = fields.get("tasks").map_or(root.bytes.clone(), |node| fields.place(node));
            return Err(Diagnostic::error(self.source, place, "the task set has no tasks")
                .label("at least one task is due here"));
        }
        let tasks =
            self.unique(nodes, |reader, index, node| reader.task(index, node), |task| &task.name, "task")?;
        self.warn_of_what_is_unused();
        let time_base = match (&self.clock, self.units.any_has_one()) {
            (Some(hertz), _) => TimeBase::Cycles { hertz: hertz.clone() },
            (None, true) => TimeBase::Seconds,
            (None, false) => TimeBase::Unnamed,
        };
        let blocks = std::mem::take(&mut self.blocks).into_blocks();
        let scheduler = self.priorities.scheduler;
        let written = |key: &str| TimeScale::of_text(nodes.iter().find_map(|task| scalar_of(task, key))?);
        let written = WrittenUnits { wcet: written("wcet"), period: written("period") };
        let what_if = Vec::new();
        Ok(TaskSet { name, description, area_unit, time_base, written, scheduler, blocks, tasks, what_if })
    }

    /// Warns of blocks that no choice uses and of priorities that no scheduler does; they come where they stand in the
    /// file.
    fn warn_of_what_is_unused(&mut self) {
        let mut unused = self.unused_blocks();
        unused.extend(self.unused_priorities());
        if !unused.is_empty() {
            self.warnings.extend(unused);
            self.warnings.sort_by_key(Diagnostic::start);
        }
    }

    /// Reads each node of a list, keeps the errors, and refuses a name that an earlier one has.
    pub(super) fn unique<T>(
        &mut self,
        nodes: &[Node<'_>],
        mut read: impl FnMut(&mut Self, usize, &Node<'_>) -> Found<T>,
        name: impl Fn(&T) -> &String,
        what: &str,
    ) -> Found<Vec<T>> {
        let mut items = Vec::with_capacity(nodes.len());
        let mut seen: HashMap<String, Range<usize>> = HashMap::with_capacity(nodes.len());
        for (index, node) in nodes.iter().enumerate() {
            // What is only counted needs no words.
            if self.has_all_errors() && !matches!(node.value, Value::Map(_)) {
                self.omitted += 1;
                continue;
            }
            let item = match read(self, index, node) {
                Ok(item) => item,
                Err(error) => {
                    self.refuse(*error);
                    continue;
                }
            };
            let bytes = name_bytes(node);
            match seen.get(name(&item)) {
                Some(first) => self.refuse(*self.duplicate(what, name(&item), bytes, first)),
                None => drop(seen.insert(name(&item).clone(), bytes)),
            }
            items.push(item);
        }
        Ok(items)
    }

    fn duplicate(
        &self,
        what: &str,
        name: &str,
        bytes: Range<usize>,
        first: &Range<usize>,
    ) -> Box<Diagnostic> {
        let line = self.source.line(first.start);
        let message = format!("a second {what} is named `{}`, the first is in line {line}", shortened(name));
        Diagnostic::error(self.source, bytes, message)
            .label("named again here")
            .also(first.clone(), "first named here")
    }

    fn task(&mut self, index: usize, node: &Node<'_>) -> Found<Task> {
        let owner = describe("task", index, node);
        let fields = Fields::new(self.source, node, owner, TASK_KEYS)?;
        let name = self.name(&fields)?;
        self.free_text(&fields, "source")?;
        let wcet = self.time(&fields, fields.required(self.source, "wcet")?, "wcet", Least::AboveZero)?;
        let period =
            self.time(&fields, fields.required(self.source, "period")?, "period", Least::AboveZero)?;
        let deadline = match fields.get("deadline") {
            Some(node) => self.time(&fields, node, "deadline", Least::AboveZero)?,
            None => period.clone(),
        };
        let priority = self.priority(&fields)?;
        let mut task = Task { name, wcet, period, deadline, priority, choices: Vec::new(), forced: false };
        if let Some(node) = fields.get("wcet") {
            self.warn_if_too_long(fields.owner(), fields.place(node), &task.wcet, &task);
        }
        if let Some(node) = fields.get_filled("choices") {
            let nodes = self.list(&fields, node, "choices")?;
            let read = |reader: &mut Self, index, node: &Node<'_>| reader.choice(index, node, &task);
            let what = format!("choice of {}", fields.owner());
            let read = self.unique(nodes, read, |(choice, _): &(Choice, _)| &choice.name, &what)?;
            let places: Vec<Range<usize>>;
            (task.choices, places) = read.into_iter().unzip();
            self.warn_of_used_choices(&task, &places);
        }
        Ok(task)
    }

    /// Warns of choices too long for the period; one that no design takes misleads nobody.
    fn warn_of_used_choices(&mut self, task: &Task, places: &[Range<usize>]) {
        for ((choice, idle), place) in task.choices.iter().zip(task.idle_reasons()).zip(places) {
            if idle.is_none() {
                let owner =
                    format!("choice `{}` of task `{}`", shortened(&choice.name), shortened(&task.name));
                self.warn_if_too_long(&owner, place.clone(), &choice.wcet, task);
            }
        }
    }

    /// A choice, with the place that gives its WCET.
    fn choice(&mut self, index: usize, node: &Node<'_>, task: &Task) -> Found<(Choice, Range<usize>)> {
        let owner = format!("{} of task `{}`", describe("choice", index, node), shortened(&task.name));
        let fields = Fields::new(self.source, node, owner, CHOICE_KEYS)?;
        let name = self.name(&fields)?;
        let source = self.free_text(&fields, "source")?;
        let (area, uses) = self.hardware(&fields)?;
        let (wcet, given_by) = match (fields.get("wcet"), fields.get("saves")) {
            (Some(node), None) => (self.time(&fields, node, "wcet", Least::AboveZero)?, node),
            (None, Some(node)) => (self.wcet_after_saving(&fields, node, task)?, node),
            (None, None) => {
                let missing = fields.missing(self.source, "wcet");
                return Err(missing.help("give the new WCET as `wcet`, or the time it saves as `saves`"));
            }
            (Some(wcet), Some(saves)) => {
                let message = format!("{} has both `wcet` and `saves`", fields.owner());
                return Err(Diagnostic::error(self.source, fields.place(saves), message)
                    .label("the saving")
                    .also(fields.place(wcet), "the new WCET")
                    .help("give one of the two: the other follows from it"));
            }
        };
        Ok((Choice { name, area, uses, wcet, source }, fields.place(given_by)))
    }

    fn wcet_after_saving(&mut self, fields: &Fields<'_>, node: &Node<'_>, task: &Task) -> Found<Rational> {
        let saving = self.time(fields, node, "saves", Least::Zero)?;
        let wcet = difference(&task.wcet, &saving);
        // With mixed units the difference means nothing, and the mixture is reported.
        if wcet.is_positive() || self.mixed_units().is_some() {
            return Ok(wcet);
        }
        let left =
            if wcet.is_zero() { "all of the WCET".to_owned() } else { "more than the WCET".to_owned() };
        let message = format!("`saves` of {} is {left}: the new WCET must be greater than 0", fields.owner());
        let task_wcet =
            format!("the WCET of task `{}` is {}", shortened(&task.name), self.in_file_unit(&task.wcet));
        Err(Diagnostic::error(self.source, fields.place(node), message)
            .label("the saving must be smaller than the WCET")
            .help(task_wcet))
    }

    fn warn_if_too_long(&mut self, owner: &str, place: Range<usize>, wcet: &Rational, task: &Task) {
        let (limit, limit_name) =
            if task.deadline < task.period { (&task.deadline, "deadline") } else { (&task.period, "period") };
        if wcet <= limit {
            return;
        }
        let message = format!("the WCET of {owner} is greater than the {limit_name}");
        let label = format!("{} against {}", self.in_file_unit(wcet), self.in_file_unit(limit));
        let warning = Diagnostic::new(Severity::Warning, self.source, place, message);
        self.warnings.push(*Box::new(warning).label(label));
    }

    fn in_file_unit(&self, time: &Rational) -> String {
        let unit = match (&self.clock, self.units.any_has_one()) {
            (Some(_), _) => " cycles",
            (None, true) => " s",
            (None, false) => "",
        };
        format!("{}{unit}", format_decimal(time))
    }
}
