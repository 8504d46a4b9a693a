//! Finds a longest common subsequence: reduce, plan, run an engine, map its answer back to the full sequences, and
//! check it.

use super::SolveError;
use super::options::found_by_reduction;
use isx_classics::lcs::{Answer, ENGINES, Lcs as Family, Wanted};
use isx_engine::{Planned, Request, planner};
use isx_machine::faults;
use isx_problems::account::{Account, Timings};
use isx_problems::lcs::{Claim, Lcs, witness};
use isx_problems::reduce::lcs::reduce;
use isx_problems::value::Tier;
use std::time::Instant;

/// How to solve: with the letters, unless only the length is requested.
pub type Options<'a> = super::Options<'a, Family>;

/// A longest common subsequence: its length and the positions of its letters.
pub type Solution = super::Solution<Claim>;

/// Finds a longest common subsequence and checks that it is a common subsequence.
///
/// The common prefix and then the common suffix of both sequences are matched letter by letter. Among the longest
/// subsequences of the remaining parts, every engine returns the one that [`isx_classics::lcs`] describes. Fails if an
/// engine refused, or the answer failed the check.
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
    let reduce = started.elapsed();
    let (length, pairs, account) = if reduced.cells() == 0 {
        let why = "between what is common at the ends, no letter is in both";
        let pairs = (options.wanted == Wanted::Subsequence).then(Vec::new);
        (0, pairs, found_by_reduction(why, Tier::I64, reduce))
    } else {
        let request = Request { problem: &reduced, wanted: options.wanted, context: &options.context() };
        let Planned { answer, engine, why } = planner::solve(&ENGINES, options.engine, request)?;
        let Answer { length, pairs, how, threads, updates, solve, traceback } = answer;
        let (arithmetic, timings) = (Tier::I64, Timings { reduce, solve, traceback });
        (length, pairs, Account { engine, how, threads, arithmetic, why, updates, timings })
    };
    let mut claim = reduced.claim(problem, length, pairs);
    faults::figure(&mut claim.length);
    witness(problem, &claim)?;
    Ok(Solution { claim, account })
}
