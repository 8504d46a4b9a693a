//! Where what was read of a set stands in its file: each path into the set leads to a node of the tree.

use std::ops::Range;

use super::tree::{Node, Value};
use crate::model::{Part, Path};

/// The list of a task whose items are parts of one choice.
pub const INSTRUCTIONS: &str = "instructions";

/// Where what was read stands: of every item the number of its node, since refused ones are left out.
#[derive(Default)]
pub struct Places {
    pub variants: Vec<usize>,
    pub blocks: Vec<usize>,
    /// Of every task and part.
    pub rows: Vec<Row>,
}

/// Where a task or a part of it stands.
#[derive(Default)]
pub struct Row {
    pub task: usize,
    /// The list of the task that it is in, and its number there, if it is a part.
    pub part: Option<(&'static str, usize)>,
    /// Of its choices; an instruction is its own choice.
    pub choices: Vec<usize>,
}

impl Places {
    /// Notes the tasks of all rows: of each task read how many rows it has, and the number of its node.
    pub fn tasks_of_rows(&mut self, counts: &[usize], tasks: &[usize]) {
        let tasks = counts.iter().zip(tasks).flat_map(|(&count, &task)| std::iter::repeat_n(task, count));
        self.rows.iter_mut().zip(tasks).for_each(|(row, task)| row.task = task);
    }

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
            Part::Task(at) => {
                let row = self.rows.get(at)?;
                let task = item(root, "tasks", row.task)?;
                row.part.map_or(Some(task), |(list, part)| item(task, list, part))
            }
            Part::Choice { task, choice } => {
                let node = self.node(root, Part::Task(task))?;
                let row = self.rows.get(task)?;
                match row.part {
                    Some((INSTRUCTIONS, _)) => Some(node),
                    _ => item(node, "choices", *row.choices.get(choice)?),
                }
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
