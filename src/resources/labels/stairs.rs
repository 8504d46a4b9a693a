//! The labels of a set where there is one amount and no load: their costs fall as amounts rise, so that the least cost so
//! far says what a label must stay below. Cells of a window have the least cost up to their end, which few candidates pass;
//! those are sorted.

use super::merge::{Chunk, Found, Setting, Stream, View, windows};
use isx_engine::EngineError;
use isx_problems::mckp::{Item, upper_hull};
use isx_problems::resources::Cost;
use std::cmp::Ordering;

/// Most cells of a window of one amount, and labels of its longest list.
const CELLS: usize = 8192;
const LONGEST: usize = 2048;
/// Streams of one amount from which those on the hull are looked at first.
const MANY: usize = 12;
/// The stream number of labels of other lists, which are only compared with.
const OTHER: u32 = u32::MAX;

/// What a thread needs to merge lists of one amount, kept from one set to the next.
pub(super) struct Scratch<C> {
    at: Vec<usize>,
    over: Vec<usize>,
    runs: Vec<(usize, usize)>,
    before: Vec<C>,
    found: Vec<Found<C>>,
    /// Candidates.
    pub looked: u64,
}

impl<C: Cost> Scratch<C> {
    pub fn new() -> Self {
        let (at, over, runs) = (Vec::new(), Vec::new(), Vec::new());
        Self { at, over, runs, before: Vec::new(), found: Vec::new(), looked: 0 }
    }
}

