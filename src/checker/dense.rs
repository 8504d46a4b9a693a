//! Long lists as rows: one cell per area, holding the least cost of any pair with at most that area. The next row
//! follows from this one by an option if each of its cells is at most the cell of this row at the option's area
//! before it, plus the option's cost: only additions and comparisons of neighbors, which processors vectorize.

use crate::cost::Cost;
use crate::group::Groups;

/// Cells processed between checks for a failed comparison.
const AT_A_TIME: usize = 2048;

/// Up to this many cells per pair, traversing a row is faster than traversing pairs.
const THROUGH: u64 = 6;
/// Up to this many cells per pair, looking pairs up in a row is faster.
const LOOK_UP: u64 = 64;

/// Whether traversing a row of areas up to `capacity` is faster than traversing these pairs.
pub(crate) fn is_dense<C>(pairs: &Groups<C>, capacity: u64) -> bool {
    capacity < THROUGH.saturating_mul(pairs.areas.len() as u64)
}

/// Whether looking pairs up in a row is faster.
pub(crate) fn is_worth_a_row<C>(pairs: &Groups<C>, capacity: u64) -> bool {
    capacity < LOOK_UP.saturating_mul(pairs.areas.len() as u64)
}

/// The row of a list of one group; cells below the area of the first pair hold `beyond`.
pub(crate) fn row<C: Cost>(only: &Groups<C>, capacity: u64, beyond: &C) -> Vec<C> {
    let mut row = Vec::with_capacity(capacity as usize + 1);
    let mut before = beyond;
    for (&area, cost) in only.areas.iter().zip(&only.costs) {
        row.resize(area as usize, before.clone());
        before = cost;
    }
    row.resize(capacity as usize + 1, before.clone());
    row
}

/// Whether every cell of `row`, after adding an option of this area and cost, is covered by a cell of `next`.
pub(crate) fn follows<C: Cost>(row: &[C], next: &[C], area: u64, cost: &C) -> bool {
    let Some(shifted) = usize::try_from(area).ok().and_then(|area| next.get(area..)) else { return true };
    let cells = row[..shifted.len()].chunks(AT_A_TIME).zip(shifted.chunks(AT_A_TIME));
    let too_large = |(from, to): (&C, &C)| *to > from.plus(cost);
    cells.into_iter().all(|(from, to)| !from.iter().zip(to).fold(false, |any, pair| any | too_large(pair)))
}
