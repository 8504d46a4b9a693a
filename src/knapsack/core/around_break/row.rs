//! The list of a core converted to a row of cells, which continues its search.
//!
//! Every state is still present, so the search stays exact; only the ends of the row are checked against the bound.
//! The remaining time is known: at most one pass per item that may be flipped.

use crate::core::around_break::sides::{Core, Turn, flip};
use crate::core::cells::{Band, Held, MOST_ITEMS, MOST_PROFIT};
use crate::core::items::Piece;
use crate::core::items::number::Number;
use crate::core::states::goal::{Budget, Ending, Goal};
use crate::core::states::trail::BLOCK;
use crate::core::states::{Flip, List, State};
use isx_engine::EngineError;

/// Cells of a row that cost as much as one state of a list.
const SPARSE: i128 = 14;

/// Rows of fewer cells stay in fast caches: there twice as many cost as much.
const NEAR: i128 = 1 << 17;

/// Cells that an item may reach, per cell of the initial row.
const REACH: i128 = 8;

/// Weights whose sum is below this fit the row's numbers.
const MOST_WEIGHT: i128 = 1 << 62;

/// Cells of a row that count as one state of the budget.
const CELLS: usize = 64;

/// A row continues beyond its budget if at most this many cells per state of the budget remain: its end is certain.
const SOON: u64 = 2000;

/// Steps of a row between two searches for its best state.
const LOOK: usize = 16;

/// The list as a row of cells, which continues the search.
pub struct Row<N> {
    band: Band,
    /// The origin of the row's weights, profits and counts.
    base: State<N>,
}

/// The number of cells for a row of the list's states, if they are so dense that a pass over all weights is cheaper
/// than a merge.
pub fn cells<N: Number>(list: &List<N>) -> Option<i128> {
    let (first, last) = (list.iter().next()?, list.iter().last()?);
    let cells = (last.weight - first.weight).wide() + 1;
    let sparse = if cells < NEAR { 2 * SPARSE } else { SPARSE };
    (cells <= sparse * list.len() as i128).then_some(cells)
}

pub struct RowEnding<N> {
    /// Whether no better selection is left.
    pub ending: Ending,
    pub goal: Goal<N>,
    /// The best known, if it was found here.
    pub found: Option<FoundInRow<N>>,
}

pub struct FoundInRow<N> {
    /// The steps of the row whose items it flips.
    pub steps: Vec<usize>,
    /// The weight it had in the list.
    pub weight: N,
    /// An item outside the core that it also adds or removes.
    pub beside: Option<(u32, Turn)>,
}

impl<N: Number> Row<N> {
    /// The row, if no item that may be flipped is so heavy that the row would be mostly empty, and all sums fit.
    pub fn of(list: &List<N>, core: &Core<N>, goal: Goal<N>) -> Option<Self> {
        let (base, cells) = (*list.iter().next()?, cells(list)?);
        let sum = |part: fn(&Piece<N>) -> i128| core.items.iter().map(part).sum::<i128>();
        let fits = sum(|item| item.profit.wide()) < MOST_PROFIT
            && sum(|item| item.count.into()) < MOST_ITEMS
            && sum(|item| item.weight.wide()) < MOST_WEIGHT
            && core.measure.room.wide() < MOST_WEIGHT
            && core.measure.price.wide().saturating_mul(sum(|item| item.count.into())).abs() < MOST_WEIGHT
            && core.heaviest(goal).wide() <= REACH * cells;
        if !fits {
            return None;
        }
        let held = |state: &State<N>| Held {
            weight: (state.weight - base.weight).wide() as i64,
            profit: (state.profit - base.profit).wide() as i64,
            count: state.count - base.count,
        };
        Some(Self { band: Band::of(list.iter().map(held), cells as usize), base })
    }

