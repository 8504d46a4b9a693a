//! Held-Karp size by size on an NVIDIA GPU, which needs only an installed driver: one warp per set, one lane per
//! city.
//!
//! The same layers in the same order as in the `layers` module, which describes their content and why they meet in
//! the middle; here they stay on the GPU, and only the number of the set with which the tour ends is downloaded.
//! With 139 GiB of memory the limit is 33 cities, which also matches the number of lanes of a warp.

mod cell;
mod tsp_layers;

use super::answer::Answer;
use super::choose::Choose;
use super::size::{self, Split, Sweep};
use super::{Tsp, halves};
use cell::Cell;
use cudarc::driver::CudaSlice;
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_machine::cuda::{Device, DeviceError, During};
use isx_machine::rates;
use isx_problems::tsp::Tsp as Problem;
use std::cmp::Reverse;
use std::time::Instant;
use tsp_layers::{CHOOSE_ROWS, DISTANCES, Fill, Ground, Join, MOST_OTHERS, fill, join};

/// How much longer the launch of a layer takes than one of a row of empty kernels: its sets wait for memory, however few
/// they are. (Fitted on an H200 to tours of 6 to 19 cities.)
const DEEP: f64 = 3.0;

/// Sets of cities launched, a millisecond or two of work, after which the host waits for the GPU, so that cancellation is
/// noticed soon and small layers are not waited for one by one.
const SETS_A_WAIT: u64 = 1 << 22;

/// The engine.
pub struct Cuda;

/// Bytes left to the driver.
const SPARE: u64 = 64 << 20;

impl Engine<Tsp> for Cuda {
    fn plan<'a>(&'a self, request: Request<'a, Tsp>) -> Result<Plan<'a, Tsp>, EngineError> {
        let Request { problem, context, .. } = request;
        let narrow = problem.bound() < <i32 as Cell>::LIMIT;
        let value = if narrow { 4 } else { 8 };
        let (cities, symmetric) = (problem.cities(), problem.is_symmetric());
        size::check(cities, symmetric, value)?;
        let gpu = context.machine.gpu();
        let info = gpu.info()?;
        if cities < 3 {
            return Ok(halves::short(problem));
        }
        let sweep = Sweep::new(problem, symmetric);
        let needed = sweep.tables().iter().sum::<u64>().saturating_mul(value as u64);
        if needed > info.memory {
            return Err(EngineError::GpuMemory { needed, free: info.memory });
        }
        let unfit = |why: &str| EngineError::Unavailable(format!("the tsp_layers kernel {why}"));
        if sweep.split.others > MOST_OTHERS {
            return Err(unfit("has a lane for each of up to 33 cities"));
        }
        if problem.bound() >= <i64 as Cell>::LIMIT {
            return Err(unfit("takes tours of up to 2^61"));
        }
        let bytes = halves::bytes(cities);
        context.machine.allow(bytes)?;
        let Split { before, after, symmetric, .. } = sweep.split;
        let layers = before + if symmetric { 0 } else { after - 1 };
        let seconds = context.machine.seconds_to_start_gpu()
            + rates::GPU_ROUND_TRIP
            + layers as f64 * DEEP * rates::GPU_LAUNCH
            + sweep.total_sets() as f64 * rates::TSP_GPU_SET
            + needed as f64 * rates::TSP_GPU_BYTE;
        let run = Run { problem, sweep, context };
        Ok(Plan::new(Estimate { seconds, bytes }, move || match narrow {
            true => run.solve::<i32>(),
            false => run.solve::<i64>(),
        }))
    }
}

/// A problem as it was planned.
struct Run<'a> {
    problem: &'a Problem,
    sweep: Sweep,
    context: &'a Context<'a>,
}

/// The inputs for computing the layers of a half.
struct Half<'a, V> {
    device: &'a Device,
    ground: Ground<'a, V>,
}

/// The negated length of the shortest tour, and the number of the set of cities with which it ends.
type Best<V> = (V, u32);

