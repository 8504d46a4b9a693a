//! The points of a problem: tables filled, points found in the last one, and followed back through all of them.

use super::needs::Needs;
use super::picked::{Picked, Portion};
use super::program::Program;
use super::resources_front::{Last, Points};
use super::resources_walk::{Walkers, launch};
use super::table::Table;
use crate::{Answer, Wanted};
use isx_engine::{Context, EngineError};
use isx_machine::cuda::{Cell, Device, DeviceError};
use isx_problems::value::{Tier, Value, Values};
use num_bigint::BigInt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Seconds that the GPU spent, by its own clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct Phases {
    /// Filling the tables, the first time.
    pub table: f64,
    /// Finding the points of the last table.
    pub front: f64,
    /// Following the points back, with the tables that had to be filled again.
    pub choices: f64,
    /// Cells written while the tables were filled the first time.
    pub cells: u64,
    /// Bytes of a cell.
    pub cell_bytes: usize,
    /// Parts that the steps were divided into for want of memory.
    pub segments: usize,
}

/// All points that are asked for. Fails if there is not enough memory, or a call fails.
pub fn solve<V: Cell>(
    device: &Device,
    program: &Program,
    wanted: Wanted,
    context: &Context,
) -> Result<(Answer, Phases), EngineError> {
    let started = Instant::now();
    let keep = wanted.picks;
    let needs = Needs::new(program, keep);
    context.progress.begin("solving", program.steps.len() as u64);
    let mut reserve = needs.guess(device.usable_memory()?);
    let (mut table, mut points, mut phases) = loop {
        let mut table = Table::<V>::new(device, program, keep, reserve)?;
        let mut phases = Phases {
            cells: (1..program.frames.len()).filter_map(|at| program.cells(at)).sum(),
            cell_bytes: size_of::<V>(),
            segments: table.layout.segments.len(),
            ..Phases::default()
        };
        let fill = || {
            for segment in 0..table.layout.segments.len() {
                table.fill(segment, context)?;
                context.progress.advance(table.layout.segments[segment].len() as u64);
            }
            Ok(())
        };
        ((), phases.table) = device.timed("resources_table", fill)?;
        context.go_on()?;
        let (found, seconds) =
            device.timed("resources_front", || find(device, &table.last(), &needs, program))?;
        phases.front = seconds;
        match found {
            Found::Points(points) => break (table, points, phases),
            // The tables took the room of more points than expected: there is less for them.
            Found::TooMany(needed) if needed > reserve => reserve = needed,
            Found::TooMany(needed) => {
                return Err(DeviceError::Memory { needed, free: device.usable_memory()? }.into());
            }
        }
        drop(table);
        device.finish("resources_front")?;
    };
    let bytes = needs.on_host(points.count);
    context.machine.allow(bytes)?;
    let solve = started.elapsed();

    let started = Instant::now();
    let mut picks = None;
    if keep {
        let (portions, seconds) =
            device.timed("resources_walk", || walk(device, &mut table, &points, &needs, context))?;
        context.go_on()?;
        phases.choices = seconds;
        picks = Some(Arc::new(Picked::new(program.numbers.clone(), needs.width, portions)) as _);
    }
    drop(table);
    let traceback = started.elapsed();
    let (costs, values) = read(device, program, &mut points)?;
    let divided =
        if phases.segments > 1 { format!(", in {} segments", phases.segments) } else { String::new() };
    let answer = Answer {
        costs,
        values,
        picks,
        tier: program.tier.max(V::either(Tier::I32, Tier::I64)),
        how: format!("{}, resources_table{divided}", device.info().name),
        threads: 1,
        updates: program.updates(),
        solve,
        traceback: if keep { traceback } else { Duration::ZERO },
    };
    Ok((answer, phases))
}

enum Found {
    Points(Points),
    /// More than there is room for: so many bytes are to be free beside the tables.
    TooMany(u64),
}

