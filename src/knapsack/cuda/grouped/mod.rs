//! All items of one weight in one launch: all capacities in one row per group.
//!
//! As in the CPU's grouped engine (`src/knapsack/grouped`): with P(k) the greatest profit of k items of a weight,
//! one launch of `knapsack_grouped.cu` per group computes a row from the previous one by trying every k. A long run
//! of equal profits is split into bundles, so that no launch tries more than a few numbers of them. Rows end at the
//! weight of all items so far; if one capacity is requested, they begin where it can still be filled (P. Toth,
//! Computing 25, 1980).
//!
//! The items of one capacity are found from the rows after every group. If these do not fit into the GPU's memory,
//! some are stored, and those between two of them are computed once more, from the last to the first.

mod knapsack_grouped;
mod passes;

use crate::answer::Answer;
use crate::grouped::groups::Group;
use crate::slack::slack;
use crate::{Knapsack, Wanted};
use cudarc::driver::CudaSlice;
use isx_engine::rises::breakpoints;
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_machine::cpu::Team;
use isx_machine::cpu::lanes::Lane;
use isx_machine::cuda::{Device, During};
use isx_machine::rates;
use isx_problems::reduce::knapsack::Reduced;
use isx_problems::value::{Tier, Values};
use knapsack_grouped::{Args, GroupedCell, Walk, WalkGroup, fill, steps, table, walk};
use passes::Passes;
use std::ops::Range;
use std::time::Instant;

/// The grouped engine on a GPU.
pub struct Grouped;

/// Bytes of rows stored to find the items of one capacity; beyond this some rows are computed twice.
const KEPT: u64 = 16 << 30;
/// Launches after which the host waits for the GPU to check for cancellation.
const LAUNCHES_AHEAD: usize = 256;

impl Engine<Knapsack> for Grouped {
    fn plan<'a>(&'a self, request: Request<'a, Knapsack>) -> Result<Plan<'a, Knapsack>, EngineError> {
        let Request { problem, wanted, context } = request;
        let cell = cell_bytes(problem, wanted)?;
        let machine = context.machine;
        let info = machine.gpu().info()?;
        let row = problem.capacity.saturating_add(1).saturating_mul(cell);
        if row.saturating_mul(2) > info.memory {
            return Err(EngineError::GpuMemory { needed: row.saturating_mul(2), free: info.memory });
        }
        let all = wanted == Wanted::AllValues;
        let bytes = if all { problem.capacity.saturating_add(1).saturating_mul(16 + cell) } else { 0 };
        machine.allow(bytes)?;
        let plans = Passes::of(problem);
        let rate = info.multiprocessors.max(1) as f64;
        let sweeps = if wanted == Wanted::Best { 2.0 } else { 1.0 };
        let gpu = plans.seconds(cell as f64, rate) * sweeps;
        let back = if all { problem.capacity as f64 * rates::KNAPSACK_GPU_POINT } else { 0.0 };
        let start_up = machine.seconds_to_start_gpu();
        let estimate = Estimate { seconds: start_up + gpu + back, bytes };
        Ok(Plan::new(estimate, move || {
            let device = &machine.gpu().alone()?;
            let answer = solve(device, problem, &plans, wanted, context, KEPT)?;
            context.go_on()?;
            Ok(answer)
        }))
    }
}

/// Bytes of a cell that fits every sum of profits, if the engine supports the request.
fn cell_bytes(problem: &Reduced, wanted: Wanted) -> Result<u64, EngineError> {
    match problem.tier {
        _ if wanted == Wanted::AllPicks => {
            Err(EngineError::Unavailable("it finds the items of one capacity, not of all".into()))
        }
        Tier::I32 => Ok(4),
        Tier::I64 => Ok(8),
        wider => Err(EngineError::Arithmetic(wider)),
    }
}

