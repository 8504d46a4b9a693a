//! The dense dynamic program on the CPU's vector units: two items per pass, the last items tried one by one.
//!
//! ```text
//! G_0 = 0        G_t(x) = max( G_{t-1}(x), G_{t-1}(x - w_t) + p_t : w_t <= x )       0 <= x <= c, in every dimension
//! ```
//!
//! A table has one plane of values, processed from its last cell to its first so that values are read before they
//! are overwritten, and two decision bits per cell and pass (`pass.rs`). Only cells that matter are computed
//! ([`Layers`]), and choices of the last items are tried one by one against the plane (`last.rs`). The problems of a
//! batch are divided among the threads. Results do not depend on instruction sets, threads or bounds, except that
//! bounds decide which of several best choices is found.
//!
//! The recurrence is equation 1 of D. Lemos, H. Longo, W. Martins and L. Foulds, "A GPU-based DP algorithm for
//! solving multiple instances of the knapsack problem"; `reference.rs` implements it directly, with a worked
//! instance.

mod last;
mod pass;
mod table;

use super::answer::{Answer, Best};
use super::layers::fitting_choices;
use super::{Batch, Layers, Multidim, map_each};
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_machine::cpu::lanes::Isa;
use isx_machine::cpu::{Team, in_words, shared_seconds, start_seconds};
use isx_machine::rates;
use isx_problems::reduce::multidim::Reduced;
use isx_problems::value::Tier;
use pass::Cell;
use std::time::{Duration, Instant};
use table::Table;

/// The dense engine.
#[derive(Clone, Copy, Debug)]
pub struct Dense {
    isa: Option<Isa>,
}

/// The cost of one choice of last items, in cells of a sweep.
const CELLS_A_CHOICE: u128 = 32;
/// A thread takes at least its share divided by this at a time, so that all threads finish at about the same time.
const PARTS_A_THREAD: usize = 8;

impl Dense {
    /// The fastest settings for this machine.
    pub const AUTO: Self = Self { isa: None };

    /// On this instruction set, for tests and benchmarks.
    pub const fn on(isa: Isa) -> Self {
        Self { isa: Some(isa) }
    }
}

/// The layers of a problem, all cells if every candidate is to be computed, and the seconds that one thread is expected
/// to need.
fn planned(problem: &Reduced, tier: Tier, context: &Context) -> (Layers, f64) {
    let choices = fitting_choices(problem);
    let layers = match context.all_candidates {
        true => Layers::whole(problem),
        false => Layers::needed(problem, |last| Some(choices.get(last)?.saturating_mul(CELLS_A_CHOICE))),
    };
    let choices = choices.get(problem.items.len() - layers.swept).copied().unwrap_or(1);
    let seconds = seconds(&layers, problem, choices, tier);
    (layers, seconds)
}

fn seconds(layers: &Layers, problem: &Reduced, choices: u128, tier: Tier) -> f64 {
    let candidate = if tier <= Tier::I64 { rates::MULTIDIM_CANDIDATE } else { rates::MULTIDIM_WIDE };
    layers.candidates() as f64 * candidate
        + choices as f64 * rates::MULTIDIM_CHOICE
        + problem.items.len() as f64 * rates::MULTIDIM_ITEM
}

