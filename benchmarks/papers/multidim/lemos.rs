//! Lemos's schemes, host side: all instances in one table, one launch per item and walks back on the GPU (algorithms 3.1
//! to 3.3); or one instance after the other, with the walk back on the host (algorithms 2.1 and 2.2).
//!
//! If the tables of all instances exceed the GPU's memory, the instances are solved in groups that fit, one group
//! after the other.

use super::multidim_lemos::{Back, Grid, Sweep, back, sweep};
use super::problem::{Batch, Best, Multidim, Problem};
use crate::answer::Answer;
use cudarc::driver::CudaSlice;
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_machine::cuda::{Device, DeviceError, During};
use isx_problems::value::Tier;
use std::time::{Duration, Instant};

/// A weight above every capacity, for items that an instance does not have.
const NOWHERE: i32 = 1 << 30;
/// The share of the free memory for tables, in percent.
const SHARE: u64 = 90;
/// Tables have fewer cells than this, and capacities are below it.
const MOST_CELLS: u64 = 1 << 30;
/// Seconds per launch, and cells per second. (Measured on an H200.)
const LAUNCH: f64 = 6e-6;
const CELLS_A_SECOND: f64 = 1.6e11;

/// D. Lemos, H. Longo, W. Martins and L. Foulds: one launch per item.
#[derive(Clone, Copy, Debug)]
pub struct Lemos {
    /// Whether a launch is over all problems, or over one.
    pub together: bool,
    /// The blocks of every launch, and the threads of a block; by default as many as fill the GPU.
    pub grid: Option<Grid>,
}

impl Engine<Multidim> for Lemos {
    fn plan<'a>(&'a self, request: Request<'a, Multidim>) -> Result<Plan<'a, Multidim>, EngineError> {
        let Request { problem: batch, context, .. } = request;
        if batch.tier() != Tier::I32 {
            return Err(EngineError::Arithmetic(batch.tier()));
        }
        let gpu = context.machine.gpu();
        gpu.info()?;
        for problem in &batch.0 {
            let cells = problem.cells();
            if cells > MOST_CELLS || problem.capacities.iter().any(|&capacity| capacity >= MOST_CELLS) {
                let why = format!("its tables have up to 2^30 cells, and one would have {cells}");
                return Err(EngineError::Unavailable(why));
            }
        }
        let bytes = batch.0.iter().map(|problem| 64 + 16 * problem.items.len() as u64).sum();
        context.machine.allow(bytes)?;
        let candidates: f64 = batch.0.iter().map(|problem| problem.candidates() as f64).sum();
        let launches = batch.0.iter().map(|problem| problem.items.len()).max().unwrap_or(0) as f64;
        let seconds =
            context.machine.seconds_to_start_gpu() + launches * LAUNCH + candidates / CELLS_A_SECOND;
        Ok(Plan::new(Estimate { seconds, bytes }, move || {
            let device = &gpu.alone()?;
            let answer = self.solve(device, batch, context)?;
            context.go_on()?;
            Ok(answer)
        }))
    }
}

impl Lemos {
    fn solve(
        &self,
        device: &Device,
        batch: &Batch,
        context: &Context,
    ) -> Result<Answer<Vec<Best>>, DeviceError> {
        let started = Instant::now();
        let mut answer = Answer {
            found: Vec::with_capacity(batch.0.len()),
            how: format!("{}, multidim_lemos", device.info().name),
            threads: 1,
            updates: 0,
            solve: Duration::ZERO,
            traceback: Duration::ZERO,
        };
        context.progress.begin("solving", batch.0.len() as u64);
        let free = device.free_memory()? / 100 * SHARE;
        let mut rest = &batch.0[..];
        while !rest.is_empty() && !context.machine.is_cancelled() {
            let count = if self.together { together(rest, free)? } else { 1 };
            let (group, others) = rest.split_at(count);
            self.solve_group(device, group, &mut answer)?;
            context.progress.advance(count as u64);
            rest = others;
        }
        answer.solve = started.elapsed();
        Ok(answer)
    }
}

/// Words of chosen bits.
fn chosen_words(items: usize) -> usize {
    items.div_ceil(32).max(1)
}

/// The items whose bits are set.
fn chosen(words: &[u32], items: usize) -> Vec<usize> {
    (0..items).filter(|item| words[item / 32] >> (item % 32) & 1 == 1).collect()
}

/// Cells of an instance, padded to whole words of bits.
fn padded(problem: &Problem) -> u64 {
    problem.cells().div_ceil(32).saturating_mul(32)
}

/// How many of the problems fit the memory together, at least 1.
fn together(problems: &[Problem], free: u64) -> Result<usize, DeviceError> {
    let (mut cells, mut items) = (0u64, 0u64);
    for (count, problem) in problems.iter().enumerate() {
        cells = cells.saturating_add(padded(problem));
        items = items.max(problem.items.len() as u64);
        let needed = cells
            .saturating_mul(2 * size_of::<i32>() as u64)
            .saturating_add((cells / 8).saturating_mul(items));
        if needed > free {
            return if count == 0 { Err(DeviceError::Memory { needed, free }) } else { Ok(count) };
        }
    }
    Ok(problems.len())
}

