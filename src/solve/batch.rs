//! Solves many problems together, of each the best of its one capacity: a batch is planned and solved as one, what its
//! engine leaves is solved problem by problem, every answer is summed again, and they are handed out in order.

use super::{SolveError, knapsack as one_knapsack, mckp as one_mckp};
use isx_engine::{Choice, Context, NoProgress, Planned, Progress, Request, planner};
use isx_machine::Machine;
use isx_mckp::batch::{Answers, ENGINES, Found, MckpBatch, NO_ITEM};
use isx_parallel as parallel;
use isx_problems as problem;
use isx_problems::account::{Account, Arithmetic, Timings};
use isx_problems::mckp::{Batch, Mismatch, One};
use isx_problems::reduce::mckp::Infeasible;
use num_traits::ToPrimitive;
use std::fmt;
use {isx_knapsack as knapsack, isx_mckp as mckp};

/// How to solve.
#[derive(Clone)]
pub struct Options<'a> {
    /// The engine.
    pub engine: Choice<MckpBatch>,
    /// Threads, memory, a GPU.
    pub machine: Machine,
    /// Told of the progress.
    pub progress: &'a dyn Progress,
}

impl Default for Options<'_> {
    /// The fastest engine.
    fn default() -> Self {
        Self { engine: Choice::Auto, machine: Machine::default(), progress: &NoProgress }
    }
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { engine, machine, .. } = self;
        f.debug_struct("Options").field("engine", engine).field("machine", machine).finish_non_exhaustive()
    }
}

/// The best of a problem.
#[derive(Clone, Copy, Debug)]
pub struct Best<'a> {
    /// The most value within the capacity.
    pub value: i128,
    /// The least weight that brings it.
    pub weight: u64,
    /// The canonical items behind it, one a class.
    pub items: &'a [Option<u32>],
    /// How it was found; of problems that were solved together, how all of them were.
    pub account: &'a Account,
}

/// The best of a 0-1 problem.
#[derive(Clone, Copy, Debug)]
pub struct BestItems<'a> {
    /// The most profit within the capacity.
    pub profit: i128,
    /// The least weight that brings it.
    pub weight: u64,
    /// The items behind it, smallest number first.
    pub items: &'a [u32],
    /// As [`Best::account`].
    pub account: &'a Account,
}