/// The answer; for the capacity alone if `wanted` says so. The rows to find its items take up to `kept` bytes, if
/// these are enough. Fails if the profits exceed 64 bits in total, the rows do not fit into the GPU's memory, items
/// of all capacities are requested, or a call fails.
pub fn grouped(
    device: &Device,
    problem: &Reduced,
    wanted: Wanted,
    context: &Context,
    kept: u64,
) -> Result<Answer, EngineError> {
    cell_bytes(problem, wanted)?;
    solve(device, problem, &Passes::of(problem), wanted, context, kept)
}

fn solve(
    device: &Device,
    problem: &Reduced,
    plans: &Passes,
    wanted: Wanted,
    context: &Context,
    kept: u64,
) -> Result<Answer, EngineError> {
    let solve = if cell_bytes(problem, wanted)? == 4 { solve_in::<i32> } else { solve_in::<i64> };
    solve(device, problem, plans, wanted, context, kept)
}

fn solve_in<C: GroupedCell>(
    device: &Device,
    problem: &Reduced,
    plans: &Passes,
    wanted: Wanted,
    context: &Context,
    kept: u64,
) -> Result<Answer, EngineError> {
    let started = Instant::now();
    if plans.passes.is_empty() {
        let picks = wanted.picks().then(|| Answer::one_selection(Vec::new())).flatten();
        let nothing = Answer::new(vec![0], Values::I64(vec![0]), picks);
        return Ok(Answer { how: "nothing to do".into(), ..nothing });
    }
    context.progress.begin("solving", plans.passes.len() as u64);
    let capacity = plans.capacity;
    let mut sweep = Sweep::<C>::new(device, plans, wanted.picks().then_some(kept), context)?;
    let slack = wanted.is_one_capacity().then(|| slack(&problem.items, problem.capacity).min(capacity));
    let end = sweep.forward((capacity, slack))?;
    device.finish(C::FILL)?;
    let mut answer = Answer {
        how: format!("{}, {} groups", device.info().name, plans.groups.groups.len()),
        updates: sweep.updates,
        ..Answer::new(Vec::new(), Values::I64(Vec::new()), None)
    };
    if let Some(slack) = slack {
        let first = capacity - slack;
        let cells = device
            .download("cells of a row", &sweep.row(end).slice(first as usize..capacity as usize + 1))?;
        let cells: Vec<i64> = cells.into_iter().map(Lane::wide).collect();
        let best = cells.last().copied().unwrap_or(0);
        let weight = first + cells.partition_point(|&held| held < best) as u64;
        (answer.weights, answer.profits) = (vec![weight], Values::I64(vec![best]));
        answer.solve = started.elapsed();
        if wanted == Wanted::Best {
            answer.picks = Answer::one_selection(sweep.items(weight)?);
        }
    } else {
        let row = device.download("a row of values", &sweep.row(end))?;
        answer.solve = started.elapsed();
        let (weights, profits) = breakpoints(&row, &Team::of(context.machine.workers()), C::clone);
        (answer.weights, answer.profits) = (weights, C::store(profits));
    }
    answer.traceback = started.elapsed() - answer.solve;
    Ok(answer)
}

/// Rows on the GPU, and the sweep over them.
///
/// Rows 0 and 1 are temporary. If items are requested, rows 2 .. 2 + part are those before and after the groups of
/// one part, followed by the rows before every part, unless there is only one part.
struct Sweep<'a, C> {
    device: &'a Device,
    context: &'a Context<'a>,
    plans: &'a Passes,
    rows: CudaSlice<C>,
    stride: u64,
    /// Groups per part; `None` if no items are requested.
    part: Option<usize>,
    /// The tables of all passes, and the position of each.
    gains: CudaSlice<C>,
    tables: Vec<usize>,
    updates: u64,
}

/// The first row of a part.
const PART: usize = 2;

