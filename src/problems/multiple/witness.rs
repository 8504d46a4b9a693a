//! Recomputes a claim from its items, with the problem's own numbers and without any engine.

use super::{Claim, Multiple};
use crate::mismatch::Mismatch;
use num_bigint::BigInt;

/// Checks that every knapsack has its items, that they exist and none is in two places, that weights and profit equal
/// the claim, that the items fit, and that the bound is not below the profit. Fails with the first [`Mismatch`].
///
/// ```
/// use isx_problems::multiple::{Claim, Item, Multiple, witness};
/// let problem = Multiple { capacities: vec![4, 2], items: vec![Item { profit: 7, weight: 3 }] };
/// let claim = |profit: i32| Claim {
///     profit: profit.into(), bound: profit.into(), weights: vec![3, 0], chosen: vec![vec![0], vec![]],
/// };
/// assert!(witness(&problem, &claim(7)).is_ok());
/// assert_eq!(witness(&problem, &claim(8)).unwrap_err().what, "profit");
/// ```
pub fn witness(problem: &Multiple, claim: &Claim) -> Result<(), Mismatch> {
    let wrong = |what, summed: String, claimed: String| Err(Mismatch { point: 0, what, summed, claimed });
    let knapsacks = problem.capacities.len();
    if claim.chosen.len() != knapsacks || claim.weights.len() != knapsacks {
        return wrong("knapsacks", knapsacks.to_string(), claim.chosen.len().to_string());
    }
    let mut is_used = vec![false; problem.items.len()];
    let mut profit = BigInt::ZERO;
    for ((chosen, &claimed), &capacity) in claim.chosen.iter().zip(&claim.weights).zip(&problem.capacities) {
        if let Some(pair) = chosen.windows(2).find(|pair| pair[0] >= pair[1]) {
            return wrong("items", format!("{} after {}", pair[1], pair[0]), "smallest first".into());
        }
        let mut weight = 0u128;
        for &index in chosen {
            let Some(item) = problem.items.get(index) else {
                return wrong("items", format!("{} items", problem.items.len()), format!("item {index}"));
            };
            if std::mem::replace(&mut is_used[index], true) {
                return wrong("items", format!("item {index} twice"), "each at most once".into());
            }
            profit += item.profit;
            weight += u128::from(item.weight);
        }
        if weight != u128::from(claimed) {
            return wrong("weight", weight.to_string(), claimed.to_string());
        }
        if claimed > capacity {
            return wrong("weight", weight.to_string(), format!("at most {capacity}"));
        }
    }
    if profit != claim.profit {
        return wrong("profit", profit.to_string(), claim.profit.to_string());
    }
    if claim.bound < profit {
        return wrong("profit", profit.to_string(), format!("at most {}", claim.bound));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::Item;
    use super::*;

    #[test]
    fn every_kind_of_wrong_claim_is_refused() {
        let item = |profit, weight| Item { profit, weight };
        let problem = Multiple { capacities: vec![5, 3], items: vec![item(5, 2), item(4, 3), item(9, 6)] };
        let what = |profit: i32, bound: i32, weights: [u64; 2], chosen: [&[usize]; 2]| {
            let chosen = chosen.map(<[usize]>::to_vec).to_vec();
            let claim =
                Claim { profit: profit.into(), bound: bound.into(), weights: weights.to_vec(), chosen };
            witness(&problem, &claim).map_err(|mismatch| mismatch.what)
        };
        assert_eq!(what(9, 9, [5, 0], [&[0, 1], &[]]), Ok(()));
        assert_eq!(what(9, 11, [2, 3], [&[0], &[1]]), Ok(()), "not proved");
        assert_eq!(what(9, 8, [2, 3], [&[0], &[1]]), Err("profit"), "a bound below the profit");
        assert_eq!(what(10, 10, [2, 3], [&[0], &[1]]), Err("profit"));
        assert_eq!(what(9, 9, [3, 2], [&[0], &[1]]), Err("weight"));
        assert_eq!(what(9, 9, [6, 0], [&[2], &[]]), Err("weight"), "over the capacity");
        assert_eq!(what(10, 10, [2, 2], [&[0], &[0]]), Err("items"), "in two knapsacks");
        assert_eq!(what(10, 10, [4, 0], [&[0, 0], &[]]), Err("items"));
        assert_eq!(what(9, 9, [5, 0], [&[1, 0], &[]]), Err("items"));
        assert_eq!(what(5, 5, [2, 0], [&[0, 3], &[]]), Err("items"));
        let short = Claim { profit: 0.into(), bound: 0.into(), weights: vec![0], chosen: vec![vec![]] };
        assert_eq!(witness(&problem, &short).unwrap_err().what, "knapsacks");
    }
}
