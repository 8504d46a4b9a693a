//! What the engine expects to take, from rates measured on one machine: a 2.6 GHz AMD EPYC (Zen 4).
//!
//! A layer without bounds costs its candidates at the rate of the instruction set, a layer with bounds a fixed
//! amount a cell, since only a few items are tried wherever classes are large. (How few depends on the values;
//! the constant lies between those of strongly and of weakly correlated ones.) Getting memory from the system
//! and finding the items cost so much a byte and a cell.

use super::Settings;
use super::lanes::Isa;
use super::memory::{Memory, layers_computed};
use super::row::STRIP;
use crate::engine::mckp::Wanted;
use crate::problem::value::Value;
use crate::reduce::mckp::Reduced;

/// Reading and writing a cell once.
const CELL: f64 = 0.15e-9;
/// A cell with a bound, the few items tried included.
const BOUNDED_CELL: f64 = 0.58e-9;
/// Pricing an item for a strip; strips that have reached their bounds, which are many, are spared it.
const PRICE: f64 = 0.8e-9;
/// What a layer with bounds costs beside its cells: where its bounds are loose, many items are tried.
const BOUNDED_LAYER: f64 = 35e-6;
/// Beginning a strip.
const BEGIN_STRIP: f64 = 0.5e-6;
/// A byte of memory got from the system, in small pages.
const BYTE: f64 = 0.3e-9;
/// A byte of memory got from the system, in large pages.
const BYTE_OF_LARGE_PAGE: f64 = 0.05e-9;
/// Bytes of rows from which on they come in large pages.
const LARGE: f64 = 4e6;
/// Finding the item of a cell of a layer.
const TRACED_CELL: f64 = 0.65e-9;
/// The same, where there are many items and so more cells that walks pass.
const TRACED_BOUNDED_CELL: f64 = 1.1e-9;
/// Starting and ending a thread.
const THREAD: f64 = 100e-6;
/// Sharing a layer out to a thread.
const SHARE: f64 = 10e-6;
/// What all else takes.
const OVERHEAD: f64 = 20e-6;

/// Candidates a second of 32-bit or 64-bit cells.
fn rate(isa: Isa, cell: usize) -> f64 {
    let of_32_bits = match isa {
        Isa::Avx512 => 29e9,
        Isa::Avx2 => 27e9,
        Isa::Neon => 12e9,
        Isa::Portable => 9e9,
    };
    if cell == 4 { of_32_bits } else { of_32_bits * 0.45 }
}

/// Seconds that a problem is expected to take in each of two parts.
struct Parts {
    /// Shared among threads.
    shared: f64,
    /// Done by one.
    alone: f64,
}

/// Threads worth using of those allowed, and the seconds expected with them.
pub fn expected<V: Value>(
    problem: &Reduced<V>,
    wanted: Wanted,
    memory: Memory,
    settings: &Settings,
    threads: usize,
) -> (usize, f64) {
    let parts = parts(problem, wanted, memory, settings);
    let layers = problem.classes.len() as f64;
    let with = |threads: usize| {
        let helpers = if threads > 1 { threads as f64 * (THREAD + SHARE * layers) } else { 0.0 };
        parts.alone + parts.shared / threads as f64 + helpers
    };
    // The other cores may be busy with something else, so there must be something to win.
    if with(threads) < 0.8 * with(1) { (threads, with(threads)) } else { (1, with(1)) }
}

fn parts<V: Value>(problem: &Reduced<V>, wanted: Wanted, memory: Memory, settings: &Settings) -> Parts {
    let rate = rate(settings.isa(), size_of::<V>());
    let (mut forward, mut back, mut rows) = (0.0, 0.0, 0.0);
    for (class, reach) in problem.classes.iter().zip(problem.reach()) {
        let (items, cells) = (class.items.len() as f64, reach as f64 + 1.0);
        let strips = (cells / STRIP as f64).ceil();
        let bounded = class.items.len() >= settings.bound_from;
        let priced = if bounded { BOUNDED_LAYER + strips * items * PRICE } else { 0.0 };
        forward += strips * BEGIN_STRIP + priced;
        forward += if bounded { cells * BOUNDED_CELL } else { cells * (CELL + (items - 1.0) / rate) };
        back += strips * BEGIN_STRIP + priced;
        back += cells * if bounded { TRACED_BOUNDED_CELL } else { TRACED_CELL };
        rows += cells * size_of::<V>() as f64;
    }
    let layers = problem.classes.len().max(1);
    if wanted != Wanted::Values {
        forward *= layers_computed(layers, memory.rows.max(1)) as f64 / layers as f64;
    }
    rows *= (memory.rows as f64 / layers as f64).min(1.0);
    let page = if rows < LARGE { BYTE } else { BYTE_OF_LARGE_PAGE };
    let front = problem.reach().last().copied().unwrap_or(0) as f64;
    let back = if wanted == Wanted::AllPicks { back } else { 0.0 };
    Parts { shared: forward + back + rows * page, alone: OVERHEAD + front * 2e-9 }
}
