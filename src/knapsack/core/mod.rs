//! One capacity, exactly, on one core of the CPU: few items are hard to decide, and lists of states decide them.
//!
//! Three searches with lists of (weight, profit) states share the work (`strategy.rs`): a core that grows around the
//! break item, for many items with similar efficiencies; one that bounds what fills the room modulo the break item's
//! weight, for profits that are a concave function of the weight; and one that takes heavy items first under the
//! relaxation of the lighter ones, for items in groups. All find a best selection, prove it optimal, and prove that
//! none of equal profit is lighter; which of several such selections is found is unspecified.
//!
//! | folder | contents |
//! |---|---|
//! | `items` | an item, its numbers and its order; equal items as one variable; the break item; the lattice of all selections |
//! | `states` | a list of states and its step; the goal and the budget of a search; the traceback |
//! | `cells` | a list with states at most weights, as a row of cells |
//! | `around_break` | the core that grows around the break item, as a list and as a row; its completion by a second list; the same by rising loss and by residues (`residues.rs`, `once.rs`) |
//! | `heaviest_first` | heavy items first |
//!
//! `price.rs` finds a price per item if the number of items is limiting.

mod around_break;
mod cells;
mod heaviest_first;
mod items;
mod price;
mod states;
mod strategy;

use super::answer::{Answer, Value};
use super::{Knapsack, Wanted};
use isx_engine::{Context, Engine, EngineError, Estimate, Outcome, Patience, Plan, Request};
use isx_machine::OverMemory;
use isx_machine::rates;
use isx_problems::knapsack::Item;
use isx_problems::reduce::knapsack::Reduced;
use isx_problems::value::Tier;
use items::Piece;
use items::number::Number;
use states::goal::Budget;
use std::time::Instant;

pub struct Core;

/// Seconds per item that the other engines take to make their plans: for that time this engine does not ask whether one
/// of them would be faster.
const PLANS: f64 = 2e-7;

/// Bytes per item that are always needed.
const ITEM_BYTES: u64 = 200;

impl Engine<Knapsack> for Core {
    /// The time is a lower bound; memory is checked again while the lists grow.
    fn plan<'a>(&'a self, request: Request<'a, Knapsack>) -> Result<Plan<'a, Knapsack>, EngineError> {
        let Request { problem, wanted, context } = request;
        if matches!(wanted, Wanted::AllValues | Wanted::AllPicks) {
            return Err(EngineError::Unavailable("it answers one capacity, not all".into()));
        }
        let tier = tier(problem).ok_or(EngineError::Arithmetic(Tier::Big))?;
        let items = problem.items.len() as u64;
        let bytes = items.saturating_mul(ITEM_BYTES);
        context.machine.allow(bytes)?;
        let seconds = items as f64 * rates::KNAPSACK_SPLIT;
        let estimate = Estimate { seconds, bytes: OverMemory::UNKNOWN };
        Ok(Plan::watched(estimate, move |patience| match tier {
            Tier::I64 => solve::<i64>(problem, context, patience),
            _ => solve::<i128>(problem, context, patience),
        }))
    }
}

/// The narrower of 64 and 128 bits that fits every sum; `None` if neither does.
fn tier(problem: &Reduced) -> Option<Tier> {
    let (mut weight, mut profit) = (0i128, 0i128);
    for item in &problem.items {
        weight = weight.checked_add(item.weight.into())?;
        profit = profit.checked_add(item.profit)?;
    }
    match weight.max(profit).max(problem.capacity.into()) {
        most if most < 1 << 60 => Some(Tier::I64),
        most => Some(Tier::I128).filter(|_| most < 1 << 126),
    }
}

fn solve<N: Number + Value>(
    problem: &Reduced,
    context: &Context,
    patience: Patience<'_>,
) -> Result<Outcome<Answer>, EngineError> {
    let cells = (problem.items.len() as u64).saturating_mul(problem.capacity);
    // A small table is always filled first: else the moment would decide which of several best selections is found.
    if cells <= 1 << 14 && patience.is_exceeded_by(1e-3) {
        return Ok(Outcome::GaveUp(format!("a table of {cells} cells is filled before it begins")));
    }
    let started = Instant::now();
    let too_wide = || EngineError::Failed("a number is wider than the sum of all".into());
    let piece = |(number, item): (u32, &Item)| {
        Some(Piece {
            profit: N::of(item.profit)?,
            weight: N::of(item.weight.into())?,
            count: 1,
            item: number,
        })
    };
    let items: Option<Vec<Piece<N>>> = (0..).zip(&problem.items).map(piece).collect();
    let capacity = N::of(problem.capacity.into()).ok_or_else(too_wide)?;
    let items = items.ok_or_else(too_wide)?;
    let mut budget = Budget::new(context, patience).unasked_for(problem.items.len() as f64 * PLANS);
    let best = strategy::solve(items, capacity, &mut budget)?;
    let updates = budget.spent();
    let Some(mut best) = best else {
        return Ok(Outcome::GaveUp(format!("it has looked at {updates} states and seen no end")));
    };
    best.chosen.sort_unstable();
    let weight = best.chosen.iter().map(|&item| problem.items[item as usize].weight).sum();
    Ok(Outcome::Solved {
        answer: Answer {
            how: "1 thread".into(),
            updates,
            solve: started.elapsed(),
            ..Answer::new(vec![weight], N::store(vec![best.profit]), Answer::one_selection(best.chosen))
        },
        because: Some(format!("it needed {updates} states")),
    })
}
