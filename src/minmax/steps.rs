//! Fronts of one mode: weight against load.

use super::memory::{Run, Taken};
use isx_engine::EngineError;
use isx_problems::value::Value;

/// Non-dominated pairs: weights rise, loads fall.
pub type Steps<V> = Vec<(u64, V)>;

/// A front, with the memory that it takes.
#[derive(Debug)]
pub struct Front<V> {
    pub steps: Steps<V>,
    _taken: Taken,
}

impl<V: Value> Front<V> {
    /// The front of no class.
    pub fn start(run: &Run) -> Self {
        Self { steps: vec![(0, V::zero())], _taken: run.nothing() }
    }
}

/// The least weight with a load below `below`, or with any.
pub fn least_below<V: Value>(steps: &Steps<V>, below: Option<&V>) -> Option<u64> {
    let first = below.map_or(0, |below| steps.partition_point(|(_, load)| load >= below));
    steps.get(first).map(|(weight, _)| *weight)
}

/// The least weight with a load of at most `most`.
pub fn least_within<V: Value>(steps: &Steps<V>, most: &V) -> Option<u64> {
    let first = steps.partition_point(|(_, load)| load > most);
    steps.get(first).map(|(weight, _)| *weight)
}

/// The front of sums of one of `steps` and one of `items`, up to `capacity`.
pub fn plus<V: Value>(
    front: &Front<V>,
    items: &[(u64, V)],
    capacity: u64,
    run: &Run,
    updates: &mut u64,
) -> Result<Front<V>, EngineError> {
    let (steps, mut taken) = (&front.steps, run.nothing());
    let (mut sums, mut last): (Steps<V>, Steps<V>) = (Vec::new(), Vec::new());
    for (weight, load) in items {
        *updates += steps.len() as u64;
        let Some(room) = capacity.checked_sub(*weight) else { continue };
        let fitting = &steps[..steps.partition_point(|(weight, _)| *weight <= room)];
        std::mem::swap(&mut sums, &mut last);
        let most = last.len() + fitting.len();
        run.raise(&mut taken, (last.capacity() + most.max(sums.capacity())) as u64 * run.step())?;
        sums.reserve(last.len() + fitting.len());
        let mut others = last.drain(..);
        let mut other = others.next();
        for (own, own_load) in fitting {
            let sum = (own + weight, own_load.plus(load));
            while let Some(next) = other.take_if(|other| *other <= sum) {
                push(&mut sums, next);
                other = others.next();
            }
            push(&mut sums, sum);
        }
        other.into_iter().chain(others).for_each(|next| push(&mut sums, next));
    }
    sums.shrink_to_fit();
    taken.lower(sums.len() as u64 * run.step());
    Ok(Front { steps: sums, _taken: taken })
}

/// Adds a pair of at least the last weight, unless it is dominated.
fn push<V: Value>(sums: &mut Steps<V>, next: (u64, V)) {
    if sums.last().is_none_or(|(_, load)| next.1 < *load) {
        sums.push(next);
    }
}

/// The front of the sum of weights against the largest load, one of `fronts` per mode, each from a load of `start`: the
/// mode of the largest load goes on to its next step, until it has none or the sum is above `capacity`.
pub fn largest<V: Value>(fronts: &[&Steps<V>], start: &[V], weight: u64, capacity: u64) -> Vec<(u64, V)> {
    let mut points: Vec<(u64, V)> = Vec::new();
    if fronts.iter().any(|front| front.is_empty()) {
        return points;
    }
    let mut at = vec![0; fronts.len()];
    let mut loads: Vec<V> = fronts.iter().zip(start).map(|(front, start)| front[0].1.plus(start)).collect();
    let mut sum = weight + fronts.iter().map(|front| front[0].0).sum::<u64>();
    while sum <= capacity {
        let Some(most) = (0..loads.len()).max_by(|&a, &b| loads[a].cmp(&loads[b])) else { break };
        if points.last().is_none_or(|(_, load)| *load > loads[most]) {
            points.push((sum, loads[most].clone()));
        }
        let Some((weight, load)) = fronts[most].get(at[most] + 1) else { break };
        sum += weight - fronts[most][at[most]].0;
        at[most] += 1;
        loads[most] = load.plus(&start[most]);
    }
    points
}
