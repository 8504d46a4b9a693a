//! One row of values for every set of open elements.
//!
//! An element is open from the first class that can use it to the last, in file order. When it opens, the algorithm
//! branches on whether it is paid for: a state is the set of open elements that are. Each state has a row: the
//! greatest value within each weight. An item updates the rows of the states that have all its elements; when an
//! element closes, the rows with and without it are merged by taking the greater value in every cell.
//!
//! ```text
//! G_s(j) = max( G_s(j), max_k { G_s(j - w_k) + v_k : S_k in s } )
//! ```
//!
//! The rows before each class are stored, and the traceback finds the selection of a point: from the last class of
//! the file to the first, it takes the smallest item number with which the value can be reached from any state that
//! is still possible. A point's weight is the least for its value, so every selection found has exactly that weight,
//! and the first one found is canonical.
//!
//! Worked instance: an element of weight 5, two classes with one item each that uses it, (3, 1) and (4, 2) as (value,
//! weight), capacity 8. Not paid for: 0 everywhere. Paid for: 0 from 5 on, then 3 from 6 on, then 4 at 7 and 7 at 8.
//! Closed: 0, 3 from 6, 4 from 7, 7 at 8.

mod rows;
mod trace;

use super::fields::{Selections, fields_of};
use super::most::{MOST_OPEN, is_cut};
use super::order::{Schedule, Step, bits_of, excluded_by, used_by_class};
use super::{Answer, SetUnion};
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request, expected_points};
use isx_machine::cpu::{Arena, LARGE, growing_seconds, in_words, providing_seconds};
use isx_machine::rates;
use isx_problems::reduce::set_union::Reduced;
use isx_problems::value::{Tier, Value};
use num_integer::Integer;
use rows::{Level, Memory, Rows};
use std::time::Instant;
use trace::Trace;

/// The dense engine.
pub struct Dense;

impl Engine<SetUnion> for Dense {
    fn plan<'a>(&'a self, request: Request<'a, SetUnion>) -> Result<Plan<'a, SetUnion>, EngineError> {
        let Request { problem, wanted, context } = request;
        let tier = problem.tier().max(wanted).max(Tier::I64);
        if tier > Tier::I64 {
            return Err(EngineError::Arithmetic(tier));
        }
        let schedule = Schedule::in_file_order(&used_by_class(problem), &problem.elements);
        let table = Table::new(problem, schedule, context)?;
        let estimate = table.estimate;
        Ok(Plan::new(estimate, move || table.run()))
    }
}

/// The correlation of the items' values and weights; 0 if either is the same for all.
fn correlation(problem: &Reduced) -> f64 {
    let items = || {
        problem
            .classes
            .iter()
            .flatten()
            .map(|item| (i64::from_big(&item.value).unwrap_or(0) as f64, item.weight as f64))
    };
    let count = items().count().max(1) as f64;
    let (values, weights) = items().fold((0.0, 0.0), |(a, b), (value, weight)| (a + value, b + weight));
    let (value, weight) = (values / count, weights / count);
    let [both, of_values, of_weights] = items().fold([0.0; 3], |[both, a, b], item| {
        let (dv, dw) = (item.0 - value, item.1 - weight);
        [both + dv * dw, a + dv * dv, b + dw * dw]
    });
    if of_values > 0.0 && of_weights > 0.0 { both / (of_values * of_weights).sqrt() } else { 0.0 }
}

/// What the rows are computed from, in whole units of weight.
struct Table<'a> {
    problem: &'a Reduced,
    schedule: Schedule,
    context: &'a Context<'a>,
    /// The greatest common divisor of all weights.
    unit: u64,
    /// Cells of a row.
    cells: usize,
    estimate: Estimate,
}

impl<'a> Table<'a> {
    fn new(problem: &'a Reduced, schedule: Schedule, context: &'a Context<'a>) -> Result<Self, EngineError> {
        let items = || problem.classes.iter().flatten().map(|item| item.weight);
        let elements = || problem.elements.iter().map(|element| element.weight);
        let unit = items().chain(elements()).fold(0, |unit, weight| unit.gcd(&weight)).max(1);
        // The weights of all items and elements add up to at most 2^62.
        let heaviest =
            |items: &Vec<isx_problems::reduce::set_union::Item>| items.iter().map(|item| item.weight).max();
        let most = problem.classes.iter().filter_map(heaviest).sum::<u64>() + elements().sum::<u64>();
        let last = problem.capacity.min(most) / unit;
        let open = schedule.most_open();
        if open > MOST_OPEN {
            return Err(EngineError::Failed(format!(
                "keeps a row for every set of open elements, and {open} of them are open at once in the order of the file"
            )));
        }
        let cells = last as f64 + 1.0;
        let (mut states, mut updates) = (0.0, 0.0);
        let mut open: i32 = 0;
        for step in &schedule.steps {
            open += step.opens.len() as i32;
            let here = f64::from(open).exp2();
            states += here;
            updates += here * cells * (problem.classes[step.class].len() + 2) as f64;
            open -= step.closes.len() as i32;
        }
        let most_states = f64::from(u32::try_from(schedule.most_open()).unwrap_or(u32::MAX)).exp2();
        let bytes = (states + 2.0 * most_states) * cells * size_of::<i64>() as f64;
        // A front has the more points the closer values follow weights; of random problems it has these, and at most at a
        // share of the cells that grows with the selections for each (fitted).
        let share = 1.0 / (6.0 * (1.0 - correlation(problem).powi(2)).max(1e-9).sqrt());
        let sizes = problem.classes.iter().map(|items| items.len() + 1);
        let each = sizes.clone().map(|size| (size as f64).ln()).sum::<f64>() - cells.ln();
        let points = expected_points(sizes, share, cells * (each / 32.0).clamp(0.1, 1.0));
        let looks = points * problem.classes.len() as f64;
        let seconds = rates::SET_UNION_PROBLEM
            + updates * rates::SET_UNION_UPDATE
            + looks * rates::SET_UNION_LOOK
            + if bytes < LARGE as f64 {
                growing_seconds(bytes, cells * size_of::<i64>() as f64)
            } else {
                providing_seconds(bytes)
            };
        let estimate = Estimate { seconds, bytes: bytes.min(u64::MAX as f64) as u64 };
        context.machine.allow(estimate.bytes)?;
        let cells = last as usize + 1;
        Ok(Self { problem, schedule, context, unit, cells, estimate })
    }

