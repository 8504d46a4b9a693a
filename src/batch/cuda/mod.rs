//! Batches on an NVIDIA GPU: each problem by one warp with Pareto lists in its shared memory ([`Warps`]), or by one
//! block with a dense row ([`rows::Rows`]).
//!
//! Problems are transferred in pieces. Each thread of the CPU packs pieces for one GPU, in lanes of its own, and reads
//! their answers (`carry.rs`), so that packing, copies, kernels and reading overlap. Problems that exceed the kernels'
//! integers or memory are solved by the CPU's lists.

mod carry;
mod mckp_batch;
mod mckp_batch_rows;
mod pack;
pub mod rows;

pub use carry::Times;
pub use mckp_batch::MOST_SLOTS;
pub use pack::MOST;

use crate::family::answer_bytes;
use crate::{Answers, Batch, MckpBatch, lists};
use carry::{AllCarried, Passage, carried};
use cudarc::driver::CudaEvent;
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_machine::cuda::{Device, DeviceError, During, Gpu, Lane, LaneSize};
use isx_machine::rates::Rate;
use isx_problems::value::Tier;
use mckp_batch::{Most, Piece, QUEUE_ENDS, Queue, launch_long, launch_short, place};
use mckp_batch_rows::{STORE, STORES, holds, launch_rows};
use pack::LEAST_PIECE;
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
    let crews = crews(machine.threads(), gpus.len(), usize::MAX, &options);
    let lanes: usize = crews.iter().map(Vec::len).sum();
    let size = sizes(&options);
    let bytes = answer_bytes(batch).saturating_add((lanes * (size.to + size.from)) as u64);
    machine.allow(bytes)?;
    let (start_up, rates) = (machine.seconds_to_start_gpu(), machine.rates());
    let items = batch.items() as f64;
    let packing = rates[Rate::BatchGpuPack] / crews.len() as f64;
    let an_item = rates[an_item] / gpus.len() as f64;
    let seconds = start_up + rates[Rate::BatchGpuBuffers] + items * packing.max(an_item);
    Ok(Plan::new(Estimate { seconds, bytes }, move || {
        let devices = gpus.iter().map(|gpu| Ok(&**gpu.device()?)).collect::<Result<Vec<_>, DeviceError>>()?;
        let (answers, _) = solve(&devices, batch, context, &options)?;
        Ok(answers)
    }))
}

/// Bytes of a piece: about a thousand problems of 120 items, which remain in a core's cache until they are sent.
const PIECE: usize = 1 << 20;
/// Lanes per thread: one is packed while the other one's piece is away.
const LANES: usize = 2;
/// The least number of lanes per GPU, so that copies and kernels overlap even if one thread packs for it.
const LEAST_LANES: usize = 4;
/// The most threads that pack for one GPU, which takes no more from them.
const MOST_PACKERS: usize = 16;

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
    /// The most pieces on their way to or from a GPU at a time; 1 leaves each of its pieces the whole GPU.
    pub lanes: usize,
    /// Bytes of a piece, at least a few thousand.
    pub piece: usize,
    /// Measure copies and kernels too ([`Times`]), which takes time.
    pub timed: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { rows: false, short: SHORT, long: 1024, lanes: usize::MAX, piece: PIECE, timed: false }
    }
}

