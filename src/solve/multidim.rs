//! Solves multi-dimensional knapsack problems, one or many together: reduce, plan, run an engine, read its answers in
//! the problems' own terms, and sum them again.

use super::SolveError;
use isx_classics::multidim::{Answer, Batch, ENGINES, Multidim as Family};
use isx_engine::{Choice, Context, NoProgress, Planned, Progress, Request, planner};
use isx_machine::{Machine, faults};
use isx_problems::account::{Account, Arithmetic, Timings};
use isx_problems::multidim::{Claim, Multidim, witness};
use isx_problems::reduce::multidim::{Reduced, reduce};
use isx_problems::value::Tier;
use num_bigint::BigInt;
use std::fmt;
use std::time::{Duration, Instant};

/// How to solve.
#[derive(Clone)]
pub struct Options<'a> {
    /// The engine.
    pub engine: Choice<Family>,
    /// Look at every cell of every layer, needed or not.
    pub raw: bool,
    /// Threads, memory, a GPU.
    pub machine: Machine,
    /// Told of the progress.
    pub progress: &'a dyn Progress,
}

impl Default for Options<'_> {
    /// The fastest engine, with all that leaves work out.
    fn default() -> Self {
        Self { engine: Choice::Auto, raw: false, machine: Machine::default(), progress: &NoProgress }
    }
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { engine, raw, machine, .. } = self;
        f.debug_struct("Options")
            .field("engine", engine)
            .field("raw", raw)
            .field("machine", machine)
            .finish_non_exhaustive()
    }
}

/// The best of a problem, and how it was found.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Profit, weights, items.
    pub claim: Claim,
    /// How they were found. Of a problem that was solved with others the times and updates are its even share.
    pub account: Account,
}

/// Solves a problem and sums its items again.
///
/// # Errors
///
/// [`SolveError`]: an engine refused, or the answer does not hold. Some selection always fits.
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

/// Solves many problems together, and sums the items of each again. Those whose profits need integers of one width make
/// a batch that is planned and solved as one.
///
/// # Errors
///
/// As [`solve`].
pub fn solve_many(problems: &[&Multidim], options: &Options) -> Result<Vec<Solution>, SolveError> {
    let started = Instant::now();
    let workers = options.machine.workers();
    // A reduction takes microseconds; few are not worth waking threads for.
    let count = problems.len() as u64;
    let reduced = workers.map(count, count > 64, |at| reduce(problems[at as usize]));
    let reducing = started.elapsed() / problems.len().max(1) as u32;
    let tiers: Vec<Tier> = reduced.iter().map(Reduced::tier).collect();
    let mut batches: Vec<(Tier, Vec<usize>)> = Vec::new();
    let mut solutions: Vec<Option<Solution>> = vec![None; problems.len()];
    for (at, problem) in reduced.iter().enumerate() {
        if problem.items.is_empty() {
            let claim = problem.claim(problems[at], &BigInt::ZERO, &[]);
            solutions[at] = Some(Solution { claim, account: nothing_left(reducing) });
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
        let planned = solve_batch(&batch, options)?;
        let account = account(&planned, tier, reducing, members.len());
        let each = members.iter().zip(batch.problems()).zip(&planned.answer.best);
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

fn solve_batch(batch: &Batch, options: &Options) -> Result<Planned<Answer>, SolveError> {
    let context =
        Context { all_candidates: options.raw, progress: options.progress, ..Context::new(&options.machine) };
    let request = Request { problem: batch, wanted: (), context: &context };
    Ok(planner::solve(&ENGINES, options.engine, request)?)
}

/// The account of one of so many problems of a batch.
fn account(planned: &Planned<Answer>, tier: Tier, reduce: Duration, members: usize) -> Account {
    let Planned { answer, engine, why } = planned;
    let share = u32::try_from(members).unwrap_or(u32::MAX);
    Account {
        engine,
        how: answer.how.clone(),
        threads: answer.threads,
        arithmetic: Arithmetic::Exact(tier),
        why: why.clone(),
        updates: answer.updates / members as u64,
        timings: Timings { reduce, solve: answer.solve / share, traceback: answer.traceback / share },
    }
}

/// The account where the reduction has decided every item.
fn nothing_left(reduce: Duration) -> Account {
    Account {
        engine: "reduction",
        how: "1 thread".into(),
        threads: 1,
        arithmetic: Arithmetic::Exact(Tier::I32),
        why: "it left no item to decide on".into(),
        updates: 0,
        timings: Timings { reduce, ..Timings::default() },
    }
}