/// Solves every problem of a batch; `sink` is given the number and the best of each in order, or why it has none.
/// The canonical items are those that [`super::solve`] gives.
///
/// # Errors
///
/// [`SolveError`], before anything is handed out: the engine asked for cannot run here, there is no memory for the
/// answers, or one of them does not hold.
///
/// ```
/// use isx_problems::mckp::{Batch, Choice};
/// use isx_solve::batch::{Options, solve_many};
/// let mut batch = Batch::new(Choice::Optional);
/// for capacity in [13, 5] {
///     batch.class([(3, 2), (9, 6)]);
///     batch.class([(1, 4), (5, 8)]);
///     batch.problem(capacity);
/// }
/// let mut told = Vec::new();
/// solve_many(&batch, &Options::default(), |at, best| {
///     let best = best.unwrap();
///     told.push((at, best.value, best.weight, best.items.to_vec()));
/// })
/// .unwrap();
/// assert_eq!(told, [(0, 10, 10, vec![Some(1), Some(0)]), (1, 3, 2, vec![Some(0), None])]);
/// ```
pub fn solve_many(
    batch: &Batch,
    options: &Options,
    mut sink: impl FnMut(usize, Result<Best<'_>, SolveError>),
) -> Result<Account, SolveError> {
    let mut items = Vec::new();
    together(batch, options, mckp_alone, |at, best| {
        let best = best.map(|(found, picks, account)| {
            items.clear();
            items.extend(picks.iter().map(|&pick| item(pick)));
            Best { value: found.0, weight: found.1, items: &items, account }
        });
        sink(at, best);
    })
}

/// As [`solve_many`], of 0-1 problems; of several best selections one of the least weight is given, whichever.
///
/// # Errors
///
/// As [`solve_many`].
pub fn solve_many_knapsacks(
    batch: &problem::knapsack::Batch,
    options: &Options,
    mut sink: impl FnMut(usize, Result<BestItems<'_>, SolveError>),
) -> Result<Account, SolveError> {
    let alone = |at: usize, _: &One<'_>, machine: &Machine| knapsack_alone(&batch.get(at), machine);
    let mut items = Vec::new();
    together(batch.as_classes(), options, alone, |at, best| {
        let best = best.map(|(found, picks, account)| {
            items.clear();
            items.extend((0u32..).zip(picks).filter(|(_, pick)| **pick != NO_ITEM).map(|(item, _)| item));
            BestItems { profit: found.0, weight: found.1, items: &items, account }
        });
        sink(at, best);
    })
}

fn item(pick: u32) -> Option<u32> {
    (pick != NO_ITEM).then_some(pick)
}

/// A problem that was solved by itself.
struct Alone {
    value: i128,
    weight: u64,
    picks: Vec<u32>,
    account: Account,
}

/// What is handed out of a problem: its value and weight, its items, and how they were found.
type Told<'a> = Result<((i128, u64), &'a [u32], &'a Account), SolveError>;

fn together(
    batch: &Batch,
    options: &Options,
    alone: impl Fn(usize, &One<'_>, &Machine) -> Result<Alone, SolveError> + Sync,
    mut sink: impl FnMut(usize, Told<'_>),
) -> Result<Account, SolveError> {
    let Options { engine, machine, progress } = options;
    let context = Context { progress: *progress, ..Context::new(machine) };
    let planned =
        planner::solve(&ENGINES, *engine, Request { problem: batch, wanted: (), context: &context })?;
    let Planned { answer: answers, engine, why } = planned;
    machine.workers().run(|| check(batch, &answers))?;
    let left = |&at: &usize| answers.found[at] == Found::Left;
    let left: Vec<usize> = (0..batch.len()).filter(left).collect();
    let refused = |solved: &Result<Alone, SolveError>| match solved {
        Err(SolveError::Engine(refusal)) => refusal.cause.over_memory().is_some(),
        _ => false,
    };
    let solve = |at: usize, machine: &Machine| alone(left[at], &batch.get(left[at]), machine);
    let mut solved = machine.map_in_shares(left.len(), solve, refused).into_iter();
    let why = if left.is_empty() { why } else { format!("{why}; {} problems by themselves", left.len()) };
    let account = Account {
        engine,
        how: answers.how,
        threads: answers.threads,
        arithmetic: Arithmetic::Exact(answers.tier),
        why,
        updates: answers.updates,
        timings: Timings { solve: answers.solve, ..Timings::default() },
    };
    for (at, found) in answers.found.iter().enumerate() {
        let picks = &answers.picks[batch.classes_before(at)..batch.classes_before(at + 1)];
        match found {
            Found::Best { value, weight } => sink(at, Ok(((*value, *weight), picks, &account))),
            Found::Infeasible => sink(at, Err(Infeasible.into())),
            Found::Left => match solved.next() {
                Some(Ok(alone)) => {
                    sink(at, Ok(((alone.value, alone.weight), &alone.picks, &alone.account)));
                }
                Some(Err(error)) => sink(at, Err(error)),
                None => unreachable!("each of those left was solved"),
            },
        }
    }
    Ok(account)
}

/// Sums every answer again, on the threads of the pool that this is called in.
fn check(batch: &Batch, answers: &Answers) -> Result<(), Mismatch> {
    parallel::try_each(answers.found.len(), 1024, |at| {
        let Found::Best { value, weight } = answers.found[at] else { return Ok(()) };
        let problem = batch.get(at);
        let picks = &answers.picks[batch.classes_before(at)..batch.classes_before(at + 1)];
        let summed = problem.sum(picks.iter().map(|&pick| item(pick)));
        if summed == Some((value, weight)) && weight <= problem.capacity {
            return Ok(());
        }
        let summed =
            summed.map_or("items that do not exist".into(), |(value, weight)| format!("{value}, {weight}"));
        Err(Mismatch { point: at, what: "value and weight", summed, claimed: format!("{value}, {weight}") })
    })
}

/// Of an answer without a value or items.
fn missing(point: usize) -> Mismatch {
    Mismatch { point, what: "items", summed: "nothing".into(), claimed: "a selection".into() }
}

fn mckp_alone(_: usize, problem: &One<'_>, machine: &Machine) -> Result<Alone, SolveError> {
    let options = one_mckp::Options {
        wanted: mckp::Wanted::BestPicks,
        machine: machine.clone(),
        ..one_mckp::Options::default()
    };
    let one_mckp::Solution { claim, account } = one_mckp::solve(&problem.to_problem(), &options)?;
    let best = claim.len() - 1;
    let (value, items) = (claim.value(best).and_then(|value| value.to_i128()), claim.items(best));
    let (value, items) = value.zip(items).ok_or_else(|| missing(best))?;
    let picks = items.into_iter().map(|item| item.unwrap_or(NO_ITEM)).collect();
    Ok(Alone { value, weight: claim.weights[best], picks, account })
}

fn knapsack_alone(problem: &problem::knapsack::Knapsack, machine: &Machine) -> Result<Alone, SolveError> {
    let options = one_knapsack::Options {
        wanted: knapsack::Wanted::Best,
        machine: machine.clone(),
        ..one_knapsack::Options::default()
    };
    let one_knapsack::Solution { claim, account } = one_knapsack::solve(problem, &options)?;
    let (value, items) = (claim.profit(0).and_then(|profit| profit.to_i128()), claim.items(0));
    let (value, items) = value.zip(items).ok_or_else(|| missing(0))?;
    let mut picks = vec![NO_ITEM; problem.items.len()];
    for item in items {
        picks[item as usize] = 0;
    }
    Ok(Alone { value, weight: claim.weights[0], picks, account })
}
