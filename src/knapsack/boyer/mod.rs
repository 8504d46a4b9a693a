//! Boyer's dynamic program: two rows of values, all decisions stored in compressed form.
//!
//! Items are sorted by falling profit per weight. Then an item is taken at large capacities and not at small ones:
//! for 32 consecutive items a row of decisions is all 0 below some cell and all 1 from another on, and only the
//! cells between them are stored ([`lines`]). If one capacity is requested, capacities too small to lead to it are
//! skipped, by Toth's bound.
//!
//! V. Boyer, D. El Baz, M. Elkihel, "Solving knapsack problems on GPU", Computers & Operations Research 39, 2012,
//! sections 3 to 5; P. Toth, "Dynamic programming algorithms for the zero-one knapsack problem", Computing 25, 1980.
//! The *factor of compression* is that of their Table 1: words stored and two ends per line, divided by all words of
//! the matrix. Compressing counts as time of the traceback, which alone needs the lines.
//!
//! Worked instance: see [`lines`].

mod lines;

use super::answer::Answer;
use super::slack::slack;
use super::sweep::form::Form;
use super::sweep::step::{BLOCK, Cell};
use super::sweep::{Layer, Row, Sweep, Target, bits_seconds, front_seconds, row_cells, together, work};
use super::{Decisions, Knapsack, Wanted};
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_machine::cpu::{Team, in_words, providing_seconds, start_seconds};
use isx_machine::rates;
use isx_problems::reduce::knapsack::Reduced;
use isx_problems::value::Tier;
use lines::{ITEMS, Lines};
use std::sync::Arc;
use std::time::{Duration, Instant};

pub struct Boyer;

/// Bits are written, scanned and cleared, where others write them only.
const COMPRESSING: f64 = 1.3;

impl Engine<Knapsack> for Boyer {
    fn plan<'a>(&'a self, request: Request<'a, Knapsack>) -> Result<Plan<'a, Knapsack>, EngineError> {
        let Request { problem, wanted, context } = request;
        let narrow = match problem.tier {
            Tier::I32 => true,
            Tier::I64 => false,
            wider => return Err(EngineError::Arithmetic(wider)),
        };
        let form = Form { slope: None, narrow };
        let cells = problem.capacity.saturating_add(1 + 2 * BLOCK as u64);
        let row = cells.saturating_mul(form.bytes());
        // Memory for the stored lines is requested as their size becomes known.
        let bytes = row.saturating_mul(2).saturating_add(Decisions::bytes(ITEMS, cells));
        context.machine.allow(bytes)?;
        let run = Run::new(problem, wanted, context, form, bytes);
        let lines = if wanted.picks() { Decisions::bytes(problem.items.len(), cells) } else { 0 };
        let estimate = Estimate { seconds: run.estimate(), bytes: bytes.saturating_add(lines) };
        Ok(Plan::new(estimate, move || if narrow { run.solve::<i32>() } else { run.solve::<i64>() }))
    }
}

struct Run<'a> {
    problem: &'a Reduced,
    wanted: Wanted,
    context: &'a Context<'a>,
    form: Form,
    /// Bytes of rows and of one uncompressed line.
    bytes: u64,
    /// In the file's order, until they are sorted by falling profit per weight.
    layers: Vec<Layer>,
    /// How far below the capacity the weight of a best selection can lie, once it is known.
    slack: u64,
}

impl<'a> Run<'a> {
    fn new(problem: &'a Reduced, wanted: Wanted, context: &'a Context<'a>, form: Form, bytes: u64) -> Self {
        let layers =
            (0..).zip(&problem.items).map(|(number, item)| Layer::item(form, item, number)).collect();
        Self { problem, wanted, context, form, bytes, layers, slack: 0 }
    }

