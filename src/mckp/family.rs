//! The family of engines: what they are asked, and what they answer.

use crate::answer::Answer;
use isx_engine::Family;
use isx_problems::reduce::mckp::Tiered;

/// The multiple-choice knapsack problem.
#[derive(Clone, Copy, Debug)]
pub struct Mckp;

impl Family for Mckp {
    const NAME: &'static str = "mckp";
    type Problem = Tiered;
    type Wanted = Wanted;
    type Answer = Answer;
}

/// The points of the front whose chosen items are requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// Values only.
    Values,
    /// The items of the last point of the front, the best value within the capacity.
    BestPicks,
    /// The items of every point of the front.
    #[default]
    AllPicks,
}
