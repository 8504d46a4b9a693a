//! The items behind a cell, found from the rows after every group.
//!
//! Group t takes k of its items at cell j if the value of row t at j is P(k) plus the value of row t-1 at j - k w;
//! the traceback continues there. If there is no memory for one row per group, only rows at regular distances are
//! stored, and those between two stored rows are computed once more, up to the current cell of the traceback:
//! together they cost no more than the first sweep. If these are too many, again only some are stored.

use super::groups::{Group, Groups};
use crate::Selections;
use crate::sweep::step::Cell;
use crate::sweep::{Layer, Row, Sweep, Target};
use isx_engine::EngineError;
use std::marker::PhantomData;

/// The groups, and the gains of their best items.
#[derive(Clone, Debug)]
pub struct Gains {
    pub groups: Groups,
    /// P(0), P(1), .. of each group.
    pub sums: Vec<Vec<i64>>,
}

impl Gains {
    /// How many items of a group are taken at a cell of value `held`, given the previous row.
    fn number<V: Cell>(&self, group: usize, before: &Seen<V>, held: i64, cell: usize) -> usize {
        let weight = self.groups.groups[group].weight;
        let explains = |(at, sum): (usize, &i64)| before.at(cell - at * weight) + sum == held;
        // Some number always matches; if none did, the check of the sums would detect it.
        self.sums[group].iter().enumerate().take(cell / weight + 1).position(explains).unwrap_or(0)
    }

    /// Adds the first `number` items of a group.
    fn take(&self, group: usize, number: usize, chosen: &mut Vec<u32>) -> usize {
        let Group { weight, members } = &self.groups.groups[group];
        chosen.extend_from_slice(&self.groups.members[members.clone()][..number]);
        number * weight
    }

    /// Follows the traceback from a cell of the last row to the first row, the first of `rows`; adds the items and
    /// returns the cell in the first row.
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
    /// Whether cells have the form "exactly".
    pub exactly: bool,
}

/// A row up to the weight of its items. Beyond, the value is the same as at the end or, in the form "exactly",
/// unreachable.
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

/// One row per group, and the cells at which selections begin.
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

/// The state for finding the items of one capacity.
pub struct Finding<'a, 'b, V> {
    pub sweep: &'a Sweep<'b, V>,
    pub layers: &'a [Layer],
    pub gains: &'a Gains,
    pub chosen: Vec<u32>,
}

/// At least this many rows may be stored: with fewer a part would be no shorter than the whole.
const LEAST: usize = 4;

/// The distance in groups between stored rows, if `rows` may be stored: 1 if they suffice for all.
pub fn stride(groups: usize, rows: usize) -> usize {
    if groups < rows { 1 } else { groups.div_ceil(rows.max(LEAST) / 2) }
}

impl<V: Cell> Finding<'_, '_, V> {
    /// Follows the traceback from a cell of the row after group `end` - 1, which is `last`. Some of the rows before
    /// these groups are stored, including the first; up to `rows` more may be. Returns the first row and the cell
    /// there. Fails if the computation is cancelled, or the system provides no memory.
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
            // Capacity beyond the weight of all items up to here cannot be used.
            cell = last.so_far.min(cell as u128) as usize;
            if end - first == 1 {
                let before = [start];
                cell = self.gains.back::<V>(&before, view, &last, cell, &mut self.chosen);
                let [before] = before;
                last = before;
            } else {
                // The row at the end of this part is computed again with it.
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
