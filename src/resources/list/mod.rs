//! Pareto lists, one for every set of open elements that are used.
//!
//! Sums are sorted by one resource. An item shifts a list, and the shifted lists of a class are merged: of the
//! candidates with the same amount of that resource, in order of the others, those stay that no sum before dominates,
//! which a look-up in a table tells (module `dominance`). If no table fits, all candidates are computed first (`whole`).
//!
//! An element is open from the first class that can use it to the last. A state is the set of open elements that a sum
//! uses; an item leads from a state to the one with its elements added, which are paid for then. When an element closes,
//! the sums without it pay what it costs unbuilt, and the lists with and without it are merged.
//!
//! Of equal sums the smaller selection stays: both can be continued in the same ways, and with equal continuations the
//! smaller stays the smaller.
//!
//! Worked instance, two resources: classes {nothing, (4; 1, 0), (4; 0, 2)} and {nothing, (3; 1, 1)} as (value; costs),
//! limits (2, 2). First list: (0; 0, 0), (4; 0, 2), (4; 1, 0). Second: with the first of resource 0 the same, (3; 1, 1)
//! is beaten by (4; 1, 0), and (7; 2, 1) ends it.

mod bound;
mod cut;
mod known;
mod layer;
mod prices;
mod run;
mod sieve;
mod slack;
mod sums;
mod wave;
mod whole;

use crate::dominance::{Sums, within};
use crate::number::{Number, tier};
use crate::order::schedule_of;
use crate::picked::{Picked, fields_of};
use crate::shape::Shape;
use crate::{Answer, Resources, Wanted};
use bound::Bound;
use cut::Cut;
use isx_engine::{Context, Engine, EngineError, Estimate, Outcome, Plan, Request};
use isx_machine::OverMemory;
use isx_machine::cpu::in_words;
use isx_machine::rates;
use isx_problems::resources::Goal;
use isx_problems::value::Tier;
use isx_set_union::order::Step;
use known::{Known, Reach};
use layer::Layer;
use prices::{Prices, Wants};
use run::Run;
use std::sync::Arc;
use std::time::{Duration, Instant};
use sums::Setting;

/// The list engine.
pub struct List;

/// Directions in which selections are looked for first, for each objective, and tenths of their prices to bound what sums can reach.
const DIRECTIONS: u64 = 16;
const TENTHS: [i64; 4] = [5, 8, 10, 14];
/// With fewer selections than this, none are looked for first.
const FEW: f64 = 1e6;
/// Sums of a state that are kept to find a good selection first.
const KEPT: usize = 64;
/// Most elements open at the same time.
const MOST_OPEN: usize = 24;

/// Seconds per candidate.
fn seconds_of(shape: &Shape) -> f64 {
    match (shape.cells, shape.axes.len()) {
        (Some(_), _) => rates::RESOURCES_IN_TABLE,
        (None, 1) => rates::RESOURCES_IN_STAIRS,
        (None, _) => rates::RESOURCES_IN_PAGES,
    }
}

impl Engine<Resources> for List {
    /// Time and memory as if every list had one sum; the actual lengths are known only as the lists grow.
    fn plan<'a>(&'a self, request: Request<'a, Resources>) -> Result<Plan<'a, Resources>, EngineError> {
        let Request { problem, wanted, context } = request;
        let tier = tier(problem);
        if tier > Tier::I128 {
            return Err(EngineError::Arithmetic(tier));
        }
        let Some(shape) = Shape::new(problem) else {
            return Err(EngineError::TooLarge("adds costs of up to 2^62 units".into()));
        };
        let mut schedule = schedule_of(problem, false);
        slack::arrange(&mut schedule, problem, &shape);
        let open = schedule.most_open();
        if open > MOST_OPEN {
            return Err(EngineError::TooLarge(format!(
                "keeps a list for every set of open elements, of up to {MOST_OPEN} elements; {open} are open at once"
            )));
        }
        let states = (1u64 << open) as f64;
        let candidate = seconds_of(&shape);
        let table = shape.cells.unwrap_or(0) as u64 * 16;
        context.machine.allow(128 * (1 << open) + table)?;
        let items: usize = problem.classes.iter().map(Vec::len).sum();
        let estimate = Estimate {
            seconds: states * items as f64 * candidate,
            // The lengths of the lists are known only as they grow.
            bytes: OverMemory::UNKNOWN,
        };
        Ok(Plan::watched(estimate, move |patience| {
            let fields = fields_of(problem);
            let words = if wanted == Wanted::Picks { fields.words } else { 0 };
            let setting = Setting { shape: &shape, context, words };
            let slack = slack::slack(problem, &schedule, &shape);
            let run = Run { problem, schedule: &schedule, fields, setting, slack, patience };
            if tier == Tier::I128 { run.solve::<i128>() } else { run.solve::<i64>() }
        }))
    }
}