    /// Continues the search with the items on the core's sides.
    pub fn search(
        mut self,
        core: &mut Core<N>,
        mut goal: Goal<N>,
        mut after: bool,
        flipped: &mut Vec<(u32, Turn)>,
        budget: &mut Budget,
    ) -> Result<RowEnding<N>, EngineError> {
        let base = self.base;
        let room = (goal.capacity - base.weight).wide() as i64;
        let mut best: Option<InRow> = None;
        let (mut completed, mut soon) = (0, false);
        let ending = loop {
            if self.band.steps() >= completed {
                completed = 4 * self.band.steps() + 1;
                best = self.complete(core, room, &mut goal).or(best);
            }
            let Some(turn) = core.turn(after, goal) else { break Ending::Proved };
            let item = core.take(turn);
            flipped.push((item.item, turn));
            let Flip { weight, profit, count } = flip(&item, turn);
            let change = Held { weight: weight.wide() as i64, profit: profit.wide() as i64, count };
            let cells = self.band.len() + change.weight.unsigned_abs() as usize;
            budget.spend(cells.div_ceil(CELLS), self.band.bytes(), 8 * CELLS)?;
            self.band.flip(change);
            if self.band.steps().is_multiple_of(LOOK) {
                best = self.look(room, &mut goal).or(best);
            }
            let bound = core.slopes(goal).bound(&base);
            self.band.trim(&bound);
            if self.band.len() == 0 {
                break Ending::Proved;
            }
            if budget.is_spent() {
                if !soon || self.band.steps().is_multiple_of(BLOCK) {
                    soon = self.ends_soon(core, goal, budget.allowed());
                }
                if budget.is_late() || !soon {
                    break Ending::OutOfBudgetInRow;
                }
            }
            after = turn == Turn::Before;
        };
        best = self.look(room, &mut goal).or(best);
        let found = best.map(|InRow { weight, steps, beside, .. }| {
            let (steps, weight) = self.band.trace(weight, steps);
            FoundInRow { steps, weight: base.weight + N::ONE.times(weight), beside }
        });
        Ok(RowEnding { ending, goal, found })
    }

    /// The best current state of the row, if it meets the goal, which is then raised.
    fn look(&self, room: i64, goal: &mut Goal<N>) -> Option<InRow> {
        let held = self.band.best(room).filter(|held| self.meets(goal, held.profit, held.weight))?;
        Some(InRow { weight: held.weight, steps: self.band.steps(), beside: None })
    }

    /// Whether a selection of that profit and weight, relative to the base, meets the goal; if so the goal is
    /// raised.
    fn meets(&self, goal: &mut Goal<N>, profit: i64, weight: i64) -> bool {
        let profit = self.base.profit + N::ONE.times(profit);
        let weight = self.base.weight + N::ONE.times(weight);
        let met = goal.is_met(profit, weight);
        if met {
            goal.meet(profit, weight);
        }
        met
    }

    /// Whether all remaining items take little time compared with the budget.
    fn ends_soon(&self, core: &Core<N>, goal: Goal<N>, allowed: u64) -> bool {
        let cells = core.left(goal).saturating_mul(self.band.len()) as u64;
        cells <= allowed.saturating_mul(SOON)
    }

    /// The best of all states with one more item outside the core, if it meets the goal, which is then raised.
    fn complete(&self, core: &Core<N>, room: i64, goal: &mut Goal<N>) -> Option<InRow> {
        let target = (goal.target - self.base.profit).wide();
        let within = self.band.best_within();
        let mut best: Option<(i64, Flip<N>, u32, Turn)> = None;
        let (before, after) = core.beside();
        let changes = before
            .iter()
            .map(|item| (item, Turn::Before))
            .chain(after.iter().map(|item| (item, Turn::After)));
        for (item, turn) in changes {
            let change = flip(item, turn);
            let Some(held) = within.profit(room - change.weight.wide() as i64) else { continue };
            let profit = held + change.profit.wide() as i64;
            if i128::from(profit) >= target && best.is_none_or(|(most, ..)| profit > most) {
                best = Some((profit, change, item.item, turn));
            }
        }
        let (profit, Flip { weight: change, .. }, item, turn) = best?;
        let change = change.wide() as i64;
        let weight = self.band.best(room - change)?.weight;
        let steps = self.band.steps();
        self.meets(goal, profit, weight + change).then_some(InRow {
            weight,
            steps,
            beside: Some((item, turn)),
        })
    }
}

/// The best state of a row so far.
struct InRow {
    /// Its weight without the additional item.
    weight: i64,
    /// The number of steps before it.
    steps: usize,
    beside: Option<(u32, Turn)>,
}
