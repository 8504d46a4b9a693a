//! What the searches share: the best selection known, what is better than it, how a search ended, and what it may spend.

use crate::core::items::number::Number;
use isx_engine::{Context, EngineError};
use std::time::Instant;

#[derive(Clone, Debug)]
pub struct Incumbent<N> {
    pub profit: N,
    pub weight: N,
    /// Its items, in any order.
    pub chosen: Vec<u32>,
}

impl<N: Number> Incumbent<N> {
    pub fn nothing() -> Self {
        Self { profit: N::ZERO, weight: N::ZERO, chosen: Vec::new() }
    }

    /// Whether a selection of this profit and weight, which fits, is better.
    pub fn is_worse_than(&self, profit: N, weight: N) -> bool {
        profit > self.profit || (profit == self.profit && weight < self.weight)
    }

    /// Puts a selection that met a goal in its place.
    pub fn improve(&mut self, goal: Goal<N>, chosen: impl Iterator<Item = u32>) {
        self.profit = goal.target - N::ONE;
        self.weight = goal.lighter + N::ONE;
        self.chosen.clear();
        self.chosen.extend(chosen);
    }
}

/// What is better than the best selection known: more profit within the capacity, or one less than the target within
/// less weight.
#[derive(Clone, Copy, Debug)]
pub struct Goal<N> {
    /// No selection is heavier.
    pub capacity: N,
    /// The least profit that is more.
    pub target: N,
    /// The largest weight that is less. Below zero it is no weight.
    pub lighter: N,
}

impl<N: Number> Goal<N> {
    /// What is better than a selection of this profit and weight.
    pub fn better_than(profit: N, weight: N, capacity: N) -> Self {
        Self { capacity, target: profit + N::ONE, lighter: weight - N::ONE }
    }

    pub fn beyond(best: &Incumbent<N>, capacity: N) -> Self {
        Self::better_than(best.profit, best.weight, capacity)
    }

    /// Whether a selection of this profit and weight is better.
    #[inline(always)]
    pub fn is_met(&self, profit: N, weight: N) -> bool {
        let most = if profit >= self.target { self.capacity } else { self.lighter };
        profit >= self.target - N::ONE && weight <= most
    }

    /// Such a selection is the best known from now on.
    pub fn meet(&mut self, profit: N, weight: N) {
        *self = Self::better_than(profit, weight, self.capacity);
    }

    /// What may be better in a relaxation in which room brings `per` for `of`, `of` being room in any measure of weights.
    ///
    /// The relaxation of a selection of profit p with room r up to the capacity, in that measure, is p + r per / of. It
    /// has to reach the target, or one less with so much less room as the lighter weight leaves up to the capacity. Both
    /// are lines of one slope in r, so that the lower one is all there is to ask.
    pub fn aim(&self, (per, of): (N, N)) -> Aim<N> {
        let spare = self.capacity - self.lighter;
        if N::product_reaches(per, spare, of, N::ONE) {
            Aim { per, of, target: self.target, spare: N::ZERO }
        } else {
            Aim { per, of, target: self.target - N::ONE, spare }
        }
    }
}

/// The line that a relaxation of this slope has to reach.
#[derive(Clone, Copy, Debug)]
pub struct Aim<N> {
    /// What `of` units of room bring.
    pub per: N,
    pub of: N,
    /// The profit to be reached,
    pub target: N,
    /// with so much room left over.
    pub spare: N,
}

impl<N: Number> Aim<N> {
    /// Whether this profit and what the room brings, or what the lack of it costs, reach it.
    #[inline(always)]
    pub fn is_reached(&self, profit: N, room: N) -> bool {
        N::product_reaches(room - self.spare, self.per, self.target - profit, self.of)
    }
}

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

    pub fn is_spent(&self) -> bool {
        self.left == 0 || self.is_late()
    }

    pub fn is_late(&self) -> bool {
        self.ends.is_some_and(|ends| Instant::now() > ends)
    }
}
