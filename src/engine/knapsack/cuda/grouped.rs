//! Items of one weight in one go: all capacities in a row a group.
//!
//! As the CPU's grouped engine (`engine/knapsack/grouped`): with P(k) the most that k items of a weight bring, a group
//! makes a row of the row before by one launch of `knapsack_grouped.cu`, which tries every k. Of a long run of equal
//! profits it takes bundles instead, so that no launch tries more than [`MOST`] numbers of them. Rows end at the weight of
//! all items so far, and where one capacity is asked for begin where it can still be filled (P. Toth, Computing 25, 1980).
//!
//! The items of one capacity come from the rows after every group. Where the GPU does not hold them, some are kept, and
//! those between two of them are made once more, from the last to the first.

use super::board::usable_memory;
use super::knapsack_grouped::{Args, GroupedCell, Walk, WalkGroup, fill, steps, table, walk};
use crate::engine::knapsack::answer::Answer;
use crate::engine::knapsack::grouped::groups::{Group, Groups};
use crate::engine::knapsack::{Knapsack, Wanted};
use crate::engine::rises::breakpoints;
use crate::engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use crate::machine::cpu::Team;
use crate::machine::cuda::{Device, During};
use crate::problem::value::{Tier, Values};
use crate::reduce::knapsack::Reduced;
use cudarc::driver::CudaSlice;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The grouped engine on a GPU.
pub struct Grouped;

/// The most items of a run of equal profits that one launch tries.
const MOST: usize = 160;
/// Bytes of rows that are kept for the items of one capacity, before some are made twice.
const KEPT: u64 = 16 << 30;
/// Numbers tried a second by every multiprocessor, so many times slower with 64 bits, and bytes of rows. (Fitted on an
/// H200 to 100,000 of Boyer's items: 0.20 s with cells of 32 bits, 0.62 s with 64.)
const TRIED_A_SECOND: f64 = 6e10;
const SLOWER: f64 = 3.4;
const BYTES_A_SECOND: f64 = 2e10;
/// Seconds of a launch.
const LAUNCH: f64 = 5e-6;
/// Seconds a cell to bring the front to the host and to read it.
const POINT: f64 = 3e-9;
/// The host waits for the GPU after so many launches, to hear whether it shall go on.
const LAUNCHES_AHEAD: usize = 256;

impl Engine<Knapsack> for Grouped {
    fn plan<'a>(&'a self, request: Request<'a, Knapsack>) -> Result<Plan<'a, Knapsack>, EngineError> {
        let Request { problem, wanted, context } = request;
        if wanted == Wanted::AllPicks {
            return Err(EngineError::Unavailable("it finds the items of one capacity, not of all".into()));
        }
        let cell = cell_bytes(problem)?;
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
        let back = if all { problem.capacity as f64 * POINT } else { 0.0 };
        let start_up = machine.gpu().seconds_to_start();
        let estimate = Estimate { seconds: start_up + gpu + back, bytes };
        Ok(Plan::new(estimate, move || {
            let answer = solve(machine.gpu().device()?, problem, &plans, wanted, context, KEPT)?;
            context.go_on()?;
            Ok(answer)
        }))
    }
}

/// Bytes of a cell that holds every sum of profits.
fn cell_bytes(problem: &Reduced) -> Result<u64, EngineError> {
    match problem.tier {
        Tier::I32 => Ok(4),
        Tier::I64 => Ok(8),
        wider => Err(EngineError::Arithmetic(wider)),
    }
}

/// A launch: some or all items of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pass {
    group: usize,
    weight: u64,
    /// P(0), P(1), ..
    sums: Vec<i64>,
    /// What all items weigh before it.
    before: u128,
}

impl Pass {
    fn most(&self) -> usize {
        self.sums.len() - 1
    }

    fn reach(&self) -> u128 {
        u128::from(self.weight) * self.most() as u128
    }
}

/// All launches of a sweep, lightest items first.
struct Passes {
    groups: Groups,
    /// P of every group, one after the other, and where each begins.
    sums: Vec<i64>,
    begins: Vec<usize>,
    passes: Vec<Pass>,
    /// No more than all of them weigh.
    capacity: u64,
}

