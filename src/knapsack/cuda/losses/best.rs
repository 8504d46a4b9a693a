//! The best selection of one capacity, by sweeps over rows of losses.
//!
//! If one bit per cell and item takes no more than the limit, and fits into the GPU's memory, one sweep stores them all and
//! a traceback reads the items. Otherwise, and for the value alone on two GPUs, the items are halved (`halves.rs`).

use super::board::{Board, Decisions, Steps};
use super::cell::{Cell, in_cells};
use super::found::{Found, Options};
use super::halves::{Halves, decision_bytes, unbelievable, walk_back};
use super::knapsack_ends::{Other, meet};
use super::passes::{Target, passes};
use super::problem::{Attempt, Losses};
use super::row::Row;
use crate::Answer;
use isx_engine::{Context, EngineError};
use isx_machine::cuda::Device;
use isx_problems::knapsack::Item;
use isx_problems::value::Tier;
use std::time::Instant;

/// The best selection of `items`, of positive weights, within `capacity`, on one GPU or on two, which may be the same twice.
/// Fails with [`EngineError::Arithmetic`] if the losses exceed 64 bits, [`EngineError::GpuMemory`] if the rows do not fit.
pub fn best(
    device: &Device,
    second: Option<&Device>,
    items: &[Item],
    capacity: u64,
    with_items: bool,
    context: &Context,
    options: &Options,
) -> Result<Found, EngineError> {
    let losses = Losses::of_one_capacity(items, capacity)?.sorted(options.heaviest_first);
    let started = Instant::now();
    let (path, mut found) = losses
        .attempts(options.at_least)?
        .into_iter()
        .find_map(|attempt| {
            let known = (&losses, attempt, started);
            in_cells!(attempt.width, solve(device, second, known, with_items, context, options)).transpose()
        })
        .unwrap_or_else(|| Err(unbelievable("no selection is as good as one that is known")))?;
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
    Err(EngineError::Failed(
        "the items read from the GPU do not have the weight and profit of its rows; they were discarded"
            .into(),
    ))
}

/// The best selection in terms of losses.
#[derive(Default)]
struct Path {
    weight: u64,
    loss: u64,
    taken: Option<Vec<bool>>,
}

/// `None` if every selection costs more than the attempt allows.
fn solve<C: Cell>(
    device: &Device,
    second: Option<&Device>,
    (losses, attempt, started): (&Losses, Attempt, Instant),
    with_items: bool,
    context: &Context,
    options: &Options,
) -> Result<Option<(Path, Found)>, EngineError> {
    let steps = &losses.steps[..];
    let found = Found::new(C::WIDTH);
    if steps.is_empty() {
        return Ok(Some((Path { taken: with_items.then(Vec::new), ..Path::default() }, found)));
    }
    context.progress.begin("solving", steps.len() as u64);
    let target = Target { weight: losses.capacity, slack: losses.slack };
    let all = passes::<C>(steps, target, 0..steps.len());
    let bits = decision_bytes(&all);
    let two_rows = Row::<C>::bytes(target.blocks()).saturating_mul(2);
    let most_decisions = options.most_decisions.min(device.usable_memory()?.saturating_sub(two_rows));
    let is_whole = if with_items { bits <= most_decisions } else { second.is_none() };
    let (weight, loss, taken, solve, updates, bytes);
    if is_whole || steps.len() < 2 {
        let mut board = Board::<C>::new(device, context, 2, target.blocks())?;
        let mut decided = (with_items && is_whole).then(|| Decisions::new(device, bits)).transpose()?;
        let on_device = Steps::new(device, steps)?;
        board.start(0)?;
        let end = board.sweep(&on_device, &all, attempt.limit, 0, [1, 0], decided.as_mut())?;
        let best = best_end(&board, end, losses.price, target)?;
        let Some(least) = best.filter(|least| least.cost <= attempt.most_cost) else { return Ok(None) };
        (weight, loss) = (least.weight, least.loss);
        solve = started.elapsed();
        taken = match &decided {
            Some(bits) => Some(walk_back(device, steps, bits, weight)?),
            None => with_items.then(|| steps.iter().map(|step| step.weight == weight).collect()),
        };
        (updates, bytes) = (board.updates, board.bytes);
    } else {
        let mut halves = Halves::<C>::new(device, second, context, target.blocks(), options.most_decisions)?;
        let Some(met) = halves.meet(losses, target, attempt)? else { return Ok(None) };
        (weight, loss) = (met.weight, met.loss);
        solve = started.elapsed();
        taken = with_items.then(|| halves.items(steps, &met)).transpose()?;
        (updates, bytes) = halves.counts();
    }
    let traceback = started.elapsed() - solve;
    Ok(Some((Path { weight, loss, taken }, Found { updates, bytes, solve, traceback, ..found })))
}

/// A best selection: its loss, and that together with the price of the unused capacity.
struct Least {
    weight: u64,
    loss: u64,
    cost: u64,
}

/// The least weight that minimizes the cost; `None` if all cells are dead.
fn best_end<C: Cell>(
    board: &Board<'_, C>,
    row: usize,
    price: u64,
    target: Target,
) -> Result<Option<Least>, EngineError> {
    let from = target.weight - target.slack;
    let row = board.row(row);
    let least = |end: u64| meet(board.device, row, Other::Slack(price), target.weight, from..end);
    let Some((cost, mut weight)) = least(target.weight + 1)? else { return Ok(None) };
    // The kernel returns any of several such cells.
    while weight > from
        && let Some((_, lighter)) = least(weight)?.filter(|&(other, _)| other == cost)
    {
        weight = lighter;
    }
    let left_over = price * (target.weight - weight);
    let loss = cost.checked_sub(left_over);
    let loss = loss.ok_or_else(|| unbelievable("the unused capacity costs more than the whole selection"))?;
    Ok(Some(Least { weight, loss, cost }))
}
