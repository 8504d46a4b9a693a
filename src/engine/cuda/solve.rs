//! The tiled engine: fills a table on the GPU and brings back front and items.
//!
//! Items come back in one of two ways. *Indexed*: every cell's winner carries its item's index in low bits of its
//! value, and the kernel stores the index of every cell; this is free in arithmetic, and right where the front is
//! dense. *Walked*: one warp a front point walks back through the stored rows; right where points are few, and the
//! only way where values leave no room for indices.

use super::cell::Cell;
use super::device::Device;
use super::error::DeviceError;
use super::table::{Options, Table};
use super::walk::Walk;
use crate::engine::answer::{Answer, Picks};
use crate::engine::rises::breakpoints;
use crate::engine::team::Team;
use crate::engine::{Context, Wanted};
use crate::reduce::Reduced;
use std::time::{Duration, Instant};

/// Points so few, in cells of a row each, are walked.
const CELLS_A_WALKED_POINT: usize = 24;

/// The whole front of the problem, with the items that are wanted.
///
/// # Errors
///
/// When the GPU's memory does not hold two rows, a call fails, or the GPU's answer cannot be believed.
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
    let walkable = table.launches() == 1;
    let mut layers = Vec::new();
    let mut checkpoints = Vec::new();
    for run in 0..table.launches() {
        let indexing = table.pick_bits() > 0;
        if !indexing && wanted != Wanted::Values && run > 0 {
            checkpoints.push(table.checkpoint()?);
        }
        table.fill(run)?;
        table.finish()?;
        if !walkable && indexing {
            table.indices(run, &mut layers)?;
        }
        context.progress.advance(table.run(run).len() as u64);
        if run + 1 < table.launches() {
            table.roll_over(run)?;
        }
    }
    let last_run = table.launches() - 1;
    let last = table.row(table.run(last_run).len())?;
    let team = Team::new(context.threads);
    let pick_bits = table.pick_bits();
    let (weights, values) = breakpoints(&last, &team, |&cell| V::from_i64(cell.to_i64() >> pick_bits));
    let solve = started.elapsed();

    let started = Instant::now();
    let picks = match wanted {
        Wanted::Values => None,
        Wanted::AllPicks if !layers.is_empty() => Some(Picks { start: weights.clone(), layers }),
        Wanted::AllPicks if table.pick_bits() > 0 && weights.len() * CELLS_A_WALKED_POINT > last.len() => {
            table.indices(last_run, &mut layers)?;
            Some(Picks { start: weights.clone(), layers })
        }
        Wanted::AllPicks => Some(walk_back(device, problem, &mut table, &weights, &checkpoints)?),
        Wanted::BestPicks => {
            Some(walk_back(device, problem, &mut table, &weights[weights.len() - 1..], &checkpoints)?)
        }
    };
    Ok(Answer {
        weights,
        values: V::store(values),
        picks,
        ran_on: format!("cuda ({}, {})", device.info().name, table.kernel_name()),
        updates: problem.classes.iter().map(|class| class.items.len() as u64).sum::<u64>()
            * last.len() as u64,
        solve,
        traceback: started.elapsed(),
    })
}

/// The answer where every class is fixed.
pub(super) fn nothing_to_choose<V: Cell>(device: &Device, wanted: Wanted) -> Answer {
    let picks = Picks { start: vec![0], layers: Vec::new() };
    Answer {
        weights: vec![0],
        values: V::store(vec![V::from_i64(0)]),
        picks: (wanted != Wanted::Values).then_some(picks),
        ran_on: format!("cuda ({})", device.info().name),
        updates: 0,
        solve: Duration::ZERO,
        traceback: Duration::ZERO,
    }
}

/// Walks back from `starts`, run by run; all but the last run are filled again from the row they started from.
fn walk_back<V: Cell>(
    device: &Device,
    problem: &Reduced<V>,
    table: &mut Table<'_, V>,
    starts: &[u64],
    checkpoints: &[Vec<V>],
) -> Result<Picks, DeviceError> {
    let mut walk = Walk::new(device, problem, table.pick_bits(), starts)?;
    for run in (0..table.launches()).rev() {
        if run + 1 < table.launches() {
            table.restart(run, checkpoints)?;
        }
        let (rows, stride) = table.rows();
        walk.back_through(rows, stride, table.run(run))?;
    }
    walk.picks()
}
