//! The CUDA engine: the dense dynamic program on an NVIDIA GPU, with nothing but a driver installed.
//!
//! `kernels/*.cu` hold the kernels, one technique a file; each has its binding here under the same stem. Their PTX is
//! part of the program and the driver compiles it for the GPU at hand when it is first used.

mod cell;
mod device;
mod error;
mod layers;
mod layout;
mod mckp_global;
mod mckp_multicell;
mod mckp_packed;
mod mckp_prevrow;
mod mckp_reduction;
mod mckp_shared;
mod mckp_split;
mod mckp_sync;
mod mckp_tiled;
mod mckp_walk;
mod plan;
mod read_back;
mod row;
mod shape;
mod solve;
mod study;
mod table;
mod thesis;
mod transfer;
mod utilization_division;
mod utilization_exact;
mod utilization_reciprocal;
mod walk;

pub use cell::Cell;
pub use device::{Device, DeviceInfo, describe, devices};
pub use error::DeviceError;
pub use layers::Merging;
pub use plan::{Filling, Options};
pub use shape::Shape;
pub use solve::solve;
pub use study::{Arithmetic, StudyAnswer, StudyTask, least_utilization};
pub use table::Table;
pub use thesis::{Technique, ThesisTable, solve_by};

use crate::engine::answer::{Answer, ItemIndices};
use crate::engine::{Context, Engine, EngineError, Estimate, Wanted};
use crate::problem::value::Value;
use crate::reduce::{Reduced, Tiered};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The CUDA engine.
pub struct Cuda;

static ORDINAL: AtomicUsize = AtomicUsize::new(0);

/// Makes GPU `ordinal` the one that the engine uses in this process; it is 0 at first.
pub fn use_device(ordinal: usize) {
    ORDINAL.store(ordinal, Ordering::Relaxed);
}

/// The GPU that the engine uses.
#[must_use]
pub fn device_in_use() -> usize {
    ORDINAL.load(Ordering::Relaxed)
}

/// Making a context and compiling the kernels, in seconds: 0.2 and 0.1 on an H200 with an empty driver cache.
const START_UP: f64 = 0.3;
/// Telling the neighbours that a row is stored and learning that theirs are, in seconds.
const EXCHANGE: f64 = 2.9e-6;
/// Share of one shared-memory word a lane a clock that the tiled kernel reaches.
const REACHED: f64 = 0.7;
/// Bytes a second to the host.
const TRANSFER: f64 = 1.0e10;

impl Engine for Cuda {
    fn name(&self) -> &'static str {
        "cuda"
    }

    /// From the GPU's clock and multiprocessors, and a third of a second to start it up if this process has not yet;
    /// no context is made for it. `bytes` counts what lands in the host's memory.
    fn estimate(&self, problem: &Tiered, wanted: Wanted, _: &Context) -> Result<Estimate, EngineError> {
        let info = describe(device_in_use())?;
        match problem {
            Tiered::I32(problem) => Ok(estimate(&info, problem, wanted)),
            Tiered::I64(problem) => Ok(estimate(&info, problem, wanted)),
            _ => Err(EngineError::Unsupported { engine: "cuda", tier: problem.tier() }),
        }
    }

    fn solve(&self, problem: &Tiered, wanted: Wanted, context: &Context) -> Result<Answer, EngineError> {
        if !matches!(problem, Tiered::I32(_) | Tiered::I64(_)) {
            return Err(EngineError::Unsupported { engine: "cuda", tier: problem.tier() });
        }
        let estimate = self.estimate(problem, wanted, context)?;
        if estimate.bytes > context.max_memory {
            let (needed, allowed) = (estimate.bytes, context.max_memory);
            return Err(EngineError::Memory { engine: "cuda", needed, allowed });
        }
        let device = Device::open(device_in_use())?;
        let options = Options { all_candidates: context.all_candidates, ..Options::default() };
        let answer = match problem {
            Tiered::I32(problem) => solve(&device, problem, wanted, context, &options),
            Tiered::I64(problem) => solve(&device, problem, wanted, context, &options),
            _ => return Err(EngineError::Unsupported { engine: "cuda", tier: problem.tier() }),
        };
        Ok(answer?)
    }
}

fn estimate<V: Value>(info: &DeviceInfo, problem: &Reduced<V>, wanted: Wanted) -> Estimate {
    let cells = problem.capacity.saturating_add(1) as f64;
    let words = (size_of::<V>() / 4) as f64;
    let items: usize = problem.classes.iter().map(|class| class.items.len()).sum();
    let lanes = info.multiprocessors as f64 * 32.0 * info.clock_khz as f64 * 1e3;
    let index_bytes = |items: usize| match ItemIndices::zeros(0, items) {
        ItemIndices::U8(_) => 1.0,
        ItemIndices::U16(_) => 2.0,
        ItemIndices::U32(_) => 4.0,
    };
    let indices: f64 = problem.classes.iter().map(|class| index_bytes(class.items.len()) * cells).sum();
    let picks = if wanted == Wanted::AllPicks { indices } else { 0.0 };
    let bytes = cells * (size_of::<V>() as f64 * 2.0 + 8.0) + picks;
    let filling = cells * items as f64 * words / (lanes * REACHED) + problem.classes.len() as f64 * EXCHANGE;
    let start_up = if Device::is_open(info.ordinal) { 0.0 } else { START_UP };
    Estimate { seconds: start_up + filling + bytes / TRANSFER, bytes: bytes as u64 }
}
