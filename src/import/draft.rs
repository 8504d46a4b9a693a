//! The result of a format reader: exact figures with their locations, and what was left out.

use isx_exact::order;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use super::figures::{Time, error};
use super::printed::{Drafted, Part};
use super::refusal::Refusal;
use isx_exact::quantity::Rational;
use isx_taskset::written::Mapping;
use isx_taskset::{Diagnostic, Scheduler, Source, name_problem, printable, shortened};
use isx_text::Problems;

/// The maximum number of tasks, and of choices over all tasks, in a file.
pub const MAX_TASKS: usize = 40_000;

/// A task as described by a file.
pub(super) struct DraftTask {
    pub name: String,
    pub wcet: Time,
    /// The source of the figures.
    pub source: String,
    /// The choices by name, as they are written.
    pub choices: Vec<(String, Part)>,
    /// Its parts by name, with their choices; a task has these or choices.
    pub parts: Vec<(String, Vec<Part>)>,
    /// Parts of one choice.
    pub instructions: Vec<Part>,
    /// The location of its name.
    pub place: Range<usize>,
    /// As it is written, but for its source and choices.
    pub part: Part,
}

impl DraftTask {
    /// A task with these figures; the deadline is the period if it is not given.
    pub fn new(
        name: String,
        [wcet, period]: [Time; 2],
        deadline: Option<&Time>,
        source: String,
        place: Range<usize>,
    ) -> Self {
        let mut part = Part::named(&name);
        part.time("wcet", &wcet);
        part.time("period", &period);
        match deadline {
            Some(deadline) => part.time("deadline", deadline),
            None => part.drafted.push(("deadline", Drafted::Time(period))),
        }
        let (choices, parts, instructions) = Default::default();
        Self { name, wcet, source, choices, parts, instructions, place, part }
    }

    /// Whether all of it is software.
    pub fn has_no_choices(&self) -> bool {
        self.choices.is_empty() && self.parts.is_empty() && self.instructions.is_empty()
    }
}

/// A row of the table of blocks.
pub(super) struct DraftBlock {
    pub name: String,
    pub slot: Option<String>,
    /// As it is written.
    pub part: Part,
}

/// A task set under construction.
pub(super) struct Draft {
    /// Name of the set.
    pub name: String,
    /// The tool or format of the file, with its version.
    pub tool: String,
    /// What was imported, for the header of the YAML: one sentence each.
    pub taken: Vec<String>,
    /// In hertz.
    pub clock: Option<Rational>,
    pub area_unit: String,
    /// Whether a table has given areas.
    pub has_areas: bool,
    /// The resources that hardware costs; none if it has areas.
    pub resources: Vec<String>,
    pub scheduler: Scheduler,
    /// What a context switch costs.
    pub switch: Option<Time>,
    /// Further keys of the set, written as they are.
    pub more: Mapping,
    pub blocks: Vec<DraftBlock>,
    pub tasks: Vec<DraftTask>,
    pub left_out: LeftOut,
    /// Warnings about the file.
    pub warnings: Vec<Diagnostic>,
}

impl Draft {
    /// An empty draft, named after the file.
    pub fn new(source: &Source, tool: impl Into<String>) -> Self {
        Draft {
            name: stem(source.file_name()),
            tool: tool.into(),
            taken: Vec::new(),
            clock: None,
            area_unit: String::new(),
            has_areas: false,
            resources: Vec::new(),
            scheduler: Scheduler::Edf,
            switch: None,
            more: Mapping::default(),
            blocks: Vec::new(),
            tasks: Vec::new(),
            left_out: LeftOut::new(source),
            warnings: Vec::new(),
        }
    }

    /// Whether there are more tasks than allowed: reading on would only use memory.
    pub fn is_overfull(&self) -> bool {
        self.tasks.len() > MAX_TASKS
    }

    /// Gives the tasks priorities from 1 on: the greatest number becomes the highest priority, equal ones stay equal.
    pub fn rank(&mut self, given: &[Rational]) {
        let mut distinct: Vec<&Rational> = given.iter().collect();
        order::sort_by(&mut distinct, |a, b| b.cmp(a));
        distinct.dedup();
        for (task, number) in self.tasks.iter_mut().zip(given) {
            let rank = distinct.partition_point(|&other| other > number);
            task.part.number("priority", rank + 1);
        }
    }

