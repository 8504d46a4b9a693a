//! The textbook table on a GPU, swept by the wave driver: decisions are streamed to the host if the GPU has no room
//! for them.
//!
//! See `../wave.rs` for the recurrence and its source.

use super::super::wave::{Rows, points};
use super::knapsack_wave::fill;
use crate::wave::Waves;
use crate::wave::cuda::{Kernels, Launch, Place, Printed, Table};
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_knapsack::Answer;
use isx_knapsack::slack;
use isx_knapsack::{Knapsack, Wanted};
use isx_machine::cpu::Team;
use isx_machine::cuda::{Device, DeviceError};
use isx_problems::reduce::knapsack::Reduced;
use isx_problems::value::Values;
use num_bigint::BigInt;
use std::time::{Duration, Instant};

/// The wave engine on a GPU, by the kernel that was written for it, or the one printed from its recurrence.
#[derive(Clone, Copy, Debug)]
pub enum Wave {
    /// `kernels/papers/knapsack_wave.cu`.
    Written,
    /// `kernels/papers/recurrence_knapsack.cu`, whose cells have 32 bits.
    Printed,
}

/// Bytes of rows per second and multiprocessor, and of decisions per second to the host. (Measured on an H200.)
const BYTES_A_SECOND: f64 = 2.3e10;
const TO_HOST: f64 = 2.5e10;
/// Seconds per launch.
const LAUNCH: f64 = 4e-6;

impl Engine<Knapsack> for Wave {
    fn plan<'a>(&'a self, request: Request<'a, Knapsack>) -> Result<Plan<'a, Knapsack>, EngineError> {
        let Request { problem, wanted, context } = request;
        let (rows, machine) = (Rows::new(problem, wanted)?, context.machine);
        let info = machine.gpu().info()?;
        let row = (rows.cells(0) as u64).saturating_mul(4);
        if row.saturating_mul(2) > info.memory {
            return Err(EngineError::GpuMemory { needed: row.saturating_mul(2), free: info.memory });
        }
        let bits = rows.waves().saturating_mul(rows.cells(0) as u64) / 8;
        let leaves = wanted.picks() && bits.saturating_add(2 * row) > info.memory;
        let front = if wanted == Wanted::AllValues { row.saturating_mul(6) } else { 0 };
        let bytes = if leaves { bits.min(machine.max_memory()) } else { 0 }.saturating_add(front);
        machine.allow(bytes)?;
        let filling = row as f64 * 3.0 / (BYTES_A_SECOND * info.multiprocessors.max(1) as f64) + LAUNCH;
        let leaving = if leaves { bits as f64 / TO_HOST } else { 0.0 };
        let seconds = machine.seconds_to_start_gpu() + (filling * rows.waves() as f64).max(leaving);
        Ok(Plan::new(Estimate { seconds, bytes }, move || {
            let device = machine.gpu().device()?;
            let (answer, ..) = match self {
                Self::Written => sweep(device, problem, (&rows, &rows), wanted, context, None)?,
                Self::Printed => {
                    let numbers = |wave| {
                        let (profit, weight) = rows.item(wave).unwrap_or_default();
                        vec![i64::try_from(weight).unwrap_or(i64::MAX), profit.into()]
                    };
                    let kernel = (&kernel_file!("recurrence_knapsack"), 8);
                    let printed = Printed::new(device, kernel, &rows, (Vec::new(), 0), Box::new(numbers))?;
                    sweep(device, problem, (&rows, &printed), wanted, context, None)?
                }
            };
            Ok(answer)
        }))
    }
}

/// The answer, where the decisions were stored, and the bytes on the GPU and the host; at `place` if one is given.
/// Fails if the profits' sum exceeds 32 bits, items of all capacities are requested, memory runs short, a call fails, or
/// the computation is canceled.
pub fn wave(
    device: &Device,
    problem: &Reduced,
    wanted: Wanted,
    context: &Context,
    place: Option<Place>,
) -> Result<(Answer, Place, [u64; 2]), EngineError> {
    let rows = Rows::new(problem, wanted)?;
    sweep(device, problem, (&rows, &rows), wanted, context, place)
}

