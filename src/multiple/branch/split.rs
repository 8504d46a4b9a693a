//! Distributes given items among all knapsacks, if they fit.
//!
//! A knapsack is filled at a time, the heaviest items first. What may stay empty in all of them together is known, so a
//! fill that leaves more is not taken. Of equal weights the first ones are taken.
//!
//! Worked instance: weights 5, 4, 3, 3 and knapsacks of 7 and 8. Nothing may stay empty: 4 + 3, then 5 + 3.

use super::state::FREE;
use isx_partition::{Budget, Stopped};

struct Split<'a> {
    /// Heaviest first.
    weights: &'a [u64],
    capacities: &'a [u64],
    knapsack_of: Vec<u32>,
    budget: &'a Budget<'a>,
}

/// The knapsack of every item, if all fit: `weights` with the heaviest first. Fails if the budget ends before that is
/// known.
pub(super) fn split(
    weights: &[u64],
    capacities: &[u64],
    budget: &Budget,
) -> Result<Option<Vec<u32>>, Stopped> {
    let room: u128 = capacities.iter().map(|&capacity| u128::from(capacity)).sum();
    let weight: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
    let Some(empty) = room.checked_sub(weight) else { return Ok(None) };
    let mut split = Split { weights, capacities, knapsack_of: vec![FREE; weights.len()], budget };
    let fits = split.fill(0, empty)?;
    Ok(fits.then_some(split.knapsack_of))
}

impl Split<'_> {
    /// Fills this knapsack and those after it, of which `empty` may stay empty.
    fn fill(&mut self, knapsack: usize, empty: u128) -> Result<bool, Stopped> {
        let free: Vec<usize> = (0..self.weights.len()).filter(|&at| self.knapsack_of[at] == FREE).collect();
        self.budget.spend(1 + self.weights.len() as u64)?;
        if knapsack == self.capacities.len() {
            return Ok(free.is_empty());
        }
        // The weight of the items from each place on.
        let mut after = vec![0u128; free.len() + 1];
        for (at, &item) in free.iter().enumerate().rev() {
            after[at] = after[at + 1] + u128::from(self.weights[item]);
        }
        let mut left = self.capacities[knapsack];
        let mut taken: Vec<usize> = Vec::new();
        let mut at = 0;
        loop {
            while at < free.len() && after[at] + empty >= u128::from(left) {
                let weight = self.weights[free[at]];
                if weight <= left {
                    left -= weight;
                    taken.push(at);
                    self.knapsack_of[free[at]] = knapsack as u32;
                }
                at += 1;
                self.budget.spend(1)?;
            }
            if let Some(empty) = empty.checked_sub(left.into())
                && self.fill(knapsack + 1, empty)?
            {
                return Ok(true);
            }
            let Some(last) = taken.pop() else { return Ok(false) };
            let weight = self.weights[free[last]];
            self.knapsack_of[free[last]] = FREE;
            left += weight;
            at = last + 1;
            // Without this item none of its weight is taken.
            while at < free.len() && self.weights[free[at]] == weight {
                at += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether all items fit, by trying every knapsack for each.
    fn fits(weights: &[u64], left: &mut [u64]) -> bool {
        let Some((&weight, rest)) = weights.split_first() else { return true };
        (0..left.len()).any(|at| {
            left[at] >= weight && {
                left[at] -= weight;
                let all = fits(rest, left);
                left[at] += weight;
                all
            }
        })
    }

    #[test]
    fn what_fits_is_distributed_and_nothing_else() {
        let mut state = 7u64;
        let mut draw = |most: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % most
        };
        let mut found = [0; 2];
        for _ in 0..5_000 {
            let mut weights: Vec<u64> = (0..draw(8)).map(|_| 1 + draw(9)).collect();
            weights.sort_unstable_by_key(|&weight| std::cmp::Reverse(weight));
            let mut capacities: Vec<u64> = (0..1 + draw(3)).map(|_| draw(16)).collect();
            let budget = Budget::new(u64::MAX, &|| true);
            let got = split(&weights, &capacities, &budget).unwrap();
            assert_eq!(got.is_some(), fits(&weights, &mut capacities), "{weights:?} {capacities:?}");
            for (at, &knapsack) in got.iter().flatten().enumerate() {
                // Fails if there is no room.
                capacities[knapsack as usize] -= weights[at];
            }
            found[usize::from(got.is_some())] += 1;
        }
        assert!(found.iter().all(|&count| count > 1_000), "{found:?}");
    }
}
