//! A problem in the tiled kernels' format: items in bands of weights that fit a window of shared memory.
//!
//! The items of a class are sorted by weight and divided into bands. A band of span s is read from a window of
//! tile + s cells, so extending it over a gap of g cells costs g more cells, and leaving the item out costs one tile of
//! reads from global memory: a band is extended if the gap is narrower than the tile. This is the thesis's rule for
//! fetching the previous row (equation 4.2: references per access T n / (T + span) above 1), applied to each item.
//!
//! Worked instance: weights 0, 3, 900, 905 and 5000, tile 128. Bands: 0..3 in the class's own window, 900..905 in a
//! second one, 5000 alone and read directly.

use super::cell::{Cell, Width};
use super::shape::{RECORD_LIMIT, RESERVED_SHARED, Shape, WARP};
use cudarc::driver::DeviceRepr;
use isx_parallel as parallel;
use isx_problems::mckp::Item;
use isx_problems::reduce::mckp::{Class, Reduced};

/// `struct Class` of `kernels/mckp/table.cuh`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ClassRecord {
    pub reach: i64,
    pub pick_offset: i64,
    pub first_record: i32,
    pub records: i32,
    pub span: i32,
    pub first_segment: i32,
    pub segments: i32,
    pub last_item: i32,
    pub pick_bytes: i32,
    pub largest_value: i32,
}

/// `struct Segment` of `kernels/mckp/table.cuh`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Segment {
    pub low: i64,
    pub span: i32,
    pub windowed: i32,
    pub first_record: i32,
    pub records: i32,
}

const _: () = assert!(size_of::<ClassRecord>() == 48 && size_of::<Segment>() == 24);

// SAFETY: `repr(C)`, of 64- and 32-bit integers without padding, laid out as the C structs of the same sizes.
unsafe impl DeviceRepr for ClassRecord {}
// SAFETY: as above.
unsafe impl DeviceRepr for Segment {}

/// Records that fit the constant bank: `CONSTANT_RECORDS` of `kernels/mckp/table.cuh`.
pub(super) const CONSTANT_RECORDS: usize = 4096;

const _: () = assert!(RECORD_LIMIT <= CONSTANT_RECORDS, "a layer's first band fits the constant bank");

/// The classes of a problem, in which cells are of any width.
#[derive(Clone, Debug)]
pub struct Layers {
    /// The items of each class, in canonical order.
    pub(super) items: Vec<Vec<Item<i64>>>,
    /// The width of cells.
    pub width: Width,
    /// The largest weight that matters.
    pub capacity: u64,
}

impl Layers {
    /// Those of this problem.
    pub fn new<V: Cell>(problem: &Reduced<V>) -> Self {
        let item = |item: &Item<V>| Item { value: item.value.into(), weight: item.weight };
        let class = |class: &Class<V>| class.items.iter().map(item).collect();
        Self {
            items: problem.classes.iter().map(class).collect(),
            width: V::WIDTH,
            capacity: problem.capacity,
        }
    }
}

/// Layers laid out for a kernel.
#[derive(Debug)]
pub(super) struct Layout {
    pub shape: Shape,
    /// Cells of a tile.
    pub tile: usize,
    /// Tiles of a row.
    pub tiles: usize,
    /// Items of every layer's first band of weights, 16 bytes per record, one layer after the other.
    pub constants: Vec<[i32; 4]>,
    /// Where each layer's records begin in `constants`, and the end.
    pub constants_at: Vec<usize>,
    /// Items of the further bands.
    pub records: Vec<[i32; 4]>,
    pub segments: Vec<Segment>,
    /// One record per layer; the launch determines where its first band lies in the constant bank.
    pub classes: Vec<ClassRecord>,
    /// Items that are processed, over all layers.
    pub candidates: u64,
    /// Bits by which values are shifted to make room for the item's index; 0 if no picks are requested.
    pub pick_bits: u32,
    /// Records that fit a block's shared memory.
    pub record_capacity: usize,
    pub window_capacity: usize,
    /// Dynamic shared memory of a block, in bytes.
    pub shared_bytes: usize,
}

/// An item before conversion to the kernel's format.
#[derive(Clone, Copy)]
struct Entry {
    weight: u64,
    value: i64,
}

