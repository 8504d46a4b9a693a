//! The textbook dynamic program over the room left in every knapsack.
//!
//! ```text
//! G_0 = 0        G_t(x) = max( G_{t-1}(x), max_k { G_{t-1}(x - w_t e_k) + p_t : w_t <= x_k } )     0 <= x_k <= c_k
//! ```
//!
//! The other engine is tested against it, so it stays as simple as the book. Time O(n m prod_k (c_k + 1)), memory two
//! values and n numbers of knapsacks per cell.
//!
//! Worked instance: capacities 1 and 2, items (profit, weight) = (3,2), (2,1), (2,1): G_3(1,2) = 5, the first item in the
//! second knapsack and one of the others in the first.

use crate::family::check_sums;
use crate::{Answer, Multiple, Wanted};
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_problems::reduce::multiple::Reduced;
use std::time::Instant;

/// The textbook engine.
pub(crate) struct Reference;

/// Candidates per second of the textbook loop on a common core.
const RATE: f64 = 1.0e8;

/// In place of a knapsack: the item is not taken.
const NOWHERE: u16 = u16::MAX;

impl Engine<Multiple> for Reference {
    fn plan<'a>(&'a self, request: Request<'a, Multiple>) -> Result<Plan<'a, Multiple>, EngineError> {
        let Request { problem, context, wanted: Wanted { .. } } = request;
        check_sums(problem)?;
        let knapsacks = problem.capacities.len();
        if knapsacks >= usize::from(NOWHERE) {
            return Err(EngineError::TooLarge(format!("numbers fewer than {NOWHERE} knapsacks")));
        }
        let cells =
            problem.capacities.iter().fold(1u64, |cells, &capacity| cells.saturating_mul(capacity + 1));
        let items = problem.items.len() as u64;
        let bytes = cells.saturating_mul(items.saturating_mul(2).saturating_add(32));
        context.machine.allow(bytes)?;
        let seconds = cells as f64 * items as f64 * knapsacks as f64 / RATE;
        Ok(Plan::new(Estimate { seconds, bytes }, move || solve(problem, cells as usize, context)))
    }
}

fn solve(problem: &Reduced, cells: usize, context: &Context) -> Result<Answer, EngineError> {
    let started = Instant::now();
    let Reduced { capacities, items, .. } = problem;
    context.progress.begin("solving", items.len() as u64);
    // A unit of room in knapsack k is this many cells.
    let strides: Vec<usize> = capacities
        .iter()
        .scan(1usize, |stride, &capacity| {
            Some(std::mem::replace(stride, stride.saturating_mul(capacity as usize + 1)))
        })
        .collect();
    let room = |cell: usize, at: usize| (cell / strides[at]) as u64 % (capacities[at] + 1);
    let mut previous = vec![0i128; cells];
    let mut next = previous.clone();
    let mut taken_by: Vec<Vec<u16>> = Vec::with_capacity(items.len());
    for item in items {
        let mut takes = vec![NOWHERE; cells];
        for cell in 0..cells {
            if cell % (1 << 16) == 0 {
                context.go_on()?;
            }
            next[cell] = previous[cell];
            for (at, stride) in strides.iter().enumerate() {
                if room(cell, at) < item.weight {
                    continue;
                }
                let candidate = previous[cell - stride * item.weight as usize] + item.profit;
                if candidate > next[cell] {
                    next[cell] = candidate;
                    takes[cell] = at as u16;
                }
            }
        }
        taken_by.push(takes);
        std::mem::swap(&mut previous, &mut next);
        context.progress.advance(1);
    }
    let solved = Instant::now();
    let mut cell = cells - 1;
    let profit = previous[cell];
    let mut knapsack_of = vec![None; items.len()];
    for (at, takes) in taken_by.iter().enumerate().rev() {
        let knapsack = takes[cell];
        if knapsack != NOWHERE {
            knapsack_of[at] = Some(u32::from(knapsack));
            cell -= strides[usize::from(knapsack)] * items[at].weight as usize;
        }
    }
    let updates = (cells as u64).saturating_mul(items.len() as u64).saturating_mul(capacities.len() as u64);
    Ok(Answer {
        profit,
        bound: profit,
        knapsack_of,
        updates,
        solve: solved - started,
        traceback: solved.elapsed(),
    })
}
