//! The family of engines: what they are asked, and what they answer.

use crate::answer::Answer;
use isx_engine::Family;
use isx_problems::reduce::knapsack::{Goal, Reduced};

/// The 0-1 knapsack problem.
#[derive(Clone, Copy, Debug)]
pub struct Knapsack;

impl Family for Knapsack {
    const NAME: &'static str = "knapsack";
    type Problem = Reduced;
    type Wanted = Wanted;
    type Answer = Answer;
}

/// What part of the answer is requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// The most profit within the capacity.
    Value,
    /// The greatest profit within the capacity, and items with that profit.
    #[default]
    Best,
    /// The front: the most profit of every capacity.
    AllValues,
    /// The front, and the items of every point.
    AllPicks,
}

impl Wanted {
    /// What a reduction must preserve for this request.
    pub fn goal(self) -> Goal {
        if self.is_one_capacity() { Goal::OneCapacity } else { Goal::AllCapacities }
    }

    /// Whether only the best of one capacity is requested.
    pub fn is_one_capacity(self) -> bool {
        matches!(self, Self::Value | Self::Best)
    }

    /// Whether items are requested.
    pub fn picks(self) -> bool {
        matches!(self, Self::Best | Self::AllPicks)
    }
}
