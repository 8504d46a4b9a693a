//! The best selection of one capacity, by sweeps over rows of losses.
//!
//! If one bit per cell and item fits into the GPU's memory, one sweep stores them all and a traceback reads the
//! items. Otherwise the items are halved: a forward sweep over the first half and a backward sweep over the second
//! meet where the best path passes between the halves. Each half is then a separate problem with an exactly known
//! target, half the items and a part of the capacity, and is halved until the bits fit (D. S. Hirschberg, CACM 1975,
//! for another dynamic program). All halvings together cost about as much as the first sweep, and need only three
//! rows.
//!
//! The loss of a half is known, so every cell with a greater loss is dead from then on.

use super::board::{Board, Decisions, Steps};
use super::cell::{Cell, Width};
use super::found::{Found, Options};
use super::knapsack_ends::{Other, meet};
use super::knapsack_walk::walk;
use super::passes::{Pass, Target, passes};
use super::problem::{Losses, Step};
use super::row::Row;
use crate::Answer;
use isx_engine::{Context, EngineError};
use isx_machine::cuda::{Device, DeviceError};
use isx_problems::knapsack::Item;
use isx_problems::value::Tier;
use std::time::{Duration, Instant};

/// The best selection of `items`, of positive weights, within `capacity`. Fails with [`EngineError::Arithmetic`] if
/// the losses exceed 64 bits, [`EngineError::GpuMemory`] if the rows do not fit.
pub fn best(
    device: &Device,
    items: &[Item],
    capacity: u64,
    with_items: bool,
    context: &Context,
    options: &Options,
) -> Result<Found, EngineError> {
    let losses = Losses::of_one_capacity(items, capacity)?.sorted(options.heaviest_first);
    let solve = match losses.width(options.at_least)? {
        Width::W16 => solve::<u16>,
        Width::W32 => solve::<u32>,
        Width::W64 => solve::<u64>,
    };
    let (path, mut found) = solve(device, &losses, with_items, context, options)?;
    let forced = losses.forced.iter().map(|&index| &items[index as usize]);
    let weight = path.weight + forced.map(|item| item.weight).sum::<u64>();
    let profit = i128::from(losses.price)
        .checked_mul(path.weight.into())
        .and_then(|paid| paid.checked_add(losses.worth)?.checked_sub(path.loss.into()))
        .ok_or(EngineError::Arithmetic(Tier::I128))?;
    (found.weights, found.profits) = (vec![weight], vec![profit]);
    if let Some(taken) = path.taken {
        let chosen = chosen(&losses, &taken);
        checked(items, &chosen, weight, profit)?;
        found.picks = Answer::one_selection(chosen);
    }
    Ok(found)
}

/// The items taken, including the forced ones.
fn chosen(losses: &Losses, taken: &[bool]) -> Vec<u32> {
    let open = losses.origin.iter().zip(taken).filter(|&(_, &taken)| taken).map(|(&index, _)| index);
    let mut chosen: Vec<u32> = losses.forced.iter().copied().chain(open).collect();
    chosen.sort_unstable();
    chosen
}

/// Checks that the items have the weight and profit found in the rows.
fn checked(items: &[Item], chosen: &[u32], weight: u64, profit: i128) -> Result<(), EngineError> {
    let of = chosen.iter().map(|&index| &items[index as usize]);
    let weighs: u128 = of.clone().map(|item| u128::from(item.weight)).sum();
    let brings = of.map(|item| item.profit).try_fold(0i128, i128::checked_add);
    if weighs == u128::from(weight) && brings == Some(profit) {
        return Ok(());
    }
    Err(EngineError::Failed("the GPU's items are not worth what its rows say; they were thrown away".into()))
}

/// The best selection in terms of losses.
#[derive(Default)]
struct Path {
    weight: u64,
    loss: u64,
    taken: Option<Vec<bool>>,
}

/// Sweeps on one board.
struct Sweeps<'a, C> {
    board: Board<'a, C>,
    decisions: Option<Decisions>,
    most_decisions: u64,
}

