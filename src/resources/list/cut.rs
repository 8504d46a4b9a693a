//! Sums that cannot reach a value: Lagrangian bounds.
//!
//! With a price for every resource, whatever a sum is completed with, its value is at most
//!
//! ```text
//! v + sum over the other classes of max_k (v_k - price * c_k) + price * (L - c)
//! ```
//!
//! Prices are non-negative integers in parts of a unit of value, so the comparison is exact.

/// Prices are in parts of a unit of value, this many.
pub(crate) const SCALE: i64 = 1 << 20;

/// A sum is excluded if `scale * value - prices * costs` is less than `least`.
#[derive(Clone, Debug)]
pub(crate) struct Cut {
    pub scale: i64,
    pub prices: Vec<i64>,
    pub least: i128,
}

impl Cut {
    /// What a sum of this value is worth before it pays its costs.
    pub fn gain(&self, value: i128) -> i128 {
        i128::from(self.scale) * value
    }

    /// What an amount of a resource costs.
    pub fn price(&self, resource: usize, amount: u64) -> i128 {
        i128::from(self.prices[resource]) * i128::from(amount)
    }
}
