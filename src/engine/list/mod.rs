//! The Pareto-list dynamic program: a layer is the list of its undominated (weight, value) pairs.
//!
//! Layer i is the set of pairs that no other sum over the first i classes dominates. It comes from layer i-1 by
//! adding each item of class i to every pair and dropping what is dominated. A front of p points costs O(p n) a
//! class however large or fine the weights are: no table with a cell a unit of weight is made. The idea is
//! G. L. Nemhauser and Z. Ullmann, "Discrete dynamic programming and capital allocation", Management Science
//! 15(9), 1969; how a layer is made here stands in `layer.rs`.
//!
//! Each pair remembers its item, the first in canonical order among equal pairs, and the pair it came from. A front
//! point's walk only meets pairs of the lists (see [`crate::reduce`]: a state on it is the lightest of its value),
//! so the remembered items are the canonical ones and walking back costs nothing more.
//!
//! Worked instance: classes {0, (3,1)} and {0, (2,1), (4,2)} as (value, weight), C = 3. Layer 1: (0,0), (1,3).
//! Layer 2 sifts (0,0) (1,3), (1,2) (2,5) and (2,4) (3,7): what is left is (0,0), (1,3), (2,5), (3,7).

mod layer;

use super::answer::{Answer, ItemIndices, LayerPicks, Picks, Stored};
use super::{Context, Engine, EngineError, Estimate, Wanted};
use crate::for_tier;
use crate::problem::value::Value;
use crate::reduce::{Reduced, Tiered};
use layer::{Layer, Workers};
use std::time::Instant;

/// The Pareto-list engine.
pub struct List;

/// Candidates a second on a common core.
const RATE: f64 = 2.5e8;

impl Engine for List {
    fn name(&self) -> &'static str {
        "list"
    }

    /// A guess of the time: how long the lists get is only known once they are made, no longer than the capacity
    /// and no longer than the product of the class sizes. Memory is checked while they grow.
    fn estimate(&self, problem: &Tiered, _: Wanted, _: &Context) -> Result<Estimate, EngineError> {
        let candidates = for_tier!(problem, problem => candidates_bound(problem));
        Ok(Estimate { seconds: candidates / RATE, bytes: 0 })
    }

    fn solve(&self, problem: &Tiered, wanted: Wanted, context: &Context) -> Result<Answer, EngineError> {
        for_tier!(problem, problem => solve(problem, wanted, context))
    }
}

fn candidates_bound<V: Value>(problem: &Reduced<V>) -> f64 {
    let mut length = 1.0f64;
    let mut candidates = 0.0;
    for (class, reach) in problem.classes.iter().zip(problem.reach()) {
        candidates += length * class.items.len() as f64;
        length = (length * class.items.len() as f64).min(reach as f64 + 1.0);
    }
    candidates
}

fn solve<V: Stored>(problem: &Reduced<V>, wanted: Wanted, context: &Context) -> Result<Answer, EngineError> {
    let started = Instant::now();
    context.progress.begin("solving", problem.classes.len() as u64);
    let workers = Workers::new(context.threads);
    let mut layer = Layer::first();
    let mut kept = Vec::with_capacity(problem.classes.len());
    let mut kept_bytes = 0u64;
    let mut updates = 0u64;
    for class in &problem.classes {
        updates += layer.len() as u64 * class.items.len() as u64;
        let next = layer.next(class, problem.capacity, &workers);
        let needed = kept_bytes + layer.bytes() + next.bytes();
        if needed > context.max_memory {
            return Err(EngineError::Memory { engine: "list", needed, allowed: context.max_memory });
        }
        if wanted != Wanted::Values {
            kept.push(picks_of(&next, class.items.len()));
            kept_bytes += next.len() as u64 * (size_of::<u32>() as u64 + 2);
        }
        layer = next;
        context.progress.advance(1);
    }
    let points = layer.len() as u64;
    let picks = match wanted {
        Wanted::Values => None,
        Wanted::BestPicks => Some(Picks { start: vec![points - 1], layers: kept }),
        Wanted::AllPicks => Some(Picks { start: (0..points).collect(), layers: kept }),
    };
    Ok(Answer {
        weights: layer.weights,
        values: V::store(layer.values),
        picks,
        ran_on: workers.describe("list"),
        updates,
        solve: started.elapsed(),
        traceback: std::time::Duration::ZERO,
    })
}

fn picks_of<V>(layer: &Layer<V>, class_items: usize) -> LayerPicks {
    let mut item = ItemIndices::zeros(layer.items.len(), class_items);
    for (at, &picked) in layer.items.iter().enumerate() {
        item.set(at, picked as usize);
    }
    LayerPicks::States { item, parent: layer.parents.clone() }
}
