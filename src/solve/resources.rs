//! Solves a multiple-choice problem with several resources: reduce, run an engine, map its answer back to the original
//! problem.

use super::{Options, Solution, SolveError, mckp};
use isx_engine::{Choice, Context, EngineError, Refusal, Request, planner};
use isx_machine::faults;
use isx_mckp::Wanted;
use isx_problems::account::{Account, Timings};
use isx_problems::mckp::{Claim, Configurations, Item, Mckp, Without};
use isx_problems::reduce::resources::{Reduced, reduce};
use isx_problems::resources::{Goal, Problem};
use isx_problems::value::Tier;
use isx_resources::{Answer, ENGINES, MOST_BITS, Resources, most_value};
use std::sync::Arc;
use std::time::Instant;

/// The points that the problem's goal asks for; no point if no selection is within the limits or reaches the value asked
/// for. The items of all points are known unless `options.wanted` asks for values only. The answer is not rechecked.
/// Fails if an engine refused, or the requested arithmetic is too narrow.
pub fn solve_unchecked(problem: &Problem, options: &Options) -> Result<Solution, SolveError> {
    if let Some(solved) = as_mckp(problem, options)? {
        return Ok(solved);
    }
    let context = Context { all_candidates: false, ..options.context() };
    let started = Instant::now();
    // A problem without any selection stays as it is: the engines find no point.
    let reduced = reduce(problem);
    let reduce = started.elapsed();
    if let Some(Reduced { problem: left, back }) = &reduced
        && let Some(Solution { mut claim, account }) = as_mckp(left, options)?
    {
        let mut costs = back.costs(vec![claim.weights], claim.values.len()).into_iter();
        claim.weights = costs.next().unwrap_or_default();
        claim.further = costs.collect();
        claim.values = back.values(claim.values);
        claim.complete = nothing_is_cut(problem);
        return Ok(Solution { claim, account });
    }
    let engine = engine(options)?;
    let reduced_problem = reduced.as_ref().map_or(problem, |reduced| &reduced.problem);
    let needed = Tier::narrowest(&most_value(reduced_problem));
    if let Some(asked) = options.arithmetic.filter(|&asked| asked < needed) {
        return Err(SolveError::Arithmetic { asked, needed });
    }
    let at_least = options.arithmetic.unwrap_or(Tier::I32);
    let wanted = isx_resources::Wanted { picks: options.wanted != Wanted::Values, at_least };
    let request = Request { problem: reduced_problem, wanted, context: &context };
    let planned =
        planner::solve(&ENGINES, engine, request).map_err(|refusal| named(refusal, reduced_problem))?;
    let Answer { mut costs, mut values, picks, tier, how, threads, updates, solve, traceback } =
        spoilt(planned.answer);
    let mut why = planned.why;
    if let Some(Reduced { back, problem }) = &reduced {
        costs = back.costs(costs, values.len());
        values = back.values(values);
        if !problem.elements.is_empty() {
            why = format!("elements are shared; {why}");
        }
    }
    let mut costs = costs.into_iter();
    let first = costs.next().unwrap_or_default();
    let claim = Claim::new(first, values, problem.classes.len(), nothing_is_cut(problem));
    let mut claim = claim.with_further(costs.collect());
    if let Some(picks) = picks {
        claim = claim.with_configurations(0, picks);
    }
    let timings = Timings { reduce, solve, traceback };
    let engine = planned.engine;
    let account = Account { engine, how, threads, arithmetic: tier, why, updates, timings };
    Ok(Solution { claim, account })
}

/// The front of a problem of one resource without elements, as a multiple-choice knapsack problem; `None` if it is another one,
/// or no selection is within the limit.
fn as_mckp(problem: &Problem, options: &Options) -> Result<Option<Solution>, SolveError> {
    let [capacity] = problem.limits[..] else { return Ok(None) };
    if !problem.elements.is_empty() || problem.modes > 0 || problem.goal != Goal::Front {
        return Ok(None);
    }
    let item =
        |item: &isx_problems::resources::Item| Item { value: item.value.clone(), weight: item.cost[0] };
    let classes = problem.classes.iter().map(|items| items.iter().map(item).collect()).collect();
    let plain = Mckp { classes, capacity, choice: isx_problems::mckp::Choice::ExactlyOne };
    let Solution { claim, account } = match mckp::solve_unchecked(&plain, options) {
        Err(SolveError::Infeasible(_)) => return Ok(None),
        solved => solved?,
    };
    let numbers = problem.classes.iter().map(|items| items.iter().map(|item| item.number).collect());
    let numbers: Vec<Vec<u32>> = numbers.collect();
    let (weights, values) = (claim.weights.clone(), claim.values.clone());
    let mut claim = claim.changed(weights, values, move |count, columns| {
        for (column, numbers) in columns.chunks_exact_mut(count).zip(&numbers) {
            column.iter_mut().for_each(|item| *item = numbers[*item as usize]);
        }
    });
    claim.complete = nothing_is_cut(problem);
    Ok(Some(Solution { claim, account }))
}

/// The refusal with its reason: where values are too wide for the other engines, the judge needs too much memory, and more
/// would not help.
fn named(refusal: Refusal, problem: &Problem) -> Refusal {
    let needed = most_value(problem).bits();
    let is_judge = ENGINES.judge().is_some_and(|judge| judge.name == refusal.engine);
    match refusal.cause {
        EngineError::Memory(_) | EngineError::MemoryOfThisEngine { .. } if is_judge && needed > MOST_BITS => {
            Refusal { engine: isx_resources::WIDEST, cause: EngineError::Width { needed, held: MOST_BITS } }
        }
        _ => refusal,
    }
}

/// The answer with the fault that a test plants: a wrong cost or a missing point.
fn spoilt(mut answer: Answer) -> Answer {
    let Some(first) = answer.costs.first_mut() else { return answer };
    first.iter_mut().for_each(faults::figure);
    if let Some(missing) = (0..first.len()).find(|_| faults::is_shut(faults::Door::Point)) {
        for column in &mut answer.costs {
            column.remove(missing);
        }
        answer.values.remove(missing);
        answer.picks = answer
            .picks
            .map(|all| Arc::new(Without { all, at: missing, count: 1 }) as Arc<dyn Configurations>);
    }
    answer
}

/// Whether every selection is within the limits.
fn nothing_is_cut(problem: &Problem) -> bool {
    problem.limits.iter().enumerate().all(|(resource, &limit)| problem.reach(resource) <= limit)
}

/// The engine of this family with the requested name.
fn engine(options: &Options) -> Result<Choice<Resources>, SolveError> {
    let Choice::Named(asked) = options.engine else { return Ok(Choice::Auto) };
    ENGINES.named(asked.name).map(Choice::Named).ok_or_else(|| {
        let names: Vec<&str> = ENGINES.iter().map(|entry| entry.name).collect();
        let cause = format!("it counts one resource; {} count several", names.join(", "));
        SolveError::Engine(Refusal { engine: asked.name, cause: EngineError::Unavailable(cause) })
    })
}
