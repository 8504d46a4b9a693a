//! The engine: what it expects to need, and its answers in the family's terms.

use super::best::{Best, Options, best, width};
use super::cell::{BLOCK_CELLS, Width};
use super::front::{Front, decision_bytes, front};
use super::losses::Losses;
use super::row::row_bytes;
use crate::engine::knapsack::answer::Answer;
use crate::engine::knapsack::{Knapsack, Wanted};
use crate::engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use crate::machine::cuda::{Device, DeviceInfo, Gpu};
use crate::problem::value::{Stored, Tier, Values};
use crate::reduce::knapsack::Reduced;
use num_bigint::BigInt;
use std::sync::Arc;

/// The CUDA engine: rows of losses for "weight exactly j" on an NVIDIA GPU.
pub struct Cuda;

/// Bytes of rows a second for every multiprocessor.
const BYTES_A_SECOND: f64 = 2.5e10;
/// Seconds of a launch and the clearing of marks before it.
const LAUNCH: f64 = 7e-6;
/// Bytes a second to the host.
const TRANSFER: f64 = 1.0e10;
/// Rows held at once where decisions of all items do not fit the memory.
const ROWS: u64 = 3;

impl Engine<Knapsack> for Cuda {
    /// From the GPU's multiprocessors, and a third of a second to start it up if that has not happened yet; no context
    /// is made for it. `bytes` counts what lands in the host's memory.
    fn plan<'a>(&'a self, request: Request<'a, Knapsack>) -> Result<Plan<'a, Knapsack>, EngineError> {
        let Request { problem, wanted, context } = request;
        let machine = context.machine;
        let gpu = machine.gpu();
        let estimate = estimate(gpu, gpu.info()?, problem, wanted)?;
        machine.allow(estimate.bytes)?;
        Ok(Plan::new(estimate, move || {
            let device = gpu.device()?;
            let answer = solve(device, problem, wanted, context)?;
            context.go_on()?;
            Ok(answer)
        }))
    }
}

fn estimate(
    gpu: &Gpu,
    info: &DeviceInfo,
    problem: &Reduced,
    wanted: Wanted,
) -> Result<Estimate, EngineError> {
    let one = matches!(wanted, Wanted::Value | Wanted::Best);
    let losses = if one { Losses::of_one_capacity } else { Losses::of_all_capacities };
    let losses = losses(&problem.items, problem.capacity)?;
    let width = width(&losses, Width::W16)?;
    let cells = losses.capacity.saturating_add(1);
    let rows = row_bytes(cells / BLOCK_CELLS + 1, width);
    let least = rows.saturating_mul(if wanted == Wanted::Best { ROWS } else { 2 });
    let fits_with_decisions = wanted == Wanted::Best && rows.saturating_mul(2) < info.memory;
    if least > info.memory && !fits_with_decisions {
        return Err(EngineError::GpuMemory { needed: least, free: info.memory });
    }
    let (profits, picks) = match wanted {
        Wanted::Value | Wanted::Best => (0, 0),
        Wanted::AllValues => (cells.saturating_mul(48), 0),
        Wanted::AllPicks => (cells.saturating_mul(48), decision_bytes(losses.steps.len(), cells)),
    };
    let back = if one { 0 } else { rows };
    let bytes = profits.saturating_add(picks).saturating_add(back);
    let sweeps = if wanted == Wanted::Best { 2.5 } else { 1.0 };
    let items = losses.steps.len() as f64;
    let rate = BYTES_A_SECOND * info.multiprocessors.max(1) as f64;
    let seconds = sweeps * items * (3.0 * rows as f64 / rate + LAUNCH) + bytes as f64 / TRANSFER;
    Ok(Estimate { seconds: gpu.seconds_to_start() + seconds, bytes })
}

fn solve(
    device: &Device,
    problem: &Reduced,
    wanted: Wanted,
    context: &Context,
) -> Result<Answer, EngineError> {
    let Reduced { items, capacity, .. } = problem;
    let options = Options::default();
    match wanted {
        Wanted::Value | Wanted::Best => {
            let best = best(device, items, *capacity, wanted.picks(), context, &options)?;
            one_point(device, problem, best)
        }
        Wanted::AllValues | Wanted::AllPicks => {
            all_points(device, problem, front(device, items, *capacity, wanted.picks(), context, &options)?)
        }
    }
}

/// The best of one capacity as an answer.
fn one_point(device: &Device, problem: &Reduced, best: Best) -> Result<Answer, EngineError> {
    let Best { weight, profit, chosen, width, updates, solve, traceback, .. } = best;
    Ok(Answer {
        weights: vec![weight],
        profits: stored(problem.tier, vec![profit])?,
        picks: chosen.map(|chosen| Arc::new(vec![chosen]) as _),
        how: how(device, width),
        threads: 1,
        updates,
        solve,
        traceback,
    })
}

/// A front as an answer.
fn all_points(device: &Device, problem: &Reduced, front: Front) -> Result<Answer, EngineError> {
    let Front { weights, profits, picks, width, updates, solve, traceback, .. } = front;
    let profits = stored(problem.tier, profits)?;
    Ok(Answer { weights, profits, picks, how: how(device, width), threads: 1, updates, solve, traceback })
}

fn how(device: &Device, width: Width) -> String {
    format!("{}, losses of {} bits", device.info().name, width.bytes() * 8)
}

/// Profits in the problem's tier.
fn stored(tier: Tier, profits: Vec<i128>) -> Result<Values, EngineError> {
    fn narrow<V: Stored + TryFrom<i128>>(profits: Vec<i128>) -> Option<Values> {
        let narrowed: Option<Vec<V>> = profits.into_iter().map(|profit| V::try_from(profit).ok()).collect();
        narrowed.map(V::store)
    }
    let values = match tier {
        Tier::I32 => narrow::<i32>(profits),
        Tier::I64 => narrow::<i64>(profits),
        Tier::I128 => narrow::<i128>(profits),
        Tier::Big => narrow::<BigInt>(profits),
    };
    values.ok_or_else(|| EngineError::Failed("a profit is wider than the sum of all".into()))
}
