//! How a table is to be filled: layers, kernel, shape, and what fits the GPU's memory at once. Nothing here calls a GPU.
//!
//! Rows and indices that fit the free memory together are a *run* of layers; a table of several runs goes on from the
//! last row of the one before. A run is filled by one or more *launches*: as many layers each as the constant bank
//! holds items of.

use super::cell::Cell;
use super::layers::{Layer, Layers, Merging};
use super::layout::{CONSTANT_RECORDS, Frame, Layout, pick_bits, value_bound};
use super::mckp_packed;
use super::mckp_split::{Choice, Split};
use super::shape::{self, Demand, RESERVED_SHARED, Shape};
use crate::engine::mckp::answer::ItemIndices;
use crate::machine::cuda::DeviceError;
use crate::machine::cuda::DeviceInfo;
use crate::problem::mckp::Item;
use crate::reduce::mckp::Reduced;
use std::ops::Range;

/// Which kernel fills the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filling {
    /// 16-bit pairs where the GPU is fast at them and the values look close enough, else full cells.
    Fastest,
    /// `mckp_tiled`, a cell a register.
    Full,
    /// `mckp_packed`, two cells a register wherever a tile's values allow it.
    Packed,
}

/// How to fill the table, where the engine shall not choose by itself.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The kernel.
    pub filling: Filling,
    /// The shape of tiles.
    pub shape: Option<Shape>,
    /// Most rows to hold at once, the first included; at least 2.
    pub most_rows: Option<usize>,
    /// Never bring items back as indices.
    pub walk_only: bool,
    /// Which neighbouring classes become one layer.
    pub merging: Merging,
    /// Look at every candidate of the problem, so that raw work can be measured: nothing is merged, and the items that
    /// cannot be of use are not left out.
    pub all_candidates: bool,
    /// Most 16-byte records of items that a launch may have; the constant bank's 4096 if not given.
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

/// Layers whose rows are on the GPU together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub layers: Range<usize>,
    /// The same layers, a launch each.
    pub launches: Vec<Range<usize>>,
    /// Which of the plan's splits its layers have.
    pub splits: Range<usize>,
}

/// Where the items of cells are stored, where they are stored at all.
#[derive(Debug, Default)]
pub(super) struct PickPlan {
    /// Bytes that the longest run needs.
    pub bytes: usize,
    /// Where each class's indices begin, in the bytes of its run.
    pub class_at: Vec<usize>,
    /// The layers of two classes, whose indices are split once a run is filled.
    pub splits: Vec<Split>,
    /// The pairs of items that the splits' indices stand for.
    pub choices: Vec<Choice>,
}

/// A table planned.
#[derive(Debug)]
pub(super) struct Plan<'a, V: Cell> {
    pub layers: Layers<'a, V>,
    pub layout: Layout,
    /// Cells from one row to the next.
    pub stride: usize,
    /// Tiles, as the launch counts them.
    pub tiles: u32,
    pub packed: bool,
    pub runs: Vec<Run>,
    /// Where values have index bits.
    pub picks: Option<PickPlan>,
}

