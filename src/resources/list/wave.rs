//! Classes that need no element: all sums are in one list.
//!
//! A class needs the sums of the class before it only up to the amount that it has reached itself, so several classes are
//! processed at the same time, each a range of amounts behind the one before it.

use super::bound::Bound;
use super::run::Run;
use super::sums::{Chunk, List, Merge, Stream};
use crate::number::Number;
use isx_engine::EngineError;
use std::sync::{Mutex, PoisonError};

/// Candidates of a class below which only one thread works; tests have small problems.
const SHARED: usize = 1 << 15;
/// Ranges per thread.
const RANGES: usize = 12;
/// Sums that are looked at to find ranges of equal work.
const SAMPLED: usize = 512;

/// How many of the next classes are worth processing together.
pub(super) fn together<V: Number>(run: &Run<'_>, list: &List<V>, items: usize) -> usize {
    let threads = run.setting.context.machine.threads();
    if super::sums::length(list) * items < SHARED { 1 } else { threads }
}

/// Takes an item of each of some classes, which follow each other; `bounds` after each of them. Returns the number of
/// candidates.
pub(super) fn pass<V: Number>(
    run: &Run<'_>,
    list: &mut List<V>,
    classes: &[usize],
    bounds: &[Option<&Bound>],
) -> Result<u64, EngineError> {
    let mut merges = Vec::with_capacity(classes.len());
    for (&class, &bound) in classes.iter().zip(bounds) {
        let streams = (1..)
            .zip(&run.problem.classes[class])
            .filter_map(|(number, item)| run.stream(class, 0, &item.cost, V::from_big(&item.value)?, number));
        merges.push(Mutex::new(Merge::new(&run.setting, streams.collect(), bound)));
    }
    let first: Vec<Stream<V>> = (1..)
        .zip(&run.problem.classes[classes[0]])
        .filter_map(|(number, item)| run.stream(classes[0], 0, &item.cost, V::zero(), number))
        .collect();
    let ends = if classes.len() > 1 { ends(run, list, &first) } else { vec![u64::MAX] };
    let mut lists: Vec<List<V>> = vec![Vec::new(); classes.len() + 1];
    lists[0] = std::mem::take(list);
    let machine = run.setting.context.machine;
    for wave in 0..ends.len() + classes.len() - 1 {
        run.setting.context.go_on()?;
        let taken = lists.iter().flatten().map(Chunk::bytes).sum::<u64>();
        machine.allow(taken)?;
        // The classes at work, each at its range.
        let from = (wave + 1).saturating_sub(ends.len());
        let to = (wave + 1).min(classes.len());
        let work = |at: u64| {
            let class = from + at as usize;
            let mut merge = merges[class].lock().unwrap_or_else(PoisonError::into_inner);
            merge.advance(&[&lists[class]], ends[wave - class], taken)
        };
        let made = machine.workers().map((to - from) as u64, to - from > 1, work);
        for (at, chunk) in made.into_iter().enumerate() {
            lists[from + at + 1].push(chunk?);
        }
    }
    let updates =
        merges.iter().map(|merge| merge.lock().unwrap_or_else(PoisonError::into_inner).updates).sum();
    *list = lists.pop().unwrap_or_default();
    Ok(updates)
}

/// The ends of ranges in which a class has about as many candidates each.
fn ends<V: Number>(run: &Run<'_>, list: &List<V>, streams: &[Stream<V>]) -> Vec<u64> {
    let groups = || list.iter().flat_map(|chunk| &chunk.groups);
    let apart = groups().count().div_ceil(SAMPLED).max(1);
    let mut sums = Vec::new();
    for chunk in list {
        for (at, &(amount, end)) in chunk.groups.iter().enumerate().step_by(apart) {
            let count = end - at.checked_sub(1).map_or(0, |before| chunk.groups[before].1);
            sums.extend(streams.iter().map(|stream| (amount + stream.first, count)));
        }
    }
    sums.retain(|(amount, _)| *amount <= run.setting.shape.limit);
    sums.sort_unstable();
    let ranges = RANGES * run.setting.context.machine.threads();
    let share = sums.iter().map(|(_, count)| count).sum::<usize>() / ranges;
    let (mut ends, mut here) = (Vec::new(), 0);
    for (amount, count) in sums {
        here += count;
        if here > share && ends.last().is_none_or(|&last| last < amount) {
            ends.push(amount);
            here = 0;
        }
    }
    ends.push(u64::MAX);
    ends
}
