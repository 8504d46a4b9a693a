//! The labels of a set of elements: the undominated ones of shifted lists, window by window of the first amount.
//!
//! The streams of a set are the lists of the layer before, each with an option added. Candidates of a window that pass
//! what is known so far are sorted; a guard then keeps those that nothing before them dominates. Streams are in order of
//! their options, and sorting is stable: of equal labels the one with the smallest option stays.

use super::guard::Guard;
use super::shape::Shape;
use isx_engine::{Context, EngineError};
use isx_problems::resources::{Cost, Vector};
use std::cmp::Ordering;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Candidates of a window.
const WINDOW: usize = 4096;
/// Windows of a packed table have first amounts that differ by less than this.
const PACKED: u64 = 1 << 44;

/// Labels of some sets of elements, one after the other; those of a set in order of the first amount, then the key, the
/// loads and the cost.
#[derive(Clone, Debug)]
pub(super) struct Chunk<C> {
    pub first: Vec<u64>,
    pub keys: Vec<u64>,
    pub loads: Vec<C>,
    pub costs: Vec<C>,
    /// Amounts that decide between equal labels.
    pub ties: Vec<u64>,
    /// What each was made of: the number of the label in the layer before, and the option.
    pub parents: Vec<u32>,
    pub options: Vec<u32>,
}

impl<C: Cost> Chunk<C> {
    pub fn new() -> Self {
        Self {
            first: Vec::new(),
            keys: Vec::new(),
            loads: Vec::new(),
            costs: Vec::new(),
            ties: Vec::new(),
            parents: Vec::new(),
            options: Vec::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.first.len()
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> u64 {
        let words = self.first.capacity() + self.keys.capacity() + self.ties.capacity();
        let costs = self.loads.capacity() + self.costs.capacity();
        let trace = 4 * (self.parents.capacity() + self.options.capacity());
        (8 * words + size_of::<C>() * costs + trace) as u64
    }

    pub fn append(&mut self, other: Self) {
        self.first.extend(other.first);
        self.keys.extend(other.keys);
        self.loads.extend(other.loads);
        self.costs.extend(other.costs);
        self.ties.extend(other.ties);
        self.parents.extend(other.parents);
        self.options.extend(other.options);
    }

    /// Space for this many labels more, of one amount.
    pub fn reserve(&mut self, labels: usize) {
        self.first.reserve_exact(labels);
        self.costs.reserve_exact(labels);
        self.parents.reserve_exact(labels);
        self.options.reserve_exact(labels);
    }
}

/// The labels of a set of elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a, C> {
    pub set: u64,
    pub first: &'a [u64],
    pub keys: &'a [u64],
    pub loads: &'a [C],
    pub costs: &'a [C],
    pub ties: &'a [u64],
    /// The number of the first in its layer.
    pub base: u32,
}

impl<'a, C: Cost> View<'a, C> {
    /// Those of a range of a chunk.
    pub fn new(chunk: &'a Chunk<C>, set: u64, range: std::ops::Range<usize>, base: u32) -> Self {
        let count = chunk.len().max(1);
        let part = |all: usize| range.start * (all / count)..range.end * (all / count);
        Self {
            set,
            first: &chunk.first[range.clone()],
            keys: &chunk.keys[part(chunk.keys.len())],
            loads: &chunk.loads[part(chunk.loads.len())],
            costs: &chunk.costs[range.clone()],
            ties: &chunk.ties[part(chunk.ties.len())],
            base: base + range.start as u32,
        }
    }

    pub fn len(&self) -> usize {
        self.first.len()
    }

    pub fn label(&self, at: usize, width: usize, places: usize) -> Vector<'a, C> {
        Vector {
            amounts: &self.keys[at * width..][..width],
            loads: &self.loads[at * places..][..places],
            cost: self.costs[at],
        }
    }
}

/// A list with an option added to each label.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stream<C> {
    pub first: u64,
    pub cost: C,
    /// The list, by its number.
    pub source: u32,
    /// Where the rest is, among the rests.
    pub rest: u32,
    pub option: u32,
}

/// What the options of streams add to keys, loads, and amounts that decide between equal labels.
#[derive(Debug)]
pub(super) struct Rests<C> {
    widths: [usize; 3],
    keys: Vec<u64>,
    loads: Vec<C>,
    ties: Vec<u64>,
    count: u32,
}

impl<C: Cost> Rests<C> {
    pub fn new(shape: &Shape, places: usize) -> Self {
        let widths = [shape.width(), places, shape.ties.len()];
        Self { widths, keys: Vec::new(), loads: Vec::new(), ties: Vec::new(), count: 0 }
    }

