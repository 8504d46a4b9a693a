//! The textbook dynamic program: one row of values, one decision per item and cell.
//!
//! ```text
//! G(j) = 0        for item i:  for j = C down to w_i:  G(j) = max { G(j), G(j - w_i) + p_i }
//! ```
//!
//! R. Bellman, "Dynamic programming", 1957; Algorithm 2.1 of B. Suri, "Accelerating the knapsack problem on GPUs",
//! master's thesis, Linköping University, 2011. The other engines are tested against it, so it stays as simple as
//! the book. Time O(n C) for n items, memory O(C) and n C bits.
//!
//! Worked instance: items (profit, weight) = (3,1), (5,2), C = 3. G = 0 3 3 3 and then 0 3 5 8.

use super::answer::Answer;
use super::{Decisions, Knapsack, Wanted};
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_machine::rates;
use isx_problems::reduce::knapsack::Reduced;
use isx_problems::value::{Tier, Value};
use num_bigint::BigInt;
use std::sync::Arc;
use std::time::Instant;

pub struct Reference;

/// Bytes per big integer, including its heap memory.
const BIG_BYTES: u64 = 80;

impl Engine<Knapsack> for Reference {
    fn plan<'a>(&'a self, request: Request<'a, Knapsack>) -> Result<Plan<'a, Knapsack>, EngineError> {
        let Request { problem, wanted, context } = request;
        let items = problem.items.len();
        let cells = problem.capacity.saturating_add(1);
        let (cell_bytes, candidate) = match problem.tier {
            Tier::I32 | Tier::I64 => (8, rates::KNAPSACK_TEXTBOOK),
            Tier::I128 => (16, rates::KNAPSACK_TEXTBOOK * 2.0),
            Tier::Big => (BIG_BYTES, rates::KNAPSACK_BIG),
        };
        let decisions = if wanted.picks() { Decisions::bytes(items, cells) } else { 0 };
        let bytes = cells.saturating_mul(cell_bytes).saturating_add(decisions);
        context.machine.allow(bytes)?;
        let estimate = Estimate { seconds: cells as f64 * items as f64 * candidate, bytes };
        Ok(Plan::new(estimate, move || match problem.tier {
            Tier::I32 | Tier::I64 => solve::<i64>(problem, wanted, context),
            Tier::I128 => solve::<i128>(problem, wanted, context),
            Tier::Big => solve::<BigInt>(problem, wanted, context),
        }))
    }
}

fn solve<V: Value>(problem: &Reduced, wanted: Wanted, context: &Context) -> Result<Answer, EngineError> {
    let started = Instant::now();
    context.progress.begin("solving", problem.items.len() as u64);
    let cells = problem.capacity as usize + 1;
    let mut row = vec![V::zero(); cells];
    let weights = problem.items.iter().map(|item| item.weight).collect();
    let mut decisions = wanted.picks().then(|| Decisions::new(weights, cells));
    let mut updates = 0;
    for (at, item) in problem.items.iter().enumerate() {
        context.go_on()?;
        let profit = V::from_big(&item.profit.into())
            .ok_or_else(|| EngineError::Failed("a profit is wider than the sum of all".into()))?;
        let bits = decisions.as_mut().map(|decisions| decisions.row(at));
        add_item(&mut row, item.weight as usize, &profit, bits);
        updates += (cells as u64).saturating_sub(item.weight);
        context.progress.advance(1);
    }
    let (weights, profits) = points(&row, wanted);
    let picks = decisions.map(|decisions| Arc::new(decisions.starting_at(weights.clone())) as _);
    let answer = Answer::new(weights, profits, picks);
    Ok(Answer { how: "1 thread".into(), updates, solve: started.elapsed(), ..answer })
}

fn add_item<V: Value>(row: &mut [V], weight: usize, profit: &V, mut bits: Option<&mut [u64]>) {
    for cell in (weight..row.len()).rev() {
        let with = row[cell - weight].plus(profit);
        if with > row[cell] {
            row[cell] = with;
            if let Some(bits) = &mut bits {
                bits[cell / 64] |= 1 << (cell % 64);
            }
        }
    }
}

/// The cells at which the row rises, or only the last of them.
fn points<V: Value>(row: &[V], wanted: Wanted) -> (Vec<u64>, isx_problems::value::Values) {
    let rises = |&cell: &usize| cell == 0 || row[cell] > row[cell - 1];
    let cells: Vec<usize> = match wanted.is_one_capacity() {
        true => (0..row.len()).rev().find(rises).into_iter().collect(),
        false => (0..row.len()).filter(rises).collect(),
    };
    let profits = cells.iter().map(|&cell| row[cell].clone()).collect();
    (cells.iter().map(|&cell| cell as u64).collect(), V::store(profits))
}
