//! The traceback from a point to its canonical selection.

use super::rows::{Level, Move};
use crate::fields::Fields;

/// The rows of all classes, from the first of the file to the last.
pub(super) struct Trace<'a, 'm> {
    pub levels: &'a [Level<'m>],
    pub fields: &'a Fields,
}

/// A state and a cell from which the remaining value can be reached.
type Node = (usize, usize);

impl Trace<'_, '_> {
    /// The packed selection of a point: its cell and value.
    pub fn selection(&self, (cell, mut value): (usize, i64)) -> Vec<u64> {
        let mut words = vec![0; self.fields.words];
        let mut nodes: Vec<Node> = vec![(0, cell)];
        for level in self.levels.iter().rev() {
            let nodes_before_closing = reopened(&nodes, &level.closed);
            // No item, then the items in file order: the first one that is consistent with some node is the
            // canonical one.
            let found = level.moves.iter().enumerate().find_map(|(number, item)| {
                let from = explained(level, &nodes_before_closing, item, value);
                (!from.is_empty()).then_some((number, item.value, from))
            });
            // Every value in a row comes from some item or from no item.
            let Some((number, gained, from)) = found else { break };
            let (word, bits) = self.fields.place(level.class, number, self.fields.words);
            words[word] |= bits;
            value -= gained;
            nodes = unopened(from, &level.opened);
        }
        words
    }
}

/// The possible predecessors if an item was taken.
fn explained(level: &Level<'_>, nodes: &[Node], item: &Move, value: i64) -> Vec<Node> {
    let before = |&(state, cell): &Node| {
        let cell = cell.checked_sub(item.weight).filter(|_| item.uses & !(state as u64) == 0)?;
        let row = level.rows.of_state(state)?;
        (row[cell] == value - item.value).then_some((state, cell))
    };
    nodes.iter().filter_map(before).collect()
}

/// The states before elements closed, one element after the other: both with and without it.
fn reopened(nodes: &[Node], closed: &[usize]) -> Vec<Node> {
    let mut nodes = nodes.to_vec();
    for &position in closed.iter().rev() {
        let low = (1usize << position) - 1;
        let both = |(state, cell): Node| {
            let apart = (state & low) | (state & !low) << 1;
            [(apart, cell), (apart | 1 << position, cell)]
        };
        nodes = nodes.into_iter().flat_map(both).collect();
    }
    nodes
}

/// The states before elements opened; bits and weights are in opening order.
fn unopened(nodes: Vec<Node>, opened: &[(usize, usize)]) -> Vec<Node> {
    let before = |(state, cell): Node| {
        opened.iter().try_fold((state, cell), |(state, cell), &(position, weight)| {
            match state >> position & 1 {
                0 => Some((state, cell)),
                // A row with the element paid for has no value below its weight.
                _ => Some((state & !(1 << position), cell.checked_sub(weight)?)),
            }
        })
    };
    let mut nodes: Vec<Node> = nodes.into_iter().filter_map(before).collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}