    /// Adds a rest; returns its place.
    pub fn push(&mut self, shape: &Shape, amounts: &[u64], loads: &[C]) -> u32 {
        if self.widths == [0; 3] {
            return 0;
        }
        self.keys.extend(shape.key(amounts));
        self.loads.extend_from_slice(loads);
        self.ties.extend(shape.ties.iter().map(|&resource| amounts[resource]));
        self.count += 1;
        self.count - 1
    }

    fn key(&self, rest: u32) -> &[u64] {
        &self.keys[rest as usize * self.widths[0]..][..self.widths[0]]
    }

    fn loads(&self, rest: u32) -> &[C] {
        &self.loads[rest as usize * self.widths[1]..][..self.widths[1]]
    }

    fn ties(&self, rest: u32) -> &[u64] {
        &self.ties[rest as usize * self.widths[2]..][..self.widths[2]]
    }
}

/// Whether a label is excluded: its first amount, key and cost.
pub(super) type Prune<'a, C> = &'a (dyn Fn(u64, &[u64], C) -> bool + Sync);

/// What the merges of a layer share.
pub(super) struct Setting<'a, C> {
    pub context: &'a Context<'a>,
    pub shape: &'a Shape,
    /// Numbers of a label beside its key: places of loads, and amounts that decide between equal ones.
    pub places: usize,
    /// The loads that none exceeds.
    pub most_loads: &'a [C],
    /// Places of loads that become part of the cost.
    pub folds: &'a [usize],
    pub sources: &'a [View<'a, C>],
    pub rests: &'a Rests<C>,
    /// The greatest cost and load.
    pub most: Option<C>,
    pub prune: Option<Prune<'a, C>>,
    /// Bytes in use.
    pub bytes: &'a AtomicU64,
}

impl<C: Cost> Setting<'_, C> {
    /// Counts what a chunk has grown by; fails if memory runs out or the computation was cancelled.
    pub fn charge(&self, out: &Chunk<C>, charged: &mut u64) -> Result<(), EngineError> {
        let now = out.bytes();
        let more = now - *charged;
        *charged = now;
        self.context.machine.allow(self.bytes.fetch_add(more, Relaxed) + more)?;
        self.context.go_on()
    }

    /// The amounts that decide between equal labels, of a candidate.
    pub fn compare_ties(&self, streams: &[Stream<C>], a: &Found<C>, b: &Found<C>) -> Ordering {
        let ties = |found: &Found<C>| {
            let stream = &streams[found.stream as usize];
            let own = self.rests.ties(stream.rest);
            let before = &self.sources[stream.source as usize].ties[found.at as usize * own.len()..];
            own.iter().zip(before).map(|(a, b)| a + b)
        };
        ties(a).cmp(ties(b))
    }

    pub fn push_origin(&self, stream: &Stream<C>, at: u32, out: &mut Chunk<C>) {
        let source = &self.sources[stream.source as usize];
        let own = self.rests.ties(stream.rest);
        let before = &source.ties[at as usize * own.len()..];
        out.ties.extend(own.iter().zip(before).map(|(a, b)| a + b));
        out.parents.push(source.base + at);
        out.options.push(stream.option);
    }
}

/// A candidate.
#[derive(Clone, Copy)]
pub(super) struct Found<C> {
    /// Its first amount; behind it the key, if that is a place in a table.
    pub sort: u64,
    pub cost: C,
    /// Its stream, and its place there.
    pub stream: u32,
    pub at: u32,
}

/// The ends of windows that have about so many labels of the longest list each.
pub(super) fn windows<C: Cost>(
    streams: &[Stream<C>],
    sources: &[View<C>],
    labels: usize,
    limit: u64,
) -> Vec<u64> {
    let longest = streams.iter().max_by_key(|stream| sources[stream.source as usize].len());
    let mut ends: Vec<u64> = longest.map_or(Vec::new(), |stream| {
        let list = sources[stream.source as usize].first;
        (labels..list.len()).step_by(labels).map(|at| list[at] + stream.first).collect()
    });
    ends.dedup();
    ends.retain(|&end| end < limit);
    ends.push(limit);
    ends
}

/// How many of a sorted list are at most this.
fn gallop(list: &[u64], most: u64) -> usize {
    let mut step = 16;
    while step < list.len() && list[step] <= most {
        step *= 2;
    }
    let from = if step == 16 { 0 } else { step / 2 };
    from + list[from..step.min(list.len())].partition_point(|amount| *amount <= most)
}