impl<'a, C: GroupedCell> Sweep<'a, C> {
    fn new(
        device: &'a Device,
        plans: &'a Passes,
        items: Option<u64>,
        context: &'a Context<'a>,
    ) -> Result<Self, EngineError> {
        let stride = plans.capacity + 1;
        let row = stride.saturating_mul(size_of::<C>() as u64);
        let groups = plans.groups.groups.len();
        let free = device.usable_memory()?;
        let part = items.map(|kept| {
            let most = (kept.min(free) / row).saturating_sub(8) as usize;
            most.clamp(groups.isqrt() + 1, groups.max(groups.isqrt() + 1)).min(groups.max(1))
        });
        let rows = match part {
            None => 2,
            Some(part) if part == groups => 3 + part,
            Some(part) => 3 + part + groups.div_ceil(part),
        };
        let needed = row.saturating_mul(rows as u64);
        if needed > free {
            return Err(EngineError::GpuMemory { needed, free });
        }
        let (mut gains, mut tables) = (Vec::new(), Vec::new());
        for pass in &plans.passes {
            tables.push(gains.len());
            gains.extend(table::<C>(&pass.sums));
        }
        let cells = usize::try_from(stride).ok().and_then(|stride| stride.checked_mul(rows));
        let cells = cells.ok_or(EngineError::GpuMemory { needed, free })?;
        Ok(Self {
            device,
            context,
            plans,
            rows: device.zeros("rows of values", cells)?,
            stride,
            part,
            gains: device.upload("sums of profits", &gains)?,
            tables,
            updates: 0,
        })
    }

