//! The table with 64 rows per word on the CPU's vector units.
//!
//! `sweep.rs` contains the recurrence and processes 1024 rows over some columns; `wave.rs` divides the table into
//! tiles and distributes them among the threads. If the letters are requested, rows and columns at tile borders are
//! stored, one bit per cell, and the traceback computes the tiles on its path again. Results do not depend on
//! instruction sets, threads or tiles.

pub mod sweep;
mod wave;

use super::{Answer, Lcs, Wanted, grid};
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_machine::cpu::lanes::Isa;
use isx_machine::cpu::{Team, in_words, shared_seconds, start_seconds};
use isx_machine::rates;
use isx_problems::reduce::lcs::Reduced;
use std::time::{Duration, Instant};
use sweep::ROWS;
use wave::{Shape, Wave};

/// The bit-parallel engine.
#[derive(Clone, Copy, Debug)]
pub struct BitParallel {
    isa: Option<Isa>,
}

/// Most columns of a tile: their carries stay in the second-level cache.
const MOST_COLUMNS: usize = 16 << 10;
/// Tiles in a row that each thread gets at least, if the table is wide enough.
const TILES_A_THREAD: usize = 3;

impl BitParallel {
    /// The fastest settings for this machine.
    pub const AUTO: Self = Self { isa: None };

    /// On this instruction set, for tests and benchmarks.
    pub const fn on(isa: Isa) -> Self {
        Self { isa: Some(isa) }
    }
}

/// How many times longer a cell takes on these vectors than on AVX-512.
fn slower_than_avx512(isa: Isa) -> f64 {
    match isa {
        Isa::Avx512 => 1.0,
        Isa::Avx2 => 1.75,
        Isa::Neon => 3.5,
        Isa::Portable => 7.0,
    }
}

fn shape(problem: &Reduced, wanted: Wanted, context: &Context) -> (Shape, u64) {
    let threads = context.machine.threads();
    let keep = wanted == Wanted::Subsequence;
    let pairs = if keep { problem.pairs_bytes() } else { 0 };
    let shaped = |side: usize| {
        let part = problem.columns.len() / (TILES_A_THREAD * threads);
        let block = part.clamp(1, MOST_COLUMNS).div_ceil(side) * side;
        let shape = Shape { side, block, keep };
        let others = Wave::bytes(problem, shape, threads).saturating_add(pairs);
        (shape, others.saturating_add(problem.bytes()))
    };
    let (shape, others) = shaped(ROWS);
    if !keep {
        return (shape, others);
    }
    let room = context.machine.max_memory().saturating_sub(others);
    let side = grid::side(problem, ROWS as u64, room);
    let (shape, others) = shaped(side as usize);
    (shape, others.saturating_add(grid::bytes(problem, side)))
}

impl Engine<Lcs> for BitParallel {
    fn plan<'a>(&'a self, request: Request<'a, Lcs>) -> Result<Plan<'a, Lcs>, EngineError> {
        let Request { problem, wanted, context } = request;
        let machine = context.machine;
        let isa = self.isa.unwrap_or_else(Isa::best);
        let (shape, bytes) = shape(problem, wanted, context);
        machine.allow(bytes)?;
        let (blocks, strips) =
            (problem.columns.len().div_ceil(shape.block), problem.rows.len().div_ceil(ROWS));
        let cells = (strips * ROWS) as f64 * problem.columns.len() as f64;
        let one =
            cells * rates::LCS_CELL * slower_than_avx512(isa) + (strips * blocks) as f64 * rates::LCS_TILE;
        let jobs = blocks.min(problem.rows.len().div_ceil(shape.side));
        let shared = start_seconds(machine.workers()) + shared_seconds(one, jobs as f64, machine.threads());
        let again = match wanted {
            Wanted::Length => 0.0,
            Wanted::Subsequence => {
                let letters = (problem.rows.len() + problem.columns.len()) as f64;
                let cells = (problem.cells() as f64).min(letters * shape.side as f64);
                cells * rates::LCS_AGAIN + letters * rates::LCS_STEP
            }
        };
        let estimate = Estimate { seconds: one.min(shared) + again, bytes };
        Ok(Plan::new(estimate, move || solve(problem, shape, isa, one, context)))
    }
}

fn solve(
    problem: &Reduced,
    shape: Shape,
    isa: Isa,
    seconds: f64,
    context: &Context,
) -> Result<Answer, EngineError> {
    let started = Instant::now();
    let team = Team::of(context.machine.workers());
    let mut answer = Answer {
        length: 0,
        pairs: shape.keep.then(Vec::new),
        how: String::new(),
        threads: 1,
        updates: problem.cells(),
        solve: Duration::ZERO,
        traceback: Duration::ZERO,
    };
    if problem.cells() > 0 {
        let wave = Wave::new(problem, shape, isa, context);
        wave.fill(&team, seconds)?;
        let (length, grid) = wave.finish();
        (answer.length, answer.solve) = (length, started.elapsed());
        if shape.keep {
            let started = Instant::now();
            let (pairs, again) = grid::walk_back(problem, &grid, context)?;
            (answer.pairs, answer.traceback) = (Some(pairs), started.elapsed());
            answer.updates = answer.updates.saturating_add(again);
        }
    }
    answer.threads = team.took_part();
    answer.how = format!("{}, {}", isa.name(), in_words(answer.threads));
    Ok(answer)
}
