//! The dense dynamic program on the CPU's vector units: a row of cells, whatever the items.
//!
//! ```text
//! G(j) = 0        for item i:  G'(j) = max { G(j), G(j - w_i) + p_i }      j = 0 .. C
//! ```
//!
//! An item is one loop over the row (`pass.rs`); items go over it one after the other, or several in one go where the row
//! passes the cache (`sweep.rs`); items that are alike go in bundles; cells hold profits, or profits less a slope times the weight where that makes them
//! narrower (`form.rs`); the items of one capacity come from a bit an item and cell, or from halves (`best.rs`). None of
//! this changes an answer. Items go lightest first: the row is short as long as the items so far weigh little, and light
//! items form groups.
//!
//! R. Bellman, "Dynamic programming", 1957, is the recurrence; `reference.rs` its plain form, with a worked instance.

mod best;
pub(super) mod form;
pub(super) mod pass;
pub(super) mod sweep;

use super::answer::Answer;
use super::bundles::Bundles;
use super::slack::slack;
use super::{Decisions, Knapsack, Wanted};
use best::{Best, Numbered, ROWS, holds_bits};
use form::Form;
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_machine::cpu::lanes::Isa;
use isx_machine::cpu::{Arena, Team, in_words, shared_seconds, start_seconds};
use isx_problems::reduce::knapsack::Reduced;
use isx_problems::value::Values;
use pass::{CellItem, PAD};
use std::sync::Arc;
use std::time::Instant;
use sweep::{Cell, Sweep, row_cells, seconds, work};

/// The dense engine.
pub struct Dense;

/// Bytes of bits that are held for the items of one capacity, at most: more cost more than solving halves.
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

/// Memory that a solve needs.
#[derive(Clone, Copy)]
struct Need {
    rows: usize,
    /// Bytes of bits for the items of one capacity.
    bits: u64,
    bytes: u64,
}

impl Need {
    fn of(problem: &Reduced, wanted: Wanted, form: Form, max_memory: u64) -> Self {
        let cells = problem.capacity.saturating_add(1 + 2 * PAD as u64);
        let row = cells.saturating_mul(if form.narrow { 4 } else { 8 });
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

/// A solve as it was planned.
struct Run<'a> {
    problem: &'a Reduced,
    wanted: Wanted,
    context: &'a Context<'a>,
    form: Form,
    need: Need,
    /// Lightest first.
    bundles: Bundles,
    items: Vec<Numbered>,
    cells: Vec<CellItem>,
    /// By how much a best selection may be lighter than the capacity, once it is known.
    slack: u64,
}

impl<'a> Run<'a> {
    fn new(problem: &'a Reduced, wanted: Wanted, context: &'a Context<'a>, form: Form, need: Need) -> Self {
        // Raw work takes every item by itself.
        let bundles = Bundles::of(&problem.items, problem.capacity, !context.all_candidates);
        let cells: Vec<CellItem> = bundles.items.iter().map(|item| form.item(item)).collect();
        let items = cells.iter().copied().zip(0..).collect();
        Self { problem, wanted, context, form, need, bundles, items, cells, slack: 0 }
    }

    /// What of the last row is wanted.
    fn asked(&self) -> sweep::Wanted {
        let below = match self.wanted {
            Wanted::Value | Wanted::Best => Some(self.slack.into()),
            Wanted::AllValues | Wanted::AllPicks => None,
        };
        sweep::Wanted { capacity: self.problem.capacity as usize, below }
    }

    /// Whether one capacity is solved by halves.
    fn by_halves(&self) -> bool {
        let capacity = self.problem.capacity as usize;
        self.wanted == Wanted::Best && !holds_bits(self.items.len(), capacity, self.need.bits)
    }

    fn updates(&self) -> f64 {
        work(self.form, &self.cells, self.asked()) * if self.by_halves() { 2.0 } else { 1.0 }
    }

