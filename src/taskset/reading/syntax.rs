//! Explains why a text is not valid YAML, in terms of task sets.
//!
//! A parser reports where it stopped, perhaps lines after the mistake, and speaks of simple keys and flow mappings.
//! This module checks the lines near that point for common mistakes:
//!
//! ```text
//! period:1 ms             no space behind the colon          -name: fir     no space behind the dash
//! period 1 ms             no colon                           name: @fir     a text that needs quotes
//! name: a: b              a second colon                     {a: 1 b: 2}    no comma
//! ```
//!
//! as well as tabs, unclosed brackets and quotes, and lines whose indentation matches no line above. For any other
//! error the parser's message is kept. It runs only after the parser has rejected the text, so a wrong guess changes
//! the reported location, never the verdict.

use std::sync::Arc;

use serde_yaml::granit_parser::{ErrorKind, ScanError};

use super::keys::is_key;
use super::lines::{Line, Open, open_columns};
use super::unclosed::unclosed;
use crate::diagnostics::{Diagnostic, Source, floor, printable, shortened};

/// The error for a text that the parser rejects; `reached` is the end of its last event, `open` the outermost bracket
/// still open there.
pub fn syntax_error(
    source: &Arc<Source>,
    error: &ScanError,
    open: Option<usize>,
    reached: usize,
) -> Box<Diagnostic> {
    let at = floor(&source.text, error.marker().byte_offset().unwrap_or(0));
    let place = Place { source, at, kind: error.kind() };
    let found = place
        .tab(open.is_some())
        .or_else(|| place.unclosed(open.unwrap_or(reached)))
        .or_else(|| place.wrong_text())
        .or_else(|| place.wrong_bracket());
    let lines = open.is_none().then_some(&place);
    let found = found
        .or_else(|| lines?.slip())
        .or_else(|| place.second_colon())
        .or_else(|| lines?.bare_item())
        .or_else(|| lines?.indentation())
        .or_else(|| place.colon_in_text());
    found.unwrap_or_else(|| place.error(at, 0, printable(&error.info())))
}

/// Where the parser stopped, and why.
struct Place<'p, 's> {
    source: &'s Arc<Source>,
    at: usize,
    kind: &'p ErrorKind,
}

