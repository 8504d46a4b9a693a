//! Recomputes a claim from its items, with the problem's own numbers and without any engine.

use super::{Claim, Multidim};
use crate::mismatch::Mismatch;
use num_bigint::BigInt;

/// Checks that the items exist and are distinct, that their weights and profit equal the claim, and that they fit the
/// capacities. Fails with the first [`Mismatch`].
///
/// ```
/// use isx_problems::multidim::{Claim, Item, Multidim, witness};
/// let items = vec![Item { profit: 7, weights: [3, 2, 0] }];
/// let problem = Multidim { dimensions: 2, capacities: [4, 2, 0], items };
/// let claim = |profit: i32| Claim { profit: profit.into(), weights: [3, 2, 0], chosen: vec![0] };
/// assert!(witness(&problem, &claim(7)).is_ok());
/// assert_eq!(witness(&problem, &claim(8)).unwrap_err().what, "profit");
/// ```
pub fn witness(problem: &Multidim, claim: &Claim) -> Result<(), Mismatch> {
    let wrong = |what, summed: String, claimed: String| Err(Mismatch { point: 0, what, summed, claimed });
    if let Some(pair) = claim.chosen.windows(2).find(|pair| pair[0] >= pair[1]) {
        return wrong("items", format!("{} after {}", pair[1], pair[0]), "each once, smallest first".into());
    }
    let mut profit = BigInt::ZERO;
    let mut weights = [0u128; super::MAX_DIMENSIONS];
    for &index in &claim.chosen {
        let Some(item) = problem.items.get(index) else {
            return wrong("items", format!("{} items", problem.items.len()), format!("item {index}"));
        };
        profit += item.profit;
        for (sum, &weight) in weights.iter_mut().zip(&item.weights) {
            *sum += u128::from(weight);
        }
    }
    for ((&summed, &claimed), &capacity) in weights.iter().zip(&claim.weights).zip(&problem.capacities) {
        if summed != u128::from(claimed) {
            return wrong("weight", summed.to_string(), claimed.to_string());
        }
        if claimed > capacity {
            return wrong("weight", summed.to_string(), format!("at most {capacity}"));
        }
    }
    if profit != claim.profit {
        return wrong("profit", profit.to_string(), claim.profit.to_string());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::Item;
    use super::*;

    #[test]
    fn every_kind_of_wrong_claim_is_refused() {
        let item = |profit, weights| Item { profit, weights };
        let items = vec![item(5, [2, 3, 0]), item(4, [1, 1, 0]), item(1 << 119, [0, 9, 0])];
        let problem = Multidim { dimensions: 2, capacities: [3, 8, 0], items };
        let what = |profit: i128, weights, chosen: &[usize]| {
            let claim = Claim { profit: profit.into(), weights, chosen: chosen.to_vec() };
            witness(&problem, &claim).map_err(|mismatch| mismatch.what)
        };
        assert_eq!(what(9, [3, 4, 0], &[0, 1]), Ok(()));
        assert_eq!(what(0, [0, 0, 0], &[]), Ok(()));
        assert_eq!(what(8, [3, 4, 0], &[0, 1]), Err("profit"));
        assert_eq!(what(9, [3, 5, 0], &[0, 1]), Err("weight"));
        assert_eq!(what(9, [3, 4, 1], &[0, 1]), Err("weight"));
        assert_eq!(what(1 << 119, [0, 9, 0], &[2]), Err("weight"), "it is over the capacity");
        assert_eq!(what(9, [3, 4, 0], &[1, 0]), Err("items"));
        assert_eq!(what(8, [2, 2, 0], &[1, 1]), Err("items"));
        assert_eq!(what(5, [2, 3, 0], &[0, 3]), Err("items"));
    }
}
