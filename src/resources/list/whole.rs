//! A list that is made as a whole, where two or more resources have limits too large for a table: all candidates of a
//! class are computed, and then those that another beats are removed (module `screen`).

use super::bound::Bound;
use super::run::Run;
use super::slack::Slack;
use super::sums::{Chunk, List, Stream};
use crate::dominance::screen;
use crate::number::Number;
use crate::shape::Shape;
use isx_engine::EngineError;

/// Candidates that a thread computes at a time; tests have small problems.
const BLOCK: usize = 4096;

/// Candidates, and where each comes from: its stream, and the chunk and place of the sum before.
struct Candidates<V> {
    firsts: Vec<u64>,
    keys: Vec<u64>,
    values: Vec<V>,
    from: Vec<(u32, u32, u32)>,
}

impl<V> Candidates<V> {
    fn new() -> Self {
        Self { firsts: Vec::new(), keys: Vec::new(), values: Vec::new(), from: Vec::new() }
    }
}

/// The undominated sums of some streams, and the number of candidates; `taken` bytes are in use elsewhere.
pub(super) fn list<V: Number>(
    run: &Run<'_>,
    streams: &[Stream<V>],
    lists: &[&List<V>],
    bound: Option<&Bound>,
    slack: Option<Slack>,
    share: bool,
    taken: u64,
) -> Result<(Chunk<V>, u64), EngineError> {
    let (shape, words) = (run.setting.shape, run.setting.words);
    let (width, compared) = (shape.width(), shape.compared());
    let machine = run.setting.context.machine;
    let mut blocks: Vec<(usize, usize, usize)> = Vec::new();
    let mut updates = 0;
    for (stream, adds) in streams.iter().enumerate() {
        for (chunk, sums) in lists[adds.source].iter().enumerate() {
            updates += sums.values.len() as u64;
            blocks.extend((0..sums.values.len()).step_by(BLOCK).map(|from| (stream, chunk, from)));
        }
    }
    let each =
        screen::bytes(1, compared + 2) + 8 * (1 + width + compared + 2) as u64 + 12 + size_of::<V>() as u64;
    machine.allow(taken.saturating_add(updates.saturating_mul(2 * each)))?;
    let block = |at: u64| -> Result<Candidates<V>, EngineError> {
        run.setting.context.go_on()?;
        let (stream, chunk, from) = blocks[at as usize];
        Ok(candidates(
            shape,
            &streams[stream],
            (stream, chunk, from),
            &lists[streams[stream].source][chunk],
            bound,
        ))
    };
    let mut all = Candidates::<V>::new();
    for part in machine.workers().map(blocks.len() as u64, share && blocks.len() > 1, block) {
        let part = part?;
        all.firsts.extend(part.firsts);
        all.keys.extend(part.keys);
        all.values.extend(part.values);
        all.from.extend(part.from);
    }
    run.setting.context.go_on()?;
    let vectors = vectors(&all, shape, slack);
    // Of equal sums, the least amounts that are not compared, then the smaller selection, win.
    let picks = |(stream, chunk, at): (u32, u32, u32)| {
        let stream = &streams[stream as usize];
        let before = &lists[stream.source][chunk as usize].picks[at as usize * words..][..words];
        let with = |(word, bits): (usize, &u64)| bits | if word == stream.word { stream.bits } else { 0 };
        before.iter().enumerate().map(with)
    };
    let key = |at: usize| (all.firsts[at], &all.keys[at * width..][..width]);
    let wins = |a: usize, b: usize| {
        let order = key(a).cmp(&key(b)).then_with(|| picks(all.from[a]).cmp(picks(all.from[b])));
        order.then(a.cmp(&b)).is_lt()
    };
    let beaten = screen::beaten(&vectors, compared + 2, &wins, machine.workers(), share);
    drop(vectors);
    let mut kept: Vec<u32> = (0..).zip(&beaten).filter(|(_, beaten)| !**beaten).map(|(at, _)| at).collect();
    kept.sort_unstable_by_key(|&at| (all.firsts[at as usize], at));
    let mut out = Chunk::new();
    for at in kept {
        let at = at as usize;
        let (first, key) = key(at);
        out.keys.extend_from_slice(key);
        out.values.push(all.values[at]);
        if words > 0 {
            out.picks.extend(picks(all.from[at]));
        }
        match out.groups.last_mut().filter(|(last, _)| *last == first) {
            Some((_, end)) => *end += 1,
            None => out.groups.push((first, out.values.len())),
        }
    }
    Ok((out, updates))
}

/// Up to a block of candidates within the limits that no bound excludes.
fn candidates<V: Number>(
    shape: &Shape,
    stream: &Stream<V>,
    (number, chunk, from): (usize, usize, usize),
    sums: &Chunk<V>,
    bound: Option<&Bound>,
) -> Candidates<V> {
    let width = shape.width();
    let mut out = Candidates::new();
    let mut group = sums.groups.partition_point(|&(_, end)| end <= from);
    for at in from..(from + BLOCK).min(sums.values.len()) {
        while sums.groups[group].1 <= at {
            group += 1;
        }
        let (first, value) = (sums.groups[group].0 + stream.first, sums.values[at].plus(&stream.value));
        let place = out.keys.len();
        out.keys.extend(sums.keys[at * width..][..width].iter().zip(&stream.key).map(|(key, add)| key + add));
        let key = &out.keys[place..];
        let beyond = first > shape.limit || shape.axes.iter().zip(key).any(|(axis, &key)| key > axis.limit);
        let excluded = |bound: &Bound| {
            bound.excludes(shape, first, key, value.wide())
                || bound.reach.as_ref().is_some_and(|reach| reach.excludes(shape, first, key, value.wide()))
        };
        if beyond || bound.is_some_and(excluded) {
            out.keys.truncate(place);
            continue;
        }
        out.firsts.push(first);
        out.values.push(value);
        out.from.push((number as u32, chunk as u32, at as u32));
    }
    out
}

/// What is compared of every candidate, the smaller the better: its amounts, and how far its value is from the greatest.
fn vectors<V: Number>(all: &Candidates<V>, shape: &Shape, slack: Option<Slack>) -> Vec<u64> {
    let (width, compared) = (shape.width(), shape.compared());
    let most = all.values.iter().max().map_or(0, |value| value.wide());
    // Values that are too far apart for 64 bits are counted.
    let far = all.values.iter().any(|value| u64::try_from(most - value.wide()).is_err());
    let mut counted: Vec<V> = if far { all.values.clone() } else { Vec::new() };
    counted.sort_unstable();
    let below = |value: V| match far {
        true => (counted.len() - counted.partition_point(|&other| other < value)) as u64,
        false => (most - value.wide()) as u64,
    };
    let least =
        |resource: usize| slack.filter(|slack| slack.resource == resource).map_or(0, |slack| slack.amount);
    let of_first = least(shape.first);
    let of_axes: Vec<u64> = shape.axes.iter().map(|axis| least(axis.resource)).collect();
    let mut vectors = Vec::with_capacity(all.values.len() * (compared + 2));
    for (at, &value) in all.values.iter().enumerate() {
        vectors.push(all.firsts[at].max(of_first));
        vectors.extend(
            all.keys[at * width..][..compared].iter().zip(&of_axes).map(|(key, least)| key.max(least)),
        );
        vectors.push(below(value));
    }
    vectors
}
