//! Recomputes a claim from its configurations, with the problem's own numbers and without any engine.

use super::{Choice, Claim, Item, Mckp};
use crate::mismatch::Mismatch;
use crate::value::{Tier, Value};
use num_bigint::BigInt;
use num_traits::Signed;

/// Checks every point whose configuration is known, in the current thread pool. Fails with the first [`Mismatch`].
///
/// ```
/// use isx_problems::mckp::{Choice, Claim, Item, Mckp, witness};
/// use isx_problems::value::Values;
/// use std::sync::Arc;
/// let problem =
///     Mckp { classes: vec![vec![Item { value: 7, weight: 3 }]], capacity: 3, choice: Choice::ExactlyOne };
/// let claim = |value| {
///     let items = Arc::new(vec![vec![Some(0)]]);
///     Claim::new(vec![3], Values::I64(vec![value]), 1, true).with_configurations(0, items)
/// };
/// assert!(witness(&problem, &claim(7)).is_ok());
/// assert_eq!(witness(&problem, &claim(8)).unwrap_err().what, "value");
/// ```
pub fn witness<V: Value>(problem: &Mckp<V>, claim: &Claim) -> Result<(), Mismatch> {
    if claim.is_empty() {
        return Err(Mismatch::without_points());
    }
    let largest = |items: &Vec<Item<V>>| {
        items.iter().map(|item| item.value.to_big().abs()).max().unwrap_or(BigInt::ZERO)
    };
    match Tier::narrowest(&problem.classes.iter().map(largest).sum()) {
        Tier::I32 | Tier::I64 | Tier::I128 => sum_again::<V, i128>(problem, claim),
        Tier::Big => sum_again::<V, BigInt>(problem, claim),
    }
}

/// Sums in `W`, which holds every sum of values.
fn sum_again<V: Value, W: Value>(problem: &Mckp<V>, claim: &Claim) -> Result<(), Mismatch> {
    // A sum that does not fit cannot equal a claimed value, so it is left out and then reported as a mismatch.
    let wide = |item: &Item<V>| (item.weight, W::from_big(&item.value.to_big()));
    let classes: Vec<Vec<(u64, Option<W>)>> =
        problem.classes.iter().map(|items| items.iter().map(wide).collect()).collect();
    claim.each_items_shared(|point, items| check_point(&classes, problem.choice, items, claim, point))
}

fn check_point<W: Value>(
    classes: &[Vec<(u64, Option<W>)>],
    choice: Choice,
    items: &[Option<u32>],
    claim: &Claim,
    point: usize,
) -> Result<(), Mismatch> {
    let wrong = |what, summed: String, claimed: String| Err(Mismatch { point, what, summed, claimed });
    if items.len() != classes.len() {
        return wrong("items", items.len().to_string(), classes.len().to_string());
    }
    let (mut weight, mut value) = (Some(0u64), W::zero());
    for (at, (class, item)) in classes.iter().zip(items).enumerate() {
        let taken = match item {
            None if choice == Choice::Optional => continue,
            None => None,
            Some(item) => class.get(*item as usize),
        };
        let Some((more, Some(gain))) = taken else {
            return wrong("items", format!("none of class {at}"), format!("item {item:?}"));
        };
        weight = weight.and_then(|weight| weight.checked_add(*more));
        value = value.plus(gain);
    }
    if weight != Some(claim.weights[point]) {
        let summed = weight.map_or("more than 2^64".into(), |weight| weight.to_string());
        return wrong("weight", summed, claim.weights[point].to_string());
    }
    if W::at(&claim.values, point).as_ref() != Some(&value) {
        return wrong("value", value.to_string(), claim.values.get(point).to_string());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Values;
    use std::sync::Arc;

    fn problem(choice: Choice) -> Mckp<i64> {
        let class =
            |items: &[(i64, u64)]| items.iter().map(|&(value, weight)| Item { value, weight }).collect();
        Mckp { classes: vec![class(&[(3, 2), (9, 6)]), class(&[(1, 4), (5, 8)])], capacity: 20, choice }
    }

    fn claim(weight: u64, value: i64, items: [Option<u32>; 2]) -> Claim {
        Claim::new(vec![weight], Values::I64(vec![value]), 2, true)
            .with_configurations(0, Arc::new(vec![items.to_vec()]))
    }

    #[test]
    fn every_kind_of_wrong_claim_is_refused() {
        let problem = problem(Choice::ExactlyOne);
        let what = |claim: &Claim| witness(&problem, claim).map_err(|mismatch| mismatch.what);
        assert_eq!(what(&claim(10, 10, [Some(1), Some(0)])), Ok(()));
        assert_eq!(what(&claim(11, 10, [Some(1), Some(0)])), Err("weight"));
        assert_eq!(what(&claim(10, 9, [Some(1), Some(0)])), Err("value"));
        assert_eq!(what(&claim(10, 10, [Some(2), Some(0)])), Err("items"));
        assert_eq!(what(&claim(6, 9, [Some(1), None])), Err("items"));
        let other = Claim::new(vec![0], Values::I64(vec![0]), 1, true)
            .with_configurations(0, Arc::new(vec![vec![Some(0)]]));
        assert_eq!(what(&other), Err("items"));
    }

    #[test]
    fn no_item_is_one_where_that_is_a_choice() {
        assert_eq!(witness(&problem(Choice::Optional), &claim(6, 9, [Some(1), None])), Ok(()));
    }

    #[test]
    fn the_first_wrong_point_of_many_is_named() {
        let problem = problem(Choice::Optional);
        let points = 5000;
        let mut weights: Vec<u64> = vec![6; points];
        weights[3210] = 7;
        let claim = Claim::new(weights, Values::I64(vec![9; points]), 2, true)
            .with_configurations(0, Arc::new(vec![vec![Some(1), None]; points]));
        assert_eq!(witness(&problem, &claim).unwrap_err().point, 3210);
    }

    #[test]
    fn values_beyond_128_bits_are_summed() {
        let large: BigInt = BigInt::from(1) << 140;
        let class = || vec![Item { value: large.clone(), weight: 1 }];
        let problem = Mckp { classes: vec![class(), class()], capacity: 9, choice: Choice::ExactlyOne };
        let claim = |value: BigInt| {
            Claim::new(vec![2], Values::Big(vec![value]), 2, true)
                .with_configurations(0, Arc::new(vec![vec![Some(0), Some(0)]]))
        };
        assert_eq!(witness(&problem, &claim(&large * 2)), Ok(()));
        assert_eq!(witness(&problem, &claim(&large * 2 + 1)).unwrap_err().what, "value");
    }
}