impl Passes {
    fn of(problem: &Reduced) -> Self {
        let groups = Groups::of(&problem.items, problem.capacity);
        let (mut sums, mut begins, mut passes) = (Vec::new(), Vec::new(), Vec::new());
        let mut before = 0;
        for (number, Group { weight, members }) in groups.groups.iter().enumerate() {
            // Sums of profits fit the cells.
            let profit = |&item: &u32| problem.items[item as usize].profit as i64;
            let profits: Vec<i64> = groups.members[members.clone()].iter().map(profit).collect();
            begins.push(sums.len());
            sums.extend(running(&profits));
            for (weight, sums) in split(*weight as u64, &profits) {
                let pass = Pass { group: number, weight, sums, before };
                before += pass.reach();
                passes.push(pass);
            }
        }
        // Of items that are alike no more are kept than fit, so all of these may weigh less.
        let capacity = before.min(problem.capacity.into()) as u64;
        Self { groups, sums, begins, passes, capacity }
    }

    /// The cells that a pass of a sweep over `passes` fills for the capacity, `alone` or with all below it.
    fn cells(&self, pass: &Pass, passes: &[Pass], (capacity, alone): (u64, bool)) -> Range<u64> {
        let after = |pass: &Pass| pass.before + pass.reach();
        let all = passes.last().map_or(0, after);
        let end = after(pass).min(capacity.into()) as u64 + 1;
        let to_come = if alone { all - after(pass) } else { u128::MAX };
        u128::from(capacity).saturating_sub(to_come) as u64..end
    }

    /// Seconds for all capacities.
    fn seconds(&self, cell: f64, multiprocessors: f64) -> f64 {
        let of = |pass: &Pass| {
            let cells = self.cells(pass, &self.passes, (self.capacity, false)).end as f64;
            let slower = if cell > 4.0 { SLOWER } else { 1.0 };
            let tried = (pass.sums.len() + 16) as f64 * slower / TRIED_A_SECOND;
            cells * tried.max(3.0 * cell / BYTES_A_SECOND) / multiprocessors + LAUNCH
        };
        self.passes.iter().map(of).sum()
    }
}

/// P(0), P(1), ..
fn running(profits: &[i64]) -> Vec<i64> {
    let sums = profits.iter().scan(0, |sum, profit| {
        *sum += profit;
        Some(*sum)
    });
    [0].into_iter().chain(sums).collect()
}

/// Weights and sums whose choices together make every number of the items; profits fall.
fn split(weight: u64, profits: &[i64]) -> Vec<(u64, Vec<i64>)> {
    let (mut parts, mut others) = (Vec::new(), Vec::new());
    for run in profits.chunk_by(|a, b| a == b) {
        if run.len() <= MOST {
            others.extend_from_slice(run);
            continue;
        }
        let mut made = 0;
        while made < run.len() {
            let bundle = (made + 1).min(run.len() - made);
            let count = ((run.len() - made) / bundle).min(MOST);
            parts.push((weight * bundle as u64, running(&vec![run[0] * bundle as i64; count])));
            made += bundle * count;
        }
    }
    if !others.is_empty() {
        parts.push((weight, running(&others)));
    }
    parts
}

/// The answer; of the capacity alone where `wanted` says so. Rows for its items take up to `kept` bytes, if these are
/// enough.
///
/// # Errors
///
/// When profits do not fit 64 bits together, the GPU's memory does not hold the rows, items of all capacities are wanted,
/// or a call fails.
pub fn grouped(
    device: &Device,
    problem: &Reduced,
    wanted: Wanted,
    context: &Context,
    kept: u64,
) -> Result<Answer, EngineError> {
    cell_bytes(problem)?;
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
    match cell_bytes(problem)? {
        4 => solve_in::<i32>(device, problem, plans, wanted, context, kept),
        _ => solve_in::<i64>(device, problem, plans, wanted, context, kept),
    }
}

