//! What is wrong with a set that was read, at the places of its file: each path into the set leads to a node of the tree.

use std::ops::Range;

use super::task_set::Reader;
use super::tree::{Node, Value};
use crate::diagnostics::Diagnostic;
use crate::model::{Part, Path, TaskSet};
use isx_exact::order;

/// Where what was read stands: of every item the number of its node, since refused ones are left out.
#[derive(Default)]
pub struct Places {
    pub variants: Vec<usize>,
    pub blocks: Vec<usize>,
    pub tasks: Vec<usize>,
    /// Of the choices of every task.
    pub choices: Vec<Vec<usize>>,
}

impl Places {
    /// The node of a part.
    fn node<'n>(&self, root: &'n Node<'n>, of: Part) -> Option<&'n Node<'n>> {
        let item = |node: &'n Node<'n>, list: &str, at: usize| match &node.entry(list)?.value {
            Value::List(items) => items.get(at),
            _ => None,
        };
        match of {
            Part::Set => Some(root),
            Part::Resource(at) => item(root, "resources", at),
            Part::Mode(at) => item(root, "modes", at),
            Part::Variant(at) => item(root, "variants", *self.variants.get(at)?),
            Part::Block(at) => item(root, "blocks", *self.blocks.get(at)?),
            Part::Task(at) => item(root, "tasks", *self.tasks.get(at)?),
            Part::Choice { task, choice } => {
                item(self.node(root, Part::Task(task))?, "choices", *self.choices.get(task)?.get(choice)?)
            }
        }
    }

    /// The place of a path: its value, the key of an empty one, or the name of the part if it has no such key.
    fn of(&self, root: &Node<'_>, path: &Path) -> Range<usize> {
        let Some(part) = self.node(root, path.of) else { return root.bytes.start..root.bytes.start };
        let entries: &[(Node<'_>, Node<'_>)] = match &part.value {
            Value::Map(entries) => entries,
            _ => return part.bytes.clone(),
        };
        let entry = |key: &str| entries.iter().find(|(name, _)| name.text() == Some(key));
        match (entry(path.field), path.item) {
            (Some((_, Node { value: Value::List(items), .. })), Some(item)) if item < items.len() => {
                items[item].bytes.clone()
            }
            (Some((key, value)), _) if value.bytes.is_empty() => key.bytes.clone(),
            (Some((_, value)), _) => value.bytes.clone(),
            (None, _) => entry("name")
                .or(entries.first())
                .map_or_else(|| part.bytes.clone(), |(key, value)| key.bytes.start..value.bytes.end),
        }
    }
}

impl Reader<'_> {
    /// Refuses what is wrong with a set, in the order of the file.
    pub fn judge(&mut self, root: &Node<'_>, set: &TaskSet) {
        let has_errors = self.problems.are_any();
        let is_mixed = self.mixed_units().is_some();
        let mut found: Vec<(Range<usize>, Path, _)> = Vec::new();
        for (path, wrong) in set.wrongs() {
            // A part that was refused may be what the set lacks, and times of mixed units do not compare.
            let is_unsure = has_errors && path.of == Part::Set;
            let is_of_mixed = is_mixed && ["wcet", "wcet_high", "jitter"].contains(&path.field);
            if !is_unsure && !is_of_mixed {
                found.push((self.places.of(root, &path), path, wrong));
            }
        }
        order::sort_by(&mut found, |a, b| a.0.start.cmp(&b.0.start));
        for (place, path, wrong) in found {
            let mut message = wrong.message;
            let also = wrong.also.iter().map(|(path, label)| (self.places.of(root, path), label.clone()));
            let also: Vec<(Range<usize>, String)> = also.collect();
            if let ("name", [(first, _)]) = (path.field, also.as_slice()) {
                message += &format!(", the first is in line {}", self.source.line(first.start));
            }
            let mut error = Diagnostic::error(self.source, place, message);
            if !wrong.label.is_empty() {
                error = error.label(wrong.label);
            }
            let mut help = wrong.help;
            // One other place is drawn, and lines lead to the further ones.
            let mut also = also.into_iter();
            if let Some((place, label)) = also.next() {
                error = error.also(place, label);
            }
            let further =
                also.map(|(place, label)| format!("{label} in line {}", self.source.line(place.start)));
            let further: Vec<String> = further.collect();
            if !further.is_empty() {
                help += &format!(": {}", further.join(" and "));
            }
            self.problems.refuse(*if help.is_empty() { error } else { error.help(help) });
        }
    }
}
