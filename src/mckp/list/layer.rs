//! One layer of the Pareto-list dynamic program, and the filter that produces the next.
//!
//! The candidates for the next layer are the sums of a pair and an item, n sorted runs of p sums. Nearly all are
//! dominated, so the filter discards them cheaply:
//!
//! 1. The range of weights is divided into *blocks*, each processed separately (in parallel if worthwhile). The best
//!    value of all lighter weights is computed beforehand: the best sum below the block takes one search per run.
//! 2. A block is divided into *cells* whose width is a power of two, about two cells per pair. One pass over the
//!    candidates records the best value in each cell; a running maximum gives the best of all previous cells.
//! 3. A second pass keeps the candidates that exceed the best of the cells before theirs. Few do.
//! 4. Those are sorted by weight and swept once.
//!
//! A subset of the candidates is enough in step 2, since any reached value rules out what it dominates: for large
//! classes only the items on the class's concave hull are used there, unless they are too few to be effective.
//!
//! Worked instance: pairs (0,0), (10,9) and items (0,0), (4,2), (8,8) as (weight, value), one block, cells of 4.
//! Candidates: (0,0) (10,9); (4,2) (14,11); (8,8) (18,17). Best value per cell 0, 2, 9, 11, 17; before each cell:
//! none, 0, 2, 9, 11. Every candidate exceeds the best of the cells before its own, so all six are kept. With (9,1)
//! in place of (8,8), the candidates (9,1) and (19,10) would be discarded: (4,2) and (14,11) reach more before them.

use isx_machine::cpu::Team;
use isx_machine::{Machine, OverMemory};
use isx_problems::mckp::{Item, upper_hull};
use isx_problems::reduce::mckp::Class;
use isx_problems::value::Value;
use num_traits::ToPrimitive;
use std::sync::atomic::{AtomicU64, Ordering};

/// Pairs in order of weight, weights and values strictly rising; parallel vectors of one length.
#[derive(Clone, Debug)]
pub struct Layer<V> {
    pub weights: Vec<u64>,
    pub values: Vec<V>,
    /// The item that made each pair.
    pub items: Vec<u32>,
    /// The index in the previous layer of the pair that it extends.
    pub parents: Vec<u32>,
}

/// A candidate that may belong to the next layer.
struct Survivor<V> {
    weight: u64,
    value: V,
    item: u32,
    parent: u32,
}

/// How many candidates for a layer passed each stage, which determines the time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sifted {
    /// Those computed: within the capacity, and with a greater value than lighter weights.
    pub looked_at: u64,
    /// Those sorted, since they passed the filter.
    pub sorted: u64,
}

/// An item and the pairs whose sum with it falls into a block.
struct Run<'a, V> {
    index: u32,
    item: &'a Item<V>,
    from: usize,
    to: usize,
    on_hull: bool,
}

/// Cells per block: their values fill a part of the second-level cache.
const BLOCK_CELLS: u64 = 8192;

/// Classes of more items than this use only their hull in step 2.
const SMALL_CLASS: usize = 12;

/// A hull with fewer than one item in this many is too coarse to filter by.
const FEW_ON_HULL: usize = 16;

/// Blocks per thread, so that threads that finish early find more work.
const BLOCKS_A_THREAD: usize = 4;

/// Pairs per block of a layer that several threads divide: every block searches for its part of every run.
pub const PAIRS_A_BLOCK: usize = 512;

/// Fewer blocks are not divided among threads.
const FEWEST_BLOCKS: usize = 4;

/// Tracks the memory that a layer takes while it is computed: its parts, all of it again once they are joined, and
/// the candidates being sorted.
pub struct Room<'a> {
    machine: &'a Machine,
    held: AtomicU64,
}

impl<'a> Room<'a> {
    /// The memory left beside `held` bytes of other tables.
    pub fn new(machine: &'a Machine, held: u64) -> Self {
        Self { machine, held: AtomicU64::new(held) }
    }