fn solve_in<C: GroupedCell>(
    device: &Device,
    problem: &Reduced,
    plans: &Passes,
    wanted: Wanted,
    context: &Context,
    kept: u64,
) -> Result<Answer, EngineError> {
    if wanted == Wanted::AllPicks {
        return Err(EngineError::Unavailable("it finds the items of one capacity, not of all".into()));
    }
    let started = Instant::now();
    if plans.passes.is_empty() {
        return Ok(nothing(wanted));
    }
    context.progress.begin("solving", plans.passes.len() as u64);
    let capacity = plans.capacity;
    let one = wanted.goal() == crate::reduce::knapsack::Goal::OneCapacity;
    let mut sweep = Sweep::<C>::new(device, plans, wanted.picks().then_some(kept), context)?;
    let end = sweep.forward((capacity, one))?;
    device.finish(C::FILL)?;
    let mut answer = Answer {
        weights: vec![capacity],
        profits: Values::I64(Vec::new()),
        picks: None,
        how: format!("{}, {} groups", device.info().name, plans.groups.groups.len()),
        threads: 1,
        updates: sweep.updates,
        solve: started.elapsed(),
        traceback: Duration::ZERO,
    };
    if one {
        let best = device.download("a cell of a row", &sweep.row(end).slice(capacity as usize..))?;
        answer.profits = Values::I64(best.into_iter().map(GroupedCell::wide).collect());
        answer.solve = started.elapsed();
        if wanted == Wanted::Best {
            let chosen = sweep.items()?;
            answer.weights = vec![chosen.iter().map(|&item| problem.items[item as usize].weight).sum()];
            answer.picks = Some(Arc::new(vec![chosen]));
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

/// The answer where there is no item.
fn nothing(wanted: Wanted) -> Answer {
    Answer {
        weights: vec![0],
        profits: Values::I64(vec![0]),
        picks: wanted.picks().then(|| Arc::new(vec![Vec::new()]) as _),
        how: "nothing to do".into(),
        threads: 1,
        updates: 0,
        solve: Duration::ZERO,
        traceback: Duration::ZERO,
    }
}

/// Rows on the GPU, and the sweep over them.
///
/// Rows 0 and 1 are spare. Where items are wanted, rows 2 .. 2 + part are those before and after the groups of a part of
/// them, and then come the rows before every part, unless there is one part only.
struct Sweep<'a, C> {
    device: &'a Device,
    context: &'a Context<'a>,
    plans: &'a Passes,
    rows: CudaSlice<C>,
    stride: u64,
    /// Groups of a part; `None` where no items are wanted.
    part: Option<usize>,
    /// The tables of all passes, and where each begins.
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
        let free = usable_memory(device)?;
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

    /// Where the row after so many groups is kept in the first sweep, if it is.
    fn kept(&self, groups: usize) -> Option<usize> {
        let part = self.part?;
        if part == self.plans.groups.groups.len() {
            return Some(PART + groups);
        }
        groups.is_multiple_of(part).then_some(PART + part + 1 + groups / part)
    }

    /// The first sweep, from a row of zeros; answers which row the end is in.
    fn forward(&mut self, wanted: (u64, bool)) -> Result<usize, EngineError> {
        let start = self.kept(0).unwrap_or(0);
        let groups = self.plans.groups.groups.len();
        // The last row of all parts has no place of its own.
        let kept: Vec<Option<usize>> = (0..=groups)
            .map(|after| self.kept(after).filter(|_| after < groups || self.is_one_part()))
            .collect();
        self.run(0..groups, start, wanted, &kept)
    }

    fn is_one_part(&self) -> bool {
        self.part == Some(self.plans.groups.groups.len())
    }

    /// Sweeps over those groups from a row on; rows after groups go where `kept` says, counted from the first of them.
    fn run(
        &mut self,
        groups: Range<usize>,
        from: usize,
        wanted: (u64, bool),
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

    /// The items behind the capacity's cell of the last row, smallest first.
    fn items(&mut self) -> Result<Vec<u32>, EngineError> {
        let groups = self.plans.groups.groups.len();
        let part = self.part.unwrap_or(groups).max(1);
        let sums: Vec<C> = self.plans.sums.iter().map(|&sum| C::of(sum)).collect();
        let sums = self.device.upload("sums of profits", &sums)?;
        let mut cell = self.plans.capacity;
        let mut chosen = Vec::new();
        for first in (0..groups).step_by(part).rev() {
            let of = first..groups.min(first + part);
            // More than all items up to here weigh is of no use to them.
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

    /// Makes the rows of a part again, from the one kept before it, up to a cell.
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
        self.run(groups.clone(), PART, (cell, true), &kept)?;
        Ok(())
    }

    /// A group as the walk sees it.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn launches_of_a_group_make_the_best_of_every_number_of_items() {
        for profits in [vec![7; 5], vec![9; 161], [vec![40; 1000], vec![6; 700], vec![5, 3, 3, 1]].concat()] {
            let mut best = BTreeMap::from([(0u64, 0i64)]);
            for (weight, sums) in split(3, &profits) {
                assert!(sums.len() <= MOST + 1 && !sums.is_empty());
                let before = best.clone();
                for (&at, &held) in &before {
                    for (number, &sum) in sums.iter().enumerate() {
                        let place = best.entry(at + weight * number as u64).or_insert(0);
                        *place = (*place).max(held + sum);
                    }
                }
            }
            let wanted: BTreeMap<u64, i64> = (0..).step_by(3).zip(running(&profits)).collect();
            assert_eq!(best, wanted);
        }
    }
}