/// A run of items of similar weights.
#[derive(Debug, PartialEq)]
struct Band {
    low: u64,
    span: usize,
    from: usize,
    to: usize,
    windowed: bool,
}

/// Cells that are copied together: windows begin and end at multiples of this.
const ALIGN: u64 = 4;
/// Spans and relative weights are 32 bits wide.
const WIDEST: u64 = 1 << 30;

/// The parameters of a layout.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// The shape of tiles.
    pub shape: Shape,
    /// Cells that share a register.
    pub packing: usize,
    /// As found by [`pick_bits`], or 0.
    pub pick_bits: u32,
    /// Whether irrelevant items are processed nevertheless.
    pub all_candidates: bool,
    /// Shared memory of a block, in bytes.
    pub shared_per_block: usize,
}

impl Layout {
    /// Lays out the layers. Fails if a number exceeds the kernels' integers; the message names it.
    pub fn new(layers: &Layers, frame: Frame) -> Result<Self, String> {
        let kept = |at: usize| entries(&layers.items[at], layers.capacity, frame);
        let entries: Vec<Vec<Entry>> = parallel::map(layers.items.len(), 1, kept);
        // A buffer for further bands takes room from the windows, so it is added only if there are such bands
        // without it.
        let layout = Self::with_buffer(layers, &entries, frame, 0)?;
        if layout.segments.is_empty() {
            return Ok(layout);
        }
        let most_records =
            entries.iter().map(|entries| entries.len().div_ceil(layers.width.items_a_record())).max();
        let buffer = most_records.unwrap_or(1).clamp(1, RECORD_LIMIT);
        Self::with_buffer(layers, &entries, frame, buffer)
    }

    fn with_buffer(
        layers: &Layers,
        entries: &[Vec<Entry>],
        frame: Frame,
        record_capacity: usize,
    ) -> Result<Self, String> {
        let Frame { shape, packing, pick_bits, shared_per_block, .. } = frame;
        let tile = shape.cells * WARP * shape.tile_warps * packing;
        let cells = usize::try_from(layers.capacity).ok().and_then(|capacity| capacity.checked_add(1));
        let tiles = cells.ok_or_else(|| too_large("cells of a row"))?.div_ceil(tile);
        let cell_bytes = layers.width.bytes();
        let partials = (shape.groups - 1) * tile / packing * cell_bytes;
        let fixed = record_capacity * 16 + tile * cell_bytes + partials;
        let room = shared_per_block.saturating_sub(RESERVED_SHARED + fixed) / cell_bytes;
        let mut layout = Self {
            shape,
            tile,
            tiles,
            constants: Vec::new(),
            constants_at: Vec::with_capacity(entries.len() + 1),
            records: Vec::new(),
            segments: Vec::new(),
            classes: Vec::with_capacity(entries.len()),
            candidates: entries.iter().map(|entries| entries.len() as u64).sum(),
            pick_bits,
            record_capacity,
            window_capacity: 0,
            shared_bytes: 0,
        };
        // The packed kernel has one window per class; the others split at gaps that cost more than they save.
        let widest_gap = if packing > 1 { u64::MAX } else { tile as u64 };
        let limits = Limits {
            widest_gap,
            widest: room as u64 / ALIGN * ALIGN,
            most_items: RECORD_LIMIT * layers.width.items_a_record(),
            width: layers.width,
        };
        for (items, entries) in layers.items.iter().zip(entries) {
            layout.push_layer(items.len(), entries, &limits)?;
        }
        layout.constants_at.push(layout.constants.len());
        layout.shared_bytes = fixed + layout.window_capacity * cell_bytes;
        if packing > 1 {
            layout.pack()?;
        }
        Ok(layout)
    }

    /// Cells from one row to the next; `None` if the number overflows.
    pub fn stride(&self) -> Option<usize> {
        self.tiles.checked_mul(self.tile)
    }

