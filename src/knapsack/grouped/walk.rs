//! The items behind a cell, from the rows after every group.
//!
//! Group t takes some k of its items at cell j where row t at j is what row t-1 at j - k w holds and P(k) together; the
//! walk goes on from there. Where memory does not hold a row a group, only some are kept, every so many groups, and those
//! between two of them are made once more, up to the cell that the walk has come to: all of them cost no more than the
//! first sweep. Where these are too many, again only some are kept.

use super::groups::{Group, Groups};
use crate::Selections;
use crate::sweep::step::Cell;
use crate::sweep::{Layer, Row, Sweep, Target};
use isx_engine::EngineError;
use std::marker::PhantomData;

/// The groups, and what the best of their items gain.
#[derive(Clone, Debug)]
pub struct Gains {
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

/// What finding the items of one capacity works with.
pub struct Finding<'a, 'b, V> {
    pub sweep: &'a Sweep<'b, V>,
    pub layers: &'a [Layer],
    pub gains: &'a Gains,
    pub chosen: Vec<u32>,
}

/// So many rows may always be kept: with fewer a part would be no shorter than the whole.
const LEAST: usize = 4;

/// After how many of so many groups rows are kept, if so many may be: after every one where they suffice.
pub fn stride(groups: usize, rows: usize) -> usize {
    if groups < rows { 1 } else { groups.div_ceil(rows.max(LEAST) / 2) }
}

impl<V: Cell> Finding<'_, '_, V> {
    /// Walks back from a cell of the row after group `end` - 1, which is `last`, through groups of which some of the rows
    /// before are kept, the first among them; up to `rows` more may be. Gives the first row and the cell there.
    ///
    /// # Errors
    ///
    /// When the computation is called off, or the system gives no memory.
    pub fn back(
        &mut self,
        mut kept: Vec<Row>,
        (mut last, mut end): (Row, usize),
        mut cell: usize,
        rows: usize,
    ) -> Result<(Row, usize), EngineError> {
        let Sweep { pad, form, .. } = *self.sweep;
        let view = View { pad, exactly: form.slope.is_some() };
        while let Some(start) = kept.pop() {
            let first = start.after.unwrap_or(0);
            // More than all items up to here weigh is of no use to them.
            cell = last.so_far.min(cell as u128) as usize;
            if end - first == 1 {
                let before = [start];
                cell = self.gains.back::<V>(&before, view, &last, cell, &mut self.chosen);
                let [before] = before;
                last = before;
            } else {
                // The row at the end of this part comes again with it.
                self.sweep.give_back(last);
                let from = self.layers.partition_point(|layer| layer.group < first);
                let to = self.layers.partition_point(|layer| layer.group < end);
                let target = Target { capacity: cell, below: Some(0) };
                let stride = stride(end - first, rows);
                let kept = |groups: usize| (groups - first).is_multiple_of(stride);
                let (part, after) = self.sweep.run(start, &self.layers[from..to], target, &kept, None)?;
                let left = rows.saturating_sub(part.len()).max(LEAST);
                (last, cell) = self.back(part, (after, end), cell, left)?;
            }
            end = first;
        }
        Ok((last, cell))
    }
}
