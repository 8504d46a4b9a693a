//! The Pareto-list dynamic program: a layer is the list of its undominated (weight, value) pairs.
//!
//! Layer i is the set of pairs that no other sum over the first i classes dominates. It is computed from layer i-1
//! by adding each item of class i to every pair and dropping dominated sums. A front of p points costs O(p n) per
//! class however large or fine the weights are: there is no table with one cell per unit of weight. The idea is from
//! G. L. Nemhauser and Z. Ullmann, "Discrete dynamic programming and capital allocation", Management Science 15(9),
//! 1969; `layer.rs` describes how a layer is computed here.
//!
//! Each pair stores its item, the first in canonical order among equal pairs, and the pair that it extends. The
//! traceback of a front point only visits pairs of the lists (see [`isx_problems::reduce`]: a state on it is the
//! lightest of its value), so the stored items are the canonical ones and the traceback costs nothing more.
//!
//! Worked instance: classes {0, (3,1)} and {0, (2,1), (4,2)} as (value, weight), C = 3. Layer 1: (0,0), (1,3). Layer
//! 2 filters (0,0) (1,3), (1,2) (2,5) and (2,4) (3,7); the result is (0,0), (1,3), (2,5), (3,7).

mod layer;

use super::answer::{Answer, ItemIndices, LayerPicks, Picks, Value};
use super::{Mckp, Wanted};
use isx_engine::{Context, Engine, EngineError, Estimate, Outcome, Patience, Plan, Request};
use isx_machine::cpu::{Team, in_words, shared_seconds};
use isx_machine::rates;
use isx_problems::reduce::mckp::{Class, Reduced, for_tier};
use layer::{Layer, PAIRS_A_BLOCK, Room, Sifted, may_share};
use num_traits::ToPrimitive;
use std::time::Instant;

/// The Pareto-list engine.
pub struct List;

/// How many of the last layer's candidates passed each stage, to predict the time of the next layer.
#[derive(Clone, Copy, Debug)]
struct Pace {
    /// The share of all sums of a pair and an item that were computed.
    looked_at: f64,
    /// Sums sorted per pair kept. Not a share of all sums: that is high if a class of two items follows on already
    /// long lists, and predicts nothing for a class of eighty.
    sorted: f64,
}

impl Pace {
    /// Before the first layer: every sum is computed, none needs sorting.
    const UNKNOWN: Self = Self { looked_at: 1.0, sorted: 0.0 };

    /// The pace of a layer of `kept` pairs.
    fn of(sifted: Sifted, candidates: u64, kept: usize) -> Self {
        let looked_at = sifted.looked_at as f64 / candidates.max(1) as f64;
        Self { looked_at, sorted: sifted.sorted as f64 / kept.max(1) as f64 }
    }

    /// Expected seconds of one thread for a layer, from a list of `length` pairs.
    fn seconds<V>(self, class: &Class<V>, length: usize) -> f64 {
        let looking = class.items.len() as f64 * rates::MCKP_LOOK * self.looked_at;
        length as f64 * (looking + rates::MCKP_SORT * self.sorted)
    }
}

impl Engine<Mckp> for List {
    /// The time is a lower bound, as if every list had one pair; memory is checked while the lists grow.
    fn plan<'a>(&'a self, request: Request<'a, Mckp>) -> Result<Plan<'a, Mckp>, EngineError> {
        let Request { problem, wanted, context } = request;
        let bytes = for_tier!(problem, problem => most_bytes(problem, wanted));
        let seconds = problem.items() as f64 * rates::MCKP_LOOK;
        let estimate = Estimate { seconds, bytes };
        Ok(Plan::watched(
            estimate,
            move |patience| for_tier!(problem, problem => solve(problem, wanted, context, Watch { patience })),
        ))
    }
}

/// Bytes that are certainly enough: a list has no more pairs than sums, and no more than weights up to the capacity.
/// While a list is computed its parts and unfiltered sums take memory too.
fn most_bytes<V: Value>(problem: &Reduced<V>, wanted: Wanted) -> u64 {
    let cells = problem.capacity.saturating_add(1);
    let (mut length, mut kept, mut most) = (1u64, 0u64, 0u64);
    for class in &problem.classes {
        let next = length.saturating_mul(class.items.len() as u64).min(cells);
        let pairs = length.saturating_add(next.saturating_mul(2)).saturating_mul(Layer::<V>::PAIR_BYTES);
        let sums = length.saturating_mul(class.items.len() as u64).saturating_mul(Layer::<V>::SUM_BYTES);
        most = most.max(kept.saturating_add(pairs).saturating_add(sums));
        if wanted != Wanted::Values {
            kept = kept.saturating_add(next.saturating_mul(KEPT_BYTES));
        }
        length = next;
    }
    most
}

