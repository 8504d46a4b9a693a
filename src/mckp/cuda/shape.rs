//! The size of a table's tiles, and the number of threads per tile.
//!
//! A tile has `cells * 32 * tile_warps` cells: each thread has `cells` of them in registers. If a row is short,
//! tiles must be small so that every multiprocessor gets one, and then several *groups* of warps share a tile and
//! divide the items, so that there are still enough warps to hide the latency of shared memory.
//!
//! The shape is the cheapest by a model of one class in clocks of a multiprocessor:
//!
//! ```text
//! blocks on the busiest one * (tile / 32 * items  +  (window + tile) / words a clock)
//!   + latency of signalling the neighbours that a row is stored and of seeing their signals
//! ```
//!
//! The first term is one 4-byte word of shared memory per lane and clock, the hardware's limit. Items come from the
//! constant bank and do not use that path.

use isx_machine::cuda::{DeviceInfo, KernelFile};

/// The shape of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Cells (or pairs of cells) that a thread has in registers.
    pub cells: usize,
    /// Adjacent warps of a tile.
    pub tile_warps: usize,
    /// Groups of that many warps, which divide the items.
    pub groups: usize,
}

/// Threads of a warp.
pub const WARP: usize = 32;
/// Bytes of static shared memory and the driver's share per block, with a margin.
pub(super) const RESERVED_SHARED: usize = 2048;
/// The actual share of the driver and static variables.
const KEPT_BY_DRIVER: usize = 1280;
/// Most records of a band of weights.
pub(super) const RECORD_LIMIT: usize = 1024;
/// Clocks from storing a row to reading the neighbors' at the next one. This and the constants below were fitted to
/// 900 measured shapes on an H200, rows of 12,665 to 20,000,001 cells, classes of 7 to 517 items.
const EXCHANGE: f64 = 6250.0;
/// Clocks of the barrier before groups are merged, and of the delay by the merge.
const MERGE: f64 = 1200.0;
/// 4-byte words per clock that a multiprocessor reads from the second-level cache,
const WORDS_A_CLOCK: f64 = 37.0;
/// and that a warp reads.
const WORDS_A_WARP: f64 = 2.6;
/// The factor by which packing cells slows this down (fitted to 240 measured shapes of packed cells).
const PACKING: f64 = 5.0;
/// The cost of an item for a warp in addition to its cells, in words of shared memory.
const ITEM: f64 = 0.75;
/// Each warp beyond this number slows the others down by [`CROWDING`] (measured: 16 warps take 3 to 4 % longer than
/// 12).
const WARPS_ENOUGH: f64 = 12.0;
/// See [`WARPS_ENOUGH`].
const CROWDING: f64 = 0.0085;
/// The same if cells are packed.
const CROWDING_PACKED: f64 = 0.004;
/// Schedulers of a multiprocessor.
const SCHEDULERS: f64 = 4.0;
/// Words of shared memory in flight that hide its latency.
const WORDS_IN_FLIGHT: f64 = 77.0;

impl Shape {
    /// Threads of a block.
    pub fn threads(&self) -> usize {
        WARP * self.tile_warps * self.groups
    }
}

/// The inputs of the choice of a shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Demand {
    /// Cells of a row.
    pub cells: u64,
    /// The heaviest item that may be read from a window.
    pub heaviest: u64,
    /// Items of a layer, on average.
    pub items: f64,
    /// Bytes of a cell in shared memory.
    pub cell_bytes: usize,
    /// Cells per register of a thread: 2 if they are packed.
    pub packing: usize,
}

/// A kernel of the tiled family.
pub struct Variant {
    /// Cells (or pairs of cells) per thread.
    pub(super) cells: usize,
    /// Most threads per block.
    pub(super) most_threads: usize,
    /// The kernel, named like its file.
    pub(super) file: KernelFile,
}

