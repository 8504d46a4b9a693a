//! The textbook dynamic program: two planes of values, one loop over all cells per item, one decision bit per cell
//! and item.
//!
//! ```text
//! G_0 = 0        G_t(x) = max( G_{t-1}(x), G_{t-1}(x - w_t) + p_t : w_t <= x )       0 <= x <= c, in every dimension
//! ```
//!
//! Algorithm 1 of D. Lemos, H. Longo, W. Martins and L. Foulds, "A GPU-based DP algorithm for solving multiple
//! instances of the knapsack problem", in up to three dimensions. The other engines are compared with it, so it stays as simple as the
//! book; its integers are of any size. Time O(n
//! (c_1+1) (c_2+1) (c_3+1)), memory two values and n bits per cell.
//!
//! Worked instance: capacities (2, 2), items (3; 1,2), (2; 2,1) and (2; 1,0) as (profit; weights). The last plane is
//! 0 0 0 / 2 2 3 / 2 2 5 by rows of the first capacity; the bits lead from (2,2) with the third item to (1,2), and
//! with the first item to (0,0).

use super::problem::{Batch, Best, Multidim, Problem, left};
use crate::answer::Answer;
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_problems::value::{Tier, Value};
use num_bigint::BigInt;
use std::time::{Duration, Instant};

/// The textbook engine.
pub struct Reference;

/// Seconds per cell and item, on a common core.
const CELL: f64 = 3.4e-9;

impl Engine<Multidim> for Reference {
    fn plan<'a>(&'a self, request: Request<'a, Multidim>) -> Result<Plan<'a, Multidim>, EngineError> {
        let Request { problem: batch, context, .. } = request;
        let tier = batch.tier();
        let bytes = batch.0.iter().map(|problem| table_bytes(problem, tier)).max().unwrap_or(0);
        context.machine.allow(bytes)?;
        let seconds = batch.0.iter().map(|problem| problem.candidates() as f64).sum::<f64>() * CELL;
        Ok(Plan::new(Estimate { seconds, bytes }, move || solve(batch, context)))
    }
}

/// Bytes of the planes and the bits.
fn table_bytes(problem: &Problem, tier: Tier) -> u64 {
    let value = match tier {
        Tier::I32 => 4,
        Tier::I64 => 8,
        Tier::I128 => 16,
        // One small heap block each.
        Tier::Big => 64,
    };
    let bits = problem.cells().div_ceil(64).saturating_mul(8).saturating_mul(problem.items.len() as u64);
    problem.cells().saturating_mul(2 * value).saturating_add(bits)
}

fn solve(batch: &Batch, context: &Context) -> Result<Answer<Vec<Best>>, EngineError> {
    let fill = match batch.tier() {
        Tier::I32 => fill::<i32>,
        Tier::I64 => fill::<i64>,
        Tier::I128 => fill::<i128>,
        Tier::Big => fill::<BigInt>,
    };
    let items = batch.0.iter().map(|problem| problem.items.len() as u64).sum();
    context.progress.begin("solving", items);
    let mut answer = Answer {
        found: Vec::with_capacity(batch.0.len()),
        how: "1 thread".into(),
        threads: 1,
        updates: 0,
        solve: Duration::ZERO,
        traceback: Duration::ZERO,
    };
    for problem in &batch.0 {
        let started = Instant::now();
        let (profit, bits) = fill(problem, context)?;
        answer.updates = answer.updates.saturating_add(problem.candidates());
        answer.solve += started.elapsed();
        let started = Instant::now();
        answer.found.push(Best { profit, chosen: walk_back(problem, &bits) });
        answer.traceback += started.elapsed();
    }
    Ok(answer)
}

/// The number of a cell.
fn index(cell: &[u64; 3], capacities: &[u64; 3]) -> usize {
    let index = |index: u64, (cell, capacity): (&u64, &u64)| index * (capacity + 1) + cell;
    cell.iter().zip(capacities).fold(0, index) as usize
}

/// The value of the last cell, and for every item the bits of the cells at which it is taken.
fn fill<V: Value>(problem: &Problem, context: &Context) -> Result<(BigInt, Vec<Vec<u64>>), EngineError> {
    let cells = problem.cells() as usize;
    let mut previous = vec![V::zero(); cells];
    let mut next = previous.clone();
    let mut bits = Vec::with_capacity(problem.items.len());
    let [first, second, third] = problem.capacities;
    for item in &problem.items {
        context.go_on()?;
        let profit = V::from_big(&item.profit.into()).ok_or(EngineError::Arithmetic(problem.tier()))?;
        let mut taken = vec![0u64; cells.div_ceil(64)];
        let mut at = 0;
        for x in 0..=first {
            for y in 0..=second {
                for z in 0..=third {
                    next[at] = previous[at].clone();
                    if let Some(before) = left(&[x, y, z], &item.weights) {
                        let candidate = previous[index(&before, &problem.capacities)].plus(&profit);
                        if candidate > next[at] {
                            next[at] = candidate;
                            taken[at / 64] |= 1 << (at % 64);
                        }
                    }
                    at += 1;
                }
            }
        }
        bits.push(taken);
        std::mem::swap(&mut previous, &mut next);
        context.progress.advance(1);
    }
    Ok((previous[cells - 1].to_big(), bits))
}

/// The traceback, from the last cell and the last item to the first.
fn walk_back(problem: &Problem, bits: &[Vec<u64>]) -> Vec<usize> {
    let mut cell = problem.capacities;
    let mut chosen = Vec::new();
    for (at, (item, bits)) in problem.items.iter().zip(bits).enumerate().rev() {
        let index = index(&cell, &problem.capacities);
        if bits[index / 64] >> (index % 64) & 1 == 1 {
            chosen.push(at);
            // An item is taken only where it fits.
            cell = left(&cell, &item.weights).unwrap_or_default();
        }
    }
    chosen.reverse();
    chosen
}
