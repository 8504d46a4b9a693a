//! The plan for filling a table: layers, kernel, shape, and what fits into the GPU's memory. Nothing here calls a
//! GPU.
//!
//! Rows and indices that fit into free memory together form a *run* of layers; a table of several runs continues
//! from the last row of the previous run. A run is filled by one or more *launches*, each of as many layers as have
//! their items in the constant bank.

use super::cell::Width;
use super::layout::{CONSTANT_RECORDS, Frame, Layers, Layout, pick_bits, value_bound};
use super::mckp_packed;
use super::shape::{self, Demand, RESERVED_SHARED, Shape, Variant};
use isx_engine::ItemIndices;
use isx_machine::cuda::{DeviceError, DeviceInfo};
use std::ops::Range;

/// Which kernel fills the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filling {
    /// 16-bit pairs if the GPU is fast at them and the values seem close enough, otherwise full cells.
    Fastest,
    /// `mckp_tiled`, one cell per register.
    Full,
    /// `mckp_packed`, two cells per register wherever a tile's values allow it.
    Packed,
}

/// Options for filling the table, which override the engine's own choices.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The kernel.
    pub filling: Filling,
    /// The shape of tiles.
    pub shape: Option<Shape>,
    /// Most rows in memory at the same time, including the first; at least 2.
    pub most_rows: Option<usize>,
    /// Never download items as indices.
    pub walk_only: bool,
    /// Process every candidate of the problem, to measure raw work: irrelevant items are not excluded.
    pub all_candidates: bool,
    /// Most 16-byte records of items per launch; the constant bank's 4096 by default.
    pub most_records: Option<usize>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            filling: Filling::Fastest,
            shape: None,
            most_rows: None,
            walk_only: false,
            all_candidates: false,
            most_records: None,
        }
    }
}

/// Layers whose rows are on the GPU at the same time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub layers: Range<usize>,
    /// The same layers, divided into launches.
    pub launches: Vec<Range<usize>>,
}

/// The plan of a table.
#[derive(Debug)]
pub(super) struct Plan {
    pub layers: Layers,
    pub layout: Layout,
    /// Cells from one row to the next.
    pub stride: usize,
    /// Tiles, as the launch counts them.
    pub tiles: u32,
    pub packed: bool,
    pub runs: Vec<Run>,
    /// Bytes that the longest run's item indices need, if values have index bits.
    pub pick_bytes: Option<usize>,
}

impl Plan {
    /// Plans the table of a problem with at least one class for a GPU with `free` bytes available; `indexed` requests
    /// the item of every cell if values leave room. Fails if not even two rows fit, the options request a shape that no
    /// kernel has, or a number exceeds the kernels' integers.
    pub fn new(
        layers: Layers,
        info: &DeviceInfo,
        free: u64,
        indexed: bool,
        options: &Options,
    ) -> Result<Self, DeviceError> {
        // Checked before any work proportional to the length of a row, and before cells are counted.
        let two_rows = layers.capacity.saturating_add(1).saturating_mul(2 * layers.width.bytes() as u64);
        if two_rows > free {
            return Err(DeviceError::Memory { needed: two_rows, free });
        }
        let bits = if indexed { pick_bits(&layers).unwrap_or(0) } else { 0 };
        let (mut layout, packed) = lay_out(&layers, info, bits, options)?;
        let kernel = kernel_name(packed);
        let unfit = |why: String| DeviceError::Unfit { kernel, why };
        let shape = layout.shape;
        let has = |variant: &Variant| variant.cells == shape.cells && shape.threads() <= variant.most_threads;
        if !variants(layers.width, packed).iter().any(has) {
            return Err(unfit(format!("there is no variant for tiles of shape {shape:?}")));
        }
        if layout.shared_bytes + RESERVED_SHARED > info.shared_per_block {
            return Err(unfit(format!("tiles of shape {shape:?} do not fit a block's shared memory")));
        }
        let stride = layout.stride();
        let needs = Needs::of(&layers, &layout, stride, bits > 0);
        let most_layers = options.most_rows.map_or(usize::MAX, |rows| rows.max(2) - 1);
        let ranges = runs(&needs, free, most_layers)?;
        // Two rows fit into the GPU's memory, so the number of cells does not overflow.
        let stride = stride.ok_or_else(|| unfit("rows are too long".into()))?;
        let tiles = u32::try_from(layout.tiles).ok().filter(|&tiles| tiles <= MOST_TILES);
        let tiles =
            tiles.ok_or_else(|| unfit(format!("{} tiles are more than a launch has", layout.tiles)))?;
        let most_records = options.most_records.unwrap_or(CONSTANT_RECORDS).min(CONSTANT_RECORDS);
        let mut pick_bytes = (bits > 0).then_some(0);
        let mut runs = Vec::with_capacity(ranges.len());
        for layers_of_run in ranges {
            if let Some(bytes) = &mut pick_bytes {
                *bytes = place_picks(&layers, &mut layout, layers_of_run.clone(), stride).max(*bytes);
            }
            let launches = launches(&layout.constants_at, layers_of_run.clone(), most_records);
            if launches.len() as u64 * u64::from(tiles) > u64::from(u32::MAX) {
                return Err(unfit("a run has more tiles and launches than can be counted".into()));
            }
            for launch in &launches {
                let bank = layout.constants_at[launch.start];
                for layer in launch.clone() {
                    // The bank has 4096 records, so this fits.
                    layout.classes[layer].first_record = (layout.constants_at[layer] - bank) as i32;
                }
            }
            runs.push(Run { layers: layers_of_run, launches });
        }
        Ok(Self { layers, layout, stride, tiles, packed, runs, pick_bytes })
    }

