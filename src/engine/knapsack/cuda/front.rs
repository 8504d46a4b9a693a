//! The best of every capacity: one sweep over whole rows, and what it says to the host.

use super::best::{Options, width};
use super::board::{Board, Decisions, Steps};
use super::cell::{BLOCK_CELLS, Cell, Width};
use super::losses::Losses;
use super::passes::{Target, passes};
use crate::engine::{Context, EngineError};
use crate::machine::cuda::Device;
use crate::problem::knapsack::{Item, Selections};
use crate::problem::value::Tier;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The front up to a capacity.
#[derive(Clone, Debug)]
pub struct Front {
    /// Weights of the points, strictly rising from 0.
    pub weights: Vec<u64>,
    /// Their profits, strictly rising.
    pub profits: Vec<i128>,
    /// The items of every point, where they were wanted.
    pub picks: Option<Arc<dyn Selections>>,
    /// How wide the cells were.
    pub width: Width,
    /// Cells filled, an item at a time.
    pub updates: u64,
    /// Bytes of rows that blocks of cells were launched for.
    pub bytes: u64,
    /// Time of the sweep.
    pub solve: Duration,
    /// Time of reading the front.
    pub traceback: Duration,
}

/// The decisions of every item on the host, a bit a cell of its window.
#[derive(Debug)]
struct Walks {
    /// Of every pass.
    bits: Vec<Vec<u8>>,
    /// Of every item: its pass, and where the byte of its cell 0 would lie among the pass's.
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
                // Only a wrong decision leads below 0, and whoever sums the items again finds it.
                cell = cell.saturating_sub(weight);
            }
        }
        chosen.sort_unstable();
    }
}

/// Bytes that decisions of all items and cells take on the host.
pub(super) fn decision_bytes(items: usize, capacity: u64) -> u64 {
    (capacity / BLOCK_CELLS + 1).saturating_mul(BLOCK_CELLS / 8).saturating_mul(items as u64)
}

/// The best of every capacity up to `capacity`, of `items` of positive weights.
///
/// # Errors
///
/// [`EngineError::Arithmetic`] where 64-bit losses do not do, [`EngineError::GpuMemory`] where rows do not fit.
pub fn front(
    device: &Device,
    items: &[Item],
    capacity: u64,
    with_items: bool,
    context: &Context,
    options: &Options,
) -> Result<Front, EngineError> {
    let losses = Losses::of_all_capacities(items, capacity)?.sorted(options.heaviest_first);
    match width(&losses, options.at_least)? {
        Width::W16 => solve::<u16>(device, losses, with_items, context),
        Width::W32 => solve::<u32>(device, losses, with_items, context),
        Width::W64 => solve::<u64>(device, losses, with_items, context),
    }
}

fn solve<C: Cell>(
    device: &Device,
    losses: Losses,
    with_items: bool,
    context: &Context,
) -> Result<Front, EngineError> {
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
    let cells = losses.capacity as usize + 1;
    let alive = device.download("marks of a row", &board.row(at).alive.slice(..))?;
    let row = device.download("a row of losses", &board.row(at).cells.slice(..cells))?;
    let (weights, profits) = points(&row, &alive, &losses)?;
    let picks = with_items.then(|| {
        let steps = losses.steps.iter().map(|step| step.weight).collect();
        Arc::new(Walks { bits, places, weights: steps, origin: losses.origin, starts: weights.clone() }) as _
    });
    let Board { updates, bytes, .. } = board;
    Ok(Front {
        weights,
        profits,
        picks,
        width: C::WIDTH,
        updates,
        bytes,
        solve,
        traceback: started.elapsed(),
    })
}

/// The cells whose profit no lighter one has.
fn points<C: Cell>(row: &[C], alive: &[u8], losses: &Losses) -> Result<(Vec<u64>, Vec<i128>), EngineError> {
    // What a cell of no loss is worth, cell by cell; no sum passes that of all profits, which fits.
    let sum = |cell: u64| {
        i128::from(losses.price).checked_mul(cell.into()).and_then(|paid| paid.checked_add(losses.worth))
    };
    sum(losses.capacity).ok_or(EngineError::Arithmetic(Tier::I128))?;
    let (mut weights, mut profits) = (Vec::new(), Vec::new());
    let mut best = -1i128;
    let mut worth = losses.worth;
    for (block, cells) in row.chunks(BLOCK_CELLS as usize).enumerate() {
        if alive[block] == 0 {
            worth += i128::from(losses.price) * cells.len() as i128;
            continue;
        }
        for (cell, &loss) in cells.iter().enumerate() {
            let profit = worth - i128::from(loss.loss());
            if loss.loss() < C::DEAD && profit > best {
                best = profit;
                weights.push(block as u64 * BLOCK_CELLS + cell as u64);
                profits.push(profit);
            }
            worth += i128::from(losses.price);
        }
    }
    Ok((weights, profits))
}
