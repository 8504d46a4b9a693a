//! A table of values: the greatest value within each vector of costs. For problems without shared elements.
//!
//! A class moves the table by the costs of its items, and the greatest value in every cell stays:
//!
//! ```text
//! G(x) = max_k { G'(x - c_k) + v_k }
//! ```
//!
//! The table is only as large as what has been reached so far.
//!
//! A cell is a point if each cell one lower in an objective has less value, all other resources being at their limits;
//! the least of those is found along their axes. Every selection of that value within the point's costs costs exactly
//! that, so the first item of the last class with which the value is reached is the canonical one, and so on backwards.
//! For that the tables before every class are kept, or some of them, from which the others are computed again.
//!
//! Worked instance, two resources: classes {nothing, (4; 1, 0), (4; 0, 2)} and {nothing, (3; 1, 1)} as (value; costs),
//! limits (2, 2). First table, up to (1, 2): rows 0 0 4 and 4 4 4. Second, up to (2, 2): 0 0 4, 4 4 4 and 4 7 7.

mod moves;
mod points;
mod table;
mod trace;

use crate::number::{no_elements, one_mode, spread, tier};
use crate::{Answer, Resources, Wanted};
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request, expected_points};
use isx_machine::cpu::lanes::Lane;
use isx_machine::cpu::{in_words, shared_seconds, start_seconds};
use isx_machine::rates;
use isx_problems::resources::Problem;
use isx_problems::value::{Tier, Values};
use moves::Chain;
use num_bigint::BigInt;
use std::sync::Arc;
use std::time::{Duration, Instant};
use table::Table;
use trace::Trace;

/// The dense engine.
pub struct Dense;

impl Engine<Resources> for Dense {
    fn plan<'a>(&'a self, request: Request<'a, Resources>) -> Result<Plan<'a, Resources>, EngineError> {
        let Request { problem, wanted, context } = request;
        no_elements(problem)?;
        one_mode(problem)?;
        if tier(problem) > Tier::I64 {
            return Err(EngineError::Arithmetic(tier(problem)));
        }
        let chain = Chain::new(problem, context.machine)?;
        // Values start at 0 in every class; the other half of the range is for what is impossible.
        let tier =
            Tier::narrowest(&problem.classes.iter().map(|items| spread(items).1).sum()).max(wanted.at_least);
        if tier > Tier::I64 {
            return Err(EngineError::Arithmetic(tier));
        }
        let cell = if tier == Tier::I32 { size_of::<i32>() } else { size_of::<i64>() };
        let kept = chain.kept(cell as u64, wanted.picks, context.machine)?;
        let threads = context.machine.threads();
        let passes = if kept.every < chain.ops.len() { 2.0 } else { 1.0 };
        let updates = chain.updates() as f64 * passes * rates::RESOURCES_UPDATE * cell as f64 / 8.0;
        let points = expected_points(problem.classes.iter().map(Vec::len), 1.0, chain.last_cells() as f64);
        let traced = if wanted.picks { points * rates::RESOURCES_POINT } else { 0.0 };
        let memory = kept.bytes as f64 * rates::SMALL_PAGE_BYTE;
        // Threads divide one table after the other, and many points.
        let (tables, runs) = (chain.ops.len().max(1) as f64, points / trace::TOGETHER as f64);
        let shared =
            tables * shared_seconds(updates / tables, 1e3, threads) + shared_seconds(traced, runs, threads);
        let shared = shared + start_seconds(context.machine.workers());
        let estimate = Estimate { seconds: shared.min(updates + traced) + memory, bytes: kept.bytes };
        Ok(Plan::new(estimate, move || {
            let run = Run { problem, chain, every: kept.every, wanted, context };
            if tier == Tier::I32 { run.solve::<i32>() } else { run.solve::<i64>() }
        }))
    }
}

/// A run of the engine.
struct Run<'a> {
    problem: &'a Problem,
    chain: Chain,
    /// The tables before every this many operations are kept.
    every: usize,
    wanted: Wanted,
    context: &'a Context<'a>,
}

impl Run<'_> {
    fn solve<N: Lane>(self) -> Result<Answer, EngineError> {
        let started = Instant::now();
        let Self { problem, chain, context, .. } = &self;
        context.progress.begin("solving", chain.ops.len() as u64);
        let mut kept: Vec<Table<N>> = Vec::new();
        let mut table = Table::start(chain);
        let last = (chain.ops.len().max(1) - 1) / self.every * self.every;
        let picks = self.wanted.picks;
        let mut spare = None;
        for (at, op) in chain.ops.iter().enumerate() {
            let next = table.moved(op, spare.take(), context)?;
            let before = std::mem::replace(&mut table, next);
            if picks && (at % self.every == 0 || at >= last) {
                kept.push(before);
            } else {
                spare = Some(before);
            }
            context.progress.advance(1);
        }
        let points = points::of(problem, chain, &table);
        let mut updates = chain.updates();
        let solve = started.elapsed();
        let mut trace = Trace::new(chain, &points, context);
        if picks {
            // The last segment is there; the others are computed again.
            let segment = kept.split_off(last / self.every);
            trace.back(last, &segment)?;
            drop(segment);
            let mut end = last;
            while let Some(first) = kept.pop() {
                let from = end - self.every;
                let mut segment = vec![first];
                for op in &chain.ops[from..end - 1] {
                    segment.push(segment[segment.len() - 1].moved(op, None, context)?);
                }
                trace.back(from, &segment)?;
                end = from;
            }
            if last > 0 {
                updates *= 2;
            }
        }
        let workers = context.machine.workers();
        let threads = if workers.are_started() { workers.threads() } else { 1 };
        let columns =
            (0..problem.limits.len()).map(|at| points.iter().map(|point| point.costs[at]).collect());
        let values = points.iter().map(|point| &chain.value + point.value);
        Ok(Answer {
            costs: columns.collect(),
            values: narrowest(values.collect()),
            picks: picks.then(|| Arc::new(trace.finish(problem)) as _),
            tier: if size_of::<N>() == 4 { Tier::I32 } else { Tier::I64 },
            how: in_words(threads),
            threads,
            updates,
            solve,
            traceback: if picks { started.elapsed() - solve } else { Duration::ZERO },
        })
    }
}

/// The values as the other engines give them.
fn narrowest(values: Vec<BigInt>) -> Values {
    let narrow: Option<Vec<i64>> = values.iter().map(|value| i64::try_from(value).ok()).collect();
    narrow.map_or(Values::Big(values), Values::I64)
}
