//! The family of engines: what they are asked, and what they answer.

use super::answer::{Answer, Wanted};
use isx_engine::Family;
use isx_problems::reduce::lcs::Reduced;

/// The longest common subsequence of two sequences.
#[derive(Clone, Copy, Debug)]
pub struct Lcs;

impl Family for Lcs {
    const NAME: &'static str = "lcs";
    type Problem = Reduced;
    type Wanted = Wanted;
    type Answer = Answer;
}
