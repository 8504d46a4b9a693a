//! The Pareto-list dynamic program: a layer is the list of its undominated (weight, value) pairs.
//!
//! Layer i is the set of pairs that no other sum over the first i classes dominates. It comes from layer i-1 by
//! adding each item of class i to every pair and merging the shifted lists, dropping what is dominated. A front
//! of p points costs O(p n log n) a class however large or fine the weights are; no table of cells is made.
//! The idea is G. L. Nemhauser and Z. Ullmann, "Discrete dynamic programming and capital allocation",
//! Management Science 15(9), 1969.
//!
//! Each pair remembers its item, the first in canonical order among equal pairs. A front point's walk only meets
//! pairs of the lists (see [`crate::reduce`]: a state on it is the lightest of its value), so the remembered
//! items are the canonical ones and the walk back is a search by weight.
//!
//! Worked instance: classes {0, (3,1)} and {0, (2,1), (4,2)} as (value, weight), C = 3. Layer 1: (0,0), (1,3).
//! Layer 2 merges (0,0) (1,3) with (1,2) (2,5) and (2,4) (3,7): what is left is (0,0), (1,3), (2,5), (3,7).

use super::answer::{Answer, ItemIndices, LayerPicks, Picks, Stored};
use super::{Context, Engine, EngineError, Estimate, Wanted};
use crate::for_tier;
use crate::problem::mckp::Item;
use crate::problem::value::Value;
use crate::reduce::{Class, Reduced, Tiered};
use std::time::Instant;

/// The Pareto-list engine.
pub struct List;

/// Candidates a second that merging gets through on a common core.
const RATE: f64 = 6.0e7;

impl Engine for List {
    fn name(&self) -> &'static str {
        "list"
    }

    /// A guess: how long the lists get is only known once they are made. They are no longer than the capacity,
    /// nor than the product of the class sizes.
    fn estimate(&self, problem: &Tiered, _: Wanted, _: &Context) -> Result<Estimate, EngineError> {
        let (longest, candidates) = for_tier!(problem, problem => list_bounds(problem));
        Ok(Estimate { seconds: candidates / RATE, bytes: (longest * 16.0) as u64 })
    }

    fn solve(&self, problem: &Tiered, wanted: Wanted, context: &Context) -> Result<Answer, EngineError> {
        for_tier!(problem, problem => solve(problem, wanted, context))
    }
}

/// Guesses of the longest list and of the number of candidates.
fn list_bounds<V: Value>(problem: &Reduced<V>) -> (f64, f64) {
    let mut length = 1.0f64;
    let mut candidates = 0.0;
    for (class, reach) in problem.classes.iter().zip(problem.reach()) {
        candidates += length * class.items.len() as f64;
        length = (length * class.items.len() as f64).min(reach as f64 + 1.0);
    }
    (length, candidates)
}

/// A pair of a layer and the item that made it.
#[derive(Clone, Debug)]
struct Pair<V> {
    weight: u64,
    value: V,
    item: u32,
}

fn solve<V: Stored>(problem: &Reduced<V>, wanted: Wanted, context: &Context) -> Result<Answer, EngineError> {
    let started = Instant::now();
    context.progress.begin("solving", problem.classes.len() as u64);
    let mut layer = vec![Pair { weight: 0, value: V::zero(), item: 0 }];
    let mut kept = Vec::with_capacity(problem.classes.len());
    let mut updates = 0u64;
    let mut bytes = 0u64;
    for class in &problem.classes {
        updates += layer.len() as u64 * class.items.len() as u64;
        let next = next_layer(&layer, class, problem.capacity);
        bytes += next.len() as u64 * LayerStates::BYTES + 2 * (next.len() * size_of::<Pair<V>>()) as u64;
        if bytes > context.max_memory {
            return Err(EngineError::Memory { engine: "list", needed: bytes, allowed: context.max_memory });
        }
        bytes -= 2 * (next.len() * size_of::<Pair<V>>()) as u64;
        kept.push(LayerStates::new(&next, class.items.len(), wanted));
        layer = next;
        context.progress.advance(1);
    }
    let weights: Vec<u64> = layer.iter().map(|pair| pair.weight).collect();
    let values = V::store(layer.into_iter().map(|pair| pair.value).collect());
    let solve = started.elapsed();

    let started = Instant::now();
    let picks = match wanted {
        Wanted::Values => None,
        Wanted::BestPicks => Some(walk_back(problem, &kept, vec![weights.len() as u64 - 1])),
        Wanted::AllPicks => Some(walk_back(problem, &kept, (0..weights.len() as u64).collect())),
    };
    Ok(Answer {
        weights,
        values,
        picks,
        ran_on: "list (1 thread)".into(),
        updates,
        solve,
        traceback: started.elapsed(),
    })
}

