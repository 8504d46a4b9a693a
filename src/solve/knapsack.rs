//! Solves a 0-1 knapsack problem: reduce, plan, run an engine, map its answer back to the original problem, and
//! recheck it.

use super::SolveError;
use super::options::{by, found_by_reduction};
use isx_engine::{Engine, Planned, Refusal, Request, planner};
use isx_knapsack::{Answer, ENGINES, Knapsack as Family, Wanted};
use isx_machine::faults;
use isx_problems::account::{Account, Timings};
use isx_problems::knapsack::{Claim, Knapsack, Selections, witness};
use isx_problems::reduce::knapsack::{Goal, Options as Reduction, WayBack, reduce};
use isx_problems::value::Values;
use std::sync::Arc;
use std::time::Instant;

/// How to solve: by default the best selection within the problem's capacity, with its items.
pub type Options<'a> = super::Options<'a, Family>;

/// The best selection within a problem's capacity, or its front: weights, profits, items.
pub type Solution = super::Solution<Claim>;

/// Solves the problem and rechecks every point whose items were requested. Fails if an engine refused, or the answer
/// failed the recheck. Some selection always fits.
///
/// ```
/// use isx_problems::knapsack::{Item, Knapsack};
/// use isx_solve::knapsack::{Options, solve};
/// let items = [(3, 2), (9, 6), (5, 5)].map(|(profit, weight)| Item { profit, weight });
/// let claim = solve(&Knapsack { items: items.to_vec(), capacity: 10 }, &Options::default()).unwrap().claim;
/// assert_eq!((claim.weight(0), claim.profit(0)), (Some(8), Some(12.into())));
/// assert_eq!(claim.items(0), Some(vec![0, 1]));
/// ```
pub fn solve(problem: &Knapsack, options: &Options) -> Result<Solution, SolveError> {
    let solution = solve_unchecked(problem, options)?;
    check(problem, options, &solution)?;
    Ok(solution)
}

/// As [`solve`], without the recheck: for callers that do it themselves, or for measurements.
pub fn solve_unchecked(problem: &Knapsack, options: &Options) -> Result<Solution, SolveError> {
    solve_by(problem, options, |request| planner::solve(&ENGINES, options.engine, request))
}

/// As [`solve`], with the given engine, which need not be in the registry and is called `name`; the options' engine
/// is ignored.
pub fn solve_with(
    problem: &Knapsack,
    name: &'static str,
    engine: &dyn Engine<Family>,
    options: &Options,
) -> Result<Solution, SolveError> {
    let solution = solve_by(problem, options, |request| by(name, engine, request))?;
    check(problem, options, &solution)?;
    Ok(solution)
}

/// Bytes that suffice to solve the problem, or [`isx_machine::OverMemory::UNKNOWN`].
pub fn enough_bytes(problem: &Knapsack, options: &Options) -> u64 {
    let reduced = reduce(problem, Reduction { goal: options.wanted.goal(), dominance: !options.raw });
    let context = options.context();
    let request = Request { problem: &reduced, wanted: options.wanted, context: &context };
    planner::enough(&ENGINES, options.engine, request)
}

/// The same front, with items of its last point from a separate solve within that point's weight, which is often much
/// cheaper than computing items for all points.
pub fn with_items_of_the_best(
    problem: &Knapsack,
    options: &Options,
    front: Solution,
) -> Result<Solution, SolveError> {
    let Solution { claim, mut account } = front;
    let last = claim.len() - 1;
    if claim.chosen().contains(&last) {
        return Ok(Solution { claim, account });
    }
    let started = Instant::now();
    // Every best selection within the least weight of the best profit has exactly that weight.
    let lightest = Knapsack { items: problem.items.clone(), capacity: claim.weights[last] };
    let best = solve(&lightest, &Options { wanted: Wanted::Best, ..options.clone() })?;
    account.timings.traceback += started.elapsed();
    account.updates = account.updates.saturating_add(best.account.updates);
    let items = best.claim.items(0).unwrap_or_default();
    let claim = claim.with_selections(last, Arc::new(vec![items]));
    witness(problem, &claim)?;
    Ok(Solution { claim, account })
}

/// Rechecks the answer. A single point is checked by the calling thread, since waking threads would take longer.
fn check(problem: &Knapsack, options: &Options, solution: &Solution) -> Result<(), SolveError> {
    match options.wanted.goal() {
        Goal::OneCapacity => witness(problem, &solution.claim)?,
        Goal::AllCapacities => options.machine.workers().run(|| witness(problem, &solution.claim))?,
    }
    Ok(())
}

