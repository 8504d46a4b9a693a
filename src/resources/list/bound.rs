//! Sums that are excluded: those that cannot reach a value, or that a known selection dominates.

use super::cut::Cut;
use super::known::Reach;
use crate::shape::Shape;

/// The sums that are excluded after a step.
#[derive(Clone, Default)]
pub(crate) struct Bound {
    pub cuts: Vec<Cut>,
    /// What a sum can reach at best, and known points to compare it with.
    pub reach: Option<Reach>,
}

impl Bound {
    /// Whether a sum is excluded by a price.
    pub fn excludes(&self, shape: &Shape, first: u64, key: &[u64], value: i128) -> bool {
        self.cuts.iter().any(|cut| {
            let mut worth = cut.gain(value) - cut.price(shape.first, first);
            if shape.cells.is_some() {
                let mut left = key[0];
                for axis in &shape.axes {
                    worth -= cut.price(axis.resource, left / axis.stride);
                    left %= axis.stride;
                }
            } else {
                for (axis, &amount) in shape.axes.iter().zip(key) {
                    worth -= cut.price(axis.resource, amount);
                }
            }
            worth < cut.least
        })
    }
}
