//! The engine `cuda`: rows of losses relative to a price of weight. Its estimates, and its answers in the family's
//! format.

mod best;
mod board;
mod cell;
mod effort;
mod found;
mod front;
mod halves;
mod knapsack_ends;
mod knapsack_exchange;
mod knapsack_join;
mod knapsack_step;
mod knapsack_tile;
mod knapsack_walk;
mod passes;
mod problem;
mod row;
mod toward;

pub use best::best;
pub use cell::Width;
pub use found::{Found, Options};
pub use front::front;

use crate::answer::Answer;
use crate::{Knapsack, Wanted};
use cell::{BLOCK_CELLS, in_cells};
use effort::{Effort, of_steps};
use front::decision_bytes;
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_machine::Machine;
use isx_machine::cuda::{Alone, Device, DeviceInfo, Gpu};
use isx_machine::rates;
use isx_problems::reduce::knapsack::Reduced;
use isx_problems::value::Values;
use passes::Target;
use problem::Losses;
use row::row_bytes;
use std::cmp::Ordering;

/// The CUDA engine: rows of losses for "weight exactly j" on an NVIDIA GPU, swept so.
pub struct Cuda(pub Options);

/// Rows in memory at the same time if the decisions of all items do not fit.
const ROWS: u64 = 3;

impl Engine<Knapsack> for Cuda {
    /// Estimated from the GPU's multiprocessors, plus a third of a second if it has not started yet; no context is
    /// created. `bytes` counts what is stored in the host's memory.
    fn plan<'a>(&'a self, request: Request<'a, Knapsack>) -> Result<Plan<'a, Knapsack>, EngineError> {
        let Request { problem, wanted, context } = request;
        let machine = context.machine;
        let gpu = machine.gpu();
        let second = machine.gpus().nth(1);
        if let Some(second) = second {
            second.info()?;
        }
        let estimate = estimate(machine, gpu.info()?, problem, wanted, &self.0)?;
        machine.allow(estimate.bytes)?;
        Ok(Plan::new(estimate, move || {
            let opened = Opened::new(gpu, second.map(AsRef::as_ref))?;
            let answer = solve(&opened, problem, wanted, context, &self.0)?;
            context.go_on()?;
            Ok(answer)
        }))
    }
}

/// One GPU or two.
struct Opened<'a> {
    first: Alone<'a>,
    /// Not for a GPU that is named twice, which cannot be waited for twice.
    second: Option<Alone<'a>>,
    is_twice: bool,
}

impl<'a> Opened<'a> {
    /// Waits for the GPUs in the order of their numbers, so that two problems never wait for each other.
    fn new(gpu: &'a Gpu, second: Option<&'a Gpu>) -> Result<Self, EngineError> {
        let Some(second) = second else {
            return Ok(Self { first: gpu.alone()?, second: None, is_twice: false });
        };
        let (first, second) = match gpu.ordinal().cmp(&second.ordinal()) {
            Ordering::Less => (gpu.alone()?, Some(second.alone()?)),
            Ordering::Equal => (gpu.alone()?, None),
            Ordering::Greater => {
                let second = second.alone()?;
                (gpu.alone()?, Some(second))
            }
        };
        let is_twice = second.is_none();
        Ok(Self { first, second, is_twice })
    }

    fn second(&self) -> Option<&Device> {
        let twice: Option<&Device> = self.is_twice.then_some(&self.first);
        twice.or(self.second.as_deref())
    }
}

fn estimate(
    machine: &Machine,
    info: &DeviceInfo,
    problem: &Reduced,
    wanted: Wanted,
    options: &Options,
) -> Result<Estimate, EngineError> {
    let one = wanted.is_one_capacity();
    let losses = if one { Losses::of_one_capacity } else { Losses::of_all_capacities };
    let losses = losses(&problem.items, problem.capacity)?.sorted(options.heaviest_first);
    let width = losses.width(options.at_least)?;
    let first = if one { losses.attempts(options.at_least)?[0].width } else { width };
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
    let decisions = decision_bytes(losses.steps.len(), cells);
    // If not all decisions fit, the items are halved; so they are for two GPUs.
    let room = options.most_decisions.min(info.memory.saturating_sub(rows.saturating_mul(2)));
    let two = machine.gpus().nth(1).is_some();
    let halved = match wanted {
        Wanted::Best => decisions > room,
        Wanted::Value => two,
        Wanted::AllValues | Wanted::AllPicks => false,
    };
    let sweeps = match wanted {
        // Blocks that are dead because of losses are not foreseen.
        _ if halved && two => 0.08,
        _ if halved => 0.12,
        Wanted::Best | Wanted::AllPicks => 1.2,
        Wanted::Value | Wanted::AllValues => 1.0,
    };
    let Effort { bytes: swept, launches, live } = sweep_effort(&losses, first, halved);
    // A best selection's end is looked for before the way back begins.
    let (trips, steps) = if wanted == Wanted::Best { (2.0, losses.steps.len()) } else { (1.0, 0) };
    let seconds = trips * rates::GPU_ROUND_TRIP
        + sweeps * swept as f64 * rates::KNAPSACK_GPU_BYTE / info.multiprocessors.max(1) as f64
        + launches as f64 * rates::KNAPSACK_GPU_LAUNCH
        + steps as f64 * rates::KNAPSACK_GPU_STEP
        + if one { 0.0 } else { live as f64 * rates::KNAPSACK_GPU_POINT }
        + picks as f64 * rates::GPU_TO_HOST;
    Ok(Estimate { seconds: machine.seconds_to_start_gpu() + seconds, bytes })
}

/// The effort of one sweep over all items, or of two that meet.
fn sweep_effort(losses: &Losses, width: Width, halved: bool) -> Effort {
    let target = Target { weight: losses.capacity, slack: losses.slack };
    in_cells!(width, of_steps(&losses.steps, target, halved))
}

fn solve(
    opened: &Opened<'_>,
    problem: &Reduced,
    wanted: Wanted,
    context: &Context,
    options: &Options,
) -> Result<Answer, EngineError> {
    let Reduced { items, capacity, .. } = problem;
    let (device, second) = (&*opened.first, opened.second());
    let found = match wanted.is_one_capacity() {
        true => best(device, second, items, *capacity, wanted.picks(), context, options)?,
        false => front(device, items, *capacity, wanted.picks(), context, options)?,
    };
    let how = format!("{}, losses of {} bits", device.info().name, found.width.bytes() * 8);
    let Found { weights, profits, picks, updates, solve, traceback, .. } = found;
    let profits = Values::I128(profits);
    Ok(Answer { weights, profits, picks, how, threads: 1, updates, solve, traceback })
}
