//! A table of the tiled engine on the GPU: laid out, filled, and read back row by row.
//!
//! The table is filled in one launch where its rows fit the GPU's free memory, else in as few launches as fit, each
//! over a run of classes and from the last row of the run before.

use super::cell::Cell;
use super::device::Device;
use super::error::{DeviceError, During};
use super::layout::{Layout, pick_bits, value_bound};
use super::shape::{self, Demand, RESERVED_SHARED, Shape};
use super::transfer::plain_bytes;
use super::{mckp_packed, mckp_tiled};
use crate::engine::answer::{ItemIndices, LayerPicks, item_weights};
use crate::reduce::Reduced;
use cudarc::driver::CudaSlice;
use rayon::prelude::*;
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
}

impl Default for Options {
    fn default() -> Self {
        Self { filling: Filling::Fastest, shape: None, most_rows: None, walk_only: false }
    }
}

/// Share of the free memory that tables may take.
const USABLE: f64 = 0.9;
/// A problem on the GPU, ready to be filled.
pub struct Table<'a, V: Cell> {
    device: &'a Device,
    problem: &'a Reduced<V>,
    layout: Layout,
    packed: bool,
    on_device: OnDevice<V>,
    runs: Vec<Range<usize>>,
    pick_offsets: Vec<usize>,
}

struct OnDevice<V> {
    rows: CudaSlice<V>,
    records: CudaSlice<[i32; 4]>,
    segments: CudaSlice<super::layout::Segment>,
    classes: CudaSlice<super::layout::ClassRecord>,
    picks: Option<CudaSlice<u8>>,
    progress: CudaSlice<u32>,
    wide_tiles: CudaSlice<u64>,
}

impl<'a, V: Cell> Table<'a, V> {
    /// Lays the problem out and copies it to the GPU.
    ///
    /// # Errors
    ///
    /// When not even two rows fit the GPU's free memory, or a call fails.
    pub fn new(
        device: &'a Device,
        problem: &'a Reduced<V>,
        indexed: bool,
        options: &Options,
    ) -> Result<Self, DeviceError> {
        let bits = if indexed { pick_bits(problem).unwrap_or(0) } else { 0 };
        let (mut layout, packed) = lay_out(device, problem, bits, options);
        let variants = if packed { mckp_packed::VARIANTS } else { mckp_tiled::variants::<V>() };
        let shape = layout.shape;
        if !variants.iter().any(|&(cells, threads)| cells == shape.cells && shape.threads() <= threads) {
            let why = format!("there is no variant for tiles of shape {shape:?}");
            return Err(DeviceError::Unfit { kernel: "mckp_tiled", why });
        }
        if layout.shared_bytes + RESERVED_SHARED > device.info().shared_per_block {
            let why = format!("tiles of shape {:?} do not fit a block's shared memory", layout.shape);
            return Err(DeviceError::Unfit { kernel: "mckp_tiled", why });
        }
        let widths: Vec<usize> = problem.classes.iter().map(|class| pick_width(class.items.len())).collect();
        let free = (device.free_memory()? as f64 * USABLE) as u64;
        let runs = runs(&layout, &widths, size_of::<V>(), free, options.most_rows)?;

        let stride = layout.stride();
        let mut pick_offsets = Vec::with_capacity(widths.len());
        let mut longest_run = 0;
        let mut pick_bytes = 0;
        for run in &runs {
            let mut at = 0usize;
            for class in run.clone() {
                pick_offsets.push(at);
                layout.classes[class].pick_offset = at as i64;
                layout.classes[class].pick_bytes = widths[class] as i32;
                at += stride * widths[class];
            }
            pick_bytes = pick_bytes.max(at);
            longest_run = longest_run.max(run.len());
        }
        let picks = if bits > 0 { Some(device.unwritten("item indices", pick_bytes)?) } else { None };
        // The driver copies no empty array.
        let segments = if layout.segments.is_empty() { &[Default::default()] } else { &layout.segments[..] };
        let mut rows = device.unwritten("rows of the table", stride * (longest_run + 1))?;
        let clearing = "clearing the first row";
        device.stream().memset_zeros(&mut rows.slice_mut(..stride)).during(clearing)?;
        let on_device = OnDevice {
            rows,
            records: device.upload("items", &layout.records)?,
            segments: device.upload("bands of items", segments)?,
            classes: device.upload("classes", &layout.classes)?,
            picks,
            progress: device.zeros("progress counts", mckp_tiled::progress_words(layout.tiles))?,
            wide_tiles: device.zeros("a counter", 1)?,
        };
        Ok(Self { device, problem, layout, packed, on_device, runs, pick_offsets })
    }

