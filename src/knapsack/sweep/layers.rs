//! Steps in their order: which of a row's cells each is computed at, which a tile takes together, and what they cost.

use super::form::Form;
use super::step::{self, BLOCK, Step};
use isx_problems::knapsack::Item;

/// Cells of a tile, and what its later steps reach together at most.
pub(super) const TILE: usize = 256 * BLOCK;
pub(super) const HALO: usize = TILE / 2;

/// Bytes of a row from which on steps are taken together.
const CACHED: usize = 1 << 20;

/// What a bit per cell costs, as a part of a step's time over 32-bit cells.
const BITS: f64 = 0.5;

/// Seconds to read and write a byte of a row that no cache holds.
const BYTE: f64 = 0.05e-9;

/// A step and the group that it belongs to.
#[derive(Clone, Debug)]
pub struct Layer {
    pub step: Step,
    /// The number of the group; of an item that is a step by itself its own.
    pub group: usize,
}

impl Layer {
    /// An item by itself.
    pub fn item(form: Form, item: &Item, number: usize) -> Self {
        // The weight is at most the capacity, which fits memory.
        Self { step: Step::Item { weight: item.weight as usize, gain: form.gain(item) }, group: number }
    }
}

/// What of the last row is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub capacity: usize,
    /// Cells below the capacity less this are not wanted; `None`: all are.
    pub below: Option<u128>,
}

impl Target {
    /// For that question; a best selection is lighter than the capacity by no more than `slack`.
    pub fn of(wanted: crate::Wanted, capacity: usize, slack: u64) -> Self {
        Self { capacity, below: wanted.is_one_capacity().then_some(slack.into()) }
    }
}

/// Cells of a row without padding, for that capacity.
pub fn row_cells(capacity: usize) -> usize {
    (capacity + 1).next_multiple_of(BLOCK)
}

/// The weight that the steps bring.
pub fn together(layers: &[Layer]) -> u128 {
    layers.iter().map(|layer| layer.step.reach() as u128).sum()
}

/// The cells, from `first` to `end`, that are computed up to a step; the weights up to it and after it are given.
pub(super) fn computed(form: Form, target: Target, so_far: u128, to_come: u128) -> (usize, usize) {
    let capacity = target.capacity as u128;
    let first = match target.below {
        Some(below) if form.slope.is_none() => capacity.saturating_sub(below + to_come) as usize,
        _ => 0,
    };
    (first / BLOCK * BLOCK, row_cells(capacity.min(so_far) as usize))
}

/// Cells that all steps are computed at, and the seconds that one thread is expected to need for them.
pub fn work(form: Form, layers: &[Layer], target: Target) -> (f64, f64) {
    let all = together(layers);
    let width = form.width();
    let mut so_far = 0;
    layers.iter().fold((0.0, 0.0), |(cells, seconds), layer| {
        so_far += layer.step.reach() as u128;
        let (first, end) = computed(form, target, so_far, all - so_far);
        let more = end.saturating_sub(first) as f64;
        let far = layer.step.reach() > HALO && more * width * 4.0 > CACHED as f64;
        let byte = if far { BYTE * 12.0 * width } else { 0.0 };
        (cells + more, seconds + more * (layer.step.seconds() * width + byte))
    })
}

/// Seconds that one thread is expected to need for items at so many cells.
pub fn item_seconds(form: Form, cells: f64, bits: bool) -> f64 {
    cells * (form.width() + if bits { BITS } else { 0.0 }) * step::ITEM
}

/// How far left of a tile each of its steps begins; nothing of one alone, which begins with the tile.
pub(super) fn halos(layers: &[Layer]) -> Vec<usize> {
    if layers.len() < 2 {
        return Vec::new();
    }
    let mut after = 0;
    let mut halos: Vec<usize> = Vec::with_capacity(layers.len());
    for layer in layers.iter().rev() {
        halos.push(usize::next_multiple_of(after, BLOCK));
        after += layer.step.reach();
    }
    halos.reverse();
    halos
}

/// How many of the first layers a tile takes together; none after one whose row is kept.
pub(super) fn batch_size<V>(layers: &[Layer], cells: usize, kept: &dyn Fn(usize) -> bool) -> usize {
    if cells * size_of::<V>() < CACHED {
        return 1;
    }
    let mut reach = 0;
    let after = layers.windows(2).take_while(|pair| {
        reach += pair[1].step.reach();
        reach <= HALO && (pair[0].group == pair[1].group || !kept(pair[0].group + 1))
    });
    1 + after.count()
}
