//! The multiple-choice problem with several loads: the front of weight against the largest load.
//!
//! One item of every class is taken. It has a weight, a load in each of a few *modes*, and uses elements whose weight is
//! paid once:
//!
//! ```text
//! minimize ( sum_i w_{i,k(i)} + sum of the elements used,  max_m sum_i l_{i,k(i),m} )
//! ```
//!
//! A class is *private* if its items have a load in one mode only, and *shared* otherwise. With the elements fixed and
//! no shared class, the modes are independent: each has a front of its own (a plain multiple-choice problem), and these
//! are merged by lowering the largest load first (`steps`). So two things are branched on:
//!
//! - `search`: for each element whether it is built or left out. A node allows some elements and has paid for some of
//!   them; the modes' fronts with all allowed elements, each at no cost but what is paid, bound it from below.
//! - `vectors`: sums of the shared classes are vectors (weight, load in every mode), of which those remain that no other
//!   one dominates and that may still reach the front. A shared class's weight is divided among the modes for the bound.
//!
//! Both compare their bounds with the front found so far (`Best`); what ties with it is kept, because of all selections
//! behind a point the canonical one is answered: compared from the last class to the first, no item before the first.
//! A selection of a point's weight or less, with no load above the point's, is a selection of the point. So the canonical
//! one is found class by class (`walk`): the first item with which such a selection still exists.
//!
//! Worked instance: two modes; a private class each, {(0; 7, -), (4; 3, -)} and {(0; -, 6), (5; -, 2)}, and a shared one
//! {(0; 3, 1), (2; 2, 1)}. Software has loads (10, 7). Front: (0, 10), (2, 9), (4, 7), (9, 6), (11, 5).

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod best;
mod compiled;
mod memory;
mod problem;
mod search;
mod steps;
#[cfg(test)]
mod tests;
mod vectors;
mod walk;

pub use problem::{Answer, MAX_ELEMENTS};

use compiled::{Compiled, limit};
use isx_engine::{Context, EngineError};
use isx_problems::resources::{Item, Problem};
use isx_problems::value::{Tier, Value};
use memory::Run;
use num_bigint::BigInt;

/// Solves a problem of one resource and at least one mode, whose elements cost nothing unbuilt; without a point if no
/// selection is within the capacity. For [`Goal::AtLeast`](isx_problems::resources::Goal::AtLeast) the only point is that of
/// the least weight.
/// Fails with too many elements, weights that add up to more than 2^63, too little memory, or cancelled.
pub fn solve(problem: &Problem, context: &Context) -> Result<Answer, EngineError> {
    let within = |weight: &u64| *weight <= problem.limits[0];
    let heaviest = |items: &Vec<Item>| items.iter().map(|item| item.cost[0]).filter(within).max();
    let weights = problem.classes.iter().filter_map(heaviest);
    let weights = weights.chain(problem.elements.iter().map(|element| element.built[0]));
    let needed = BigInt::from(weights.map(u128::from).sum::<u128>()).bits();
    if needed > MOST_BITS {
        return Err(EngineError::Width { needed, held: MOST_BITS });
    }
    let most = |items: &Vec<Item>| {
        items.iter().flat_map(|item| item.loads.iter().max()).max().cloned().unwrap_or_default()
    };
    // Sums over the modes are compared too.
    let bound = problem.classes.iter().map(most).sum::<BigInt>() * problem.modes;
    let bound = limit(problem).iter().fold(bound, |sum, limit| sum + limit);
    match Tier::narrowest(&bound) {
        Tier::I32 | Tier::I64 => solve_in::<i64>(problem, 0, context),
        Tier::I128 => solve_in::<i128>(problem, 0, context),
        // Its digits are allocated apart.
        Tier::Big => solve_in::<BigInt>(problem, bound.bits() / 8 + 24, context),
    }
}

/// The bits of sums of weights.
const MOST_BITS: u64 = 63;

fn solve_in<V: Value>(problem: &Problem, apart: u64, context: &Context) -> Result<Answer, EngineError> {
    let run = Run::new(context, size_of::<V>() as u64 + apart);
    search::solve(&Compiled::<V>::new(problem)?, &run)
}
