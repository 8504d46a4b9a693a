//! The dense dynamic program on an NVIDIA GPU, which needs only an installed driver.
//!
//! The kernels are in `kernels/mckp/`; each has a binding of the same name here.

mod cell;
mod layout;
mod mckp_packed;
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
pub use layout::Layers;
pub use plan::{Filling, Options};
pub use shape::Shape;
pub use shape::WARP;
pub use solve::nothing_to_choose;
pub use solve::solve;
pub use table::Table;
pub use walk::Walk;

use super::{Mckp, Wanted};
use isx_engine::{Context, Engine, EngineError, Estimate, ItemIndices, Plan, Request};
use isx_machine::Machine;
use isx_machine::cuda::DeviceInfo;
use isx_machine::rates;
use isx_problems::reduce::mckp::{Class, Reduced, Tiered};
use shape::Demand;

/// The CUDA engine.
pub struct Cuda;

impl Engine<Mckp> for Cuda {
    /// Estimated by the model that chooses the shape of tiles (`shape.rs`), as a layer per class, plus the start of the
    /// GPU if it has not started yet; no context is created. `bytes` counts what is stored in the host's memory.
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
    let estimate = estimate(machine, machine.gpu().info()?, problem, wanted);
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

fn estimate<V: Cell>(machine: &Machine, info: &DeviceInfo, problem: &Reduced<V>, wanted: Wanted) -> Estimate {
    let cells = problem.capacity.saturating_add(1);
    let index_bytes = |class: &Class<V>| ItemIndices::width(class.items.len()) as f64;
    let indices: f64 = problem.classes.iter().map(|class| index_bytes(class) * cells as f64).sum();
    let picks = if wanted == Wanted::AllPicks { indices } else { 0.0 };
    let bytes = cells as f64 * (size_of::<V>() as f64 * 2.0 + 8.0) + picks;
    let all = || problem.classes.iter().flat_map(|class| &class.items);
    let layers = problem.classes.len().max(1) as f64;
    let demand = Demand {
        cells,
        heaviest: all().map(|item| item.weight).filter(|&weight| weight < cells).max().unwrap_or(0),
        items: all().count() as f64 / layers,
        cell_bytes: size_of::<V>(),
        packing: 1,
    };
    let shape = shape::choose(&demand, info, V::WIDTH.tiled());
    let clocks = layers * shape::clocks(&shape, &demand, info);
    let filling = clocks / (info.clock_khz.max(1) as f64 * 1e3);
    let seconds =
        machine.seconds_to_start_gpu() + 2.0 * rates::GPU_ROUND_TRIP + filling + bytes * rates::GPU_TO_HOST;
    Estimate { seconds, bytes: bytes as u64 }
}
