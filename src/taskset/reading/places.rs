//! Where what was read of a set stands in its file: each path into the set leads to a node of the tree.

use std::ops::Range;

use super::tree::{Node, Value};
use crate::model::{Part, Path};

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
    pub fn of(&self, root: &Node<'_>, path: &Path) -> Range<usize> {
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
