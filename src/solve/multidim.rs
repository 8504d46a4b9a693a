//! Solves multi-dimensional knapsack problems, one or a batch: reduce, plan, run an engine, map its answers back to
//! the original problems, and recheck them.

use super::SolveError;
use super::options::found_by_reduction;
use isx_classics::multidim::{Answer, Batch, Best, ENGINES, Multidim as Family, map_each};
use isx_engine::{Planned, Request, planner};
use isx_machine::{Machine, faults};
use isx_problems::account::{Account, Timings};
use isx_problems::multidim::{Claim, Multidim, witness};
use isx_problems::reduce::multidim::{Reduced, reduce};
use isx_problems::value::Tier;
use num_bigint::BigInt;
use std::borrow::Borrow;
use std::time::{Duration, Instant};

/// How to solve.
pub type Options<'a> = super::Options<'a, Family>;

/// The best selection of a problem: profit, weights, items. For a problem solved in a batch, the times and updates
/// are an equal share of the batch's.
pub type Solution = super::Solution<Claim>;

/// Solves a problem and rechecks its items. Fails if an engine refused, or the answer failed the recheck. Some
/// selection always fits.
///
/// ```
/// use isx_problems::multidim::{Item, Multidim};
/// use isx_solve::multidim::{Options, solve};
/// let items = [(3, [1, 2, 0]), (2, [2, 1, 0]), (2, [1, 0, 0])];
/// let items = items.map(|(profit, weights)| Item { profit, weights }).to_vec();
/// let problem = Multidim { dimensions: 2, capacities: [2, 2, 0], items };
/// let claim = solve(&problem, &Options::default()).unwrap().claim;
/// assert_eq!((claim.profit, claim.weights, claim.chosen), (5.into(), [2, 2, 0], vec![0, 2]));
/// ```
pub fn solve(problem: &Multidim, options: &Options) -> Result<Solution, SolveError> {
    let mut solutions = solve_many(&[problem], options)?;
    match (solutions.pop(), solutions.is_empty()) {
        (Some(solution), true) => Ok(solution),
        _ => unreachable!("one problem has one solution"),
    }
}

/// Reduces every problem, on all threads of the machine if there are many.
pub fn reduce_many<P: Borrow<Multidim> + Sync>(problems: &[P], machine: &Machine) -> Vec<Reduced> {
    map_each(machine, problems, |problem| reduce(problem.borrow()))
}

/// Solves many problems together, and rechecks the items of each. Problems whose profits need the same integer width
/// form a batch that is planned and solved together.
pub fn solve_many(problems: &[&Multidim], options: &Options) -> Result<Vec<Solution>, SolveError> {
    let started = Instant::now();
    let reduced = reduce_many(problems, &options.machine);
    let reducing = started.elapsed() / problems.len().max(1) as u32;
    let tiers: Vec<Tier> = reduced.iter().map(Reduced::tier).collect();
    let mut batches: Vec<(Tier, Vec<usize>)> = Vec::new();
    let mut solutions: Vec<Option<Solution>> = vec![None; problems.len()];
    for (at, problem) in reduced.iter().enumerate() {
        if problem.items.is_empty() {
            let claim = problem.claim(problems[at], &BigInt::ZERO, &[]);
            let account = found_by_reduction("it left no item to decide on", Tier::I32, reducing);
            solutions[at] = Some(Solution { claim, account });
            continue;
        }
        match batches.iter_mut().find(|(tier, _)| *tier == tiers[at]) {
            Some((_, members)) => members.push(at),
            None => batches.push((tiers[at], vec![at])),
        }
    }
    let mut reduced: Vec<Option<Reduced>> = reduced.into_iter().map(Some).collect();
    for (tier, members) in batches {
        let batch = Batch::new(members.iter().filter_map(|&at| reduced[at].take()).collect());
        let request = Request { problem: &batch, wanted: (), context: &options.context() };
        let planned = planner::solve(&ENGINES, options.engine, request)?;
        let (best, account) = shared_out(planned, tier, reducing, members.len());
        let each = members.iter().zip(batch.problems()).zip(&best);
        for ((&at, problem), best) in each {
            let mut claim = problem.claim(problems[at], &best.profit, &best.chosen);
            faults::figure(&mut claim.profit);
            solutions[at] = Some(Solution { claim, account: account.clone() });
        }
    }
    let solutions: Vec<Solution> = solutions.into_iter().flatten().collect();
    for (problem, solution) in problems.iter().zip(&solutions) {
        witness(problem, &solution.claim)?;
    }
    Ok(solutions)
}

/// The answers of a batch, and the account of one of its problems.
fn shared_out(
    planned: Planned<Answer>,
    tier: Tier,
    reduce: Duration,
    members: usize,
) -> (Vec<Best>, Account) {
    let Planned { answer, engine, why } = planned;
    let Answer { best, how, threads, updates, solve, traceback } = answer;
    let share = u32::try_from(members).unwrap_or(u32::MAX);
    let timings = Timings { reduce, solve: solve / share, traceback: traceback / share };
    let (arithmetic, updates) = (tier, updates / members as u64);
    (best, Account { engine, how, threads, arithmetic, why, updates, timings })
}
