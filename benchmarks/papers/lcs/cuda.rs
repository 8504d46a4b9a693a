//! The anti-diagonals on a GPU, swept by the wave driver; see `wave.rs` for the recurrence and its source.

use super::lcs_wave::{Letters, fill, kernel};
use super::wave::{Diagonals, own_bytes};
use super::{Found, Lcs, Wanted};
use crate::answer::Answer;
use crate::wave::Waves;
use crate::wave::cuda::{Kernels, Launch, Place, Printed, Table};
use cudarc::driver::CudaFunction;
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_machine::cuda::{Device, DeviceError};
use std::time::{Duration, Instant};

/// The wave engine on a GPU, by the kernel that was written for it, or the one printed from its recurrence.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wave {
    /// `kernels/papers/lcs_wave.cu`.
    Written,
    /// `kernels/papers/recurrence_lcs.cu`.
    Printed,
}

/// Seconds per launch, and cells per second. (Measured on an H200.)
const LAUNCH: f64 = 6e-6;
const CELLS_A_SECOND: f64 = 1e11;

impl Engine<Lcs> for Wave {
    fn plan<'a>(&'a self, request: Request<'a, Lcs>) -> Result<Plan<'a, Lcs>, EngineError> {
        let Request { problem, wanted, context } = request;
        let machine = context.machine;
        let info = machine.gpu().info()?;
        let diagonals = Diagonals::new(problem)?;
        // Two bits per cell on the host, if the GPU has no room for them.
        let bits = problem.cells().div_ceil(4);
        let leaves = wanted == Wanted::Subsequence && bits > info.memory;
        let bytes = own_bytes(problem, wanted).saturating_add(if leaves {
            bits.min(machine.max_memory())
        } else {
            0
        });
        machine.allow(bytes)?;
        let filling = diagonals.waves() as f64 * LAUNCH + problem.cells() as f64 / CELLS_A_SECOND;
        let estimate = Estimate { seconds: machine.seconds_to_start_gpu() + filling, bytes };
        Ok(Plan::new(estimate, move || {
            let device = machine.gpu().device()?;
            self.solve(device, &diagonals, wanted, context)
        }))
    }
}

/// The diagonals, with their letters on the GPU.
struct OnDevice<'a> {
    diagonals: &'a Diagonals<'a>,
    letters: Letters,
    function: CudaFunction,
}

impl Wave {
    fn solve(
        self,
        device: &Device,
        diagonals: &Diagonals<'_>,
        wanted: Wanted,
        context: &Context,
    ) -> Result<Answer<Found>, EngineError> {
        let started = Instant::now();
        let Diagonals { rows, columns } = *diagonals;
        // The driver cannot copy empty arrays.
        let upload =
            |letters: &[u8]| device.upload("letters", if letters.is_empty() { &[0] } else { letters });
        if self == Self::Printed {
            let letters = (vec![upload(rows)?, upload(columns)?], columns.len());
            let kernel = (&kernel_file!("recurrence_lcs"), 4);
            let waves = Printed::new(device, kernel, diagonals, letters, Box::new(|_| Vec::new()))?;
            return sweep(device, (diagonals, &waves), wanted, context, started);
        }
        let counts = (rows.len(), columns.len());
        let letters = Letters { rows: upload(rows)?, columns: upload(columns)?, counts };
        let waves = OnDevice { diagonals, letters, function: kernel(device)? };
        sweep(device, (diagonals, &waves), wanted, context, started)
    }
}

fn sweep<K: Kernels<Cell = i32>>(
    device: &Device,
    (diagonals, waves): (&Diagonals<'_>, &K),
    wanted: Wanted,
    context: &Context,
    started: Instant,
) -> Result<Answer<Found>, EngineError> {
    context.progress.begin("solving", diagonals.waves());
    let advance = |waves| context.progress.advance(waves);
    let keep = wanted == Wanted::Subsequence;
    let place = (!keep).then_some(Place::Nowhere);
    let mut table = Table::sweep(waves, (context.machine, device), place, &advance)?;
    let length = table.last(0..1)?.first().map_or(0, |length| length.unsigned_abs());
    let mut answer = Answer {
        found: Found { length: length.into(), pairs: None },
        how: device.info().name.clone(),
        threads: 1,
        updates: 0,
        solve: started.elapsed(),
        traceback: Duration::ZERO,
    };
    if keep {
        answer.found.pairs = Some(diagonals.walk(|wave, cell| table.choice(wave, cell))?);
        answer.how += table.place().in_words();
    }
    answer.updates = table.filled();
    answer.traceback = started.elapsed() - answer.solve;
    Ok(answer)
}

impl<'a> Kernels for OnDevice<'a> {
    type Cell = i32;
    type Waves = Diagonals<'a>;

    fn table(&self) -> &Diagonals<'a> {
        self.diagonals
    }

    fn fill(&self, wave: u64, args: Launch<'_, i32>) -> Result<(), DeviceError> {
        fill(&self.function, &self.letters, (wave, self.diagonals.cells(wave)), args)
    }
}
