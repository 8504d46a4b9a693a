//! Lists of undominated sums, in rising order of one resource, and the merge of shifted lists.

use super::bound::Bound;
use crate::dominance::Guard;
use crate::number::Number;
use crate::shape::Shape;
use isx_engine::{Context, EngineError};
use isx_problems::value::Value;
use std::cmp::Ordering;

/// Groups between two looks at the memory and at whether to go on.
const GROUPS: usize = 4096;

/// The sums of a range of amounts of the first resource.
#[derive(Clone, Debug)]
pub(crate) struct Chunk<V> {
    /// The amounts, each with the end of its sums.
    pub groups: Vec<(u64, usize)>,
    /// A key a sum.
    pub keys: Vec<u64>,
    pub values: Vec<V>,
    /// The packed items of every sum.
    pub picks: Vec<u64>,
}

impl<V> Chunk<V> {
    /// The sums of a group.
    pub fn range(&self, group: usize) -> std::ops::Range<usize> {
        let from = group.checked_sub(1).map_or(0, |before| self.groups[before].1);
        from..self.groups[group].1
    }
}

impl<V: Value> Chunk<V> {
    pub fn new() -> Self {
        Self { groups: Vec::new(), keys: Vec::new(), values: Vec::new(), picks: Vec::new() }
    }

    pub fn bytes(&self) -> u64 {
        let numbers = self.keys.capacity() + self.picks.capacity() + 2 * self.groups.capacity();
        (8 * numbers + size_of::<V>() * self.values.capacity()) as u64
    }

    /// Passes every sum with its amount of the first resource and its key.
    pub fn each(&self, width: usize, mut take: impl FnMut(usize, u64, &[u64])) {
        let mut from = 0;
        for &(first, end) in &self.groups {
            for at in from..end {
                take(at, first, &self.keys[at * width..][..width]);
            }
            from = end;
        }
    }

    /// Some of the sums.
    pub fn only(&self, kept: &[bool], width: usize, words: usize) -> Self {
        let mut out = Self::new();
        let mut from = 0;
        for &(first, end) in &self.groups {
            let before = out.values.len();
            for at in (from..end).filter(|&at| kept[at]) {
                out.keys.extend_from_slice(&self.keys[at * width..][..width]);
                out.values.push(self.values[at].clone());
                out.picks.extend_from_slice(&self.picks[at * words..][..words]);
            }
            if out.values.len() > before {
                out.groups.push((first, out.values.len()));
            }
            from = end;
        }
        out
    }
}

/// The sums of a state, range after range.
pub(crate) type List<V> = Vec<Chunk<V>>;

/// Number of sums.
pub(crate) fn length<V: Value>(list: &List<V>) -> usize {
    list.iter().map(|chunk| chunk.values.len()).sum()
}

/// A list with an item added to each sum.
#[derive(Clone, Debug)]
pub(crate) struct Stream<V> {
    /// The list, by its number.
    pub source: usize,
    /// What the item adds.
    pub first: u64,
    pub key: Vec<u64>,
    pub value: V,
    /// The word of its class among the packed items, and its bits there.
    pub word: usize,
    pub bits: u64,
}

/// Where a stream stands.
#[derive(Clone, Copy, Debug, Default)]
struct Cursor {
    chunk: usize,
    group: usize,
}

/// A candidate of the current amount.
#[derive(Clone, Copy)]
struct Found<V> {
    /// The first number of the key.
    key: u64,
    value: V,
    stream: u32,
    /// Its place in the stream's chunk.
    at: u32,
    /// The rest of the key among those of all candidates.
    rest: u32,
}

/// How often known selections excluded a sum.
#[derive(Clone, Copy, Default)]
struct Bounded {
    seen: u64,
    tries: u64,
    hits: u64,
}

impl Bounded {
    /// Whether it is worth a try: if candidates are looked up in a table, a sum that stays costs little more than to
    /// bound it.
    fn pays(&mut self, shape: &Shape) -> bool {
        self.seen += 1;
        shape.cells.is_none()
            || self.tries < 500
            || 5 * self.hits > 2 * self.tries
            || self.seen.is_multiple_of(16)
    }

