//! Shared state of the searches: the best selection known, the goal of improving it, how a search ended, and its
//! budget.

use crate::core::items::lattice::Lattice;
use crate::core::items::number::Number;
use isx_engine::{Context, EngineError, Patience};
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

    /// Replaces it with a selection that met a goal.
    pub fn improve(&mut self, goal: Goal<N>, chosen: impl Iterator<Item = u32>) {
        self.profit = goal.target - N::ONE;
        self.weight = goal.lighter + N::ONE;
        self.chosen.clear();
        self.chosen.extend(chosen);
    }
}

/// What counts as better than the best selection known: a profit of at least the target within the capacity, or the
/// target minus one within a smaller weight.
#[derive(Clone, Copy, Debug)]
pub struct Goal<N> {
    /// The maximum weight of a selection.
    pub capacity: N,
    /// The least profit that is an improvement.
    pub target: N,
    /// The largest weight that is an improvement at equal profit; negative if there is none.
    pub lighter: N,
    /// The lattice of all selections, if it is known.
    pub lattice: Option<Lattice>,
}

/// What holds for every selection.
#[derive(Clone, Copy, Debug)]
pub struct Limits<N> {
    /// Its largest weight.
    pub capacity: N,
    /// The lattice that its weight and profit lie in, if there is a coarser one than all integers.
    pub lattice: Option<Lattice>,
}

impl<N: Number> Goal<N> {
    /// The goal of improving on a selection of this profit and weight.
    pub fn better_than(profit: N, weight: N, limits: Limits<N>) -> Self {
        let Limits { capacity, lattice } = limits;
        Self { capacity, target: profit + N::ONE, lighter: weight - N::ONE, lattice }
    }

    pub fn beyond(best: &Incumbent<N>, limits: Limits<N>) -> Self {
        Self::better_than(best.profit, best.weight, limits)
    }

    /// Whether a selection of this profit and weight is better.
    #[inline(always)]
    pub fn is_met(&self, profit: N, weight: N) -> bool {
        let most = if profit >= self.target { self.capacity } else { self.lighter };
        profit >= self.target - N::ONE && weight <= most
    }

    /// Makes such a selection the best known one.
    pub fn meet(&mut self, profit: N, weight: N) {
        (self.target, self.lighter) = (profit + N::ONE, weight - N::ONE);
    }

    /// The line that a relaxation must reach, in which room of size `of`, in any measure of weights, has profit
    /// `per`.
    ///
    /// The relaxation of a selection of profit p with room r up to the capacity, in that measure, is p + r per / of.
    /// It has to reach the target, or the target minus one with the room reduced by the difference between the
    /// capacity and the lighter weight. Both are lines of equal slope in r, so only the lower one has to be checked.
    /// In a lattice the line passes through the lowest of its points instead.
    pub fn aim(&self, (per, of): (N, N)) -> Aim<N> {
        if let Some(lattice) = self.lattice {
            return self.aim_in(lattice, (per, of));
        }
        if self.is_more_profit_first((per, of)) {
            Aim { per, of, target: self.target, spare: N::ZERO }
        } else {
            Aim { per, of, target: self.target - N::ONE, spare: self.capacity - self.lighter }
        }
    }

    /// Whether the line of this slope through the target is the lower one of the two, without a lattice.
    pub fn is_more_profit_first(&self, (per, of): (N, N)) -> bool {
        N::product_reaches(per, self.capacity - self.lighter, of, N::ONE)
    }

    #[cold]
    fn aim_in(&self, lattice: Lattice, (per, of): (N, N)) -> Aim<N> {
        let through = |weight: N, profit: N| {
            let slope = (per.wide(), of.wide());
            let (less, more) = lattice.nearest((weight.wide(), profit.wide()), slope);
            (profit + N::ONE.times(more), self.capacity - weight + N::ONE.times(less))
        };
        let (target, spare) = through(self.capacity, self.target);
        let (same, lighter) = through(self.lighter, self.target - N::ONE);
        if N::product_reaches(lighter - spare, per, target - same, of) {
            Aim { per, of, target, spare }
        } else {
            Aim { per, of, target: same, spare: lighter }
        }
    }
}

/// The line that a relaxation with this slope has to reach.
#[derive(Clone, Copy, Debug)]
pub struct Aim<N> {
    /// The profit of room of size `of`.
    pub per: N,
    pub of: N,
    /// The profit to be reached,
    pub target: N,
    /// with this much room left over.
    pub spare: N,
}

impl<N: Number> Aim<N> {
    /// Whether this profit plus the value of the room, or minus the cost of its lack, reaches the line.
    #[inline(always)]
    pub fn is_reached(&self, profit: N, room: N) -> bool {
        N::product_reaches(room - self.spare, self.per, self.target - profit, self.of)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// No selection searched is better than the best known one.
    Proved,
    /// The budget is spent.
    OutOfBudget,
    /// The same for a row of cells, whose end is foreseeable: it takes at most one pass per item.
    OutOfBudgetInRow,
}

/// The budget of a search, in states, and its deadline.
pub struct Budget<'a> {
    context: &'a Context<'a>,
    patience: Patience<'a>,
    begun: Instant,
    /// Seconds for which the patience is not asked.
    unasked: f64,
    left: u64,
    allowed: u64,
    spent: u64,
}

impl<'a> Budget<'a> {
    /// An empty budget; once the patience is exceeded it stays empty.
    pub fn new(context: &'a Context<'a>, patience: Patience<'a>) -> Self {
        Self { context, patience, begun: Instant::now(), unasked: 0.0, left: 0, allowed: 0, spent: 0 }
    }

    /// The same, which first consults the patience after these seconds, because that makes other engines plan.
    pub fn unasked_for(self, seconds: f64) -> Self {
        Self { unasked: seconds, ..self }
    }

    /// Sets the budget to `states`.
    pub fn renew(&mut self, states: u64) -> &mut Self {
        (self.left, self.allowed) = (states, states);
        self
    }

    /// Sets the budget to `states` strictly, even if an end is foreseeable.
    pub fn renew_strictly(&mut self, states: u64) -> &mut Self {
        (self.left, self.allowed) = (states, 0);
        self
    }

    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Spends budget before a list of `states` states of `size` bytes each is doubled, while `beside` more bytes are
    /// in use. Fails if memory would run short, or the computation was cancelled.
    pub fn spend(&mut self, states: usize, beside: u64, size: usize) -> Result<(), EngineError> {
        self.context.go_on()?;
        let states = states as u64;
        // A growing vector has up to twice the capacity it needs, and the old one exists while it moves.
        let lists = states.saturating_mul(size as u64).saturating_mul(6);
        self.context.machine.allow(lists.saturating_add(beside))?;
        if states >= 1 << 31 {
            return Err(EngineError::Failed(
                "a list would exceed 2^32 states, the most that it can number".into(),
            ));
        }
        self.left = self.left.saturating_sub(2 * states);
        self.spent += 2 * states;
        Ok(())
    }

    /// The budget of the last renewal, if waiting for a foreseeable end is allowed.
    pub fn allowed(&self) -> u64 {
        self.allowed
    }

    pub fn is_spent(&self) -> bool {
        self.left == 0 || self.is_late()
    }

    pub fn is_late(&self) -> bool {
        let seconds = self.begun.elapsed().as_secs_f64();
        seconds > self.unasked && self.patience.is_exceeded_by(seconds)
    }
}
