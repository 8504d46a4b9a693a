//! Batches on the CPU: each problem by one thread, in memory that is allocated once for many problems.
//!
//! Usually few items can be part of a best selection: the relaxation's bound at the one capacity, together with the
//! value of a good selection, excludes most items (`prune.rs`), and the Pareto lists over the classes that still have
//! a choice contain only a few states (`grow.rs`). The reduction before that is the one of
//! [`isx_problems::reduce::mckp`], done in place.

mod grow;
mod left;
mod prune;

use super::{Answers, Batch, Found, MckpBatch, NO_ITEM, One};
use crate::family::answer_bytes;
use grow::Grown;
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_machine::cpu::{Team, in_words, shared_seconds, start_seconds};
use isx_machine::rates::{Rate, Rates};
use isx_problems::mckp::Choice;
use isx_problems::value::Tier;
use left::{Class, Left, Taken};
use prune::Pruned;
use std::ops::Range;
use std::time::Instant;

/// The lists engine.
pub struct Lists;

/// Parts per thread, so that all threads end at about the same time.
const PARTS_A_THREAD: usize = 16;
/// Problems between two checks for cancellation.
const LOOK_UP: usize = 64;

impl Engine<MckpBatch> for Lists {
    fn plan<'a>(&'a self, request: Request<'a, MckpBatch>) -> Result<Plan<'a, MckpBatch>, EngineError> {
        let Request { problem: batch, context, .. } = request;
        let bytes = answer_bytes(batch).saturating_mul(2);
        context.machine.allow(bytes)?;
        let machine = context.machine;
        let rates = machine.rates();
        let one = seconds(batch, rates);
        let shared = start_seconds(machine.workers())
            + shared_seconds(rates, one, batch.len() as f64, machine.threads());
        Ok(Plan::new(Estimate { seconds: one.min(shared), bytes }, move || solve(batch, context)))
    }
}

fn seconds(batch: &Batch, rates: &Rates) -> f64 {
    batch.items() as f64 * rates[Rate::BatchItem]
}

/// A thread's results for its problems.
struct Part {
    found: Vec<Found>,
    picks: Vec<u32>,
    updates: u64,
}

fn solve(batch: &Batch, context: &Context) -> Result<Answers, EngineError> {
    let started = Instant::now();
    context.progress.begin("solving", batch.len() as u64);
    let team = Team::of(context.machine.workers());
    let size = batch.len().div_ceil(team.threads() * PARTS_A_THREAD).max(1);
    let parts = team.map(batch.len().div_ceil(size), seconds(batch, team.rates()), |part| {
        solve_part(batch, part * size..batch.len().min((part + 1) * size), context)
    });
    let threads = team.took_part();
    let mut answers = Answers {
        found: Vec::with_capacity(batch.len()),
        picks: Vec::with_capacity(batch.classes()),
        how: in_words(threads),
        threads,
        tier: Tier::I64,
        updates: 0,
        solve: started.elapsed(),
    };
    for part in parts {
        let Part { found, picks, updates } = part?;
        answers.found.extend(found);
        answers.picks.extend(picks);
        answers.updates = answers.updates.saturating_add(updates);
    }
    answers.solve = started.elapsed();
    Ok(answers)
}

fn solve_part(batch: &Batch, problems: Range<usize>, context: &Context) -> Result<Part, EngineError> {
    let classes = batch.classes_before(problems.start)..batch.classes_before(problems.end);
    let mut part =
        Part { found: Vec::with_capacity(problems.len()), picks: vec![NO_ITEM; classes.len()], updates: 0 };
    let mut workspace = Workspace::default();
    for at in problems {
        if part.found.len().is_multiple_of(LOOK_UP) {
            context.go_on()?;
        }
        let own = batch.classes_before(at) - classes.start..batch.classes_before(at + 1) - classes.start;
        let found = workspace.solve(batch.get(at), &mut part.picks[own]);
        part.updates = part.updates.saturating_add(workspace.grown.candidates());
        part.found.push(found);
    }
    context.progress.advance(part.found.len() as u64);
    Ok(part)
}

