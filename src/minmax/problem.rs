//! The answer of a search, and its limit on elements.

use isx_problems::value::{Tier, Values};
use std::time::Duration;

/// The maximum number of elements that several classes use, or that exclude each other.
pub const MAX_ELEMENTS: usize = 64;

/// The points of the front, in order of weight.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The weight of each.
    pub weights: Vec<u64>,
    /// The largest load of each.
    pub loads: Values,
    /// The item of every class at each point.
    pub picks: Vec<Vec<Option<u32>>>,
    /// The width of the integers.
    pub tier: Tier,
    /// The number of candidates examined.
    pub updates: u64,
    /// The time of the search.
    pub solve: Duration,
    /// The time to find the canonical selections.
    pub traceback: Duration,
}