/// The cheapest of the kernels' shapes according to the model.
pub(super) fn choose(demand: &Demand, device: &DeviceInfo, variants: &[Variant]) -> Shape {
    let smallest = variants.first().map_or(1, |variant| variant.cells);
    let mut best = (f64::INFINITY, Shape { cells: smallest, tile_warps: 1, groups: 1 });
    for &Variant { cells, most_threads, .. } in variants {
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

/// Clocks of a multiprocessor for a layer of average size; infinite if a tile does not fit.
pub(super) fn clocks(shape: &Shape, demand: &Demand, device: &DeviceInfo) -> f64 {
    let tile = shape.cells * WARP * shape.tile_warps * demand.packing;
    let fixed = shape.groups * tile * demand.cell_bytes + RESERVED_SHARED;
    if fixed + 1024 > device.shared_per_block {
        return f64::INFINITY;
    }
    let room = (device.shared_per_block - fixed) / demand.cell_bytes;
    let window = usize::try_from(demand.heaviest).map_or(room, |heaviest| heaviest.min(room));
    // The driver takes less of a block's shared memory than is reserved for it.
    let shared = fixed + window * demand.cell_bytes - RESERVED_SHARED + KEPT_BY_DRIVER;
    // A multiprocessor has 65,536 registers; a thread with 16 or more cells or pairs has 128 of them, others 64.
    let threads_by_registers = if shape.cells < 16 { 1024 } else { 512 };
    let fitting = (device.shared_per_multiprocessor / shared)
        .min(device.threads_per_multiprocessor / shape.threads())
        .min(threads_by_registers / shape.threads());
    let tiles = demand.cells.div_ceil(tile as u64) as f64;
    let turns = (tiles / device.multiprocessors as f64).ceil();
    let resident = turns.min(fitting.max(1) as f64);

    let words = (demand.cell_bytes * demand.packing).div_ceil(4) as f64 / demand.packing as f64;
    let reading = tile as f64 / WARP as f64 / demand.packing as f64 * demand.items * words.max(1.0);
    let intake = WORDS_A_CLOCK.min(WORDS_A_WARP * shape.threads() as f64 / WARP as f64);
    let packing = if demand.packing > 1 { PACKING } else { 1.0 };
    let filling = (window + tile) as f64 * demand.cell_bytes as f64 / 4.0 / intake * packing;
    let merging = match shape.groups {
        1 => 0.0,
        groups => MERGE + ((groups - 1) * tile) as f64 / WARP as f64 * 2.0,
    };
    let wave = |blocks: f64| {
        blocks * (reading * stall(shape, demand.packing, blocks) + filling / blocks.sqrt() + merging)
            + EXCHANGE
    };
    let last = turns % resident;
    (turns / resident).floor() * wave(resident) + if last > 0.0 { wave(last) } else { 0.0 }
}

/// The factor over one word per lane and clock that the items take if `blocks` blocks share a multiprocessor.
fn stall(shape: &Shape, packing: usize, blocks: f64) -> f64 {
    let warps = blocks * shape.threads() as f64 / WARP as f64;
    // A multiprocessor has four schedulers, and a warp stays with one.
    let uneven = (warps / SCHEDULERS).ceil() * SCHEDULERS / warps;
    let crowding = if packing > 1 { CROWDING_PACKED } else { CROWDING };
    let crowded = 1.0 + crowding * (warps - WARPS_ENOUGH).max(0.0);
    (WORDS_IN_FLIGHT / (warps * shape.cells as f64)).max(uneven * crowded) * (1.0 + ITEM / shape.cells as f64)
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::variants::NARROW;
    use super::*;

    /// An H200, as its driver describes it.
    pub fn h200() -> DeviceInfo {
        DeviceInfo {
            ordinal: 0,
            name: "NVIDIA H200".into(),
            compute_capability: (9, 0),
            driver_cuda: 13_000,
            multiprocessors: 132,
            shared_per_block: 232_448,
            shared_per_multiprocessor: 233_472,
            threads_per_multiprocessor: 2048,
            memory: 150_000_000_000,
            clock_khz: 1_980_000,
        }
    }

    fn demand(cells: u64, heaviest: u64, items: f64) -> Demand {
        Demand { cells, heaviest, items, cell_bytes: 4, packing: 1 }
    }

    #[test]
    fn every_multiprocessor_has_a_tile_where_a_row_has_cells_for_all() {
        for cells in [94_281, 303_501, 390_501, 20_000_001] {
            let shape = choose(&demand(cells, 10_000, 517.0), &h200(), NARROW);
            let tiles = cells.div_ceil((shape.cells * WARP * shape.tile_warps) as u64);
            assert!(tiles >= 90, "{cells} cells: {tiles} tiles of {shape:?}");
        }
    }

    #[test]
    fn the_shape_is_one_that_a_kernel_has_at_the_ends_of_every_range() {
        for cells in [1, 2, 1 << 31, (1 << 62) + 1, u64::MAX] {
            for heaviest in [0, 1, 1 << 31, 1 << 62, u64::MAX] {
                for items in [0.0, 1.0, 1e9] {
                    for packing in [1, 2] {
                        let demand = Demand { packing, ..demand(cells, heaviest, items) };
                        let shape = choose(&demand, &h200(), NARROW);
                        let clocks = clocks(&shape, &demand, &h200());
                        assert!(
                            clocks.is_finite() && clocks > 0.0,
                            "{demand:?}: {clocks} clocks of {shape:?}"
                        );
                        let fits = |kernel: &Variant| {
                            kernel.cells == shape.cells && shape.threads() <= kernel.most_threads
                        };
                        assert!(NARROW.iter().any(fits), "{demand:?}: {shape:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_tile_that_no_block_can_hold_is_never_chosen() {
        let shape = Shape { cells: 16, tile_warps: 16, groups: 8 };
        assert!(clocks(&shape, &demand(1 << 20, 10_000, 500.0), &h200()).is_infinite());
        let small = DeviceInfo { shared_per_block: 48 << 10, shared_per_multiprocessor: 64 << 10, ..h200() };
        let shape = choose(&demand(1 << 20, 10_000, 500.0), &small, NARROW);
        assert!(shape.groups * shape.cells * WARP * shape.tile_warps * 4 < 48 << 10, "{shape:?}");
    }

    #[test]
    fn more_cells_more_items_and_wider_windows_never_cost_less() {
        let shape = Shape { cells: 8, tile_warps: 12, groups: 1 };
        let of = |cells, heaviest, items| clocks(&shape, &demand(cells, heaviest, items), &h200());
        let one = of(300_000, 5_000, 50.0);
        assert!(of(3_000_000, 5_000, 50.0) > one && of(300_000, 10_000, 50.0) > one);
        assert!(of(300_000, 5_000, 100.0) > one);
    }

    #[test]
    fn a_large_table_is_bound_by_one_word_a_lane_a_clock() {
        let demand = demand(20_000_001, 10_000, 517.0);
        let shape = choose(&demand, &h200(), NARROW);
        let ideal = 20_000_001.0 * 517.0 / (132.0 * 32.0);
        let share = ideal / clocks(&shape, &demand, &h200());
        assert!((0.85..=1.0).contains(&share) && shape.cells == 32, "{share} of the limit with {shape:?}");
    }

    #[test]
    fn the_fastest_measured_shapes_of_packed_cells_are_chosen() {
        let shape = |cells| {
            let demand = Demand { packing: 2, ..demand(cells, 10_000, 517.0) };
            choose(&demand, &h200(), super::super::mckp_packed::VARIANTS)
        };
        assert_eq!(shape(20_000_001), Shape { cells: 32, tile_warps: 15, groups: 1 });
        assert_eq!(shape(390_501), Shape { cells: 16, tile_warps: 3, groups: 4 });
        assert_eq!(shape(94_281).cells, 8);
    }
}
