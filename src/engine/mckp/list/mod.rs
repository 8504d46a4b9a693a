//! The Pareto-list dynamic program: a layer is the list of its undominated (weight, value) pairs.
//!
//! Layer i is the set of pairs that no other sum over the first i classes dominates. It comes from layer i-1 by
//! adding each item of class i to every pair and dropping what is dominated. A front of p points costs O(p n) a
//! class however large or fine the weights are: no table with a cell a unit of weight is made. The idea is
//! G. L. Nemhauser and Z. Ullmann, "Discrete dynamic programming and capital allocation", Management Science
//! 15(9), 1969; how a layer is made here stands in `layer.rs`.
//!
//! Each pair remembers its item, the first in canonical order among equal pairs, and the pair it came from. A front
//! point's walk only meets pairs of the lists (see [`crate::reduce::mckp`]: a state on it is the lightest of its value),
//! so the remembered items are the canonical ones and walking back costs nothing more.
//!
//! Worked instance: classes {0, (3,1)} and {0, (2,1), (4,2)} as (value, weight), C = 3. Layer 1: (0,0), (1,3).
//! Layer 2 sifts (0,0) (1,3), (1,2) (2,5) and (2,4) (3,7): what is left is (0,0), (1,3), (2,5), (3,7).

mod layer;

use super::answer::{Answer, ItemIndices, LayerPicks, Picks, Stored};
use super::{Mckp, Wanted};
use crate::engine::{Context, Engine, EngineError, Estimate, Outcome, Plan, Request};
use crate::machine;
use crate::problem::value::Value;
use crate::reduce::mckp::{Reduced, for_tier};
use layer::{Layer, PARALLEL_CANDIDATES};
use std::time::Instant;

/// The Pareto-list engine.
pub struct List;

/// Seconds to look at a candidate, on a common core.
const LOOK: f64 = 2.5e-9;

/// Seconds to sort a candidate that survives the sieve.
const SORT: f64 = 4.0e-8;

impl Engine<Mckp> for List {
    /// The time is a lower bound, as if every list had one pair; memory is checked while the lists grow.
    fn plan<'a>(&'a self, request: Request<'a, Mckp>) -> Result<Plan<'a, Mckp>, EngineError> {
        let Request { problem, wanted, context } = request;
        let estimate = Estimate { seconds: problem.items() as f64 * LOOK, bytes: 0 };
        Ok(Plan::watched(estimate, move |patience| {
            let watch = patience.map(|seconds| Watch { seconds });
            for_tier!(problem, problem => solve(problem, wanted, context, watch.as_ref()))
        }))
    }
}

/// Whether to go on with lists that grow.
#[derive(Clone, Copy, Debug)]
struct Watch {
    /// What another engine is expected to need for the whole problem.
    seconds: f64,
}

impl Watch {
    /// Whether the classes from `layer` on take longer than the other engine even if the list stays as it is and the
    /// sieve lets no larger share through than `survived`.
    fn gives_up<V: Value>(
        &self,
        problem: &Reduced<V>,
        layer: usize,
        length: usize,
        survived: f64,
        threads: usize,
    ) -> bool {
        let items: usize = problem.classes[layer..].iter().map(|class| class.items.len()).sum();
        let at_work = if length * items > PARALLEL_CANDIDATES { threads.min(8) } else { 1 };
        items as f64 * length as f64 * (LOOK + SORT * survived) / at_work as f64 > self.seconds
    }
}

fn solve<V: Stored>(
    problem: &Reduced<V>,
    wanted: Wanted,
    context: &Context,
    watch: Option<&Watch>,
) -> Result<Outcome<Answer>, EngineError> {
    let started = Instant::now();
    context.progress.begin("solving", problem.classes.len() as u64);
    let workers = context.machine.workers();
    let mut layer = Layer::first();
    let mut kept = Vec::with_capacity(problem.classes.len());
    let (mut kept_bytes, mut updates, mut longest, mut survived) = (0u64, 0u64, 1, 0.0);
    let mut parallel = false;
    for (at, class) in problem.classes.iter().enumerate() {
        context.go_on()?;
        if watch.is_some_and(|watch| watch.gives_up(problem, at, layer.len(), survived, workers.threads())) {
            let (classes, length) = (problem.classes.len(), layer.len());
            return Ok(Outcome::GaveUp(format!(
                "after {at} of {classes} classes the lists hold {}",
                counted(length as u64, "pair")
            )));
        }
        let candidates = layer.len() * class.items.len();
        updates += candidates as u64;
        parallel |= candidates > PARALLEL_CANDIDATES;
        let (next, sorted) = layer.next(class, problem.capacity, workers);
        survived = sorted as f64 / candidates as f64;
        let needed = kept_bytes + layer.bytes() + next.bytes();
        context.machine.allow(needed)?;
        if wanted != Wanted::Values {
            kept.push(picks_of(&next, class.items.len()));
            kept_bytes += next.len() as u64 * (size_of::<u32>() as u64 + 2);
        }
        longest = longest.max(next.len());
        layer = next;
        context.progress.advance(1);
    }
    let points = layer.len() as u64;
    let picks = match wanted {
        Wanted::Values => None,
        Wanted::BestPicks => Some(Picks { start: vec![points - 1], layers: kept }),
        Wanted::AllPicks => Some(Picks { start: (0..points).collect(), layers: kept }),
    };
    let threads = if parallel { workers.threads() } else { 1 };
    let answer = Answer {
        weights: layer.weights,
        values: V::store(layer.values),
        picks,
        how: machine::cpu::in_words(threads),
        threads,
        updates,
        solve: started.elapsed(),
        traceback: std::time::Duration::ZERO,
    };
    let cells = problem.capacity.saturating_add(1);
    let (pairs, cells) = (counted(longest as u64, "pair"), counted(cells, "cell"));
    let because = format!("the lists stay short, at most {pairs} where a table row has {cells}");
    Ok(Outcome::Solved { answer, because: Some(because) })
}

fn counted(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

fn picks_of<V>(layer: &Layer<V>, class_items: usize) -> LayerPicks {
    let mut item = ItemIndices::zeros(layer.items.len(), class_items);
    for (at, &picked) in layer.items.iter().enumerate() {
        item.set(at, picked as usize);
    }
    LayerPicks::States { item, parent: layer.parents.clone() }
}