    fn estimate(&self) -> f64 {
        let updates = self.updates();
        let bits = self.wanted.picks() && !self.by_halves();
        let workers = self.context.machine.workers();
        let alone = seconds(self.form, updates, bits);
        let items = self.items.len().max(1) as f64;
        let an_item = shared_seconds(alone / items, self.problem.capacity as f64 / 16e3, workers.threads());
        alone.min(an_item * items + start_seconds(workers))
    }

    fn solve<V: Cell>(mut self) -> Result<Answer, EngineError> {
        let started = Instant::now();
        self.slack = slack(&self.problem.items, self.problem.capacity);
        let workers = self.context.machine.workers();
        let team = Team::of(workers);
        let isa = Isa::best();
        self.context.progress.begin("solving", self.items.len() as u64);
        let row = PAD + row_cells(self.problem.capacity as usize);
        let mut arena = Arena::new(row * size_of::<V>() * self.need.rows).map_err(|error| {
            EngineError::NoMemory(format!("the system gives no memory for its rows: {error}"))
        })?;
        arena.touch(&team);
        let mut rows = arena.rows::<V>(std::iter::repeat_n(row, self.need.rows)).into_iter();
        let mut row = || rows.next().unwrap_or_default();
        let sweep = Sweep { context: self.context, team: &team, isa, form: self.form, all_bits: false };
        let updates = self.updates() as u64;
        let mut answer = match self.wanted {
            Wanted::Best => {
                let chosen = Best::new(&sweep, [row(), row(), row()], self.need.bits).solve(
                    &self.items,
                    self.capacity(),
                    self.slack,
                )?;
                self.one(chosen)
            }
            _ => self.swept(&sweep, [row(), row()])?,
        };
        answer.how = format!("{}, {}", isa.name(), in_words(team.took_part()));
        answer.threads = team.took_part();
        answer.updates = updates;
        answer.solve = started.elapsed();
        Ok(answer)
    }

    fn capacity(&self) -> usize {
        self.problem.capacity as usize
    }

    /// The answer that the items of one capacity make.
    fn one(&self, mut chosen: Vec<u32>) -> Answer {
        self.bundles.unpack(&mut chosen);
        let items = || chosen.iter().map(|&item| &self.problem.items[item as usize]);
        let weight = items().map(|item| item.weight).sum();
        // The form holds every sum of profits in 128 bits.
        let profit: i128 = items().map(|item| item.profit).sum();
        answer(vec![weight], Values::I128(vec![profit]), Some(Arc::new(vec![chosen])))
    }

    /// The answer that the last row holds.
    fn swept<V: Cell>(&self, sweep: &Sweep, rows: [&mut [V]; 2]) -> Result<Answer, EngineError> {
        let capacity = self.capacity();
        let mut bits = (self.wanted == Wanted::AllPicks).then(|| {
            Decisions::new(self.cells.iter().map(|item| item.weight as u64).collect(), row_cells(capacity))
        });
        let [row, _] = sweep.run(&self.cells, self.asked(), rows, bits.as_mut())?;
        let row = &row[PAD..=PAD + capacity];
        if self.wanted == Wanted::Value {
            let cell = self.form.best_cell(row, capacity, self.slack);
            let profit = self.form.profit(cell, row[cell]).unwrap_or(0);
            return Ok(answer(vec![cell as u64], Values::I128(vec![profit]), None));
        }
        let (weights, profits) = self.form.points(row, sweep.team);
        let picks = bits.map(|bits| {
            let decisions = bits.starting_at(weights.clone());
            Arc::new(Unpacked { decisions, bundles: self.bundles.clone() }) as _
        });
        Ok(answer(weights, profits, picks))
    }
}

fn answer(weights: Vec<u64>, profits: Values, picks: Option<Arc<dyn super::Selections>>) -> Answer {
    let (solve, traceback) = Default::default();
    Answer { weights, profits, picks, how: String::new(), threads: 1, updates: 0, solve, traceback }
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
