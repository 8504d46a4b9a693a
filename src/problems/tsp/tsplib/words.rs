//! The lines and words of a text, with their locations.

use super::error::{Place, TsplibError, refuse, shown};
use isx_exact::quantity::without_mark;

/// Reads a text sequentially, by lines or by words.
#[derive(Clone, Debug)]
pub(super) struct Words<'a> {
    lines: std::str::Lines<'a>,
    /// The rest of the current line, with its offset.
    rest: &'a str,
    place: Place,
    ended: bool,
}

/// A word or a line, with its location.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'a> {
    pub text: &'a str,
    pub place: Place,
}

impl<'a> Words<'a> {
    pub fn new(text: &'a str) -> Self {
        // A byte-order mark is not part of the first keyword.
        Self {
            lines: without_mark(text).lines(),
            rest: "",
            place: Place { line: 0, column: 1 },
            ended: false,
        }
    }

    /// The current location; at the end of the text the line after the last.
    pub fn place(&self) -> Place {
        self.place
    }

    /// The next non-blank line, trimmed, starting with the rest of the current one.
    pub fn line(&mut self) -> Option<Word<'a>> {
        while !self.skip_white() {
            self.next_line()?;
        }
        let line = Word { text: self.rest.trim_ascii_end(), place: self.place };
        self.advance(self.rest.len());
        Some(line)
    }

    /// The next word, on any line.
    pub fn word(&mut self) -> Option<Word<'a>> {
        while !self.skip_white() {
            self.next_line()?;
        }
        let length = self.rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(self.rest.len());
        let word = Word { text: &self.rest[..length], place: self.place };
        self.advance(length);
        Some(word)
    }

    /// The next word of the current line.
    pub fn word_of_line(&mut self) -> Option<Word<'a>> {
        if self.skip_white() { self.word() } else { None }
    }

    /// Checks that nothing follows `last`.
    pub fn end(&mut self, last: &str) -> Result<(), TsplibError> {
        match self.word() {
            Some(word) => {
                let what = format!("{} stands after {last}", shown(word.text));
                Err(refuse(word.place, what, "a file holds one problem; remove the rest"))
            }
            None => Ok(()),
        }
    }

    fn next_line(&mut self) -> Option<()> {
        if !self.ended {
            self.place = Place { line: self.place.line + 1, column: 1 };
        }
        let next = self.lines.next();
        self.ended = next.is_none();
        self.rest = next.unwrap_or_default();
        next.map(drop)
    }

    /// Skips white space in the line, and returns whether anything follows.
    fn skip_white(&mut self) -> bool {
        let white = self.rest.len() - self.rest.trim_ascii_start().len();
        self.advance(white);
        !self.rest.is_empty()
    }

    fn advance(&mut self, bytes: usize) {
        let (before, rest) = self.rest.split_at(bytes);
        self.place.column += before.chars().count();
        self.rest = rest;
    }
}
