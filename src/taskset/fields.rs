//! The entries of a YAML mapping matched against the keys it may have.

use std::ops::Range;
use std::sync::Arc;

use super::diagnostic::{Diagnostic, shortened};
use super::source::Source;
use super::tree::{Node, Value};

/// The keys that a mapping of one kind may have.
pub(super) struct Keys {
    /// The kind, such as "a task".
    pub of: &'static str,
    pub names: &'static [&'static str],
}

pub(super) const SET_KEYS: &Keys = &Keys {
    of: "a task set",
    names: &["name", "description", "source", "clock", "area_unit", "scheduler", "blocks", "tasks"],
};
pub(super) const BLOCK_KEYS: &Keys =
    &Keys { of: "a block", names: &["name", "area", "slot", "fmax", "source"] };
pub(super) const TASK_KEYS: &Keys =
    &Keys { of: "a task", names: &["name", "wcet", "period", "deadline", "priority", "source", "choices"] };
pub(super) const CHOICE_KEYS: &Keys =
    &Keys { of: "a choice", names: &["name", "area", "uses", "wcet", "saves", "source"] };

const KINDS: [&Keys; 4] = [SET_KEYS, TASK_KEYS, CHOICE_KEYS, BLOCK_KEYS];

/// Whether anything in a task set has this key.
pub(super) fn is_key(text: &str) -> bool {
    KINDS.iter().any(|keys| keys.names.contains(&text))
}

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
        known: &'static Keys,
    ) -> Result<Self, Box<Diagnostic>> {
        let Value::Map(pairs) = &node.value else {
            return Err(Diagnostic::error(source, node.bytes.clone(), format!("{owner} is not a mapping"))
                .label("a mapping such as `name: value` is due here")
                .help(format!("its keys are {}", list(known))));
        };
        let mut entries: Vec<(&'static str, &Node<'_>, &Node<'_>)> = Vec::with_capacity(pairs.len());
        for (key, value) in pairs {
            let name = known_key(source, key, value, &owner, known)?;
            if let Some((_, first, _)) = entries.iter().find(|(earlier, ..)| *earlier == name) {
                let line = source.line(first.bytes.start);
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

    /// Where to point when a key is missing.
    pub fn anchor(&self) -> Range<usize> {
        self.anchor.clone()
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
            .help(format!("add `{key}: ..` to it"))
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
    value: &Node<'_>,
    owner: &str,
    known: &'static Keys,
) -> Result<&'static str, Box<Diagnostic>> {
    let Value::Scalar { text, .. } = &key.value else {
        return Err(Diagnostic::error(source, key.bytes.clone(), format!("a key of {owner} is not a word"))
            .help(format!("its keys are {}", list(known))));
    };
    if let Some(&name) = known.names.iter().find(|&&name| name == text.as_ref()) {
        return Ok(name);
    }
    let message = format!("unknown key `{}` in {owner}", shortened(text));
    let diagnostic = Diagnostic::error(source, key.bytes.clone(), message);
    if value.is_null() && text.starts_with(|c: char| c.is_ascii_digit()) {
        // `{wcet: 1,200}` is an entry `wcet: 1` and a key `200` to YAML.
        return Err(diagnostic
            .label("the comma before it begins a new entry")
            .help("write numbers without commas: `1200` for 1,200 and `0.5` for 0,5"));
    }
    if let Some((name, value)) = text.split_once(':').filter(|(name, _)| known.names.contains(name)) {
        let error = diagnostic.label("a space is missing behind the colon");
        return Err(error.help(format!("write `{name}: {}`", shortened(value))));
    }
    let label = label_for(text, known);
    Err(diagnostic.label(label).help(format!("the keys of {} are {}", known.of, list(known))))
}

/// What an unknown key could have been meant to be.
fn label_for(text: &str, known: &Keys) -> String {
    if let Some(nearest) = nearest(text, known.names.iter().copied()) {
        return format!("did you mean `{nearest}`?");
    }
    let elsewhere = KINDS.into_iter().find(|keys| keys.names.contains(&text));
    match elsewhere {
        Some(keys) => format!("this is a key of {}", keys.of),
        None => format!("not a key of {}", known.of),
    }
}

/// The known name that the fewest slips of the pen lead to, if those are at most a third of the letters.
pub fn nearest<'n>(text: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    // The distance takes quadratic time: a name of megabytes resembles none, and is cut.
    let folded = |text: &str| text.chars().take(40).flat_map(char::to_lowercase).collect::<String>();
    let text = folded(text);
    let (slips, _, letters, best) = known
        .into_iter()
        .map(|name| {
            let folded = folded(name);
            // Of names as near as each other the one that begins alike: `block` is `blocks` rather than `clock`.
            let begins_otherwise = folded.chars().next() != text.chars().next();
            (strsim::osa_distance(&text, &folded), begins_otherwise, folded.chars().count(), name)
        })
        .min_by_key(|&(slips, begins_otherwise, ..)| (slips, begins_otherwise))?;
    (3 * slips <= text.chars().count().max(letters)).then_some(best)
}

fn list(known: &Keys) -> String {
    let quoted: Vec<String> = known.names.iter().map(|key| format!("`{key}`")).collect();
    quoted.join(", ")
}

/// The value of the entry `name`, if the node is a mapping that has one.
pub(super) fn name_of<'t>(node: &'t Node<'_>) -> Option<&'t Node<'t>> {
    value_of(node, "name")
}

fn value_of<'t>(node: &'t Node<'_>, name: &str) -> Option<&'t Node<'t>> {
    let Value::Map(entries) = &node.value else { return None };
    entries
        .iter()
        .find(|(key, _)| matches!(&key.value, Value::Scalar { text, .. } if text == name))
        .map(|(_, value)| value)
}

