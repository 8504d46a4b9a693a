//! Completes every state of a list with a state of a second list, made from items all over the rest.
//!
//! Where the bound is tight, the search ends with the first selection that reaches it: a sum of weights that is exactly
//! the capacity, say. Two lists of L states have L^2 sums, and as both rise in weight and profit, one pass over both
//! finds the best sum within the capacity (E. Horowitz and S. Sahni, "Computing partitions with applications to the
//! knapsack problem", Journal of the ACM 21(2), 1974). So lists of the square root of the range of weights suffice.
//!
//! Worked instance: (profit, weight) = (9,9), (7,7), (6,6), (4,4), (3,3), C = 19. The first two fit. If the core is
//! (6,6), its list has the weights 16 and 22; with (7,7) and (4,4) the second one has the changes -7, -3, 0 and 4, and
//! 22 - 3 = 19.

use crate::core::around_break::sides::{Core, Turn, flip};
use crate::core::items::number::Number;
use crate::core::states::goal::{Budget, Goal};
use crate::core::states::trail::{BLOCK, Trail};
use crate::core::states::{Frontier, List, State};
use isx_engine::EngineError;

/// A state of a list, by its trail, and the changes of one of the second list.
type Sum = (Trail, Vec<(u32, Turn)>);

/// The best sum of a state of the list and one of the second list that meets the goal, which is raised to it. `first` is the state without changes.
pub fn meet<N: Number>(
    list: &List<N>,
    first: State<N>,
    core: &Core<N>,
    goal: &mut Goal<N>,
    budget: &mut Budget,
) -> Result<Option<Sum>, EngineError> {
    let (after, before) = core.spread(BLOCK / 2, *goal);
    let mut others = Frontier::of(first);
    let mut changes = Vec::new();
    let mut sieve = core.slopes_at_break(*goal);
    let at = |step: usize| [(after.get(step), Turn::After), (before.get(step), Turn::Before)];
    let next = (0..BLOCK / 2).flat_map(at).filter_map(|(item, turn)| Some((item?, turn)));
    for (item, turn) in next {
        others.flip(flip(item, turn), &mut sieve, budget)?;
        changes.push((item.item, turn));
        if others.list.len() == 0 || others.list.len() > list.len() {
            break;
        }
    }
    let mut best = None;
    let mut others_down = others.list.iter().rev().peekable();
    for state in list.iter() {
        let fits = |other: &State<N>| state.weight + (other.weight - first.weight) <= goal.capacity;
        while others_down.peek().is_some_and(|other| !fits(other)) {
            others_down.next();
        }
        let Some(other) = others_down.peek() else { break };
        let profit = state.profit + (other.profit - first.profit);
        let weight = state.weight + (other.weight - first.weight);
        if goal.is_met(profit, weight) {
            goal.meet(profit, weight);
            best = Some((state.trail, other.trail));
        }
    }
    Ok(best.map(|(trail, other)| {
        let steps = others.trails.flipped(others.trails.mark(other));
        (trail, steps.map(|step| changes[step]).collect())
    }))
}
