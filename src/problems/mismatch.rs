//! What is wrong with an answer, found by summing it again.

/// A point whose configuration does not give what is claimed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("self-check failed: the items of point {point} give {what} {summed}, the engine claimed {claimed}")]
pub struct Mismatch {
    /// Number of the point.
    pub point: usize,
    /// "weight", "value", or "items" where one does not exist or is missing.
    pub what: &'static str,
    /// What the items give.
    pub summed: String,
    /// What is claimed.
    pub claimed: String,
}

impl Mismatch {
    /// Of an answer without a point, where there always is one.
    pub fn without_points() -> Self {
        Self { point: 0, what: "a front of", summed: "one point or more".into(), claimed: "none".into() }
    }
}
