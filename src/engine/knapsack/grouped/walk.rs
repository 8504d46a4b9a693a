//! The items behind a cell, from the rows after every group.
//!
//! Group t takes some k of its items at cell j where row t at j is what row t-1 at j - k w holds and P(k) together; the
//! walk goes on from there. Where memory does not hold a row a group, only some are kept, every so many groups, and those
//! between two of them are made once more, up to the cell that the walk has come to: all of them cost no more than the
//! first sweep.

use super::groups::{Group, Groups};
use super::sweep::{Cell, Layer, Row, Sweep, Wanted};
use crate::engine::EngineError;
use crate::engine::knapsack::Selections;
use std::marker::PhantomData;

/// The groups, and what the best of their items gain.
#[derive(Clone, Debug)]
pub struct Gains {
    /// The items.
    pub groups: Groups,
    /// Of each group P(0), P(1), ..
    pub sums: Vec<Vec<i64>>,
}

impl Gains {
    /// How many items of a group are taken at a cell that holds so much, given the row before.
    fn number<V: Cell>(&self, group: usize, before: &Seen<V>, held: i64, cell: usize) -> usize {
        let weight = self.groups.groups[group].weight;
        let explains = |(at, sum): (usize, &i64)| before.at(cell - at * weight) + sum == held;
        // Some number does; of one that did not the sums would be found wrong.
        self.sums[group].iter().enumerate().take(cell / weight + 1).position(explains).unwrap_or(0)
    }

    /// Adds the first so many items of a group.
    fn take(&self, group: usize, number: usize, chosen: &mut Vec<u32>) -> usize {
        let Group { weight, members } = &self.groups.groups[group];
        chosen.extend_from_slice(&self.groups.members[members.clone()][..number]);
        number * weight
    }

    /// Walks from a cell of the last row back to the first, which `rows` begins with; adds the items, and gives the
    /// cell of the first row.
    fn back<V: Cell>(
        &self,
        rows: &[Row],
        view: View,
        last: &Row,
        cell: usize,
        chosen: &mut Vec<u32>,
    ) -> usize {
        let first = rows.first().and_then(|row| row.after).unwrap_or(0);
        let mut cell = cell;
        let mut held = Seen::<V>::new(last, view).at(cell);
        for (at, before) in rows.iter().enumerate().rev() {
            let before = Seen::<V>::new(before, view);
            let number = self.number(first + at, &before, held, cell);
            cell -= self.take(first + at, number, chosen);
            held = before.at(cell);
        }
        cell
    }
}

/// How rows are read.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// Cells before the first.
    pub pad: usize,
    /// Whether cells are in the form "exactly".
    pub exactly: bool,
}

/// A row as far as its items weigh, and what is beyond: as much, or in the form "exactly" nothing.
struct Seen<'a, V> {
    cells: &'a [V],
    last: usize,
    exactly: bool,
}

impl<'a, V: Cell> Seen<'a, V> {
    fn new(row: &'a Row, view: View) -> Self {
        let cells = row.cells::<V>(view.pad);
        let last = row.so_far.min(cells.len() as u128 - 1) as usize;
        Self { cells, last, exactly: view.exactly }
    }

    fn at(&self, cell: usize) -> i64 {
        if self.exactly && cell > self.last {
            V::LOWEST.wide()
        } else {
            self.cells[cell.min(self.last)].wide()
        }
    }
}

/// A row a group, and the cells at which selections begin.
#[derive(Debug)]
pub struct Kept<V> {
    gains: Gains,
    rows: Vec<Row>,
    last: Row,
    view: View,
    starts: Vec<u64>,
    cell: PhantomData<V>,
}

impl<V: Cell> Kept<V> {
    /// The rows before every group, and the last one.
    pub fn new(gains: Gains, rows: Vec<Row>, last: Row, view: View, starts: Vec<u64>) -> Self {
        Self { gains, rows, last, view, starts, cell: PhantomData }
    }
}

impl<V: Cell + std::fmt::Debug> Selections for Kept<V> {
    fn write(&self, index: usize, chosen: &mut Vec<u32>) {
        chosen.clear();
        self.gains.back::<V>(&self.rows, self.view, &self.last, self.starts[index] as usize, chosen);
        chosen.sort_unstable();
    }
}

/// The items behind a cell of the last row, smallest first, from some of the rows before it, the first among them.
///
/// # Errors
///
/// When the computation is called off, or the system gives no memory.
pub fn items<V: Cell>(
    sweep: &Sweep,
    gains: &Gains,
    layers: &[Layer],
    (mut kept, last): (Vec<Row>, Row),
    mut cell: usize,
) -> Result<Vec<u32>, EngineError> {
    let view = View { pad: sweep.pad, exactly: sweep.form.slope.is_some() };
    let (mut chosen, mut end, mut after) = (Vec::new(), gains.groups.groups.len(), last);
    while let Some(start) = kept.pop() {
        let first = start.after.unwrap_or(0);
        // More than all items up to here weigh is of no use to them.
        cell = after.so_far.min(cell as u128) as usize;
        let (rows, last) = if end - first == 1 {
            (vec![start], after)
        } else {
            let from = layers.partition_point(|layer| layer.group < first);
            let to = layers.partition_point(|layer| layer.group < end);
            sweep.run::<V>(start, &layers[from..to], Wanted { capacity: cell, alone: true }, |_| true)?
        };
        cell = gains.back::<V>(&rows, view, &last, cell, &mut chosen);
        end = first;
        let Some(before) = rows.into_iter().next() else { break };
        after = before;
    }
    chosen.sort_unstable();
    Ok(chosen)
}
