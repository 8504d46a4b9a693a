//! Completes every state of a list with one more item outside the core: finds good selections long before the bound
//! would.
//!
//! A state with room takes the most profitable item of a pool that fits; one that is too heavy removes the least
//! profitable item that makes it fit. Both pools and the list are sorted by weight, so all states take one pass.

use crate::core::items::number::Number;
use crate::core::items::{Piece, sort};
use crate::core::states::State;
use crate::core::states::goal::Goal;

/// The item that completes a state, and the state.
#[derive(Clone, Copy, Debug)]
pub struct Completion<N> {
    pub profit: N,
    pub weight: N,
    pub trail: u64,
    pub item: u32,
    /// Whether it is removed instead of added.
    pub removed: bool,
}

/// The best completion of a state, if it meets the goal. Reorders `add` and `remove`.
pub fn complete<'a, N: Number + 'a>(
    states: impl Iterator<Item = &'a State<N>>,
    mut goal: Goal<N>,
    add: &mut Vec<Piece<N>>,
    remove: &mut Vec<Piece<N>>,
) -> Option<Completion<N>> {
    // Lighter and more profitable first; then keeps only heavier items with more profit.
    sort(add, &|a, b| (a.weight, b.profit).cmp(&(b.weight, a.profit)));
    let mut most = N::ZERO;
    add.retain(|item| {
        item.profit > most && {
            most = item.profit;
            true
        }
    });
    // Heavier and less profitable first; then keeps only lighter items with less profit.
    sort(remove, &|a, b| (b.weight, a.profit).cmp(&(a.weight, b.profit)));
    let mut least = N::MAX;
    remove.retain(|item| {
        item.profit < least && {
            least = item.profit;
            true
        }
    });
    let (capacity, mut best) = (goal.capacity, None);
    for state in states {
        let (item, profit, weight, removed) = if state.weight <= capacity {
            while add.last().is_some_and(|item| state.weight + item.weight > capacity) {
                add.pop();
            }
            let Some(item) = add.last() else { continue };
            (item, state.profit + item.profit, state.weight + item.weight, false)
        } else {
            while remove.last().is_some_and(|item| state.weight - item.weight > capacity) {
                remove.pop();
            }
            let Some(item) = remove.last() else { break };
            (item, state.profit - item.profit, state.weight - item.weight, true)
        };
        if goal.is_met(profit, weight) {
            goal.meet(profit, weight);
            best = Some(Completion { profit, weight, trail: state.trail, item: item.item, removed });
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_pair_of_a_state_and_an_item_is_found() {
        let mut seed = 1u64;
        let mut random = |most: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % most
        };
        let mut completed = 0;
        for _ in 0..2000 {
            let mut list: Vec<State<i64>> = (0..random(6))
                .map(|trail| State { weight: random(40) as i64, profit: random(40) as i64, trail, count: 0 })
                .collect();
            list.sort_unstable_by_key(|state| state.weight);
            let mut pool = |first: u32| -> Vec<Piece<i64>> {
                let mut piece = |item| Piece {
                    profit: 1 + random(20) as i64,
                    weight: 1 + random(20) as i64,
                    count: 1,
                    item,
                };
                (first..first + 4).map(&mut piece).collect()
            };
            let (mut add, mut remove) = (pool(0), pool(4));
            let pairs = list.iter().flat_map(|state| {
                let added = add.iter().map(|item| (state.weight + item.weight, state.profit + item.profit));
                let removed =
                    remove.iter().map(|item| (state.weight - item.weight, state.profit - item.profit));
                let (lighter, heavier) = if state.weight <= 20 { (20, i64::MIN) } else { (i64::MIN, 20) };
                added
                    .filter(move |pair| pair.0 <= lighter)
                    .chain(removed.filter(move |pair| pair.0 <= heavier))
            });
            let order = |&(weight, profit): &(i64, i64)| (profit, -weight);
            let goal = Goal { capacity: 20, target: 25, lighter: 12, lattice: None };
            let best = pairs.max_by_key(order).filter(|pair| goal.is_met(pair.1, pair.0));
            let found = complete(list.iter(), goal, &mut add, &mut remove);
            assert_eq!(found.map(|found| (found.weight, found.profit)), best);
            completed += u32::from(found.is_some());
        }
        assert!(completed > 500, "{completed}");
    }
}
