//! A layer: for every set of open elements that are built, the undominated labels of the classes so far.
//!
//! An option leads from a set to the one with its elements added, which are paid for then; an element that closes is left
//! out of the set, and what it costs unbuilt is paid where it was not built. Elements that cost nothing unbuilt are decided
//! on when they open: that makes half as many candidates. Larger sets are made first: where lists are
//! long, a label is also dropped if the set with one more element, already paid for, has one that is nowhere larger.

use super::limits::Limits;
use super::merge::{Chunk, Merge, Prune, Rests, Setting, Stream, View};
use super::space::{Opt, Space, Step, add};
use super::stairs::{Scratch, stairs};
use isx_engine::{Context, EngineError, ItemIndices};
use isx_problems::resources::Cost;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};

/// Ranges of the first amount for each thread: of a list alone, and of classes that follow each other.
const RANGES: usize = 4;
const WAVES: usize = 12;

/// What the labels of a layer were made of.
#[derive(Debug)]
pub(super) struct Trace {
    pub class: usize,
    pub parents: Vec<u32>,
    pub options: ItemIndices,
}

impl Trace {
    /// For a class of `items` items.
    fn new(
        class: usize,
        parents: Vec<u32>,
        options: impl ExactSizeIterator<Item = u32>,
        items: usize,
    ) -> Self {
        Self { class, parents, options: ItemIndices::of(options.map(|option| option as usize), items) }
    }

    pub fn bytes(&self) -> u64 {
        4 * self.parents.capacity() as u64 + self.options.bytes()
    }
}

/// The labels of every set: where they are among the chunks.
#[derive(Debug)]
pub(super) struct Layer<C> {
    pub groups: Vec<(u64, usize, Range<usize>)>,
    pub chunks: Vec<Chunk<C>>,
}

/// The streams of a class in a wave.
type OfClass<C> = (Vec<Stream<C>>, Rests<C>);

/// The sets that options lead to, larger ones first, each with the end of its streams.
struct Targets<C> {
    sets: Vec<(u64, usize)>,
    streams: Vec<Stream<C>>,
    rests: Rests<C>,
}

/// Maps some sets to numbers.
enum Places {
    /// Of few elements: all sets.
    All(Vec<u32>),
    Some(HashMap<u64, u32>),
}

/// The lists made so far, and where the list of each set is.
struct Made<C> {
    layer: Layer<C>,
    place: Places,
}

/// Makes each layer from the one before it.
pub(super) struct Maker<'a, C> {
    pub limits: Limits,
    /// The greatest cost and load.
    pub most: Option<C>,
    pub space: &'a Space<'a, C>,
    pub context: &'a Context<'a>,
    /// Bytes in use.
    pub bytes: AtomicU64,
}

impl<C: Cost> Layer<C> {
    /// The empty sum, unless the elements that no class can use exceed a limit.
    pub fn start(space: &Space<'_, C>) -> Self {
        let mut chunk = Chunk::new();
        let shape = &space.shape;
        let mut groups = Vec::new();
        if shape.fits(&space.start) {
            chunk.first.push(space.start[shape.first]);
            chunk.keys = shape.key(&space.start);
            chunk.loads = vec![C::ZERO; space.places];
            chunk.costs.push(C::ZERO);
            chunk.ties = shape.ties.iter().map(|&resource| space.start[resource]).collect();
            groups.push((0, 0, 0..1));
        }
        Self { groups, chunks: vec![chunk] }
    }

    /// Labels of all sets.
    pub fn len(&self) -> usize {
        self.chunks.iter().map(Chunk::len).sum()
    }

    pub fn bytes(&self) -> u64 {
        self.chunks.iter().map(Chunk::bytes).sum()
    }