fn find<V: Cell>(
    device: &Device,
    last: &Last<'_, V>,
    needs: &Needs,
    program: &Program,
) -> Result<Found, DeviceError> {
    if program.objectives == 0 {
        return Ok(Found::Points(last.greatest(device)?));
    }
    if needs.marking > device.usable_memory()? {
        return Ok(Found::TooMany(needs.marking));
    }
    let marked = last.mark(device, program.asked)?;
    if needs.beside(marked.points) > device.usable_memory()? {
        return Ok(Found::TooMany(needs.marking.saturating_add(needs.beside(marked.points))));
    }
    Ok(Found::Points(last.points(device, &marked)?))
}

/// The items of all points, some points at a time if there is not enough memory for all.
fn walk<V: Cell>(
    device: &Device,
    table: &mut Table<'_, V>,
    points: &Points,
    needs: &Needs,
    context: &Context,
) -> Result<Vec<Portion>, DeviceError> {
    let together = needs.together(points.count, device.usable_memory()?);
    let mut portions = Vec::new();
    let steps = table.layout.starts.len() - 1;
    // The last segment is in place, until another is.
    let mut in_place = table.layout.segments.len() - 1;
    for first in (0..points.count).step_by(together.max(1)) {
        let range = first..points.count.min(first + together);
        let left = points.values_of(device, range.clone())?;
        let tables = table.tables().ok_or_else(|| unfit("the items were not asked for"))?;
        let mut walkers = Walkers::new(device, &tables, needs.width, left, range.len())?;
        for segment in (0..table.layout.segments.len()).rev() {
            if context.machine.is_cancelled() {
                return Ok(portions);
            }
            if segment != in_place {
                table.fill(segment, context)?;
                in_place = segment;
            }
            let of_segment = table.layout.segments[segment].clone();
            let is_first = segment + 1 == table.layout.segments.len();
            let costs = is_first.then(|| (points.costs.as_view(), points.count, first));
            let tables = table.tables().ok_or_else(|| unfit("the items were not asked for"))?;
            launch(device, &tables, of_segment, costs, &mut walkers)?;
        }
        let strays = device.download("a counter", &walkers.strays.as_view())?;
        if strays != [0] {
            let why = format!("{strays:?} steps back found no item that explains the value");
            return Err(DeviceError::Unbelievable { kernel: "resources_walk", why });
        }
        let bytes = walkers.count * steps * walkers.width;
        let items = device.download("items of the points", &walkers.picks.slice(..bytes))?;
        portions.push(Portion { first, count: range.len(), items });
    }
    Ok(portions)
}

fn unfit(why: &str) -> DeviceError {
    DeviceError::Unfit { kernel: "resources_walk", why: why.into() }
}

/// The costs and values of the points, in units of the problem.
fn read(
    device: &Device,
    program: &Program,
    points: &mut Points,
) -> Result<(Vec<Vec<u64>>, Values), DeviceError> {
    if points.count == 0 {
        return Ok((vec![Vec::new(); program.resources], Values::I64(Vec::new())));
    }
    for (resource, unit) in program.units.iter().enumerate() {
        points.scale_costs(device, resource, *unit)?;
    }
    // Within the sums that the tier holds, so the values of all points fit if the offset does.
    let offset = i64::from_big(&program.offset).filter(|_| Tier::narrowest(&program.offset) <= Tier::I64);
    if let Some(offset) = offset {
        points.move_values(device, offset)?;
    }
    let column = |at: usize| {
        device
            .download("costs of the points", &points.costs.slice(at * points.count..(at + 1) * points.count))
    };
    let costs = (0..program.resources).map(column).collect::<Result<_, _>>()?;
    let values = device.download("values of the points", &points.values.slice(..points.count))?;
    let values = match offset {
        Some(_) => Values::I64(values),
        None => Values::Big(values.into_iter().map(|value| &program.offset + BigInt::from(value)).collect()),
    };
    Ok((costs, values))
}
