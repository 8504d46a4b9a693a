//! Errors and warnings in text files, each shown with its place and the lines around it.
//!
//! ```text
//! error: the period of task `radio` must be greater than 0
//!   --> radio.yaml:7:13
//!    |
//!  7 |     period: 0 ms
//!    |             ^^^^ this is 0
//! ```
//!
//! No raw text of a file reaches the terminal: control characters and bidirectional marks are replaced, in the lines
//! shown as well as in the messages.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod cells;
pub mod figures;
mod nearest;
mod source;
mod yaml;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use isx_exact::quantity::{is_control, reorders_text};
pub use isx_exact::quantity::{printable, shortened};
pub use nearest::{meant, nearest};
pub use source::{FileProblem, MAX_BYTES, Source, drain, load, without_folders};
pub use yaml::{is_plain, scalar};

/// Severity of a [`Diagnostic`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The task set is rejected.
    Error,
    /// The task set is accepted, but something in it is probably not intended.
    Warning,
}

/// A result whose error has one location.
pub type Found<T> = Result<T, Box<Diagnostic>>;

/// One problem in a task set, with its location in the file.
#[derive(Clone, PartialEq, Eq)]
pub struct Diagnostic {
    severity: Severity,
    message: String,
    source: Arc<Source>,
    place: Place,
    also: Vec<Place>,
    help: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    bytes: Range<usize>,
    label: String,
}

impl Diagnostic {
    fn new(
        severity: Severity,
        source: &Arc<Source>,
        bytes: Range<usize>,
        message: impl Into<String>,
    ) -> Box<Self> {
        let (message, source) = (message.into(), Arc::clone(source));
        let place = Place { bytes, label: String::new() };
        Box::new(Diagnostic { severity, message, source, place, also: Vec::new(), help: None })
    }

    /// An error at this byte range of the source.
    pub fn error(source: &Arc<Source>, bytes: Range<usize>, message: impl Into<String>) -> Box<Self> {
        Self::new(Severity::Error, source, bytes, message)
    }

    /// A warning at this byte range of the source.
    pub fn warning(source: &Arc<Source>, bytes: Range<usize>, message: impl Into<String>) -> Box<Self> {
        Self::new(Severity::Warning, source, bytes, message)
    }

    /// The label printed next to the caret.
    pub fn label(mut self: Box<Self>, label: impl Into<String>) -> Box<Self> {
        self.place.label = label.into();
        self
    }

    /// A further location, with its label.
    pub fn also(mut self: Box<Self>, bytes: Range<usize>, label: impl Into<String>) -> Box<Self> {
        self.also.push(Place { bytes, label: label.into() });
        self
    }

    /// A hint on how to fix it.
    pub fn help(mut self: Box<Self>, help: impl Into<String>) -> Box<Self> {
        self.help = Some(help.into());
        self
    }

    /// The same place with another message.
    #[must_use]
    pub fn because(self, message: String) -> Box<Self> {
        Box::new(Diagnostic { message, ..self })
    }

    /// The same problem, shown in another text from which this text was made.
    #[must_use]
    pub fn moved(self, source: &Arc<Source>, bytes: Range<usize>) -> Self {
        let place = Place { bytes, label: self.place.label };
        Diagnostic { source: Arc::clone(source), place, also: Vec::new(), ..self }
    }

    /// Error or warning.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// The message alone, on one line.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Name of the file, with control characters replaced.
    pub fn file(&self) -> &str {
        &self.source.name
    }

    /// Line and column, both 1-based; the column counts characters.
    pub fn position(&self) -> (usize, usize) {
        self.source.position(self.place.bytes.start)
    }

    /// Byte offset of its start in the file.
    pub fn start(&self) -> usize {
        self.source.origin(&self.place.bytes).1.start
    }

    /// The message with the lines it refers to; `color` adds ANSI styles.
    pub fn render(&self, color: bool) -> String {
        let (source, place) = self.source.origin(&self.place.bytes);
        let also: Vec<(Range<usize>, &str)> =
            self.also.iter().map(|also| (self.source.origin(&also.bytes).1, &*also.label)).collect();
        let excerpt = Excerpt::new(&source.text, also.iter().map(|(bytes, _)| bytes).chain([&place]));
        let primary = AnnotationKind::Primary.span(excerpt.span(&place)).label(&*self.place.label);
        let mut snippet = Snippet::source(&*excerpt.text)
            .line_start(excerpt.first_line)
            .path(&*self.source.name)
            .annotation(primary);
        for (bytes, label) in also {
            snippet = snippet.annotation(AnnotationKind::Context.span(excerpt.span(&bytes)).label(label));
        }
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mut group = level.primary_title(&*self.message).element(snippet);
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(&**help));
        }
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        renderer.render(&[group])
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

// The derived implementation would print the whole file.
impl fmt::Debug for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.position();
        write!(f, "{:?} {}:{line}:{column}: {}", self.severity, self.file(), self.message)
    }
}

/// The maximum number of errors of a file that are reported with their location; further ones are only counted.
pub const MAX_ERRORS: usize = 20;

/// Why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file is not text; the message is a single line.
    #[error("{}: {problem}", located(file, problem))]
    File {
        /// Name of the file, with control characters replaced.
        file: String,
        /// What is wrong with it.
        problem: FileProblem,
    },
    /// The text is not what it should be.
    #[error("{}", render_all(diagnostics, *omitted, false))]
    Invalid {
        /// The problems in file order; at least one.
        diagnostics: Vec<Diagnostic>,
        /// How many further errors were found.
        omitted: usize,
    },
}

