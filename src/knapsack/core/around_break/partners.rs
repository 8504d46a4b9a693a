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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::items::split::split;
    use crate::core::items::{Measure, Piece};
    use crate::core::states::goal::{Incumbent, Limits};
    use isx_engine::Context;
    use isx_machine::Machine;

    #[test]
    fn a_sum_of_two_lists_that_is_found_is_a_better_selection() {
        let mut seed = 4u64;
        let mut random = |most: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            1 + ((seed >> 33) % most) as i64
        };
        let machine = Machine::default().with_threads(1);
        let context = Context::new(&machine);
        let mut improved = 0;
        for _ in 0..300 {
            let piece = |item| Piece { profit: 0, weight: random(90), count: 1, item };
            let mut items: Vec<Piece<i64>> = (0..14).map(piece).collect();
            items.iter_mut().for_each(|item| item.profit = item.weight + 3);
            let capacity = items.iter().map(|item| item.weight).sum::<i64>() / 2;
            let measure = Measure::weights(capacity);
            let parts = split(&mut items, measure);
            let first = State { weight: parts.weight, profit: parts.profit, trail: 0, count: parts.count };
            let limits = Limits { capacity, lattice: None };
            let known = Incumbent { profit: parts.profit, weight: parts.weight, chosen: Vec::new() };
            let before = Goal::beyond(&known, limits);
            let mut core = Core::new(&mut items, measure, parts);
            let mut goal = before;
            let mut budget = Budget::new(&context, isx_engine::Patience::ENDLESS);
            let mut states = Frontier::of(first);
            let mut flipped = Vec::new();
            for step in 0..4 {
                let Some(turn) = core.turn(step % 2 == 0, goal) else { break };
                let item = core.take(turn);
                let mut sieve = core.slopes_at_break(goal);
                states.flip(flip(&item, turn), &mut sieve, &mut budget).unwrap();
                flipped.push((item.item, turn));
            }
            let met = meet(&states.list, first, &core, &mut goal, &mut budget).unwrap();
            let Some((trail, beside)) = met else { continue };
            let own = states.trails.flipped(states.trails.mark(trail)).map(|step| flipped[step]);
            let changes: Vec<(u32, Turn)> = own.chain(beside).collect();
            let (mut weight, mut profit) = (first.weight, first.profit);
            for &(item, turn) in &changes {
                let change = flip(items.iter().find(|piece| piece.item == item).unwrap(), turn);
                (weight, profit) = (weight + change.weight, profit + change.profit);
            }
            let once: std::collections::BTreeSet<u32> = changes.iter().map(|change| change.0).collect();
            assert_eq!(once.len(), changes.len(), "{changes:?}");
            assert!(weight <= capacity && before.is_met(profit, weight), "{changes:?}");
            assert_eq!((goal.target, goal.lighter), (profit + 1, weight - 1));
            improved += 1;
        }
        assert!(improved > 20, "{improved}");
    }
}