/// Solves a batch on GPUs, at least one; also returns where the time went.
///
/// # Errors
///
/// [`EngineError`]: a fault of the GPU, or the computation was canceled.
pub fn solve(
    devices: &[&Device],
    batch: &Batch,
    context: &Context,
    options: &Options,
) -> Result<(Answers, Times), EngineError> {
    let started = Instant::now();
    context.progress.begin("solving", batch.len() as u64);
    let threads = context.machine.threads();
    let sizes: Vec<LaneSize> = devices
        .iter()
        .map(|device| lane_size(device, devices.len(), threads, options))
        .collect::<Result<_, _>>()?;
    let lanes = |crew: Vec<usize>| {
        let lane = |gpu: usize| {
            let device = devices[gpu];
            let mut taken = device.take_lanes(1, sizes[gpu])?;
            let lane = taken.pop().ok_or(DeviceError::NoDevice)?;
            Ok(Way { device, lane, options, marks: None, times: Times::default() })
        };
        crew.into_iter().map(lane).collect::<Result<Vec<Way>, DeviceError>>()
    };
    let crews = |pieces: usize| {
        let crews = crews(threads, devices.len(), pieces, options);
        crews.into_iter().map(lanes).collect::<Result<Vec<_>, DeviceError>>()
    };
    let AllCarried { found, picks, left, passages, mut times } =
        carried(batch, options.piece, context, crews)?;
    for Way { device, lane, times: own, .. } in passages {
        times.upload += own.upload;
        times.kernels += own.kernels;
        times.back += own.back;
        device.keep_lanes(vec![lane]);
    }
    let mut answers = Answers {
        found,
        picks,
        how: format!(
            "{}, {}",
            devices.first().map_or("no GPU", |device| &device.info().name),
            if options.rows { "mckp_batch_rows" } else { "mckp_batch" }
        ),
        threads,
        tier: Tier::I32,
        updates: 0,
        solve: Duration::ZERO,
    };
    lists::complete(batch, &mut answers, &left, context)?;
    answers.solve = started.elapsed();
    Ok((answers, times))
}

/// Packs a batch and reads answers as [`solve`] does, but without GPUs: what the CPU's part takes, for measurements. The
/// answers are nothing to every problem.
///
/// # Errors
///
/// [`EngineError`]: the computation was canceled.
pub fn host_only(batch: &Batch, context: &Context, options: &Options) -> Result<Times, EngineError> {
    let bytes = sizes(options).to.next_multiple_of(4);
    let carried = carried(batch, options.piece, context, |pieces| {
        let crews = crews(context.machine.threads(), 1, pieces, options);
        let host = |_| HostOnly { to: vec![0; bytes / 4], from: vec![0; bytes / 4] };
        Ok(crews.into_iter().map(|crew| crew.into_iter().map(host).collect()).collect())
    })?;
    Ok(carried.times)
}

/// A way that ends where it begins.
struct HostOnly {
    to: Vec<u32>,
    from: Vec<u32>,
}

impl Passage for HostOnly {
    fn outgoing(&mut self) -> Result<&mut [u8], DeviceError> {
        Ok(bytemuck::cast_slice_mut(&mut self.to))
    }

    fn depart(&mut self, _: &Piece, _: &Most) -> Result<(), DeviceError> {
        Ok(())
    }

    fn arrived(&mut self) -> Result<&[u8], DeviceError> {
        Ok(bytemuck::cast_slice(&self.from))
    }
}

/// The GPU of every lane of every thread that packs. Each thread packs for one GPU, or for several if there are fewer
/// threads.
fn crews(threads: usize, gpus: usize, pieces: usize, options: &Options) -> Vec<Vec<usize>> {
    let (gpus, most) = (gpus.max(1), options.lanes.max(1));
    let packers = threads.min(gpus * MOST_PACKERS.min(most)).clamp(1, pieces.max(1));
    let mut crews = vec![Vec::new(); packers];
    for gpu in 0..gpus {
        // The threads that pack for this GPU.
        let own = (0..packers.max(gpus)).filter(|place| place % gpus == gpu).map(|place| place % packers);
        let own: Vec<usize> = own.collect();
        let lanes = (LANES * own.len()).max(LEAST_LANES).min(most).min(pieces.max(1));
        own.iter().cycle().take(lanes).for_each(|&packer| crews[packer].push(gpu));
    }
    crews
}

/// Bytes per lane, without memory for rows.
fn sizes(options: &Options) -> LaneSize {
    let piece = options.piece.max(LEAST_PIECE);
    LaneSize { to: piece, from: piece, made: (piece + QUEUE_ENDS).next_multiple_of(256) }
}

/// Bytes per lane; the memory for rows follows that of the piece.
fn lane_size(
    device: &Device,
    gpus: usize,
    threads: usize,
    options: &Options,
) -> Result<LaneSize, DeviceError> {
    let size = sizes(options);
    if !options.rows {
        return Ok(size);
    }
    let crews = crews(threads, gpus, usize::MAX, options);
    let lanes = crews.iter().flatten().filter(|&&gpu| gpu == 0).count().max(1);
    let share = STORES.min(device.usable_memory()? as usize / 8) / lanes;
    Ok(LaneSize { made: size.made + STORE.min(share) / 16 * 16, ..size })
}