    /// Rejects invalid task names and duplicates.
    pub fn refuse_doubles(&self, source: &Arc<Source>) -> Result<(), Refusal> {
        let mut problems = Problems::default();
        let mut seen: HashMap<&str, &Range<usize>> = HashMap::with_capacity(self.tasks.len());
        if let Some(task) = self.tasks.get(MAX_TASKS) {
            return Err(one_too_many(source, task.place.clone(), "tasks").into());
        }
        for task in &self.tasks {
            if let Some(problem) = name_problem(&task.name) {
                let message = format!("the name of task `{}` {problem}", shortened(&task.name));
                problems.refuse(*error(source, task.place.clone(), message).label("expected another name"));
            } else if let Some(first) = seen.get(task.name.as_str()) {
                problems.refuse(*named_again(source, "task", &task.name, task.place.clone(), first));
            } else {
                seen.insert(&task.name, &task.place);
            }
        }
        Ok(problems.none()?)
    }
}

/// The error for a file with more tasks, choices or blocks than are read.
pub(super) fn one_too_many(source: &Arc<Source>, place: Range<usize>, kind: &str) -> Box<Diagnostic> {
    error(source, place, format!("the file has more than {MAX_TASKS} {kind}")).label("one too many")
}

/// The error for a name that another one of its kind has.
pub(super) fn named_again(
    source: &Arc<Source>,
    kind: &str,
    name: &str,
    place: Range<usize>,
    first: &Range<usize>,
) -> Box<Diagnostic> {
    let (name, line) = (shortened(name), source.line(first.start));
    let message = format!("a second {kind} is named `{name}`, the first is in line {line}");
    error(source, place, message).label("named again here").also(first.clone(), "first named here")
}

/// The file's name without its extension; an invalid name becomes `imported`.
fn stem(file: &str) -> String {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let fits = name_problem(stem).is_none() && stem.chars().count() <= 100;
    if fits { stem.to_owned() } else { "imported".to_owned() }
}

/// What a file contains but a task set cannot represent, by kind, in order of first occurrence.
pub(super) struct LeftOut {
    kinds: Vec<Kind>,
    by_words: HashMap<String, usize>,
    /// The line starts of the file, for line numbers.
    lines: Vec<usize>,
}

struct Kind {
    words: String,
    /// Where it occurs, with line numbers, for the listed examples.
    examples: Vec<(String, usize)>,
    count: usize,
}

/// The maximum number of distinct kinds: a file may have any number of unknown words.
const MAX_KINDS: usize = 60;

/// The maximum number of examples per sentence.
const MAX_EXAMPLES: usize = 4;

impl LeftOut {
    fn new(source: &Source) -> Self {
        let breaks = source.text.match_indices('\n').map(|(at, _)| at + 1);
        LeftOut { kinds: Vec::new(), by_words: HashMap::new(), lines: breaks.collect() }
    }

    /// Records that something of this kind was left out of `who`, located at byte `at`.
    pub fn note(&mut self, kind: impl Into<String>, who: &str, at: usize) {
        let line = self.lines.partition_point(|&start| start <= at) + 1;
        self.note_in_line(kind, who, line);
    }

    /// As [`LeftOut::note`], with a known line number, possibly of another file.
    pub fn note_in_line(&mut self, kind: impl Into<String>, who: &str, line: usize) {
        let mut words = kind.into();
        let next = self.kinds.len();
        if next >= MAX_KINDS && !self.by_words.contains_key(&words) {
            words = format!("things of more than {MAX_KINDS} other kinds");
        }
        let index = *self.by_words.entry(words.clone()).or_insert(next);
        if index == next {
            self.kinds.push(Kind { words, examples: Vec::new(), count: 0 });
        }
        if let Some(kind) = self.kinds.get_mut(index) {
            kind.count += 1;
            // For repeated occurrences in one task or object the first location suffices.
            let named = kind.examples.iter().any(|(name, _)| name == who);
            if !named && kind.examples.len() < MAX_EXAMPLES {
                kind.examples.push((shortened(who), line));
            }
        }
    }

    /// One sentence per kind: what was left out, how often, and where.
    pub fn sentences(&self) -> Vec<String> {
        self.kinds.iter().map(Kind::sentence).collect()
    }
}

impl Kind {
    fn sentence(&self) -> String {
        let mut text = printable(&self.words);
        let named: Vec<&(String, usize)> = self.examples.iter().filter(|(who, _)| !who.is_empty()).collect();
        let times = if self.count > 1 { format!("{} times, ", self.count) } else { String::new() };
        if named.is_empty() {
            if let Some((_, line)) = self.examples.first() {
                let _ =
                    write!(text, " ({times}{}line {line})", if self.count > 1 { "first in " } else { "" });
            }
            return text;
        }
        let list: Vec<String> = named.iter().map(|(who, line)| format!("{who} in line {line}")).collect();
        let more = if self.count > list.len() && list.len() == MAX_EXAMPLES { ", ..." } else { "" };
        let _ = write!(text, " ({times}{}{more})", list.join(", "));
        text
    }
}