    fn run(self) -> Result<Answer, EngineError> {
        let started = Instant::now();
        let (progress, steps) = (self.context.progress, &self.schedule.steps);
        progress.begin("solving", steps.len() as u64);
        let bytes = self.estimate.bytes as usize;
        // Smaller tables are made of memory that the process has at hand.
        let mut arena = (bytes >= LARGE).then(|| Arena::new(bytes)).transpose().map_err(|error| {
            EngineError::NoMemory(format!("the system gives no memory for its rows: {error}"))
        })?;
        let memory = Memory::new(arena.as_mut().map(Arena::cells_mut).unwrap_or_default());
        let mut sweep = Sweep::start(&self, &memory);
        while let Some(step) = steps.get(sweep.levels.len()) {
            sweep.step(step)?;
            progress.advance(1);
        }
        let Sweep { levels, rows, updates, .. } = sweep;
        let front = rows.front();
        let fields = fields_of(self.problem);
        let trace = Trace { levels: &levels, fields: &fields };
        let workers = self.context.machine.workers();
        let found = workers.map(front.len() as u64, front.len() > 256, |at| {
            self.context.go_on().map(|()| trace.selection(front[at as usize]))
        });
        let words = found.into_iter().collect::<Result<Vec<Vec<u64>>, EngineError>>()?.concat();
        let threads = if workers.are_started() { workers.threads() } else { 1 };
        Ok(Answer {
            weights: front.iter().map(|&(cell, _)| cell as u64 * self.unit).collect(),
            values: i64::store(front.iter().map(|&(_, value)| value).collect()),
            selections: Selections::new(fields, words),
            cut: is_cut(self.problem, &self.schedule, front.last().map_or(0, |&(_, value)| value)),
            tier: Tier::I64,
            how: in_words(threads),
            threads,
            updates,
            solve: started.elapsed(),
        })
    }
}

/// The steps done so far.
struct Sweep<'m> {
    table: &'m Table<'m>,
    memory: &'m Memory<'m>,
    /// One per step.
    levels: Vec<Level<'m>>,
    /// The element at each bit of a state.
    open: Vec<u32>,
    /// The rows after the last step.
    rows: Rows<'m>,
    updates: u64,
}

impl<'m> Sweep<'m> {
    fn start(table: &'m Table<'m>, memory: &'m Memory<'m>) -> Self {
        let rows = Rows::start(table.cells, memory);
        Self { table, memory, levels: Vec::new(), open: Vec::new(), rows, updates: 0 }
    }

    /// Applies a class to the rows, and closes elements.
    fn step(&mut self, step: &Step) -> Result<(), EngineError> {
        self.begin(step)?;
        let Some(level) = self.levels.last() else { return Ok(()) };
        let mut rows = level.rows.moved(&level.moves[1..], self.table.context, &mut self.updates)?;
        for &position in &level.closed {
            rows = rows.closed(position);
        }
        self.rows = rows;
        Ok(())
    }

    /// Opens elements, and stores the rows with everything else about the step.
    fn begin(&mut self, step: &Step) -> Result<(), EngineError> {
        let Table { problem, unit, cells, .. } = *self.table;
        let in_units = |weight: u64| (weight / unit) as usize;
        let open = &mut self.open;
        let mut rows = std::mem::replace(&mut self.rows, Rows::none(cells, self.memory));
        let mut opened = Vec::with_capacity(step.opens.len());
        for &element in &step.opens {
            let weight = in_units(problem.elements[element as usize].weight);
            rows = rows.opened(weight, excluded_by(&problem.elements, open, element));
            opened.push((open.len(), weight));
            open.push(element);
        }
        let mut moves = vec![rows::Move { uses: 0, weight: 0, value: 0 }];
        for item in &problem.classes[step.class] {
            let uses = bits_of(&item.uses, open);
            // The tier was chosen so that every value fits.
            let Some(value) = i64::from_big(&item.value) else {
                return Err(EngineError::Arithmetic(Tier::Big));
            };
            moves.push(rows::Move { uses, weight: in_units(item.weight), value });
        }
        let mut closed = Vec::with_capacity(step.closes.len());
        for element in &step.closes {
            let Some(position) = open.iter().position(|open| open == element) else { continue };
            open.remove(position);
            closed.push(position);
        }
        self.levels.push(Level { class: step.class, opened, rows, moves, closed });
        Ok(())
    }
}