impl ReadError {
    /// The whole text, as [`Display`](fmt::Display) writes it, with ANSI styles if `color` is set.
    pub fn render(&self, color: bool) -> String {
        match self {
            ReadError::File { .. } => self.to_string(),
            ReadError::Invalid { diagnostics, omitted } => render_all(diagnostics, *omitted, color),
        }
    }

    /// The errors that have a location in the file.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match self {
            ReadError::File { .. } => &[],
            ReadError::Invalid { diagnostics, .. } => diagnostics,
        }
    }
}

/// The errors of a file: up to [`MAX_ERRORS`] are kept, the others are counted.
#[derive(Debug, Default)]
pub struct Problems {
    errors: Vec<Diagnostic>,
    omitted: usize,
}

impl Problems {
    /// Keeps or counts an error.
    pub fn refuse(&mut self, error: Diagnostic) {
        if self.are_full() { self.omitted += 1 } else { self.errors.push(error) }
    }

    /// The value; or `None`, and the error is kept or counted.
    pub fn keep<T>(&mut self, found: Found<T>) -> Option<T> {
        found.map_err(|error| self.refuse(*error)).ok()
    }

    /// Counts an error of which no message is needed.
    pub fn omit(&mut self) {
        self.omitted += 1;
    }

    /// Whether there is an error.
    pub fn are_any(&self) -> bool {
        !self.errors.is_empty()
    }

    /// Whether a further error is counted but not shown, so that its message is not needed.
    pub fn are_full(&self) -> bool {
        self.errors.len() >= MAX_ERRORS
    }

    /// Fails if there is an error, with all that were kept.
    pub fn none(self) -> Result<(), ReadError> {
        let (diagnostics, omitted) = (self.errors, self.omitted);
        if diagnostics.is_empty() { Ok(()) } else { Err(ReadError::Invalid { diagnostics, omitted }) }
    }
}

impl From<Box<Diagnostic>> for ReadError {
    fn from(error: Box<Diagnostic>) -> Self {
        ReadError::Invalid { diagnostics: vec![*error], omitted: 0 }
    }
}

fn located(file: &str, problem: &FileProblem) -> String {
    problem.position().map_or_else(|| file.to_owned(), |(line, column)| format!("{file}:{line}:{column}"))
}

fn render_all(diagnostics: &[Diagnostic], omitted: usize, color: bool) -> String {
    let mut parts: Vec<String> = diagnostics.iter().map(|diagnostic| diagnostic.render(color)).collect();
    if omitted > 0 {
        parts.push(format!("and {omitted} more"));
    }
    parts.join("\n\n")
}

/// Bytes of a line behind its last mark that are kept: many more than any terminal shows.
const BEYOND: usize = 4096;

/// The lines from the first location to the last, made safe to print.
struct Excerpt<'s> {
    /// The lines as in the file.
    raw: &'s str,
    /// The same lines as displayed.
    text: String,
    /// Byte offset of `raw` in the file.
    start: usize,
    /// Number of the first line.
    first_line: usize,
}

impl<'s> Excerpt<'s> {
    fn new<'p>(text: &'s str, places: impl Iterator<Item = &'p Range<usize>>) -> Self {
        let (mut first, mut last, mut marked) = (text.len(), 0, 0);
        for place in places {
            (first, last) = (first.min(place.start), last.max(place.start));
            marked = marked.max(place.end);
        }
        let start = line_around(text, first).start;
        let end = line_around(text, last).end;
        // What follows the marks far away is not shown, and a line may be as long as the file.
        let marked = marked.max(start);
        let raw = &text[start..end.min(floor(text, marked.saturating_add(BEYOND)))];
        let before = &text.as_bytes()[..start];
        let breaks = before.iter().filter(|&&byte| byte == b'\n' || byte == b'\r').count();
        let first_line = breaks - before.windows(2).filter(|pair| pair == b"\r\n").count() + 1;
        Excerpt { raw, text: shown(raw), start, first_line }
    }

    /// Maps a byte range of the file to the displayed text; a range of several lines is cut to its first line.
    fn span(&self, bytes: &Range<usize>) -> Range<usize> {
        let from = floor(self.raw, bytes.start.saturating_sub(self.start));
        let line_end = line_around(self.raw, from).end;
        // An empty range still gets a caret, under the following character.
        let next = self.raw[from..line_end].chars().next().map_or(from, |c| from + c.len_utf8());
        let to = floor(self.raw, bytes.end.saturating_sub(self.start)).clamp(next, line_end);
        let start = shown(&self.raw[..from]).len();
        start..start + shown(&self.raw[from..to]).len()
    }
}

/// Replaces unsafe characters one by one, so that columns are preserved; in YAML a lone carriage return ends a line.
fn shown(raw: &str) -> String {
    let bytes = raw.as_bytes();
    raw.char_indices()
        .map(|(at, c)| match c {
            '\n' | '\t' => c,
            '\r' if bytes.get(at + 1) == Some(&b'\n') => c,
            '\r' => '\n',
            c if is_control(c) || reorders_text(c) => char::REPLACEMENT_CHARACTER,
            c => c,
        })
        .collect()
}

/// The line that contains a byte, without its line ending.
pub fn line_around(text: &str, at: usize) -> Range<usize> {
    let at = floor(text, at);
    let start = text[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    start..text[at..].find(['\n', '\r']).map_or(text.len(), |end| at + end)
}

/// The nearest character boundary at or before `at`.
pub fn floor(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}