impl Lemos {
    fn solve_group(
        &self,
        device: &Device,
        problems: &[Problem],
        answer: &mut Answer<Vec<Best>>,
    ) -> Result<(), DeviceError> {
        let unfit = |why: &str| DeviceError::Unfit { kernel: "multidim_lemos", why: why.into() };
        let items = problems.iter().map(|problem| problem.items.len()).max().unwrap_or(0);
        if items == 0 {
            let nothing = || Best { profit: 0.into(), chosen: Vec::new() };
            answer.found.extend(problems.iter().map(|_| nothing()));
            return Ok(());
        }
        let narrow = |figure: u64| i32::try_from(figure).map_err(|_| unfit("a capacity passes 2^30"));
        let mut starts = vec![0i64];
        let mut sides = Vec::new();
        let mut cells = 0;
        for problem in problems {
            cells += padded(problem);
            starts.push(cells as i64);
            for capacity in problem.capacities {
                sides.push(narrow(capacity)? + 1);
            }
        }
        let (mut weights, mut profits) = (Vec::new(), Vec::new());
        for at in 0..items {
            for problem in problems {
                let item = problem.items.get(at);
                for dimension in 0..3 {
                    let weight = item.map_or(u64::MAX, |item| item.weights[dimension]);
                    weights.push(i32::try_from(weight).map_or(NOWHERE, |weight| weight.min(NOWHERE)));
                }
                let profit = i32::try_from(item.map_or(0, |item| item.profit));
                profits.push(profit.map_err(|_| unfit("a profit does not fit its cells"))?);
            }
        }
        let (cells, instances) = (cells as usize, problems.len());
        let words = cells / 32;
        let starts = device.upload("where tables begin", &starts)?;
        let sides = device.upload("capacities", &sides)?;
        let weights = device.upload("weights", &weights)?;
        let profits = device.upload("profits", &profits)?;
        let mut previous = device.zeros::<i32>("tables", cells)?;
        let mut next = device.unwritten::<i32>("tables", cells)?;
        let mut bits = device.unwritten::<u32>("decisions", words * items)?;
        let count = i32::try_from(instances)
            .map_err(|_| unfit("there are more instances than a launch can count"))?;
        for item in 0..items {
            let mut args = Sweep {
                previous: &previous,
                next: &mut next,
                bits: bits.slice_mut(item * words..(item + 1) * words),
                starts: &starts,
                sides: &sides,
                weights: weights.slice(3 * instances * item..3 * instances * (item + 1)),
                profits: profits.slice(instances * item..instances * (item + 1)),
                instances: count,
            };
            sweep(device, cells, self.grid, &mut args)?;
            std::mem::swap(&mut previous, &mut next);
        }
        answer.updates += cells as u64 * items as u64;
        if let ([problem], false) = (problems, self.together) {
            answer.found.push(walk_back(device, problem, words, &previous, &bits)?);
            return Ok(());
        }
        let chosen_words = chosen_words(items);
        let mut best = device.unwritten::<i32>("best profits", instances)?;
        let mut taken = device.zeros::<u32>("chosen items", instances * chosen_words)?;
        let mut args = Back {
            last: &previous,
            bits: &bits,
            starts: &starts,
            sides: &sides,
            weights: &weights,
            items: items as i32,
            instances: count,
            best: &mut best,
            chosen: &mut taken,
            chosen_words: chosen_words as i32,
        };
        back(device, cells, &mut args)?;
        let best = device.stream().clone_dtoh(&best).during("copying best profits from the GPU")?;
        let taken = device.stream().clone_dtoh(&taken).during("copying chosen items from the GPU")?;
        device.finish("multidim_lemos")?;
        for (at, problem) in problems.iter().enumerate() {
            let chosen = chosen(&taken[at * chosen_words..], problem.items.len());
            answer.found.push(Best { profit: best[at].into(), chosen });
        }
        Ok(())
    }
}

/// The walk back of algorithm 2.1: all decisions of a problem are copied to the host.
fn walk_back(
    device: &Device,
    problem: &Problem,
    words: usize,
    last: &CudaSlice<i32>,
    bits: &CudaSlice<u32>,
) -> Result<Best, DeviceError> {
    let [_, side1, side2] = problem.capacities.map(|capacity| capacity + 1);
    let mut cell = problem.cells() - 1;
    let best = device.download("a best profit", &last.slice(cell as usize..=cell as usize))?;
    let bits = device.download("decisions", &bits.slice(..))?;
    device.finish("multidim_lemos")?;
    let mut chosen = Vec::new();
    for (at, item) in problem.items.iter().enumerate().rev() {
        if bits[at * words + (cell / 32) as usize] >> (cell % 32) & 1 == 1 {
            let [w0, w1, w2] = item.weights;
            chosen.push(at);
            // Only a wrong decision leads below 0; the final sum over the items detects it.
            cell = cell.saturating_sub((w0 * side1 + w1) * side2 + w2);
        }
    }
    chosen.reverse();
    Ok(Best { profit: best[0].into(), chosen })
}
