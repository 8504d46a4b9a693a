//! A layer: for every set of open elements that may be paid for, the list of undominated sums.

use super::entry::{Addend, Entry, merge, shifted, without_dominated};
use isx_problems::value::Value;

/// States that a thread processes together.
const STATES: usize = 64;

/// The lists of some neighboring states, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Chunk<V, const W: usize> {
    pub ends: Vec<usize>,
    pub entries: Vec<Entry<V, W>>,
}

/// The lists of all states; a state is a number with one bit per open element.
#[derive(Clone, Debug)]
pub(super) struct Layer<V, const W: usize> {
    pub open: usize,
    pub chunks: Vec<Chunk<V, W>>,
}

/// An item as a layer needs it: the open elements that it uses, as bits, and what it adds.
pub(super) type Move<V> = (u64, Addend<V>);

/// Elements that are about to open: the weight of each, and for every open position the positions that exclude it.
pub(super) struct Opening<'a> {
    pub weights: &'a [u64],
    pub excluded: &'a [u64],
    pub capacity: u64,
}

/// Counts of the work for a chunk.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// Sums of an entry and an item.
    pub candidates: u64,
    /// States in which some sum exceeded the capacity.
    pub cut: u64,
}

impl<V, const W: usize> Chunk<V, W> {
    /// Its size in bytes, without the heap memory of big integers.
    pub fn bytes(&self) -> u64 {
        (self.entries.capacity() * size_of::<Entry<V, W>>() + self.ends.capacity() * size_of::<usize>())
            as u64
    }
}

impl<V: Value, const W: usize> Layer<V, W> {
    /// No class processed, no element open: the empty sum.
    pub fn start() -> Self {
        let empty = Entry { weight: 0, value: V::zero(), items: [0; W] };
        Self { open: 0, chunks: vec![Chunk { ends: vec![1], entries: vec![empty] }] }
    }

    /// The list of a state.
    pub fn list(&self, state: usize) -> &[Entry<V, W>] {
        let chunk = &self.chunks[state / STATES];
        let at = state % STATES;
        let from = if at == 0 { 0 } else { chunk.ends[at - 1] };
        &chunk.entries[from..chunk.ends[at]]
    }

    /// Number of chunks of a layer with `open` open elements.
    pub fn chunks_of(open: usize) -> usize {
        (1usize << open).div_ceil(STATES)
    }

    /// Number of states in chunk `at` of such a layer.
    pub fn states_of(at: usize, open: usize) -> usize {
        ((1usize << open) - at * STATES).min(STATES)
    }

