//! A problem as the tiled kernels read it: items in bands of weights that fit a window of shared memory.
//!
//! The items of a class are sorted by weight and cut into bands. A band of span s is read from a window of
//! tile + s cells, so widening it over a gap of g cells costs g cells more, and leaving the item out costs a tile of
//! reads from global memory: a band is widened where the gap is narrower than the tile. That is the thesis's rule for
//! fetching the previous row (equation 4.2: references per access T n / (T + span) above 1), applied to each item.
//!
//! Worked instance: weights 0, 3, 900, 905 and 5000, tile 128. Bands: 0..3 in the class's own window, 900..905 in a
//! second one, 5000 alone and read directly.

use super::cell::Cell;
use super::shape::{RECORD_LIMIT, RESERVED_SHARED, Shape, WARP};
use crate::reduce::mckp::{Class, Reduced};
use cudarc::driver::DeviceRepr;
use rayon::prelude::*;

/// `struct Class` of `kernels/table.cuh`.
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

/// `struct Segment` of `kernels/table.cuh`.
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

/// A problem laid out for a kernel.
pub(super) struct Layout {
    pub shape: Shape,
    /// Cells of a tile.
    pub tile: usize,
    /// Tiles of a row.
    pub tiles: usize,
    /// 16-byte records of items.
    pub records: Vec<[i32; 4]>,
    pub segments: Vec<Segment>,
    pub classes: Vec<ClassRecord>,
    /// Bits by which values are shifted to make room for the item's index; 0 where picks are not wanted.
    pub pick_bits: u32,
    pub record_capacity: usize,
    pub window_capacity: usize,
    /// Dynamic shared memory of a block, in bytes.
    pub shared_bytes: usize,
}

/// An item on its way to the kernel.
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

/// Cells that are copied together: windows begin and end at multiples of it.
const ALIGN: u64 = 4;
/// Spans and relative weights are 32 bits wide.
const WIDEST: u64 = 1 << 30;

impl Layout {
    /// Lays out the problem for tiles of that shape; `packing` cells share a register, `pick_bits` as found by
    /// [`pick_bits`].
    pub fn new<V: Cell>(
        problem: &Reduced<V>,
        shape: Shape,
        packing: usize,
        pick_bits: u32,
        shared_per_block: usize,
    ) -> Self {
        let tile = shape.cells * WARP * shape.tile_warps * packing;
        let cells = problem.capacity as usize + 1;
        let cell_bytes = size_of::<V>();
        let most_records =
            problem.classes.iter().map(|class| class.items.len().div_ceil(V::ITEMS_A_RECORD)).max();
        let record_capacity = most_records.unwrap_or(1).clamp(1, RECORD_LIMIT);
        let partials = (shape.groups - 1) * tile / packing * cell_bytes;
        let fixed = 2 * record_capacity * 16 + tile * cell_bytes + partials;
        let room = shared_per_block.saturating_sub(RESERVED_SHARED + fixed) / cell_bytes;
        let widest = room as u64 / ALIGN * ALIGN;
        let mut layout = Self {
            shape,
            tile,
            tiles: cells.div_ceil(tile),
            records: Vec::new(),
            segments: Vec::new(),
            classes: Vec::with_capacity(problem.classes.len()),
            pick_bits,
            record_capacity,
            window_capacity: 0,
            shared_bytes: 0,
        };
        let entries: Vec<Vec<Entry>> =
            problem.classes.par_iter().map(|class| entries(class, pick_bits)).collect();
        // The packed kernel has one window a class; others leave gaps out that cost more than they bring.
        let widest_gap = if packing > 1 { u64::MAX } else { tile as u64 };
        for (class, entries) in problem.classes.iter().zip(&entries) {
            layout.push_class(class, entries, widest_gap, widest);
        }
        layout.shared_bytes = fixed + layout.window_capacity * cell_bytes;
        layout
    }

    /// Cells from one row to the next.
    pub fn stride(&self) -> usize {
        self.tiles * self.tile
    }

