//! The textbook table, swept by the wave driver: one row per wave, one bit per cell for the walk back.
//!
//! ```text
//! G_i(j) = max { G_{i-1}(j), G_{i-1}(j - w_i) + p_i }
//! ```
//!
//! The 0-1 knapsack of J. O'Connell and C. Mumford, "An exact dynamic programming based method to solve optimisation
//! problems using GPUs", 2014, section III: rows leave the GPU when they are finished, so that a table may be larger
//! than its memory. Here only one bit per cell leaves it, which is all that the walk back needs. The other engines
//! are faster where they apply; this one keeps its speed for any table size, and demonstrates the driver
//! ([`crate::wave`]).
//!
//! Worked instance: items (profit, weight) = (3,1), (5,2), C = 3. Rows 0 3 3 3 and 0 3 5 8, bits 0 1 1 1 and 0 0 1 1. The
//! walk from cell 3 takes the second item and from cell 1 the first.

use isx_knapsack::{Answer, Knapsack, Wanted};

use crate::wave::{Before, Recurrence, Table, Waves, one_by_one};
use isx_engine::rises::breakpoints;
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_machine::cpu::{Team, in_words, shared_seconds};
use isx_problems::knapsack::Item;
use isx_problems::reduce::knapsack::Reduced;
use isx_problems::value::{Tier, Value, Values};
use std::time::Instant;

/// The wave engine on the CPU.
pub struct Wave;

/// Seconds per cell, on a common core.
const CELL: f64 = 1.1e-9;

/// Threads share a row in parts of this many cells.
const PART: f64 = 8192.0;

impl Engine<Knapsack> for Wave {
    fn plan<'a>(&'a self, request: Request<'a, Knapsack>) -> Result<Plan<'a, Knapsack>, EngineError> {
        let Request { problem, wanted, context } = request;
        refuse_all_items(wanted)?;
        match problem.tier {
            Tier::I32 => plan::<i32>(problem, wanted, context),
            Tier::I64 => plan::<i64>(problem, wanted, context),
            wider => Err(EngineError::Arithmetic(wider)),
        }
    }
}

/// A walk back starts from one cell.
pub(super) fn refuse_all_items(wanted: Wanted) -> Result<(), EngineError> {
    if wanted == Wanted::AllPicks {
        return Err(EngineError::Unavailable("it finds the items of one capacity, not of all".into()));
    }
    Ok(())
}

fn plan<'a, V: Cell>(
    problem: &'a Reduced,
    wanted: Wanted,
    context: &'a Context<'a>,
) -> Result<Plan<'a, Knapsack>, EngineError> {
    let machine = context.machine;
    let rows = Rows::<V>::new(problem)?;
    let (bytes, pieces) = Table::plan(&rows, wanted.picks(), machine.max_memory())?;
    let cells = rows.cells(0) as f64;
    let sweeps = if pieces > 1 { 2.0 } else { 1.0 };
    let row = shared_seconds(cells * CELL, cells / PART, machine.threads());
    let estimate = Estimate { seconds: row * rows.waves() as f64 * sweeps, bytes };
    Ok(Plan::new(estimate, move || solve(&rows, wanted, context)))
}

fn solve<V: Cell>(rows: &Rows<V>, wanted: Wanted, context: &Context) -> Result<Answer, EngineError> {
    let started = Instant::now();
    context.progress.begin("solving", rows.waves());
    let advance = |waves| context.progress.advance(waves);
    let mut table = Table::sweep(rows, context.machine, wanted.picks(), &advance)?;
    let team = Team::of(context.machine.workers());
    let mut answer = Answer {
        how: in_words(context.machine.threads()),
        threads: context.machine.threads(),
        ..Answer::new(Vec::new(), Values::I64(Vec::new()), None)
    };
    points(&mut answer, 0, table.last(), wanted, &team);
    answer.solve = started.elapsed();
    if wanted == Wanted::Best {
        let takes = |wave, cell| Ok::<_, EngineError>(table.choice(wave, cell)? != 0);
        answer.picks = Answer::one_selection(rows.walk(answer.weights[0], takes)?);
        if table.pieces() > 1 {
            answer.how += &format!(", choices made twice in {} pieces", table.pieces());
        }
    }
    answer.updates = table.filled();
    answer.traceback = started.elapsed() - answer.solve;
    Ok(answer)
}

/// The requested points of a last row, given its cells from `first` on.
pub(super) fn points<V: Cell>(answer: &mut Answer, first: usize, last: &[V], wanted: Wanted, team: &Team) {
    (answer.weights, answer.profits) = match (wanted, last.last()) {
        (Wanted::Value | Wanted::Best, Some(&best)) => {
            let cell = first + last.partition_point(|&held| held < best);
            (vec![cell as u64], V::store(vec![best]))
        }
        _ => {
            let (weights, profits) = breakpoints(last, team, V::clone);
            (weights, V::store(profits))
        }
    };
}

