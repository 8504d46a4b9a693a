//! The dense dynamic program on the CPU's vector units: one row of cells, independent of the items.
//!
//! ```text
//! G(j) = 0        for item i:  G'(j) = max { G(j), G(j - w_i) + p_i }      j = 0 .. C
//! ```
//!
//! An item is one step of a sweep over the row (`sweep/`); equal items are combined in bundles; the items of one
//! capacity are found from one bit per item and cell, or by halving (`best.rs`). None of this changes an answer. The
//! lightest items come first: the row is short as long as the items so far weigh little, and light items form
//! groups.
//!
//! The recurrence is from R. Bellman, "Dynamic programming", 1957; `reference.rs` implements it directly, with a
//! worked instance.

mod best;

use super::answer::Answer;
use super::bundles::Bundles;
use super::slack::slack;
use super::sweep::BLOCK;
use super::sweep::form::Form;
use super::sweep::step::Cell;
use super::sweep::{Layer, Sweep, Target, bits_seconds, front_seconds, row_cells, work};
use super::{Decisions, Knapsack, Wanted};
use best::{Best, ROWS, holds_bits};
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_machine::cpu::{Team, growing_seconds, in_words, providing_seconds, shared_seconds, start_seconds};
use isx_machine::rates;
use isx_problems::reduce::knapsack::Reduced;
use isx_problems::value::Values;
use std::sync::Arc;
use std::time::Instant;

pub struct Dense;

/// Limit on the bytes of bits for the items of one capacity: more cost more than halving.
const BITS: u64 = 512 << 20;

impl Engine<Knapsack> for Dense {
    fn plan<'a>(&'a self, request: Request<'a, Knapsack>) -> Result<Plan<'a, Knapsack>, EngineError> {
        let Request { problem, wanted, context } = request;
        let form = Form::of(problem).ok_or(EngineError::Arithmetic(problem.tier))?;
        let need = Need::of(problem, wanted, form, context.machine.max_memory());
        context.machine.allow(need.bytes)?;
        let run = Run::new(problem, wanted, context, form, need);
        let estimate = Estimate { seconds: run.estimate(), bytes: need.bytes };
        Ok(Plan::new(estimate, move || if form.narrow { run.solve::<i32>() } else { run.solve::<i64>() }))
    }
}

#[derive(Clone, Copy)]
struct Need {
    rows: usize,
    /// Bytes of bits for the items of one capacity.
    bits: u64,
    bytes: u64,
}

impl Need {
    fn of(problem: &Reduced, wanted: Wanted, form: Form, max_memory: u64) -> Self {
        let cells = problem.capacity.saturating_add(1 + 2 * BLOCK as u64);
        let row = cells.saturating_mul(form.bytes());
        let all_bits = Decisions::bytes(problem.items.len(), cells);
        let (rows, bits) = match wanted {
            Wanted::Value | Wanted::AllValues => (2, 0),
            Wanted::AllPicks => (2, all_bits),
            Wanted::Best => {
                let left = max_memory.saturating_sub(row.saturating_mul(ROWS as u64));
                (ROWS, all_bits.min(left).min(BITS))
            }
        };
        Self { rows, bits, bytes: row.saturating_mul(rows as u64).saturating_add(bits) }
    }
}

struct Run<'a> {
    problem: &'a Reduced,
    wanted: Wanted,
    context: &'a Context<'a>,
    form: Form,
    need: Need,
    /// The bundles, lightest first.
    bundles: Bundles,
    layers: Vec<Layer>,
    /// How far below the capacity the weight of a best selection can lie, once it is known.
    slack: u64,
}

impl<'a> Run<'a> {
    fn new(problem: &'a Reduced, wanted: Wanted, context: &'a Context<'a>, form: Form, need: Need) -> Self {
        // Measurements of raw work apply every item separately.
        let bundles = Bundles::of(&problem.items, problem.capacity, !context.all_candidates);
        let layer = |(number, item)| Layer::item(form, item, number);
        let layers = bundles.items.iter().enumerate().map(layer).collect();
        Self { problem, wanted, context, form, need, bundles, layers, slack: 0 }
    }

