//! Sums of the shared classes: vectors of a weight and a load in every mode.

use super::best::Best;
use super::compiled::{Class, Compiled};
use super::memory::{Run, Taken};
use super::steps::{Front, Steps, largest, least_below, plus};
use isx_engine::EngineError;
use isx_problems::value::Value;
use std::sync::Arc;

/// Vectors examined between two looks at whether to go on.
const STRIDE: usize = 1 << 14;
/// The maximum number of vectors of a class that the first guess follows.
const GUESSED: usize = 64;

/// A sum of one item of each of the first shared classes.
#[derive(Clone, Debug)]
pub struct Vector<V> {
    pub weight: u64,
    pub loads: Vec<V>,
}

/// The fronts of one mode, with the elements of a set at no cost.
#[derive(Clone)]
pub struct ModeFronts<V> {
    /// The front of the private classes, then that of them and the last shared class, and so on; of a shared class
    /// only the mode's part of the weight counts.
    fronts: Vec<Arc<Front<V>>>,
}

/// The sums of none of the shared classes, of the first, and so on, with the memory that they take.
#[derive(Debug)]
pub struct Sums<V> {
    pub layers: Vec<Vec<Vector<V>>>,
    _taken: Taken,
}

impl<V: Value> ModeFronts<V> {
    pub fn new(
        compiled: &Compiled<V>,
        mask: u64,
        mode: usize,
        run: &Run,
        updates: &mut u64,
    ) -> Result<Self, EngineError> {
        let mut front = Front::start(run);
        let mut add = |front: &Front<V>, class: &Class<V>| {
            plus(front, &compiled.pairs(class, mask, mode, true), compiled.capacity, run, updates)
        };
        for class in compiled.classes.iter().filter(|class| class.private() == Some(mode)) {
            front = add(&front, class)?;
        }
        let mut fronts = vec![Arc::new(front)];
        for class in compiled.shared().rev() {
            let last = &fronts[fronts.len() - 1];
            let next = if class.modes.contains(&mode) { Arc::new(add(last, class)?) } else { last.clone() };
            fronts.push(next);
        }
        Ok(Self { fronts })
    }

    /// The front of the private classes.
    pub fn private(&self) -> &Steps<V> {
        &self.fronts[0].steps
    }

    /// The front of the private classes and all shared ones but the first `done`.
    pub fn after(&self, done: usize) -> &Steps<V> {
        &self.fronts[self.fronts.len() - 1 - done].steps
    }
}

/// What a set of elements allows: the elements, the weight paid for them, and the fronts of the modes.
pub struct Allowed<'a, V> {
    pub compiled: &'a Compiled<V>,
    pub mask: u64,
    pub paid: u64,
    pub fronts: &'a [ModeFronts<V>],
}

impl<V: Value> Allowed<'_, V> {
    /// Whether a completion of this sum of the first `done` shared classes may be on the front.
    pub fn may_reach(&self, sum: &Vector<V>, done: usize, best: &Best<V>) -> bool {
        best.may_reach(&mut |below| {
            let of_mode = |(fronts, load): (&ModeFronts<V>, &V)| {
                least_below(fronts.after(done), below.map(|below| below.minus(load)).as_ref())
            };
            let modes = self.fronts.iter().zip(&sum.loads).map(of_mode);
            Some(modes.sum::<Option<u64>>()? + sum.weight + self.paid)
        })
    }

    /// No item yet.
    pub fn nothing(&self) -> Vector<V> {
        Vector { weight: 0, loads: vec![V::zero(); self.compiled.modes] }
    }

    /// The sums of the first shared classes, of none, one and so on, that may reach the front and that no other one
    /// dominates. A guess follows only some of them.
    pub fn sums(
        &self,
        best: &Best<V>,
        guess: bool,
        run: &Run,
        updates: &mut u64,
    ) -> Result<Sums<V>, EngineError> {
        let bytes = size_of::<Vector<V>>() as u64 + self.compiled.modes as u64 * run.load;
        let mut taken = run.nothing();
        let mut layers = vec![vec![self.nothing()]];
        let mut kept = 0u64;
        for (done, class) in (1..).zip(self.compiled.shared()) {
            let mut next: Vec<Vector<V>> = Vec::new();
            let last = &layers[layers.len() - 1];
            for (at, vector) in last.iter().enumerate() {
                if at % STRIDE == 0 {
                    run.context.go_on()?;
                }
                // Twice as much as the vector grows.
                let most = (next.len() + class.items.len()).next_power_of_two();
                run.raise(&mut taken, (kept + 2 * most as u64) * bytes)?;
                for item in class.items.iter().filter(|item| item.uses & !self.mask == 0) {
                    *updates += 1;
                    let loads = vector.loads.iter().zip(&item.loads).map(|(sum, load)| sum.plus(load));
                    let sum = Vector { weight: vector.weight + item.weight, loads: loads.collect() };
                    if self.may_reach(&sum, done, best) {
                        next.push(sum);
                    }
                }
            }
            next = if guess { guessed(next) } else { undominated(next, run)? };
            kept += next.len() as u64;
            taken.lower(kept * bytes);
            layers.push(next);
        }
        Ok(Sums { layers, _taken: taken })
    }

    /// The points of the front with exactly these elements paid for, as far as they may be on that of all.
    pub fn points(
        &self,
        best: &Best<V>,
        guess: bool,
        run: &Run,
        updates: &mut u64,
    ) -> Result<Vec<(u64, V)>, EngineError> {
        let mut best = best.clone();
        let private: Vec<&Steps<V>> = self.fronts.iter().map(ModeFronts::private).collect();
        let sums = self.sums(&best, guess, run, updates)?;
        let done = sums.layers.len() - 1;
        for sum in &sums.layers[done] {
            if self.may_reach(sum, done, &best) {
                let weight = sum.weight + self.paid;
                best.add(largest(&private, &sum.loads, weight, self.compiled.capacity), self.mask);
            }
        }
        let own = best.points.into_iter().filter(|point| point.masks.contains(&self.mask));
        Ok(own.map(|point| (point.weight, point.load)).collect())
    }
}

