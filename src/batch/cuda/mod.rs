//! Batches on an NVIDIA GPU: each problem by one warp with Pareto lists in its shared memory ([`Warps`]), or by one
//! block with a dense row ([`rows::Rows`]).
//!
//! Problems are transferred in pieces, each through its own lane, so that copies and kernels overlap while the host
//! packs the next piece and reads the last one. Of several GPUs each has lanes of its own, which take turns. Problems
//! that exceed the kernels' integers or memory are solved by the CPU's lists.

mod mckp_batch;
mod mckp_batch_rows;
mod pack;
pub mod rows;

pub use mckp_batch::MOST_SLOTS;
pub use pack::MOST;

use crate::family::answer_bytes;
use crate::{Answers, Batch, Found, MckpBatch, NO_ITEM, lists};
use cudarc::driver::CudaEvent;
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_machine::cuda::{Device, DeviceError, During, Gpu, Lane, LaneSize};
use isx_machine::rates::Rate;
use isx_problems::value::Tier;
use mckp_batch::{Piece, Queue, launch_long, launch_short, place};
use mckp_batch_rows::{STORE, holds, launch_rows};
use pack::{Parcel, pack, parcels, read};
use std::time::{Duration, Instant};

/// The engine.
pub struct Warps;

impl Engine<MckpBatch> for Warps {
    fn plan<'a>(&'a self, request: Request<'a, MckpBatch>) -> Result<Plan<'a, MckpBatch>, EngineError> {
        plan(request, Rate::BatchGpuItem, Options::default())
    }
}

/// A plan with these options, for kernels whose items take this long.
fn plan(
    request: Request<'_, MckpBatch>,
    an_item: Rate,
    options: Options,
) -> Result<Plan<'_, MckpBatch>, EngineError> {
    let Request { problem: batch, context, .. } = request;
    let machine = context.machine;
    let gpus: Vec<&Gpu> = machine.gpus().map(AsRef::as_ref).collect();
    gpus.iter().try_for_each(|gpu| gpu.info().map(drop))?;
    let lanes = (gpus.len() * LANES) as u64 * (SIZE.to + SIZE.from) as u64;
    let bytes = answer_bytes(batch).saturating_add(lanes);
    machine.allow(bytes)?;
    let (start_up, rates) = (machine.seconds_to_start_gpu(), machine.rates());
    let items = batch.items() as f64;
    let packing = rates[Rate::BatchGpuPack] / machine.threads() as f64;
    let an_item = rates[an_item] / gpus.len() as f64;
    let seconds = start_up + rates[Rate::GpuRoundTrip] + items * (packing + an_item);
    Ok(Plan::new(Estimate { seconds, bytes }, move || {
        let devices = gpus.iter().map(|gpu| Ok(&**gpu.device()?)).collect::<Result<Vec<_>, DeviceError>>()?;
        let (answers, _) = solve(&devices, batch, context, &options)?;
        Ok(answers)
    }))
}

/// Bytes per lane.
const SIZE: LaneSize = LaneSize { to: 16 << 20, from: 4 << 20, made: 6 << 20 };
/// Lanes: one is packed while another is in transfer and a third is read.
const LANES: usize = 3;

/// States of the first kernel's lists.
const SHORT: usize = 128;

/// Options for measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Use dense rows, for all problems or for those that exceed the first kernel's lists.
    pub rows: bool,
    /// States of the first kernel's lists; 0 with rows skips that kernel if the rows of all problems fit.
    pub short: usize,
    /// States of the lists of problems that exceed the first ones, or whose rows do not fit.
    pub long: usize,
    /// Pieces in transfer at a time.
    pub lanes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { rows: false, short: SHORT, long: 1024, lanes: LANES }
    }
}

/// A piece in transfer.
struct Travelling<'a> {
    parcel: &'a Parcel,
    marks: [CudaEvent; 2],
}

