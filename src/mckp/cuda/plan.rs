//! The plan for filling a table: layers, kernel, shape, and what fits into the GPU's memory. Nothing here calls a
//! GPU.
//!
//! Rows and indices that fit into free memory together form a *run* of layers; a table of several runs continues
//! from the last row of the previous run. A run is filled by one or more *launches*, each of as many layers as have
//! their items in the constant bank.

use super::cell::Width;
use super::layers::{Layer, Layers, Merging};
use super::layout::{CONSTANT_RECORDS, Frame, Layout, pick_bits, value_bound};
use super::mckp_packed;
use super::mckp_split::{Choice, Split};
use super::shape::{self, Demand, RESERVED_SHARED, Shape, Variant};
use isx_engine::ItemIndices;
use isx_machine::cuda::{DeviceError, DeviceInfo};
use isx_problems::mckp::Item;
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
    /// Which neighboring classes are merged into one layer.
    pub merging: Merging,
    /// Process every candidate of the problem, to measure raw work: nothing is merged, and irrelevant items are not
    /// excluded.
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
            merging: Merging::Fastest,
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
    /// The range of the plan's splits that belongs to its layers.
    pub splits: Range<usize>,
}

/// Where the items of cells are stored, if at all.
#[derive(Debug, Default)]
pub(super) struct PickPlan {
    /// Bytes that the longest run needs.
    pub bytes: usize,
    /// The position of each class's indices, in the bytes of its run.
    pub class_at: Vec<usize>,
    /// The layers of two classes, whose indices are split once a run is filled.
    pub splits: Vec<Split>,
    /// The pairs of items that the splits' indices refer to.
    pub choices: Vec<Choice>,
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
    /// Set if values have index bits.
    pub picks: Option<PickPlan>,
}

impl Plan {
    /// Plans the table of a problem with at least one class, given as a layer per class, for a GPU with `free` bytes
    /// available; `indexed` requests the item of every cell if values leave room. Fails if not even two rows fit, the options request a shape that
    /// no kernel has, or a number exceeds the kernels' integers.
    pub fn new(
        single: Layers,
        info: &DeviceInfo,
        free: u64,
        indexed: bool,
        options: &Options,
    ) -> Result<Self, DeviceError> {
        // Checked before any work proportional to the length of a row, and before cells are counted.
        let two_rows = single.capacity.saturating_add(1).saturating_mul(2 * single.width.bytes() as u64);
        if two_rows > free {
            return Err(DeviceError::Memory { needed: two_rows, free });
        }
        let layers = layers(single, info, options);
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
        let mut picks = (bits > 0).then(PickPlan::default);
        let mut runs = Vec::with_capacity(ranges.len());
        for layers_of_run in ranges {
            let first_split = picks.as_ref().map_or(0, |picks| picks.splits.len());
            if let Some(picks) = &mut picks {
                picks.place(&layers, &mut layout, layers_of_run.clone(), stride);
            }
            let last_split = picks.as_ref().map_or(0, |picks| picks.splits.len());
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
            runs.push(Run { layers: layers_of_run, launches, splits: first_split..last_split });
        }
        Ok(Self { layers, layout, stride, tiles, packed, runs, picks })
    }

    /// The kernel that fills it.
    pub fn kernel_name(&self) -> &'static str {
        kernel_name(self.packed)
    }

    /// The classes of a run.
    pub fn classes(&self, run: usize) -> Range<usize> {
        let layers = &self.layers.layers[self.runs[run].layers.clone()];
        match (layers.first(), layers.last()) {
            (Some(first), Some(last)) => first.classes().start..last.classes().end,
            _ => 0..0,
        }
    }
}

