//! What the searches share: the best selection known, how a search ended, and what it may spend.

use super::number::Number;
use crate::engine::{Context, EngineError};
use std::time::Instant;

/// The best selection known.
#[derive(Clone, Debug)]
pub struct Incumbent<N> {
    /// Its profit.
    pub profit: N,
    /// Its items, in any order.
    pub chosen: Vec<u32>,
}

impl<N: Number> Incumbent<N> {
    /// Nothing chosen.
    pub fn nothing() -> Self {
        Self { profit: N::ZERO, chosen: Vec::new() }
    }

    /// Puts a better selection in its place.
    pub fn improve(&mut self, profit: N, chosen: impl Iterator<Item = u32>) {
        self.profit = profit;
        self.chosen.clear();
        self.chosen.extend(chosen);
    }
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Nothing is better than the best known, among what was searched.
    Proved,
    /// What it was allowed to spend is spent.
    OutOfBudget,
    /// The same in a row of cells, whose end is in sight: it takes no more passes than there are items.
    OutOfBudgetInRow,
}

/// What a search may spend, in states looked at, and when it has to end.
pub struct Budget<'a> {
    context: &'a Context<'a>,
    ends: Option<Instant>,
    left: u64,
    allowed: u64,
    spent: u64,
}

impl<'a> Budget<'a> {
    /// Nothing as yet; after `ends` nothing any more.
    pub fn new(context: &'a Context<'a>, ends: Option<Instant>) -> Self {
        Self { context, ends, left: 0, allowed: 0, spent: 0 }
    }

    /// So many states from now on.
    pub fn renew(&mut self, states: u64) -> &mut Self {
        (self.left, self.allowed) = (states, states);
        self
    }

    /// So many states from now on and no more, even where an end is in sight.
    pub fn renew_strictly(&mut self, states: u64) -> &mut Self {
        (self.left, self.allowed) = (states, 0);
        self
    }

    /// All states looked at.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Before a list of `states` states of `size` bytes each is doubled, `beside` bytes being held besides.
    ///
    /// # Errors
    ///
    /// When memory would run short, or the computation was called off.
    pub fn spend(&mut self, states: usize, beside: u64, size: usize) -> Result<(), EngineError> {
        self.context.go_on()?;
        let states = states as u64;
        // A vector that grows holds up to twice what is in it, and the old one while it moves.
        let lists = states.saturating_mul(size as u64).saturating_mul(6);
        self.context.machine.allow(lists.saturating_add(beside))?;
        if states >= 1 << 31 {
            return Err(EngineError::Failed("a list would pass 2^32 states, more than it can number".into()));
        }
        self.left = self.left.saturating_sub(2 * states);
        self.spent += 2 * states;
        Ok(())
    }

    /// What it was allowed at the last renewal, as far as an end in sight may be waited for.
    pub fn allowed(&self) -> u64 {
        self.allowed
    }

    /// Whether nothing is left.
    pub fn is_spent(&self) -> bool {
        self.left == 0 || self.is_late()
    }

    /// Whether its time is over.
    pub fn is_late(&self) -> bool {
        self.ends.is_some_and(|ends| Instant::now() > ends)
    }
}