impl<'s> Place<'_, 's> {
    fn text(&self) -> &'s str {
        &self.source.text
    }

    /// The line of the error; at the end of the file, the last line that is not blank.
    fn line(&self) -> Line<'s> {
        let line = Line::at(self.text(), self.at);
        if line.is_filled() { line } else { line.above(self.text()).unwrap_or(line) }
    }

    fn error(&self, at: usize, length: usize, what: impl std::fmt::Display) -> Box<Diagnostic> {
        Diagnostic::error(self.source, at..at + length, format!("this is not YAML: {what}"))
    }

    /// A tab used as indentation; YAML allows tabs only inside brackets.
    fn tab(&self, between_brackets: bool) -> Option<Box<Diagnostic>> {
        let is_refused = matches!(
            self.kind,
            ErrorKind::TabInPlainScalar
                | ErrorKind::TabInBlockIndentation
                | ErrorKind::TabNotAllowed
                | ErrorKind::TabInIndentation
                | ErrorKind::TabAtBlockScalarStart
        );
        let first = Line::at(self.text(), self.at);
        let tab_of = |line: Line| line.text[..line.indentation()].find('\t').map(|tab| line.start + tab);
        let tab = if is_refused {
            // The parser may report the start of the text that the tab seems to continue, lines above.
            let rest = &self.text()[first.start..];
            let lines = rest.split_inclusive(['\n', '\r']).scan(first.start, |start, text| {
                let line = Line { start: *start, text };
                *start += text.len();
                Some(line)
            });
            lines
                .filter(|line| line.is_filled())
                .find_map(tab_of)
                .or_else(|| self.text()[self.at..].find('\t').map(|tab| self.at + tab))
        } else if between_brackets {
            None
        } else {
            tab_of(first)
        };
        let error = self.error(tab?, 1, "a tab in the indentation").label("a tab");
        Some(error.help("indent with spaces"))
    }

    /// An unclosed bracket or quote, perhaps lines above.
    fn unclosed(&self, start: usize) -> Option<Box<Diagnostic>> {
        let opened = match self.kind {
            ErrorKind::UnclosedFlowCollection { .. } => self.at,
            ErrorKind::MismatchedFlowCollectionEnd { .. } => return None,
            _ => unclosed(self.text(), start, self.at)?,
        };
        let (what, missing) = match self.text().as_bytes().get(opened) {
            Some(b'[') => ("`[`", "`]`"),
            Some(b'{') => ("`{`", "`}`"),
            _ => ("quote", "quote"),
        };
        let error = self
            .error(opened, 1, format!("the {what} is not closed"))
            .label(format!("no {missing} closes it"));
        Some(if self.at > opened { error.also(self.at..self.at, "reading stops here") } else { error })
    }

    /// A text that needs quotes, or is quoted incorrectly.
    fn wrong_text(&self) -> Option<Box<Diagnostic>> {
        let rest = Line::at(self.text(), self.at);
        let rest = &rest.text[self.at - rest.start..];
        let quotes = || format!("put the text in quotes: {}", quoted(rest));
        Some(match self.kind {
            ErrorKind::UnexpectedCharacter { character } => {
                let what = format!("a text that begins with {} must be in quotes", character.escape_debug());
                self.error(self.at, 0, what).help(quotes())
            }
            ErrorKind::InvalidBlockScalarHeader => self
                .error(self.at, 1, "`>` and `|` begin a text on the lines below")
                .label("nothing may follow it in its line")
                .help(quotes()),
            ErrorKind::InvalidTrailingSingleQuotedScalar | ErrorKind::InvalidTrailingDoubleQuotedScalar => {
                self.error(self.at, 0, "something follows the closing quote")
                    .label("the text has ended before this")
                    .help("put the whole text in quotes; in single quotes, `''` stands for one")
            }
            ErrorKind::UnknownQuotedScalarEscape => {
                let (at, escape) = unknown_escape(rest)?;
                self.error(self.at + at, escape.len(), format!("`{}` is no escape of YAML", printable(escape)))
                    .help("write `\\\\` for a backslash, or single quotes: between those it is an ordinary character")
            }
            _ => return None,
        })
    }

    /// Mismatched brackets, and missing commas inside brackets.
    fn wrong_bracket(&self) -> Option<Box<Diagnostic>> {
        Some(match self.kind {
            ErrorKind::MismatchedFlowCollectionEnd { open, close } => {
                let due = if *open == '[' { ']' } else { '}' };
                self.error(self.at, 1, format!("the `{open}` is closed by a `{close}`"))
                    .label(format!("a `{due}` must close it"))
            }
            ErrorKind::MisplacedFlowCollectionEnd => {
                let closing = self.text()[self.at..].chars().next()?;
                self.error(self.at, 1, format!("this `{closing}` closes nothing"))
                    .label("no bracket is open here")
            }
            ErrorKind::ExpectedFlowMappingSeparator | ErrorKind::ExpectedFlowSequenceSeparator => {
                // The parser stops at the colon after the key, before which the comma is missing.
                let before = &self.text()[..self.at];
                let length =
                    before.len() - before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_').len();
                let (before, word) = before.split_at(before.len() - length);
                let is_key = !word.is_empty() && self.text()[self.at..].starts_with(':');
                if is_key && before.trim_end().ends_with(':') {
                    return Some(self.second_colon_error());
                }
                let (start, what) = match is_key {
                    true => (before.len(), "no comma before the next entry"),
                    false => (self.at, "no comma or closing bracket"),
                };
                self.error(start, self.at - start, what).label("a comma is missing before this")
            }
            _ => return None,
        })
    }

    /// A key without the space or colon that YAML requires, in the line of the error or the one above.
    fn slip(&self) -> Option<Box<Diagnostic>> {
        let line = self.line();
        self.slip_in(line).or_else(|| self.slip_in(line.above(self.text())?))
    }

    fn slip_in(&self, line: Line) -> Option<Box<Diagnostic>> {
        if line.above(self.text()).is_some_and(|above| line.continues(above)) {
            return None;
        }
        let (before, entry) = line.entry();
        let start = line.start + before;
        if let Some(item) = entry.strip_prefix('-')
            && (item.starts_with(['{', '[']) || (item.starts_with(char::is_alphabetic) && item.contains(':')))
        {
            let error =
                self.error(start, 1, "no space behind the dash").label("a space is missing after this");
            return Some(error.help(format!("write `- {}`", shortened(item))));
        }
        let (key, rest) = line.key();
        if !is_key(key) {
            return None;
        }
        let at = start + key.len();
        let value = rest.trim_start_matches([':', '：', '=', ' ']);
        let help = format!("write `{}`", shortened(format!("{key}: {value}").trim_end()));
        if rest.starts_with('：') {
            return Some(self.error(at, '：'.len_utf8(), "this colon is a full-width character").help(help));
        }
        if rest.starts_with(':') && !rest[1..].is_empty() && !rest[1..].starts_with([' ', '\t']) {
            let error = self.error(at, 1, "no space behind the colon").label("a space is missing after this");
            return Some(error.help(help));
        }
        if rest.starts_with(':') || rest.contains(": ") || rest.ends_with(':') {
            return None;
        }
        let error = self.error(start, key.len(), format!("no colon behind `{key}`"));
        Some(error.label("a colon is missing after this").help(help))
    }

    /// Two entries in one line, or an unquoted text with a colon.
    fn second_colon(&self) -> Option<Box<Diagnostic>> {
        let line = Line::at(self.text(), self.at);
        let before = &line.text[..self.at - line.start];
        if !matches!(self.kind, ErrorKind::MappingValueNotAllowed) || !before.contains(": ") {
            return None;
        }
        let word = before.rsplit([' ', ',', '{', '[']).next().unwrap_or("");
        let error = self.second_colon_error();
        if is_key(word) {
            let help = format!("begin `{word}: ..` on a line of its own, or between braces behind a comma");
            return Some(error.label(format!("`{word}` is an entry of its own")).help(help));
        }
        let value = line.entry().1.split_once(": ").map_or("", |(_, value)| value);
        let help = if value.starts_with(['{', '[']) { String::new() } else { format!(": {}", quoted(value)) };
        Some(error.help(format!("put the text in quotes{help}")))
    }

    fn second_colon_error(&self) -> Box<Diagnostic> {
        self.error(self.at, 1, "a second colon in one entry").label("a text with a colon needs quotes")
    }

    /// Keys nested below an item that has a value instead of keys.
    fn bare_item(&self) -> Option<Box<Diagnostic>> {
        let above = self.line().above(self.text())?;
        let (before, entry) = above.entry();
        let is_bare =
            above.is_item() && self.line().indentation() >= before && !entry.contains([':', '{', '[']);
        let error = is_bare
            .then(|| self.error(above.start + before, entry.trim_end().len(), "an item without a key"))?;
        let help = format!("write for example `- name: {}`", shortened(entry.trim_end()));
        Some(
            error
                .label("a key is missing before this")
                .also(self.at..self.at, "its keys go on here")
                .help(help),
        )
    }

    /// An unquoted text of several lines with a colon.
    fn colon_in_text(&self) -> Option<Box<Diagnostic>> {
        let is_one = matches!(self.kind, ErrorKind::MappingValueNotAllowed);
        let error = is_one.then(|| self.error(self.at, 1, "a colon in the middle of a text"))?;
        Some(error.label("a text with a colon needs quotes"))
    }

    /// A line whose indentation matches no line above.
    fn indentation(&self) -> Option<Box<Diagnostic>> {
        let line = self.line();
        let above = line.above(self.text())?;
        let (column, entry) = (line.indentation(), above.entry().0);
        let number = |line: Line| self.source.line(line.start);
        let wrong = |what: &str| {
            self.error(line.start, column, what).label(format!("indented by {}", spaces(column)))
        };
        if line.continues(above) {
            let (key, _) = above.key();
            let key = if is_key(key) { format!("`{key}`") } else { "the line above".to_owned() };
            let what = format!("this line is indented deeper than {key} above, which has its value already");
            let help = match (line.is_item(), key == "`name`" && entry > 0 && !above.is_item()) {
                (true, _) => format!("take away the value of {key}, or this line"),
                (_, true) => format!("begin the item above with a dash: `- {}`", shortened(above.entry().1)),
                _ => format!("indent it by {}, as {key}", spaces(entry)),
            };
            let begins = above.start + entry..above.start + entry;
            return Some(wrong(&what).also(begins, "this has a value").help(help));
        }
        let open = open_columns(self.text(), line);
        let fits = |open: &&Open| open.is_item == line.is_item();
        if open.iter().filter(fits).any(|open| open.column == column) {
            return None;
        }
        let distance = |open: &Open| open.column.abs_diff(column);
        let nearest = open.iter().filter(fits).min_by_key(|open| distance(open))?;
        let (what, or_else) = match open.iter().find(|open| open.column == column) {
            Some(open) if open.is_item => ("this line stands among the items of a list and is none", ""),
            Some(_) => ("this item of a list stands among keys", "leave the dash out, or "),
            None => ("the indentation of this line fits no line above", ""),
        };
        let as_line = |open: &Open| format!("by {}, as line {}", spaces(open.column), number(open.line));
        let ways: Vec<String> = open
            .iter()
            .filter(fits)
            .filter(|open| distance(open) == distance(nearest))
            .map(as_line)
            .collect();
        let place = nearest.line.start + nearest.column;
        let error = wrong(what).also(place..place, format!("indented by {}", spaces(nearest.column)));
        Some(error.help(format!("{or_else}indent it {}", ways.join(" or "))))
    }
}

fn spaces(count: usize) -> String {
    if count == 1 { "1 space".to_owned() } else { format!("{count} spaces") }
}

/// The text in quotes, as an example.
fn quoted(text: &str) -> String {
    let text = text.split(" #").next().unwrap_or("").trim_end();
    let quote = if text.contains(['"', '\\']) { '\'' } else { '"' };
    format!("`{quote}{}{quote}`", shortened(&text.replace('\'', if quote == '\'' { "''" } else { "'" })))
}

/// The location of the first invalid escape in a double-quoted text, and the escape.
fn unknown_escape(text: &str) -> Option<(usize, &str)> {
    let mut from = 0;
    loop {
        let at = from + text.get(from..)?.find('\\')?;
        let escaped = text[at + 1..].chars().next()?;
        from = at + 1 + escaped.len_utf8();
        if !r#"0abt	nvfre "/\N_LPxuU"#.contains(escaped) {
            return Some((at, &text[at..from]));
        }
    }
}
