//! How far below the capacity the weight of a best selection can lie.
//!
//! With an efficiency e = p/w of profit per weight, no selection of weight j has more profit than
//!
//! ```text
//! e j + sum of max(0, p_i - e w_i)
//! ```
//!
//! (the Lagrangean bound). So a selection with at least a known profit L weighs at least the j at which this reaches
//! L; a table for the least weight of the greatest profit needs no cells below. The efficiency is that of the break
//! item, L the profit of a greedy selection.
//!
//! Worked instance: (profit, weight) = (7,6), (5,5), (3,2), C = 12. Greedy takes (3,2) and (7,6) for a profit of 10;
//! e = 1, and weight j has a profit of at most j + 2, so a best selection weighs at least 8: the slack is 4.

use isx_problems::knapsack::Item;

/// No best selection weighs less than the capacity minus this.
pub fn slack(items: &[Item], capacity: u64) -> u64 {
    exact(items, capacity).map_or(capacity, |slack| slack.min(capacity))
}

/// `None` if a number exceeds 128 bits, or all items fit.
fn exact(items: &[Item], capacity: u64) -> Option<u64> {
    let (known, edge) = greedy(items, capacity);
    let Item { profit, weight } = edge.filter(|edge| edge.profit > 0)?;
    let weight = i128::from(weight);
    let mut gap = profit.checked_mul(capacity.into())?.checked_sub(known.checked_mul(weight)?)?;
    for item in items {
        let paid = profit.checked_mul(item.weight.into())?;
        gap = gap.checked_add(item.profit.checked_mul(weight)?.checked_sub(paid)?.max(0))?;
    }
    u64::try_from(gap / profit).ok()
}

/// The profit of taking items by profit per weight as long as they fit, and the first that does not fit.
pub fn greedy(items: &[Item], capacity: u64) -> (i128, Option<Item>) {
    // Only the order is inexact: any order gives a valid selection, and any efficiency a valid bound.
    let mut order: Vec<(f64, &Item)> =
        items.iter().map(|item| (item.profit as f64 / item.weight as f64, item)).collect();
    order.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let (mut left, mut profit, mut edge) = (capacity, 0i128, None);
    for (_, item) in order {
        if item.weight <= left {
            left -= item.weight;
            profit = profit.saturating_add(item.profit);
        } else if edge.is_none() {
            edge = Some(*item);
        }
    }
    (profit, edge)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(items: &[(i128, u64)]) -> Vec<Item> {
        items.iter().map(|&(profit, weight)| Item { profit, weight }).collect()
    }

    #[test]
    fn the_worked_instance_is_as_stated() {
        assert_eq!(slack(&items(&[(7, 6), (5, 5), (3, 2)]), 12), 4);
    }

    #[test]
    fn what_passes_128_bits_says_nothing() {
        let wide = items(&[((1 << 120) - 1, (1 << 62) - 1), (1, 1)]);
        assert_eq!((slack(&wide, 5), slack(&items(&[(1, 1)]), 7)), (5, 7));
    }
}
