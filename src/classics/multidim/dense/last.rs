//! The best choice of the items that have no layer, tried one by one against the last layer of those that have.
//!
//! A depth-first search that takes an item before it leaves it out. What is left of the capacities is a cell of the
//! layer; its value and the profits of all items still to come bound what can be found below, so most choices are
//! never looked at.

use super::pass::Cell;
use crate::multidim::layers::left;
use isx_engine::{Context, EngineError};
use isx_problems::multidim::Figures;
use isx_problems::reduce::multidim::Reduced;

/// The best choice of all items.
pub struct Last<V> {
    /// Its profit.
    pub profit: V,
    /// What it leaves for the items that have layers.
    pub cell: Figures,
    /// The items without a layer that it takes, smallest number first.
    pub chosen: Vec<usize>,
    /// Choices looked at.
    pub tried: u64,
}

/// Choices between two looks at whether to go on.
const LOOK: u64 = 1 << 16;

struct Search<'a, V, F> {
    problem: &'a Reduced,
    profits: &'a [V],
    swept: usize,
    /// The profits of the items from the first without a layer up to each, that one left out.
    before: Vec<V>,
    value: F,
    context: &'a Context<'a>,
    best: Option<(V, Figures, u64)>,
    tried: u64,
}

/// Tries choices of the items from `swept` on, at most 64 of them; `value` gives the best profit of the others within
/// what is left of the capacities.
///
/// # Errors
///
/// When the search is called off.
pub fn search<V: Cell>(
    problem: &Reduced,
    profits: &[V],
    swept: usize,
    context: &Context,
    value: impl Fn(Figures) -> V,
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

impl<V: Cell, F: Fn(Figures) -> V> Search<'_, V, F> {
    /// The items below `end` are still to be decided; those chosen so far leave `room` and are worth `profit`.
    fn from(&mut self, end: usize, room: Figures, profit: V, chosen: u64) -> Result<(), EngineError> {
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