/// Solves a batch on GPUs, at least one, and returns the kernels' time by their clocks (summed; concurrent pieces each count
/// in full).
///
/// # Errors
///
/// [`EngineError`]: a fault of the GPU, or the computation was canceled.
pub fn solve(
    devices: &[&Device],
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
        how: format!(
            "{}, {}",
            devices.first().map_or("no GPU", |device| &device.info().name),
            if options.rows { "mckp_batch_rows" } else { "mckp_batch" }
        ),
        threads: workers.threads(),
        tier: Tier::I32,
        updates: 0,
        solve: Duration::ZERO,
    };
    let each = options.lanes.min(parcels.len().div_ceil(devices.len().max(1))).max(1);
    let mut lanes = Vec::new();
    for &device in devices {
        let taken = device.take_lanes(each, size(device, options)?)?;
        lanes.extend(taken.into_iter().enumerate().map(|(turn, lane)| (turn, device, lane)));
    }
    lanes.sort_by_key(|&(turn, ..)| turn);
    let count = lanes.len();
    let mut travelling: Vec<Option<Travelling>> = (0..count).map(|_| None).collect();
    let mut kernels = 0.0;
    // One more turn for each piece that is still in transfer at the end.
    for turn in 0..parcels.len() + count {
        context.go_on()?;
        let (_, device, lane) = &mut lanes[turn % count];
        if let Some(done) = travelling[turn % count].take() {
            kernels += workers.run(|| arrived(batch, lane, &done, &mut answers))?;
            context.progress.advance(done.parcel.problems.len() as u64);
        }
        if let Some(parcel) = parcels.get(turn) {
            let to = lane.outgoing()?;
            let widest = workers.run(|| pack(batch, parcel, to));
            travelling[turn % count] = Some(depart(device, lane, parcel, widest, options)?);
        }
    }
    for (_, device, lane) in lanes {
        device.keep_lanes(vec![lane]);
    }
    workers.run(|| lists::complete(batch, &mut answers, context))?;
    answers.solve = started.elapsed();
    Ok((answers, Duration::from_secs_f64(kernels)))
}

/// Bytes per lane; the memory for rows follows that of the piece.
fn size(device: &Device, options: &Options) -> Result<LaneSize, DeviceError> {
    if !options.rows {
        return Ok(SIZE);
    }
    let share = device.usable_memory()? as usize / (8 * options.lanes.max(1));
    Ok(LaneSize { made: SIZE.made + STORE.min(share) / 16 * 16, ..SIZE })
}

/// Launches kernels on a piece that was sent, with capacities up to `widest`; returns before they finish.
fn launch(
    device: &Device,
    lane: &mut Lane,
    piece: &Piece,
    widest: usize,
    options: &Options,
) -> Result<(), DeviceError> {
    place(lane, piece, SIZE.made, |mut at| {
        let all = options.rows && options.short == 0 && holds(device, &at, widest);
        if all && launch_rows(device, &mut at, None, widest)? {
            return launch_long(device, &mut at, options.long, Queue::Beyond);
        }
        // Lists work with any capacity.
        let short = if options.short == 0 { SHORT } else { options.short };
        launch_short(device, &mut at, short)?;
        let some = options.rows && launch_rows(device, &mut at, Some(Queue::Full), widest)?;
        launch_long(device, &mut at, options.long, if some { Queue::Beyond } else { Queue::Full })
    })
}

/// Starts the transfer of a packed piece.
fn depart<'a>(
    device: &Device,
    lane: &mut Lane,
    parcel: &'a Parcel,
    widest: usize,
    options: &Options,
) -> Result<Travelling<'a>, DeviceError> {
    lane.send(parcel.piece.sizes.end)?;
    let begin = lane.mark()?;
    launch(device, lane, &parcel.piece, widest, options)?;
    let end = lane.mark()?;
    lane.bring(parcel.piece.picks.end)?;
    Ok(Travelling { parcel, marks: [begin, end] })
}

/// Reads the results of a piece; returns the kernels' seconds.
fn arrived(batch: &Batch, lane: &Lane, done: &Travelling, answers: &mut Answers) -> Result<f64, DeviceError> {
    let from = lane.incoming("mckp_batch")?;
    let problems = done.parcel.problems.clone();
    let classes = batch.classes_before(problems.start)..batch.classes_before(problems.end);
    read(batch, done.parcel, from, &mut answers.found[problems], &mut answers.picks[classes]);
    let [begin, end] = &done.marks;
    Ok(f64::from(begin.elapsed_ms(end).during("timing a piece")?) / 1e3)
}
