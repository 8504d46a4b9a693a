//! Writes task sets as YAML, key by key: imported ones and generated ones.

use crate::diagnostics::scalar;
use std::fmt::Display;
use std::ops::Range;

/// A YAML mapping to be written: one line per key, then lists of mappings.
#[derive(Clone, Debug, Default)]
pub struct Mapping {
    lines: Vec<(String, String, Option<Range<usize>>)>,
    lists: Vec<(&'static str, Vec<Self>)>,
    /// Whether a figure in it has more digits than a file may have.
    pub has_long_figure: bool,
}

/// The text of a mapping, with the places of the values that were copied from another file.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// The text.
    pub text: String,
    /// The copied values: each with its place in this text and in the other file.
    pub handed_on: Vec<(Range<usize>, Range<usize>)>,
}

impl Mapping {
    /// A mapping with this name.
    pub fn named(name: &str) -> Self {
        let mut mapping = Self::default();
        mapping.put("name", scalar(name));
        mapping
    }

    /// Adds a key with its value as it is written.
    pub fn put(&mut self, key: &str, yaml: impl Display) {
        self.lines.push((key.to_owned(), yaml.to_string(), None));
    }

    /// Adds a key with a figure; `None` if that is too long.
    pub fn figure(&mut self, key: &str, yaml: Option<impl Display>) {
        self.has_long_figure |= yaml.is_none();
        yaml.into_iter().for_each(|yaml| self.put(key, yaml));
    }

    /// Adds a key with the value at this place of another file, which the reader of task sets will check.
    pub fn hand_on(&mut self, key: &str, yaml: String, place: Range<usize>) {
        self.lines.push((key.to_owned(), yaml, Some(place)));
    }

    /// Adds the keys of another mapping.
    pub fn append(&mut self, more: Self) {
        self.lines.extend(more.lines);
    }

    /// Adds a list, unless it is empty, behind all keys.
    pub fn list(&mut self, key: &'static str, items: Vec<Self>) {
        self.has_long_figure |= items.iter().any(|item| item.has_long_figure);
        self.lists.extend((!items.is_empty()).then_some((key, items)));
    }

    /// Its text, below these lines.
    pub fn below(&self, head: String) -> Written {
        let mut written = Written { text: head, handed_on: Vec::new() };
        self.write(0, &mut written);
        written
    }

    fn write(&self, indent: usize, written: &mut Written) {
        for (at, (key, yaml, place)) in self.lines.iter().enumerate() {
            let is_begun = at > 0 || indent == 0;
            let (indent, dash) = if is_begun { (indent, "") } else { (indent - 2, "- ") };
            written.text.push_str(&format!("{:indent$}{dash}{key}: ", ""));
            let start = written.text.len();
            written.text.push_str(yaml);
            written.text.push('\n');
            written.handed_on.extend(place.clone().map(|place| (start..written.text.len(), place)));
        }
        for (key, items) in &self.lists {
            written.text.push_str(&format!("{:indent$}{key}:\n", ""));
            items.iter().for_each(|item| item.write(indent + 4, written));
        }
    }
}

/// Names as a list in a line.
pub fn in_line<N: AsRef<str>>(names: impl IntoIterator<Item = N>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| scalar(name.as_ref())).collect();
    format!("[{}]", names.join(", "))
}
