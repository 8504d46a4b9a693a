//! The table with 32 rows per word on an NVIDIA GPU, which needs only an installed driver.
//!
//! A strip of rows needs from the strip above it only the carries of the columns that it has reached, so all strips
//! run through the columns at the same time, one behind the other, in one launch. If the letters are requested, rows
//! and columns between tiles are stored on the GPU, one bit per cell, and downloaded to the host, which runs the same
//! traceback as the bit-parallel engine.

mod lcs_tiles;

use super::grid::{self, Grid};
use super::{Answer, Lcs, Wanted};
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_machine::cuda::{Device, DeviceError, DeviceInfo};
use isx_machine::rates;
use isx_problems::reduce::lcs::Reduced;
use lcs_tiles::{
    Args, CARRY_WORDS, PROGRESS, Part, SIDE, WORDS, column_words, finished, launch, parts, row_words,
};
use std::time::{Duration, Instant};

/// The engine for GPUs.
pub struct Cuda;

/// Seconds of launches after which the host checks for cancellation.
const LOOK: f64 = 0.02;

/// Columns by which a strip is behind the one above it, about.
const COLUMNS_BEHIND: usize = 400;

/// How much longer it takes if rows and columns are stored, about.
const KEEPING: f64 = 2.0;

/// Expected seconds for a part of the table, of which rows and columns may be stored.
fn seconds(part: Part, keep: bool) -> f64 {
    let columns = (part.tiles * SIDE + part.strips * COLUMNS_BEHIND) as f64;
    let cells = (part.strips * part.tiles) as f64 * (SIDE * SIDE) as f64;
    let without = (columns * rates::LCS_GPU_COLUMN).max(cells * rates::LCS_GPU_CELL);
    if keep { KEEPING * without } else { without }
}

/// Bytes that the letters, bits and carries take.
fn own_bytes(problem: &Reduced) -> u64 {
    let tiles = |letters: usize| letters.div_ceil(SIDE);
    let words = tiles(problem.rows.len()) * WORDS + tiles(problem.columns.len()) * CARRY_WORDS;
    ((tiles(problem.rows.len()) + tiles(problem.columns.len())) * SIDE + 8 * words) as u64
}

impl Engine<Lcs> for Cuda {
    fn plan<'a>(&'a self, request: Request<'a, Lcs>) -> Result<Plan<'a, Lcs>, EngineError> {
        let Request { problem, wanted, context } = request;
        let machine = context.machine;
        let _: &DeviceInfo = machine.gpu().info()?;
        let (rows, columns) = (problem.rows.len(), problem.columns.len());
        let mut bytes = problem.bytes().saturating_add(own_bytes(problem));
        let mut again = 0.0;
        let mut room = 0;
        if wanted == Wanted::Subsequence {
            bytes = bytes.saturating_add(problem.pairs_bytes());
            room = machine.max_memory().saturating_sub(bytes);
            let side = grid::side(problem, SIDE as u64, room);
            bytes = bytes.saturating_add(grid::bytes(problem, side));
            again = grid::bytes(problem, side) as f64 * rates::GPU_TO_HOST
                + problem.cells().min((rows + columns) as u64 * side) as f64 * rates::LCS_AGAIN;
        }
        machine.allow(bytes)?;
        let keep = wanted == Wanted::Subsequence;
        let filling: f64 = parts(rows, columns).map(|part| seconds(part, keep)).sum();
        let seconds = machine.seconds_to_start_gpu() + rates::GPU_ROUND_TRIP + filling + again;
        Ok(Plan::new(Estimate { seconds, bytes }, move || {
            let device = &machine.gpu().alone()?;
            solve(device, problem, wanted, room, context)
        }))
    }
}

/// The result of filling a table.
struct Filled {
    /// The bits after the last column.
    bits: Vec<u64>,
    /// The grid, if it was stored.
    grid: Option<Grid>,
}

