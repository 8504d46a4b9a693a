//! One layer of the Pareto-list dynamic program, and the sieve that makes the next.
//!
//! The candidates for the next layer are the sums of a pair and an item, n sorted runs of p sums. Nearly all are
//! dominated, so the sieve spends its time on throwing them away cheaply:
//!
//! 1. The range of weights is cut into *blocks*, each worked on by itself (in parallel where that pays). What the
//!    lighter weights reach is known beforehand: the best sum below the block is a search in each run.
//! 2. A block is cut into *cells* of a power of two weights, about two a pair. One pass over the candidates notes
//!    the best value in each cell; a running maximum turns that into what the cells before reach.
//! 3. A second pass keeps the candidates that beat what the cells before theirs reach. Few do.
//! 4. Those are sorted by weight and swept once.
//!
//! A subset of the candidates is enough in step 2, since any reached value rules out what it dominates: for large
//! classes only the items on the class's concave hull are looked at there, unless they are too few to say much.
//!
//! Worked instance: pairs (0,0), (10,9) and items (0,0), (4,2), (8,8) as (weight, value), one block, cells of 4.
//! Candidates: (0,0) (10,9); (4,2) (14,11); (8,8) (18,17). Best a cell 0, 2, 9, 11, 17; before each cell: none, 0,
//! 2, 9, 11. All but none fall here; with (9,1) for (8,8) the candidates (9,1) and (19,10) would.

use crate::machine::cpu::Workers;
use crate::problem::mckp::Item;
use crate::problem::value::Value;
use crate::reduce::mckp::Class;

/// Pairs in order of weight, weights and values strictly rising; parallel vectors of one length.
#[derive(Clone, Debug)]
pub struct Layer<V> {
    pub weights: Vec<u64>,
    pub values: Vec<V>,
    /// Item that made each pair.
    pub items: Vec<u32>,
    /// Index in the layer before of the pair it came from.
    pub parents: Vec<u32>,
}

/// A candidate that may belong to the next layer.
struct Survivor<V> {
    weight: u64,
    value: V,
    item: u32,
    parent: u32,
}

/// An item and the pairs whose sum with it falls into a block.
struct Run<'a, V> {
    index: u32,
    item: &'a Item<V>,
    from: usize,
    to: usize,
    on_hull: bool,
}

/// Cells a block is cut into: their values fill a part of the second-level cache.
const BLOCK_CELLS: u64 = 8192;

/// Classes of more items than this note only their hull in step 2.
const SMALL_CLASS: usize = 12;

/// A hull of fewer than one item in so many is too coarse to sift by.
const FEW_ON_HULL: usize = 16;

/// Fewer candidates than this are not worth a second thread.
pub const PARALLEL_CANDIDATES: usize = 1 << 17;

