//! The dense dynamic program on an NVIDIA GPU, which needs only an installed driver: two items per pass.
//!
//! The kernels are in `kernels/multidim/`; `multidim_pairs` is the binding of the one of that name, and `pairs` lays
//! out the problems of a batch, launches the kernels and downloads the answers. A [`Scheme`] is the part in which
//! such engines differ.

mod cell;
mod multidim_pairs;
mod pairs;

pub use cell::Cell;
pub use pairs::Pairs;

use super::{Answer, Batch, Multidim, map_each};
use isx_engine::{Context, EngineError, Estimate, Plan, Request};
use isx_machine::cuda::{Device, DeviceError, DeviceInfo};
use isx_machine::rates;
use isx_problems::reduce::multidim::Reduced;
use isx_problems::value::Tier;

/// Tables with more cells than 32-bit indices count, and capacities beyond 2^30, are solved on the CPU.
const MOST_CELLS: u64 = 1 << 30;

/// Words of chosen bits.
pub fn chosen_words(items: usize) -> usize {
    items.div_ceil(32).max(1)
}

/// The items whose bits are set.
pub fn chosen(words: &[u32], items: usize) -> Vec<usize> {
    (0..items).filter(|item| words[item / 32] >> (item % 32) & 1 == 1).collect()
}

/// A scheme's plan for a problem, and its cost.
pub struct Work<P> {
    /// What is computed.
    pub plan: P,
    /// Cells of the table.
    pub table: u64,
    /// Cells of all layers.
    pub candidates: u64,
    /// Launches, shared by the problems of a batch.
    pub launches: usize,
}

/// How a batch is solved by a family of kernels, in cells of the batch's width.
pub trait Scheme: Sync {
    /// The kernels.
    const KERNEL: &'static str;
    /// How often a candidate's cell is read or written.
    const TRAFFIC: f64;
    /// What is computed for a problem.
    type Plan: Send + Sync;
    /// The plan for a problem, and its cost.
    fn work(&self, problem: &Reduced, context: &Context) -> Work<Self::Plan>;
    /// Solves every problem of the batch by its plan. Fails if memory runs short or a call fails.
    fn solve<V: Cell>(
        &self,
        device: &Device,
        batch: &Batch,
        plans: &[Self::Plan],
        context: &Context,
    ) -> Result<Answer, DeviceError>;
}

/// The plan of a scheme. Fails if there is no GPU, or no kernel for the batch's numbers or tables.
pub fn plan<'a, S: Scheme>(
    scheme: &'a S,
    request: Request<'a, Multidim>,
) -> Result<Plan<'a, Multidim>, EngineError> {
    let Request { problem: batch, context, .. } = request;
    let cell = match batch.tier() {
        Tier::I32 => 4.0,
        Tier::I64 => 8.0,
        wider => return Err(EngineError::Arithmetic(wider)),
    };
    let gpu = context.machine.gpu();
    let _: &DeviceInfo = gpu.info()?;
    let (mut cells, mut launches) = (0.0, 0);
    let mut plans = Vec::with_capacity(batch.problems().len());
    let works = map_each(context.machine, batch.problems(), |problem| scheme.work(problem, context));
    for (problem, work) in batch.problems().iter().zip(works) {
        if work.table > MOST_CELLS || problem.capacities.iter().any(|&capacity| capacity >= MOST_CELLS) {
            return Err(EngineError::Unavailable(format!(
                "the {} kernel has tables of up to 2^30 cells, and one would have {}",
                S::KERNEL,
                work.table
            )));
        }
        cells += work.candidates as f64;
        launches = launches.max(work.launches);
        plans.push(work.plan);
    }
    let bytes = batch.problems().iter().map(|problem| 64 + 16 * problem.items.len() as u64).sum();
    context.machine.allow(bytes)?;
    let seconds = context.machine.seconds_to_start_gpu()
        + rates::GPU_ROUND_TRIP
        + launches as f64 * rates::GPU_LAUNCH
        + cells * S::TRAFFIC * cell * rates::MULTIDIM_GPU_BYTE;
    let estimate = Estimate { seconds, bytes };
    Ok(Plan::new(estimate, move || {
        let device = &gpu.alone()?;
        let answer = match batch.tier() {
            Tier::I32 => scheme.solve::<i32>(device, batch, &plans, context)?,
            Tier::I64 => scheme.solve::<i64>(device, batch, &plans, context)?,
            wider => return Err(EngineError::Arithmetic(wider)),
        };
        context.go_on()?;
        Ok(answer)
    }))
}
