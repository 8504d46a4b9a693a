//! Solves a multiple-choice set-union knapsack problem: items of different classes may share elements, whose weight is paid
//! once. It is a problem of one resource.

use super::mckp::{self, too_heavy};
use super::resources;
use super::{Options, Solution, SolveError};
use isx_problems::mckp::{Mckp, NO_ITEM};
use isx_problems::reduce::mckp::MAX_CAPACITY;
use isx_problems::resources::{Element, Goal, Item, Problem};
use isx_problems::set_union::Sharing;
use num_bigint::BigInt;

/// Solves the problem with optional choice for every capacity up to its own. The answer is not rechecked. If elements are
/// shared, `options.raw` is ignored, and the items of every point are known unless values only are wanted. Fails if an
/// engine refused, the requested arithmetic is too narrow, or the weights of the heaviest items within the capacity and of
/// the elements add up to more than 2^62.
pub fn solve_unchecked(
    problem: &Mckp<BigInt>,
    sharing: &Sharing,
    options: &Options,
) -> Result<Solution, SolveError> {
    if sharing.is_empty() {
        return mckp::solve_unchecked(problem, options);
    }
    let within = |weight: &u64| *weight <= problem.capacity;
    let heaviest = problem
        .classes
        .iter()
        .filter_map(|items| items.iter().map(|item| item.weight).filter(within).max().map(u128::from));
    let elements = sharing.elements.iter().map(|element| u128::from(element.weight));
    let sum: u128 = heaviest.chain(elements).sum();
    if sum > MAX_CAPACITY.into() {
        return Err(too_heavy(sum));
    }
    let Solution { mut claim, account } =
        resources::solve_unchecked(&in_one_resource(problem, sharing), options)?;
    // A larger capacity cannot improve the answer either if the last point has the maximum value.
    let last = claim.len().checked_sub(1).and_then(|last| claim.value(last));
    claim.complete |= last.is_some_and(|last| last == sharing.greatest_value(&problem.classes));
    Ok(Solution { claim, account })
}

fn in_one_resource(problem: &Mckp<BigInt>, sharing: &Sharing) -> Problem {
    let class = |(at, items): (usize, &Vec<isx_problems::mckp::Item<BigInt>>)| {
        let nothing = (NO_ITEM, BigInt::ZERO, 0);
        let items = (0..).zip(items).map(|(number, item)| (number, item.value.clone(), item.weight));
        let item = |(number, value, weight): (u32, BigInt, u64)| {
            let mut uses = sharing.uses_of(at, number).to_vec();
            uses.sort_unstable();
            Item { value, cost: vec![weight], loads: Vec::new(), uses, number }
        };
        std::iter::once(nothing).chain(items).map(item).collect()
    };
    let elements = sharing.elements.iter().map(|element| Element {
        built: vec![element.weight],
        unbuilt: vec![0],
        group: element.group,
    });
    Problem {
        classes: problem.classes.iter().enumerate().map(class).collect(),
        elements: elements.collect(),
        limits: vec![problem.capacity],
        objectives: 1,
        modes: 0,
        goal: Goal::Front,
    }
}