/// The integers of a table.
pub trait Cell: Value + Copy + Default + Send + Sync + 'static {
    /// The sum of two values, which fits: the reduction summed all profits.
    fn sum(self, other: Self) -> Self;
}

impl Cell for i32 {
    #[inline]
    fn sum(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
}

impl Cell for i64 {
    #[inline]
    fn sum(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
}

/// The rows of a problem, one per item; before the first all cells are 0.
#[derive(Debug)]
pub(super) struct Rows<V> {
    /// Profits and weights.
    items: Vec<(V, usize)>,
    cells: usize,
}

impl<V: Cell> Rows<V> {
    pub fn new(problem: &Reduced) -> Result<Self, EngineError> {
        let wide = || EngineError::Failed("a profit is wider than the sum of all".into());
        let of = |item: &Item| {
            let profit = V::from_big(&item.profit.into()).ok_or_else(wide)?;
            Ok((profit, usize::try_from(item.weight).unwrap_or(usize::MAX)))
        };
        let items = problem.items.iter().map(of).collect::<Result<_, EngineError>>()?;
        let cells = usize::try_from(problem.capacity.saturating_add(1)).unwrap_or(usize::MAX);
        Ok(Self { items, cells })
    }

    /// The profit and weight of a wave's item, if it has one.
    #[inline]
    pub fn item(&self, wave: u64) -> Option<(V, usize)> {
        self.items.get(wave as usize).copied()
    }

    /// The items taken on the way back from a cell of the last row.
    pub fn walk<E>(
        &self,
        cell: u64,
        mut takes: impl FnMut(u64, usize) -> Result<bool, E>,
    ) -> Result<Vec<u32>, E> {
        let (mut cell, mut chosen) = (cell as usize, Vec::new());
        for (wave, &(_, weight)) in self.items.iter().enumerate().rev() {
            if takes(wave as u64, cell)? {
                chosen.push(wave as u32);
                // Only a wrong choice leads below 0; the final sum over the items detects it.
                cell = cell.saturating_sub(weight);
            }
        }
        Ok(chosen)
    }
}

impl<V: Cell> Waves for Rows<V> {
    fn waves(&self) -> u64 {
        self.items.len().max(1) as u64
    }

    fn cells(&self, _: u64) -> usize {
        self.cells
    }

    fn reach(&self) -> usize {
        1
    }

    fn choice_bits(&self) -> u32 {
        1
    }
}

impl<V: Cell> Recurrence for Rows<V> {
    type Cell = V;

    #[inline]
    fn cell(&self, wave: u64, at: usize, before: &Before<'_, V>) -> (V, u8) {
        let row = before.wave(1);
        let Some((profit, weight)) = self.item(wave) else { return (V::default(), 0) };
        let leave = row.get(at).copied().unwrap_or_default();
        match at.checked_sub(weight) {
            None => (leave, 0),
            Some(source) => {
                let take = row.get(source).copied().unwrap_or_default().sum(profit);
                if take > leave { (take, 1) } else { (leave, 0) }
            }
        }
    }

    /// Processes eight cells and their byte at a time if there is a previous row and it contains all sources.
    fn fill(&self, wave: u64, first: usize, before: &Before<'_, V>, cells: &mut [V], choices: &mut [u8]) {
        let end = first + cells.len();
        let sources = self.item(wave).and_then(|(profit, weight)| {
            let row = before.wave(1);
            Some((profit, row.get(first..end)?, row.get(first.checked_sub(weight)?..end - weight)?))
        });
        let Some((profit, leave, take)) = sources else {
            return one_by_one(self, (wave, first), before, cells, choices);
        };
        let best = |(cell, (&leave, &take)): (&mut V, (&V, &V))| {
            let take = take.sum(profit);
            *cell = if take > leave { take } else { leave };
            take > leave
        };
        if choices.is_empty() {
            cells.iter_mut().zip(leave.iter().zip(take)).for_each(|cell| {
                best(cell);
            });
            return;
        }
        let eights = cells.chunks_mut(8).zip(leave.chunks(8).zip(take.chunks(8)));
        for ((cells, (leave, take)), byte) in eights.zip(choices) {
            let bits = cells.iter_mut().zip(leave.iter().zip(take)).map(best);
            *byte = bits.enumerate().fold(0, |byte, (at, taken)| byte | u8::from(taken) << at);
        }
    }
}