impl PickPlan {
    /// Assigns places to the indices of a run's layers and of their classes.
    fn place(&mut self, layers: &Layers, layout: &mut Layout, run: Range<usize>, stride: usize) {
        // The run's indices fit into the GPU's memory, so the number of bytes does not overflow.
        let mut at = 0;
        let mut take = |items: usize| {
            let width = pick_width(items);
            at += width * stride;
            (at - width * stride, width)
        };
        for layer in run.clone() {
            let Layer { items, pairs, .. } = &layers.layers[layer];
            let (from, width) = take(items.len());
            layout.classes[layer].pick_offset = from as i64;
            layout.classes[layer].pick_bytes = width as i32;
            let Some(pairs) = pairs else {
                self.class_at.push(from);
                continue;
            };
            let [(first, first_width), (second, second_width)] = pairs.class_sizes.map(&mut take);
            self.class_at.extend([first, second]);
            self.splits.push(Split {
                from: from as i64,
                first: first as i64,
                second: second as i64,
                first_choice: self.choices.len() as i64,
                row: (layer - run.start + 1) as i32,
                from_bytes: width as i32,
                first_bytes: first_width as i32,
                second_bytes: second_width as i32,
            });
            self.choices.extend(pairs.items.iter().map(|pair| Choice {
                second_weight: pair.second_weight as i64,
                first: pair.first.into(),
                second: pair.second.into(),
            }));
        }
        self.bytes = self.bytes.max(at);
    }
}

/// Classes are merged if that takes less than this share of their clocks: the model overestimates the cost of a
/// small layer (7200 clocks where 5900 were measured).
const WORTH_MERGING: f64 = 0.8;
/// Most tiles per launch: blocks of a grid.
const MOST_TILES: u32 = i32::MAX as u32;

fn kernel_name(packed: bool) -> &'static str {
    if packed { "mckp_packed" } else { "mckp_tiled" }
}

/// The available kernels.
fn variants(width: Width, packed: bool) -> &'static [Variant] {
    if packed { mckp_packed::VARIANTS } else { width.tiled() }
}

/// The layers: neighbors of `single`, a layer per class, are merged if the cost model predicts a gain.
fn layers(single: Layers, info: &DeviceInfo, options: &Options) -> Layers {
    match options.merging {
        _ if options.all_candidates => single,
        Merging::Never => single,
        Merging::Always => single.merged(|_, _| true),
        Merging::Fastest => {
            let average = demand(&single, 1);
            let shape =
                options.shape.unwrap_or_else(|| shape::choose(&average, info, variants(single.width, false)));
            let clocks = |items: &[Item<i64>]| {
                let heaviest = items.iter().map(|item| item.weight).max().unwrap_or(0);
                let layer = Demand { heaviest, items: items.len() as f64, ..average };
                shape::clocks(&shape, &layer, info)
            };
            single.merged(|[first, second], merged| {
                clocks(merged) < WORTH_MERGING * (clocks(first) + clocks(second))
            })
        }
    }
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
    let items: usize = layers.layers.iter().map(|layer| layer.items.len()).sum();
    let all = layers.layers.iter().flat_map(|layer| &layer.items[..]);
    let heaviest = all.map(|item| item.weight).filter(|&weight| weight <= layers.capacity).max();
    Demand {
        cells: layers.capacity.saturating_add(1),
        heaviest: heaviest.unwrap_or(0),
        items: items as f64 / layers.layers.len().max(1) as f64,
        cell_bytes: layers.width.bytes(),
        packing,
    }
}

/// Whether most tiles' values are likely to lie within 2^15: the steepest class's value over the heaviest window.
fn worth_packing(layers: &Layers) -> bool {
    let items = || layers.layers.iter().flat_map(|layer| &layer.items[..]);
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
        let layer = |layer: &Layer| {
            let widths: usize = if indexed { widths(layer).iter().sum() } else { 0 };
            row.saturating_add(stride.saturating_mul(widths as u64))
        };
        Self { fixed, layers: layers.layers.iter().map(layer).collect() }
    }
}

/// Bytes of an index into the layer and, if it has two classes, of an index into each of them.
fn widths(layer: &Layer) -> Vec<usize> {
    let classes = layer.pairs.iter().flat_map(|pairs| pairs.class_sizes);
    std::iter::once(layer.items.len()).chain(classes).map(pick_width).collect()
}

/// Bytes of an index into that many items, as in [`ItemIndices::zeros`].
pub(super) fn pick_width(items: usize) -> usize {
    match ItemIndices::zeros(0, items) {
        ItemIndices::U8(_) => 1,
        ItemIndices::U16(_) => 2,
        ItemIndices::U32(_) => 4,
    }
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
