//! The core that grows around the break item (minknap).
//!
//! Start from the break solution: items by falling efficiency as long as they fit. Then alternate between the next
//! item after the core, which may be added, and the next before it, which may be removed, and keep the list of all
//! undominated states. A state of weight w and profit p leads to a profit of at most p + (C - w) e, where e is the
//! efficiency of the next item after the core if the state has room, else of the next before it. States that cannot
//! exceed the best known profit, or reach it with less weight, are dropped, and so are items whose flip alone
//! cannot, even before they are sorted. The search ends when the list is empty.
//!
//! D. Pisinger, "A minimal algorithm for the 0-1 knapsack problem", Operations Research 45(5), 1997. Bounds use a
//! [`Measure`]; where that has a price for every item, they are the surrogate bounds of combo (S. Martello, D. Pisinger
//! and P. Toth, "Dynamic programming and strong bounds for the 0-1 knapsack problem", Management Science 45(3), 1999),
//! but within a single list, which still compares true weights.
//!
//! Worked instance: (profit, weight) = (6,2), (5,3), (8,5), (2,3), C = 6. The first two fit, the break item is
//! (8,5): the bound is 11 + 1 * 8/5 = 12. With (8,5) the weight is 10 and the profit 19; if (5,3) is removed, (14,
//! 7) is still too heavy, and 14 - 1 * 3 = 11 is no more than 11. No state is left: the optimum is 11.

mod loser;
pub mod losses;
mod once;
mod partners;
mod residues;
mod row;
mod sides;

use crate::core::around_break::partners::meet;
use crate::core::around_break::row::{FoundInRow, Row, cells};
use crate::core::around_break::sides::{Core, Turn, flip};
use crate::core::items::number::Number;
use crate::core::items::split::split;
use crate::core::items::{Measure, Piece};
use crate::core::states::complete::complete;
use crate::core::states::goal::{Budget, Ending, Goal, Incumbent, Limits};
use crate::core::states::trail::BLOCK;
use crate::core::states::{Found, Frontier, State};
use isx_engine::EngineError;

/// Lists of fewer states are not completed with those of a second list.
const MEET: usize = 256;

/// Lists of fewer states are not converted to rows.
const CLOSE: usize = 500;

/// Searches for an improvement on the best known selection; `items` do not all fit and are reordered.
pub fn expand<N: Number>(
    items: &mut [Piece<N>],
    limits: Limits<N>,
    measure: Measure<N>,
    best: &mut Incumbent<N>,
    budget: &mut Budget,
) -> Result<Ending, EngineError> {
    let parts = split(items, measure);
    let first = State { weight: parts.weight, profit: parts.profit, trail: 0, count: parts.count };
    let mut goal = Goal::beyond(best, limits);
    if goal.is_met(first.profit, first.weight) {
        goal.meet(first.profit, first.weight);
        best.improve(goal, items[..parts.place].iter().map(|item| item.item));
    }
    let place = parts.place;
    let mut core = Core::new(items, measure, parts);
    let mut flipped: Vec<(u32, Turn)> = Vec::new();
    let mut found: Option<Found<Vec<(u32, Turn)>>> = None;
    let mut in_row: Option<Vec<usize>> = None;
    let (mut completed, mut met, mut close) = (16, MEET, CLOSE);
    let mut states = Frontier::of(first);
    let mut after = true;
    let ending = loop {
        // The sides alternate while both have items.
        let Some(turn) = core.turn(after, goal) else { break Ending::Proved };
        let item = core.take(turn);
        flipped.push((item.item, turn));
        let mut sieve = core.slopes(goal);
        states.flip(flip(&item, turn), &mut sieve, budget)?;
        goal = sieve.goal;
        let Frontier { list, trails, .. } = &states;
        if let Some(trail) = sieve.found {
            found = Some(Found { mark: trails.mark(trail), beside: Vec::new() });
        }
        if list.len() > completed || flipped.len().is_multiple_of(BLOCK) {
            completed = 2 * list.len();
            let (mut add, mut remove) = core.pools();
            if let Some(best) = complete(list.iter(), goal, &mut add, &mut remove) {
                goal.meet(best.profit, best.weight);
                let turn = if best.removed { Turn::Before } else { Turn::After };
                found = Some(Found { mark: trails.mark(best.trail), beside: vec![(best.item, turn)] });
            }
        }
        if list.len() >= met || (list.len() > MEET && budget.is_spent()) {
            met = 2 * list.len();
            if let Some((trail, beside)) = meet(list, first, &core, &mut goal, budget)? {
                found = Some(Found { mark: trails.mark(trail), beside });
            }
        }
        if list.len() == 0 {
            break Ending::Proved;
        }
        if budget.is_spent() {
            break Ending::OutOfBudget;
        }
        after = turn == Turn::Before;
        if list.len() < close || cells(list).is_none() {
            continue;
        }
        close = 2 * list.len();
        if let Some(row) = Row::of(list, &core, goal) {
            let begun = flipped.len();
            let row = row.search(&mut core, goal, after, &mut flipped, budget)?;
            if let Some(FoundInRow { steps, weight, beside }) = row.found {
                let began = list.iter().find(|state| state.weight == weight).map_or(0, |state| state.trail);
                goal = row.goal;
                found = Some(Found { mark: trails.mark(began), beside: beside.into_iter().collect() });
                in_row = Some(steps.into_iter().map(|step| begun + step).collect());
            }
            break row.ending;
        }
    };
    if let Some(Found { mark, beside }) = found {
        let in_row = in_row.unwrap_or_default();
        let steps = || states.trails.flipped(mark).chain(in_row.iter().copied());
        let changes = || steps().map(|step| flipped[step]).chain(beside.iter().copied());
        let mut removed: Vec<u32> =
            changes().filter(|(_, turn)| *turn == Turn::Before).map(|(item, _)| item).collect();
        removed.sort_unstable();
        let stay =
            items[..place].iter().map(|item| item.item).filter(|item| removed.binary_search(item).is_err());
        let added = changes().filter(|(_, turn)| *turn == Turn::After).map(|(item, _)| item);
        best.improve(goal, stay.chain(added));
    }
    Ok(ending)
}