    /// Runs of classes that are filled in one launch each.
    #[must_use]
    pub fn launches(&self) -> usize {
        self.runs.len()
    }

    /// The classes of a run.
    pub(super) fn run(&self, run: usize) -> Range<usize> {
        self.runs[run].clone()
    }

    /// Bits by which the rows' values are shifted left.
    pub(super) fn pick_bits(&self) -> u32 {
        self.layout.pick_bits
    }

    /// The rows of the current run, and the cells from one to the next.
    pub(super) fn rows(&self) -> (&CudaSlice<V>, usize) {
        (&self.on_device.rows, self.layout.stride())
    }

    /// The shape of its tiles.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.layout.shape
    }

    /// Whether two cells share a word where values allow it.
    #[must_use]
    pub fn is_packed(&self) -> bool {
        self.packed
    }

    /// The kernel that fills it.
    pub(super) fn kernel_name(&self) -> &'static str {
        if self.packed { "mckp_packed" } else { "mckp_tiled" }
    }

    /// Tiles of a class that [`Filling::Packed`] had to fill with full cells, summed over all launches so far.
    ///
    /// # Errors
    ///
    /// When the copy fails.
    pub fn wide_tiles(&self) -> Result<u64, DeviceError> {
        let counted =
            self.device.stream().clone_dtoh(&self.on_device.wide_tiles).during("copying a counter")?;
        Ok(counted[0])
    }

    /// Starts the launch over run `run`; its first row must be in place (it is for the first run).
    ///
    /// # Errors
    ///
    /// When the launch is refused.
    pub fn fill(&mut self, run: usize) -> Result<(), DeviceError> {
        let classes = self.runs[run].clone();
        self.device
            .stream()
            .memset_zeros(&mut self.on_device.progress)
            .during("clearing the progress counts")?;
        let launch = mckp_tiled::Launch {
            shape: self.layout.shape,
            tiles: self.layout.tiles as u32,
            shared_bytes: self.layout.shared_bytes as u32,
        };
        let class_count = classes.len() as i32;
        let (record_capacity, window_capacity) =
            (self.layout.record_capacity as i32, self.layout.window_capacity as i32);
        let stride = self.layout.stride() as i64;
        let on_device = &mut self.on_device;
        let classes = on_device.classes.slice(classes);
        if self.packed {
            // Only tables of 32-bit cells are packed.
            // SAFETY: `packed` is set only where V is i32, so this is the same type.
            let rows = unsafe { &mut *(&raw mut on_device.rows).cast::<CudaSlice<i32>>() };
            return mckp_packed::launch(
                self.device,
                &launch,
                &mut mckp_packed::Args {
                    rows,
                    stride,
                    records: &on_device.records,
                    classes,
                    class_count,
                    record_capacity,
                    window_capacity,
                    progress: &mut on_device.progress,
                    wide_tiles: &mut on_device.wide_tiles,
                },
            );
        }
        let mask = (1i64 << self.layout.pick_bits) - 1;
        mckp_tiled::launch(
            self.device,
            &launch,
            &mut mckp_tiled::Args {
                rows: &mut on_device.rows,
                stride,
                records: &on_device.records,
                segments: &on_device.segments,
                classes,
                class_count,
                picks: on_device.picks.as_mut(),
                mask: V::from_i64(mask),
                record_capacity,
                window_capacity,
                progress: &mut on_device.progress,
            },
        )
    }

    /// Waits for a launch and makes sure that it came to its end.
    ///
    /// # Errors
    ///
    /// When the GPU reports a fault, or a block gave up waiting.
    pub fn finish(&self) -> Result<(), DeviceError> {
        let kernel = self.kernel_name();
        self.device.finish(kernel)?;
        let counts = self.on_device.progress.slice(..=mckp_tiled::GAVE_UP);
        let counts = self.device.stream().clone_dtoh(&counts).during("copying the progress counts")?;
        if counts[mckp_tiled::GAVE_UP] != 0 || counts[0] as usize != self.layout.tiles {
            return Err(DeviceError::Unbelievable {
                kernel,
                why: "a block gave up waiting for its neighbour, or never ran".into(),
            });
        }
        Ok(())
    }

    /// Row `index` of the current run (0 is the row it started from), up to the capacity; values are shifted left
    /// by the index bits.
    pub(super) fn row(&self, index: usize) -> Result<Vec<V>, DeviceError> {
        self.cells(index, self.problem.capacity as usize + 1)
    }

    /// The row that the current run started from, to its very end beyond the capacity.
    pub(super) fn checkpoint(&self) -> Result<Vec<V>, DeviceError> {
        self.cells(0, self.layout.stride())
    }

    fn cells(&self, index: usize, cells: usize) -> Result<Vec<V>, DeviceError> {
        let from = index * self.layout.stride();
        self.device.download("a row", &self.on_device.rows.slice(from..from + cells))
    }

    /// Makes the last row of a finished run the first one.
    pub(super) fn roll_over(&mut self, run: usize) -> Result<(), DeviceError> {
        let stride = self.layout.stride();
        let last = self.runs[run].len() * stride;
        let (mut first, rest) = self.on_device.rows.split_at_mut(stride);
        let last = rest.slice(last - stride..last);
        self.device.stream().memcpy_dtod(&last, &mut first).during("moving a row of the table")
    }

    /// Fills run `run` again from the row it started from; `checkpoints` holds those of all runs but the first.
    pub(super) fn restart(&mut self, run: usize, checkpoints: &[Vec<V>]) -> Result<(), DeviceError> {
        let mut first = self.on_device.rows.slice_mut(..self.layout.stride());
        let stream = self.device.stream();
        let started = match run {
            0 => stream.memset_zeros(&mut first),
            _ => stream.memcpy_htod(&checkpoints[run - 1], &mut first),
        };
        started.during("putting back a row of the table")?;
        self.fill(run)?;
        self.finish()
    }

    /// The item of every cell for the classes of a finished run.
    pub(super) fn indices(&self, run: usize, layers: &mut Vec<LayerPicks>) -> Result<(), DeviceError> {
        let Some(picks) = &self.on_device.picks else { return Ok(()) };
        let cells = self.problem.capacity as usize + 1;
        let classes = self.runs[run].clone();
        let items_of = |class: usize| self.problem.classes[class].items.len();
        // In parallel, since fresh pages cost more than the copy itself.
        let mut items: Vec<ItemIndices> =
            classes.clone().into_par_iter().map(|class| ItemIndices::zeros(cells, items_of(class))).collect();
        let places =
            classes.clone().zip(&mut items).map(|(class, item)| (self.pick_offsets[class], as_bytes(item)));
        self.device.download_parts("item indices", &picks.as_view(), places.collect())?;
        let layer = |(class, item)| LayerPicks::Cells { item, weights: item_weights(self.problem, class) };
        layers.extend(classes.zip(items).map(layer));
        Ok(())
    }
}

