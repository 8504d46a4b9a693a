//! A bound: items may be taken in part, and of the knapsacks only the room of those that an item fits counts.
//!
//! With the knapsacks in order of their capacities, an item fits a knapsack and all after it. So the items that fit none
//! before knapsack k weigh no more, together, than the knapsacks from k on hold. Such constraints are a chain, and items in
//! order of their profit per weight, each as much as all constraints leave, are best (the greedy algorithm of polymatroids).
//! Without the chain this is Dantzig's bound for all knapsacks as one.
//!
//! Worked instance: capacities 3 and 6, items (profit, weight) = (6,4), (5,4), (3,3). As one of 9: 6 + 5 + 3/3 = 12. But the
//! first two fit only the knapsack of 6: 6 + 5 * 2/4 + 3 = 11.5, so 11.

use super::state::{FREE, Search};

/// Binary places of the fractions, which are rounded up.
const PLACES: u32 = 40;

/// The bound for free items in the knapsacks from `knapsack` on, of which it has only `left` left, and that for the items
/// that `is_open` to it and weigh no more.
pub(super) fn relaxed(
    search: &Search<'_>,
    knapsack: usize,
    left: u64,
    is_open: impl Fn(usize) -> bool,
) -> i128 {
    let Search { items, rooms, first, knapsack_of, .. } = search;
    // What is left of each constraint: all knapsacks, those after the first, and so on.
    let mut rooms: Vec<u64> = rooms[knapsack..].to_vec();
    if rooms.len() > 1 {
        rooms[0] = rooms[1].saturating_add(left);
    }
    let (mut profit, mut fractions) = (0i128, 0u128);
    for (at, item) in items.iter().enumerate().filter(|(at, _)| knapsack_of[*at] == FREE) {
        let begins = match first[at].max(knapsack) - knapsack {
            0 if item.weight > left || !is_open(at) => 1,
            begins => begins,
        };
        // Behind the last knapsack there is no room.
        let Some(chain) = rooms.get_mut(..=begins) else { continue };
        let part = chain.iter().copied().min().unwrap_or(0).min(item.weight);
        if part == 0 {
            if chain[0] == 0 {
                break;
            }
            continue;
        }
        chain.iter_mut().for_each(|room| *room -= part);
        if part == item.weight {
            profit += item.profit;
            continue;
        }
        let (weight, part) = (i128::from(item.weight), i128::from(part));
        let rest = item.profit % weight * part;
        profit += item.profit / weight * part + rest / weight;
        fractions += (((rest % weight) as u128) << PLACES).div_ceil(weight as u128);
    }
    profit + (fractions >> PLACES) as i128
}
