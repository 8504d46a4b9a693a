//! Branch and bound, a knapsack at a time.
//!
//! - *Bound.* Items in part, where an item counts only in knapsacks that it fits (`relaxed.rs`); then the best selection
//!   for all knapsacks as one (the surrogate relaxation with equal multipliers), by the engines for the 0-1 problem.
//! - *Split.* If that selection can be distributed among the knapsacks, it is the best below this node. Many items of a
//!   few weights nearly always can, which is why Pisinger's algorithm solves large problems without branching.
//! - *Better.* Before it branches, pairs of knapsacks are searched by themselves (`improve.rs`).
//! - *Branch.* The smallest knapsack left gets every set of items that no other set dominates (`fills.rs`); the last one
//!   is a 0-1 knapsack problem.
//!
//! The bound and the split are those of D. Pisinger ("An exact algorithm for large multiple knapsack problems", European
//! Journal of Operational Research 114, 1999); branching on the content of a knapsack, with the dominance of Martello
//! and Toth, is that of A. Fukunaga and R. Korf ("Bin completion algorithms for multicontainer packing, knapsack, and
//! covering problems", Journal of Artificial Intelligence Research 28, 2007).
//!
//! A search that ends early returns what it found, and the bound of the whole problem.
//!
//! Worked instance: capacities 4 and 5, items (profit, weight) = (6,4), (5,4), (3,3). As one of 9: 11, with weight 8;
//! 4 and 4 fit. So 11 is the best without branching. With capacities 3 and 6 they do not fit: the first knapsack takes the
//! third item, since a set that leaves room for it is not maximal, and the second the first: 9.

mod fills;
mod improve;
mod merged;
mod relaxed;
mod search;
mod split;
mod state;

use crate::family::check_sums;
use crate::{Answer, Multiple, Wanted};
use isx_engine::{Context, Engine, EngineError, Estimate, Plan, Request};
use isx_partition::Budget;
use isx_problems::multiple::Item;
use isx_problems::reduce::multiple::Reduced;
use state::{Ended, FREE, Search};
use std::cmp::Ordering;
use std::time::Instant;

/// The engine.
pub(crate) struct Branch;

/// The search calls itself once per knapsack.
const MOST_KNAPSACKS: usize = 2_000;

/// Bytes per item and per item and knapsack that is being filled.
const ITEM_BYTES: u64 = 400;
const FILL_BYTES: u64 = 100;

/// Seconds per item that are always needed, on a common core.
const ITEM: f64 = 1e-6;

impl Engine<Multiple> for Branch {
    /// The time is a lower bound, and the knapsack problems below it ask for memory themselves.
    fn plan<'a>(&'a self, request: Request<'a, Multiple>) -> Result<Plan<'a, Multiple>, EngineError> {
        let Request { problem, context, wanted } = request;
        check_sums(problem)?;
        let knapsacks = problem.capacities.len();
        if knapsacks > MOST_KNAPSACKS {
            let why = format!(
                "holds up to {MOST_KNAPSACKS} knapsacks that some item fits, and these are {knapsacks}"
            );
            return Err(EngineError::TooLarge(why));
        }
        let items = problem.items.len() as u64;
        let bytes = items.saturating_mul(ITEM_BYTES + FILL_BYTES * knapsacks as u64);
        context.machine.allow(bytes)?;
        let estimate = Estimate { seconds: items as f64 * ITEM, bytes };
        Ok(Plan::new(estimate, move || solve(problem, wanted, context)))
    }
}

fn solve(problem: &Reduced, wanted: Wanted, context: &Context) -> Result<Answer, EngineError> {
    let started = Instant::now();
    let mut order: Vec<usize> = (0..problem.items.len()).collect();
    order.sort_by(|&a, &b| by_efficiency(&problem.items[a], &problem.items[b]));
    let items: Vec<Item> = order.iter().map(|&at| problem.items[at]).collect();
    let go_on = || !context.machine.is_cancelled() && wanted.ends.is_none_or(|ends| Instant::now() < ends);
    let budget = Budget::new(wanted.steps, &go_on);
    let mut search = Search::new(&items, &problem.capacities, context, &budget);
    match search.run() {
        Ok(()) => search.bound = search.best.profit,
        Err(Ended::Stopped) => context.go_on()?,
        Err(Ended::Failed(error)) => return Err(error),
    }
    let mut knapsack_of = vec![None; items.len()];
    for (&at, &knapsack) in order.iter().zip(&search.best.knapsack_of) {
        knapsack_of[at] = (knapsack != FREE).then_some(knapsack);
    }
    Ok(Answer {
        profit: search.best.profit,
        bound: search.bound,
        knapsack_of,
        updates: search.looked_at,
        solve: started.elapsed(),
        traceback: Default::default(),
    })
}

/// The most profit per weight first, of equal ones the heavier.
fn by_efficiency(a: &Item, b: &Item) -> Ordering {
    let (weight_a, weight_b) = (i128::from(a.weight), i128::from(b.weight));
    // Whole parts and fractions separately: the products of profits and weights could pass 128 bits.
    let whole = (b.profit / weight_b).cmp(&(a.profit / weight_a));
    let fraction = (b.profit % weight_b * weight_a).cmp(&(a.profit % weight_a * weight_b));
    whole.then(fraction).then(b.weight.cmp(&a.weight))
}