    /// Whether a price or a known selection excludes a sum.
    fn excludes(
        &mut self,
        bound: Option<&Bound>,
        shape: &Shape,
        first: u64,
        key: &[u64],
        value: i128,
    ) -> bool {
        let Some(bound) = bound else { return false };
        if bound.excludes(shape, first, key, value) {
            return true;
        }
        let Some(reach) = bound.reach.as_ref().filter(|_| self.pays(shape)) else { return false };
        let excluded = reach.excludes(shape, first, key, value);
        self.count(excluded);
        excluded
    }

    /// Counts a try; those of long ago count less.
    fn count(&mut self, excluded: bool) {
        self.tries += 1;
        self.hits += u64::from(excluded);
        if self.tries == 1000 {
            self.tries /= 2;
            self.hits /= 2;
        }
    }
}

/// What all merges of a run share.
pub(crate) struct Setting<'a> {
    pub shape: &'a Shape,
    pub context: &'a Context<'a>,
    /// Words of the packed items of a sum.
    pub words: usize,
}

/// A merge of streams, done range by range.
pub(crate) struct Merge<'a, V> {
    setting: &'a Setting<'a>,
    streams: Vec<Stream<V>>,
    cursors: Vec<Cursor>,
    /// The amount at which every stream stands; the greatest number if it has ended.
    next: Vec<u64>,
    guard: Guard<V>,
    bound: Option<&'a Bound>,
    bounded: Bounded,
    found: Vec<Found<V>>,
    rests: Vec<u64>,
    /// Candidates computed.
    pub updates: u64,
}

impl<'a, V: Number> Merge<'a, V> {
    pub fn new(setting: &'a Setting<'a>, streams: Vec<Stream<V>>, bound: Option<&'a Bound>) -> Self {
        let cursors = vec![Cursor::default(); streams.len()];
        let next = vec![u64::MAX; streams.len()];
        let guard = Guard::new(setting.shape);
        let (bounded, found, rests) = (Bounded::default(), Vec::new(), Vec::new());
        Self { setting, streams, cursors, next, guard, bound, bounded, found, rests, updates: 0 }
    }

    /// The sums whose amount is below `until`; the lists have all of theirs below it. `taken` bytes are in use
    /// elsewhere.
    pub fn advance(&mut self, lists: &[&List<V>], until: u64, taken: u64) -> Result<Chunk<V>, EngineError> {
        for at in 0..self.streams.len() {
            self.look(lists, at);
        }
        let mut out = Chunk::new();
        let mut groups = 0;
        loop {
            let amount = self.next.iter().copied().min().unwrap_or(u64::MAX);
            if amount >= until {
                return Ok(out);
            }
            self.gather(lists, amount);
            self.keep(lists, amount, &mut out);
            for at in 0..self.streams.len() {
                if self.next[at] == amount {
                    self.cursors[at].group += 1;
                    self.look(lists, at);
                }
            }
            groups += 1;
            if groups % GROUPS == 0 {
                self.setting.context.go_on()?;
                self.setting.context.machine.allow(taken.saturating_add(out.bytes()))?;
            }
        }
    }

    /// Finds the amount at which a stream stands.
    fn look(&mut self, lists: &[&List<V>], at: usize) {
        let stream = &self.streams[at];
        let cursor = &mut self.cursors[at];
        let list = lists[stream.source];
        self.next[at] = loop {
            let Some(chunk) = list.get(cursor.chunk) else { break u64::MAX };
            match chunk.groups.get(cursor.group) {
                Some((amount, _)) => {
                    let amount = amount + stream.first;
                    break if amount > self.setting.shape.limit { u64::MAX } else { amount };
                }
                None => *cursor = Cursor { chunk: cursor.chunk + 1, group: 0 },
            }
        };
    }

