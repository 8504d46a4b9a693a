//! Long lists as rows: a cell for every area, which holds the least cost of any pair with no more area. The pairs of one row
//! follow from another by an option if no cell is less than the other's, the option's area before it, and the option's
//! cost: nothing but adding and comparing neighbors, which processors do to many at once.

use crate::cost::Cost;
use crate::layers::Group;

/// Cells looked at before it is asked whether one was too small.
const AT_A_TIME: usize = 2048;

/// Up to so many cells a pair it is quicker to go through a row than through pairs.
const THROUGH: u64 = 6;
/// Up to so many it is quicker to look pairs up in a row.
const LOOK_UP: u64 = 64;

/// Whether a row of areas up to `capacity` is quicker to go through than these pairs.
pub(crate) fn is_dense<C>(pairs: &Group<C>, capacity: u64) -> bool {
    capacity < THROUGH.saturating_mul(pairs.areas.len() as u64)
}

/// Whether it is quicker to look pairs up in a row.
pub(crate) fn is_worth_a_row<C>(pairs: &Group<C>, capacity: u64) -> bool {
    capacity < LOOK_UP.saturating_mul(pairs.areas.len() as u64)
}

/// The row of a group; `beyond` stands where no pair has so little area.
pub(crate) fn row<C: Cost>(group: &Group<C>, capacity: u64, beyond: &C) -> Vec<C> {
    let mut row = Vec::with_capacity(capacity as usize + 1);
    let mut before = beyond;
    for (&area, cost) in group.areas.iter().zip(&group.costs) {
        row.resize(area as usize, before.clone());
        before = cost;
    }
    row.resize(capacity as usize + 1, before.clone());
    row
}

/// Whether `next` has, for every cell of `row`, one as small once an option of this area and cost is added.
pub(crate) fn follows<C: Cost>(row: &[C], next: &[C], area: u64, cost: &C) -> bool {
    let Some(shifted) = usize::try_from(area).ok().and_then(|area| next.get(area..)) else { return true };
    let cells = row[..shifted.len()].chunks(AT_A_TIME).zip(shifted.chunks(AT_A_TIME));
    let too_large = |(from, to): (&C, &C)| *to > from.plus(cost);
    cells.into_iter().all(|(from, to)| !from.iter().zip(to).fold(false, |any, pair| any | too_large(pair)))
}
