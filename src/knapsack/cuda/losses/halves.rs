//! The best selection by halves of the items, on one GPU or on two.
//!
//! A forward sweep over the first half and a backward sweep over the second meet within the capacity: there the least cost
//! and its weight are found, and with them how much of it the first half has. Each half is then a problem of its own with an
//! exactly known weight and loss, and is halved again until the decisions of its items fit into the GPU's memory, so that
//! the items can be read from them (D. S. Hirschberg, CACM 1975, for another dynamic program). All halvings together cost
//! about as much as the first.
//!
//! Of two GPUs each sweeps over one of the halves, and the second one's row is copied to the first, where they meet: one
//! exchange for each halving. What need not be halved any more is divided among both. One GPU and two halve alike, so that
//! they find the same items.
//!
//! The loss of a half is known, so every cell with a greater loss is dead from then on.

use super::board::{Board, Decisions, Steps};
use super::cell::Cell;
use super::effort::half;
use super::exchange::exchange;
use super::knapsack_ends::{Other, meet};
use super::knapsack_join::join;
use super::knapsack_walk::walk;
use super::passes::{Pass, Target, passes};
use super::problem::{Attempt, Losses, Step};
use super::row::Row;
use isx_engine::{Context, EngineError};
use isx_machine::cuda::{Device, DeviceError};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of all decisions.
pub(super) fn decision_bytes(passes: &[Pass]) -> u64 {
    passes.iter().fold(0, |sum: u64, pass| sum.saturating_add(pass.decision_bytes()))
}

/// The items of a live cell of the last row.
pub(super) fn walk_back(
    device: &Device,
    steps: &[Step],
    decisions: &Decisions,
    cell: u64,
) -> Result<Vec<bool>, DeviceError> {
    let weights: Vec<u64> = steps.iter().map(|step| step.weight).collect();
    walk(device, decisions.bits(), &decisions.offsets, &weights, cell)
}

/// The error for rows that should meet but do not.
pub(super) fn unbelievable(why: &str) -> EngineError {
    DeviceError::Unbelievable { kernel: "knapsack", why: why.into() }.into()
}

/// Some of the items, and what those taken weigh and lose together.
struct Part {
    items: Range<usize>,
    weight: u64,
    loss: u64,
}

/// Two sweeps that meet on the first GPU.
pub(super) struct Met {
    /// The weight of the best selection,
    pub weight: u64,
    /// and its loss.
    pub loss: u64,
    /// The items before this one were swept forwards.
    half: usize,
    /// The rows of both sweeps.
    rows: [usize; 2],
}

/// A GPU, its rows, and memory for decisions.
struct Side<'a, C> {
    board: Board<'a, C>,
    decisions: Option<Decisions>,
}

/// Sweeps over halves.
pub(super) struct Halves<'a, C> {
    /// The first GPU, with three rows,
    near: Side<'a, C>,
    /// and the second, with two.
    far: Option<Side<'a, C>>,
    /// The limit on the bytes of decisions.
    most_decisions: u64,
}

