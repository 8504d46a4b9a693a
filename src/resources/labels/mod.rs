//! The exact dynamic program over labels: for every set of open elements, the undominated sums.
//!
//! A *label* is a sum over the classes so far: its amounts of every resource, its load in every open mode, and its cost
//! (how far its value is below the greatest). Labels of a set of elements are sorted by one amount. An option shifts a
//! list, and the shifted lists of a class are merged: those labels stay that no label before dominates.
//!
//! An element is open from the first class that can use it to the last. An option leads from the set of open elements that
//! are built to the one with its elements added, which are paid for then. When an element closes, labels without it pay
//! what it costs unbuilt. When a mode closes, the cost becomes the largest of itself and the mode's load.
//!
//! Of labels of a set that are equal in everything the one of the smallest option stays, whose label before it is the first
//! in its layer. Without elements and modes that makes the answer the canonical one: compared from the last class to the
//! first, the item that comes first in its class. The items of a point are found by following what each label was made of.
//!
//! Worked instance, two resources: classes {nothing, (4; 1, 0), (4; 0, 2)} and {nothing, (3; 1, 1)} as (value; amounts),
//! limits (2, 2). Costs are {4, 0, 0} and {3, 0}. First layer: (4; 0, 0), (0; 0, 2), (0; 1, 0). Second: (7; 0, 0), (3; 0,
//! 2), (3; 1, 0), and (0; 2, 1); what takes (1, 1) alone costs 4, and (3; 1, 0) beats it.

mod bounds;
mod guard;
mod layer;
mod limits;
mod merge;
mod order;
mod points;
mod shape;
mod space;
mod stairs;

pub use limits::Limits;
#[cfg(feature = "cuda")]
pub(crate) use order::in_file_order;

use crate::number::tier;
use crate::{Answer, Resources, Wanted};
use bounds::{Bound, Frame, Prices};
use isx_engine::{Context, Engine, EngineError, Estimate, Outcome, Patience, Plan, Request};
use isx_machine::OverMemory;
use isx_machine::cpu::{in_words, shared_seconds};
use isx_machine::rates;
use isx_problems::mckp::Configurations;
use isx_problems::resources::{Cost, Goal, Problem, Wide};
use isx_problems::value::Tier;
use layer::{Layer, Maker, Trace};
use merge::{Prune, View};
use points::{Complete, Walked};
use shape::Shape;
use space::{Outline, Space};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The label engine.
#[derive(Clone, Copy, Debug)]
pub struct Labels(pub Limits);

/// The label engine with its usual limits.
pub const LABELS: Labels = Labels(Limits::USUAL);
/// The bits of the widest costs.
pub const MOST_BITS: u64 = Wide::<20>::BITS - 1;
/// With fewer selections than this, none are looked for first.
const FEW: f64 = 1e6;
/// Labels of a set that are kept to find a good selection first.
const KEPT: usize = 64;

/// Seconds per candidate.
fn seconds_of(shape: &Shape, problem: &Problem) -> f64 {
    match (shape.cells, shape.axes.len() + problem.modes) {
        (_, 0) => rates::RESOURCES_IN_LIST,
        (Some(_), _) => rates::RESOURCES_IN_TABLE,
        (None, 1) => rates::RESOURCES_IN_STAIRS,
        (None, _) => rates::RESOURCES_IN_PAGES,
    }
}

impl Engine<Resources> for Labels {
    /// Time and memory as if every list had one label; the actual lengths are known only as the lists grow.
    fn plan<'a>(&'a self, request: Request<'a, Resources>) -> Result<Plan<'a, Resources>, EngineError> {
        let Request { problem, wanted, context } = request;
        let least = match wanted.at_least {
            Tier::I32 | Tier::I64 => 0,
            Tier::I128 => 63,
            Tier::Big => 127,
        };
        let bits = space::bits(problem).max(least);
        let outline = Outline::new(problem)?;
        let table = outline.shape.cells.unwrap_or(0) as u64 * 16;
        context.machine.allow(128 + table)?;
        let items: usize = problem.classes.iter().map(Vec::len).sum();
        let estimate = Estimate {
            seconds: items as f64 * seconds_of(&outline.shape, problem),
            // The lengths of the lists are known only as they grow.
            bytes: OverMemory::UNKNOWN,
        };
        if bits > MOST_BITS {
            return Err(EngineError::Width { needed: bits, held: MOST_BITS });
        }
        Ok(Plan::watched(estimate, move |patience| match bits {
            0..=62 => self.run::<u64>(problem, outline, wanted, context, patience),
            63..=126 => self.run::<u128>(problem, outline, wanted, context, patience),
            127..=510 => self.run::<Wide<8>>(problem, outline, wanted, context, patience),
            _ => self.run::<Wide<20>>(problem, outline, wanted, context, patience),
        }))
    }
}

