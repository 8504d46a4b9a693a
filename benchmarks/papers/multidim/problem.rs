//! The problem, and what is checked of an answer.

use crate::answer::{Answer, Question};
use isx_engine::Family;
use isx_problems::mismatch::Mismatch;
use isx_problems::value::Tier;
use num_bigint::BigInt;

/// The most dimensions.
pub const MAX_DIMENSIONS: usize = 3;

/// An item with its profit and its weight in each dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// Profit, of any sign, its absolute value below 2^120.
    pub profit: i128,
    /// Weights below 2^62; 0 in dimensions that the problem does not have.
    pub weights: [u64; MAX_DIMENSIONS],
}

/// A problem in one to three dimensions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The number of dimensions.
    pub dimensions: usize,
    /// The capacities, below 2^62; 0 in dimensions that it does not have.
    pub capacities: [u64; MAX_DIMENSIONS],
    /// The items in file order.
    pub items: Vec<Item>,
}

impl Problem {
    /// Cells of a table over all capacities, at most `u64::MAX`.
    pub fn cells(&self) -> u64 {
        self.capacities.iter().fold(1u64, |cells, capacity| cells.saturating_mul(capacity.saturating_add(1)))
    }

    /// Candidates of the textbook's loop.
    pub fn candidates(&self) -> u64 {
        self.cells().saturating_mul(self.items.len() as u64)
    }

    /// The narrowest integers that hold every sum of profits.
    pub fn tier(&self) -> Tier {
        let sum = self.items.iter().try_fold(0i128, |sum, item| sum.checked_add(item.profit.abs()));
        sum.map_or(Tier::Big, |sum| Tier::narrowest(&sum.into()))
    }
}

/// The cell that is left of a cell once an item is taken there, if it fits.
#[inline]
pub(super) fn left(
    cell: &[u64; MAX_DIMENSIONS],
    weights: &[u64; MAX_DIMENSIONS],
) -> Option<[u64; MAX_DIMENSIONS]> {
    let [a, b, c] = [0, 1, 2].map(|at| cell[at].checked_sub(weights[at]));
    Some([a?, b?, c?])
}

/// Problems that are solved together, in integers of one width.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch(pub Vec<Problem>);

impl Batch {
    /// The narrowest integers that hold every sum of profits of every problem.
    pub fn tier(&self) -> Tier {
        self.0.iter().map(Problem::tier).max().unwrap_or(Tier::I32)
    }
}

/// The best selection of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Best {
    /// Its profit.
    pub profit: BigInt,
    /// The chosen items, smallest number first.
    pub chosen: Vec<usize>,
}

impl Best {
    /// The weight of the chosen items in every dimension of a problem.
    pub fn weights(&self, problem: &Problem) -> Vec<u128> {
        let of = |dimension: usize| {
            let weight =
                |&item: &usize| problem.items.get(item).map_or(0, |item| item.weights[dimension].into());
            self.chosen.iter().map(weight).sum()
        };
        (0..problem.dimensions).map(of).collect()
    }
}

/// The family.
#[derive(Clone, Copy, Debug)]
pub struct Multidim;

impl Family for Multidim {
    const NAME: &'static str = "multidim";
    type Problem = Batch;
    type Wanted = ();
    type Answer = Answer<Vec<Best>>;
}

impl Question for Multidim {
    type Found = Vec<Best>;

    /// One selection per problem, of items that exist, each once, within the capacities, with the profit.
    fn check(batch: &Batch, found: &Vec<Best>) -> Result<(), Mismatch> {
        let wrong =
            |point, what, summed: String, claimed: String| Err(Mismatch { point, what, summed, claimed });
        if found.len() != batch.0.len() {
            return wrong(0, "answers", batch.0.len().to_string(), found.len().to_string());
        }
        for (at, (problem, best)) in batch.0.iter().zip(found).enumerate() {
            let rising = best.chosen.windows(2).all(|pair| pair[0] < pair[1]);
            if !rising || best.chosen.last().is_some_and(|&last| last >= problem.items.len()) {
                let wanted = format!("items below {}, each once, smallest first", problem.items.len());
                return wrong(at, "items", format!("{:?}", best.chosen), wanted);
            }
            let capacities = &problem.capacities[..problem.dimensions];
            let weights = best.weights(problem);
            if weights.iter().zip(capacities).any(|(&weight, &capacity)| weight > capacity.into()) {
                return wrong(at, "weight", format!("{weights:?}"), format!("at most {capacities:?}"));
            }
            let profit: BigInt =
                best.chosen.iter().map(|&item| BigInt::from(problem.items[item].profit)).sum();
            if profit != best.profit {
                return wrong(at, "profit", profit.to_string(), best.profit.to_string());
            }
        }
        Ok(())
    }

    fn tier(batch: &Batch) -> Tier {
        batch.tier()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_wrong_answer_is_refused() {
        let item = |profit, weights| Item { profit, weights };
        let items = vec![item(5, [2, 3, 0]), item(4, [1, 1, 0]), item(1 << 119, [0, 9, 0])];
        let batch = Batch(vec![Problem { dimensions: 2, capacities: [3, 8, 0], items }]);
        let what = |profit: i128, chosen: &[usize]| {
            let best = Best { profit: profit.into(), chosen: chosen.to_vec() };
            Multidim::check(&batch, &vec![best]).map_err(|mismatch| mismatch.what)
        };
        assert_eq!((what(9, &[0, 1]), what(0, &[])), (Ok(()), Ok(())));
        assert_eq!(what(8, &[0, 1]), Err("profit"));
        assert_eq!(what(1 << 119, &[2]), Err("weight"));
        for wrong in [&[1, 0][..], &[1, 1], &[0, 3]] {
            assert_eq!(what(9, wrong), Err("items"), "{wrong:?}");
        }
        assert_eq!(Multidim::check(&batch, &Vec::new()).unwrap_err().what, "answers");
        assert_eq!(batch.tier(), Tier::I128);
    }
}
