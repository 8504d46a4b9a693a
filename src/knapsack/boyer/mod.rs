//! Boyer's dynamic program: two rows of values, all decisions kept, compressed.
//!
//! Items go by falling profit for their weight. Then an item is taken at large capacities and not at small ones: of 32
//! neighbouring items' decisions a row is all 0 below some cell and all 1 from another on, and only what lies between is
//! kept ([`lines`]). Where one capacity is asked for, capacities too small to lead to it are left out, by Toth's bound.
//!
//! V. Boyer, D. El Baz, M. Elkihel, "Solving knapsack problems on GPU", Computers & Operations Research 39, 2012, sections 3
//! to 5; P. Toth, "Dynamic programming algorithms for the zero-one knapsack problem", Computing 25, 1980. The *factor of
//! compression* is that of their Table 1: words kept and two ends a line, over all words of the matrix.
//!
//! Worked instance: see [`lines`].

mod lines;

use super::answer::Answer;
use super::dense::form::Form;
use super::dense::pass::{CellItem, PAD};
use super::dense::sweep::{self, Cell, Sweep, row_cells, seconds, together, work};
use super::slack::slack;
use super::{Decisions, Knapsack, Wanted};
use isx_engine::rises::breakpoints;
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_machine::cpu::lanes::Isa;
use isx_machine::cpu::{Arena, Team, in_words, start_seconds};
use isx_problems::reduce::knapsack::Reduced;
use isx_problems::value::{Tier, Values};
use lines::{ITEMS, Lines};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Boyer's engine.
pub struct Boyer;

/// So many times the cells alone, with the lines that are looked through and cleared. (Measured on 10,000 of Boyer's items.)
const COMPRESSING: f64 = 2.5;

impl Engine<Knapsack> for Boyer {
    fn plan<'a>(&'a self, request: Request<'a, Knapsack>) -> Result<Plan<'a, Knapsack>, EngineError> {
        let Request { problem, wanted, context } = request;
        let narrow = match problem.tier {
            Tier::I32 => true,
            Tier::I64 => false,
            wider => return Err(EngineError::Arithmetic(wider)),
        };
        let cells = problem.capacity.saturating_add(1 + 2 * PAD as u64);
        let row = cells.saturating_mul(if narrow { 4 } else { 8 });
        // What the lines keep is asked for as it becomes known.
        let bytes = row.saturating_mul(2).saturating_add(Decisions::bytes(ITEMS, cells));
        context.machine.allow(bytes)?;
        let run = Run::new(problem, wanted, context, Form { slope: None, narrow }, bytes);
        let lines = if wanted.picks() { Decisions::bytes(problem.items.len(), cells) } else { 0 };
        let estimate = Estimate { seconds: run.estimate(), bytes: bytes.saturating_add(lines) };
        Ok(Plan::new(estimate, move || if narrow { run.solve::<i32>() } else { run.solve::<i64>() }))
    }
}

/// A solve as it was planned.
struct Run<'a> {
    problem: &'a Reduced,
    wanted: Wanted,
    context: &'a Context<'a>,
    form: Form,
    /// Bytes of rows and of a line that is not compressed.
    bytes: u64,
    /// By falling profit for the weight.
    numbers: Vec<u32>,
    cells: Vec<CellItem>,
    /// By how much a best selection may be lighter than the capacity, once it is known.
    slack: u64,
}

impl<'a> Run<'a> {
    fn new(problem: &'a Reduced, wanted: Wanted, context: &'a Context<'a>, form: Form, bytes: u64) -> Self {
        let mut numbers: Vec<u32> = (0u32..).zip(&problem.items).map(|(number, _)| number).collect();
        // Profits of these tiers stay below 2^62, so products with weights fit.
        numbers.sort_by(|&a, &b| {
            let (a, b) = (problem.items[a as usize], problem.items[b as usize]);
            (b.profit * i128::from(a.weight)).cmp(&(a.profit * i128::from(b.weight)))
        });
        let cells = numbers.iter().map(|&number| form.item(&problem.items[number as usize])).collect();
        Self { problem, wanted, context, form, bytes, numbers, cells, slack: 0 }
    }