    /// The labels of each set; those of a layer are numbered chunk by chunk.
    pub fn views(&self) -> Vec<View<'_, C>> {
        let bases: Vec<u32> = self
            .chunks
            .iter()
            .scan(0, |sum, chunk| {
                let base = *sum;
                *sum += chunk.len() as u32;
                Some(base)
            })
            .collect();
        let view = |(set, chunk, range): &(u64, usize, Range<usize>)| {
            View::new(&self.chunks[*chunk], *set, range.clone(), bases[*chunk])
        };
        self.groups.iter().map(view).collect()
    }

    /// The labels with some left out, of which it is not known what they were made of.
    pub fn only(&self, width: usize, places: usize, keep: &dyn Fn(&View<'_, C>) -> Vec<usize>) -> Self {
        let mut chunk = Chunk::new();
        let mut groups = Vec::new();
        for view in self.views() {
            let from = chunk.len();
            for at in keep(&view) {
                let ties = view.ties.len() / view.len();
                chunk.first.push(view.first[at]);
                chunk.keys.extend_from_slice(&view.keys[at * width..][..width]);
                chunk.loads.extend_from_slice(&view.loads[at * places..][..places]);
                chunk.costs.push(view.costs[at]);
                chunk.ties.extend_from_slice(&view.ties[at * ties..][..ties]);
            }
            groups.push((view.set, 0, from..chunk.len()));
        }
        Self { groups, chunks: vec![chunk] }
    }

    /// Takes what the labels were made of.
    fn trace(&mut self, step: &Step<C>) -> Trace {
        if let [chunk] = &mut self.chunks[..] {
            let (parents, options) = (std::mem::take(&mut chunk.parents), std::mem::take(&mut chunk.options));
            return Trace::new(step.class, parents, options.into_iter(), step.options.len());
        }
        let (mut parents, mut options) = (Vec::new(), Vec::new());
        parents.reserve_exact(self.len());
        options.reserve_exact(self.len());
        for chunk in &mut self.chunks {
            parents.append(&mut std::mem::take(&mut chunk.parents));
            options.append(&mut std::mem::take(&mut chunk.options));
        }
        Trace::new(step.class, parents, options.into_iter(), step.options.len())
    }
}

