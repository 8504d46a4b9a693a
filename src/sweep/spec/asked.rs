//! What is asked about a set.

use isx_exact::quantity::Rational;

/// What can be measured.
pub const MEASURES: [&str; 4] = ["min_area", "least_utilization", "breakdown", "points"];

/// What is asked about a set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// The least area of a schedulable design.
    pub min_area: bool,
    /// The least utilization of a design.
    pub least_utilization: bool,
    /// The utilization at which the software-only design fails.
    pub breakdown: bool,
    /// The number of points of the front.
    pub points: bool,
    /// Areas: is some design within them schedulable?
    pub budgets: Vec<Rational>,
    /// The steps of search for each question about a set.
    pub steps: u64,
}

impl Asked {
    /// Whether areas are asked about.
    pub fn area(&self) -> bool {
        self.min_area || !self.budgets.is_empty()
    }

    /// The names of what is measured.
    pub fn measures(&self) -> Vec<&'static str> {
        let all = [self.min_area, self.least_utilization, self.breakdown, self.points];
        MEASURES.into_iter().zip(all).filter_map(|(name, asked)| asked.then_some(name)).collect()
    }
}