/// The indices' own bytes.
fn as_bytes(items: &mut ItemIndices) -> &mut [u8] {
    match items {
        ItemIndices::U8(items) => items,
        ItemIndices::U16(items) => plain_bytes(items),
        ItemIndices::U32(items) => plain_bytes(items),
    }
}

/// Bytes of an index into that many items, as [`ItemIndices::zeros`] has them.
fn pick_width(items: usize) -> usize {
    match ItemIndices::zeros(0, items) {
        ItemIndices::U8(_) => 1,
        ItemIndices::U16(_) => 2,
        ItemIndices::U32(_) => 4,
    }
}

/// The layout, and whether it is for packed cells.
fn lay_out<V: Cell>(device: &Device, problem: &Reduced<V>, bits: u32, options: &Options) -> (Layout, bool) {
    let info = device.info();
    let best = |packing, variants| {
        let demand = demand(problem, packing);
        let shape = options.shape.unwrap_or_else(|| shape::choose(&demand, info, variants));
        (shape, shape::clocks(&shape, &demand, info))
    };
    let (full, full_clocks) = best(1, mckp_tiled::variants::<V>());
    let can_pack = V::NAME == "i32" && bits == 0 && info.compute_capability >= (9, 0);
    if can_pack && options.filling != Filling::Full {
        let (packed, packed_clocks) = best(2, mckp_packed::VARIANTS);
        if options.filling == Filling::Packed || packed_clocks < full_clocks && worth_packing(problem) {
            let layout = Layout::new(problem, packed, 2, 0, info.shared_per_block);
            // The packed kernel has no further bands of weights.
            if layout.segments.is_empty() {
                return (layout, true);
            }
        }
    }
    (Layout::new(problem, full, 1, bits, info.shared_per_block), false)
}