impl Labels {
    fn run<C: Cost>(
        self,
        problem: &Problem,
        outline: Outline,
        wanted: Wanted,
        context: &Context<'_>,
        patience: Patience<'_>,
    ) -> Result<Outcome<Answer>, EngineError> {
        let started = Instant::now();
        let space = Space::<C>::new(problem, outline);
        let mut run = Run { limits: self.0, most: space.most, space: &space, context, keeps: wanted.picks };
        let bounds = bounds(&mut run)?;
        context.progress.begin("solving", space.steps.len() as u64);
        let Done { layer, traces, looked, longest, gave_up } = run.layers(&bounds, Some(patience), None)?;
        if let Some(why) = gave_up {
            return Ok(Outcome::GaveUp(why));
        }
        let complete = run.complete(&layer)?;
        let points = complete.points(problem);
        let column = |at: usize| points.iter().map(|&point| complete.row(point as usize)[at]).collect();
        let costs = (0..problem.limits.len()).map(column).collect();
        // Values may be wider than costs, which count from the greatest.
        let tier = tier(problem).max(wanted.at_least);
        let values = space.values(points.iter().map(|&point| complete.costs[point as usize]), tier);
        let machine = context.machine;
        let threads = if machine.workers().are_started() { machine.threads() } else { 1 };
        let picks =
            run.keeps.then(|| Arc::new(Walked::new(problem, points, traces)) as Arc<dyn Configurations>);
        let answer = Answer {
            costs,
            values,
            picks,
            tier,
            how: in_words(threads),
            threads,
            updates: looked,
            solve: started.elapsed(),
            traceback: Duration::ZERO,
        };
        // With more than one amount the classes of a wave are not all seen.
        let is_plain = problem.elements.is_empty() && space.is_stairs();
        let because = is_plain.then(|| format!("the lists stay short, at most {}", counted(longest)));
        Ok(Outcome::Solved { answer, because })
    }
}

/// A run of the engine.
struct Run<'a, C> {
    limits: Limits,
    /// The greatest cost and load that is asked for.
    most: Option<C>,
    space: &'a Space<'a, C>,
    context: &'a Context<'a>,
    /// Whether what labels were made of is kept.
    keeps: bool,
}

/// By what the labels that are kept of every set are chosen.
#[derive(Clone, Copy)]
enum Thin<'a> {
    /// Their worth at each of some prices.
    Prices(&'a [Prices]),
    /// Their loads.
    Loads,
}

/// The last layer.
struct Done<C> {
    layer: Layer<C>,
    traces: Vec<Trace>,
    looked: u64,
    /// Labels of the largest layer.
    longest: usize,
    gave_up: Option<String>,
}

/// A number of labels, in words.
fn counted(labels: usize) -> String {
    format!("{labels} label{}", if labels == 1 { "" } else { "s" })
}