    fn push_layer(&mut self, items: usize, entries: &[Entry], limits: &Limits) -> Result<(), String> {
        let largest = entries.iter().map(|entry| entry.value).max().unwrap_or(0);
        let bands = bands(entries, limits);
        let mut record = ClassRecord {
            first_segment: in_32_bits("bands of weights", self.segments.len())?,
            segments: in_32_bits("bands of weights", bands.len() - 1)?,
            last_item: in_32_bits("items of a class", items - 1)?,
            largest_value: i32::try_from(largest).unwrap_or(i32::MAX),
            ..ClassRecord::default()
        };
        self.constants_at.push(self.constants.len());
        for (at, band) in bands.iter().enumerate() {
            // A band is at most WIDEST wide, so relative weights fit.
            let relative = |entry: &Entry| Some((i32::try_from(entry.weight - band.low).ok()?, entry.value));
            let items: Option<Vec<(i32, i64)>> = entries[band.from..band.to].iter().map(relative).collect();
            let items = items.ok_or_else(|| too_large("weights of a band"))?;
            let records = if at == 0 { &mut self.constants } else { &mut self.records };
            let before = records.len();
            for items in items.chunks(limits.width.items_a_record()) {
                records.push(limits.width.record(items).ok_or_else(|| too_large("values of an item"))?);
            }
            let count = in_32_bits("items of a band", records.len() - before)?;
            let span = in_32_bits("cells of a band", band.span)?;
            let low = i64::try_from(band.low).map_err(|_| too_large("cells to the left of a tile"))?;
            record.reach = record.reach.max(low.saturating_add(span.into()));
            if band.windowed {
                self.window_capacity = self.window_capacity.max(band.span);
            }
            if at == 0 {
                (record.records, record.span) = (count, span);
            } else {
                self.segments.push(Segment {
                    low,
                    span,
                    windowed: band.windowed.into(),
                    first_record: in_32_bits("items", before)?,
                    records: count,
                });
            }
        }
        self.classes.push(record);
        Ok(())
    }

    /// Converts the items of layers whose values fit 16 bits to the packed kernel's format. The items of other
    /// layers are read only by tiles of full cells and stay unchanged.
    fn pack(&mut self) -> Result<(), String> {
        let window_words = in_32_bits("cells of a window", (self.window_capacity + self.tile) / 2)?;
        let packed = |weight: i32, value: i32| {
            let odd = weight & 1;
            [weight / 2 - odd * window_words, value | value << 16]
        };
        for (class, at) in self.classes.iter().zip(self.constants_at.windows(2)) {
            if class.largest_value <= LARGEST_HALF {
                for record in &mut self.constants[at[0]..at[1]] {
                    let ([a, b], [c, d]) = (packed(record[0], record[1]), packed(record[2], record[3]));
                    *record = [a, b, c, d];
                }
            }
        }
        Ok(())
    }
}

/// The largest value that the packed kernel adds in 16 bits.
const LARGEST_HALF: i32 = 0x7fff;

/// The limits of bands.
#[derive(Clone, Copy)]
struct Limits {
    /// A gap this wide ends a band.
    widest_gap: u64,
    /// The widest window.
    widest: u64,
    /// Most items of a band.
    most_items: usize,
    /// The width of cells.
    width: Width,
}

fn too_large(what: &str) -> String {
    format!("its integers cannot count the {what}")
}

fn in_32_bits(what: &str, number: usize) -> Result<i32, String> {
    i32::try_from(number).map_err(|_| too_large(what))
}

/// The layer's items by weight, with shifted values and index bits. Excluded are items of negative value, which
/// never beat the zero item nor tie with it, and items heavier than the capacity, which no cell that is read can
/// take; if all candidates are requested, an item of weight and value 0 replaces each of them.
fn entries(items: &[Item<i64>], capacity: u64, frame: Frame) -> Vec<Entry> {
    let Frame { pick_bits, all_candidates, .. } = frame;
    let last = items.len() as i64 - 1;
    let entry = |(at, item): (i64, &Item<i64>)| {
        if item.value < 0 || item.weight > capacity {
            // The zero item's own index bits are at least as high, so the zero item wins.
            return all_candidates.then_some(Entry { weight: 0, value: 0 });
        }
        let index = if pick_bits > 0 { last - at } else { 0 };
        Some(Entry { weight: item.weight, value: (item.value << pick_bits) + index })
    };
    let mut entries: Vec<Entry> = (0..).zip(items).filter_map(entry).collect();
    entries.sort_unstable_by_key(|entry| entry.weight);
    entries
}

