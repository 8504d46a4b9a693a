//! The best of every capacity: one sweep over whole rows, downloaded to the host.

use super::board::{Board, Decisions, Steps};
use super::cell::{BLOCK_CELLS, Cell, in_cells};
use super::found::{Found, Options};
use super::passes::{Target, passes};
use super::problem::Losses;
use isx_engine::{Context, EngineError};
use isx_machine::cuda::{Device, DeviceError};
use isx_problems::knapsack::{Item, Selections};
use isx_problems::value::Tier;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

/// The decisions of every item on the host, one bit per cell of its window.
#[derive(Debug)]
struct Walks {
    /// The bits of every pass.
    bits: Vec<Vec<u8>>,
    /// For every item: its pass, and the position of the byte of its cell 0 in that pass's bits, which may lie
    /// outside.
    places: Vec<(usize, i64)>,
    weights: Vec<u64>,
    origin: Vec<u32>,
    starts: Vec<u64>,
}

impl Selections for Walks {
    fn write(&self, index: usize, chosen: &mut Vec<u32>) {
        chosen.clear();
        let mut cell = self.starts[index];
        for ((&(pass, offset), &weight), &item) in
            self.places.iter().zip(&self.weights).zip(&self.origin).rev()
        {
            let byte = self.bits[pass].get((offset + (cell >> 3) as i64) as usize);
            if byte.is_some_and(|byte| byte >> (cell & 7) & 1 == 1) {
                chosen.push(item);
                // Only a wrong decision leads below 0, and the check of the sums detects it.
                cell = cell.saturating_sub(weight);
            }
        }
        chosen.sort_unstable();
    }
}

/// Bytes of the decisions of all items and cells on the host.
pub(super) fn decision_bytes(items: usize, capacity: u64) -> u64 {
    (capacity / BLOCK_CELLS + 1).saturating_mul(BLOCK_CELLS / 8).saturating_mul(items as u64)
}

/// The best of every capacity up to `capacity`, for `items` of positive weights. Fails with
/// [`EngineError::Arithmetic`] if the losses exceed 64 bits, [`EngineError::GpuMemory`] if the rows do not fit.
pub fn front(
    device: &Device,
    items: &[Item],
    capacity: u64,
    with_items: bool,
    context: &Context,
    options: &Options,
) -> Result<Found, EngineError> {
    let losses = Losses::of_all_capacities(items, capacity)?.sorted(options.heaviest_first);
    in_cells!(losses.width(options.at_least)?, solve(device, losses, with_items, context))
}

fn solve<C: Cell>(
    device: &Device,
    losses: Losses,
    with_items: bool,
    context: &Context,
) -> Result<Found, EngineError> {
    let started = Instant::now();
    let target = Target { weight: losses.capacity, slack: losses.slack };
    let mut board = Board::<C>::new(device, context, 2, target.blocks())?;
    context.progress.begin("solving", losses.steps.len() as u64);
    board.start(0)?;
    let mut at = 0;
    let (mut bits, mut places) = (Vec::new(), Vec::new());
    if !losses.steps.is_empty() {
        let steps = Steps::new(device, &losses.steps)?;
        let all = passes::<C>(&losses.steps, target, 0..losses.steps.len());
        if with_items {
            let largest = all.iter().map(super::passes::Pass::decision_bytes).max().unwrap_or(0);
            let mut decisions = Decisions::new(device, largest)?;
            for pass in &all {
                decisions.clear();
                decisions.write_zeros(device)?;
                at = board.sweep(
                    &steps,
                    std::slice::from_ref(pass),
                    losses.limit,
                    at,
                    [1 - at; 2],
                    Some(&mut decisions),
                )?;
                places.extend(decisions.offsets.iter().map(|&offset| (bits.len(), offset)));
                let view = decisions.bits().slice(..pass.decision_bytes() as usize);
                bits.push(device.download("decisions", &view)?);
            }
        } else {
            at = board.sweep(&steps, &all, losses.limit, 0, [1, 0], None)?;
        }
    }
    device.finish(C::KERNELS.step)?;
    let solve = started.elapsed();
    let started = Instant::now();
    let row = board.row(at);
    let alive = device.download("marks of a row", &row.alive.slice(..))?;
    let cells = |cells: Range<usize>| device.download("a row of losses", &row.cells.slice(cells));
    let (weights, profits) = points(&alive, cells, &losses)?;
    let picks = with_items.then(|| {
        let steps = losses.steps.iter().map(|step| step.weight).collect();
        Arc::new(Walks { bits, places, weights: steps, origin: losses.origin, starts: weights.clone() }) as _
    });
    let Board { updates, bytes, .. } = board;
    let traceback = started.elapsed();
    Ok(Found { weights, profits, picks, updates, bytes, solve, traceback, ..Found::new(C::WIDTH) })
}

/// The weights and profits of the cells whose profit is greater than that of all lighter cells.
type Points = (Vec<u64>, Vec<i128>);

/// The points of a row. Only cells of live blocks are read: others may be uninitialized.
fn points<C: Cell>(
    alive: &[u8],
    cells_of: impl Fn(Range<usize>) -> Result<Vec<C>, DeviceError>,
    losses: &Losses,
) -> Result<Points, EngineError> {
    // The profit of a cell without loss, cell by cell; no sum exceeds that of all profits, which fits.
    let sum = |cell: u64| {
        i128::from(losses.price).checked_mul(cell.into()).and_then(|paid| paid.checked_add(losses.worth))
    };
    sum(losses.capacity).ok_or(EngineError::Arithmetic(Tier::I128))?;
    let (mut weights, mut profits) = (Vec::new(), Vec::new());
    let mut best = -1i128;
    let mut worth = losses.worth;
    let mut end = 0;
    for blocks in alive.chunk_by(|a, b| (*a == 0) == (*b == 0)) {
        let first = end;
        end = (first + blocks.len() * BLOCK_CELLS as usize).min(losses.capacity as usize + 1);
        if blocks[0] == 0 {
            worth += i128::from(losses.price) * (end - first) as i128;
            continue;
        }
        for (cell, loss) in (first as u64..).zip(cells_of(first..end)?) {
            let profit = worth - i128::from(loss.loss());
            if loss.loss() < C::DEAD && profit > best {
                best = profit;
                weights.push(cell);
                profits.push(profit);
            }
            worth += i128::from(losses.price);
        }
    }
    Ok((weights, profits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_dead_blocks_are_never_asked_for() {
        let item = |weight| Item { profit: i128::from(weight) * 3, weight };
        let last = 4 * BLOCK_CELLS + 5;
        let losses = Losses::of_all_capacities(&[item(10), item(last - 10)], last).unwrap();
        let alive = [1, 0, 0, 1, 1];
        let asked = std::cell::RefCell::new(Vec::new());
        let cells = |cells: Range<usize>| {
            asked.borrow_mut().push(cells.clone());
            // All cells are dead except those of the four sums.
            let of = |cell: usize| [0, 10, last - 10, last].contains(&(cell as u64));
            Ok(cells.map(|cell| if of(cell) { 0u32 } else { u32::DEAD as u32 }).collect())
        };
        let (weights, profits) = points(&alive, cells, &losses).unwrap();
        assert_eq!(asked.into_inner(), [0..4096, 3 * 4096..last as usize + 1]);
        assert_eq!(weights, [0, 10, last - 10, last]);
        let first = profits[0];
        let gains: Vec<i128> = profits.iter().map(|profit| profit - first).collect();
        assert_eq!(
            gains,
            weights.iter().map(|&weight| i128::from(losses.price) * i128::from(weight)).collect::<Vec<_>>()
        );
    }
}
