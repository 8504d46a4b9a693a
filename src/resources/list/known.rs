//! Sums that cannot become a point, because a known selection is better than the best that they can reach.
//!
//! The best is bounded objective by objective, the least cost and the greatest value, by the prices of `prices`. A known
//! selection that is nowhere worse than these bounds and not equal to them dominates whatever becomes of the sum.

use super::cut::{Cut, SCALE};
use crate::dominance::Pages;
use crate::shape::Shape;
use std::sync::Arc;

/// Up to so many resources no memory is asked for per sum.
const FEW: usize = 8;

/// Known selections, none of which dominates another: their costs in the objectives and their values.
pub(crate) struct Known {
    pages: Pages<i128>,
    /// Sorted.
    all: Vec<(Vec<u64>, i128)>,
}

impl Known {
    /// Selections in order, each with its costs in the objectives; `None` if there are none.
    pub fn new(mut selections: Vec<(Vec<u64>, i128)>) -> Option<Self> {
        let mut pages = Pages::new(selections.first()?.0.len());
        selections.iter().for_each(|(costs, value)| pages.add(costs, *value));
        selections.sort_unstable();
        Some(Self { pages, all: selections })
    }

    /// Whether some selection is nowhere worse, and better somewhere.
    fn dominate(&self, costs: &[u64], value: i128) -> bool {
        let order = |(other, its): &(Vec<u64>, i128)| other.as_slice().cmp(costs).then(its.cmp(&value));
        self.pages.is_beaten(costs, value) && self.all.binary_search_by(order).is_err()
    }
}

/// Bounds after a step: for every quantity that is wanted, several that hold.
#[derive(Clone)]
pub(crate) struct Reach {
    pub known: Arc<Known>,
    /// Bounds of the value; none if only costs count.
    pub value: Vec<Cut>,
    /// Bounds of the cost in every objective.
    pub costs: Vec<Vec<Cut>>,
}

impl Reach {
    /// Whether a known selection dominates everything that the sum can become.
    pub fn excludes(&self, shape: &Shape, first: u64, key: &[u64], value: i128) -> bool {
        let (mut few, mut many) = ([0; 2 * FEW], Vec::new());
        let numbers: &mut [u64] = if shape.resources <= FEW {
            &mut few
        } else {
            many.resize(2 * shape.resources, 0);
            &mut many
        };
        let (costs, rest) = numbers.split_at_mut(shape.resources);
        shape.costs(first, key, costs);
        let best = |cuts: &[Cut]| {
            let mut least: Option<i128> = None;
            for cut in cuts {
                let mut bound = cut.gain(value) - cut.least;
                for (resource, &cost) in costs.iter().enumerate() {
                    bound -= cut.price(resource, cost);
                }
                least = Some(least.map_or(bound, |least| least.min(bound)));
            }
            least.map(|least| least >> SCALE.trailing_zeros())
        };
        let value = best(&self.value).unwrap_or(0);
        // What is bounded is the cost below 0. No cost is less than what is paid already.
        let reached = &mut rest[..self.costs.len()];
        for ((cuts, &paid), reached) in self.costs.iter().zip(&*costs).zip(&mut *reached) {
            let least = best(cuts).map_or(0, |most| -most);
            *reached = u64::try_from(least).unwrap_or(0).max(paid);
        }
        self.known.dominate(reached, value)
    }
}