/// Divides the entries, the first of which has weight 0, into bands; the first band is windowed and has low 0.
fn bands(entries: &[Entry], limits: &Limits) -> Vec<Band> {
    let &Limits { widest_gap, widest, most_items, .. } = limits;
    let mut bands: Vec<Band> = Vec::new();
    let mut from = 0;
    while from < entries.len() {
        let low = entries[from].weight / ALIGN * ALIGN;
        let mut to = from + 1;
        let near = |to: usize| {
            let (before, this) = (entries[to - 1].weight, entries[to].weight);
            this - before < widest_gap && (this - low).next_multiple_of(ALIGN) <= widest
        };
        while to < entries.len() && to - from < most_items && near(to) {
            to += 1;
        }
        let span = (entries[to - 1].weight - low).next_multiple_of(ALIGN) as usize;
        let windowed = bands.is_empty() || (to - from > 1 && span as u64 <= widest);
        match bands.last_mut().filter(|last| !last.windowed && !windowed) {
            Some(last) if to - last.from <= most_items && entries[to - 1].weight - last.low < WIDEST => {
                last.span = (entries[to - 1].weight - last.low).next_multiple_of(ALIGN) as usize;
                last.to = to;
            }
            _ => bands.push(Band { low, span, from, to, windowed }),
        }
        from = to;
    }
    bands
}

/// Bits of an item's index, if values shifted by them still fit a cell.
pub(super) fn pick_bits(layers: &Layers) -> Option<u32> {
    let most = layers.items.iter().map(Vec::len).max().unwrap_or(1) as u64;
    let bits = u64::BITS - (most - 1).leading_zeros();
    // The largest sum plus the index bits.
    let bound = value_bound(layers).checked_add(1)?;
    (u64::BITS - bound.leading_zeros() + bits <= layers.width.bits()).then_some(bits)
}

