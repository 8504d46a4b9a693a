//! Sums that cannot reach a value: Lagrangian bounds.
//!
//! With a price for every resource, whatever a sum is completed with, its value is at most
//!
//! ```text
//! v + sum over the other classes of max_k (v_k - price * c_k) + price * (L - c)
//! ```
//!
//! Prices are non-negative integers in parts of a unit of value, so the comparison is exact.

use super::known::Reach;
use crate::shape::Shape;

/// The sums that are excluded after a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bound {
    pub cuts: Vec<Cut>,
    /// What a sum can reach at best, and known points to compare it with.
    pub reach: Option<Reach>,
}

/// A sum is excluded if `scale * value - prices * costs` is less than `least`.
#[derive(Clone, Debug)]
pub(crate) struct Cut {
    pub scale: i128,
    pub prices: Vec<i128>,
    pub least: i128,
}

impl Bound {
    /// Whether a sum is excluded by a price.
    pub fn excludes(&self, shape: &Shape, first: u64, key: &[u64], value: i128) -> bool {
        self.cuts.iter().any(|cut| {
            let mut worth = cut.scale * value - cut.prices[shape.first] * i128::from(first);
            if shape.cells.is_some() {
                let mut left = key[0];
                for axis in &shape.axes {
                    worth -= cut.prices[axis.resource] * i128::from(left / axis.stride);
                    left %= axis.stride;
                }
            } else {
                for (axis, &amount) in shape.axes.iter().zip(key) {
                    worth -= cut.prices[axis.resource] * i128::from(amount);
                }
            }
            worth < cut.least
        })
    }
}