    /// The kernel that fills it.
    pub fn kernel_name(&self) -> &'static str {
        kernel_name(self.packed)
    }
}

/// Most tiles per launch: blocks of a grid.
const MOST_TILES: u32 = i32::MAX as u32;

fn kernel_name(packed: bool) -> &'static str {
    if packed { "mckp_packed" } else { "mckp_tiled" }
}

/// The available kernels.
fn variants(width: Width, packed: bool) -> &'static [Variant] {
    if packed { mckp_packed::VARIANTS } else { width.tiled() }
}

/// The layout, and whether it is for packed cells.
fn lay_out(
    layers: &Layers,
    info: &DeviceInfo,
    bits: u32,
    options: &Options,
) -> Result<(Layout, bool), DeviceError> {
    let best = |packing, packed| {
        let demand = demand(layers, packing);
        let shape =
            options.shape.unwrap_or_else(|| shape::choose(&demand, info, variants(layers.width, packed)));
        (shape, shape::clocks(&shape, &demand, info))
    };
    let frame = |shape, packing, pick_bits| Frame {
        shape,
        packing,
        pick_bits,
        all_candidates: options.all_candidates,
        shared_per_block: info.shared_per_block,
    };
    let unfit = |packed, why| DeviceError::Unfit { kernel: kernel_name(packed), why };
    let (full, full_clocks) = best(1, false);
    let can_pack = layers.width.packs() && bits == 0 && info.compute_capability >= (9, 0);
    if can_pack && options.filling != Filling::Full {
        let (packed, packed_clocks) = best(2, true);
        if options.filling == Filling::Packed || packed_clocks < full_clocks && worth_packing(layers) {
            let layout = Layout::new(layers, frame(packed, 2, 0)).map_err(|why| unfit(true, why))?;
            // The packed kernel has no further bands of weights.
            if layout.segments.is_empty() {
                return Ok((layout, true));
            }
        }
    }
    Ok((Layout::new(layers, frame(full, 1, bits)).map_err(|why| unfit(false, why))?, false))
}

fn demand(layers: &Layers, packing: usize) -> Demand {
    let items: usize = layers.items.iter().map(Vec::len).sum();
    let all = layers.items.iter().flatten();
    let heaviest = all.map(|item| item.weight).filter(|&weight| weight <= layers.capacity).max();
    Demand {
        cells: layers.capacity.saturating_add(1),
        heaviest: heaviest.unwrap_or(0),
        items: items as f64 / layers.items.len().max(1) as f64,
        cell_bytes: layers.width.bytes(),
        packing,
    }
}

/// Whether most tiles' values are likely to lie within 2^15: the steepest class's value over the heaviest window.
fn worth_packing(layers: &Layers) -> bool {
    let items = || layers.items.iter().flatten();
    let largest = items().map(|item| item.value).max().unwrap_or(0);
    let heaviest = items().map(|item| item.weight).max().unwrap_or(0);
    let slope = value_bound(layers) as f64 / (layers.capacity as f64 + 1.0);
    slope * (heaviest as f64 + 8192.0) + largest as f64 <= 32_767.0
}

/// Bytes that a table takes.
struct Needs {
    /// The fixed part, including the first row.
    fixed: u64,
    /// The part of each layer.
    layers: Vec<u64>,
}

impl Needs {
    fn of(layers: &Layers, layout: &Layout, stride: Option<usize>, indexed: bool) -> Self {
        let stride = stride.map_or(u64::MAX, |stride| stride as u64);
        let row = stride.saturating_mul(layers.width.bytes() as u64);
        let records = (layout.constants.len() + layout.records.len()) as u64 * 16;
        let progress = (layout.tiles as u64).saturating_mul(32);
        let fixed = row.saturating_add(records).saturating_add(progress).saturating_add(1 << 20);
        let layer = |items: &Vec<_>| {
            let width = if indexed { ItemIndices::width(items.len()) } else { 0 };
            row.saturating_add(stride.saturating_mul(width as u64))
        };
        Self { fixed, layers: layers.items.iter().map(layer).collect() }
    }
}

/// Gives the indices of a run's layers their places; the number of bytes, which does not overflow: they fit the GPU.
fn place_picks(layers: &Layers, layout: &mut Layout, run: Range<usize>, stride: usize) -> usize {
    let mut at = 0;
    for layer in run {
        let width = ItemIndices::width(layers.items[layer].len());
        layout.classes[layer].pick_offset = at as i64;
        layout.classes[layer].pick_bytes = width as i32;
        at += width * stride;
    }
    at
}

/// Divides the layers into runs that fit `free` bytes.
fn runs(needs: &Needs, free: u64, most_layers: usize) -> Result<Vec<Range<usize>>, DeviceError> {
    let mut runs = Vec::new();
    let (mut from, mut bytes) = (0, needs.fixed);
    for (layer, &needed) in needs.layers.iter().enumerate() {
        let alone = needs.fixed.saturating_add(needed);
        if alone > free {
            return Err(DeviceError::Memory { needed: alone, free });
        }
        if bytes.saturating_add(needed) > free || layer - from == most_layers {
            runs.push(from..layer);
            (from, bytes) = (layer, needs.fixed);
        }
        bytes += needed;
    }
    runs.push(from..needs.layers.len());
    Ok(runs)
}

/// Divides a run into launches of at most `most_records` records, or of one layer.
fn launches(constants_at: &[usize], run: Range<usize>, most_records: usize) -> Vec<Range<usize>> {
    let mut launches = Vec::new();
    let mut from = run.start;
    for layer in run.clone() {
        if layer > from && constants_at[layer + 1] - constants_at[from] > most_records {
            launches.push(from..layer);
            from = layer;
        }
    }
    launches.push(from..run.end);
    launches
}

#[cfg(test)]
mod tests;