    /// Collects the candidates of an amount that nothing before beats.
    fn gather(&mut self, lists: &[&List<V>], amount: u64) {
        let width = self.setting.shape.width();
        self.found.clear();
        self.rests.clear();
        for (number, stream) in (0u32..).zip(&self.streams) {
            let at = number as usize;
            if self.next[at] != amount {
                continue;
            }
            let Cursor { chunk, group } = self.cursors[at];
            let chunk = &lists[stream.source][chunk];
            let range = chunk.range(group);
            self.updates += range.len() as u64;
            match &self.guard {
                Guard::Table(table) if width == 1 => {
                    let (cells, add) = (table.cells(), stream.key[0]);
                    let sums = chunk.keys[range.clone()].iter().zip(&chunk.values[range.clone()]);
                    for (at, (key, value)) in range.zip(sums) {
                        let (key, value) = (key + add, value.plus(&stream.value));
                        if cells[key as usize] < value {
                            self.found.push(Found { key, value, stream: number, at: at as u32, rest: 0 });
                        }
                    }
                }
                guard => {
                    let shape = self.setting.shape;
                    let (compared, tabled) = (shape.compared(), shape.cells.is_some());
                    for at in range {
                        let from = self.rests.len();
                        let key = &chunk.keys[at * width..][..width];
                        self.rests.extend(key.iter().zip(&stream.key).map(|(key, add)| key + add));
                        let value = chunk.values[at].plus(&stream.value);
                        let sum = &self.rests[from..];
                        let bounded = &mut self.bounded;
                        if (!tabled && bounded.excludes(self.bound, shape, amount, sum, value.wide()))
                            || guard.is_beaten(&sum[..compared], value)
                        {
                            self.rests.truncate(from);
                            continue;
                        }
                        let key = self.rests[from];
                        let found = Found { key, value, stream: number, at: at as u32, rest: from as u32 };
                        self.found.push(found);
                    }
                }
            }
        }
    }

    /// Appends the undominated ones of the candidates.
    fn keep(&mut self, lists: &[&List<V>], amount: u64, out: &mut Chunk<V>) {
        let mut found = std::mem::take(&mut self.found);
        if found.len() > 1 {
            found.sort_unstable_by(|a, b| self.compare(lists, a, b));
        }
        let Setting { shape, words, .. } = *self.setting;
        let (width, compared) = (shape.width(), shape.compared());
        let tabled = shape.cells.is_some();
        let before = out.values.len();
        for candidate in &found {
            let alone = [candidate.key];
            let key = if width == 1 { &alone[..] } else { &self.rests[candidate.rest as usize..][..width] };
            let value = candidate.value;
            // If nothing was added since they were looked up, nothing beats them now.
            if (tabled || out.values.len() > before) && self.guard.is_beaten(&key[..compared], value) {
                continue;
            }
            if tabled && self.bounded.excludes(self.bound, shape, amount, key, value.wide()) {
                continue;
            }
            self.guard.add(&key[..compared], value);
            out.keys.extend_from_slice(key);
            out.values.push(value);
            if words > 0 {
                let (stream, picks) = self.picks(lists, candidate);
                let from = out.picks.len();
                out.picks.extend_from_slice(picks);
                out.picks[from + stream.word] |= stream.bits;
            }
        }
        if out.values.len() > before {
            out.groups.push((amount, out.values.len()));
        }
        self.found = found;
    }

    /// The stream of a candidate, and the packed items before.
    fn picks<'l>(&self, lists: &[&'l List<V>], candidate: &Found<V>) -> (&Stream<V>, &'l [u64]) {
        let (at, words) = (candidate.stream as usize, self.setting.words);
        let stream = &self.streams[at];
        let chunk = &lists[stream.source][self.cursors[at].chunk];
        (stream, &chunk.picks[candidate.at as usize * words..][..words])
    }

    /// By key, then falling value, then what decides between equal sums.
    fn compare(&self, lists: &[&List<V>], a: &Found<V>, b: &Found<V>) -> Ordering {
        let shape = self.setting.shape;
        let by_first = a.key.cmp(&b.key);
        if by_first != Ordering::Equal {
            return by_first;
        }
        let rest = |found: &Found<V>, from: usize, to: usize| {
            let rest =
                if shape.width() == 1 { 0..0 } else { found.rest as usize + from..found.rest as usize + to };
            &self.rests[rest]
        };
        let (compared, width) = (shape.compared(), shape.width());
        rest(a, 0, compared)
            .cmp(rest(b, 0, compared))
            .then_with(|| b.value.cmp(&a.value))
            .then_with(|| rest(a, compared, width).cmp(rest(b, compared, width)))
            .then_with(|| self.compare_picks(lists, a, b))
    }

    fn compare_picks(&self, lists: &[&List<V>], a: &Found<V>, b: &Found<V>) -> Ordering {
        let (x, before_x) = self.picks(lists, a);
        let (y, before_y) = self.picks(lists, b);
        let words = 0..self.setting.words;
        let with = |stream: &Stream<V>, before: &[u64], at: usize| {
            before[at] | if at == stream.word { stream.bits } else { 0 }
        };
        let mut orders = words.map(|at| with(x, before_x, at).cmp(&with(y, before_y, at)));
        orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }
}