impl Engine<Multidim> for Dense {
    fn plan<'a>(&'a self, request: Request<'a, Multidim>) -> Result<Plan<'a, Multidim>, EngineError> {
        let Request { problem: batch, context, .. } = request;
        let tier = batch.tier();
        let machine = context.machine;
        let planned = map_each(machine, batch.problems(), |problem| planned(problem, tier, context));
        let (plans, each): (Vec<Layers>, Vec<f64>) = planned.into_iter().unzip();
        let one: f64 = each.iter().sum();
        let bytes = plans.iter().map(|layers| table::bytes(layers, tier)).max().unwrap_or(0);
        let at_once = machine.threads().min(plans.len()).max(1);
        // If there is no memory for one table per thread, one thread solves all problems.
        let alone = machine.allow(bytes.saturating_mul(at_once as u64)).is_err();
        let bytes = if alone { bytes } else { bytes.saturating_mul(at_once as u64) };
        machine.allow(bytes)?;
        let shared =
            start_seconds(machine.workers()) + shared_seconds(one, plans.len() as f64, machine.threads());
        let estimate = Estimate { seconds: if alone { one } else { one.min(shared) }, bytes };
        let run = Run { batch, plans, context, isa: self.isa.unwrap_or_else(Isa::best), alone, seconds: one };
        match tier {
            Tier::I32 => Ok(Plan::new(estimate, move || run.solve::<i32>())),
            Tier::I64 => Ok(Plan::new(estimate, move || run.solve::<i64>())),
            Tier::I128 => Ok(Plan::new(estimate, move || run.solve::<i128>())),
            Tier::Big => Err(EngineError::Arithmetic(tier)),
        }
    }
}

/// A batch as it was planned.
struct Run<'a> {
    batch: &'a Batch,
    plans: Vec<Layers>,
    context: &'a Context<'a>,
    isa: Isa,
    /// Whether memory has room for one table only.
    alone: bool,
    /// The expected time of one thread.
    seconds: f64,
}

/// The results of one thread.
struct Part {
    best: Vec<Best>,
    updates: u64,
    traceback: Duration,
}

impl Run<'_> {
    fn solve<V: Cell>(self) -> Result<Answer, EngineError> {
        let started = Instant::now();
        let Self { batch, plans, context, isa, alone, seconds } = &self;
        let count = plans.len();
        context.progress.begin("solving", count as u64);
        let team = if *alone { Team::alone() } else { Team::of(context.machine.workers()) };
        let size = count.div_ceil(team.threads() * PARTS_A_THREAD).max(1);
        let parts: Vec<Result<Part, EngineError>> = team.map(count.div_ceil(size), *seconds, |part| {
            let range = part * size..count.min((part + 1) * size);
            let mut table = Table::<V>::new(*isa);
            let mut found = Part { best: Vec::new(), updates: 0, traceback: Duration::ZERO };
            for (problem, layers) in batch.problems()[range.clone()].iter().zip(&plans[range]) {
                solve_one(problem, layers, &mut table, &mut found, context)?;
                context.progress.advance(1);
            }
            Ok(found)
        });
        let threads = team.took_part();
        let how = format!("{}, {}", isa.name(), in_words(threads));
        let mut answer = Answer {
            best: Vec::new(),
            how,
            threads,
            updates: 0,
            solve: Duration::ZERO,
            traceback: Duration::ZERO,
        };
        for part in parts {
            let Part { best, updates, traceback } = part?;
            answer.best.extend(best);
            answer.updates = answer.updates.saturating_add(updates);
            answer.traceback += traceback / threads as u32;
        }
        answer.solve = started.elapsed().saturating_sub(answer.traceback);
        Ok(answer)
    }
}

fn solve_one<V: Cell>(
    problem: &Reduced,
    layers: &Layers,
    table: &mut Table<V>,
    found: &mut Part,
    context: &Context,
) -> Result<(), EngineError> {
    let arithmetic = || EngineError::Arithmetic(problem.tier());
    let profits: Option<Vec<V>> = problem.items.iter().map(|item| V::from_big(&item.profit.into())).collect();
    let profits = profits.ok_or_else(arithmetic)?;
    table.sweep(problem, &profits, layers, context)?;
    let started = Instant::now();
    let last = last::search(problem, &profits, layers.swept, context, |cell| table.value(cell))?;
    let mut chosen = table.walk_back(problem, layers, last.cell);
    chosen.extend(last.chosen);
    found.best.push(Best { profit: last.profit.to_big(), chosen });
    found.updates = found.updates.saturating_add(layers.candidates()).saturating_add(last.tried);
    found.traceback += started.elapsed();
    Ok(())
}
