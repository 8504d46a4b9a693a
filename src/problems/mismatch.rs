//! Errors in an answer, found by recomputing it.

/// A point whose configuration does not match the claim.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("self-check failed: the items of point {point} give {what} {summed}, the engine claimed {claimed}")]
pub struct Mismatch {
    /// Index of the point.
    pub point: usize,
    /// "weight", "value", or "items" if one does not exist or is missing.
    pub what: &'static str,
    /// The sum over the items.
    pub summed: String,
    /// The claimed value.
    pub claimed: String,
}

impl Mismatch {
    /// The mismatch of an answer without a point, where one must exist.
    pub fn without_points() -> Self {
        Self { point: 0, what: "a front of", summed: "one point or more".into(), claimed: "none".into() }
    }
}