    fn row(&self, at: usize) -> cudarc::driver::CudaView<'_, C> {
        let stride = self.stride as usize;
        self.rows.slice(at * stride..(at + 1) * stride)
    }

    /// The row in which the first sweep stores the result after this many groups, if it does.
    fn kept(&self, groups: usize) -> Option<usize> {
        let part = self.part?;
        if part == self.plans.groups.groups.len() {
            return Some(PART + groups);
        }
        groups.is_multiple_of(part).then_some(PART + part + 1 + groups / part)
    }

    /// The first sweep, from a row of zeros; returns the row with the result.
    fn forward(&mut self, wanted: (u64, Option<u64>)) -> Result<usize, EngineError> {
        let start = self.kept(0).unwrap_or(0);
        let groups = self.plans.groups.groups.len();
        // The last row of all parts has no permanent place.
        let kept: Vec<Option<usize>> = (0..=groups)
            .map(|after| self.kept(after).filter(|_| after < groups || self.is_one_part()))
            .collect();
        self.run(0..groups, start, wanted, &kept)
    }

    fn is_one_part(&self) -> bool {
        self.part == Some(self.plans.groups.groups.len())
    }

    /// Sweeps over these groups, starting from a given row; the row after each group is stored where `kept` says,
    /// counted from the first group.
    fn run(
        &mut self,
        groups: Range<usize>,
        from: usize,
        wanted: (u64, Option<u64>),
        kept: &[Option<usize>],
    ) -> Result<usize, EngineError> {
        let plans = self.plans;
        let place = |group: usize| plans.passes.partition_point(|pass| pass.group < group);
        let numbers = place(groups.start)..place(groups.end);
        let passes = &plans.passes[numbers.clone()];
        let mut at = from;
        for (number, pass) in numbers.zip(passes) {
            let cells = plans.cells(pass, passes, wanted);
            let ends_group = plans.passes.get(number + 1).is_none_or(|next| next.group != pass.group);
            let own = kept.get(pass.group + 1 - groups.start).copied().flatten().filter(|_| ends_group);
            let to = own.unwrap_or(usize::from(at == 0));
            let last = pass.before.min(plans.capacity.into()) as u64;
            self.updates =
                self.updates.saturating_add((cells.end - cells.start).saturating_mul(pass.sums.len() as u64));
            self.fill(number, (at, to), cells, last)?;
            at = to;
            if number.is_multiple_of(LAUNCHES_AHEAD) {
                self.device.finish(C::FILL)?;
            }
            self.context.go_on()?;
            self.context.progress.advance(1);
        }
        Ok(at)
    }

    fn fill(
        &mut self,
        number: usize,
        (from, to): (usize, usize),
        cells: Range<u64>,
        last: u64,
    ) -> Result<(), EngineError> {
        let pass = &self.plans.passes[number];
        let stride = self.stride as usize;
        let (mut below, mut above) = self.rows.split_at_mut(from.max(to) * stride);
        let (previous, next) = if from < to {
            (below.slice(from * stride..), above.slice_mut(..stride))
        } else {
            (above.slice(..stride), below.slice_mut(to * stride..(to + 1) * stride))
        };
        let begin = self.tables[number];
        let gains = self.gains.slice(begin..begin + steps::<C>(pass.most()) + C::ROWS);
        let Range { start: first, end } = cells;
        let mut args =
            Args { previous, next, gains, most: pass.most(), weight: pass.weight, first, end, last };
        Ok(fill(self.device, &mut args)?)
    }

    /// The items of a cell of the last row, smallest first.
    fn items(&mut self, mut cell: u64) -> Result<Vec<u32>, EngineError> {
        let groups = self.plans.groups.groups.len();
        let part = self.part.unwrap_or(groups).max(1);
        let sums: Vec<C> = self.plans.sums.iter().map(|&sum| C::of(sum)).collect();
        let sums = self.device.upload("sums of profits", &sums)?;
        let mut chosen = Vec::new();
        for first in (0..groups).step_by(part).rev() {
            let of = first..groups.min(first + part);
            // Capacity beyond the weight of all items up to here cannot be used.
            let last = self.plans.passes.iter().rfind(|pass| pass.group < of.end);
            cell = last.map_or(0, |pass| pass.before + pass.reach()).min(cell.into()) as u64;
            if !self.is_one_part() {
                self.again(&of, cell)?;
            }
            let told: Vec<WalkGroup> = of.clone().map(|group| self.walked(group)).collect();
            let rows = self.rows.slice(PART * self.stride as usize..);
            let (stride, sums) = (self.stride, sums.slice(..));
            let args = Walk { rows, stride, groups: &told, sums, highest: cell, cell };
            let (numbers, left) = walk(self.device, &args)?;
            for (group, number) in of.zip(numbers) {
                let members = self.plans.groups.groups[group].members.clone();
                chosen.extend_from_slice(&self.plans.groups.members[members][..number as usize]);
            }
            cell = left;
        }
        chosen.sort_unstable();
        Ok(chosen)
    }

    /// Computes the rows of a part again up to a cell, from the row stored before it.
    fn again(&mut self, groups: &Range<usize>, cell: u64) -> Result<(), EngineError> {
        let stride = self.stride as usize;
        let from = self.kept(groups.start).unwrap_or(0);
        let (mut below, above) = self.rows.split_at_mut(from * stride);
        let mut to = below.slice_mut(PART * stride..(PART + 1) * stride);
        self.device
            .stream()
            .memcpy_dtod(&above.slice(..stride), &mut to)
            .during("copying a row of values")?;
        let kept: Vec<Option<usize>> = (0..=groups.len()).map(|after| Some(PART + after)).collect();
        self.run(groups.clone(), PART, (cell, Some(0)), &kept)?;
        Ok(())
    }

    /// A group in the traceback's format.
    fn walked(&self, group: usize) -> WalkGroup {
        let plans = self.plans;
        let first = plans.passes.partition_point(|pass| pass.group < group);
        let before = plans.passes.get(first).map_or(0, |pass| pass.before);
        let Group { weight, members } = &plans.groups.groups[group];
        WalkGroup {
            weight: *weight as i64,
            last: before.min(plans.capacity.into()) as i64,
            sums: plans.begins[group] as i64,
            count: members.len() as i64,
        }
    }
}
