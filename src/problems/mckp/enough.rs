//! A capacity that suffices for a value, from the linear relaxation.
//!
//! The steps of all classes' upper concave hulls, steepest first, are taken whole until the value is reached. The
//! relaxation would take the last step only in part, so this capacity suffices, and it exceeds the smallest
//! sufficient one by less than that step. (P. Sinha and A. Zoltners, "The multiple-choice knapsack problem",
//! Operations Research 27(3), 1979.)
//!
//! Worked instance: classes {(3,1), (4,3)} and {(2,1)} as (value, weight), optional. Steps (3,1), (2,1), (1,2). The
//! value 4 takes the first two: capacity 2.

use super::{Choice, Item, Mckp, upper_hull};
use crate::value::Value;
use isx_exact::order;
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// A capacity within which some selection has at least the value `needed`; it exceeds the smallest such capacity by
/// less than the heaviest step of a hull. `None` if no selection reaches the value. For optional choice.
///
/// Time O(n log n) for n items.
pub fn enough_capacity<V: Value + ToPrimitive>(problem: &Mckp<V>, needed: &BigInt) -> Option<u64> {
    debug_assert_eq!(problem.choice, Choice::Optional, "a class may give nothing");
    // Gains of value for weight; what weighs nothing is taken first.
    let (mut weight, mut value, mut steps) = (0u64, BigInt::ZERO, Vec::new());
    for items in &problem.classes {
        let mut items = items.clone();
        items.push(Item { value: V::zero(), weight: 0 });
        let corners: Vec<&Item<V>> = upper_hull(&items, u64::MAX).into_iter().map(|at| &items[at]).collect();
        value += corners[0].value.to_big();
        let rise = |pair: &[&Item<V>]| pair[1].value.to_big() - pair[0].value.to_big();
        let step = |pair: &[&Item<V>]| (rise(pair), pair[1].weight - pair[0].weight);
        steps.extend(corners.windows(2).map(step));
    }
    order::sort_by(&mut steps, |(rise, run), (other, other_run)| (other * run).cmp(&(rise * other_run)));
    for (rise, run) in steps {
        if value >= *needed {
            break;
        }
        value += rise;
        weight = weight.checked_add(run)?;
    }
    (value >= *needed).then_some(weight)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(items: &[(i64, u64)]) -> Vec<Item<i64>> {
        items.iter().map(|&(value, weight)| Item { value, weight }).collect()
    }

    fn enough(classes: &[&[(i64, u64)]], needed: i64) -> Option<u64> {
        let classes = classes.iter().map(|items| class(items)).collect();
        enough_capacity(&Mckp { classes, capacity: 0, choice: Choice::Optional }, &needed.into())
    }

    #[test]
    fn the_worked_instance_is_as_told() {
        let classes: [&[(i64, u64)]; 2] = [&[(3, 1), (4, 3)], &[(2, 1)]];
        let capacities = [-5, 0, 1, 3, 4, 5, 6, 7].map(|needed| enough(&classes, needed));
        assert_eq!(capacities, [Some(0), Some(0), Some(1), Some(1), Some(2), Some(2), Some(4), None]);
    }

    #[test]
    fn free_items_cost_nothing_and_losses_are_left() {
        assert_eq!(enough(&[&[(4, 0), (-9, 0), (-1, 3)]], 4), Some(0));
        assert_eq!(enough(&[&[]], 1), None);
        assert_eq!(enough(&[&[(1, u64::MAX)], &[(1, u64::MAX)]], 2), None);
    }

    #[test]
    fn it_is_enough_and_less_by_its_largest_step_is_not() {
        // Every pair of items of two classes, against brute force over selections.
        let items = [(1, 4), (5, 9), (6, 3), (8, 20), (9, 11), (12, 25)];
        let mut decided = 0;
        for a in 0..items.len() {
            for b in 0..items.len() {
                let classes: [&[(i64, u64)]; 2] = [&items[..=a], &items[b..]];
                for needed in 1..25 {
                    let mut least = None;
                    for x in std::iter::once(&(0, 0)).chain(classes[0]) {
                        for y in std::iter::once(&(0, 0)).chain(classes[1]) {
                            if x.0 + y.0 >= needed {
                                least = Some(least.unwrap_or(u64::MAX).min(x.1 + y.1));
                            }
                        }
                    }
                    let found = enough(&classes, needed);
                    assert_eq!(found.is_some(), least.is_some());
                    if let (Some(found), Some(least)) = (found, least) {
                        assert!(found >= least && found - least < 25, "{found} {least}");
                        decided += 1;
                    }
                }
            }
        }
        assert!(decided > 400, "{decided}");
    }
}