impl<'a, C: Cell> Halves<'a, C> {
    /// Allocates rows of this many blocks; the bytes of decisions have a limit beside the GPUs' memory.
    pub fn new(
        device: &'a Device,
        second: Option<&'a Device>,
        context: &'a Context<'a>,
        blocks: u64,
        most_decisions: u64,
    ) -> Result<Self, EngineError> {
        let row = Row::<C>::bytes(blocks);
        let left = |device: &Device, rows: u64| -> Result<u64, DeviceError> {
            Ok(device.usable_memory()?.saturating_sub(row.saturating_mul(rows)))
        };
        // As much on two GPUs as on one of them, since the items depend on where the halvings end.
        let most = match second {
            None => left(device, 3)?,
            Some(second) if second.info().ordinal == device.info().ordinal => left(device, 5)? / 2,
            Some(second) => left(device, 3)?.min(left(second, 3)?),
        };
        let side = |device, rows| -> Result<Side<'a, C>, EngineError> {
            Ok(Side { board: Board::new(device, context, rows, blocks)?, decisions: None })
        };
        let (near, far) = match second {
            None => (side(device, 3)?, None),
            Some(second) => {
                // Memory is mapped for both GPUs when it is allocated, which takes some tenths of a second.
                device.reach(second);
                let (near, far) = both(|| side(device, 3), || side(second, 2))?;
                (near, Some(far))
            }
        };
        Ok(Self { near, far, most_decisions: most_decisions.min(most) })
    }

    /// Cells filled so far, counted per item, and bytes of rows and decisions.
    pub fn counts(&self) -> (u64, u64) {
        let far = self.far.as_ref().map_or((0, 0), |far| (far.board.updates, far.board.bytes));
        (self.near.board.updates.saturating_add(far.0), self.near.board.bytes.saturating_add(far.1))
    }

    /// Where the best selection passes between the halves of two or more items; `None` if every selection costs more than
    /// the attempt allows.
    pub fn meet(
        &mut self,
        losses: &Losses,
        target: Target,
        attempt: Attempt,
    ) -> Result<Option<Met>, EngineError> {
        let half = half::<C>(&losses.steps, target);
        let rows = self.rows(&losses.steps, half, target, attempt.limit)?;
        let board = &self.near.board;
        let [front, back] = rows.map(|at| board.row(at));
        let met = join(board.device, front, back, target, losses.price)?;
        let Some((cost, weight)) = met.filter(|&(cost, _)| cost <= attempt.most_cost) else {
            return Ok(None);
        };
        let loss = cost.checked_sub(losses.price * (target.weight - weight));
        let loss = loss.ok_or_else(|| unbelievable("what is left over costs more than all"))?;
        Ok(Some(Met { weight, loss, half, rows }))
    }

    /// The items of the best selection, whose rows are the last that were computed.
    pub fn items(&mut self, steps: &[Step], met: &Met) -> Result<Vec<bool>, EngineError> {
        let whole = Part { items: 0..steps.len(), weight: met.weight, loss: met.loss };
        let mut open = Vec::from(self.parts(steps, &whole, met.half, met.rows)?);
        let mut leaves = Vec::new();
        while let Some(part) = open.pop() {
            let own = &steps[part.items.clone()];
            let target = Target::exactly(part.weight);
            let all = passes::<C>(own, target, 0..own.len());
            let bytes = decision_bytes(&all);
            if own.len() <= 1 || bytes <= self.most_decisions {
                leaves.push((bytes, part));
                continue;
            }
            let half = half::<C>(own, target);
            let rows = self.rows(own, half, target, part.loss)?;
            open.extend(self.parts(steps, &part, half, rows)?);
        }
        // The largest first: so memory is taken once, and two GPUs end at about the same time.
        leaves.sort_by_key(|(bytes, part)| (std::cmp::Reverse(*bytes), part.items.start));
        let next = AtomicUsize::new(0);
        let read = |side: &mut Side<'a, C>| -> Result<Vec<(usize, Vec<bool>)>, EngineError> {
            let mut read = Vec::new();
            while let Some((bytes, part)) = leaves.get(next.fetch_add(1, Ordering::Relaxed)) {
                let taken = side.items(&steps[part.items.clone()], part, *bytes)?;
                read.push((part.items.start, taken));
            }
            Ok(read)
        };
        let Self { near, far, .. } = self;
        let read = match far {
            None => read(near)?,
            Some(far) => {
                let (mut read, others) = both(|| read(near), || read(far))?;
                read.extend(others);
                read
            }
        };
        let mut taken = vec![false; steps.len()];
        for (first, of_part) in read {
            taken[first..first + of_part.len()].copy_from_slice(&of_part);
        }
        Ok(taken)
    }

    /// The rows of both halves on the first GPU: that of the first `half` of the steps, and that of the others backwards.
    fn rows(
        &mut self,
        steps: &[Step],
        half: usize,
        target: Target,
        limit: u64,
    ) -> Result<[usize; 2], EngineError> {
        let backwards: Vec<Step> = steps.iter().rev().copied().collect();
        let count = steps.len() - half;
        let Self { near, far, .. } = self;
        let Some(far) = far else {
            let front = near.sweep(steps, half, target, limit, [0, 1])?;
            let spare = near.board.others(&[front]);
            return Ok([front, near.sweep(&backwards, count, target, limit, [spare[0], spare[1]])?]);
        };
        let (front, back) = both(
            || near.sweep(steps, half, target, limit, [0, 1]),
            || far.sweep(&backwards, count, target, limit, [0, 1]),
        )?;
        let spare = near.board.others(&[front])[0];
        let (device, from) = (near.board.device, (far.board.device, far.board.row(back)));
        exchange(from, (device, near.board.row_mut(spare)))?;
        Ok([front, spare])
    }

    /// The two halves of a part, where their rows meet.
    fn parts(
        &self,
        steps: &[Step],
        whole: &Part,
        half: usize,
        rows: [usize; 2],
    ) -> Result<[Part; 2], EngineError> {
        let Part { ref items, weight, loss } = *whole;
        let own = &steps[items.clone()];
        let weigh = |steps: &[Step]| steps.iter().fold(0, |sum: u64, step| sum.saturating_add(step.weight));
        let from = weight - weigh(&own[half..]).min(weight);
        let end = weight.min(weigh(&own[..half])) + 1;
        let device = self.near.board.device;
        let [front, back] = rows.map(|at| self.near.board.row(at));
        let (least, cell) = meet(device, front, Other::Row(back), weight, from..end)?
            .filter(|&(least, _)| least == loss)
            .ok_or_else(|| unbelievable("two rows do not meet where they must"))?;
        let of_front = front.loss_at(device, cell)?.filter(|&of_front| of_front <= least);
        let of_front = of_front.ok_or_else(|| unbelievable("two rows meet in a dead cell"))?;
        let middle = items.start + half;
        Ok([
            Part { items: items.start..middle, weight: cell, loss: of_front },
            Part { items: middle..items.end, weight: weight - cell, loss: loss - of_front },
        ])
    }
}

