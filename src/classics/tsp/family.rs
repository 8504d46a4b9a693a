//! The family of engines: what they are asked, and what they answer.

use super::answer::Answer;
use isx_engine::Family;
use isx_problems::tsp::Tsp as Problem;

/// The travelling salesman problem.
#[derive(Clone, Copy, Debug)]
pub struct Tsp;

impl Family for Tsp {
    const NAME: &'static str = "tsp";
    type Problem = Problem;
    /// There is only one kind of answer: length and tour.
    type Wanted = ();
    type Answer = Answer;
}