/// The undominated sums of a pair of `layer` and an item of `class`, within `capacity`.
fn next_layer<V: Value>(layer: &[Pair<V>], class: &Class<V>, capacity: u64) -> Vec<Pair<V>> {
    let items: Vec<(u32, &Item<V>)> = (0..).zip(&class.items).collect();
    merge_shifted(layer, &items, capacity)
}

/// Merges the lists of all items, halving the items so that each pair takes part in log n merges.
fn merge_shifted<V: Value>(layer: &[Pair<V>], items: &[(u32, &Item<V>)], capacity: u64) -> Vec<Pair<V>> {
    match items {
        [] => Vec::new(),
        &[(index, item)] => {
            let fits = layer.partition_point(|pair| pair.weight + item.weight <= capacity);
            let shifted = |pair: &Pair<V>| Pair {
                weight: pair.weight + item.weight,
                value: pair.value.plus(&item.value),
                item: index,
            };
            layer[..fits].iter().map(shifted).collect()
        }
        _ => {
            let (first, second) = items.split_at(items.len() / 2);
            merge(merge_shifted(layer, first, capacity), merge_shifted(layer, second, capacity))
        }
    }
}

/// The undominated pairs of both lists; of equal pairs the one of the first list, whose items come first.
fn merge<V: Value>(first: Vec<Pair<V>>, second: Vec<Pair<V>>) -> Vec<Pair<V>> {
    let mut merged: Vec<Pair<V>> = Vec::with_capacity(first.len() + second.len());
    let (mut first, mut second) = (first.into_iter().peekable(), second.into_iter().peekable());
    loop {
        let next = match (first.peek(), second.peek()) {
            (None, None) => return merged,
            (Some(a), Some(b)) if (b.weight, &a.value) < (a.weight, &b.value) => second.next(),
            (Some(_), _) => first.next(),
            (None, Some(_)) => second.next(),
        };
        merged.extend(next.filter(|next| merged.last().is_none_or(|last| next.value > last.value)));
    }
}

/// What the walk back needs of a layer.
struct LayerStates {
    weights: Vec<u64>,
    items: ItemIndices,
}

impl LayerStates {
    const BYTES: u64 = 12;

    fn new<V>(layer: &[Pair<V>], class_items: usize, wanted: Wanted) -> Self {
        if wanted == Wanted::Values {
            return Self { weights: Vec::new(), items: ItemIndices::zeros(0, class_items) };
        }
        let mut items = ItemIndices::zeros(layer.len(), class_items);
        for (at, pair) in layer.iter().enumerate() {
            items.set(at, pair.item as usize);
        }
        Self { weights: layer.iter().map(|pair| pair.weight).collect(), items }
    }
}

/// Follows all points back together: the states a layer is left in are visited once each, in order of weight.
fn walk_back<V: Value>(problem: &Reduced<V>, kept: &[LayerStates], start: Vec<u64>) -> Picks {
    let mut layers = Vec::with_capacity(kept.len());
    for (at, (class, states)) in problem.classes.iter().zip(kept).enumerate().rev() {
        let before: &[u64] = if at == 0 { &[0] } else { &kept[at - 1].weights };
        layers.push(parents(class, states, before));
    }
    layers.reverse();
    Picks { start, layers }
}

fn parents<V: Value>(class: &Class<V>, states: &LayerStates, before: &[u64]) -> LayerPicks {
    let parent = |at: usize| {
        let left = states.weights[at] - class.items[states.items.get(at)].weight;
        before.partition_point(|&weight| weight < left) as u32
    };
    LayerPicks::States { item: states.items.clone(), parent: (0..states.weights.len()).map(parent).collect() }
}
