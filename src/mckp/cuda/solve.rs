//! The tiled engine: fills a table on the GPU and downloads the front and the items.
//!
//! Items are downloaded in one of two ways. *Indexed*: every cell's winner carries its item's index in the low bits
//! of its value, and the kernel stores the index of every cell; this takes no extra arithmetic and suits dense
//! fronts. *Walked*: one warp per front point follows the traceback through the stored rows; this suits few points,
//! and is the only way if values leave no room for indices.

use super::cell::Cell;
use super::plan::Options;
use super::table::Table;
use super::walk::Walk;
use crate::Wanted;
use crate::answer::{Answer, Picks};
use isx_engine::Context;
use isx_engine::rises::breakpoints;
use isx_machine::cpu::Team;
use isx_machine::cuda::{Device, DeviceError};
use isx_problems::reduce::mckp::Reduced;
use std::time::{Duration, Instant};

/// If the row has at least this many cells per point, the points are walked.
const CELLS_A_WALKED_POINT: usize = 24;

/// The whole front of the problem, with the requested items. Fails if two rows do not fit into the GPU's memory, a
/// call fails, or the GPU's answer is implausible.
pub fn solve<V: Cell>(
    device: &Device,
    problem: &Reduced<V>,
    wanted: Wanted,
    context: &Context,
    options: &Options,
) -> Result<Answer, DeviceError> {
    if problem.classes.is_empty() {
        return Ok(nothing_to_choose::<V>(device, wanted));
    }
    let started = Instant::now();
    let indexed = wanted == Wanted::AllPicks && !options.walk_only;
    let mut table = Table::new(device, problem, indexed, options)?;
    context.progress.begin("solving", problem.classes.len() as u64);
    let walkable = table.runs() == 1;
    let mut layers = Vec::new();
    let mut checkpoints = Vec::new();
    for run in 0..table.runs() {
        let indexing = table.pick_bits() > 0;
        if !indexing && wanted != Wanted::Values && run > 0 {
            checkpoints.push(table.checkpoint()?);
        }
        if context.machine.is_cancelled() {
            break;
        }
        table.fill(run)?;
        table.finish(run)?;
        if !walkable && indexing {
            table.indices(run, &mut layers)?;
        }
        context.progress.advance(table.layers_of(run).len() as u64);
        if run + 1 < table.runs() {
            table.roll_over(run)?;
        }
    }
    let last_run = table.runs() - 1;
    let last = table.row(table.layers_of(last_run).len())?;
    let team = Team::of(context.machine.workers());
    let pick_bits = table.pick_bits();
    let (weights, values) = breakpoints(&last, &team, |&cell| cell >> pick_bits);
    let solve = started.elapsed();

    let started = Instant::now();
    let picks = match wanted {
        Wanted::Values => None,
        Wanted::AllPicks if !layers.is_empty() => Some(Picks { start: weights.clone(), layers }),
        Wanted::AllPicks if table.pick_bits() > 0 && weights.len() * CELLS_A_WALKED_POINT > last.len() => {
            table.indices(last_run, &mut layers)?;
            Some(Picks { start: weights.clone(), layers })
        }
        Wanted::AllPicks => Some(walk_back(device, &mut table, &weights, &checkpoints)?),
        Wanted::BestPicks => {
            Some(walk_back(device, &mut table, &weights[weights.len() - 1..], &checkpoints)?)
        }
    };
    Ok(Answer {
        picks: picks.map(|picks| picks.of_last(weights.len())),
        weights,
        values: V::store(values),
        how: format!("{}, {}", device.info().name, table.plan.kernel_name()),
        threads: team.took_part(),
        updates: table.updates(),
        solve,
        traceback: started.elapsed(),
    })
}

/// The answer if every class is fixed.
pub fn nothing_to_choose<V: Cell>(device: &Device, wanted: Wanted) -> Answer {
    let picks = Picks { start: vec![0], layers: Vec::new() };
    Answer {
        weights: vec![0],
        values: V::store(vec![V::zero()]),
        picks: (wanted != Wanted::Values).then(|| picks.of_last(1)),
        how: device.info().name.clone(),
        threads: 1,
        updates: 0,
        solve: Duration::ZERO,
        traceback: Duration::ZERO,
    }
}

/// Follows the tracebacks from `starts`, run by run; all but the last run are filled again from the row they started
/// from.
fn walk_back<V: Cell>(
    device: &Device,
    table: &mut Table<'_, V>,
    starts: &[u64],
    checkpoints: &[Vec<V>],
) -> Result<Picks, DeviceError> {
    let mut walk = Walk::new(device, &table.plan.layers, table.pick_bits(), starts)?;
    for run in (0..table.runs()).rev() {
        if run + 1 < table.runs() {
            table.restart(run, checkpoints)?;
        }
        let (rows, stride) = table.rows();
        walk.back_through(rows, stride, &table.plan.layers, table.layers_of(run))?;
    }
    Ok(walk.picks())
}