    /// Profits of these tiers stay below 2^62, so products with weights fit.
    fn sort(&mut self) {
        let items = &self.problem.items;
        self.layers.sort_by(|a, b| {
            let (a, b) = (items[a.group], items[b.group]);
            (b.profit * i128::from(a.weight)).cmp(&(a.profit * i128::from(b.weight)))
        });
    }

    fn target(&self) -> Target {
        Target::of(self.wanted, self.problem.capacity as usize, self.slack)
    }

    fn updates(&self) -> f64 {
        work(self.form, &self.layers, self.target()).0
    }

    fn estimate(&self) -> f64 {
        let workers = self.context.machine.workers();
        let (cells, mut seconds) = work(self.form, &self.layers, self.target());
        if self.wanted.picks() {
            seconds += bits_seconds(cells) * COMPRESSING;
        }
        let row = row_cells(self.problem.capacity as usize) as f64 * self.form.bytes() as f64;
        seconds += 2.0 * providing_seconds(row) + front_seconds(self.wanted, self.problem);
        seconds += rates::KNAPSACK_PROBLEM + self.layers.len() as f64 * rates::KNAPSACK_SORTED;
        seconds + start_seconds(workers)
    }

    fn solve<V: Cell>(mut self) -> Result<Answer, EngineError> {
        let started = Instant::now();
        self.slack = slack(&self.problem.items, self.problem.capacity);
        self.sort();
        let team = Team::of(self.context.machine.workers());
        self.context.progress.begin("solving", self.layers.len() as u64);
        let capacity = self.problem.capacity as usize;
        let mut sweep = Sweep::<V>::new(self.context, &team, self.form, capacity, BLOCK);
        sweep.all_bits = self.wanted.picks();
        let (row, lines, compressing) = self.sweep(&sweep)?;
        let row = &row.cells::<V>(sweep.pad)[..=capacity];
        let answer = self.form.answer(row, self.wanted, self.slack, &team);
        let mut how = format!("{}, {}", sweep.isa.name(), in_words(team.took_part()));
        let solve = started.elapsed().saturating_sub(compressing);
        let started = Instant::now();
        let picks = lines.map(|lines| {
            how += &format!(", compression {:.5}", lines.factor(capacity));
            let lines = lines.starting_at(answer.weights.clone());
            match self.wanted {
                Wanted::Best => Arc::new(vec![lines.selection(0)]) as _,
                _ => Arc::new(lines) as _,
            }
        });
        let traceback = compressing + started.elapsed();
        let (threads, updates) = (team.took_part(), self.updates() as u64);
        Ok(Answer { picks, how, threads, updates, solve, traceback, ..answer })
    }

    /// Processes the items line by line; the lines are stored if items are requested, in this time.
    fn sweep<V: Cell>(&self, sweep: &Sweep<V>) -> Result<(Row, Option<Lines>, Duration), EngineError> {
        let (target, cells) = (self.target(), row_cells(self.problem.capacity as usize));
        let weights = self.layers.iter().map(|layer| layer.step.reach() as u64).collect();
        let numbers = self.layers.iter().map(|layer| layer.group as u32).collect();
        let mut lines = self.wanted.picks().then(|| Lines::new(weights, numbers));
        let mut after = together(&self.layers);
        let mut line = lines.is_some().then(|| Decisions::new(vec![0; ITEMS], cells));
        let mut row = sweep.start()?;
        let mut compressing = Duration::ZERO;
        for items in self.layers.chunks(ITEMS) {
            after -= together(items);
            let target = Target { below: target.below.map(|below| below + after), ..target };
            (_, row) = sweep.run(row, items, target, &|_| false, line.as_mut())?;
            if let (Some(line), Some(lines)) = (&mut line, &mut lines) {
                let started = Instant::now();
                let (bits, words) = line.rows();
                lines.add(bits.chunks_mut(words).take(items.len()));
                compressing += started.elapsed();
                self.context.machine.allow(self.bytes.saturating_add(lines.bytes()))?;
            }
        }
        Ok((row, lines, compressing))
    }
}