impl<'a, V: Cell> Plan<'a, V> {
    /// Plans the table of a problem with at least one class for a GPU with `free` bytes to use; `indexed` asks for the
    /// item of every cell where values leave room.
    ///
    /// # Errors
    ///
    /// When not even two rows fit, when the options ask for a shape that no kernel has, or when a number passes what
    /// the kernels count in.
    pub fn new(
        problem: &'a Reduced<V>,
        info: &DeviceInfo,
        free: u64,
        indexed: bool,
        options: &Options,
    ) -> Result<Self, DeviceError> {
        // Before anything is laid out that is as long as a row, or that counts cells.
        let two_rows = problem.capacity.saturating_add(1).saturating_mul(2 * size_of::<V>() as u64);
        if two_rows > free {
            return Err(DeviceError::Memory { needed: two_rows, free });
        }
        let layers = layers(problem, info, options);
        let bits = if indexed { pick_bits(&layers).unwrap_or(0) } else { 0 };
        let (mut layout, packed) = lay_out(&layers, info, bits, options)?;
        let kernel = kernel_name(packed);
        let unfit = |why: String| DeviceError::Unfit { kernel, why };
        let shape = layout.shape;
        let has = |&(cells, threads): &(usize, usize)| cells == shape.cells && shape.threads() <= threads;
        if !variants::<V>(packed).iter().any(has) {
            return Err(unfit(format!("there is no variant for tiles of shape {shape:?}")));
        }
        if layout.shared_bytes + RESERVED_SHARED > info.shared_per_block {
            return Err(unfit(format!("tiles of shape {shape:?} do not fit a block's shared memory")));
        }
        let stride = layout.stride();
        let needs = Needs::of(&layers, &layout, stride, bits > 0);
        let most_layers = options.most_rows.map_or(usize::MAX, |rows| rows.max(2) - 1);
        let ranges = runs(&needs, free, most_layers)?;
        // Two rows fit the GPU's memory, so a row's cells can be counted.
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
                    // The bank holds 4096 records, so this fits.
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
    /// Finds a place for the indices of a run's layers and of their classes.
    fn place<V: Cell>(
        &mut self,
        layers: &Layers<'_, V>,
        layout: &mut Layout,
        run: Range<usize>,
        stride: usize,
    ) {
        // The run's indices fit the GPU's memory, so their bytes can be counted.
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

/// Classes are merged where that takes less than this share of their clocks: the model takes a small layer for dearer than
/// it is (7200 clocks where 5900 were measured).
const WORTH_MERGING: f64 = 0.8;
/// Most tiles of a launch: blocks of a grid.
const MOST_TILES: u32 = i32::MAX as u32;

fn kernel_name(packed: bool) -> &'static str {
    if packed { "mckp_packed" } else { "mckp_tiled" }
}

/// Cells a thread and most threads of the kernels there are.
fn variants<V: Cell>(packed: bool) -> Vec<(usize, usize)> {
    if packed {
        return mckp_packed::VARIANTS.to_vec();
    }
    V::TILED.iter().map(|variant| (variant.cells, variant.most_threads)).collect()
}

/// The problem's layers: neighbours are merged where the model of a layer's clocks says so.
fn layers<'a, V: Cell>(problem: &'a Reduced<V>, info: &DeviceInfo, options: &Options) -> Layers<'a, V> {
    let single = Layers::one_a_class(problem);
    match options.merging {
        _ if options.all_candidates => single,
        Merging::Never => single,
        Merging::Always => single.merged(|_, _| true),
        Merging::Fastest => {
            let average = demand(&single, 1);
            let shape = options.shape.unwrap_or_else(|| shape::choose(&average, info, &variants::<V>(false)));
            let clocks = |items: &[Item<V>]| {
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
fn lay_out<V: Cell>(
    layers: &Layers<'_, V>,
    info: &DeviceInfo,
    bits: u32,
    options: &Options,
) -> Result<(Layout, bool), DeviceError> {
    let best = |packing, packed| {
        let demand = demand(layers, packing);
        let shape = options.shape.unwrap_or_else(|| shape::choose(&demand, info, &variants::<V>(packed)));
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
    let can_pack = V::PACKED.is_some() && bits == 0 && info.compute_capability >= (9, 0);
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

fn demand<V: Cell>(layers: &Layers<'_, V>, packing: usize) -> Demand {
    let items: usize = layers.layers.iter().map(|layer| layer.items.len()).sum();
    let all = layers.layers.iter().flat_map(|layer| &layer.items[..]);
    let heaviest = all.map(|item| item.weight).filter(|&weight| weight <= layers.capacity).max();
    Demand {
        cells: layers.capacity.saturating_add(1),
        heaviest: heaviest.unwrap_or(0),
        items: items as f64 / layers.layers.len().max(1) as f64,
        cell_bytes: size_of::<V>(),
        packing,
    }
}

/// Whether most tiles' values are likely to lie within 2^15: the steepest class's value over the heaviest window.
fn worth_packing<V: Cell>(layers: &Layers<'_, V>) -> bool {
    let items = || layers.layers.iter().flat_map(|layer| &layer.items[..]);
    let largest = items().map(|item| item.value.to_i64()).max().unwrap_or(0);
    let heaviest = items().map(|item| item.weight).max().unwrap_or(0);
    let slope = value_bound(layers) as f64 / (layers.capacity as f64 + 1.0);
    slope * (heaviest as f64 + 8192.0) + largest as f64 <= 32_767.0
}

/// Bytes that a table takes.
struct Needs {
    /// Whatever the number of layers, the first row included.
    fixed: u64,
    /// For each layer.
    layers: Vec<u64>,
}

impl Needs {
    fn of<V: Cell>(layers: &Layers<'_, V>, layout: &Layout, stride: Option<usize>, indexed: bool) -> Self {
        let stride = stride.map_or(u64::MAX, |stride| stride as u64);
        let row = stride.saturating_mul(size_of::<V>() as u64);
        let records = (layout.constants.len() + layout.records.len()) as u64 * 16;
        let progress = (layout.tiles as u64).saturating_mul(32);
        let fixed = row.saturating_add(records).saturating_add(progress).saturating_add(1 << 20);
        let layer = |layer: &Layer<'_, V>| {
            let widths: usize = if indexed { widths(layer).iter().sum() } else { 0 };
            row.saturating_add(stride.saturating_mul(widths as u64))
        };
        Self { fixed, layers: layers.layers.iter().map(layer).collect() }
    }
}

/// Bytes of an index into the layer, and where it is of two classes, of one into each of them.
fn widths<V: Cell>(layer: &Layer<'_, V>) -> Vec<usize> {
    let classes = layer.pairs.iter().flat_map(|pairs| pairs.class_sizes);
    std::iter::once(layer.items.len()).chain(classes).map(pick_width).collect()
}

/// Bytes of an index into that many items, as [`ItemIndices::zeros`] has them.
pub(super) fn pick_width(items: usize) -> usize {
    match ItemIndices::zeros(0, items) {
        ItemIndices::U8(_) => 1,
        ItemIndices::U16(_) => 2,
        ItemIndices::U32(_) => 4,
    }
}

/// Cuts the layers into runs that fit `free` bytes.
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

/// Cuts a run into launches of at most `most_records` records, or of one layer.
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
mod tests {
    use super::super::shape::tests::h200;
    use super::*;
    use crate::reduce::mckp::{Class, WayBack};
    use num_bigint::BigInt;

    const PLENTY: u64 = 100 << 30;

    fn problem<V: Cell>(capacity: u64, classes: &[Vec<(V, u64)>]) -> Reduced<V> {
        let class = |items: &Vec<(V, u64)>| Class {
            items: items.iter().map(|&(value, weight)| Item { value, weight }).collect(),
            zero: 0,
            origin: vec![None; items.len()],
        };
        let back = WayBack {
            class_origin: (0..classes.len()).collect(),
            fixed: vec![None; classes.len()],
            weight_offset: 0,
            weight_unit: 1,
            value_offset: BigInt::ZERO,
            value_unit: 1.into(),
            complete: false,
        };
        Reduced { classes: classes.iter().map(class).collect(), capacity, back }
    }

    /// Classes of the zero item and `items` others, rising in weight and value.
    fn rising(classes: usize, items: u64, step: u64) -> Vec<Vec<(i32, u64)>> {
        let class = |class: usize| {
            (0..=items).map(|at| (at as i32 * (7 + class as i32 % 3), at * step + at % 2)).collect()
        };
        (0..classes).map(class).collect()
    }

    fn planned<'a, V: Cell>(problem: &'a Reduced<V>, indexed: bool, options: &Options) -> Plan<'a, V> {
        Plan::new(problem, &h200(), PLENTY, indexed, options).unwrap()
    }

    #[test]
    fn small_neighbouring_classes_are_merged_and_large_ones_are_not() {
        let small = problem(300_000, &rising(100, 6, 900));
        assert_eq!(planned(&small, false, &Options::default()).layers.layers.len(), 50);
        let large = problem(300_000, &rising(100, 500, 18));
        assert_eq!(planned(&large, false, &Options::default()).layers.layers.len(), 100);
        let never = Options { merging: Merging::Never, ..Options::default() };
        assert_eq!(planned(&small, false, &never).layers.layers.len(), 100);
    }

    #[test]
    fn every_class_is_in_one_layer_every_layer_in_one_launch() {
        for classes in [1, 2, 3, 40] {
            for (most_rows, most_records) in
                [(None, None), (Some(2), None), (Some(4), Some(7)), (None, Some(1))]
            {
                let problem = problem(5000, &rising(classes, 5, 40));
                let options =
                    Options { merging: Merging::Always, most_rows, most_records, ..Options::default() };
                let plan = planned(&problem, true, &options);
                let covered: Vec<usize> = plan.layers.layers.iter().flat_map(Layer::classes).collect();
                assert_eq!(covered, (0..classes).collect::<Vec<_>>());
                let launched = plan.runs.iter().flat_map(|run| run.launches.iter().cloned().flatten());
                assert_eq!(launched.collect::<Vec<_>>(), (0..plan.layers.layers.len()).collect::<Vec<_>>());
                let of_runs = (0..plan.runs.len()).flat_map(|run| plan.classes(run));
                assert_eq!(of_runs.collect::<Vec<_>>(), covered);
                assert!(most_rows.is_none_or(|rows| plan.runs.iter().all(|run| run.layers.len() < rows)));
            }
        }
    }

    #[test]
    fn a_launch_finds_its_items_in_the_constant_bank() {
        let problem = problem(400_000, &rising(60, 700, 14));
        let plan = planned(&problem, false, &Options { filling: Filling::Full, ..Options::default() });
        let launches: Vec<&Range<usize>> = plan.runs.iter().flat_map(|run| &run.launches).collect();
        assert_eq!(launches.len(), (60 * 351usize).div_ceil(4096).max(60usize.div_ceil(4096 / 351)));
        for launch in launches {
            let mut at = 0;
            for layer in launch.clone() {
                assert_eq!(plan.layout.classes[layer].first_record, at);
                at += plan.layout.classes[layer].records;
            }
            assert!(at <= 4096, "{at} records");
        }
    }

    #[test]
    fn indices_have_places_that_do_not_overlap() {
        let mut classes = rising(9, 5, 40);
        classes.insert(3, (0..300).map(|at| (at, at as u64 * 3)).collect());
        let problem = problem(5000, &classes);
        for most_rows in [None, Some(3)] {
            let options = Options { merging: Merging::Always, most_rows, ..Options::default() };
            let plan = planned(&problem, true, &options);
            let picks = plan.picks.as_ref().unwrap();
            assert_eq!(picks.class_at.len(), classes.len());
            for (number, run) in plan.runs.iter().enumerate() {
                let places = plan.classes(number).map(|class| {
                    (picks.class_at[class], pick_width(problem.classes[class].items.len()) * plan.stride)
                });
                let merged = picks.splits[run.splits.clone()].iter().map(|split| {
                    let (from, bytes) = (split.from as usize, split.from_bytes as usize * plan.stride);
                    assert!(run.layers.len() >= split.row as usize && split.row > 0, "a row of this run");
                    (from, bytes)
                });
                let mut places: Vec<(usize, usize)> = places.chain(merged).collect();
                places.sort_unstable();
                assert!(places.windows(2).all(|two| two[0].0 + two[0].1 == two[1].0), "{places:?}");
                let (last, bytes) = places[places.len() - 1];
                assert!(last + bytes <= picks.bytes);
            }
        }
    }

    #[test]
    fn rows_that_do_not_fit_are_cut_into_runs_until_two_do_not_fit() {
        let needs = |row| Needs { fixed: 10 + row, layers: vec![row; 5] };
        assert_eq!(runs(&needs(100), 610, usize::MAX).unwrap(), vec![0..5]);
        assert_eq!(runs(&needs(100), 609, usize::MAX).unwrap(), [0..4, 4..5]);
        assert_eq!(runs(&needs(100), 210, usize::MAX).unwrap(), [0..1, 1..2, 2..3, 3..4, 4..5]);
        assert_eq!(runs(&needs(100), 9999, 2).unwrap(), [0..2, 2..4, 4..5]);
        let error = runs(&needs(100), 209, usize::MAX).unwrap_err();
        assert!(matches!(error, DeviceError::Memory { needed: 210, free: 209 }), "{error}");
        assert!(runs(&needs(u64::MAX / 2), u64::MAX - 1, usize::MAX).is_err(), "sums of bytes do not wrap");
    }

    #[test]
    fn launches_hold_at_most_the_records_asked_for_or_one_layer() {
        let at = [0, 5, 9, 30, 31, 32];
        assert_eq!(launches(&at, 0..5, 9), [0..2, 2..3, 3..5]);
        assert_eq!(launches(&at, 0..5, 1000), vec![0..5]);
        assert_eq!(launches(&at, 1..4, 1), [1..2, 2..3, 3..4]);
        assert_eq!(launches(&[0, 3], 0..1, 1), vec![0..1]);
    }

    #[test]
    fn tables_at_the_ends_of_every_range_are_planned_or_refused_for_memory() {
        let one_item = vec![vec![(0i64, 0u64)]];
        let heavy = vec![vec![(0, 0), (1, 1), (i64::MAX / 4, 1 << 62), (5, u64::MAX)]; 3];
        for classes in [one_item, heavy] {
            for indexed in [false, true] {
                for capacity in [0, 1, 1 << 31, 1 << 62, u64::MAX - 1] {
                    let problem = problem(capacity, &classes);
                    let plan = Plan::new(&problem, &h200(), PLENTY, indexed, &Options::default());
                    match plan {
                        Ok(plan) => {
                            assert!(capacity <= 1 << 31, "{capacity}");
                            assert!(plan.stride as u64 > capacity);
                        }
                        Err(error) => {
                            assert!(capacity > 1 << 31, "{capacity}: {error}");
                            assert!(matches!(error, DeviceError::Memory { free: PLENTY, .. }), "{error}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn only_narrow_cells_on_a_gpu_that_is_fast_at_it_are_packed() {
        let packed = Options { filling: Filling::Packed, ..Options::default() };
        let narrow = problem(5000, &rising(4, 50, 40));
        assert!(planned(&narrow, false, &packed).packed);
        assert!(!planned(&narrow, true, &packed).packed, "indices need full cells");
        let before_hopper = DeviceInfo { compute_capability: (8, 9), ..h200() };
        assert!(!Plan::new(&narrow, &before_hopper, PLENTY, false, &packed).unwrap().packed);
        let wide = problem(5000, &[vec![(0i64, 0), (5, 3)]]);
        assert!(!planned(&wide, false, &packed).packed);
    }

    #[test]
    fn what_no_kernel_has_is_refused_in_the_name_of_the_kernel_that_was_asked_for() {
        let problem = problem(5000, &rising(4, 50, 40));
        let refused = |filling| {
            let shape = Some(Shape { cells: 5, tile_warps: 1, groups: 1 });
            let options = Options { filling, shape, ..Options::default() };
            Plan::new(&problem, &h200(), PLENTY, false, &options).unwrap_err().to_string()
        };
        assert!(refused(Filling::Packed).starts_with("kernel mckp_packed: there is no variant"));
        assert!(refused(Filling::Full).starts_with("kernel mckp_tiled: there is no variant"));
    }
}
