//! The best selection by halves of the items, on one GPU or on two.
//!
//! A forward sweep over the first half and a backward sweep over the second meet within the capacity: there the least cost
//! and its weight are found, and with them how much of it the first half has. Each half is then a problem of its own with an
//! exactly known weight and loss, and is halved again until the decisions of its items are few enough to be stored, so that
//! the items can be read from them (D. S. Hirschberg, CACM 1975, for another dynamic program). All halvings together cost
//! about as much as the first.
//!
//! Of two GPUs each sweeps over one of the halves, and the row with fewer live cells is copied to the other GPU, where they
//! meet: one exchange for each halving. What need not be halved any more is divided among both. One GPU and two halve alike
//! (`toward.rs`), so that they find the same items.
//!
//! The loss of a half is known, so every cell with a greater loss is dead from then on.

use super::board::{Board, Decisions, Steps};
use super::cell::Cell;
use super::knapsack_ends::{Other, meet};
use super::knapsack_exchange::{exchange, live_blocks};
use super::knapsack_join::join;
use super::knapsack_walk::walk;
use super::passes::{Pass, Target, passes};
use super::problem::{Attempt, Losses, Step};
use super::row::Row;
use super::toward::Toward;
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

/// Two sweeps that meet.
pub(super) struct Met {
    /// The weight of the best selection,
    pub weight: u64,
    /// and its loss.
    pub loss: u64,
    meeting: Meeting,
}

/// Where two sweeps meet.
struct Meeting {
    /// The items before this one were swept forwards.
    half: usize,
    /// Whether the rows are those of the second GPU.
    is_far: bool,
    /// The rows of both sweeps.
    rows: [usize; 2],
}

/// One of two sweeps that go towards each other.
struct Way<'s> {
    /// The first or the second.
    sweep: usize,
    steps: Steps<'s>,
    passes: Vec<Pass>,
    /// Its row,
    at: usize,
    /// and the live blocks of that.
    live: u64,
}

/// A GPU, its three rows, and memory for decisions.
struct Side<'a, C> {
    board: Board<'a, C>,
    decisions: Option<Decisions>,
}

/// Rows of a GPU: those of two sweeps, and one more.
const ROWS: u64 = 3;

