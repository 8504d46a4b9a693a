//! The best selection for one knapsack.

use isx_engine::{Choice, Context, EngineError, Request, Turn, planner};
use isx_knapsack::{ENGINES, Wanted};
use isx_machine::Machine;
use isx_problems::knapsack::Knapsack;
use isx_problems::multiple::Item;
use isx_problems::reduce::knapsack::{Goal, Options, reduce};
use std::time::Duration;

/// The most profit of some of these items within the capacity.
pub(super) struct Selection {
    pub profit: i128,
    /// The items, as indices.
    pub chosen: Vec<u32>,
    /// The work it took.
    pub updates: u64,
}

/// Solves the 0-1 knapsack problem of these items.
pub(super) fn select(items: Vec<Item>, capacity: u64, machine: &Machine) -> Result<Selection, EngineError> {
    let problem = Knapsack { items, capacity };
    let reduced = reduce(&problem, Options { goal: Goal::OneCapacity, dominance: true });
    let (mut chosen, mut updates) = (Vec::new(), 0);
    if !reduced.items.is_empty() {
        let context = Context { turn: Turn::Cpu(Duration::MAX), ..Context::new(machine) };
        let request = Request { problem: &reduced, wanted: Wanted::Best, context: &context };
        let planned = planner::solve(&ENGINES, Choice::Auto, request).map_err(|refusal| refusal.cause)?;
        updates = planned.answer.updates;
        if let Some(picks) = planned.answer.picks {
            picks.write(0, &mut chosen);
        }
    }
    reduced.back.expand(&mut chosen);
    let profit = chosen.iter().map(|&at| problem.items[at as usize].profit).sum();
    Ok(Selection { profit, chosen, updates })
}
