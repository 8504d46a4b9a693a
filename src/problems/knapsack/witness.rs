//! Recomputes a claim from its chosen items, with the problem's own numbers and without any engine.

use super::{Claim, Knapsack};
use crate::mismatch::Mismatch;
use isx_parallel as parallel;
use num_bigint::BigInt;

/// Number of points that a thread checks at a time.
const AT_A_TIME: usize = 64;

/// Checks every point whose items are known, in the current thread pool: the items are distinct and exist, and their
/// weight and profit equal the claim and fit the capacity. Fails with the first [`Mismatch`].
///
/// ```
/// use isx_problems::knapsack::{Claim, Item, Knapsack, witness};
/// use isx_problems::value::Values;
/// use std::sync::Arc;
/// let problem = Knapsack { items: vec![Item { profit: 7, weight: 3 }], capacity: 4 };
/// let claim = |profit| {
///     Claim::new(vec![3], Values::I64(vec![profit])).with_selections(0, Arc::new(vec![vec![0]]))
/// };
/// assert!(witness(&problem, &claim(7)).is_ok());
/// assert_eq!(witness(&problem, &claim(8)).unwrap_err().what, "profit");
/// ```
pub fn witness(problem: &Knapsack, claim: &Claim) -> Result<(), Mismatch> {
    let check = |chosen: &mut Vec<u32>, point: usize| {
        claim.write_items(point, chosen);
        check_point(problem, claim, point, chosen)
    };
    if claim.is_empty() {
        return Err(Mismatch::without_points());
    }
    let points = claim.chosen();
    if points.len() < 2 {
        return points.clone().try_for_each(|point| check(&mut Vec::new(), point));
    }
    parallel::try_each(points.len().div_ceil(AT_A_TIME), 1, |part| {
        let (first, mut chosen) = (points.start + part * AT_A_TIME, Vec::new());
        (first..points.end.min(first + AT_A_TIME)).try_for_each(|point| check(&mut chosen, point))
    })
}

fn check_point(problem: &Knapsack, claim: &Claim, point: usize, chosen: &[u32]) -> Result<(), Mismatch> {
    let wrong = |what, summed: String, claimed: String| Err(Mismatch { point, what, summed, claimed });
    if let Some(pair) = chosen.windows(2).find(|pair| pair[0] >= pair[1]) {
        return wrong("items", format!("{} after {}", pair[1], pair[0]), "each once, smallest first".into());
    }
    // There are fewer than 2^32 distinct items of less than 2^62 each, so 128 bits hold their total weight.
    let mut weight = 0u128;
    let mut profit = Sum::default();
    for &index in chosen {
        let Some(item) = problem.items.get(index as usize) else {
            return wrong("items", format!("{} items", problem.items.len()), format!("item {index}"));
        };
        weight += u128::from(item.weight);
        profit.add(item.profit);
    }
    let claimed = claim.weights[point];
    if weight != u128::from(claimed) {
        return wrong("weight", weight.to_string(), claimed.to_string());
    }
    if claimed > problem.capacity {
        return wrong("weight", weight.to_string(), format!("at most {}", problem.capacity));
    }
    let (profit, claimed) = (profit.total(), claim.profits.get(point));
    if profit != claimed {
        return wrong("profit", profit.to_string(), claimed.to_string());
    }
    Ok(())
}

/// A sum of profits: in a machine integer while it fits.
#[derive(Default)]
struct Sum {
    held: i128,
    beyond: BigInt,
}

impl Sum {
    fn add(&mut self, profit: i128) {
        match self.held.checked_add(profit) {
            Some(sum) => self.held = sum,
            None => {
                self.beyond += self.held;
                self.held = profit;
            }
        }
    }

    fn total(self) -> BigInt {
        self.beyond + self.held
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knapsack::Item;
    use crate::value::Values;
    use std::sync::Arc;

    fn problem() -> Knapsack {
        let item = |(profit, weight)| Item { profit, weight };
        Knapsack { items: [(3, 2), (9, 6), (-1, 0), (5, 9)].map(item).to_vec(), capacity: 10 }
    }

    fn what(weight: u64, profit: i64, items: &[u32]) -> Result<(), &'static str> {
        let claim = Claim::new(vec![weight], Values::I64(vec![profit]))
            .with_selections(0, Arc::new(vec![items.to_vec()]));
        witness(&problem(), &claim).map_err(|mismatch| mismatch.what)
    }

    #[test]
    fn every_kind_of_wrong_claim_is_refused() {
        assert_eq!(what(8, 12, &[0, 1]), Ok(()));
        assert_eq!(what(8, 11, &[0, 1, 2]), Ok(()));
        assert_eq!(what(0, 0, &[]), Ok(()));
        assert_eq!(what(9, 12, &[0, 1]), Err("weight"));
        assert_eq!(what(8, 13, &[0, 1]), Err("profit"));
        assert_eq!(what(8, 12, &[1, 0]), Err("items"));
        assert_eq!(what(4, 6, &[0, 0]), Err("items"));
        assert_eq!(what(8, 12, &[0, 4]), Err("items"));
        assert_eq!(what(15, 14, &[1, 3]), Err("weight"), "too heavy for the capacity");
    }

    #[test]
    fn points_without_items_are_left_alone_and_a_wrong_one_among_many_is_found() {
        let points = 1000u64;
        let items = vec![Item { profit: 1, weight: 1 }; points as usize];
        let problem = Knapsack { items, capacity: points };
        let claim = |spoilt: Option<usize>| {
            let mut selections: Vec<Vec<u32>> = (1..=points as u32).map(|last| (0..last).collect()).collect();
            if let Some(at) = spoilt {
                selections[at].pop();
            }
            let profits = Values::I64((1..=points as i64).collect());
            Claim::new((1..=points).collect(), profits)
                .with_selections(500, Arc::new(selections.split_off(500)))
        };
        assert_eq!(witness(&problem, &claim(None)), Ok(()));
        assert_eq!(witness(&problem, &claim(Some(100))), Ok(()));
        assert_eq!(witness(&problem, &claim(Some(700))).unwrap_err().point, 700);
    }

    #[test]
    fn sums_beyond_128_bits_are_exact() {
        let profit = (1i128 << 120) - 1;
        let items = vec![Item { profit, weight: 1 }; 300];
        let problem = Knapsack { items, capacity: 300 };
        let claim = |sum: BigInt| {
            Claim::new(vec![300], Values::Big(vec![sum]))
                .with_selections(0, Arc::new(vec![(0..300).collect()]))
        };
        assert!(witness(&problem, &claim(BigInt::from(profit) * 300)).is_ok());
        assert!(witness(&problem, &claim(BigInt::from(profit) * 300 + 1)).is_err());
    }
}