fn solve_by(
    problem: &Knapsack,
    options: &Options,
    run: impl FnOnce(Request<'_, Family>) -> Result<Planned<Answer>, Refusal>,
) -> Result<Solution, SolveError> {
    let started = Instant::now();
    let reduced = reduce(problem, Reduction { goal: options.wanted.goal(), dominance: !options.raw });
    let reduce = started.elapsed();
    if reduced.items.is_empty() {
        let account = found_by_reduction("it left no item to decide on", reduced.tier, reduce);
        let nothing: Arc<dyn Selections> = Arc::new(vec![Vec::new()]);
        let claim = in_own_terms(reduced.back, vec![0], &Values::I32(vec![0]), Some(nothing));
        return Ok(Solution { claim, account });
    }
    let planned = run(Request { problem: &reduced, wanted: options.wanted, context: &options.context() })?;
    let Planned { answer, engine, why } = planned;
    let Answer { weights, profits, picks, how, threads, updates, solve, traceback } = answer;
    let (arithmetic, timings) = (reduced.tier, Timings { reduce, solve, traceback });
    let account = Account { engine, how, threads, arithmetic, why, updates, timings };
    Ok(Solution { claim: in_own_terms(reduced.back, weights, &profits, picks), account })
}

/// The points in terms of the original problem.
fn in_own_terms(
    back: WayBack,
    mut weights: Vec<u64>,
    profits: &Values,
    picks: Option<Arc<dyn Selections>>,
) -> Claim {
    weights.iter_mut().for_each(faults::figure);
    let profits = back.profits(profits);
    let claim = Claim::new(weights.into_iter().map(|weight| back.weight(weight)).collect(), profits);
    match picks {
        Some(picks) => claim.with_selections(0, Arc::new(Expanded { back, picks })),
        None => claim,
    }
}

/// The selections of an engine, mapped to items of the file.
#[derive(Debug)]
struct Expanded {
    back: WayBack,
    picks: Arc<dyn Selections>,
}

impl Selections for Expanded {
    fn write(&self, index: usize, chosen: &mut Vec<u32>) {
        self.picks.write(index, chosen);
        self.back.expand(chosen);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isx_engine::{Choice, EngineError};
    use isx_machine::Machine;
    use isx_problems::knapsack::Item;

    fn problem() -> Knapsack {
        let items = [(3, 2), (9, 6), (5, 5), (4, 0), (7, 7)];
        Knapsack { items: items.map(|(profit, weight)| Item { profit, weight }).to_vec(), capacity: 12 }
    }

    #[test]
    fn points_and_items_are_those_that_were_wanted() {
        let claimed = |wanted| solve(&problem(), &Options { wanted, ..Options::default() }).unwrap().claim;
        let best = claimed(Wanted::Best);
        assert_eq!((best.len(), best.profit(0), best.items(0)), (1, Some(18.into()), Some(vec![1, 2, 3])));
        let front = claimed(Wanted::AllPicks);
        assert_eq!(front.weights, [0, 2, 5, 6, 8, 11]);
        assert_eq!((front.profit(0), front.items(0)), (Some(4.into()), Some(vec![3])));
        assert_eq!(claimed(Wanted::AllValues).weights, front.weights);
        assert_eq!(claimed(Wanted::AllValues).items(0), None);
        let options = Options { wanted: Wanted::AllValues, ..Options::default() };
        let values = solve(&problem(), &options).unwrap();
        let claim = with_items_of_the_best(&problem(), &options, values).unwrap().claim;
        assert_eq!((claim.chosen(), claim.items(5)), (5..6, front.items(5)));
        assert_eq!(claimed(Wanted::Value).profit(0), Some(18.into()));
    }

    #[test]
    fn what_was_called_off_has_no_answer() {
        let cancel = isx_machine::Cancel::default();
        cancel.cancel();
        let options = Options { machine: Machine::default().with_cancel(cancel), ..Options::default() };
        for engine in ENGINES.iter().filter(|entry| entry.hardware == isx_engine::Hardware::Cpu) {
            let options = Options { engine: Choice::Named(engine), ..options.clone() };
            let Err(SolveError::Engine(refusal)) = solve(&problem(), &options) else { panic!("{engine:?}") };
            assert_eq!(refusal.cause, EngineError::Cancelled, "{engine:?}");
        }
    }
}