impl Run<'_> {
    fn solve<V: Number>(self) -> Result<Outcome<Answer>, EngineError> {
        let started = Instant::now();
        let Context { progress, machine, .. } = self.setting.context;
        let steps = &self.schedule.steps;
        let bounds = self.bounds::<V>()?;
        progress.begin("solving", steps.len() as u64);
        let mut layer = Layer::<V>::start(&self);
        let (mut updates, mut done) = (0u64, 0);
        let candidate = seconds_of(self.setting.shape);
        while done < steps.len() {
            let (updates_before, done_before) = (updates, done);
            updates += self.go_on(&mut layer, &mut done, &bounds)?;
            progress.advance((done - done_before) as u64);
            // If lists grow no further, each remaining class makes as many candidates as this one did. They are counted,
            // not seconds, so that the same problem is always solved by the same engine.
            let (left, here) = ((steps.len() - done) as f64, (done - done_before) as f64);
            let expected = updates as f64 + left * (updates - updates_before) as f64 / here;
            if left > 0.0 && self.patience.is_exceeded_by(expected * candidate) {
                let sums: usize = layer.lists.iter().map(sums::length).sum();
                let why = format!("lists had {sums} sums after {done} of {} classes", steps.len());
                return Ok(Outcome::GaveUp(why));
            }
        }
        let points = self.complete(layer)?.asked_for(self.problem);
        let columns = (0..self.problem.limits.len())
            .map(|at| points.costs.iter().skip(at).step_by(points.resources).copied().collect());
        let threads = if machine.workers().are_started() { machine.threads() } else { 1 };
        let picks = (self.setting.words > 0)
            .then(|| Arc::new(Picked::new(self.problem, self.fields.clone(), points.picks)) as _);
        Ok(Outcome::solved(Answer {
            costs: columns.collect(),
            values: V::store(points.values),
            picks,
            tier: V::TIER,
            how: in_words(threads),
            threads,
            updates,
            solve: started.elapsed(),
            traceback: Duration::ZERO,
        }))
    }

    /// Processes one or more of the next classes; returns the number of candidates.
    fn go_on<V: Number>(
        &self,
        layer: &mut Layer<V>,
        done: &mut usize,
        bounds: &[Bound],
    ) -> Result<u64, EngineError> {
        let steps = &self.schedule.steps;
        let step = &steps[*done];
        let free = |step: &&Step| step.opens.is_empty() && step.closes.is_empty();
        if !layer.open.is_empty() || !free(&step) || slack::suits(self.setting.shape) {
            *done += 1;
            return layer.step(self, *done - 1, bounds.get(*done - 1));
        }
        let most = wave::together(self, &layer.lists[0], self.problem.classes[step.class].len());
        let next = steps[*done..].iter().take_while(free).take(most);
        let classes: Vec<usize> = next.map(|step| step.class).collect();
        let from = *done;
        *done += classes.len();
        let bounds: Vec<Option<&Bound>> = (from..*done).map(|at| bounds.get(at)).collect();
        wave::pass(self, &mut layer.lists[0], &classes, &bounds)
    }

    /// What sums are excluded after every step: those that cannot reach the value asked for, or the greatest known one, or
    /// that a known selection dominates.
    fn bounds<V: Number>(&self) -> Result<Vec<Bound>, EngineError> {
        if self.setting.context.all_candidates || V::TIER > Tier::I64 {
            return Ok(Vec::new());
        }
        let steps = self.schedule.steps.len();
        let none = vec![0.0; self.problem.limits.len()];
        let of_limits = || Prices::of_limits(self, 1.0, &none);
        let cuts = |of_limits: Prices, least| {
            let prices = [of_limits, Prices::free(self)];
            prices::bounds(prices.map(|prices| prices.cuts::<V>(self, least)).to_vec(), steps)
        };
        match &self.problem.goal {
            // Looking a candidate up in a table takes less time than to bound it.
            Goal::Front if self.setting.shape.cells.is_some() => Ok(Vec::new()),
            Goal::Front => Ok(self.with_known::<V>(vec![Bound::default(); steps])?),
            Goal::Greatest => {
                let prices = [of_limits()];
                let sums = self.thinned::<V>(&prices, &[])?;
                let [prices] = prices;
                Ok(sums.values.iter().max().map_or(Vec::new(), |&greatest| cuts(prices, greatest.wide())))
            }
            Goal::AtLeast(least) => {
                let least = within::<V>(self.problem, least).map_or(i128::MAX >> 40, V::wide);
                self.with_known::<V>(cuts(of_limits(), least))
            }
        }
    }

    /// The bounds, with known selections if there are any.
    fn with_known<V: Number>(&self, mut bounds: Vec<Bound>) -> Result<Vec<Bound>, EngineError> {
        let selections: f64 = self.problem.classes.iter().map(|items| items.len() as f64).product();
        if selections < FEW {
            return Ok(bounds);
        }
        let objectives = self.problem.objectives;
        let wanted = Wants::new(self);
        let valued = self.problem.goal == Goal::Front;
        let count = DIRECTIONS * self.setting.shape.compared() as u64;
        let directions: Vec<Prices> = (0..count).map(|at| wanted.direction(self, at)).collect();
        let points = self.thinned::<V>(&directions, &bounds)?.asked_for(self.problem);
        let value = |at: usize| if valued { points.values[at].wide() } else { 0 };
        let selections = points.costs.chunks_exact(points.resources).enumerate();
        let selections = selections.map(|(at, costs)| (costs[..objectives].to_vec(), value(at)));
        let Some(known) = Known::new(selections.collect()) else { return Ok(bounds) };
        let known = Arc::new(known);
        let cuts = |prices: &Prices| TENTHS.map(|tenths| prices.tenths(tenths).cuts::<V>(self, 0));
        let value: Vec<Vec<Cut>> = match valued {
            true => cuts(&Prices::of_limits(self, 1.0, &vec![0.0; self.problem.limits.len()])).to_vec(),
            false => Vec::new(),
        };
        let costs: Vec<Vec<Vec<Cut>>> =
            (0..objectives).map(|resource| cuts(&wanted.cost(self, resource)).to_vec()).collect();
        for (step, bound) in bounds.iter_mut().enumerate() {
            let at = |cuts: &Vec<Vec<Cut>>| cuts.iter().map(|cuts| cuts[step].clone()).collect();
            bound.reach = Some(Reach {
                known: known.clone(),
                value: at(&value),
                costs: costs.iter().map(at).collect(),
            });
        }
        Ok(bounds)
    }

    /// What is found if only the sums of a state are kept that are worth the most at some of these prices.
    fn thinned<V: Number>(&self, prices: &[Prices], bounds: &[Bound]) -> Result<Sums<V>, EngineError> {
        let steps = self.schedule.steps.len();
        let mut layer = Layer::<V>::start(self);
        let mut done = 0;
        while done < steps {
            self.go_on(&mut layer, &mut done, bounds)?;
            layer.thin(self, prices, KEPT);
        }
        self.complete(layer)
    }

    /// The sums of the last layer.
    fn complete<V: Number>(&self, mut layer: Layer<V>) -> Result<Sums<V>, EngineError> {
        let resources = self.problem.limits.len();
        let list = layer.lists.swap_remove(0);
        let count = sums::length(&list) as u64;
        let each = (8 * (resources + self.setting.words) + size_of::<V>()) as u64;
        self.setting.context.machine.allow(layer.bytes() + 2 * count * each)?;
        let width = self.setting.shape.width();
        let mut sums = Sums {
            resources,
            costs: vec![0; count as usize * resources],
            values: Vec::with_capacity(count as usize),
            words: self.setting.words,
            picks: Vec::with_capacity(count as usize * self.setting.words),
        };
        let mut costs = sums.costs.chunks_exact_mut(resources);
        for chunk in list {
            let mut keys = chunk.keys.chunks_exact(width);
            let mut from = 0;
            for &(first, end) in &chunk.groups {
                for (costs, key) in (from..end).zip(costs.by_ref().zip(keys.by_ref())).map(|(_, pair)| pair) {
                    self.setting.shape.costs(first, key, costs);
                }
                from = end;
            }
            sums.values.extend_from_slice(&chunk.values);
            sums.picks.extend_from_slice(&chunk.picks);
        }
        Ok(sums)
    }
}
