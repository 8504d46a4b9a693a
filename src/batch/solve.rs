//! Solves many problems together, each for the best of its one capacity: the batch is planned and solved as a whole,
//! unsolved problems are solved one by one, every answer is summed again, and the answers are returned in order.

use crate::{Answers, Batch, ENGINES, Found, MckpBatch, NO_ITEM, One};
use isx_engine::{Context, Planned, Request, planner};
use isx_machine::Machine;
use isx_mckp::Wanted;
use isx_parallel as parallel;
use isx_problems::account::{Account, Timings};
use isx_problems::mckp::Mismatch;
use isx_problems::reduce::mckp::Infeasible;
use isx_solve::{Solution, SolveError};
use num_traits::ToPrimitive;

/// The engine and the machine to use.
pub type Options<'a> = isx_solve::Options<'a, MckpBatch>;

/// The answer to a problem.
#[derive(Clone, Copy, Debug)]
pub struct Best<'a> {
    /// The most value within the capacity.
    pub value: i128,
    /// The least weight with that value.
    pub weight: u64,
    /// The canonical items, one per class.
    pub items: &'a [Option<u32>],
    /// How it was found; for problems that were solved together, how all of them were.
    pub account: &'a Account,
}

/// Solves every problem of a batch; `sink` gets the index and the answer of each in order, or why it has none. The
/// canonical items are those that [`isx_solve::solve`] returns.
///
/// # Errors
///
/// [`SolveError`], before any answer is passed on: the requested engine cannot run here, there is no memory for the
/// answers, or an answer is wrong.
///
/// ```
/// use isx_batch::{Batch, Options, solve_many};
/// use isx_problems::mckp::Choice;
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
    let machine = &options.machine;
    let context = Context { progress: options.progress, ..Context::new(machine) };
    let planned =
        planner::solve(&ENGINES, options.engine, Request { problem: batch, wanted: (), context: &context })?;
    let Planned { answer: answers, engine, why } = planned;
    machine.workers().run(|| check(batch, &answers))?;
    let left = |&at: &usize| answers.found[at] == Found::Left;
    let left: Vec<usize> = (0..batch.len()).filter(left).collect();
    let refused = |solved: &Result<Alone, SolveError>| match solved {
        Err(SolveError::Engine(refusal)) => refusal.cause.over_memory().is_some(),
        _ => false,
    };
    let solve = |at: usize, machine: &Machine| alone(&batch.get(left[at]), machine);
    let solved = machine.map_in_shares(left.len(), solve, refused);
    let mut solved = solved.iter();
    let why = if left.is_empty() { why } else { format!("{why}; {} problems by themselves", left.len()) };
    let account = Account {
        engine,
        how: answers.how,
        threads: answers.threads,
        arithmetic: answers.tier,
        why,
        updates: answers.updates,
        timings: Timings { solve: answers.solve, ..Timings::default() },
    };
    let mut items = Vec::new();
    for (at, found) in answers.found.iter().enumerate() {
        let picks = &answers.picks[batch.classes_before(at)..batch.classes_before(at + 1)];
        let (value, weight, picks, account) = match found {
            Found::Best { value, weight } => (*value, *weight, picks, &account),
            Found::Infeasible => {
                sink(at, Err(Infeasible.into()));
                continue;
            }
            Found::Left => match solved.next() {
                Some(Ok(Alone { value, weight, picks, account })) => (*value, *weight, &picks[..], account),
                Some(Err(error)) => {
                    sink(at, Err(error.clone()));
                    continue;
                }
                None => unreachable!("each of those left was solved"),
            },
        };
        items.clear();
        items.extend(picks.iter().map(|&pick| item(pick)));
        sink(at, Ok(Best { value, weight, items: &items, account }));
    }
    Ok(account)
}
fn item(pick: u32) -> Option<u32> {
    (pick != NO_ITEM).then_some(pick)
}

/// A problem that was solved separately.
struct Alone {
    value: i128,
    weight: u64,
    picks: Vec<u32>,
    account: Account,
}

/// Sums every answer again, on the threads of the current pool.
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

/// For an answer without a value or items.
fn missing(point: usize) -> Mismatch {
    Mismatch { point, what: "items", summed: "nothing".into(), claimed: "a selection".into() }
}

fn alone(problem: &One<'_>, machine: &Machine) -> Result<Alone, SolveError> {
    let options = isx_solve::Options {
        wanted: Wanted::BestPicks,
        machine: machine.clone(),
        ..isx_solve::Options::default()
    };
    let Solution { claim, account } = isx_solve::solve(&problem.to_problem(), &options)?;
    let best = claim.len() - 1;
    let (value, items) = (claim.value(best).and_then(|value| value.to_i128()), claim.items(best));
    let (value, items) = value.zip(items).ok_or_else(|| missing(best))?;
    let picks = items.into_iter().map(|item| item.unwrap_or(NO_ITEM)).collect();
    Ok(Alone { value, weight: claim.weights[best], picks, account })
}
