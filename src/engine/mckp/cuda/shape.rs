//! How large the tiles of a table are, and how many threads share one.
//!
//! A tile is `cells * 32 * tile_warps` cells: each thread holds `cells` of them in registers. Where a row is short,
//! tiles must be small for every multiprocessor to have one, and then several *groups* of warps share a tile and
//! split the items among them, so that there are still enough warps to hide the latency of shared memory.
//!
//! The shape is the cheapest by a model of one class in clocks of a multiprocessor:
//!
//! ```text
//! blocks on the busiest one * (tile / 32 * items * (1 + record reads / cells)  +  (window + tile) / words a clock)
//!   + latency of telling the neighbours and hearing of them
//! ```
//!
//! The first term is one 4-byte word of shared memory a lane a clock, the hardware's limit.

use crate::machine::cuda::DeviceInfo;

/// The shape of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Cells (or pairs of cells) that a thread holds in registers.
    pub cells: usize,
    /// Warps side by side in a tile.
    pub tile_warps: usize,
    /// Groups of so many warps, which share out the items.
    pub groups: usize,
}

/// Threads of a warp.
pub(crate) const WARP: usize = 32;
/// Bytes of static shared memory and what the driver keeps of a block's, generously.
pub(super) const RESERVED_SHARED: usize = 2048;
/// Most records of a band in shared memory at once.
pub(super) const RECORD_LIMIT: usize = 1024;
/// Clocks from storing a row to reading the neighbours' at the next one.
const EXCHANGE: f64 = 2500.0;
/// Clocks of the barrier before groups are merged, and of what a merge keeps waiting.
const MERGE: f64 = 600.0;
/// 4-byte words a multiprocessor takes in from the second-level cache in a clock,
const WORDS_A_CLOCK: f64 = 10.0;
/// and a warp.
const WORDS_A_WARP: f64 = 0.8;
/// How much longer that takes where cells are packed on the way.
const PACKING: f64 = 2.0;
/// More warps than this get in each other's way, by this share of the time each (measured: 24 warps take 6 % longer
/// than 16).
const WARPS_ENOUGH: f64 = 16.0;
/// See [`WARPS_ENOUGH`].
const CROWDING: f64 = 0.008;
/// Schedulers of a multiprocessor.
const SCHEDULERS: f64 = 4.0;
/// Words of shared memory on their way that hide its latency.
const WORDS_IN_FLIGHT: f64 = 110.0;

impl Shape {
    /// Threads of a block.
    #[must_use]
    pub fn threads(&self) -> usize {
        WARP * self.tile_warps * self.groups
    }
}

/// What the shape depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Demand {
    /// Cells of a row.
    pub cells: u64,
    /// The heaviest item that a window could hold.
    pub heaviest: u64,
    /// Items of a class, on average.
    pub items: f64,
    /// Records of the largest class.
    pub records: usize,
    /// Items in a record.
    pub items_a_record: usize,
    /// Bytes of a cell in shared memory.
    pub cell_bytes: usize,
    /// Cells that a thread's register holds: 2 where they are packed.
    pub packing: usize,
}

/// The kernels there are: cells a thread, and most threads.
pub(super) type Variants = &'static [(usize, usize)];

/// The cheapest shape by the model.
pub(super) fn choose(demand: &Demand, device: &DeviceInfo, variants: Variants) -> Shape {
    let mut best = (f64::INFINITY, Shape { cells: variants[0].0, tile_warps: 1, groups: 1 });
    for &(cells, most_threads) in variants {
        for tile_warps in 1..=most_threads / WARP {
            for groups in 1..=(most_threads / WARP / tile_warps).min(8) {
                let shape = Shape { cells, tile_warps, groups };
                let clocks = clocks(&shape, demand, device);
                if clocks < best.0 {
                    best = (clocks, shape);
                }
            }
        }
    }
    best.1
}

/// Clocks of a multiprocessor for a class of average size.
pub(super) fn clocks(shape: &Shape, demand: &Demand, device: &DeviceInfo) -> f64 {
    let tile = shape.cells * WARP * shape.tile_warps * demand.packing;
    let records = demand.records.min(RECORD_LIMIT);
    let fixed = 2 * records * 16 + shape.groups * tile * demand.cell_bytes + RESERVED_SHARED;
    if fixed + 1024 > device.shared_per_block {
        return f64::INFINITY;
    }
    let room = (device.shared_per_block - fixed) / demand.cell_bytes;
    let window = demand.heaviest.min(room as u64) as usize;
    let shared = fixed + window * demand.cell_bytes;
    // Registers are bounded to 64 a thread, 65,536 a multiprocessor.
    let fitting = (device.shared_per_multiprocessor / shared)
        .min(device.threads_per_multiprocessor / shape.threads())
        .min(1024 / shape.threads());
    let tiles = demand.cells.div_ceil(tile as u64) as f64;
    let turns = (tiles / device.multiprocessors as f64).ceil();
    let resident = turns.min(fitting.max(1) as f64);

    let words = (demand.cell_bytes * demand.packing).div_ceil(4) as f64 / demand.packing as f64;
    let warps = resident * shape.threads() as f64 / WARP as f64;
    // A multiprocessor has four schedulers, and a warp stays with one.
    let uneven = (warps / SCHEDULERS).ceil() * SCHEDULERS / warps;
    let crowded = 1.0 + CROWDING * (warps - WARPS_ENOUGH).max(0.0);
    let stall = (WORDS_IN_FLIGHT / (warps * shape.cells as f64)).max(uneven * crowded);
    // A record is four words, each read once a warp.
    let record_reads = 4.0 / (demand.items_a_record * shape.cells) as f64;
    let reading = tile as f64 / WARP as f64 / demand.packing as f64
        * demand.items
        * words.max(1.0)
        * (1.0 + record_reads)
        * stall;
    let intake = WORDS_A_CLOCK.min(WORDS_A_WARP * shape.threads() as f64 / WARP as f64);
    let packing = if demand.packing > 1 { PACKING } else { 1.0 };
    let filling = (window + tile) as f64 * demand.cell_bytes as f64 / 4.0 / intake * packing;
    let merging = match shape.groups {
        1 => 0.0,
        groups => MERGE + ((groups - 1) * tile) as f64 / WARP as f64 * 2.0,
    };
    let waves = (turns / resident).ceil();
    turns * (reading + filling / resident.sqrt() + merging) + waves * EXCHANGE
}