/// A merge with further amounts or loads. It is done window by window, so that a merge of the next class can follow it.
pub(super) struct Merge<C> {
    at: Vec<usize>,
    over: Vec<usize>,
    /// The least first amount of the next window.
    low: u64,
    guard: Guard<C>,
    found: Vec<Found<C>>,
    /// Keys and loads of what was found, unless keys are packed with the first amount.
    keys: Vec<u64>,
    loads: Vec<C>,
    /// Candidates.
    pub looked: u64,
}

impl<C: Cost> Merge<C> {
    pub fn new(set: &Setting<'_, C>) -> Self {
        Self {
            at: Vec::new(),
            over: Vec::new(),
            low: 0,
            guard: Guard::new(set.shape, set.most_loads),
            found: Vec::new(),
            keys: Vec::new(),
            loads: Vec::new(),
            looked: 0,
        }
    }

    /// Begins with other lists.
    pub fn start(&mut self, streams: usize, others: usize) {
        self.at.clear();
        self.at.resize(streams, 0);
        self.over.clear();
        self.over.resize(others, 0);
        self.low = 0;
        self.guard.clear();
    }

    /// Appends all labels. `others` are lists whose labels may stand for these.
    pub fn all(
        &mut self,
        set: &Setting<'_, C>,
        streams: &[Stream<C>],
        others: &[View<'_, C>],
        out: &mut Chunk<C>,
    ) -> Result<(), EngineError> {
        let lengths = || streams.iter().map(|stream| set.sources[stream.source as usize].len());
        let (total, longest) = (lengths().sum::<usize>(), lengths().max().unwrap_or(0));
        let labels = longest.div_ceil(total.div_ceil(WINDOW).max(1)).max(1);
        self.start(streams.len(), others.len());
        self.advance(set, streams, others, &windows(streams, set.sources, labels, set.shape.limit), out)
    }

    /// The labels of the next windows.
    pub fn advance(
        &mut self,
        set: &Setting<'_, C>,
        streams: &[Stream<C>],
        others: &[View<'_, C>],
        ends: &[u64],
        out: &mut Chunk<C>,
    ) -> Result<(), EngineError> {
        let mut charged = out.bytes();
        for &high in ends {
            if high < self.low {
                continue;
            }
            let packed = set.shape.cells.is_some() && high - self.low < PACKED;
            self.found.clear();
            self.keys.clear();
            self.loads.clear();
            for (number, stream) in (0u32..).zip(streams) {
                let source = &set.sources[stream.source as usize];
                let from = self.at[number as usize];
                let to = from
                    + match source.first[from..].first() {
                        Some(first) if first + stream.first <= high => {
                            gallop(&source.first[from..], high - stream.first)
                        }
                        _ => 0,
                    };
                self.at[number as usize] = to;
                self.looked += (to - from) as u64;
                if packed {
                    self.gather_packed(set, stream, number, from..to);
                } else {
                    self.gather(set, stream, number, from..to);
                }
            }
            self.keep(set, streams, others, packed, high, out);
            self.low = high.saturating_add(1);
            set.charge(out, &mut charged)?;
        }
        Ok(())
    }

    /// Candidates of a stream that no label before the window beats; the key is a place in a table.
    fn gather_packed(
        &mut self,
        set: &Setting<'_, C>,
        stream: &Stream<C>,
        number: u32,
        range: std::ops::Range<usize>,
    ) {
        let source = &set.sources[stream.source as usize];
        let (add, cells, low) = (set.rests.key(stream.rest)[0], &self.guard.cells[..], self.low);
        let leading = stream.cost.rough();
        let keys = &source.keys[range.clone()];
        let labels = source.first[range.clone()].iter().zip(keys).zip(&source.costs[range.clone()]);
        for (at, ((first, key), cost)) in (range.start as u32..).zip(labels) {
            let key = key + add;
            let cell = &cells[key as usize];
            if C::WIDE && cell.rough() < cost.rough() + leading {
                continue;
            }
            let cost = cost.plus(stream.cost);
            if *cell > cost {
                let sort = ((first + stream.first - low) << 20) | key;
                self.found.push(Found { sort, cost, stream: number, at });
            }
        }
    }

    /// Candidates of a stream within all limits that no label before the window beats.
    fn gather(
        &mut self,
        set: &Setting<'_, C>,
        stream: &Stream<C>,
        number: u32,
        range: std::ops::Range<usize>,
    ) {
        let (shape, width, places) = (set.shape, set.shape.width(), set.places);
        let source = &set.sources[stream.source as usize];
        let (key_added, loads_added) = (set.rests.key(stream.rest), set.rests.loads(stream.rest));
        for at in range {
            let (from, loads_from) = (self.keys.len(), self.loads.len());
            let own = source.label(at, width, places);
            let mut cost = own.cost.plus(stream.cost);
            self.keys.extend(own.amounts.iter().zip(key_added).map(|(a, b)| a + b));
            self.loads.extend(own.loads.iter().zip(loads_added).map(|(a, b)| a.plus(*b)));
            let is_beyond = |load: &C| set.most.is_some_and(|most| *load > most);
            let mut is_out = is_beyond(&cost) || self.loads[loads_from..].iter().any(is_beyond);
            for &place in set.folds {
                cost = cost.max(self.loads[loads_from + place]);
                self.loads[loads_from + place] = C::ZERO;
            }
            let key = &self.keys[from..];
            // In an exact table the border is beyond the limits.
            is_out |=
                shape.cells.is_none() && shape.axes.iter().zip(key).any(|(axis, key)| *key > axis.limit);
            let label = Vector { amounts: key, loads: &self.loads[loads_from..], cost };
            let first = source.first[at] + stream.first;
            if is_out
                || set.prune.is_some_and(|prune| prune(first, label.amounts, cost))
                || self.guard.beats(&label)
            {
                self.keys.truncate(from);
                self.loads.truncate(loads_from);
                continue;
            }
            self.found.push(Found { sort: first, cost, stream: number, at: at as u32 });
        }
    }

    /// Appends the candidates that nothing dominates, in order.
    fn keep(
        &mut self,
        set: &Setting<'_, C>,
        streams: &[Stream<C>],
        others: &[View<'_, C>],
        packed: bool,
        high: u64,
        out: &mut Chunk<C>,
    ) {
        let (width, places) = (set.shape.width(), set.places);
        let Self { over, guard, found, keys, loads, low, .. } = self;
        let key_of = |at: u32| &keys[at as usize * width..][..width];
        let loads_of = |at: u32| &loads[at as usize * places..][..places];
        let is_tied = !set.shape.ties.is_empty();
        let tied = |order: Ordering, a: &Found<C>, b: &Found<C>| {
            if is_tied && order.is_eq() { set.compare_ties(streams, a, b) } else { order }
        };
        let order: Vec<u32> = if packed {
            // Runs of the streams are merged.
            found.sort_by(|a, b| tied(a.sort.cmp(&b.sort).then(a.cost.cmp(&b.cost)), a, b));
            Vec::new()
        } else {
            let mut order: Vec<u32> = (0..found.len() as u32).collect();
            order.sort_unstable_by(|&a, &b| {
                let (x, y) = (&found[a as usize], &found[b as usize]);
                let by_amounts = x.sort.cmp(&y.sort).then_with(|| key_of(a).cmp(key_of(b)));
                let by_cost = by_amounts.then_with(|| loads_of(a).cmp(loads_of(b))).then(x.cost.cmp(&y.cost));
                tied(by_cost, x, y).then(a.cmp(&b))
            });
            order
        };
        let mut compare = |guard: &mut Guard<C>, most: u64| {
            for (over, other) in over.iter_mut().zip(others) {
                while *over < other.len() && other.first[*over] <= most {
                    let label = other.label(*over, width, places);
                    if !guard.beats(&label) {
                        guard.add(&label);
                    }
                    *over += 1;
                }
            }
        };
        let in_order = (0..found.len()).map(|at| order.get(at).map_or(at, |&place| place as usize));
        for place in in_order {
            let candidate = &found[place];
            let packed_key = [candidate.sort & 0xF_FFFF];
            let (first, key): (u64, &[u64]) = match packed {
                true => ((candidate.sort >> 20) + *low, &packed_key),
                false => (candidate.sort, key_of(place as u32)),
            };
            let own_loads = if packed { &[][..] } else { loads_of(place as u32) };
            let label = Vector { amounts: key, loads: own_loads, cost: candidate.cost };
            compare(guard, first);
            if guard.beats(&label) {
                continue;
            }
            if packed {
                let is_beyond = set.most.is_some_and(|most| candidate.cost > most);
                if is_beyond || set.prune.is_some_and(|prune| prune(first, key, candidate.cost)) {
                    continue;
                }
            }
            guard.add(&label);
            out.first.push(first);
            out.keys.extend_from_slice(key);
            out.loads.extend_from_slice(own_loads);
            out.costs.push(candidate.cost);
            set.push_origin(&streams[candidate.stream as usize], candidate.at, out);
        }
        compare(guard, high);
    }
}