/// Sweeps over halves.
pub(super) struct Halves<'a, C> {
    /// The first GPU,
    near: Side<'a, C>,
    /// and the second.
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
            None => left(device, ROWS)?,
            Some(second) if second.info().ordinal == device.info().ordinal => left(device, 2 * ROWS)? / 2,
            Some(second) => left(device, ROWS)?.min(left(second, ROWS)?),
        };
        let side = |device| -> Result<Side<'a, C>, EngineError> {
            Ok(Side { board: Board::new(device, context, ROWS as usize, blocks)?, decisions: None })
        };
        let (near, far) = match second {
            None => (side(device)?, None),
            Some(second) => {
                // Memory is mapped for both GPUs when it is allocated, which takes some tenths of a second.
                device.reach(second);
                let (near, far) = both(|| side(device), || side(second))?;
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
        let meeting = self.sweeps(&losses.steps, target, attempt.limit)?;
        let (device, [front, back]) = self.rows(&meeting);
        let met = join(device, front, back, target, losses.price)?;
        let Some((cost, weight)) = met.filter(|&(cost, _)| cost <= attempt.most_cost) else {
            return Ok(None);
        };
        let loss = cost.checked_sub(losses.price * (target.weight - weight));
        let loss =
            loss.ok_or_else(|| unbelievable("the unused capacity costs more than the whole selection"))?;
        Ok(Some(Met { weight, loss, meeting }))
    }

    /// The items of the best selection, whose rows are the last that were computed.
    pub fn items(&mut self, steps: &[Step], met: &Met) -> Result<Vec<bool>, EngineError> {
        let whole = Part { items: 0..steps.len(), weight: met.weight, loss: met.loss };
        let mut open = Vec::from(self.parts(steps, &whole, &met.meeting)?);
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
            let meeting = self.sweeps(own, target, part.loss)?;
            open.extend(self.parts(steps, &part, &meeting)?);
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

    /// Sweeps over the items from both ends until the sweeps meet, and brings their rows together.
    fn sweeps(&mut self, steps: &[Step], target: Target, limit: u64) -> Result<Meeting, EngineError> {
        let backwards: Vec<Step> = steps.iter().rev().copied().collect();
        let toward = Toward::new(steps.len());
        let Self { near, far, .. } = self;
        let mut front = near.way(0, steps, target, 0)?;
        let Some(far) = far else {
            let mut ways = [front, near.way(1, &backwards, target, 1)?];
            let mut spare = 2;
            while let Some(next) = toward.next() {
                near.go(&mut ways[next], &toward, limit, &mut spare)?;
            }
            return Ok(Meeting { half: toward.half(), is_far: false, rows: ways.map(|way| way.at) });
        };
        let mut back = far.way(1, &backwards, target, 0)?;
        both(|| near.go_to_end(&mut front, &toward, limit), || far.go_to_end(&mut back, &toward, limit))?;
        let is_far = front.live < back.live;
        let (sent, kept) = if is_far { (front, back.at) } else { (back, front.at) };
        let (from, to) = if is_far { (near, far) } else { (far, near) };
        let copy = to.board.others(&[kept])[0];
        let place = (to.board.device, to.board.row_mut(copy));
        exchange((from.board.device, from.board.row(sent.at)), place, sent.live)?;
        let rows = if is_far { [copy, kept] } else { [kept, copy] };
        Ok(Meeting { half: toward.half(), is_far, rows })
    }

    /// The GPU where two sweeps meet, and their rows.
    fn rows(&self, meeting: &Meeting) -> (&'a Device, [&Row<C>; 2]) {
        let side = self.far.as_ref().filter(|_| meeting.is_far).unwrap_or(&self.near);
        (side.board.device, meeting.rows.map(|at| side.board.row(at)))
    }

    /// The two halves of a part, where their rows meet.
    fn parts(&self, steps: &[Step], whole: &Part, meeting: &Meeting) -> Result<[Part; 2], EngineError> {
        let Part { ref items, weight, loss } = *whole;
        let (own, half) = (&steps[items.clone()], meeting.half);
        let weigh = |steps: &[Step]| steps.iter().fold(0, |sum: u64, step| sum.saturating_add(step.weight));
        let from = weight - weigh(&own[half..]).min(weight);
        let end = weight.min(weigh(&own[..half])) + 1;
        let (device, [front, back]) = self.rows(meeting);
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
    /// A sweep over these steps that has not begun, with this row.
    fn way<'s>(
        &mut self,
        sweep: usize,
        steps: &'s [Step],
        target: Target,
        at: usize,
    ) -> Result<Way<'s>, EngineError> {
        let passes = passes::<C>(steps, target, 0..steps.len());
        self.board.start(at)?;
        Ok(Way { sweep, steps: Steps::new(self.board.device, steps)?, passes, at, live: 1 })
    }

    /// Makes some passes of a sweep; `false` if there are none left. `spare` names a row that is free, before and after.
    fn go(
        &mut self,
        way: &mut Way<'_>,
        toward: &Toward,
        limit: u64,
        spare: &mut usize,
    ) -> Result<bool, EngineError> {
        let taken = toward.take::<C>(way.sweep, &way.passes, way.live);
        if taken.is_empty() {
            return Ok(false);
        }
        for pass in &taken {
            self.board.pass(&way.steps, pass, limit, way.at, *spare, None)?;
            std::mem::swap(&mut way.at, spare);
        }
        way.live = live_blocks(self.board.device, self.board.row(way.at))?;
        Ok(true)
    }

    /// Makes all passes of a sweep until it meets the other one, on another GPU.
    fn go_to_end(&mut self, way: &mut Way<'_>, toward: &Toward, limit: u64) -> Result<(), EngineError> {
        let mut spare = self.board.others(&[way.at])[0];
        let unless_it_ends = toward.fail_on_drop();
        while self.go(way, toward, limit, &mut spare)? {}
        std::mem::forget(unless_it_ends);
        Ok(())
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
            EngineError::Failed(format!("the system cannot start a thread for the second GPU: {error}"))
        })?;
        let first = first();
        let second = second
            .join()
            .map_err(|_| EngineError::Failed("the thread of the second GPU ended unexpectedly".into()))?;
        Ok((first?, second?))
    })
}