impl<C: Cost> Run<'_, C> {
    /// All layers, one after the other; with prices only some labels of each are kept.
    fn layers(
        &self,
        bounds: &[Bound],
        patience: Option<Patience<'_>>,
        thin: Option<Thin<'_>>,
    ) -> Result<Done<C>, EngineError> {
        let steps = &self.space.steps;
        let shape = &self.space.shape;
        let maker = Maker {
            limits: self.limits,
            most: self.most,
            space: self.space,
            context: self.context,
            bytes: AtomicU64::new(0),
        };
        // Bounds are of costs of 64 bits.
        let excludes: Vec<_> = bounds
            .iter()
            .map(|bound| {
                move |first: u64, key: &[u64], cost: C| bound.excludes(shape, first, key, cost.rough())
            })
            .collect();
        let prune = |number: usize| excludes.get(number).map(|excludes| excludes as Prune<'_, C>);
        let mut layer = Layer::start(self.space);
        let mut traces: Vec<Trace> = Vec::new();
        let (mut looked, mut done, mut traced, mut longest) = (0, 0, 0u64, 1);
        let candidate = seconds_of(shape, self.space.problem);
        while done < steps.len() {
            let (looked_before, done_before) = (looked, done);
            maker.bytes.store(traced + layer.bytes(), Ordering::Relaxed);
            let together = if thin.is_some() { 1 } else { maker.together(&layer, done) };
            let (next, made) = if together > 1 {
                let prunes: Vec<Option<Prune<'_, C>>> = (done..done + together).map(prune).collect();
                let (next, made, more) = maker.wave(&layer, done..done + together, &prunes)?;
                looked += more;
                (next, made)
            } else {
                let (next, made, more) = maker.step(&layer, done, prune(done))?;
                looked += more;
                (next, vec![made])
            };
            layer = next;
            done += together;
            longest = longest.max(layer.len());
            if let Some(thin) = thin {
                layer = self.thinned(&layer, thin);
                continue;
            }
            if self.keeps {
                traced += made.iter().map(Trace::bytes).sum::<u64>();
                traces.extend(made);
            }
            self.context.progress.advance((done - done_before) as u64);
            // If lists grow no further, each remaining class makes as many candidates as this one did. They are counted,
            // not seconds, so that the same problem is always solved by the same engine.
            let (left, here) = ((steps.len() - done) as f64, (done - done_before) as f64);
            let of_class = (looked - looked_before) as f64 / here;
            let expected = (looked as f64 + left * of_class) * candidate;
            // Short lists are for one thread.
            let is_shared = of_class > self.limits.shared as f64;
            let threads = if is_shared { self.context.machine.threads() } else { 1 };
            let expected = shared_seconds(expected, threads as f64, threads);
            if left > 0.0 && patience.is_some_and(|patience| patience.is_exceeded_by(expected)) {
                let labels = counted(layer.len());
                let why = format!("after {done} of {} classes the lists hold {labels}", steps.len());
                return Ok(Done { layer, traces, looked, longest, gave_up: Some(why) });
            }
        }
        Ok(Done { layer, traces, looked, longest, gave_up: None })
    }

    /// The labels of every set that are worth the most, this many at each of some prices, or have the least loads.
    fn thinned(&self, layer: &Layer<C>, thin: Thin<'_>) -> Layer<C> {
        let shape = &self.space.shape;
        let width = shape.width();
        let keep = |view: &View<'_, C>| -> Vec<usize> {
            if view.len() <= KEPT {
                return (0..view.len()).collect();
            }
            let mut kept = vec![false; view.len()];
            let mut amounts = vec![0; shape.resources];
            let mut keep = |worth: &mut dyn FnMut(usize) -> i128| {
                let mut worth: Vec<(i128, usize)> = (0..view.len()).map(|at| (worth(at), at)).collect();
                worth.select_nth_unstable_by(KEPT, |a, b| b.cmp(a));
                worth[..KEPT].iter().for_each(|&(_, at)| kept[at] = true);
            };
            match thin {
                Thin::Prices(all) => all.iter().for_each(|prices| {
                    keep(&mut |at| {
                        shape.amounts(view.first[at], &view.keys[at * width..][..width], &mut amounts);
                        prices.worth(&amounts, view.costs[at].rough())
                    });
                }),
                Thin::Loads => keep(&mut |at| {
                    let loads = &view.loads[at * self.space.places..][..self.space.places];
                    -loads.iter().map(|load| i128::from(load.rough())).sum::<i128>()
                }),
            }
            (0..view.len()).filter(|&at| kept[at]).collect()
        };
        layer.only(width, self.space.places, &keep)
    }

    fn complete(&self, layer: &Layer<C>) -> Result<Complete<C>, EngineError> {
        let each = 8 * self.space.shape.resources + size_of::<C>() + 8;
        self.context.machine.allow(layer.bytes() + (layer.len() * each) as u64)?;
        Ok(Complete::new(self.space, layer))
    }
}

/// The bounds that exclude labels after every step: labels that cannot reach the value asked for, or the greatest known one, or that
/// cost no less than a known selection of that value. There are none for a front (to look labels up takes less time than to
/// bound them), for wide costs and for several modes.
fn bounds<C: Cost>(run: &mut Run<'_, C>) -> Result<Vec<Bound>, EngineError> {
    let space = run.space;
    if space.problem.modes > 0 && space.problem.goal == Goal::Greatest && !run.context.all_candidates {
        let done = run.layers(&[], None, Some(Thin::Loads))?;
        run.most = run.complete(&done.layer)?.costs.iter().min().copied();
    }
    let is_front = space.problem.goal == Goal::Front;
    if is_front || run.context.all_candidates || C::BITS > 64 || space.problem.modes > 0 {
        return Ok(Vec::new());
    }
    let frame = Frame::new(space);
    let mut bounds = bounds::none(&frame);
    if space.problem.goal == Goal::Greatest {
        let done = run.layers(&[], None, Some(Thin::Prices(&[bounds::of_greatest(&frame)])))?;
        if let Some(least) = run.complete(&done.layer)?.costs.iter().min() {
            bounds::exclude_above(&frame, least.rough(), &mut bounds);
        }
        return Ok(bounds);
    }
    if let Some(most) = space.most {
        bounds::exclude_above(&frame, most.rough(), &mut bounds);
    }
    let selections: f64 = space.problem.classes.iter().map(|items| items.len() as f64).product();
    if selections < FEW {
        return Ok(bounds);
    }
    let done = run.layers(&bounds, None, Some(Thin::Prices(&bounds::directions(&frame))))?;
    let complete = run.complete(&done.layer)?;
    let amounts = |&at: &u32| complete.row(at as usize)[..space.problem.objectives].to_vec();
    let known = complete.points(space.problem).iter().map(amounts).collect();
    bounds::compare_with(&frame, known, &mut bounds);
    Ok(bounds)
}
