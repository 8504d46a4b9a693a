//! The family of engines: what they are asked, and what they answer.

use crate::fields::Selections;
use isx_engine::Family;
use isx_problems::reduce::set_union::Reduced;
use isx_problems::value::{Tier, Values};
use std::time::Duration;

/// The multiple-choice set-union knapsack problem.
#[derive(Clone, Copy, Debug)]
pub struct SetUnion;

impl Family for SetUnion {
    const NAME: &'static str = "set-union";
    type Problem = Reduced;
    type Wanted = Tier;
    type Answer = Answer;
}

/// The front of a reduced problem: weights and values strictly rising, complete up to the capacity.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Weights of the points.
    pub weights: Vec<u64>,
    /// Values of the points.
    pub values: Values,
    /// The items behind the points.
    pub selections: Selections,
    /// Whether the capacity excluded some selection.
    pub cut: bool,
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
}
