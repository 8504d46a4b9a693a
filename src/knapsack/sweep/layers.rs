//! The sequence of items: the cells at which each is computed, the items that a tile applies together, and their
//! cost.

use super::form::Form;
use isx_machine::cpu::growing_seconds;
use isx_machine::rates;
use isx_problems::knapsack::Item;
use isx_problems::reduce::knapsack::Reduced;

/// Cells per block; section lengths are multiples of it.
pub const BLOCK: usize = 256;

/// Cells per tile, and the limit on the total reach of its later steps.
pub(super) const TILE: usize = 256 * BLOCK;
pub(super) const HALO: usize = TILE / 2;

/// Row size in bytes from which on several steps are applied together.
const CACHED: usize = 1 << 20;

/// The cost of a bit per cell, as a fraction of a step's time on 32-bit cells.
pub(super) const BITS: f64 = 0.5;

/// An item as a step over a row.
#[derive(Clone, Copy, Debug)]
pub struct Layer {
    pub weight: usize,
    /// The gain of a cell from it.
    pub gain: i64,
    /// Its number.
    pub item: usize,
}

impl Layer {
    /// The layer of an item.
    pub fn item(form: Form, item: &Item, number: usize) -> Self {
        // The weight is at most the capacity, which fits into memory.
        Self { weight: item.weight as usize, gain: form.gain(item), item: number }
    }
}

/// The part of the last row that is needed.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub capacity: usize,
    /// Cells below the capacity minus this are not needed; `None` if all are.
    pub below: Option<u128>,
}

impl Target {
    /// For this request; a best selection is at most `slack` lighter than the capacity.
    pub fn of(wanted: crate::Wanted, capacity: usize, slack: u64) -> Self {
        Self { capacity, below: wanted.is_one_capacity().then_some(slack.into()) }
    }
}

/// Cells of a row for this capacity, without padding.
pub fn row_cells(capacity: usize) -> usize {
    (capacity + 1).next_multiple_of(BLOCK)
}

/// The total weight of the steps.
pub fn together(layers: &[Layer]) -> u128 {
    layers.iter().map(|layer| layer.weight as u128).sum()
}

/// The range of cells, from `first` to `end`, that is computed up to a step, given the weights up to it and after
/// it.
pub(super) fn computed(form: Form, target: Target, so_far: u128, to_come: u128) -> (usize, usize) {
    let capacity = target.capacity as u128;
    let first = match target.below {
        Some(below) if form.slope.is_none() => capacity.saturating_sub(below + to_come) as usize,
        _ => 0,
    };
    (first / BLOCK * BLOCK, row_cells(capacity.min(so_far) as usize))
}

/// The total number of cells computed in all steps, and the expected seconds of one thread.
pub fn work(form: Form, layers: &[Layer], target: Target) -> (f64, f64) {
    let all = together(layers);
    let width = form.width();
    let mut so_far = 0;
    layers.iter().fold((0.0, 0.0), |(cells, seconds), layer| {
        so_far += layer.weight as u128;
        let (first, end) = computed(form, target, so_far, all - so_far);
        let more = end.saturating_sub(first) as f64;
        let far = layer.weight > HALO && more * width * 4.0 > CACHED as f64;
        let byte = if far { rates::KNAPSACK_FAR_BYTE * 12.0 * width } else { 0.0 };
        (cells + more, seconds + more * (rates::KNAPSACK_ITEM * width + byte))
    })
}

/// Expected seconds of one thread for a bit per cell at this many cells, in addition to the cells.
pub fn bits_seconds(cells: f64) -> f64 {
    cells * BITS * rates::KNAPSACK_ITEM
}

/// Expected seconds of one thread to read a front, with a point at every other cell and no more than there are profits,
/// from the last row.
pub fn front_seconds(wanted: crate::Wanted, problem: &Reduced) -> f64 {
    if wanted.is_one_capacity() {
        return 0.0;
    }
    let profits = problem.items.iter().map(|item| item.profit as f64).sum::<f64>();
    // A point has a weight and a profit of 64 bits.
    let (cells, bytes) = (problem.capacity as f64, profits.min(problem.capacity as f64 / 2.0) * 16.0);
    cells * rates::FRONT_CELL + growing_seconds(bytes, bytes / 2.0)
}

/// How far left of a tile each of its steps begins; 0 for a single step, which begins with the tile.
pub(super) fn halos(layers: &[Layer]) -> Vec<usize> {
    if layers.len() < 2 {
        return Vec::new();
    }
    let mut after = 0;
    let mut halos: Vec<usize> = Vec::with_capacity(layers.len());
    for layer in layers.iter().rev() {
        halos.push(usize::next_multiple_of(after, BLOCK));
        after += layer.weight;
    }
    halos.reverse();
    halos
}

/// How many of the first layers a tile applies together.
pub(super) fn batch_size<V>(layers: &[Layer], cells: usize) -> usize {
    if cells * size_of::<V>() < CACHED {
        return 1;
    }
    let mut reach = 0;
    let after = layers.windows(2).take_while(|pair| {
        reach += pair[1].weight;
        reach <= HALO
    });
    1 + after.count()
}