/// Vectors compared together.
const PAGE: usize = 32;

/// Some vectors, with the least of their loads in every mode: no vector below one of these is dominated by them.
struct Page<V> {
    least: Vec<V>,
    vectors: Vec<Vector<V>>,
}

fn no_more<V: Value>(one: &[V], other: &[V]) -> bool {
    one.iter().zip(other).all(|(one, other)| one <= other)
}

/// The vectors that no other one dominates, one of those that are equal.
fn undominated<V: Value>(mut all: Vec<Vector<V>>, run: &Run) -> Result<Vec<Vector<V>>, EngineError> {
    all.sort_by(|a, b| a.weight.cmp(&b.weight).then_with(|| a.loads.cmp(&b.loads)));
    let mut pages: Vec<Page<V>> = Vec::new();
    for (at, vector) in all.into_iter().enumerate() {
        if at % STRIDE == 0 {
            run.context.go_on()?;
        }
        let dominates = |page: &Page<V>| {
            no_more(&page.least, &vector.loads)
                && page.vectors.iter().any(|other| no_more(&other.loads, &vector.loads))
        };
        // Those of nearly the same weight dominate most often.
        if pages.iter().rev().any(dominates) {
            continue;
        }
        match pages.last_mut().filter(|page| page.vectors.len() < PAGE) {
            Some(page) => {
                for (least, load) in page.least.iter_mut().zip(&vector.loads) {
                    if load < least {
                        least.clone_from(load);
                    }
                }
                page.vectors.push(vector);
            }
            None => pages.push(Page { least: vector.loads.clone(), vectors: vec![vector] }),
        }
    }
    Ok(pages.into_iter().flat_map(|page| page.vectors).collect())
}

/// Some vectors of small sums of loads, and some of small largest loads.
fn guessed<V: Value>(all: Vec<Vector<V>>) -> Vec<Vector<V>> {
    let sum = |vector: &Vector<V>| vector.loads.iter().fold(V::zero(), |sum, load| sum.plus(load));
    let most = |vector: &Vector<V>| vector.loads.iter().max().cloned().unwrap_or_else(V::zero);
    let mut guessed = Vec::new();
    for by_sum in [true, false] {
        let measure = |vector: &Vector<V>| if by_sum { sum(vector) } else { most(vector) };
        let mut sorted: Vec<(u64, V, &Vector<V>)> =
            all.iter().map(|vector| (vector.weight, measure(vector), vector)).collect();
        sorted.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
        let mut front: Vec<(V, &Vector<V>)> = Vec::new();
        for (_, measured, vector) in sorted {
            if front.last().is_none_or(|(least, _)| measured < *least) {
                front.push((measured, vector));
            }
        }
        let step = front.len().div_ceil(GUESSED / 2).max(1);
        guessed.extend(front.into_iter().step_by(step).map(|(_, vector)| vector.clone()));
    }
    guessed
}