fn solve<C: Cell>(
    device: &Device,
    losses: &Losses,
    with_items: bool,
    context: &Context,
    options: &Options,
) -> Result<(Path, Found), EngineError> {
    let started = Instant::now();
    let steps = &losses.steps[..];
    let found = Found {
        weights: Vec::new(),
        profits: Vec::new(),
        picks: None,
        width: C::WIDTH,
        updates: 0,
        bytes: 0,
        solve: Duration::ZERO,
        traceback: Duration::ZERO,
    };
    if steps.is_empty() {
        return Ok((Path { taken: with_items.then(Vec::new), ..Path::default() }, found));
    }
    context.progress.begin("solving", steps.len() as u64);
    let target = Target { weight: losses.capacity, slack: losses.slack };
    let all = passes::<C>(steps, target, 0..steps.len());
    let row = Row::<C>::bytes(target.blocks());
    let bits = decision_bytes(&all);
    let free = device.usable_memory()?;
    let most_decisions = options.most_decisions.min(free.saturating_sub(row.saturating_mul(2)));
    let at_once = !with_items || bits <= most_decisions;
    let rows = if at_once { 2 } else { 3 };
    let mut sweeps = Sweeps {
        board: Board::<C>::new(device, context, rows, target.blocks())?,
        decisions: None,
        most_decisions: options.most_decisions.min(free.saturating_sub(row.saturating_mul(rows as u64))),
    };
    let (weight, loss, taken, solve);
    if at_once {
        let decided = with_items.then(|| Decisions::new(device, bits)).transpose()?;
        (weight, loss, sweeps.decisions) = sweeps.forward(losses, target, &all, decided)?;
        solve = started.elapsed();
        taken = sweeps.decisions.as_ref().map(|bits| walk_back(device, steps, bits, weight)).transpose()?;
    } else {
        let half = half_of_the_work(&all);
        let middle;
        (weight, loss, middle) = sweeps.forward_keeping_half(losses, target, half)?;
        solve = started.elapsed();
        taken = Some(sweeps.both_halves(steps, half, weight, loss, middle)?);
    }
    let Board { updates, bytes, .. } = sweeps.board;
    let traceback = started.elapsed() - solve;
    Ok((Path { weight, loss, taken }, Found { updates, bytes, solve, traceback, ..found }))
}

/// Bytes of all decisions.
fn decision_bytes(passes: &[Pass]) -> u64 {
    passes.iter().fold(0, |sum: u64, pass| sum.saturating_add(pass.decision_bytes()))
}

/// The item at which half of the work is done; neither the first nor the end if there are two or more.
fn half_of_the_work(passes: &[Pass]) -> usize {
    let of = |pass: &Pass| pass.updates();
    let all: u64 = passes.iter().fold(0, |sum: u64, pass| sum.saturating_add(of(pass)));
    let (first, end) =
        (passes.first().map_or(0, |pass| pass.items.start), passes.last().map_or(0, |pass| pass.items.end));
    let mut done = 0u64;
    for pass in passes {
        done = done.saturating_add(of(pass));
        if done >= all / 2 {
            return pass.items.end.min(end.saturating_sub(1)).max(first + 1);
        }
    }
    end
}

/// The items of a live cell of the last row.
fn walk_back(
    device: &Device,
    steps: &[Step],
    decisions: &Decisions,
    cell: u64,
) -> Result<Vec<bool>, DeviceError> {
    let weights: Vec<u64> = steps.iter().map(|step| step.weight).collect();
    walk(device, decisions.bits(), &decisions.offsets, &weights, cell)
}

/// The error for rows that should meet but do not.
fn unbelievable(why: &str) -> EngineError {
    DeviceError::Unbelievable { kernel: "knapsack", why: why.into() }.into()
}