impl<V: Value> Layer<V> {
    /// The layer before the first class: nothing taken.
    pub fn first() -> Self {
        Self { weights: vec![0], values: vec![V::zero()], items: vec![0], parents: vec![0] }
    }

    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        (self.len() * (size_of::<u64>() + size_of::<V>() + 2 * size_of::<u32>())) as u64
    }

    /// The undominated sums of a pair of this layer and an item of `class`, within `capacity`, and how many candidates
    /// had to be sorted for them.
    pub fn next(&self, class: &Class<V>, capacity: u64, workers: &Workers) -> (Self, usize) {
        let heaviest = class.items.iter().map(|item| item.weight).max().unwrap_or(0);
        let reach = self.weights[self.len() - 1].saturating_add(heaviest).min(capacity);
        let candidates = self.len() * class.items.len();
        // About two cells a pair, so that a cell sees few points of the next layer and the cells stay few.
        let cell_bits = (reach / (2 * self.len() as u64)).checked_ilog2().map_or(0, |bits| bits + 1);
        let block_bits = (cell_bits + BLOCK_CELLS.ilog2()).min(u64::BITS - 1);
        let blocks = (reach >> block_bits) + 1;
        let hull = hull(class);
        let part = |block: u64| {
            let low = block << block_bits;
            let high = reach.min(low.saturating_add((1 << block_bits) - 1));
            self.block(class, &hull, low, high, cell_bits)
        };
        Self::join(workers.map(blocks, candidates > PARALLEL_CANDIDATES, part))
    }

    /// The next layer's pairs of weight `low..=high`, and how many survivors they come from.
    fn block(&self, class: &Class<V>, hull: &[bool], low: u64, high: u64, cell_bits: u32) -> (Self, usize) {
        // Nothing is lighter than weight 0, and 0 itself is reached: values below it never matter.
        let mut reached = V::minus_one();
        let mut runs = Vec::with_capacity(class.items.len());
        for ((index, item), &on_hull) in (0..).zip(&class.items).zip(hull) {
            let from = self.weights.partition_point(|weight| weight + item.weight < low);
            let to = self.weights.partition_point(|weight| weight + item.weight <= high);
            if from > 0 {
                reached = reached.max(self.values[from - 1].plus(&item.value));
            }
            runs.push(Run { index, item, from, to, on_hull });
        }
        for run in &mut runs {
            let needed = reached.minus(&run.item.value);
            let beaten = self.values[run.from..run.to].partition_point(|value| *value <= needed);
            run.from += beaten;
        }
        let survivors = self.survivors(&runs, &reached, low, high, cell_bits);
        let sorted = survivors.len();
        (sweep(survivors, reached), sorted)
    }

    /// Steps 2 and 3: the candidates that beat what the cells before theirs reach.
    fn survivors(
        &self,
        runs: &[Run<V>],
        reached: &V,
        low: u64,
        high: u64,
        cell_bits: u32,
    ) -> Vec<Survivor<V>> {
        let cells = ((high - low) >> cell_bits) as usize + 1;
        // Cell c holds the best value of cell c - 1 until the running maximum is taken: what lies before.
        let mut before = vec![reached.clone(); cells + 1];
        let cell = |at: usize, item: &Item<V>| ((self.weights[at] + item.weight - low) >> cell_bits) as usize;
        for run in runs.iter().filter(|run| run.on_hull) {
            for at in run.from..run.to {
                let best = &mut before[cell(at, run.item) + 1];
                let value = self.values[at].plus(&run.item.value);
                if value > *best {
                    *best = value;
                }
            }
        }
        for cell in 1..=cells {
            if before[cell] < before[cell - 1] {
                before[cell] = before[cell - 1].clone();
            }
        }
        let mut survivors = Vec::with_capacity(2 * cells.min(1 << 12));
        for run in runs {
            for at in run.from..run.to {
                let value = self.values[at].plus(&run.item.value);
                if value > before[cell(at, run.item)] {
                    let weight = self.weights[at] + run.item.weight;
                    survivors.push(Survivor { weight, value, item: run.index, parent: at as u32 });
                }
            }
        }
        survivors
    }

    fn join(parts: Vec<(Self, usize)>) -> (Self, usize) {
        let mut parts = parts.into_iter();
        let (mut whole, mut sorted) = parts.next().unwrap_or_else(|| (Self::first(), 1));
        for (part, more) in parts {
            whole.weights.extend(part.weights);
            whole.values.extend(part.values);
            whole.items.extend(part.items);
            whole.parents.extend(part.parents);
            sorted += more;
        }
        (whole, sorted)
    }
}

/// Step 4: sorts the survivors and keeps the undominated; of equal pairs the first item in canonical order.
fn sweep<V: Value>(mut survivors: Vec<Survivor<V>>, mut reached: V) -> Layer<V> {
    survivors.sort_unstable_by_key(|survivor| survivor.weight);
    let mut layer = Layer { weights: Vec::new(), values: Vec::new(), items: Vec::new(), parents: Vec::new() };
    for same_weight in survivors.chunk_by(|a, b| a.weight == b.weight) {
        let rank = |a: &&Survivor<V>, b: &&Survivor<V>| a.value.cmp(&b.value).then(b.item.cmp(&a.item));
        let Some(best) = same_weight.iter().max_by(rank) else { continue };
        if best.value > reached {
            layer.weights.push(best.weight);
            layer.values.push(best.value.clone());
            layer.items.push(best.item);
            layer.parents.push(best.parent);
            reached = best.value.clone();
        }
    }
    layer
}

/// Which items to note in step 2: those on the upper concave hull of (weight, value), or all of a small class or of
/// one whose hull has hardly any items, as where value follows weight.
/// The hull's slopes are compared in floats: a slip only changes which subset is noted.
fn hull<V: Value>(class: &Class<V>) -> Vec<bool> {
    if class.items.len() <= SMALL_CLASS {
        return vec![true; class.items.len()];
    }
    let point = |at: usize| {
        let item = &class.items[at];
        (item.weight as f64, num_traits::ToPrimitive::to_f64(&item.value.to_big()).unwrap_or(f64::MAX))
    };
    let mut order: Vec<usize> = (0..class.items.len()).collect();
    order.sort_unstable_by_key(|&at| (class.items[at].weight, std::cmp::Reverse(&class.items[at].value)));
    let mut hull: Vec<usize> = Vec::new();
    for at in order {
        let (x, y) = point(at);
        if hull.last().is_some_and(|&last| point(last).1 >= y) {
            continue;
        }
        while let [.., a, b] = hull[..] {
            let ((ax, ay), (bx, by)) = (point(a), point(b));
            if (by - ay) * (x - bx) > (y - by) * (bx - ax) {
                break;
            }
            hull.pop();
        }
        hull.push(at);
    }
    let mut on_hull = vec![hull.len() * FEW_ON_HULL < class.items.len(); class.items.len()];
    for at in hull {
        on_hull[at] = true;
    }
    on_hull
}