    /// What of the last row is wanted.
    fn asked(&self) -> sweep::Wanted {
        let below = match self.wanted {
            Wanted::Value | Wanted::Best => Some(self.slack.into()),
            Wanted::AllValues | Wanted::AllPicks => None,
        };
        sweep::Wanted { capacity: self.problem.capacity as usize, below }
    }

    fn estimate(&self) -> f64 {
        let alone = seconds(self.form, work(self.form, &self.cells, self.asked()), true) * COMPRESSING;
        alone + start_seconds(self.context.machine.workers())
    }

    fn solve<V: Cell>(mut self) -> Result<Answer, EngineError> {
        let started = Instant::now();
        self.slack = slack(&self.problem.items, self.problem.capacity);
        let team = Team::of(self.context.machine.workers());
        let isa = Isa::best();
        self.context.progress.begin("solving", self.cells.len() as u64);
        let capacity = self.problem.capacity as usize;
        let row = PAD + row_cells(capacity);
        let mut arena = Arena::new(row * size_of::<V>() * 2).map_err(|error| {
            EngineError::NoMemory(format!("the system gives no memory for its rows: {error}"))
        })?;
        let mut rows = arena.rows::<V>([row, row].into_iter()).into_iter();
        let rows = [rows.next().unwrap_or_default(), rows.next().unwrap_or_default()];
        let sweep =
            Sweep { context: self.context, team: &team, isa, form: self.form, all_bits: self.wanted.picks() };
        let (row, lines) = self.sweep(&sweep, rows)?;
        let row = &row[PAD..=PAD + capacity];
        let (weights, profits) = self.points(row, &team);
        let mut how = format!("{}, {}", isa.name(), in_words(team.took_part()));
        let solve = started.elapsed();
        let started = Instant::now();
        let mut picks = None;
        if let Some(lines) = lines {
            how += &format!(", compression {:.5}", lines.factor(capacity));
            let lines = lines.starting_at(weights.clone());
            if self.wanted == Wanted::Best {
                picks = Some(Arc::new(vec![lines.selection(0)]) as _);
            } else {
                picks = Some(Arc::new(lines) as _);
            }
        }
        let traceback: Duration = started.elapsed();
        let updates = work(self.form, &self.cells, self.asked()) as u64;
        Ok(Answer { weights, profits, picks, how, threads: team.took_part(), updates, solve, traceback })
    }

    /// Line by line over the row; the lines are kept where items are wanted.
    fn sweep<'r, V: Cell>(
        &self,
        sweep: &Sweep,
        rows: [&'r mut [V]; 2],
    ) -> Result<(&'r mut [V], Option<Lines>), EngineError> {
        let (asked, cells) = (self.asked(), row_cells(self.problem.capacity as usize));
        let weights = self.cells.iter().map(|item| item.weight as u64).collect();
        let mut lines = self.wanted.picks().then(|| Lines::new(weights, self.numbers.clone()));
        let mut rows = sweep.begin(rows);
        let mut after = together(&self.cells);
        let mut line = lines.is_some().then(|| Decisions::new(vec![0; ITEMS], cells));
        for items in self.cells.chunks(ITEMS) {
            after -= together(items);
            sweep.advance(&mut rows, items, after, asked, line.as_mut())?;
            if let (Some(line), Some(lines)) = (&mut line, &mut lines) {
                let (bits, words) = line.rows();
                lines.add(bits.chunks_mut(words).take(items.len()));
                self.context.machine.allow(self.bytes.saturating_add(lines.bytes()))?;
            }
        }
        let [row, _] = sweep.end(rows, asked);
        Ok((row, lines))
    }

    /// The points asked for.
    fn points<V: Cell>(&self, row: &[V], team: &Team) -> (Vec<u64>, Values) {
        match self.wanted {
            Wanted::Value | Wanted::Best => {
                let cell = self.form.best_cell(row, row.len() - 1, self.slack);
                (vec![cell as u64], Values::I64(vec![row[cell].wide()]))
            }
            _ => {
                let (weights, profits) = breakpoints(row, team, V::clone);
                (weights, V::store(profits))
            }
        }
    }
}
