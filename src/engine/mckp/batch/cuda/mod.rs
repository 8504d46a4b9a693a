//! Batches on an NVIDIA GPU: each problem by one warp, in its shared memory.
//!
//! Problems travel in pieces, each through a lane of its own, so that copies and kernels overlap while the host packs the
//! next piece and reads the last. What passes the kernel's integers or its room is solved by the CPU's lists.

mod mckp_batch;
mod pack;

use super::{Answers, Found, MckpBatch, NO_ITEM, answer_bytes, lists};
use crate::engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use crate::machine::cuda::{Device, DeviceError, During, Lane, LaneSize};
use crate::problem::mckp::Batch;
use crate::problem::value::Tier;
use cudarc::driver::CudaEvent;
use mckp_batch::launch;
use pack::{Parcel, pack, parcels, read};
use std::time::{Duration, Instant};

/// The engine.
pub struct Warps;

/// Taking memory, the first piece in and the last one out, in seconds.
const ROUND_TRIP: f64 = 1e-3;
/// Seconds of a core to pack an item and to read its answer.
const PACK: f64 = 4e-9;
/// Seconds to send an item and to look at it.
const AN_ITEM: f64 = 5e-10;

impl Engine<MckpBatch> for Warps {
    fn plan<'a>(&'a self, request: Request<'a, MckpBatch>) -> Result<Plan<'a, MckpBatch>, EngineError> {
        let Request { problem: batch, context, .. } = request;
        let machine = context.machine;
        machine.gpu().info()?;
        let lanes = LANES as u64 * (SIZE.to + SIZE.from) as u64;
        let bytes = answer_bytes(batch).saturating_add(lanes);
        machine.allow(bytes)?;
        let start_up = machine.gpu().seconds_to_start();
        let items = batch.items() as f64;
        let seconds = start_up + ROUND_TRIP + items * (PACK / machine.threads() as f64 + AN_ITEM);
        Ok(Plan::new(Estimate { seconds, bytes }, move || {
            let device = machine.gpu().device()?;
            let (answers, _) = solve(device, batch, context, &Options::default())?;
            Ok(answers)
        }))
    }
}

/// Bytes of a lane.
const SIZE: LaneSize = LaneSize { to: 16 << 20, from: 4 << 20, made: 6 << 20 };
/// Lanes: one is packed while another is on its way and a third is read.
const LANES: usize = 3;

/// What may be chosen, to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// States of the lists of the first kernel.
    pub short: usize,
    /// States of the lists of problems that outgrow those.
    pub long: usize,
    /// Pieces on their way at a time.
    pub lanes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { short: 128, long: 1024, lanes: LANES }
    }
}

/// A piece on its way.
struct Travelling<'a> {
    parcel: &'a Parcel,
    marks: [CudaEvent; 2],
}

/// Solves a batch, and says how long the kernels took by the GPU's clock (together; pieces that run at the same time
/// count each).
///
/// # Errors
///
/// [`EngineError`]: any fault on the GPU, or where the computation was called off.
pub fn solve(
    device: &Device,
    batch: &Batch,
    context: &Context,
    options: &Options,
) -> Result<(Answers, Duration), EngineError> {
    let started = Instant::now();
    context.progress.begin("solving", batch.len() as u64);
    let workers = context.machine.workers();
    let parcels = parcels(batch, SIZE.to, SIZE.from);
    let mut answers = Answers {
        found: vec![Found::Left; batch.len()],
        picks: vec![NO_ITEM; batch.classes()],
        how: format!("{}, mckp_batch", device.info().name),
        threads: workers.threads(),
        tier: Tier::I32,
        updates: 0,
        solve: Duration::ZERO,
    };
    let mut lanes = device.take_lanes(options.lanes.max(1), SIZE)?;
    let count = lanes.len();
    let mut travelling: Vec<Option<Travelling>> = (0..count).map(|_| None).collect();
    let mut kernels = 0.0;
    // As many turns more as pieces are still on their way at the end.
    for turn in 0..parcels.len() + count {
        context.go_on()?;
        let lane = &mut lanes[turn % count];
        if let Some(done) = travelling[turn % count].take() {
            kernels += workers.run(|| arrived(batch, lane, &done, &mut answers))?;
            context.progress.advance(done.parcel.problems.len() as u64);
        }
        if let Some(parcel) = parcels.get(turn) {
            let to = lane.outgoing()?;
            workers.run(|| pack(batch, parcel, to));
            travelling[turn % count] = Some(depart(device, lane, parcel, options)?);
        }
    }
    device.keep_lanes(lanes);
    workers.run(|| lists::complete(batch, &mut answers, context))?;
    answers.solve = started.elapsed();
    Ok((answers, Duration::from_secs_f64(kernels)))
}

/// Sends a packed piece on its way.
fn depart<'a>(
    device: &Device,
    lane: &mut Lane,
    parcel: &'a Parcel,
    options: &Options,
) -> Result<Travelling<'a>, DeviceError> {
    lane.send(parcel.piece.sizes.end)?;
    let begin = lane.mark()?;
    launch(device, lane, &parcel.piece, (options.short, options.long))?;
    let end = lane.mark()?;
    lane.bring(parcel.piece.picks.end)?;
    Ok(Travelling { parcel, marks: [begin, end] })
}

/// Reads a piece that has come back; the kernels' seconds.
fn arrived(batch: &Batch, lane: &Lane, done: &Travelling, answers: &mut Answers) -> Result<f64, DeviceError> {
    let from = lane.incoming("mckp_batch")?;
    let problems = done.parcel.problems.clone();
    let classes = batch.classes_before(problems.start)..batch.classes_before(problems.end);
    read(batch, done.parcel, from, &mut answers.found[problems], &mut answers.picks[classes]);
    let [begin, end] = &done.marks;
    Ok(f64::from(begin.elapsed_ms(end).during("timing a piece")?) / 1e3)
}