/// Solves the problem; a grid may take `room` bytes on the host.
fn solve(
    device: &Device,
    problem: &Reduced,
    wanted: Wanted,
    room: u64,
    context: &Context,
) -> Result<Answer, EngineError> {
    let started = Instant::now();
    let mut answer = Answer {
        length: 0,
        pairs: (wanted == Wanted::Subsequence).then(Vec::new),
        how: format!("{}, lcs_tiles", device.info().name),
        threads: 1,
        updates: problem.cells(),
        solve: Duration::ZERO,
        traceback: Duration::ZERO,
    };
    if problem.cells() == 0 {
        return Ok(answer);
    }
    let free = device.usable_memory()?;
    let own = own_bytes(problem);
    let every = match wanted {
        Wanted::Length => None,
        Wanted::Subsequence => {
            let side = grid::side(problem, SIDE as u64, room.min(free.saturating_sub(own)));
            Some(side as usize / SIDE)
        }
    };
    let (rows, columns) = (problem.rows.len(), problem.columns.len());
    let kept = every.map_or(0, |every| column_words(rows, columns, every) + row_words(rows, columns, every));
    let needed = own.saturating_add(8 * kept as u64);
    if needed > free {
        return Err(DeviceError::Memory { needed, free }.into());
    }
    let filled = fill(device, problem, every, context)?;
    // Rows beyond the end have no letter, and their bits stay 1.
    answer.length = filled.bits.iter().map(|word| u64::from(word.count_zeros())).sum();
    answer.solve = started.elapsed();
    if let Some(grid) = filled.grid {
        let started = Instant::now();
        let (pairs, again) = grid::walk_back(problem, &grid, context)?;
        (answer.pairs, answer.traceback) = (Some(pairs), started.elapsed());
        answer.updates = answer.updates.saturating_add(again);
    }
    Ok(answer)
}

/// Fills the table, and downloads what is requested.
fn fill(
    device: &Device,
    problem: &Reduced,
    every: Option<usize>,
    context: &Context,
) -> Result<Filled, EngineError> {
    let (row_count, column_count) = (problem.rows.len(), problem.columns.len());
    let (strips, tiles) = (row_count.div_ceil(SIDE), column_count.div_ceil(SIDE));
    let kept = every.map(|every| {
        (column_words(row_count, column_count, every), row_words(row_count, column_count, every))
    });
    let (kept_columns, kept_rows) = kept.unwrap_or_default();
    let padded = |letters: &[u8]| {
        let mut padded = letters.to_vec();
        padded.resize(letters.len().div_ceil(SIDE) * SIDE, 0);
        padded
    };
    let mut args = Args {
        rows: &device.upload("letters", &padded(&problem.rows))?,
        columns: &device.upload("letters", &padded(&problem.columns))?,
        bits: &mut device.upload("bits of rows", &vec![u64::MAX; strips * WORDS])?,
        carries: &mut device.zeros("carries", tiles * CARRY_WORDS)?,
        kept_columns: &mut device.zeros("kept columns", kept_columns)?,
        kept_rows: &mut device.zeros("kept rows", kept_rows)?,
        progress: &mut device.zeros("progress", PROGRESS)?,
        row_count,
        column_count,
        letters: problem.letters,
        every,
    };
    let count = parts(row_count, column_count).count();
    context.progress.begin("solving", count as u64);
    let (mut ahead, mut told, mut tickets) = (0.0, 0, 0u32);
    for (number, part) in parts(row_count, column_count).enumerate() {
        launch(device, &mut args, part, tickets)?;
        tickets = tickets.wrapping_add(part.strips as u32);
        ahead += seconds(part, every.is_some());
        if ahead > LOOK || number + 1 == count {
            device.finish("lcs_tiles")?;
            context.go_on()?;
            context.progress.advance((number + 1 - told) as u64);
            (ahead, told) = (0.0, number + 1);
        }
    }
    finished(device, &args, tickets)?;
    let bits = device.download("bits of rows", &args.bits.as_view())?;
    let Some(every) = every else { return Ok(Filled { bits, grid: None }) };
    // An empty buffer still has one word, which is not read.
    let strips = vec![device.download("kept columns", &args.kept_columns.as_view())?];
    let blocks = vec![device.download("kept rows", &args.kept_rows.as_view())?];
    let side = every * SIDE;
    let block = column_count.div_ceil(side) * side;
    let together = row_count.div_ceil(side);
    Ok(Filled { bits, grid: Some(Grid { side, strips, together, blocks, block, columns: column_count }) })
}