/// The measured steps of filling a table with its decisions at a place.
#[derive(Clone, Debug)]
pub struct Streaming {
    /// The most profit,
    pub profit: BigInt,
    /// and items with that profit.
    pub chosen: Vec<u32>,
    /// Bytes of decisions.
    pub bytes: u64,
    /// Peak bytes on the GPU, by the driver's count for this process, and bytes on the host.
    pub taken: [u64; 2],
    /// Filling the table, including streaming if decisions are streamed.
    pub filling: Duration,
    /// Copying all decisions to the host afterwards, if they were stored on the GPU.
    pub copying: Duration,
    /// Finding the items.
    pub walking: Duration,
}

/// Fills the table of a problem whose profits sum to at most 32 bits, and measures every step.
/// Fails as [`wave`].
pub fn streaming(
    device: &Device,
    problem: &Reduced,
    context: &Context,
    place: Place,
) -> Result<Streaming, EngineError> {
    let rows = Rows::new(problem, Wanted::Best)?;
    let started = Instant::now();
    let mut table = Table::sweep(&rows, (context.machine, device), Some(place), &|_| ())?;
    let filling = started.elapsed();
    let last = table.last(rows.cells(0) - 1..rows.cells(0))?;
    let started = Instant::now();
    table.copy_out()?;
    let copying = started.elapsed();
    let started = Instant::now();
    let chosen =
        rows.walk(problem.capacity, |wave, cell| Ok::<_, EngineError>(table.choice(wave, cell)? != 0))?;
    let walking = started.elapsed();
    let profit = last.first().copied().unwrap_or_default().into();
    let (bytes, taken) = (table.choice_bytes(), table.bytes());
    Ok(Streaming { profit, chosen, bytes, taken, filling, copying, walking })
}

fn sweep<K: Kernels<Cell = i32>>(
    device: &Device,
    problem: &Reduced,
    (rows, kernels): (&Rows, &K),
    wanted: Wanted,
    context: &Context,
    place: Option<Place>,
) -> Result<(Answer, Place, [u64; 2]), EngineError> {
    let started = Instant::now();
    context.progress.begin("solving", rows.waves());
    let advance = |waves| context.progress.advance(waves);
    let machine = context.machine;
    let place = if wanted.picks() { place } else { Some(Place::Nowhere) };
    let mut table = Table::sweep(kernels, (machine, device), place, &advance)?;
    let mut answer = Answer::new(Vec::new(), Values::I64(Vec::new()), None);
    answer.how.clone_from(&device.info().name);
    let cells = rows.cells(0);
    let first = match wanted {
        Wanted::AllValues => 0,
        _ => cells - 1 - slack(&problem.items, problem.capacity) as usize,
    };
    points(&mut answer, first, &table.last(first..cells)?, wanted, &Team::of(machine.workers()));
    answer.solve = started.elapsed();
    if wanted == Wanted::Best {
        let takes = |wave, cell| Ok::<_, EngineError>(table.choice(wave, cell)? != 0);
        answer.picks = Answer::one_selection(rows.walk(answer.weights[0], takes)?);
        answer.how += table.place().in_words();
    }
    answer.updates = table.filled();
    answer.traceback = started.elapsed() - answer.solve;
    Ok((answer, table.place(), table.bytes()))
}

impl Kernels for Rows {
    type Cell = i32;
    type Waves = Self;

    fn table(&self) -> &Self {
        self
    }

    fn fill(&self, wave: u64, args: Launch<'_, i32>) -> Result<(), DeviceError> {
        // Without items there is one row of zeros, which an item of no profit produces.
        let (profit, weight) = self.item(wave).unwrap_or_default();
        fill(args, self.cells(wave), weight as u64, profit)
    }
}
