//! A capacity that suffices for a value, from the linear relaxation.
//!
//! The steps of all classes' upper concave hulls, steepest first, are taken whole until the value is reached. The
//! relaxation would take the last step only in part, so this capacity suffices, and it exceeds the smallest
//! sufficient one by less than that step. (P. Sinha and A. Zoltners, "The multiple-choice knapsack problem",
//! Operations Research 27(3), 1979.)
//!
//! Worked instance: classes {(3,1), (4,3)} and {(2,1)} as (value, weight), optional. Steps (3,1), (2,1), (1,2). The
//! value 4 takes the first two: capacity 2.

use super::{Choice, Item, Mckp};
use crate::value::Value;
use num_bigint::BigInt;
use std::cmp::Ordering;

/// A step of a hull.
struct Step {
    rise: BigInt,
    run: u64,
}

/// The sign of the cross product that compares the slopes of two steps; the steepest comes first.
fn steepness(a: (&BigInt, u64), b: (&BigInt, u64)) -> Ordering {
    (b.0 * a.1).cmp(&(a.0 * b.1))
}

/// A capacity within which some selection has at least the value `needed`; it exceeds the smallest such capacity by
/// less than the heaviest step of a hull. `None` if no selection reaches the value. For optional choice.
///
/// Time O(n log n) for n items.
pub fn enough_capacity<V: Value>(problem: &Mckp<V>, needed: &BigInt) -> Option<u64> {
    debug_assert_eq!(problem.choice, Choice::Optional, "a class may give nothing");
    let mut steps: Vec<Step> = problem.classes.iter().flat_map(|items| hull(items)).collect();
    steps.sort_by(|a, b| steepness((&a.rise, a.run), (&b.rise, b.run)));
    let (mut weight, mut value) = (0u64, BigInt::ZERO);
    for step in steps {
        if value >= *needed {
            break;
        }
        value += step.rise;
        weight = weight.checked_add(step.run)?;
    }
    (value >= *needed).then_some(weight)
}

/// The steps of the upper concave hull of the items and of no item, steepest first.
fn hull<V: Value>(items: &[Item<V>]) -> Vec<Step> {
    let mut order: Vec<&Item<V>> = items.iter().collect();
    order.sort_by(|a, b| a.weight.cmp(&b.weight).then_with(|| b.value.cmp(&a.value)));
    // The corners, starting with no item.
    let mut corners = vec![(0u64, BigInt::ZERO)];
    for item in order {
        let (weight, value) = (item.weight, item.value.to_big());
        if corners.last().is_some_and(|(_, best)| value <= *best) {
            continue;
        }
        while let [.., (w1, v1), (w2, v2)] = &corners[..] {
            let (before, after) = ((v2 - v1, w2 - w1), (&value - v2, weight - w2));
            if steepness((&before.0, before.1), (&after.0, after.1)) == Ordering::Less {
                break;
            }
            corners.pop();
        }
        corners.push((weight, value));
    }
    let step = |pair: &[(u64, BigInt)]| Step { rise: &pair[1].1 - &pair[0].1, run: pair[1].0 - pair[0].0 };
    corners.windows(2).map(step).collect()
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
