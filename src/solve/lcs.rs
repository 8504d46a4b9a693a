//! Finds a longest common subsequence: reduce, plan, run an engine, read its answer in the full sequences' terms, and check
//! it.

use super::SolveError;
use isx_classics::lcs::{Answer, ENGINES, Lcs as Family, Wanted};
use isx_engine::{Choice, Context, NoProgress, Planned, Progress, Request, planner};
use isx_machine::{Machine, faults};
use isx_problems::account::{Account, Arithmetic, Timings};
use isx_problems::lcs::{Claim, Lcs, witness};
use isx_problems::reduce::lcs::reduce;
use isx_problems::value::Tier;
use std::fmt;
use std::time::{Duration, Instant};

/// How to solve.
#[derive(Clone)]
pub struct Options<'a> {
    /// The engine.
    pub engine: Choice<Family>,
    /// What is wanted.
    pub wanted: Wanted,
    /// Threads, memory, a GPU.
    pub machine: Machine,
    /// Told of the progress.
    pub progress: &'a dyn Progress,
}

impl Default for Options<'_> {
    /// The letters, by the fastest engine.
    fn default() -> Self {
        Self {
            engine: Choice::Auto,
            wanted: Wanted::Subsequence,
            machine: Machine::default(),
            progress: &NoProgress,
        }
    }
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { engine, wanted, machine, .. } = self;
        f.debug_struct("Options")
            .field("engine", engine)
            .field("wanted", wanted)
            .field("machine", machine)
            .finish_non_exhaustive()
    }
}

/// A longest common subsequence, and how it was found.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Its length and where its letters stand.
    pub claim: Claim,
    /// How it was found.
    pub account: Account,
}

/// Finds a longest common subsequence and checks that it is a common one.
///
/// What both sequences begin with, and then what both end with, is matched letter by letter. Of the subsequences that are
/// longest between these, every engine gives the one that [`isx_classics::lcs`] describes.
///
/// # Errors
///
/// [`SolveError`]: an engine refused, or the answer does not hold.
///
/// ```
/// use isx_problems::lcs::Lcs;
/// use isx_solve::lcs::{Options, solve};
/// let problem = Lcs { a: b"nematode".to_vec(), b: b"empty".to_vec() };
/// let claim = solve(&problem, &Options::default()).unwrap().claim;
/// assert_eq!((claim.length, claim.pairs), (3, Some(vec![(1, 0), (2, 1), (4, 3)])));
/// ```
pub fn solve(problem: &Lcs, options: &Options) -> Result<Solution, SolveError> {
    let started = Instant::now();
    let reduced = reduce(problem);
    let reducing = started.elapsed();
    let (answer, account) = if reduced.cells() == 0 {
        (None, nothing_left(reducing))
    } else {
        let context = Context { progress: options.progress, ..Context::new(&options.machine) };
        let request = Request { problem: &reduced, wanted: options.wanted, context: &context };
        let planned = planner::solve(&ENGINES, options.engine, request)?;
        let account = account(&planned, reducing);
        (Some(planned.answer), account)
    };
    let empty = (0, (options.wanted == Wanted::Subsequence).then(Vec::new));
    let (length, pairs) = answer.map_or(empty, |answer| (answer.length, answer.pairs));
    let mut claim = reduced.claim(problem, length, pairs);
    faults::figure(&mut claim.length);
    witness(problem, &claim)?;
    Ok(Solution { claim, account })
}

fn account(planned: &Planned<Answer>, reduce: Duration) -> Account {
    let Planned { answer, engine, why } = planned;
    Account {
        engine,
        how: answer.how.clone(),
        threads: answer.threads,
        arithmetic: Arithmetic::Exact(Tier::I64),
        why: why.clone(),
        updates: answer.updates,
        timings: Timings { reduce, solve: answer.solve, traceback: answer.traceback },
    }
}

/// The account where the ends are all that is common.
fn nothing_left(reduce: Duration) -> Account {
    Account {
        engine: "reduction",
        how: "1 thread".into(),
        threads: 1,
        arithmetic: Arithmetic::Exact(Tier::I64),
        why: "between what is common at the ends, no letter is in both".into(),
        updates: 0,
        timings: Timings { reduce, ..Timings::default() },
    }
}