    fn push_class<V: Cell>(&mut self, class: &Class<V>, entries: &[Entry], widest_gap: u64, widest: u64) {
        let most_items = self.record_capacity * V::ITEMS_A_RECORD;
        let bands = bands(entries, widest_gap, widest, most_items);
        let largest = entries.iter().map(|entry| entry.value).max().unwrap_or(0);
        let mut record = ClassRecord {
            first_segment: self.segments.len() as i32,
            segments: bands.len() as i32 - 1,
            last_item: class.items.len() as i32 - 1,
            largest_value: i32::try_from(largest).unwrap_or(i32::MAX),
            ..ClassRecord::default()
        };
        for (at, band) in bands.iter().enumerate() {
            let first_record = self.records.len() as i32;
            // A band is no wider than WIDEST, so relative weights fit.
            let relative = |entry: &Entry| ((entry.weight - band.low) as i32, entry.value);
            let items: Vec<(i32, i64)> = entries[band.from..band.to].iter().map(relative).collect();
            self.records.extend(items.chunks(V::ITEMS_A_RECORD).map(V::record));
            let records = self.records.len() as i32 - first_record;
            record.reach = record.reach.max((band.low + band.span as u64) as i64);
            if band.windowed {
                self.window_capacity = self.window_capacity.max(band.span);
            }
            if at == 0 {
                (record.first_record, record.records, record.span) =
                    (first_record, records, band.span as i32);
            } else {
                self.segments.push(Segment {
                    low: band.low as i64,
                    span: band.span as i32,
                    windowed: band.windowed.into(),
                    first_record,
                    records,
                });
            }
        }
        self.classes.push(record);
    }
}

/// The class's items by weight, with shifted values and index bits. An item of negative value never beats nothing at
/// all, nor ties with it, so the zero item stands in for it.
fn entries<V: Cell>(class: &Class<V>, pick_bits: u32) -> Vec<Entry> {
    let last = class.items.len() as i64 - 1;
    let entry = |(at, item): (i64, &crate::problem::mckp::Item<V>)| {
        let negative = item.value < V::zero();
        let (at, weight, value) =
            if negative { (class.zero as i64, 0, 0) } else { (at, item.weight, item.value.to_i64()) };
        let index = if pick_bits > 0 { last - at } else { 0 };
        Entry { weight, value: (value << pick_bits) + index }
    };
    let mut entries: Vec<Entry> = (0..).zip(&class.items).map(entry).collect();
    entries.sort_unstable_by_key(|entry| entry.weight);
    entries
}

/// Cuts the entries, which begin with the zero item's, into bands; the first is windowed and has low 0.
fn bands(entries: &[Entry], widest_gap: u64, widest: u64, most_items: usize) -> Vec<Band> {
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
pub(super) fn pick_bits<V: Cell>(problem: &Reduced<V>) -> Option<u32> {
    let most = problem.classes.iter().map(|class| class.items.len()).max().unwrap_or(1) as u64;
    let bits = 64 - (most - 1).leading_zeros();
    // The largest sum, and the index bits that come on top of it.
    let bound = value_bound(problem).checked_add(1)?;
    (u64::BITS - bound.leading_zeros() + bits <= V::BITS).then_some(bits)
}

/// The largest sum of values that the front can hold.
pub(super) fn value_bound<V: Cell>(problem: &Reduced<V>) -> u64 {
    let largest =
        |class: &Class<V>| class.items.iter().map(|item| item.value.to_i64()).max().unwrap_or(0).max(0);
    problem.classes.iter().map(|class| largest(class).unsigned_abs()).fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::mckp::Item;

    fn entries_of(weights: &[u64]) -> Vec<Entry> {
        weights.iter().map(|&weight| Entry { weight, value: 1 }).collect()
    }

    fn cut(weights: &[u64], tile: u64, widest: u64) -> Vec<(u64, usize, usize, bool)> {
        let bands = bands(&entries_of(weights), tile, widest, 1000);
        bands.iter().map(|band| (band.low, band.span, band.to - band.from, band.windowed)).collect()
    }

    #[test]
    fn the_worked_instance_is_cut_as_told() {
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
        let bands = bands(&entries_of(&[0, 0, 0, 0, 0]), 128, 1000, 2);
        assert_eq!(bands.iter().map(|band| band.to - band.from).collect::<Vec<_>>(), [2, 2, 1]);
    }

    #[test]
    fn negative_items_become_the_zero_item() {
        let item = |value, weight| Item { value, weight };
        let class = Class {
            items: vec![item(-5i32, 3), item(0, 0), item(7, 2)],
            zero: 1,
            origin: vec![None, Some(0), Some(1)],
        };
        let values: Vec<_> = entries(&class, 2).iter().map(|e| (e.weight, e.value)).collect();
        assert_eq!(values, [(0, 1), (0, 1), (2, 28)]);
    }
}