    /// Sums in all lists.
    pub fn len(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.entries.len()).sum()
    }

    /// Bytes of all lists.
    pub fn bytes(&self) -> u64 {
        self.chunks.iter().map(Chunk::bytes).sum()
    }

    /// A layer made of chunks that were computed one by one.
    pub fn of(open: usize, chunks: Vec<Chunk<V, W>>) -> Self {
        Self { open, chunks }
    }

    /// Chunk `at` of the next layer: some elements open, then one item of a class is taken, or none. `moves`
    /// includes no item and is in order of weight, then falling value, then canonical. Counts the candidates.
    pub fn grown(&self, at: usize, opening: &Opening, moves: &[Move<V>]) -> (Chunk<V, W>, Counts) {
        let open = self.open + opening.weights.len();
        let mut builder = Builder::new(at, open);
        let (mut allowed, mut before, mut after) = (Vec::new(), Vec::new(), Vec::new());
        let mut counts = Counts::default();
        for state in builder.states() {
            let base = self.list(state & ((1 << self.open) - 1));
            let excluded = |position: usize| {
                state >> position & 1 == 1 && state as u64 & opening.excluded[position] != 0
            };
            if base.is_empty() || (self.open..open).any(excluded) {
                builder.end();
                continue;
            }
            let paid: u64 = (self.open..open)
                .filter(|position| state >> position & 1 == 1)
                .map(|position| opening.weights[position - self.open])
                .sum();
            allowed.clear();
            for (uses, addend) in moves {
                let better = allowed.last().is_none_or(|last: &Addend<V>| last.value < addend.value);
                if uses & !(state as u64) == 0 && better {
                    allowed.push(Addend { weight: addend.weight + paid, ..addend.clone() });
                }
            }
            counts.candidates += (base.len() * allowed.len()) as u64;
            counts.cut += u64::from(passes(base, &allowed, opening.capacity));
            merge_all(
                base,
                &allowed,
                opening.capacity,
                [&mut before, &mut after],
                &mut builder.chunk.entries,
            );
            builder.end();
        }
        (builder.chunk, counts)
    }

    /// Chunk `at` of the layer in which the element at `position` is closed: states with and without it are merged.
    pub fn closed(&self, at: usize, position: usize) -> Chunk<V, W> {
        let mut builder = Builder::new(at, self.open - 1);
        let low = (1usize << position) - 1;
        for state in builder.states() {
            let without = (state & low) | ((state & !low) << 1);
            let with = self.list(without | 1 << position).iter().cloned();
            merge(self.list(without).iter().cloned(), with, &mut builder.chunk.entries);
            builder.end();
        }
        builder.chunk
    }

    /// Chunk `at` without the sums that are strictly dominated by one whose state has one more of `positions`: a sum
    /// with more elements paid for, no more weight and no less value can be continued in every way that the other
    /// can.
    pub fn sieved(&self, at: usize, positions: &[usize]) -> Chunk<V, W> {
        let mut builder = Builder::new(at, self.open);
        let mut list = Vec::new();
        for state in builder.states() {
            list.clear();
            list.extend_from_slice(self.list(state));
            for position in positions.iter().filter(|&position| state >> position & 1 == 0) {
                without_dominated(&mut list, self.list(state | 1 << position));
            }
            builder.chunk.entries.append(&mut list);
            builder.end();
        }
        builder.chunk
    }
}

/// Whether some sum exceeds the capacity.
fn passes<V, const W: usize>(base: &[Entry<V, W>], addends: &[Addend<V>], capacity: u64) -> bool {
    let heaviest = base.last().map_or(0, |entry| entry.weight);
    addends.last().is_some_and(|addend| heaviest + addend.weight > capacity)
}

/// Appends to `out` the undominated sums of a list with each of the addends.
fn merge_all<V: Value, const W: usize>(
    base: &[Entry<V, W>],
    addends: &[Addend<V>],
    capacity: u64,
    [before, after]: [&mut Vec<Entry<V, W>>; 2],
    out: &mut Vec<Entry<V, W>>,
) {
    match addends {
        [] => {}
        [only] => out.extend(shifted(base, only, capacity)),
        [first, second] => merge(shifted(base, first, capacity), shifted(base, second, capacity), out),
        [first, second, middle @ .., last] => {
            before.clear();
            merge(shifted(base, first, capacity), shifted(base, second, capacity), before);
            for addend in middle {
                after.clear();
                merge(before.drain(..), shifted(base, addend, capacity), after);
                std::mem::swap(before, after);
            }
            merge(before.drain(..), shifted(base, last, capacity), out);
        }
    }
}

/// Builds a chunk state by state.
struct Builder<V, const W: usize> {
    first: usize,
    states: usize,
    chunk: Chunk<V, W>,
}

impl<V: Value, const W: usize> Builder<V, W> {
    fn new(at: usize, open: usize) -> Self {
        let first = at * STATES;
        let states = Layer::<V, W>::states_of(at, open);
        Self { first, states, chunk: Chunk { ends: Vec::with_capacity(states), entries: Vec::new() } }
    }

    fn states(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.states
    }

    fn end(&mut self) {
        self.chunk.ends.push(self.chunk.entries.len());
    }
}
