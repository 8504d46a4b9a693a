//! The dense dynamic program on an NVIDIA GPU, which needs only an installed driver.
//!
//! The kernels are in `kernels/mckp/`; each has a binding of the same name here.

mod cell;
mod layers;
mod layout;
mod mckp_packed;
mod mckp_split;
mod mckp_tiled;
mod mckp_walk;
mod plan;
mod read_back;
mod shape;
mod solve;
mod table;
mod variants;
mod walk;

pub use cell::{Cell, Width};
pub use layers::{Layers, Merging};
pub use plan::{Filling, Options};
pub use shape::Shape;
pub use shape::WARP;
pub use solve::nothing_to_choose;
pub use solve::solve;
pub use table::Table;
pub use walk::Walk;

use super::{Mckp, Wanted};
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_machine::cuda::{DeviceInfo, Gpu};
use isx_problems::reduce::mckp::{Class, Reduced, Tiered};
use isx_problems::value::Value;

/// The CUDA engine.
pub struct Cuda;

/// Seconds to signal the neighbors that a row is done and to wait for theirs.
const EXCHANGE: f64 = 2.9e-6;
/// Fraction that the tiled kernel reaches of one shared-memory word per lane and clock.
const REACHED: f64 = 0.7;
/// Bytes per second to the host.
const TRANSFER: f64 = 1.0e10;

impl Engine<Mckp> for Cuda {
    /// Estimated from the GPU's clock and multiprocessors, plus a third of a second if it has not started yet; no
    /// context is created. `bytes` counts what is stored in the host's memory.
    fn plan<'a>(&'a self, request: Request<'a, Mckp>) -> Result<Plan<'a, Mckp>, EngineError> {
        match request.problem {
            Tiered::I32(problem) => plan(problem, request.wanted, request.context),
            Tiered::I64(problem) => plan(problem, request.wanted, request.context),
            wider => Err(EngineError::Arithmetic(wider.tier())),
        }
    }
}

fn plan<'a, V: Cell>(
    problem: &'a Reduced<V>,
    wanted: Wanted,
    context: &'a Context<'a>,
) -> Result<Plan<'a, Mckp>, EngineError> {
    let machine = context.machine;
    let estimate = estimate(machine.gpu(), machine.gpu().info()?, problem, wanted);
    machine.allow(estimate.bytes)?;
    Ok(Plan::new(estimate, move || {
        let device = &machine.gpu().alone()?;
        let options = Options { all_candidates: context.all_candidates, ..Options::default() };
        // The host's part of the work stays on the machine's threads.
        let answer = machine.workers().run(|| solve(device, problem, wanted, context, &options))?;
        context.go_on()?;
        Ok(answer)
    }))
}

fn estimate<V: Value>(gpu: &Gpu, info: &DeviceInfo, problem: &Reduced<V>, wanted: Wanted) -> Estimate {
    let cells = problem.capacity.saturating_add(1) as f64;
    let words = (size_of::<V>() / 4) as f64;
    let items: usize = problem.classes.iter().map(|class| class.items.len()).sum();
    let lanes = info.multiprocessors as f64 * 32.0 * info.clock_khz as f64 * 1e3;
    let index_bytes = |class: &Class<V>| plan::pick_width(class.items.len()) as f64;
    let indices: f64 = problem.classes.iter().map(|class| index_bytes(class) * cells).sum();
    let picks = if wanted == Wanted::AllPicks { indices } else { 0.0 };
    let bytes = cells * (size_of::<V>() as f64 * 2.0 + 8.0) + picks;
    let filling = cells * items as f64 * words / (lanes * REACHED) + problem.classes.len() as f64 * EXCHANGE;
    Estimate { seconds: gpu.seconds_to_start() + filling + bytes / TRANSFER, bytes: bytes as u64 }
}
