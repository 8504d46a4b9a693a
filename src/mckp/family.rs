//! The family of engines: what they are asked, and what they answer.

use crate::answer::Answer;
use isx_engine::{Context, Family, StateWriter};
use isx_problems::reduce::mckp::{Reduced, Tiered};
use isx_problems::value::Value;
use std::io::{self, Write};

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

/// Writes a problem and the request, to check that a checkpoint belongs to them. The mapping to the user's items is
/// not included: a task may be renamed between two runs.
pub(crate) fn written<V: Value>(
    problem: &Reduced<V>,
    wanted: Wanted,
    context: &Context,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut out = StateWriter(out);
    for figure in [
        V::TIER as u64,
        wanted as u64,
        u64::from(context.all_candidates),
        problem.capacity,
        problem.classes.len() as u64,
    ] {
        out.number(figure)?;
    }
    for class in &problem.classes {
        out.number(class.items.len() as u64)?;
        for item in &class.items {
            out.number(item.weight)?;
            out.big(&item.value.to_big())?;
        }
    }
    Ok(())
}
