//! The dense dynamic program on an NVIDIA GPU, with nothing but a driver installed: Lemos's scheme, and two items a pass.
//!
//! `kernels/multidim/` hold the kernels; each has its binding here under the same stem. `lemos` and `pairs` lay
//! the problems of a batch out, launch, and bring the answers back.

mod cell;
mod lemos;
mod multidim_lemos;
mod multidim_pairs;
mod pairs;

use super::answer::{Answer, Best};
use super::{Batch, Layers, Multidim};
use cell::Cell;
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_machine::cuda::{DeviceError, DeviceInfo, Gpu};
use isx_problems::reduce::multidim::Reduced;
use isx_problems::value::Tier;

/// Lemos's scheme: one launch an item over all problems.
pub struct Lemos;

/// isx's own: two items a pass over the cells that matter, the last items tried one by one.
pub struct Pairs;

/// Launching a kernel, in seconds.
const LAUNCH: f64 = 5e-6;
/// Taking memory, uploading, downloading: for a batch, in seconds.
const ROUND_TRIP: f64 = 1e-3;
/// Bytes a second that pass between the multiprocessors and memory: a third of what an H200 copies.
const BANDWIDTH: f64 = 1.2e12;
/// Tables of more cells than 32-bit indices count, and capacities beyond 2^30, are left to the CPU.
const MOST_CELLS: u64 = 1 << 30;

/// Words of chosen bits.
fn chosen_words(items: usize) -> usize {
    items.div_ceil(32).max(1)
}

/// The items whose bits are set.
fn chosen(words: &[u32], items: usize) -> Vec<usize> {
    (0..items).filter(|item| words[item / 32] >> (item % 32) & 1 == 1).collect()
}

/// Bytes of memory traffic, or why the tables cannot be laid out on any GPU.
fn traffic(kernel: &str, problem: &Reduced, cells: u64, table: u64) -> Result<f64, EngineError> {
    if table > MOST_CELLS || problem.capacities.iter().any(|&capacity| capacity >= MOST_CELLS) {
        return Err(EngineError::Unavailable(format!(
            "the {kernel} kernel has tables of up to 2^30 cells, and one would have {table}"
        )));
    }
    Ok(cells as f64)
}

fn estimate(gpu: &Gpu, bytes: f64, launches: f64, answers: u64) -> Estimate {
    Estimate {
        seconds: gpu.seconds_to_start() + ROUND_TRIP + launches * LAUNCH + bytes / BANDWIDTH,
        bytes: answers,
    }
}

/// Bytes of a cell; refuses what the kernels have no cells for.
fn cell_bytes(batch: &Batch) -> Result<f64, EngineError> {
    match batch.tier() {
        Tier::I32 => Ok(4.0),
        Tier::I64 => Ok(8.0),
        wider => Err(EngineError::Arithmetic(wider)),
    }
}

/// Bytes that an answer takes on the host.
fn answer_bytes(batch: &Batch) -> u64 {
    batch.problems().iter().map(|problem| 64 + 16 * problem.items.len() as u64).sum()
}

/// What runs a kernel family in cells of the batch's width.
trait Scheme {
    fn solve<V: Cell>(batch: &Batch, context: &Context) -> Result<Answer, DeviceError>;
}

fn planned<'a, S: Scheme>(
    batch: &'a Batch,
    context: &'a Context<'a>,
    estimate: Estimate,
) -> Plan<'a, Multidim> {
    Plan::new(estimate, move || {
        let answer = match batch.tier() {
            Tier::I32 => S::solve::<i32>(batch, context)?,
            Tier::I64 => S::solve::<i64>(batch, context)?,
            wider => return Err(EngineError::Arithmetic(wider)),
        };
        context.go_on()?;
        Ok(answer)
    })
}

impl Engine<Multidim> for Lemos {
    fn plan<'a>(&'a self, request: Request<'a, Multidim>) -> Result<Plan<'a, Multidim>, EngineError> {
        let Request { problem: batch, context, .. } = request;
        let cell = cell_bytes(batch)?;
        let _: &DeviceInfo = context.machine.gpu().info()?;
        let mut bytes = 0.0;
        let most = batch.problems().iter().map(|problem| problem.items.len()).max().unwrap_or(0);
        for problem in batch.problems() {
            // Items that fit nowhere make up for missing ones, so every table has the most passes.
            bytes += traffic("multidim_lemos", problem, problem.cells(), problem.cells())?
                * most as f64
                * 3.0
                * cell;
        }
        let answers = answer_bytes(batch);
        context.machine.allow(answers)?;
        let estimate = estimate(context.machine.gpu(), bytes, most as f64, answers);
        Ok(planned::<Self>(batch, context, estimate))
    }
}

impl Scheme for Lemos {
    fn solve<V: Cell>(batch: &Batch, context: &Context) -> Result<Answer, DeviceError> {
        lemos::solve::<V>(context.machine.gpu().device()?, batch, context)
    }
}

impl Engine<Multidim> for Pairs {
    fn plan<'a>(&'a self, request: Request<'a, Multidim>) -> Result<Plan<'a, Multidim>, EngineError> {
        let Request { problem: batch, context, .. } = request;
        let cell = cell_bytes(batch)?;
        let _: &DeviceInfo = context.machine.gpu().info()?;
        let (mut bytes, mut passes) = (0.0, 0);
        for problem in batch.problems() {
            let layers = pairs::layers(problem, context);
            let table = table_cells(&layers);
            bytes += traffic("multidim_pairs", problem, layers.candidates(), table)? * 2.5 * cell;
            passes = passes.max(layers.swept.div_ceil(2));
        }
        let answers = answer_bytes(batch);
        context.machine.allow(answers)?;
        let estimate = estimate(context.machine.gpu(), bytes, passes as f64, answers);
        Ok(planned::<Self>(batch, context, estimate))
    }
}

impl Scheme for Pairs {
    fn solve<V: Cell>(batch: &Batch, context: &Context) -> Result<Answer, DeviceError> {
        pairs::solve::<V>(context.machine.gpu().device()?, batch, context)
    }
}

/// Cells of the table that holds every layer that is swept, rows padded to whole words of bits.
fn table_cells(layers: &Layers) -> u64 {
    let [first, second, third] = layers.last_cell().map(|cell| cell.saturating_add(1));
    first.saturating_mul(second).saturating_mul(third.div_ceil(32).saturating_mul(32))
}
