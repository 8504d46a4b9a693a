//! The dense dynamic program on an NVIDIA GPU, which needs only an installed driver.
//!
//! The kernels are in `kernels/resources/`; each has a binding of the same name here. `program` says what they compute,
//! `places` which tables stay in memory. All tables stay as they are, rather than a choice per cell: storing the choices
//! makes the kernel compare where it now takes a maximum, for every cell and item, and the points are few in comparison.
//! The canonical selection is found on the GPU also with shared elements, since a point has at most one node per state on
//! its way back.

mod amounts;
mod entry;
mod needs;
mod picked;
mod places;
mod program;
mod resources_front;
mod resources_table;
mod resources_walk;
mod solve;
mod table;

#[cfg(test)]
mod emulated;

pub use solve::Phases;

use crate::{Answer, Resources, Wanted};
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_machine::Machine;
use isx_machine::cuda::DeviceInfo;
use isx_machine::rates;
use isx_problems::resources::Problem;
use isx_problems::value::{Tier, Values};
use program::Program;
use std::sync::Arc;
use std::time::Duration;

/// The CUDA engine.
pub struct Cuda;

impl Engine<Resources> for Cuda {
    /// `bytes` is what the host would need if every cell were a point; what it does need is asked for when it is known.
    fn plan<'a>(&'a self, request: Request<'a, Resources>) -> Result<Plan<'a, Resources>, EngineError> {
        let Request { problem, wanted, context } = request;
        crate::number::one_mode(problem)?;
        let gpu = context.machine.gpu();
        let info: &DeviceInfo = gpu.info()?;
        if wanted.at_least > Tier::I64 {
            return Err(EngineError::Arithmetic(wanted.at_least));
        }
        let Some(mut program) = Program::new(problem)? else {
            let estimate = Estimate { seconds: 0.0, bytes: 0 };
            return Ok(Plan::new(estimate, move || Ok(no_point(problem, wanted))));
        };
        program.tier = program.tier.max(wanted.at_least);
        let cell = if program.tier == Tier::I32 { 4 } else { 8 };
        // With the items, ends of segments must stay, but two tables are needed in any case.
        let least = table::least_bytes(&program, cell).unwrap_or(u64::MAX);
        if least > info.memory {
            return Err(EngineError::GpuMemory { needed: least, free: info.memory });
        }
        let estimate = estimate(&program, cell, wanted, context.machine);
        Ok(Plan::new(estimate, move || {
            let answer = context.machine.workers().run(|| run(&program, wanted, context))?.0;
            context.go_on()?;
            Ok(answer)
        }))
    }
}

/// The answer with the seconds that the GPU spent on each part, for measurements.
pub fn measured(
    problem: &Problem,
    wanted: Wanted,
    context: &Context,
) -> Result<(Answer, Phases), EngineError> {
    match Program::new(problem)? {
        Some(program) => context.machine.workers().run(|| run(&program, wanted, context)),
        None => Ok((no_point(problem, wanted), Phases::default())),
    }
}

fn run(program: &Program, wanted: Wanted, context: &Context) -> Result<(Answer, Phases), EngineError> {
    let device = &context.machine.gpu().alone()?;
    match program.tier {
        Tier::I32 => solve::solve::<i32>(device, program, wanted, context),
        _ => solve::solve::<i64>(device, program, wanted, context),
    }
}

fn estimate(program: &Program, cell: usize, wanted: Wanted, machine: &Machine) -> Estimate {
    let again = if wanted.picks { 1.5 } else { 1.0 };
    let filling = program.updates() as f64 * cell as f64 * rates::RESOURCES_GPU_BYTE
        + program.steps.len() as f64 * rates::GPU_LAUNCH;
    let most = needs::Needs::new(program, wanted.picks);
    let objectives = program.frames.last().and_then(|frame| frame.rows(0..program.objectives));
    let bytes = objectives.map_or(u64::MAX, |points| most.on_host(points as usize));
    // A point for every eighth cell is a dense front.
    let fetching = bytes as f64 / 8.0 * rates::GPU_TO_HOST;
    let seconds = machine.seconds_to_start_gpu() + 2.0 * rates::GPU_ROUND_TRIP + filling * again + fetching;
    Estimate { seconds, bytes }
}

/// The answer of a problem without a selection within the limits, or with the value asked for.
fn no_point(problem: &Problem, wanted: Wanted) -> Answer {
    let none: Vec<Vec<Option<u32>>> = Vec::new();
    Answer {
        costs: vec![Vec::new(); problem.limits.len()],
        values: Values::I64(Vec::new()),
        picks: wanted.picks.then(|| Arc::new(none) as _),
        tier: Tier::I64,
        how: "1 thread".into(),
        threads: 1,
        updates: 0,
        solve: Duration::ZERO,
        traceback: Duration::ZERO,
    }
}