impl<C: Cell> Sweeps<'_, C> {
    /// The best weight and its loss after all passes from an empty row 0, and the decisions if requested.
    fn forward(
        &mut self,
        losses: &Losses,
        target: Target,
        passes: &[Pass],
        mut decisions: Option<Decisions>,
    ) -> Result<(u64, u64, Option<Decisions>), EngineError> {
        let steps = Steps::new(self.board.device, &losses.steps)?;
        self.board.start(0)?;
        let end = self.board.sweep(&steps, passes, losses.limit, 0, [1, 0], decisions.as_mut())?;
        let (weight, loss) = self.best_end(end, losses.price, target)?;
        Ok((weight, loss, decisions))
    }

    /// As `forward`, but also stores the row after the first `half` items; the answer names that row.
    fn forward_keeping_half(
        &mut self,
        losses: &Losses,
        target: Target,
        half: usize,
    ) -> Result<(u64, u64, usize), EngineError> {
        let steps = Steps::new(self.board.device, &losses.steps)?;
        let count = losses.steps.len();
        self.board.start(0)?;
        let first = passes::<C>(&losses.steps, target, 0..half);
        let middle = self.board.sweep(&steps, &first, losses.limit, 0, [1, 0], None)?;
        let second = passes::<C>(&losses.steps, target, half..count);
        let spare = self.board.others(&[middle]);
        let end = self.board.sweep(&steps, &second, losses.limit, middle, [spare[0], spare[1]], None)?;
        let (weight, loss) = self.best_end(end, losses.price, target)?;
        Ok((weight, loss, middle))
    }

    /// The least weight that minimizes loss plus price of the unused capacity, and the loss there.
    fn best_end(&self, row: usize, price: u64, target: Target) -> Result<(u64, u64), EngineError> {
        let from = target.weight - target.slack;
        let row = self.board.row(row);
        let least = |end: u64| meet(self.board.device, row, Other::Slack(price), target.weight, from..end);
        let (cost, mut weight) = least(target.weight + 1)?
            .ok_or_else(|| unbelievable("no selection is as good as one that is known"))?;
        // The kernel returns any of several such cells.
        while weight > from
            && let Some((_, lighter)) = least(weight)?.filter(|&(other, _)| other == cost)
        {
            weight = lighter;
        }
        let left_over = price * (target.weight - weight);
        let loss = cost.checked_sub(left_over);
        Ok((weight, loss.ok_or_else(|| unbelievable("what is left over costs more than all"))?))
    }

    /// The items of both halves; the row of the first half is already computed.
    fn both_halves(
        &mut self,
        steps: &[Step],
        half: usize,
        weight: u64,
        loss: u64,
        front: usize,
    ) -> Result<Vec<bool>, EngineError> {
        let target = Target::exactly(weight);
        let mut backwards = steps.to_vec();
        backwards.reverse();
        let back = passes::<C>(&backwards, target, 0..steps.len() - half);
        let on_device = Steps::new(self.board.device, &backwards)?;
        let spare = self.board.others(&[front]);
        self.board.start(spare[0])?;
        let back = self.board.sweep(&on_device, &back, loss, spare[0], [spare[1], spare[0]], None)?;
        let weigh = |steps: &[Step]| steps.iter().fold(0, |sum: u64, step| sum.saturating_add(step.weight));
        let from = weight - weigh(&steps[half..]).min(weight);
        let end = weight.min(weigh(&steps[..half])) + 1;
        let (front, back) = (self.board.row(front), self.board.row(back));
        let device = self.board.device;
        let (least, cell) = meet(device, front, Other::Row(back), weight, from..end)?
            .filter(|&(least, _)| least == loss)
            .ok_or_else(|| unbelievable("two rows do not meet where they must"))?;
        let of_front = front.loss_at(device, cell)?.filter(|&of_front| of_front <= least);
        let of_front = of_front.ok_or_else(|| unbelievable("two rows meet in a dead cell"))?;
        let mut taken = self.items(&steps[..half], cell, of_front)?;
        taken.extend(self.items(&steps[half..], weight - cell, loss - of_front)?);
        Ok(taken)
    }

    /// The items with exactly this weight and this loss, which is the least for that weight.
    fn items(&mut self, steps: &[Step], weight: u64, loss: u64) -> Result<Vec<bool>, EngineError> {
        if steps.len() <= 1 {
            return Ok(steps.iter().map(|step| step.weight == weight).collect());
        }
        let target = Target::exactly(weight);
        let all = passes::<C>(steps, target, 0..steps.len());
        if decision_bytes(&all) > self.most_decisions {
            let half = half_of_the_work(&all);
            let on_device = Steps::new(self.board.device, steps)?;
            self.board.start(0)?;
            let first = passes::<C>(steps, target, 0..half);
            let front = self.board.sweep(&on_device, &first, loss, 0, [1, 0], None)?;
            return self.both_halves(steps, half, weight, loss, front);
        }
        // A buffer that is too small is freed before a new one is allocated.
        let kept = self.decisions.take().filter(|kept| kept.bits().len() as u64 >= decision_bytes(&all));
        let mut decisions = match kept {
            Some(kept) => kept,
            None => Decisions::new(self.board.device, decision_bytes(&all))?,
        };
        decisions.clear();
        let on_device = Steps::new(self.board.device, steps)?;
        self.board.start(0)?;
        self.board.sweep(&on_device, &all, loss, 0, [1, 0], Some(&mut decisions))?;
        let taken = walk_back(self.board.device, steps, &decisions, weight);
        self.decisions = Some(decisions);
        Ok(taken?)
    }
}