impl Run<'_> {
    fn solve<V: Cell>(&self) -> Result<Answer, EngineError> {
        let Self { problem, sweep, context } = self;
        let started = Instant::now();
        let device = &context.machine.gpu().alone()?;
        let needed = sweep.tables().iter().sum::<u64>().saturating_mul(size_of::<V>() as u64);
        let free = device.free_memory()?.saturating_sub(SPARE);
        if needed > free {
            return Err(EngineError::GpuMemory { needed, free });
        }
        context.progress.begin("solving", sweep.total_sets());
        let (best, number) = self.best::<V>(device)?;
        let solve = started.elapsed();
        let last = sweep.choose.mask(number.into(), sweep.split.after);
        let (length, tour) = halves::tour_of_length(problem, last, -best.wide())?;
        let how = format!("{}, tsp_layers", device.info().name);
        let updates = sweep.updates();
        Ok(Answer { length, tour, how, threads: 1, updates, solve, traceback: started.elapsed() - solve })
    }

    fn best<V: Cell>(&self, device: &Device) -> Result<Best<V>, EngineError> {
        let Self { problem, sweep, .. } = self;
        let Split { others, before, after, symmetric } = sweep.split;
        let table = |cells: u64| device.unwritten::<V>("tables of sets", cells as usize);
        let [first, second, third] = sweep.tables();
        let [mut first, mut second, mut third] = [table(first)?, table(second)?, table(third)?];
        let choose = &device.upload("binomial coefficients", &coefficients())?;
        let to = device.upload("distances", &distances::<V>(problem, false))?;
        let half = Half { device, ground: Ground { distances: &to, choose, others } };
        let start = |city: usize| V::of(-problem.distance(0, city));
        self.fill_up_to(before, &half, start, [&mut first, &mut second])?;
        let back = device.upload("distances", &distances::<V>(problem, true))?;
        let half = Half { device, ground: Ground { distances: &back, choose, others } };
        if !symmetric {
            let end = |city: usize| V::of(-problem.distance(city, 0));
            self.fill_up_to(after - 1, &half, end, [&mut second, &mut third])?;
        }
        // If distances are symmetric, the first table may serve both halves; otherwise the second contains the layer
        // below it.
        let below = if symmetric && before == after - 1 { &first } else { &second };
        self.join(&half, below, &first)
    }

    /// Computes the layers of a half up to a given one, which ends up in the first table, and the one below it in
    /// the second.
    fn fill_up_to<V: Cell>(
        &self,
        last: usize,
        half: &Half<'_, V>,
        start: impl Fn(usize) -> V,
        [even, odd]: [&mut CudaSlice<V>; 2],
    ) -> Result<(), EngineError> {
        let Self { sweep, context, .. } = self;
        let Half { device, ground } = half;
        let (mut to, mut from) = if last.is_multiple_of(2) { (even, odd) } else { (odd, even) };
        let row: Vec<V> = (1..=ground.others).map(start).collect();
        let copying = "copying the first layer to the GPU";
        device.stream().memcpy_htod(&row, &mut to.slice_mut(..row.len())).during(copying)?;
        let mut launched = 0;
        for size in 1..=last {
            context.go_on()?;
            (to, from) = (from, to);
            let sets = count(sweep.sets(size))?;
            fill(device, &mut Fill { ground: *ground, from, to, size, sets })?;
            launched += u64::from(sets);
            if launched >= SETS_A_WAIT {
                device.finish("tsp_layers_fill")?;
                launched = 0;
            }
            context.progress.advance(sets.into());
        }
        Ok(())
    }

    /// The best of all sets; of equal ones the first.
    fn join<V: Cell>(
        &self,
        half: &Half<'_, V>,
        after: &CudaSlice<V>,
        before: &CudaSlice<V>,
    ) -> Result<Best<V>, EngineError> {
        let Self { sweep, context, .. } = self;
        let Half { device, ground } = *half;
        context.go_on()?;
        let (size, sets) = (sweep.split.after, count(sweep.joined)?);
        let last = count(sweep.sets(size) - 1)?;
        let (lengths, numbers) = join(device, &Join { ground, after, before, size, sets, last })?;
        let lengths = device.stream().clone_dtoh(&lengths).during("copying lengths of tours from the GPU")?;
        let numbers = device.stream().clone_dtoh(&numbers).during("copying numbers of sets from the GPU")?;
        device.finish("tsp_layers_join")?;
        context.progress.advance(sets.into());
        context.go_on()?;
        let best = lengths.into_iter().zip(numbers).max_by_key(|&(length, number)| (length, Reverse(number)));
        let nothing = || EngineError::Failed("no halves met".into());
        best.filter(|&(_, number)| number < sets).ok_or_else(nothing)
    }
}

/// A number of sets as the kernels count them.
fn count(sets: u64) -> Result<u32, DeviceError> {
    let unfit = |_| DeviceError::Unfit { kernel: "tsp_layers", why: format!("it counts no {sets} sets") };
    i32::try_from(sets).map(i32::unsigned_abs).map_err(unfit)
}

/// C(e, k) at 32 k + e.
fn coefficients() -> Vec<u32> {
    let choose = Choose::new(MOST_OTHERS);
    // The largest is C(31, 15) = 300,540,195.
    let row = |k: usize| (0..MOST_OTHERS).map(move |e| (e, k));
    (0..CHOOSE_ROWS).flat_map(row).map(|(e, k)| choose.of(e, k) as u32).collect()
}

/// The negated distances between all cities but the first, 32 per row; 0 if there is no such city.
fn distances<V: Cell>(problem: &Problem, reversed: bool) -> Vec<V> {
    let mut distances = vec![V::default(); DISTANCES];
    for from in 1..problem.cities() {
        for to in 1..problem.cities() {
            let (a, b) = if reversed { (to, from) } else { (from, to) };
            distances[(from - 1) * MOST_OTHERS + to - 1] = V::of(-problem.distance(a, b));
        }
    }
    distances
}
