//! Solves a multiple-choice set-union knapsack problem: reduce, run an engine, map its answer back to the original
//! problem. If no shared elements remain after the reduction, it is solved as a multiple-choice knapsack problem.

use super::{Options, Solution, SolveError, mckp};
use isx_engine::{Choice, Context, EngineError, Refusal, Request, planner};
use isx_machine::faults;
use isx_problems::account::{Account, Timings};
use isx_problems::mckp::{Claim, Configurations, Mckp, NO_ITEM};
use isx_problems::reduce::mckp::MAX_CAPACITY;
use isx_problems::reduce::set_union::{Reduced, reduce};
use isx_problems::set_union::Sharing;
use isx_problems::value::{Tier, Values};
use isx_set_union::{Answer, ENGINES, Selections};
use num_bigint::BigInt;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

/// Solves the problem with optional choice for every capacity up to its own. The answer is not rechecked. If elements are shared, `options.raw` and `options.wanted` are
/// ignored: the items of every point are known. Fails if an engine refused, the requested arithmetic is too narrow, or the
/// weights of the heaviest items within the capacity and of the elements add up to more than 2^62.
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
        return Err(mckp::too_heavy(sum));
    }
    let started = Instant::now();
    let reduced = reduce(problem, sharing);
    let reduce = started.elapsed();
    if let Some(plain) = reduced.without_elements() {
        let Solution { mut claim, account } = mckp::solve_unchecked(&plain, options)?;
        claim.complete = is_complete(problem, sharing, claim.complete && !reduced.cut, &claim.values);
        let (weights, values) = (claim.weights.clone(), claim.values.clone());
        let claim =
            claim.changed(weights, values, move |count, columns| put_in_place(&reduced, count, columns));
        return Ok(Solution { claim, account });
    }
    let needed = reduced.tier();
    if let Some(asked) = options.arithmetic.filter(|&asked| asked < needed) {
        return Err(SolveError::Arithmetic { asked, needed });
    }
    let context = Context { all_candidates: false, ..options.context() };
    let wanted = options.arithmetic.unwrap_or(Tier::I64);
    let request = Request { problem: &reduced, wanted, context: &context };
    let planned = planner::solve(&ENGINES, engine(options)?, request)?;
    let Answer { mut weights, values, selections, cut, tier, how, threads, updates, solve } = planned.answer;
    weights.iter_mut().for_each(faults::figure);
    let complete = is_complete(problem, sharing, !cut && !reduced.cut, &values);
    let claim = Claim::new(weights, values, problem.classes.len(), complete)
        .with_configurations(0, Arc::new(Selected { reduced, selections }));
    let account = Account {
        engine: planned.engine,
        how,
        threads,
        arithmetic: tier,
        why: format!("elements are shared; {}", planned.why),
        updates,
        timings: Timings { reduce, solve, ..Timings::default() },
    };
    Ok(Solution { claim, account })
}

/// Whether a larger capacity cannot improve the answer: it excluded nothing, or the last point has the maximum value.
fn is_complete(problem: &Mckp<BigInt>, sharing: &Sharing, uncut: bool, values: &Values) -> bool {
    let last = values.len().checked_sub(1);
    uncut || last.is_some_and(|last| values.get(last) == sharing.greatest_value(&problem.classes))
}

/// The engine of this family with the requested name.
fn engine(options: &Options) -> Result<Choice<isx_set_union::SetUnion>, SolveError> {
    let Choice::Named(asked) = options.engine else { return Ok(Choice::Auto) };
    ENGINES.named(asked.name).map(Choice::Named).ok_or_else(|| {
        let names: Vec<&str> = ENGINES.iter().map(|entry| entry.name).collect();
        let cause = format!("it cannot share hardware between classes; {} can", names.join(", "));
        SolveError::Engine(Refusal { engine: asked.name, cause: EngineError::Unavailable(cause) })
    })
}

/// Selections of an engine, mapped to items of the original classes.
#[derive(Debug)]
struct Selected {
    reduced: Reduced,
    selections: Selections,
}

impl Configurations for Selected {
    fn write(&self, configurations: Range<usize>, columns: &mut [u32]) {
        self.selections.write(configurations.clone(), columns);
        put_in_place(&self.reduced, configurations.len(), columns);
    }
}

/// Maps items of the reduced classes, this many per class, to items of the original ones.
fn put_in_place(reduced: &Reduced, count: usize, columns: &mut [u32]) {
    for (column, class) in columns.chunks_exact_mut(count).zip(&reduced.classes) {
        for item in column {
            *item = class.get(*item as usize).map_or(NO_ITEM, |item| item.origin);
        }
    }
}