/// Bytes of a pair's item and parent, at most.
const KEPT_BYTES: u64 = 2 * size_of::<u32>() as u64;

/// Whether to continue with lists that grow.
#[derive(Clone, Copy)]
struct Watch<'a> {
    /// The expected time of another engine for the whole problem.
    patience: Patience<'a>,
}

impl Watch<'_> {
    /// Whether the remaining classes take longer than the other engine even if the list does not grow and no larger
    /// share of the candidates passes.
    fn gives_up<V>(&self, rest: &[Class<V>], length: usize, pace: Pace, threads: usize) -> bool {
        let blocks = (length / PAIRS_A_BLOCK) as f64;
        let shared = |class| shared_seconds(pace.seconds(class, length), blocks, threads);
        self.patience.is_exceeded_by(rest.iter().map(shared).sum())
    }
}

fn solve<V: Value + ToPrimitive>(
    problem: &Reduced<V>,
    wanted: Wanted,
    context: &Context,
    watch: Watch<'_>,
) -> Result<Outcome<Answer>, EngineError> {
    let started = Instant::now();
    context.progress.begin("solving", problem.classes.len() as u64);
    let team = Team::of(context.machine.workers());
    let mut growth = Growth::new(problem, wanted, context, watch, &team);
    growth.look_ahead();
    // The threads are woken once, at the first layer that is worth it.
    while growth.goes_on() && !growth.would_share() {
        growth.step()?;
    }
    if growth.goes_on() {
        team.enter(|| {
            while growth.goes_on() {
                growth.step()?;
            }
            Ok::<(), EngineError>(())
        })?;
    }
    Ok(growth.outcome(started))
}

/// Lists that grow class by class.
struct Growth<'a, V> {
    problem: &'a Reduced<V>,
    wanted: Wanted,
    context: &'a Context<'a>,
    watch: Watch<'a>,
    team: &'a Team<'a>,
    /// The list after the classes done.
    layer: Layer<V>,
    done: usize,
    /// Whether the rest would take longer than another engine.
    hopeless: bool,
    kept: Vec<LayerPicks>,
    kept_bytes: u64,
    updates: u64,
    longest: usize,
    /// How many of the last layer's candidates passed each stage.
    pace: Pace,
}

impl<'a, V: Value + ToPrimitive> Growth<'a, V> {
    fn new(
        problem: &'a Reduced<V>,
        wanted: Wanted,
        context: &'a Context<'a>,
        watch: Watch<'a>,
        team: &'a Team<'a>,
    ) -> Self {
        Self {
            problem,
            wanted,
            context,
            watch,
            team,
            layer: Layer::first(),
            done: 0,
            hopeless: false,
            kept: Vec::with_capacity(problem.classes.len()),
            kept_bytes: 0,
            updates: 0,
            longest: 1,
            pace: Pace::UNKNOWN,
        }
    }

    /// Whether there is a next layer to make.
    fn goes_on(&self) -> bool {
        !self.hopeless && self.done < self.problem.classes.len()
    }

    /// Whether the team would divide the next layer.
    fn would_share(&self) -> bool {
        may_share(self.layer.len()) && self.team.would_share(self.seconds())
    }

    /// Expected seconds of one thread for the next layer.
    fn seconds(&self) -> f64 {
        let class = &self.problem.classes[self.done];
        self.pace.seconds(class, self.layer.len())
    }

    /// Gives up if what is left would take longer than another engine. This comes before more threads are woken.
    fn look_ahead(&mut self) {
        let threads = self.team.threads();
        let rest = &self.problem.classes[self.done..];
        self.hopeless = self.watch.gives_up(rest, self.layer.len(), self.pace, threads);
    }

