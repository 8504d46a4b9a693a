//! The family of engines: what they are asked, and what they answer.

use isx_engine::Family;
use isx_problems::mckp::Configurations;
use isx_problems::resources::Problem;
use isx_problems::value::{Tier, Values};
use std::sync::Arc;
use std::time::Duration;

/// The multiple-choice knapsack problem with several resources.
#[derive(Clone, Copy, Debug)]
pub struct Resources;

/// Which parts of the answer are requested, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The items of every point, and not only its costs and value.
    pub picks: bool,
    /// The narrowest integers to compute values in.
    pub at_least: Tier,
}

impl Wanted {
    /// The costs and values of the points.
    pub const VALUES: Self = Self { picks: false, at_least: Tier::I32 };
    /// The items of every point too.
    pub const PICKS: Self = Self { picks: true, at_least: Tier::I32 };
}

impl Default for Wanted {
    fn default() -> Self {
        Self::PICKS
    }
}

impl Family for Resources {
    const NAME: &'static str = "resources";
    type Problem = Problem;
    type Wanted = Wanted;
    type Answer = Answer;
}

/// The points of a problem; none if no selection is within the limits (or reaches the value asked for).
#[derive(Clone, Debug)]
pub struct Answer {
    /// The costs of the points, a column per resource.
    pub costs: Vec<Vec<u64>>,
    /// Values of the points.
    pub values: Values,
    /// The items behind the points, as [`Item::number`](isx_problems::resources::Item::number)s, if requested.
    pub picks: Option<Arc<dyn Configurations>>,
    /// The arithmetic it was computed in.
    pub tier: Tier,
    /// What the engine used.
    pub how: String,
    /// Threads of the CPU that took part, at least 1.
    pub threads: usize,
    /// Candidates computed.
    pub updates: u64,
    /// Time of the computation.
    pub solve: Duration,
    /// Time to find the items of the points, where it is counted apart.
    pub traceback: Duration,
}