impl<'a, C: Cost> Maker<'a, C> {
    fn setting<'s>(
        &'s self,
        step: &'s Step<C>,
        sources: &'s [View<'s, C>],
        rests: &'s Rests<C>,
        prune: Option<Prune<'s, C>>,
    ) -> Setting<'s, C> {
        Setting {
            context: self.context,
            shape: &self.space.shape,
            places: self.space.places,
            most_loads: &step.most_loads,
            folds: &step.folds,
            sources,
            rests,
            most: self.most,
            prune,
            bytes: &self.bytes,
        }
    }

    fn stream(&self, source: usize, option: &Opt<C>, amounts: &[u64], rests: &mut Rests<C>) -> Stream<C> {
        let shape = &self.space.shape;
        let rest = rests.push(shape, amounts, &option.loads);
        let (first, source) = (amounts[shape.first], source as u32);
        Stream { first, cost: option.cost, source, rest, option: option.number }
    }

    /// How many of the next classes, from this one on, are worth processing together: without elements, all labels are in
    /// one list, and a class needs the list before it only up to the amount that it has reached itself.
    pub fn together(&self, layer: &Layer<C>, number: usize) -> usize {
        let (space, threads) = (self.space, self.context.machine.threads());
        let step = &space.steps[number];
        let candidates = layer.len() * step.options.len();
        let is_list = layer.groups.len() == 1 && !space.is_stairs();
        if !is_list || candidates < self.limits.shared {
            return 1;
        }
        let plain = |step: &&Step<C>| step.open.is_empty() && !step.options.is_empty();
        space.steps[number..].iter().take(threads).take_while(plain).count().max(1)
    }

    /// The layer after the next class. Returns the number of candidates too.
    pub fn step(
        &self,
        layer: &Layer<C>,
        number: usize,
        prune: Option<Prune<'_, C>>,
    ) -> Result<(Layer<C>, Trace, u64), EngineError> {
        let step = &self.space.steps[number];
        let sources = layer.views();
        let list = self.targets(step, &sources);
        let set = self.setting(step, &sources, &list.rests, prune);
        let compared = self.compared(layer, step, &list);
        let threads = self.context.machine.threads();
        let is_shared = threads > 1 && layer.len() * step.options.len() > self.limits.shared;
        let mut looked = 0;
        let mut made = Made {
            layer: Layer { groups: Vec::new(), chunks: Vec::new() },
            place: Places::new(list.sets.iter().map(|(set, _)| *set)),
        };
        let mut from = 0;
        while let Some((first, _)) = list.sets.get(from) {
            // Sets of the same size need none of each other.
            let size = |set: u64| set.count_ones();
            let same = list.sets[from..].iter();
            let same = same.take_while(|(own, _)| size(*own) == size(*first) || compared.is_empty());
            let part = from..from + same.count();
            from = part.end;
            if part.len() == 1 && is_shared && self.space.is_stairs() && compared.is_empty() {
                let (chunk, candidates) = self.ranges(&set, list.of(part.start))?;
                looked += candidates;
                let end = chunk.len();
                made.add(chunk, vec![(list.sets[part.start].0, end)]);
                continue;
            }
            let each = if is_shared { part.len().div_ceil(8 * threads).clamp(1, 64) } else { part.len() };
            let count = part.len().div_ceil(each) as u64;
            let work = |at: u64| {
                let from = part.start + at as usize * each;
                self.lists(&set, &list, from..(from + each).min(part.end), &compared, &made)
            };
            let done = self.context.machine.workers().map(count, count > 1, work);
            for done in done {
                let (chunk, ends, candidates) = done?;
                looked += candidates;
                made.add(chunk, ends);
            }
        }
        let mut layer = made.layer;
        if u32::try_from(layer.len()).is_err() {
            return Err(EngineError::TooLarge("keeps up to 2^32 labels at once".into()));
        }
        let trace = layer.trace(step);
        Ok((layer, trace, looked))
    }

    /// The sets that the options lead to, each with its streams.
    fn targets(&self, step: &Step<C>, sources: &[View<'_, C>]) -> Targets<C> {
        let space = self.space;
        let mut rests = Rests::new(&space.shape, space.places);
        let mut all: Vec<(u64, Stream<C>)> = Vec::new();
        let excludes = |set: u64| bits(set).any(|bit| step.excludes[bit] & set != 0);
        let mut elements = vec![None; 64];
        step.open.iter().for_each(|(bit, at)| elements[*bit as usize] = Some(space.element(*at)));
        let width = space.problem.limits.len();
        let (mut own, mut sums): (Vec<(u64, &Opt<C>)>, Vec<u64>) = (Vec::new(), Vec::new());
        for (source, view) in sources.iter().enumerate() {
            own.clear();
            sums.clear();
            // What opens is built now or never.
            for opened in subsets(step.decides) {
                let here = view.set | opened;
                if opened != 0 && excludes(here) {
                    continue;
                }
                for option in &step.options {
                    let (new, set) = (option.uses & !here, here | option.uses);
                    if new & step.decided != 0 || (new != 0 && excludes(set)) {
                        continue;
                    }
                    let from = sums.len();
                    sums.extend_from_slice(&option.amounts);
                    let amounts = &mut sums[from..];
                    let built = bits(opened | new).filter_map(|bit| elements[bit]);
                    built.for_each(|element| add(amounts, &element.built));
                    let unbuilt = bits(step.closes & !set).filter_map(|bit| elements[bit]);
                    unbuilt.for_each(|element| add(amounts, &element.unbuilt));
                    if space.shape.fits(amounts) {
                        own.push((set & !step.closes, option));
                    } else {
                        sums.truncate(from);
                    }
                }
            }
            let amounts = |at: usize| &sums[at * width..][..width];
            let dominates = |a: usize, b: usize| {
                let ((_, x), (_, y)) = (&own[a], &own[b]);
                let no_more = x.cost <= y.cost
                    && amounts(a).iter().zip(amounts(b)).all(|(a, b)| a <= b)
                    && x.loads.iter().zip(&y.loads).all(|(a, b)| a <= b);
                no_more && (a < b || x.cost != y.cost || amounts(a) != amounts(b) || x.loads != y.loads)
            };
            // Without elements the reduction has removed them.
            let is_checked = !step.open.is_empty();
            for (to, (set, option)) in own.iter().enumerate() {
                if is_checked && (0..own.len()).any(|by| own[by].0 == *set && by != to && dominates(by, to)) {
                    continue;
                }
                all.push((*set, self.stream(source, option, amounts(to), &mut rests)));
            }
        }
        Targets::new(all, rests)
    }

    /// The elements by which long lists are compared, as bits.
    fn compared(&self, layer: &Layer<C>, step: &Step<C>, list: &Targets<C>) -> Vec<u64> {
        // Amounts that decide between equal labels are not known of what stands for them.
        if layer.len() < self.limits.long * layer.groups.len() || !self.space.shape.ties.is_empty() {
            return Vec::new();
        }
        let left = list.sets.iter().fold(0, |all, (set, _)| all | set);
        let open = step
            .open
            .iter()
            .filter(|(bit, at)| left >> bit & 1 == 1 && self.space.element(*at).group.is_none());
        open.map(|(bit, _)| 1 << bit).collect()
    }

    /// The lists of some sets, one after the other, with the end of each, and the number of candidates.
    #[allow(clippy::type_complexity, reason = "lists, the set and end of each, and a count")]
    fn lists(
        &self,
        set: &Setting<'_, C>,
        targets: &Targets<C>,
        range: Range<usize>,
        compared: &[u64],
        made: &Made<C>,
    ) -> Result<(Chunk<C>, Vec<(u64, usize)>, u64), EngineError> {
        let (mut out, mut ends) = (Chunk::new(), Vec::with_capacity(range.len()));
        let (mut merge, mut scratch) = (None, Scratch::new());
        let mut others: Vec<View<'_, C>> = Vec::new();
        for at in range {
            let (own, streams) = (targets.sets[at].0, targets.of(at));
            others.clear();
            let larger = compared.iter().filter(|bit| own & *bit == 0).map(|bit| own | bit);
            others.extend(larger.filter_map(|larger| made.view(larger)));
            if self.space.is_stairs() {
                stairs(set, streams, &others, (0, set.shape.limit), &mut scratch, &mut out)?;
            } else {
                let merge = merge.get_or_insert_with(|| Merge::new(set));
                merge.all(set, streams, &others, &mut out)?;
            }
            ends.push((own, out.len()));
        }
        Ok((out, ends, scratch.looked + merge.map_or(0, |merge| merge.looked)))
    }

    /// A long list of one amount, range by range.
    fn ranges(&self, set: &Setting<'_, C>, streams: &[Stream<C>]) -> Result<(Chunk<C>, u64), EngineError> {
        let threads = self.context.machine.threads();
        let longest = streams.iter().max_by_key(|stream| set.sources[stream.source as usize].len());
        let mut starts = vec![0];
        if let Some(stream) = longest {
            let list = set.sources[stream.source as usize].first;
            let count = RANGES * threads;
            starts.extend((1..count).map(|at| list[at * list.len() / count] + stream.first));
        }
        starts.dedup();
        starts.retain(|&start| start <= set.shape.limit);
        let range = |at: u64| {
            let at = at as usize;
            let end = starts.get(at + 1).map_or(set.shape.limit, |next| next - 1);
            let (mut scratch, mut out) = (Scratch::new(), Chunk::new());
            stairs(set, streams, &[], (starts[at], end), &mut scratch, &mut out)?;
            Ok((out, scratch.looked))
        };
        let parts = self.context.machine.workers().map(starts.len() as u64, true, range);
        let parts: Vec<(Chunk<C>, u64)> = parts.into_iter().collect::<Result<_, EngineError>>()?;
        let mut all = Chunk::new();
        all.reserve(parts.iter().map(|(part, _)| part.len()).sum());
        let mut looked = 0;
        for (part, candidates) in parts {
            all.append(part);
            looked += candidates;
        }
        Ok((all, looked))
    }

    /// The layer after some classes without elements, which are processed at the same time, each a range of amounts behind
    /// the one before it. Returns what the labels of every class were made of, and the number of candidates.
    pub fn wave(
        &self,
        layer: &Layer<C>,
        numbers: Range<usize>,
        prunes: &[Option<Prune<'_, C>>],
    ) -> Result<(Layer<C>, Vec<Trace>, u64), EngineError> {
        let (space, machine) = (self.space, self.context.machine);
        let steps = &space.steps[numbers];
        let first = layer.views();
        let Some(&view) = first.first() else { return Ok((Layer::start(space), Vec::new(), 0)) };
        let stream = |step: &Step<C>| -> OfClass<C> {
            let mut rests = Rests::new(&space.shape, space.places);
            let fitting = step.options.iter().filter(|option| space.shape.fits(&option.amounts));
            let streams = fitting.map(|option| self.stream(0, option, &option.amounts, &mut rests));
            (streams.collect(), rests)
        };
        let streams: Vec<OfClass<C>> = steps.iter().map(stream).collect();
        let merge = |(step, (streams, rests)): (&Step<C>, &OfClass<C>)| {
            let mut merge = Merge::new(&self.setting(step, &[], rests, None));
            merge.start(streams.len(), 0);
            Mutex::new((merge, Chunk::new()))
        };
        let merges: Vec<Mutex<(Merge<C>, Chunk<C>)>> = steps.iter().zip(&streams).map(merge).collect();
        let ends = self.ends(&view, &streams[0].0, WAVES * steps.len());
        let mut known: Vec<Chunk<C>> = steps.iter().map(|_| Chunk::new()).collect();
        for turn in 0..ends.len() + steps.len() - 1 {
            // The classes at work, each at its range.
            let (from, to) = ((turn + 1).saturating_sub(ends.len()), (turn + 1).min(steps.len()));
            let work = |at: u64| {
                let class = from + at as usize;
                let mut own = merges[class].lock().unwrap_or_else(PoisonError::into_inner);
                let (merge, out) = &mut *own;
                let before = match class.checked_sub(1) {
                    None => view,
                    Some(before) => View::new(&known[before], 0, 0..known[before].len(), 0),
                };
                let sources = [before];
                let (streams, rests) = &streams[class];
                let set = self.setting(&steps[class], &sources, rests, prunes[class]);
                let range = turn - class;
                let low = range.checked_sub(1).map_or(0, |before| ends[before] + 1);
                // Windows within the range, with about as many candidates each.
                let a = before.first.partition_point(|amount| *amount < low);
                let b = before.first.partition_point(|amount| *amount <= ends[range]);
                let windows = ((b - a) * streams.len()).div_ceil(4096).max(1);
                let mut inner: Vec<u64> =
                    (1..windows).map(|at| before.first[a + at * (b - a) / windows]).collect();
                inner.retain(|&end| end < ends[range]);
                inner.push(ends[range]);
                inner.dedup();
                merge.advance(&set, streams, &[], &inner, out)
            };
            let done = machine.workers().map((to - from) as u64, to - from > 1, work);
            done.into_iter().collect::<Result<Vec<()>, EngineError>>()?;
            for class in from..to {
                let mut own = merges[class].lock().unwrap_or_else(PoisonError::into_inner);
                known[class].append(std::mem::replace(&mut own.1, Chunk::new()));
            }
            let total = layer.bytes() + known.iter().map(Chunk::bytes).sum::<u64>();
            machine.allow(total)?;
        }
        let mut looked = 0;
        for merge in merges {
            looked += merge.into_inner().unwrap_or_else(PoisonError::into_inner).0.looked;
        }
        let mut traces = Vec::with_capacity(steps.len());
        for (step, known) in steps.iter().zip(&mut known) {
            let (parents, options) = (std::mem::take(&mut known.parents), std::mem::take(&mut known.options));
            traces.push(Trace::new(step.class, parents, options.into_iter(), step.options.len()));
        }
        let last = known.pop().unwrap_or_else(Chunk::new);
        if u32::try_from(last.len()).is_err() {
            return Err(EngineError::TooLarge("keeps up to 2^32 labels at once".into()));
        }
        let groups = if last.len() > 0 { vec![(0, 0, 0..last.len())] } else { Vec::new() };
        Ok((Layer { groups, chunks: vec![last] }, traces, looked))
    }

    /// The ends of ranges in which a class has about as many labels each, shifted by what its options add.
    fn ends(&self, list: &View<'_, C>, streams: &[Stream<C>], count: usize) -> Vec<u64> {
        let limit = self.space.shape.limit;
        let most = streams.iter().map(|stream| stream.first).max().unwrap_or(0);
        let end = |at: usize| list.first[at * (list.len() - 1) / count] + most / 3;
        let mut ends: Vec<u64> = (1..=count).map(end).take_while(|&end| end < limit).collect();
        ends.push(limit);
        ends.dedup();
        ends
    }
}

impl<C: Cost> Targets<C> {
    /// Sorts streams, given with the sets that they lead to; those of a set keep their order.
    fn new(all: Vec<(u64, Stream<C>)>, rests: Rests<C>) -> Self {
        let mut place = Places::new(all.iter().map(|(set, _)| *set));
        let mut sets: Vec<(u64, usize)> = Vec::new();
        for (set, _) in &all {
            match place.get(*set) {
                Some(at) => sets[at as usize].1 += 1,
                None => {
                    place.set(*set, sets.len() as u32);
                    sets.push((*set, 1));
                }
            }
        }
        sets.sort_unstable_by_key(|(set, _)| (Reverse(set.count_ones()), *set));
        // Each set has the start of its streams, and in the end their end.
        let mut start = 0;
        for (at, (set, count)) in sets.iter_mut().enumerate() {
            place.set(*set, at as u32);
            start += std::mem::replace(count, start);
        }
        let mut streams: Vec<Stream<C>> = all.iter().map(|(_, stream)| *stream).collect();
        for (set, stream) in all {
            let Some((_, next)) = place.get(set).map(|at| &mut sets[at as usize]) else { continue };
            streams[*next] = stream;
            *next += 1;
        }
        Self { sets, streams, rests }
    }

    /// The streams of a set, by its number.
    fn of(&self, at: usize) -> &[Stream<C>] {
        let from = at.checked_sub(1).map_or(0, |before| self.sets[before].1);
        &self.streams[from..self.sets[at].1]
    }
}

impl Places {
    fn new(sets: impl Iterator<Item = u64>) -> Self {
        match sets.fold(0, |all, set| all | set) {
            all @ 0..=0xF_FFFF => Self::All(vec![u32::MAX; all as usize + 1]),
            _ => Self::Some(HashMap::new()),
        }
    }

    fn get(&self, set: u64) -> Option<u32> {
        match self {
            Self::All(places) => places.get(set as usize).copied().filter(|&at| at != u32::MAX),
            Self::Some(places) => places.get(&set).copied(),
        }
    }

    fn set(&mut self, set: u64, at: u32) {
        match self {
            Self::All(places) => places[set as usize] = at,
            Self::Some(places) => {
                places.insert(set, at);
            }
        }
    }
}

impl<C: Cost> Made<C> {
    /// Adds some lists, each with its set and end.
    fn add(&mut self, chunk: Chunk<C>, ends: Vec<(u64, usize)>) {
        let mut from = 0;
        for (set, end) in ends {
            if end > from {
                self.place.set(set, self.layer.groups.len() as u32);
                self.layer.groups.push((set, self.layer.chunks.len(), from..end));
                from = end;
            }
        }
        if chunk.len() > 0 {
            self.layer.chunks.push(chunk);
        }
    }

    fn view(&self, set: u64) -> Option<View<'_, C>> {
        let (_, chunk, range) = &self.layer.groups[self.place.get(set)? as usize];
        Some(View::new(&self.layer.chunks[*chunk], set, range.clone(), 0))
    }
}

/// All subsets of a set, itself first.
fn subsets(set: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(set), move |&own| own.checked_sub(1).map(|less| less & set))
}

/// The bits of a set, in order.
fn bits(set: u64) -> impl Iterator<Item = usize> {
    let mut left = set;
    std::iter::from_fn(move || {
        let bit = left.trailing_zeros() as usize;
        left &= left.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}