fn demand<V: Cell>(problem: &Reduced<V>, packing: usize) -> Demand {
    let items = problem.classes.iter().map(|class| class.items.len());
    Demand {
        cells: problem.capacity + 1,
        heaviest: problem.heaviest(),
        items: items.clone().sum::<usize>() as f64 / problem.classes.len().max(1) as f64,
        records: items.max().unwrap_or(1).div_ceil(V::ITEMS_A_RECORD),
        items_a_record: V::ITEMS_A_RECORD,
        cell_bytes: size_of::<V>(),
        packing,
    }
}

/// Whether most tiles' values are likely to lie within 2^15: the steepest class's value over the heaviest window.
fn worth_packing<V: Cell>(problem: &Reduced<V>) -> bool {
    let items = || problem.classes.iter().flat_map(|class| &class.items);
    let largest = items().map(|item| item.value.to_i64()).max().unwrap_or(0);
    let heaviest = items().map(|item| item.weight).max().unwrap_or(0);
    let slope = value_bound(problem) as f64 / (problem.capacity as f64 + 1.0);
    slope * (heaviest as f64 + 8192.0) + largest as f64 <= 32_767.0
}

/// Cuts the classes into runs whose rows and indices fit `free` bytes.
fn runs(
    layout: &Layout,
    widths: &[usize],
    cell_bytes: usize,
    free: u64,
    most_rows: Option<usize>,
) -> Result<Vec<Range<usize>>, DeviceError> {
    let stride = layout.stride() as u64;
    let row = stride * cell_bytes as u64;
    let fixed = layout.records.len() as u64 * 16 + layout.tiles as u64 * 32 + row + (1 << 20);
    let most_classes = most_rows.map_or(usize::MAX, |rows| rows.max(2) - 1);
    let mut runs = Vec::new();
    let (mut from, mut bytes) = (0, fixed);
    for (class, &width) in widths.iter().enumerate() {
        let needed = row + if layout.pick_bits > 0 { stride * width as u64 } else { 0 };
        if fixed + needed > free {
            return Err(DeviceError::Memory { needed: fixed + needed, free });
        }
        if bytes + needed > free || class - from == most_classes {
            runs.push(from..class);
            (from, bytes) = (class, fixed);
        }
        bytes += needed;
    }
    runs.push(from..widths.len());
    Ok(runs)
}