/// The text of an entry, if the node is a mapping that has it and it is a scalar.
pub(super) fn scalar_of<'t>(node: &'t Node<'_>, name: &str) -> Option<&'t str> {
    match &value_of(node, name)?.value {
        Value::Scalar { text, .. } => Some(text),
        _ => None,
    }
}

/// Where the name of a node stands; without one, the node.
pub(super) fn name_bytes(node: &Node<'_>) -> Range<usize> {
    name_of(node).map_or_else(|| node.bytes.clone(), |name| name.bytes.clone())
}

/// "task `radio`", or "task 3" as long as it has no name to go by.
pub(super) fn describe(kind: &str, index: usize, node: &Node<'_>) -> String {
    match name_of(node).map(|name| &name.value) {
        Some(Value::Scalar { text, .. }) if !text.trim().is_empty() => {
            format!("{kind} `{}`", shortened(text))
        }
        _ => format!("{kind} {}", index + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_suggested_for_slips_in_a_third_of_its_letters_and_no_more() {
        let known = |keys: &Keys| keys.names.iter().copied();
        let near = |text: &str| nearest(text, known(SET_KEYS)).or(nearest(text, known(TASK_KEYS)));
        for (text, key) in [
            ("nam", "name"),
            ("NAME", "name"),
            ("anme", "name"),
            ("clok", "clock"),
            ("area-unit", "area_unit"),
            ("areaunits", "area_unit"),
            ("deadlnie", "deadline"),
            ("dedlin", "deadline"),
            ("periods", "period"),
            ("choice", "choices"),
            ("block", "blocks"),
        ] {
            assert_eq!(near(text), Some(key), "{text}");
        }
        for text in
            ["nm", "na", "title", "unit", "foo", "x", "", "<<", "dedln", "schema", "cost", "frequency"]
        {
            assert_eq!(near(text), None, "{text}");
        }
    }

    #[test]
    fn names_that_differ_in_case_alone_are_nearest() {
        assert_eq!(nearest("sbox", ["xbox", "SBox", "box"]), Some("SBox"));
        assert_eq!(nearest("SBOX", ["mix"]), None);
        assert_eq!(nearest("sbox", []), None);
        let long = "a".repeat(10_000_000);
        assert_eq!(nearest(&long, ["sbox", long.as_str()]), Some(long.as_str()));
    }
}