/// The largest sum of values on the front.
pub(super) fn value_bound(layers: &Layers) -> u64 {
    let largest = |items: &Vec<Item<i64>>| items.iter().map(|item| item.value).max().unwrap_or(0).max(0);
    layers.items.iter().map(|items| largest(items).unsigned_abs()).fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::super::shape::tests::h200;
    use super::*;

    fn entries_of(weights: &[u64]) -> Vec<Entry> {
        weights.iter().map(|&weight| Entry { weight, value: 1 }).collect()
    }

    fn cut(weights: &[u64], tile: u64, widest: u64) -> Vec<(u64, usize, usize, bool)> {
        let limits = Limits { widest_gap: tile, widest, most_items: 1000, width: Width::Wide };
        let bands = bands(&entries_of(weights), &limits);
        bands.iter().map(|band| (band.low, band.span, band.to - band.from, band.windowed)).collect()
    }

    fn layers(width: Width, capacity: u64, classes: &[&[(i64, u64)]]) -> Layers {
        let class =
            |items: &&[(i64, u64)]| items.iter().map(|&(value, weight)| Item { value, weight }).collect();
        Layers { items: classes.iter().map(class).collect(), width, capacity }
    }

    fn frame(packing: usize, pick_bits: u32) -> Frame {
        let shape = Shape { cells: 8, tile_warps: 2, groups: 3 };
        Frame { shape, packing, pick_bits, all_candidates: false, shared_per_block: h200().shared_per_block }
    }

    #[test]
    fn the_worked_instance_is_cut_as_documented() {
        assert_eq!(
            cut(&[0, 3, 900, 905, 5000], 128, 10_000),
            [(0, 4, 2, true), (900, 8, 2, true), (5000, 0, 1, false)]
        );
    }

    #[test]
    fn a_band_never_passes_the_window() {
        assert_eq!(cut(&[0, 50, 99, 140], 128, 100), [(0, 100, 3, true), (140, 0, 1, false)]);
    }

    #[test]
    fn far_items_share_a_direct_band_until_weights_are_too_wide() {
        assert_eq!(
            cut(&[0, 1 << 20, 1 << 21, 1 << 40], 128, 1000),
            [(0, 0, 1, true), (1 << 20, 1 << 20, 2, false), (1 << 40, 0, 1, false)]
        );
    }

    #[test]
    fn bands_hold_no_more_items_than_records() {
        let limits = Limits { widest_gap: 128, widest: 1000, most_items: 2, width: Width::Wide };
        let bands = bands(&entries_of(&[0, 0, 0, 0, 0]), &limits);
        assert_eq!(bands.iter().map(|band| band.to - band.from).collect::<Vec<_>>(), [2, 2, 1]);
    }

    #[test]
    fn items_of_negative_value_or_heavier_than_the_capacity_are_left_out() {
        let layers = layers(Width::Narrow, 10, &[&[(-5, 3), (0, 0), (7, 2), (9, 11), (8, u64::MAX)]]);
        let of = |frame: Frame| -> Vec<_> {
            entries(&layers.items[0], 10, frame).iter().map(|entry| (entry.weight, entry.value)).collect()
        };
        assert_eq!(of(frame(1, 3)), [(0, 3), (2, 7 << 3 | 2)]);
        let mut all = of(Frame { all_candidates: true, ..frame(1, 3) });
        all.sort_unstable();
        assert_eq!(all, [(0, 0), (0, 0), (0, 0), (0, 3), (2, 7 << 3 | 2)], "stood in for by nothing");
    }

    #[test]
    fn the_first_bands_lie_in_the_constant_bank_one_layer_after_the_other() {
        let layers = layers(
            Width::Narrow,
            100_000,
            &[&[(0, 0), (5, 2), (6, 90_000)], &[(0, 0), (1, 1), (2, 2), (3, 3)]],
        );
        let layout = Layout::new(&layers, frame(1, 0)).unwrap();
        assert_eq!(layout.constants, [[0, 0, 2, 5], [0, 0, 1, 1], [2, 2, 3, 3]]);
        assert_eq!(layout.constants_at, [0, 1, 3]);
        assert_eq!(layout.records, [[0, 6, 0, 6]]);
        assert_eq!(layout.segments.iter().map(|s| (s.low, s.records)).collect::<Vec<_>>(), [(90_000, 1)]);
        assert_eq!((layout.classes[0].records, layout.classes[1].records), (1, 2));
        assert_eq!((layout.classes[0].reach, layout.classes[1].reach), (90_000, 4));
        assert!(layout.record_capacity > 0, "further bands need a buffer");
        assert!(layout.shared_bytes + RESERVED_SHARED <= h200().shared_per_block);
    }

    #[test]
    fn packed_items_hold_the_distance_in_words_and_the_value_twice() {
        let layers = layers(Width::Narrow, 1000, &[&[(0, 0), (5, 2), (6, 3)], &[(0, 0), (40_000, 3)]]);
        let layout = Layout::new(&layers, frame(2, 0)).unwrap();
        let window_words = i32::try_from((layout.window_capacity + layout.tile) / 2).unwrap();
        assert_eq!(layout.constants[0], [0, 0, 1, 5 << 16 | 5]);
        assert_eq!(layout.constants[1], [1 - window_words, 6 << 16 | 6, 1 - window_words, 6 << 16 | 6]);
        assert_eq!(layout.constants[2], [0, 0, 3, 40_000], "too large for 16 bits, and left as it was");
    }

    #[test]
    fn layouts_at_the_ends_of_every_range_are_right_or_refused() {
        let one_item: &[&[(i64, u64)]] = &[&[(0, 0)]];
        let heavy: &[&[(i64, u64)]] = &[&[(0, 0), (1, 1 << 62), (2, u64::MAX)]];
        for capacity in [0, 1, 1 << 31, 1 << 62] {
            for classes in [one_item, heavy] {
                let layers = layers(Width::Wide, capacity, classes);
                let layout = Layout::new(&layers, frame(1, 0)).unwrap();
                let stride = layout.stride().unwrap() as u64;
                assert!(stride > capacity && stride <= capacity + layout.tile as u64, "{capacity}");
                assert!(layout.classes[0].reach as u64 <= capacity + ALIGN, "{capacity}");
            }
        }
        assert!(Layout::new(&layers(Width::Wide, u64::MAX, one_item), frame(1, 0)).is_err());
    }

    #[test]
    fn index_bits_are_given_only_where_the_largest_sum_leaves_room() {
        let bits = |largest: i64| pick_bits(&layers(Width::Narrow, 10, &[&[(0, 0), (largest, 1), (1, 2)]]));
        assert_eq!(bits((1 << 29) - 2), Some(2));
        assert_eq!(bits((1 << 29) - 1), None);
        assert_eq!(pick_bits(&layers(Width::Wide, 10, &[&[(0, 0), (i64::MAX, 1)]])), None);
        assert_eq!(pick_bits(&layers(Width::Narrow, 10, &[&[(0, 0)]])), Some(0));
    }
}
