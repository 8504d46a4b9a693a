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

use crate::wave::{Before, Recurrence, Table, Waves, bytes_of};
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
        let (rows, machine) = (Rows::new(problem, wanted)?, context.machine);
        let bytes = bytes_of(&rows, wanted.picks(), machine)?;
        let cells = rows.cells as f64;
        let row = shared_seconds(cells * CELL, cells / PART, machine.threads());
        let estimate = Estimate { seconds: row * rows.waves() as f64, bytes };
        Ok(Plan::new(estimate, move || solve(&rows, wanted, context)))
    }
}

fn solve(rows: &Rows, wanted: Wanted, context: &Context) -> Result<Answer, EngineError> {
    let started = Instant::now();
    context.progress.begin("solving", rows.waves());
    let advance = |waves| context.progress.advance(waves);
    let table = Table::sweep(rows, context.machine, wanted.picks(), &advance)?;
    let team = Team::of(context.machine.workers());
    let mut answer = Answer {
        how: in_words(context.machine.threads()),
        threads: context.machine.threads(),
        ..Answer::new(Vec::new(), Values::I64(Vec::new()), None)
    };
    points(&mut answer, 0, table.last(), wanted, &team);
    answer.solve = started.elapsed();
    if wanted == Wanted::Best {
        let takes = |wave, cell| Ok::<_, EngineError>(table.choice(wave, cell) != 0);
        answer.picks = Answer::one_selection(rows.walk(answer.weights[0], takes)?);
    }
    answer.updates = table.filled();
    answer.traceback = started.elapsed() - answer.solve;
    Ok(answer)
}

/// The requested points of a last row, given its cells from `first` on.
pub(super) fn points(answer: &mut Answer, first: usize, last: &[i32], wanted: Wanted, team: &Team) {
    (answer.weights, answer.profits) = match (wanted, last.last()) {
        (Wanted::Value | Wanted::Best, Some(&best)) => {
            let cell = first + last.partition_point(|&held| held < best);
            (vec![cell as u64], i32::store(vec![best]))
        }
        _ => {
            let (weights, profits) = breakpoints(last, team, i32::clone);
            (weights, i32::store(profits))
        }
    };
}

/// The rows of a problem, one per item; before the first all cells are 0.
pub struct Rows {
    /// Profits and weights.
    items: Vec<(i32, usize)>,
    cells: usize,
}

impl Rows {
    /// The rows of a problem whose profits sum to 32 bits.
    /// Fails if they do not, or the items of all capacities are wanted: a walk back starts from one cell.
    pub fn new(problem: &Reduced, wanted: Wanted) -> Result<Self, EngineError> {
        if wanted == Wanted::AllPicks {
            return Err(EngineError::Unavailable("it finds the items of one capacity, not of all".into()));
        }
        let of = |item: &Item| {
            let profit = i32::try_from(item.profit).ok().filter(|_| problem.tier == Tier::I32);
            let profit = profit.ok_or(EngineError::Arithmetic(problem.tier))?;
            Ok((profit, usize::try_from(item.weight).unwrap_or(usize::MAX)))
        };
        let items = problem.items.iter().map(of).collect::<Result<_, EngineError>>()?;
        let cells = usize::try_from(problem.capacity.saturating_add(1)).unwrap_or(usize::MAX);
        Ok(Self { items, cells })
    }

    /// The profit and weight of a wave's item, if it has one.
    #[inline]
    pub(super) fn item(&self, wave: u64) -> Option<(i32, usize)> {
        self.items.get(wave as usize).copied()
    }

    /// The items taken on the way back from a cell of the last row.
    pub(super) fn walk<E>(
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

impl Waves for Rows {
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

impl Recurrence for Rows {
    type Cell = i32;

    #[inline]
    fn cell(&self, wave: u64, at: usize, before: &Before<'_, i32>) -> (i32, u8) {
        let row = before.wave(1);
        let Some((profit, weight)) = self.item(wave) else { return (0, 0) };
        let leave = row.get(at).copied().unwrap_or_default();
        match at.checked_sub(weight) {
            None => (leave, 0),
            Some(source) => {
                let take = row.get(source).copied().unwrap_or_default() + profit;
                if take > leave { (take, 1) } else { (leave, 0) }
            }
        }
    }
}