    fn take(&self, bytes: u64) -> Result<(), OverMemory> {
        self.machine.allow(self.held.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes))
    }

    fn give_back(&self, bytes: u64) {
        self.held.fetch_sub(bytes, Ordering::Relaxed);
    }
}

impl<V> Layer<V> {
    /// Bytes of a pair.
    pub const PAIR_BYTES: u64 = (size_of::<u64>() + size_of::<V>() + 2 * size_of::<u32>()) as u64;
    /// Bytes of a candidate.
    pub const SUM_BYTES: u64 = size_of::<Survivor<V>>() as u64;
}

impl<V: Value + ToPrimitive> Layer<V> {
    /// The layer before the first class: nothing taken.
    pub fn first() -> Self {
        Self { weights: vec![0], values: vec![V::zero()], items: vec![0], parents: vec![0] }
    }

    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Its size in bytes.
    pub fn bytes(&self) -> u64 {
        self.len() as u64 * Self::PAIR_BYTES
    }

    /// The undominated sums of a pair of this layer and an item of `class`, within `capacity`, and the counts of
    /// their candidates. `seconds` is the expected time of one thread. Fails if they do not fit into memory.
    pub fn next(
        &self,
        class: &Class<V>,
        capacity: u64,
        seconds: f64,
        team: &Team,
        room: &Room,
    ) -> Result<(Self, Sifted), OverMemory> {
        let reach = self.weights[self.len() - 1].saturating_add(class.heaviest()).min(capacity);
        // About two cells per pair, so that a cell sees few points of the next layer and there are few cells.
        let cell_bits = (reach / (2 * self.len() as u64)).checked_ilog2().map_or(0, |bits| bits + 1);
        let shares = may_share(self.len()) && team.would_share(seconds);
        let least = match shares {
            true => (self.len() / PAIRS_A_BLOCK).min(BLOCKS_A_THREAD * team.threads()),
            false => 1,
        };
        let starts = self.block_starts(least, reach, BLOCK_CELLS << cell_bits.min(u64::BITS - 16));
        let on_hull = on_hull(class);
        let seconds = if shares { seconds } else { 0.0 };
        let parts = team.map(starts.len(), seconds, |block| {
            let low = starts[block];
            let high = starts.get(block + 1).map_or(reach, |next| next - 1);
            self.block(class, &on_hull, low, high, cell_bits, room)
        });
        Ok(Self::join(parts.into_iter().collect::<Result<_, OverMemory>>()?))
    }

    /// Least weights of at least `count` blocks of the next layer, which ends at `reach`. Each block has the same
    /// number of this layer's pairs, since most pairs of a front are light; none is wider than `widest`.
    fn block_starts(&self, count: usize, reach: u64, widest: u64) -> Vec<u64> {
        let (mut starts, mut last) = (vec![0], 0);
        for block in 1..=count {
            // The last block includes its end, which may be the largest number.
            let (end, widest_here) = match block == count {
                true => (reach, widest - 1),
                false => (self.weights[block * self.len() / count], widest),
            };
            while end - last > widest_here {
                last += widest;
                starts.push(last);
            }
            if block < count && end > last {
                last = end;
                starts.push(last);
            }
        }
        starts
    }