    /// Computes the next layer, and looks ahead from there.
    fn step(&mut self) -> Result<(), EngineError> {
        let Self { problem, context, .. } = *self;
        context.go_on()?;
        let layer = &self.layer;
        let class = &problem.classes[self.done];
        let candidates = layer.len() as u64 * class.items.len() as u64;
        self.updates = self.updates.saturating_add(candidates);
        let room = Room::new(context.machine, self.kept_bytes + layer.bytes());
        let (mut next, sifted) = layer.next(class, problem.capacity, self.seconds(), self.team, &room)?;
        self.pace = Pace::of(sifted, candidates, next.len());
        if u32::try_from(next.len()).is_err() {
            let why = "a list would pass 2^32 pairs, more than it can number".to_owned();
            return Err(EngineError::Failed(why));
        }
        if self.wanted != Wanted::Values {
            self.kept.push(picks_of(&mut next, class.items.len()));
            self.kept_bytes += next.len() as u64 * KEPT_BYTES;
        }
        self.longest = self.longest.max(next.len());
        self.layer = next;
        self.done += 1;
        context.progress.advance(1);
        if self.goes_on() {
            self.look_ahead();
        }
        Ok(())
    }

    fn outcome(self, started: Instant) -> Outcome<Answer> {
        if self.hopeless {
            let (done, classes) = (self.done, self.problem.classes.len());
            let lists = counted(self.layer.len() as u64, "pair");
            return Outcome::GaveUp(format!("after {done} of {classes} classes the lists hold {lists}"));
        }
        let points = self.layer.len() as u64;
        let picks = match self.wanted {
            Wanted::Values => None,
            Wanted::BestPicks => Some(Picks { start: vec![points - 1], layers: self.kept }),
            Wanted::AllPicks => Some(Picks { start: (0..points).collect(), layers: self.kept }),
        };
        let answer = Answer {
            weights: self.layer.weights,
            values: V::store(self.layer.values),
            picks,
            how: in_words(self.team.took_part()),
            threads: self.team.took_part(),
            updates: self.updates,
            solve: started.elapsed(),
            traceback: std::time::Duration::ZERO,
        };
        let cells = self.problem.capacity.saturating_add(1);
        let (pairs, cells) = (counted(self.longest as u64, "pair"), counted(cells, "cell"));
        let because = format!("the lists stay short, at most {pairs} where a table row has {cells}");
        Outcome::Solved { answer, because: Some(because) }
    }
}

fn counted(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// Moves the items and parents, which only tracebacks need, out of a layer.
fn picks_of<V>(layer: &mut Layer<V>, class_items: usize) -> LayerPicks {
    let items = std::mem::take(&mut layer.items);
    let item = ItemIndices::of(items.into_iter().map(|item| item as usize), class_items);
    LayerPicks::States { item, parent: std::mem::take(&mut layer.parents) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isx_problems::mckp::Item;

    fn class(items: u64) -> Class<i64> {
        let items: Vec<Item<i64>> = (0..items).map(|at| Item { weight: 3 * at, value: at as i64 }).collect();
        Class { zero: 0, origin: vec![None; items.len()], items }
    }

    #[test]
    fn a_small_class_after_long_lists_says_nothing_of_the_sorting_of_large_ones() {
        let (length, small) = (1_000_000, 2_000_000);
        // Of two million sums one million are kept, and sorted: no filter can do better.
        let pace = Pace::of(Sifted { looked_at: small, sorted: 1_000_000 }, small, length);
        let large = pace.seconds(&class(80), length);
        let looked = 80e6 * rates::MCKP_LOOK;
        assert!(large < 1.3 * looked, "{large} s beside {looked} s of looking");
    }

    #[test]
    fn lists_are_given_up_by_what_the_rest_takes_and_not_before() {
        let classes = vec![class(50); 10];
        let pace = Pace { looked_at: 1.0, sorted: 1.0 };
        let rest = 10.0 * pace.seconds(&class(50), 100_000);
        let gives_up = |seconds: f64, classes: &[Class<i64>], threads| {
            let limit = move || Some(seconds);
            let watch = Watch { patience: Patience::new(&limit) };
            watch.gives_up(classes, 100_000, pace, threads)
        };
        assert!(gives_up(0.99 * rest, &classes, 1) && !gives_up(1.01 * rest, &classes, 1));
        assert!(!gives_up(0.51 * rest, &classes[5..], 1));
        assert!(!gives_up(0.99 * rest, &classes, 2), "two share the work");
    }
}