/// Appends the labels of a set where there is one amount and no load: their costs fall as amounts rise. `others` are lists
/// whose labels may stand for these; `range` of first amounts.
pub(super) fn stairs<C: Cost>(
    set: &Setting<'_, C>,
    streams: &[Stream<C>],
    others: &[View<'_, C>],
    range: (u64, u64),
    scratch: &mut Scratch<C>,
    out: &mut Chunk<C>,
) -> Result<(), EngineError> {
    let Scratch { at, over, runs, before, found, looked } = scratch;
    let mut charged = out.bytes();
    let (mut reached, mut low) = (C::MOST, range.0);
    at.clear();
    at.resize(streams.len(), 0);
    over.clear();
    over.resize(others.len(), 0);
    runs.clear();
    runs.resize(streams.len(), (0, 0));
    let (mut least, mut heaviest) = (u64::MAX, 0);
    for (at, stream) in at.iter_mut().zip(streams) {
        let source = &set.sources[stream.source as usize];
        least = least.min(source.first[0] + stream.first);
        heaviest = heaviest.max(source.first[source.len() - 1] + stream.first);
        if low > 0 {
            *at = source.first.partition_point(|amount| amount + stream.first < low);
            if *at > 0 {
                reached = reached.min(source.costs[*at - 1].plus(stream.cost));
            }
        }
    }
    low = low.max(least);
    let top = range.1.min(heaviest);
    let on_hull = (streams.len() > MANY).then(|| hull(streams)).filter(|on| on.contains(&false));
    for high in windows(streams, set.sources, LONGEST, top) {
        if high < low {
            continue;
        }
        let mut total = 0;
        for ((stream, at), run) in streams.iter().zip(at.iter_mut()).zip(runs.iter_mut()) {
            let source = &set.sources[stream.source as usize];
            let list = &source.first[*at..];
            let end = *at + list.partition_point(|amount| amount + stream.first <= high);
            // Costs fall along a list: what is not below the least so far is at its front.
            let skipped = match reached == C::MOST {
                true => 0,
                false => source.costs[*at..end].partition_point(|cost| cost.plus(stream.cost) >= reached),
            };
            *run = (*at + skipped, end);
            *at = end;
            total += run.1 - run.0;
        }
        if total == 0 {
            low = high + 1;
            continue;
        }
        *looked += total as u64;
        // Each cell of the window has the least cost up to its end.
        let wanted = (2 * total / streams.len()).clamp(16, CELLS) as u64;
        let bits = ((high - low + 1) / wanted).checked_ilog2().map_or(0, |bits| bits + 1);
        let cells = ((high - low) >> bits) as usize + 1;
        let cell_of = |amount: u64| ((amount - low) >> bits) as usize;
        before.clear();
        before.resize(cells + 1, reached);
        for (number, (stream, &(from, to))) in streams.iter().zip(runs.iter()).enumerate() {
            if on_hull.as_ref().is_some_and(|on| !on[number]) {
                continue;
            }
            let source = &set.sources[stream.source as usize];
            for (amount, cost) in source.first[from..to].iter().zip(&source.costs[from..to]) {
                let cell = &mut before[cell_of(amount + stream.first) + 1];
                *cell = (*cell).min(cost.plus(stream.cost));
            }
        }
        for (over, other) in over.iter_mut().zip(others) {
            // Of those below the window the last has the least cost.
            *over += other.first[*over..].partition_point(|amount| *amount < low);
            if let Some(below) = over.checked_sub(1) {
                before[0] = before[0].min(other.costs[below]);
            }
            let inside = other.first[*over..].iter().zip(&other.costs[*over..]);
            for (amount, cost) in inside.take_while(|(amount, _)| **amount <= high) {
                let cell = &mut before[cell_of(*amount) + 1];
                *cell = (*cell).min(*cost);
            }
        }
        reached = reached.min(before[0]);
        for cell in 1..before.len() {
            before[cell] = before[cell].min(before[cell - 1]);
        }
        found.clear();
        for (over, other) in over.iter().zip(others) {
            let inside = other.first[*over..].iter().zip(&other.costs[*over..]);
            for (&sort, &cost) in inside.take_while(|(amount, _)| **amount <= high) {
                if cost < before[cell_of(sort)] {
                    found.push(Found { sort, cost, stream: OTHER, at: 0 });
                }
            }
        }
        for ((number, stream), &(from, to)) in (0u32..).zip(streams).zip(runs.iter()) {
            let source = &set.sources[stream.source as usize];
            let labels = source.first[from..to].iter().zip(&source.costs[from..to]);
            for (at, (amount, cost)) in (from as u32..).zip(labels) {
                let (sort, cost) = (amount + stream.first, cost.plus(stream.cost));
                if cost < before[cell_of(sort)] {
                    found.push(Found { sort, cost, stream: number, at });
                }
            }
        }
        let is_tied = !set.shape.ties.is_empty();
        found.sort_by(|a, b| {
            let order = a.sort.cmp(&b.sort).then(a.cost.cmp(&b.cost));
            if is_tied && order.is_eq() {
                // What stands for both comes first.
                let is_own = (a.stream != OTHER).cmp(&(b.stream != OTHER));
                return is_own.then_with(|| match a.stream == OTHER || b.stream == OTHER {
                    true => Ordering::Equal,
                    false => set.compare_ties(streams, a, b),
                });
            }
            order
        });
        for label in found.iter() {
            if label.cost >= reached {
                continue;
            }
            if label.stream == OTHER {
                reached = label.cost;
                continue;
            }
            let is_beyond = set.most.is_some_and(|most| label.cost > most);
            if is_beyond || set.prune.is_some_and(|prune| prune(label.sort, &[], label.cost)) {
                continue;
            }
            reached = label.cost;
            out.first.push(label.sort);
            out.costs.push(label.cost);
            set.push_origin(&streams[label.stream as usize], label.at, out);
        }
        low = high + 1;
        set.charge(out, &mut charged)?;
    }
    Ok(())
}

/// Which streams are on the lower hull of first amount and cost, if these are not too few.
fn hull<C: Cost>(streams: &[Stream<C>]) -> Vec<bool> {
    let mut on = vec![true; streams.len()];
    if streams.iter().any(|stream| stream.source != streams[0].source) {
        return on;
    }
    let most = streams.iter().map(|stream| stream.cost.rough()).max().unwrap_or(0);
    let gain = |stream: &Stream<C>| i128::from(most - stream.cost.rough());
    let item = |stream: &Stream<C>| Item { value: gain(stream), weight: stream.first };
    let hull = upper_hull(&streams.iter().map(item).collect::<Vec<_>>(), u64::MAX);
    if hull.len() * 16 >= streams.len() {
        on.fill(false);
        hull.iter().for_each(|&at| on[at] = true);
    }
    on
}
