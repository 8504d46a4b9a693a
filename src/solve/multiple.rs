//! Solves a multiple knapsack problem: reduce, plan, run an engine, map its answer back to the original problem, and
//! recheck it.

use super::SolveError;
use super::options::found_by_reduction;
use isx_engine::{Planned, Request, planner};
use isx_machine::faults;
pub use isx_multiple::Wanted;
use isx_multiple::{Answer, ENGINES, Multiple as Family};
use isx_problems::account::{Account, Timings};
use isx_problems::multiple::{Claim, Multiple, witness};
use isx_problems::reduce::multiple::reduce;
use isx_problems::value::Tier;
use std::time::Instant;

/// How to solve.
pub type Options<'a> = super::Options<'a, Family>;

/// The best distribution found, and whether it is proved to be the best.
pub type Solution = super::Solution<Claim>;

/// Solves a problem and rechecks its items. A search that reaches the limits of [`Wanted`] returns what it found and a
/// bound; [`Claim::is_proved`] tells. Fails if an engine refused, or the answer failed the recheck.
///
/// ```
/// use isx_problems::multiple::{Item, Multiple};
/// use isx_solve::multiple::{Options, solve};
/// let items = [(6, 4), (5, 4), (3, 3)].map(|(profit, weight)| Item { profit, weight }).to_vec();
/// let claim = solve(&Multiple { capacities: vec![3, 6], items }, &Options::default()).unwrap().claim;
/// assert!(claim.is_proved());
/// assert_eq!((claim.profit, claim.chosen), (9.into(), vec![vec![2], vec![0]]));
/// ```
pub fn solve(problem: &Multiple, options: &Options) -> Result<Solution, SolveError> {
    let started = Instant::now();
    let reduced = reduce(problem);
    let reducing = started.elapsed();
    let sum = reduced.items.iter().try_fold(0i128, |sum, item| sum.checked_add(item.profit));
    let arithmetic = sum.map_or(Tier::Big, |sum| Tier::narrowest(&sum.into()));
    let (claim, account) = if reduced.items.is_empty() {
        let account = found_by_reduction("it left no item to decide on", arithmetic, reducing);
        (reduced.claim(problem, &[], 0, 0), account)
    } else {
        let context = options.context();
        let request = Request { problem: &reduced, wanted: options.wanted, context: &context };
        let Planned { answer, engine, why } = planner::solve(&ENGINES, options.engine, request)?;
        let Answer { profit, bound, knapsack_of, updates, solve, traceback } = answer;
        let timings = Timings { reduce: reducing, solve, traceback };
        let how = "1 thread".into();
        // The engines compute in one width.
        let account = Account { engine, how, threads: 1, arithmetic: Tier::I128, why, updates, timings };
        (reduced.claim(problem, &knapsack_of, profit, bound), account)
    };
    let mut claim = claim;
    faults::figure(&mut claim.profit);
    witness(problem, &claim)?;
    Ok(Solution { claim, account })
}
