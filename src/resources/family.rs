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

/// Which parts of the answer are requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// The costs and values of the points.
    Values,
    /// The items of every point too.
    #[default]
    Picks,
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
