//! The best choice of the items without a layer, tried one by one against the last layer.
//!
//! A depth-first search that first takes an item and then leaves it out. The remaining capacity is a cell of the
//! layer; its value plus the profits of all undecided items bounds the result of a subtree, so most choices are
//! never visited.

use super::pass::Cell;
use crate::multidim::layers::left;
use isx_engine::{Context, EngineError};
use isx_problems::multidim::PerDimension;
use isx_problems::reduce::multidim::Reduced;

/// The best choice of all items.
pub struct Last<V> {
    /// Its profit.
    pub profit: V,
    /// The capacity that it leaves for the items with layers.
    pub cell: PerDimension,
    /// The chosen items without a layer, smallest number first.
    pub chosen: Vec<usize>,
    /// Choices visited.
    pub tried: u64,
}

/// Choices between two checks for cancellation.
const LOOK: u64 = 1 << 16;

struct Search<'a, V, F> {
    problem: &'a Reduced,
    profits: &'a [V],
    swept: usize,
    /// Prefix sums of the profits of the items without a layer, each excluding its own item.
    before: Vec<V>,
    value: F,
    context: &'a Context<'a>,
    best: Option<(V, PerDimension, u64)>,
    tried: u64,
}

/// Tries choices of the items from `swept` on, at most 64 of them; `value` returns the best profit of the others
/// within the remaining capacity. Fails if the search is cancelled.
pub fn search<V: Cell>(
    problem: &Reduced,
    profits: &[V],
    swept: usize,
    context: &Context,
    value: impl Fn(PerDimension) -> V,
) -> Result<Last<V>, EngineError> {
    let mut sum = V::zero();
    let mut before = vec![sum];
    for profit in &profits[swept..] {
        sum = sum.plus(profit);
        before.push(sum);
    }
    let mut search = Search { problem, profits, swept, before, value, context, best: None, tried: 0 };
    search.from(problem.items.len(), problem.capacities, V::zero(), 0)?;
    let (profit, cell, mask) = search.best.unwrap_or((V::zero(), problem.capacities, 0));
    let chosen = (swept..problem.items.len()).filter(|item| mask >> (item - swept) & 1 == 1).collect();
    Ok(Last { profit, cell, chosen, tried: search.tried })
}

impl<V: Cell, F: Fn(PerDimension) -> V> Search<'_, V, F> {
    /// The items below `end` are still undecided; those chosen so far leave `room` and are worth `profit`.
    fn from(&mut self, end: usize, room: PerDimension, profit: V, chosen: u64) -> Result<(), EngineError> {
        self.tried += 1;
        if self.tried.is_multiple_of(LOOK) {
            self.context.go_on()?;
        }
        let most = profit.plus(&(self.value)(room)).plus(&self.before[end - self.swept]);
        if self.best.is_some_and(|(best, ..)| most <= best) {
            return Ok(());
        }
        if end == self.swept {
            self.best = Some((most, room, chosen));
            return Ok(());
        }
        let item = end - 1;
        if let Some(room) = left(&room, &self.problem.items[item].weights) {
            let bit = 1 << (item - self.swept);
            self.from(item, room, profit.plus(&self.profits[item]), chosen | bit)?;
        }
        self.from(item, room, profit, chosen)
    }
}