    fn target(&self) -> Target {
        Target::of(self.wanted, self.capacity(), self.slack)
    }

    /// Whether one capacity is solved by halving.
    fn by_halves(&self) -> bool {
        self.wanted == Wanted::Best && !holds_bits(self.layers.len(), self.capacity(), self.need.bits)
    }

    fn updates(&self) -> f64 {
        work(self.form, &self.layers, self.target()).0 * if self.by_halves() { 2.0 } else { 1.0 }
    }

    fn estimate(&self) -> f64 {
        let workers = self.context.machine.workers();
        let row = row_cells(self.capacity()) as f64 * self.form.bytes() as f64;
        let (cells, mut alone) = work(self.form, &self.layers, self.target());
        if self.by_halves() {
            alone *= 2.0;
        } else if self.wanted.picks() {
            alone += bits_seconds(cells) + growing_seconds(cells / 8.0, cells / 8.0);
        }
        alone += self.need.rows as f64 * providing_seconds(row);
        alone += front_seconds(self.wanted, self.problem);
        alone += rates::KNAPSACK_PROBLEM + self.problem.items.len() as f64 * rates::KNAPSACK_SORTED;
        let items = self.layers.len().max(1) as f64;
        let an_item = shared_seconds(alone / items, self.problem.capacity as f64 / 16e3, workers.threads());
        alone.min(an_item * items + start_seconds(workers))
    }

    fn solve<V: Cell>(mut self) -> Result<Answer, EngineError> {
        let started = Instant::now();
        self.slack = slack(&self.problem.items, self.problem.capacity);
        let team = Team::of(self.context.machine.workers());
        self.context.progress.begin("solving", self.layers.len() as u64);
        let sweep = Sweep::<V>::new(self.context, &team, self.form, self.capacity());
        sweep.reserve(self.need.rows)?;
        let answer = match self.wanted {
            Wanted::Best => {
                let best = Best::new(&sweep, self.need.bits);
                self.one(best.solve(&self.layers, self.capacity(), self.slack)?)
            }
            _ => self.swept(&sweep)?,
        };
        let how = format!("{}, {}", sweep.isa.name(), in_words(team.took_part()));
        let (threads, updates) = (team.took_part(), self.updates() as u64);
        Ok(Answer { how, threads, updates, solve: started.elapsed(), ..answer })
    }

    fn capacity(&self) -> usize {
        self.problem.capacity as usize
    }

    /// The answer for the chosen items of one capacity.
    fn one(&self, mut chosen: Vec<u32>) -> Answer {
        self.bundles.unpack(&mut chosen);
        let items = || chosen.iter().map(|&item| &self.problem.items[item as usize]);
        let weight = items().map(|item| item.weight).sum();
        // The form guarantees that every sum of profits fits 128 bits.
        let profit: i128 = items().map(|item| item.profit).sum();
        Answer::new(vec![weight], Values::I128(vec![profit]), Answer::one_selection(chosen))
    }

    /// The answer read from the last row.
    fn swept<V: Cell>(&self, sweep: &Sweep<V>) -> Result<Answer, EngineError> {
        let capacity = self.capacity();
        let weights = || self.bundles.items.iter().map(|item| item.weight).collect();
        let mut bits =
            (self.wanted == Wanted::AllPicks).then(|| Decisions::new(weights(), row_cells(capacity)));
        let row = sweep.items(&self.layers, self.target(), bits.as_mut())?;
        let row = &row.cells::<V>()[..=capacity];
        let answer = self.form.answer(row, self.wanted, self.slack, sweep.team);
        let picks = bits.map(|bits| {
            let decisions = bits.starting_at(answer.weights.clone());
            Arc::new(Unpacked { decisions, bundles: self.bundles.clone() }) as _
        });
        Ok(Answer { picks, ..answer })
    }
}

/// Decisions on bundles.
#[derive(Debug)]
struct Unpacked {
    decisions: Decisions,
    bundles: Bundles,
}

impl super::Selections for Unpacked {
    fn write(&self, index: usize, chosen: &mut Vec<u32>) {
        self.decisions.write(index, chosen);
        self.bundles.unpack(chosen);
    }
}
