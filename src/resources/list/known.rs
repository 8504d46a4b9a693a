//! Sums that cannot become a point, because a known selection is better than the best that they can reach.
//!
//! The best is bounded objective by objective, the least cost and the greatest value, by the prices of `prices`. A known
//! selection that is nowhere worse than these bounds and not equal to them dominates whatever becomes of the sum.

use super::cut::{Cut, SCALE};
use crate::dominance::Pages;
use crate::shape::Shape;
use std::collections::HashSet;
use std::sync::Arc;

/// Known selections, none of which dominates another: their costs in the objectives and their values.
pub(crate) struct Known {
    pages: Pages<i128>,
    all: HashSet<(Vec<u64>, i128)>,
}

impl Known {
    /// Selections in order, each with its costs in the objectives; `None` if there are none.
    pub fn new(selections: Vec<(Vec<u64>, i128)>) -> Option<Self> {
        let mut pages = Pages::new(selections.first()?.0.len());
        selections.iter().for_each(|(costs, value)| pages.add(costs, *value));
        Some(Self { pages, all: selections.into_iter().collect() })
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

impl std::fmt::Debug for Reach {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reach").field("known", &self.known.all.len()).finish_non_exhaustive()
    }
}

impl Reach {
    /// Whether a known selection dominates everything that the sum can become.
    pub fn excludes(&self, shape: &Shape, first: u64, key: &[u64], value: i128) -> bool {
        let mut costs = vec![0; shape.resources];
        shape.costs(first, key, &mut costs);
        let best = |cuts: &[Cut]| {
            let mut least: Option<i128> = None;
            for cut in cuts {
                let mut bound = cut.scale * value - cut.least;
                for (price, &cost) in cut.prices.iter().zip(&costs) {
                    bound -= price * i128::from(cost);
                }
                least = Some(least.map_or(bound, |least| least.min(bound)));
            }
            least.map(|least| least >> SCALE.trailing_zeros())
        };
        let value = best(&self.value).unwrap_or(0);
        // What is bounded is the cost below 0. No cost is less than what is paid already.
        let reached = self.costs.iter().zip(&costs).map(|(cuts, &paid)| {
            let least = best(cuts).map_or(0, |most| -most);
            u64::try_from(least).unwrap_or(0).max(paid)
        });
        let reached: Vec<u64> = reached.collect();
        self.known.pages.is_beaten(&reached, value) && !self.known.all.contains(&(reached, value))
    }
}
