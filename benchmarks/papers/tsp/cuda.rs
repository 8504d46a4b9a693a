//! The sets of one size on a GPU, swept by the wave driver; see `wave.rs` for the recurrence and its source.

use super::problem::{Tour, Tsp};
use super::tsp_wave::{MOST_OTHERS, OnDevice};
use super::wave::{Sets, alone};
use crate::answer::Answer;
use crate::wave::cuda::Table;
use crate::wave::{Layout, Waves};
use isx_engine::{Engine, EngineError, Estimate, Plan, Request};
use std::time::Instant;

/// The wave engine on a GPU.
pub struct Wave;

/// Seconds per launch, and candidates per second. (Assumed: half of what the instructions of a warp per set allow.)
const LAUNCH: f64 = 6e-6;
const CANDIDATES_A_SECOND: f64 = 3e10;

impl Engine<Tsp> for Wave {
    fn plan<'a>(&'a self, request: Request<'a, Tsp>) -> Result<Plan<'a, Tsp>, EngineError> {
        let Request { problem, context, .. } = request;
        let machine = context.machine;
        let info = machine.gpu().info()?;
        let Some(sets) = Sets::new(problem)? else { return Ok(alone()) };
        if sets.others > MOST_OTHERS {
            return Err(EngineError::Unavailable(format!("its sets have up to {MOST_OTHERS} cities")));
        }
        let layout = Layout::of(&sets)?;
        // Two waves are there at once, and a byte per cell on the host if the GPU has no room for it.
        let needed = (2 * layout.widest() as u64).saturating_mul(size_of::<i64>() as u64);
        if needed > info.memory {
            return Err(EngineError::GpuMemory { needed, free: info.memory });
        }
        let leaves = needed.saturating_add(layout.total()) > info.memory;
        let bytes = if leaves { layout.total().min(machine.max_memory()) } else { 0 };
        machine.allow(bytes)?;
        let candidates: f64 = (0..sets.waves()).map(|wave| sets.cells(wave) as f64 * wave as f64).sum();
        let filling = sets.waves() as f64 * LAUNCH + candidates / CANDIDATES_A_SECOND;
        let estimate = Estimate { seconds: machine.seconds_to_start_gpu() + filling, bytes };
        Ok(Plan::new(estimate, move || {
            let started = Instant::now();
            let device = machine.gpu().device()?;
            context.progress.begin("solving", sets.waves());
            let waves = OnDevice::new(device, &sets)?;
            let advance = |waves| context.progress.advance(waves);
            let mut table = Table::sweep(&waves, (machine, device), None, &advance)?;
            let length = table.last(0..1)?.first().copied().unwrap_or_default();
            let solve = started.elapsed();
            let cities = sets.walk(|wave, cell| table.choice(wave, cell))?;
            let how = format!("{}{}", info.name, table.place().in_words());
            let (updates, traceback) = (table.filled(), started.elapsed() - solve);
            Ok(Answer { found: Tour { length, cities }, how, threads: 1, updates, solve, traceback })
        }))
    }
}