impl<C: Cell> Side<'_, C> {
    /// The row after the first `count` of the steps, which is one of these two.
    fn sweep(
        &mut self,
        steps: &[Step],
        count: usize,
        target: Target,
        limit: u64,
        rows: [usize; 2],
    ) -> Result<usize, EngineError> {
        let passes = passes::<C>(steps, target, 0..count);
        let steps = Steps::new(self.board.device, steps)?;
        self.board.start(rows[0])?;
        self.board.sweep(&steps, &passes, limit, rows[0], [rows[1], rows[0]], None)
    }

    /// The items with exactly the part's weight and loss, which is the least for that weight, from decisions of so many
    /// bytes.
    fn items(&mut self, steps: &[Step], part: &Part, bytes: u64) -> Result<Vec<bool>, EngineError> {
        if steps.len() <= 1 {
            return Ok(steps.iter().map(|step| step.weight == part.weight).collect());
        }
        let all = passes::<C>(steps, Target::exactly(part.weight), 0..steps.len());
        // A buffer that is too small is freed before a new one is allocated.
        let kept = self.decisions.take().filter(|kept| kept.bits().len() as u64 >= bytes);
        let mut decisions = match kept {
            Some(kept) => kept,
            None => Decisions::new(self.board.device, bytes)?,
        };
        decisions.clear();
        let on_device = Steps::new(self.board.device, steps)?;
        self.board.start(0)?;
        self.board.sweep(&on_device, &all, part.loss, 0, [1, 0], Some(&mut decisions))?;
        let taken = walk_back(self.board.device, steps, &decisions, part.weight);
        self.decisions = Some(decisions);
        Ok(taken?)
    }
}

/// Works on two GPUs at the same time, on the second one from a thread of its own.
fn both<A, B: Send>(
    first: impl FnOnce() -> Result<A, EngineError>,
    second: impl FnOnce() -> Result<B, EngineError> + Send,
) -> Result<(A, B), EngineError> {
    std::thread::scope(|scope| {
        let second = std::thread::Builder::new().spawn_scoped(scope, second).map_err(|error| {
            EngineError::Failed(format!("the system starts no thread for the second GPU: {error}"))
        })?;
        let first = first();
        let second = second.join().map_err(|_| {
            EngineError::Failed("the thread of the second GPU came to an unexpected end".into())
        })?;
        Ok((first?, second?))
    })
}