    /// The next layer's pairs of weight `low..=high`, and the counts of their candidates.
    fn block(
        &self,
        class: &Class<V>,
        on_hull: &[bool],
        low: u64,
        high: u64,
        cell_bits: u32,
        room: &Room,
    ) -> Result<(Self, Sifted), OverMemory> {
        // Nothing is lighter than weight 0, and value 0 is reached there, so negative values never matter.
        let mut reached = V::minus_one();
        let mut runs = Vec::with_capacity(class.items.len());
        for ((index, item), &on_hull) in (0..).zip(&class.items).zip(on_hull) {
            // A sum beyond the largest number is beyond the block, too.
            let sum = |weight: &u64| weight.checked_add(item.weight);
            let from = self.weights.partition_point(|weight| sum(weight).is_some_and(|sum| sum < low));
            let to = self.weights.partition_point(|weight| sum(weight).is_some_and(|sum| sum <= high));
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
        let survivors = self.survivors(&runs, &reached, low, high, cell_bits, room)?;
        let unsorted = survivors.len() as u64 * Self::SUM_BYTES;
        let looked_at = runs.iter().map(|run| (run.to - run.from) as u64).sum();
        let sifted = Sifted { looked_at, sorted: survivors.len() as u64 };
        let part = sweep(survivors, reached);
        room.give_back(unsorted);
        room.take(2 * part.bytes())?;
        Ok((part, sifted))
    }

    /// Steps 2 and 3: the candidates that exceed the best of the cells before theirs.
    fn survivors(
        &self,
        runs: &[Run<V>],
        reached: &V,
        low: u64,
        high: u64,
        cell_bits: u32,
        room: &Room,
    ) -> Result<Vec<Survivor<V>>, OverMemory> {
        let cells = ((high - low) >> cell_bits) as usize + 1;
        // Until the running maximum is taken, cell c contains the best value of cell c - 1, the one before it.
        let mut before = vec![reached.clone(); cells + 1];
        let cell = |weight: u64| ((weight - low) >> cell_bits) as usize;
        let pairs = |run: &Run<V>| self.weights[run.from..run.to].iter().zip(&self.values[run.from..run.to]);
        for run in runs.iter().filter(|run| run.on_hull) {
            for (weight, value) in pairs(run) {
                let best = &mut before[cell(weight + run.item.weight) + 1];
                let value = value.plus(&run.item.value);
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
        let mut counted = 0;
        for run in runs {
            for (at, (weight, value)) in (run.from..).zip(pairs(run)) {
                let (weight, value) = (weight + run.item.weight, value.plus(&run.item.value));
                if value > before[cell(weight)] {
                    survivors.push(Survivor { weight, value, item: run.index, parent: at as u32 });
                }
            }
            // A list that would exceed the memory limit is detected before its next run.
            room.take((survivors.len() - counted) as u64 * Self::SUM_BYTES)?;
            counted = survivors.len();
        }
        Ok(survivors)
    }

    fn join(parts: Vec<(Self, Sifted)>) -> (Self, Sifted) {
        let pairs: usize = parts.iter().map(|(part, _)| part.len()).sum();
        let mut parts = parts.into_iter();
        let (mut whole, mut sifted) = parts.next().unwrap_or_else(|| (Self::first(), Sifted::default()));
        let more = pairs.saturating_sub(whole.len());
        whole.weights.reserve_exact(more);
        whole.values.reserve_exact(more);
        whole.items.reserve_exact(more);
        whole.parents.reserve_exact(more);
        for (part, more) in parts {
            whole.weights.extend(part.weights);
            whole.values.extend(part.values);
            whole.items.extend(part.items);
            whole.parents.extend(part.parents);
            sifted.looked_at += more.looked_at;
            sifted.sorted += more.sorted;
        }
        (whole, sifted)
    }
}

/// Step 4: sorts the survivors and keeps the undominated ones; of equal pairs the first item in canonical order.
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

/// Whether a list of `length` pairs is long enough for several threads.
pub fn may_share(length: usize) -> bool {
    length >= FEWEST_BLOCKS * PAIRS_A_BLOCK
}

/// The items to use in step 2: those on the upper hull, or all items of a small class or of one with hardly any
/// items on its hull, as when values are proportional to weights.
fn on_hull<V: Value + ToPrimitive>(class: &Class<V>) -> Vec<bool> {
    let items = class.items.len();
    if items <= SMALL_CLASS {
        return vec![true; items];
    }
    let corners = upper_hull(&class.items, u64::MAX);
    let mut on_hull = vec![corners.len() * FEW_ON_HULL < items; items];
    for at in corners {
        on_hull[at] = true;
    }
    on_hull
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A class of `items` items with a zero item, its values and weights mixed by `seed`.
    fn class(items: u64, seed: u64) -> Class<i64> {
        let item = |at: u64| {
            let mixed = (at * 7919 + seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
            let weight = mixed % 10_007;
            Item { weight, value: (weight + mixed / 3 % 11) as i64 }
        };
        let zero = Item { weight: 0, value: 0 };
        let items: Vec<Item<i64>> = std::iter::once(zero).chain((1..items).map(item)).collect();
        Class { zero: 0, origin: vec![None; items.len()], items }
    }

    #[test]
    fn threads_and_blocks_change_no_pair() {
        let workers = [2, 16].map(isx_machine::cpu::Workers::new);
        let teams = workers.each_ref().map(Team::sharing_everything);
        let mut alone = Layer::<i64>::first();
        let machine = Machine::default();
        let room = Room::new(&machine, 0);
        for seed in 0..12 {
            let class = class(3 + 5 * seed, seed);
            let (next, sifted) = alone.next(&class, 60_000, 1.0, &Team::alone(), &room).unwrap();
            for team in &teams {
                let (shared, _) = alone.next(&class, 60_000, 1.0, team, &room).unwrap();
                assert_eq!((&shared.weights, &shared.values), (&next.weights, &next.values));
                assert_eq!((&shared.items, &shared.parents), (&next.items, &next.parents));
            }
            assert!(sifted.sorted >= next.len() as u64);
            assert!(sifted.looked_at >= sifted.sorted);
            alone = next;
        }
        assert!(alone.len() > 10 * FEWEST_BLOCKS * PAIRS_A_BLOCK, "only {} pairs", alone.len());
    }

    #[test]
    fn blocks_have_as_many_pairs_each_and_are_not_too_wide() {
        let layer = Layer { weights: vec![0, 1, 2, 3, 4, 50, 100, 150], ..Layer::<i64>::first() };
        assert_eq!(layer.block_starts(1, 200, 1000), [0]);
        assert_eq!(layer.block_starts(2, 200, 1000), [0, 4]);
        assert_eq!(layer.block_starts(4, 200, 1000), [0, 2, 4, 100]);
        assert_eq!(layer.block_starts(2, 200, 100), [0, 4, 104]);
        assert_eq!(layer.block_starts(1, 199, 100), [0, 100]);
        assert_eq!(layer.block_starts(1, 1 << 62, 1 << 62), [0, 1 << 62]);
    }

    #[test]
    fn the_worked_instance_is_sifted_as_told() {
        let layer =
            Layer { weights: vec![0, 10], values: vec![0, 9], items: vec![0; 2], parents: vec![0; 2] };
        let machine = Machine::default();
        let room = Room::new(&machine, 0);
        let of = |items: &[(u64, i64)]| Class {
            items: items.iter().map(|&(weight, value)| Item { weight, value }).collect(),
            zero: 0,
            origin: vec![None; items.len()],
        };
        let (next, sifted) =
            layer.next(&of(&[(0, 0), (4, 2), (8, 8)]), 100, 1.0, &Team::alone(), &room).unwrap();
        assert_eq!(
            (&next.weights[..], &next.values[..]),
            (&[0, 4, 8, 10, 14, 18][..], &[0, 2, 8, 9, 11, 17][..])
        );
        assert_eq!(sifted, Sifted { looked_at: 6, sorted: 6 });
        let (next, sifted) =
            layer.next(&of(&[(0, 0), (4, 2), (9, 1)]), 100, 1.0, &Team::alone(), &room).unwrap();
        assert_eq!((&next.weights[..], &next.values[..]), (&[0, 4, 10, 14][..], &[0, 2, 9, 11][..]));
        assert_eq!(sifted, Sifted { looked_at: 6, sorted: 4 });
    }
}