/// A lane of a GPU, and the engine at its end.
struct Way<'a> {
    device: &'a Device,
    lane: Lane,
    options: &'a Options,
    /// Before the copy to the GPU, before and after the kernels, and after the copy from it.
    marks: Option<[CudaEvent; 4]>,
    times: Times,
}

impl Passage for Way<'_> {
    fn outgoing(&mut self) -> Result<&mut [u8], DeviceError> {
        self.lane.outgoing()
    }

    fn depart(&mut self, piece: &Piece, most: &Most) -> Result<(), DeviceError> {
        let mark = |lane: &Lane| self.options.timed.then(|| lane.mark()).transpose();
        let begin = mark(&self.lane)?;
        self.lane.send(piece.sizes.end)?;
        let sent = mark(&self.lane)?;
        launch(self.device, &self.lane, piece, most, self.options)?;
        let solved = mark(&self.lane)?;
        self.lane.bring(piece.picks.end)?;
        let end = mark(&self.lane)?;
        self.marks = begin.zip(sent).zip(solved.zip(end)).map(|((a, b), (c, d))| [a, b, c, d]);
        Ok(())
    }

    fn arrived(&mut self) -> Result<&[u8], DeviceError> {
        let from = self.lane.incoming("mckp_batch")?;
        if let Some([begin, sent, solved, end]) = self.marks.take() {
            let times = [(&begin, &sent), (&sent, &solved), (&solved, &end)];
            let sums = [&mut self.times.upload, &mut self.times.kernels, &mut self.times.back];
            for ((from, to), sum) in times.into_iter().zip(sums) {
                let milliseconds = from.elapsed_ms(to).during("timing a piece")?;
                *sum += Duration::from_secs_f64(f64::from(milliseconds.max(0.0)) / 1e3);
            }
        }
        Ok(from)
    }
}

/// Launches kernels on a piece that was sent; returns before they finish.
fn launch(
    device: &Device,
    lane: &Lane,
    piece: &Piece,
    most: &Most,
    options: &Options,
) -> Result<(), DeviceError> {
    let at = place(lane, piece, most, sizes(options).made)?;
    if options.rows && options.short == 0 && holds(device, &at) && launch_rows(device, &at, None)? {
        return launch_long(device, &at, options.long, Queue::Beyond);
    }
    // Lists work with any capacity.
    let short = if options.short == 0 { SHORT } else { options.short };
    launch_short(device, &at, short)?;
    let some = options.rows && launch_rows(device, &at, Some(Queue::Full))?;
    launch_long(device, &at, options.long, if some { Queue::Beyond } else { Queue::Full })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_gpu_has_threads_and_lanes_and_every_thread_a_gpu() {
        for (threads, gpus, pieces, lanes) in [
            (1, 1, usize::MAX, usize::MAX),
            (16, 1, usize::MAX, usize::MAX),
            (16, 2, usize::MAX, usize::MAX),
            (1, 3, usize::MAX, usize::MAX),
            (5, 3, 100, usize::MAX),
            (100, 2, usize::MAX, usize::MAX),
            (16, 2, 3, usize::MAX),
            (16, 2, usize::MAX, 1),
            (16, 1, 0, usize::MAX),
        ] {
            let crews = crews(threads, gpus, pieces, &Options { lanes, ..Options::default() });
            let case = format!("{threads} threads, {gpus} GPUs, {pieces} pieces, {lanes} lanes: {crews:?}");
            assert!(crews.len() <= threads && crews.len() <= pieces.max(1), "{case}");
            assert!(crews.iter().all(|crew| !crew.is_empty()), "{case}");
            for gpu in 0..gpus {
                let own = crews.iter().flatten().filter(|&&of| of == gpu).count();
                assert!(own >= 1 && own <= lanes && own <= 2 * MOST_PACKERS, "{case}");
                assert!(pieces < usize::MAX || lanes < LEAST_LANES || own >= LEAST_LANES, "{case}");
            }
            // A thread that packs for one GPU has a lane to pack while the other one's piece is away.
            let alone =
                pieces < usize::MAX || lanes < usize::MAX || crews.iter().all(|crew| crew.len() >= LANES);
            assert!(alone, "{case}");
        }
    }
}
