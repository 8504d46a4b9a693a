//! Lines of a text that is not valid YAML: indentation, dashes and keys, as far as they can be recognized without a
//! parser.

use crate::diagnostics::line_around;

/// A line of the file without its line ending.
#[derive(Clone, Copy)]
pub struct Line<'s> {
    pub start: usize,
    pub text: &'s str,
}

impl<'s> Line<'s> {
    /// The line that contains byte `at`.
    pub fn at(text: &'s str, at: usize) -> Self {
        let line = line_around(text, at);
        Line { start: line.start, text: &text[line] }
    }

    /// The nearest preceding line that is not blank.
    pub fn above(self, text: &'s str) -> Option<Self> {
        let mut line = self;
        while line.start > 0 {
            line = Line::at(text, line.start - 1);
            if line.is_filled() {
                return Some(line);
            }
        }
        None
    }

    pub fn is_filled(self) -> bool {
        let content = self.text.trim_start();
        !content.is_empty() && !content.starts_with('#')
    }

    pub fn indentation(self) -> usize {
        self.text.len() - self.text.trim_start_matches([' ', '\t']).len()
    }

    /// Whether it starts a list item.
    pub fn is_item(self) -> bool {
        self.entry().0 > self.indentation()
    }

    /// The content after indentation and dashes, and the number of bytes before it.
    pub fn entry(self) -> (usize, &'s str) {
        let mut rest = self.text.trim_start_matches([' ', '\t']);
        while let Some(item) = rest.strip_prefix("- ") {
            rest = item.trim_start();
        }
        (self.text.len() - rest.len(), rest)
    }

    /// The first word of its entry, and the rest.
    pub fn key(self) -> (&'s str, &'s str) {
        let (_, entry) = self.entry();
        let length = entry.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(entry.len());
        entry.split_at(length)
    }

    /// Whether it continues a value that starts in the line above.
    pub fn continues(self, above: Self) -> bool {
        self.indentation() > above.entry().0 && above.has_value()
    }

    /// Whether its entry has a value that cannot continue on further lines.
    pub fn has_value(self) -> bool {
        let (_, entry) = self.entry();
        let value = entry.split_once(": ").map_or(entry, |(_, value)| value).trim();
        !value.is_empty() && !value.starts_with('#') && !value.ends_with(':')
    }
}

/// A column at which a line may start.
pub struct Open<'s> {
    pub column: usize,
    /// Whether list items or keys start there.
    pub is_item: bool,
    pub line: Line<'s>,
}

/// The columns of the blocks that `line` may continue, from the nearest line above to the outermost.
pub fn open_columns<'s>(text: &'s str, line: Line<'s>) -> Vec<Open<'s>> {
    let mut open: Vec<Open> = Vec::new();
    let mut least = usize::MAX;
    let mut next = line.above(text);
    while let Some(line) = next {
        let columns = [(line.entry().0, false), (line.indentation(), true)];
        for (column, is_item) in &columns[..1 + usize::from(line.is_item())] {
            let is_known = open.iter().any(|known| (known.column, known.is_item) == (*column, *is_item));
            if *column <= least && !is_known {
                open.push(Open { column: *column, is_item: *is_item, line });
                least = *column;
            }
        }
        next = if least == 0 && open.iter().any(|open| open.column == 0 && !open.is_item) {
            None
        } else {
            line.above(text)
        };
    }
    open
}