/// Solves these problems of a batch, which another engine left unsolved.
#[cfg(feature = "cuda")]
pub(super) fn complete(
    batch: &Batch,
    answers: &mut Answers,
    left: &[usize],
    context: &Context,
) -> Result<(), EngineError> {
    let one = |at: u64| {
        context.go_on()?;
        let (mut workspace, at) = (Workspace::default(), left[at as usize]);
        let mut picks = vec![NO_ITEM; batch.get(at).classes()];
        let found = workspace.solve(batch.get(at), &mut picks);
        Ok::<_, EngineError>((at, found, picks, workspace.grown.candidates()))
    };
    for solved in context.machine.workers().map(left.len() as u64, true, one) {
        let (at, found, picks, candidates) = solved?;
        answers.found[at] = found;
        let first = batch.classes_before(at);
        answers.picks[first..first + picks.len()].copy_from_slice(&picks);
        answers.updates = answers.updates.saturating_add(candidates);
    }
    Ok(())
}

/// The gains of a problem sum to less than this, so that they can be scaled by a useful power of two.
const MOST_GAIN: i128 = 1 << 40;
/// Engines add two weights, each at most the capacity, without an overflow check.
const MOST_CAPACITY: u64 = 1 << 62;

/// The memory of one thread.
#[derive(Default)]
struct Workspace {
    items: Vec<Left>,
    classes: Vec<Class>,
    pruned: Pruned,
    grown: Grown,
}

impl Workspace {
    /// Solves a problem; its items, one per class, go to `picks`.
    fn solve(&mut self, problem: One<'_>, picks: &mut [u32]) -> Found {
        self.grown.begin();
        let mut taken = match self.sift(problem) {
            Ok(taken) => taken,
            Err(found) => return found,
        };
        self.pruned.prune(&mut self.items, &mut self.classes, &mut taken);
        let Some(best) = self.grown.best(&self.items, &self.classes, &self.pruned, taken.capacity) else {
            return Found::Left;
        };
        for (pick, (class, number)) in picks.iter_mut().zip(self.classes.iter().zip(&self.pruned.numbers)) {
            let number = match number {
                Some(number) => *number,
                None => self.grown.number(&self.items[class.start..class.end], best.key),
            };
            *pick = number.checked_sub(1).unwrap_or(NO_ITEM);
        }
        Found::Best { value: taken.value + i128::from(best.gain), weight: taken.weight + best.weight }
    }

    /// Removes dominated items, and subtracts the lightest item of every class.
    fn sift(&mut self, problem: One<'_>) -> Result<Taken, Found> {
        self.items.clear();
        self.classes.clear();
        let mut taken = Taken { value: 0, weight: 0, capacity: problem.capacity };
        let mut most = 0;
        for at in 0..problem.classes() {
            let (values, weights) = problem.class(at);
            let class = sift_class(values, weights, problem.choice, &mut self.items);
            let (base, gain) = class.ok_or(Found::Infeasible)?;
            taken.value += base.value;
            taken.weight = taken.weight.checked_add(base.weight).ok_or(Found::Infeasible)?;
            most += gain;
            let start = self.classes.last().map_or(0, |class| class.end);
            self.classes.push(Class { start, end: self.items.len() });
        }
        taken.capacity =
            taken.capacity.checked_sub(taken.weight).ok_or(Found::Infeasible)?.min(MOST_CAPACITY);
        if most >= MOST_GAIN { Err(Found::Left) } else { Ok(taken) }
    }
}

/// The lightest item of a class.
struct Lightest {
    value: i128,
    weight: u64,
}

/// Appends the undominated items of a class; returns its lightest item and the largest gain of another item over it.
/// `None` if the class must give an item and has none.
fn sift_class(
    values: &[i64],
    weights: &[u64],
    choice: Choice,
    items: &mut Vec<Left>,
) -> Option<(Lightest, i128)> {
    let start = items.len();
    // Gains are values at first.
    if choice == Choice::Optional {
        items.push(Left::default());
    }
    let listed = (1u32..).zip(values.iter().zip(weights));
    items.extend(listed.map(|(number, (&gain, &weight))| Left { weight, gain, number }));
    let class = items.get_mut(start..)?;
    class.sort_unstable_by(|a, b| {
        a.weight.cmp(&b.weight).then(b.gain.cmp(&a.gain)).then(a.number.cmp(&b.number))
    });
    let Left { weight, gain: base, .. } = *class.first()?;
    let (mut kept, mut best) = (0, None);
    for at in 0..class.len() {
        let item = class[at];
        if best.is_none_or(|best| item.gain > best) {
            best = Some(item.gain);
            class[kept] = Left {
                weight: item.weight - weight,
                // A wrapped value is detected below: the largest gain exceeds the limit, and the problem is left
                // unsolved.
                gain: item.gain.wrapping_sub(base),
                number: item.number,
            };
            kept += 1;
        }
    }
    let most = i128::from(best?) - i128::from(base);
    items.truncate(start + kept);
    Some((Lightest { value: base.into(), weight }, most))
}
