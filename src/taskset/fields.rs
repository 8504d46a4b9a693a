//! The entries of a YAML mapping matched against the keys it may have.

use std::ops::Range;
use std::sync::Arc;

use super::diagnostic::{Diagnostic, shortened};
use super::source::Source;
use super::tree::{Node, Value};

/// The keys of a task set.
pub(super) const SET_KEYS: &[&str] = &["name", "description", "source", "clock", "area_unit", "tasks"];
/// The keys of a task.
pub(super) const TASK_KEYS: &[&str] = &["name", "wcet", "period", "deadline", "source", "choices"];
/// The keys of a choice.
pub(super) const CHOICE_KEYS: &[&str] = &["name", "area", "wcet", "saves", "source"];

/// A mapping whose keys are all known and all different.
pub(super) struct Fields<'t> {
    /// What the mapping describes, for messages.
    owner: String,
    entries: Vec<(&'static str, &'t Node<'t>, &'t Node<'t>)>,
    /// Where to point when a key is missing.
    anchor: Range<usize>,
}

impl<'t> Fields<'t> {
    /// Checks a mapping's keys; `owner` names it in messages, such as "task `radio`".
    pub fn new(
        source: &Arc<Source>,
        node: &'t Node<'t>,
        owner: String,
        known: &'static [&'static str],
    ) -> Result<Self, Box<Diagnostic>> {
        let Value::Map(pairs) = &node.value else {
            return Err(Diagnostic::error(source, node.bytes.clone(), format!("{owner} is not a mapping"))
                .label("a mapping such as `name: value` is due here")
                .help(format!("its keys are {}", list(known))));
        };
        let mut entries: Vec<(&'static str, &Node<'_>, &Node<'_>)> = Vec::with_capacity(pairs.len());
        for (key, value) in pairs {
            let name = known_key(source, key, &owner, known)?;
            if let Some((_, first, _)) = entries.iter().find(|(earlier, ..)| *earlier == name) {
                let line = source.position(first.bytes.start).0;
                return Err(Diagnostic::error(
                    source,
                    key.bytes.clone(),
                    format!("`{name}` is given twice in {owner}, first in line {line}"),
                )
                .label("given again here")
                .also(first.bytes.clone(), "first given here"));
            }
            entries.push((name, key, value));
        }
        let anchor = entries.iter().find(|(name, ..)| *name == "name").or(entries.first());
        let anchor =
            anchor.map_or_else(|| node.bytes.clone(), |(_, key, value)| key.bytes.start..value.bytes.end);
        Ok(Fields { owner, entries, anchor })
    }

    /// What the mapping describes, such as "task `radio`".
    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// The value of a key, if it is there.
    pub fn get(&self, key: &str) -> Option<&'t Node<'t>> {
        self.entries.iter().find(|(name, ..)| *name == key).map(|&(_, _, value)| value)
    }

    /// The value of a key, unless it is absent or empty.
    pub fn get_filled(&self, key: &str) -> Option<&'t Node<'t>> {
        self.get(key).filter(|node| !node.is_null())
    }

    /// The value of a key that must be there.
    pub fn required(&self, source: &Arc<Source>, key: &str) -> Result<&'t Node<'t>, Box<Diagnostic>> {
        self.get(key).ok_or_else(|| self.missing(source, key))
    }

    /// The error for a key that is not there.
    pub fn missing(&self, source: &Arc<Source>, key: &str) -> Box<Diagnostic> {
        Diagnostic::error(source, self.anchor.clone(), format!("{} has no `{key}`", self.owner))
            .help(format!("add a line `{key}: ...`"))
    }

    /// Where a value is; an empty one has no place of its own, so its key stands for it.
    pub fn place(&self, node: &Node<'_>) -> Range<usize> {
        let key = self.entries.iter().find(|(_, _, value)| value.bytes == node.bytes);
        match key {
            Some((_, key, _)) if node.bytes.is_empty() => key.bytes.clone(),
            _ => node.bytes.clone(),
        }
    }
}

fn known_key(
    source: &Arc<Source>,
    key: &Node<'_>,
    owner: &str,
    known: &'static [&'static str],
) -> Result<&'static str, Box<Diagnostic>> {
    let Value::Scalar { text, .. } = &key.value else {
        return Err(Diagnostic::error(source, key.bytes.clone(), format!("a key of {owner} is not a word"))
            .help(format!("its keys are {}", list(known))));
    };
    if let Some(&name) = known.iter().find(|&&name| name == text.as_ref()) {
        return Ok(name);
    }
    let shown = shortened(text);
    let message = format!("unknown key `{shown}` in {owner}");
    let diagnostic = Diagnostic::error(source, key.bytes.clone(), message).help(format!(
        "the keys of {} are {}",
        kind(owner),
        list(known)
    ));
    let nearest = nearest(text, known);
    Err(diagnostic.label(format!("did you mean `{nearest}`?")))
}

/// The known key that the fewest edits lead to; a shared beginning decides between equals.
fn nearest(text: &str, known: &'static [&'static str]) -> &'static str {
    // The edit distance is quadratic: a key of megabytes resembles none, and is cut.
    let text: String = text.chars().take(40).flat_map(char::to_lowercase).collect();
    let likeness = |name: &str| strsim::jaro_winkler(&text, name);
    let mut best = "name";
    for &name in known {
        if likeness(name) > likeness(best) {
            best = name;
        }
    }
    best
}

/// "a task" for "task `radio`".
fn kind(owner: &str) -> String {
    format!("a {}", owner.trim_start_matches("the ").split([' ', '`']).next().unwrap_or("mapping"))
}

fn list(known: &[&str]) -> String {
    let quoted: Vec<String> = known.iter().map(|key| format!("`{key}`")).collect();
    quoted.join(", ")
}
