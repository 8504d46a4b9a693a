//! Solves a multiple-choice knapsack problem: reduce, plan, run an engine, map its answer back to the original
//! problem, and recheck it.

use super::options::by;
use super::{Options, Solution, SolveError};
use isx_engine::{Engine, EngineError, Planned, Refusal, Request, planner};
use isx_machine::cpu::{Team, Workers, start_seconds};
use isx_mckp::{Answer, ENGINES, Mckp as Family};
use isx_parallel::ThreadPool;
use isx_problems::account::{Account, Timings};
use isx_problems::mckp::{Claim, Configurations, Mckp, NO_ITEM, Without, witness};
use isx_problems::reduce::mckp::{MAX_CAPACITY, Options as Reduction, Tiered, WayBack, reduce_on};
use isx_problems::value::{Tier, Value};
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Solves the problem for every capacity up to its own, and rechecks every point whose items were requested. Fails if
/// nothing fits, an engine refused, the requested arithmetic is too narrow, or the answer failed the recheck.
///
/// ```
/// use isx_problems::mckp::{Choice, Item, Mckp};
/// use isx_solve::{Options, solve};
/// let class = |items: &[(i64, u64)]| items.iter().map(|&(value, weight)| Item { value, weight }).collect();
/// let problem = Mckp {
///     classes: vec![class(&[(3, 2), (9, 6)]), class(&[(1, 4), (5, 8)])],
///     capacity: 13,
///     choice: Choice::ExactlyOne,
/// };
/// let claim = solve(&problem, &Options::default()).unwrap().claim;
/// let best = claim.len() - 1;
/// assert_eq!((claim.weight(best), claim.value(best)), (Some(10), Some(10.into())));
/// assert_eq!(claim.items(best), Some(vec![Some(1), Some(0)]));
/// ```
pub fn solve<V: Value>(problem: &Mckp<V>, options: &Options) -> Result<Solution, SolveError> {
    let solution = solve_unchecked(problem, options)?;
    options.machine.workers().run(|| witness(problem, &solution.claim))?;
    Ok(solution)
}

/// As [`solve`], without the recheck: for callers that do it themselves, or for measurements.
pub fn solve_unchecked<V: Value>(problem: &Mckp<V>, options: &Options) -> Result<Solution, SolveError> {
    solve_by(problem, options, |request| planner::solve(&ENGINES, options.engine, request))
}

/// As [`solve_unchecked`], with the given engine, which need not be in the registry and is called `name`; the
/// options' engine is ignored.
pub fn solve_with<V: Value>(
    problem: &Mckp<V>,
    name: &'static str,
    engine: &dyn Engine<Family>,
    options: &Options,
) -> Result<Solution, SolveError> {
    solve_by(problem, options, |request| by(name, engine, request))
}

fn solve_by<V: Value>(
    problem: &Mckp<V>,
    options: &Options,
    run: impl FnOnce(Request<'_, Family>) -> Result<Planned<Answer>, Refusal>,
) -> Result<Solution, SolveError> {
    let started = Instant::now();
    let at_least = options.arithmetic.unwrap_or(Tier::I32);
    let pool = worth_dividing(problem, options.machine.workers());
    let reduced = reduce_on(pool, problem, Reduction { raw: options.raw, at_least })?;
    let reduce = started.elapsed();
    let needed = reduced.tier();
    if let Some(asked) = options.arithmetic.filter(|&asked| needed > asked) {
        return Err(SolveError::Arithmetic { asked, needed });
    }
    if reduced.capacity() > MAX_CAPACITY {
        return Err(too_heavy(reduced.capacity()));
    }
    let planned = run(Request { problem: &reduced, wanted: options.wanted, context: &options.context() })?;
    Ok(in_own_terms(reduced, planned, reduce))
}

/// The refusal of weights that add up to more than engines add.
fn too_heavy(sum: u64) -> SolveError {
    let needed = (u64::BITS - sum.leading_zeros()).into();
    Refusal { engine: "fastest", cause: EngineError::Width { needed, held: MAX_CAPACITY.ilog2().into() } }
        .into()
}

/// Seconds in which one thread reduces an item.
const REDUCED_ITEM: f64 = 40e-9;

/// The threads, if they reduce the problem sooner than one of them.
fn worth_dividing<'a, V>(problem: &Mckp<V>, workers: &'a Workers) -> Option<&'a ThreadPool> {
    let items: usize = problem.classes.iter().map(Vec::len).sum();
    let seconds = items as f64 * REDUCED_ITEM;
    let pays = seconds > start_seconds(workers) && Team::of(workers).would_share(seconds);
    if pays { workers.pool() } else { None }
}

/// The answer in terms of the original problem.
fn in_own_terms(reduced: Tiered, planned: Planned<Answer>, reduce: Duration) -> Solution {
    let Planned { answer, engine, why } = planned;
    let answer = spoilt(answer);
    let Answer { weights, values, picks, how, threads, updates, solve, traceback } = answer;
    let (arithmetic, timings) = (reduced.tier(), Timings { reduce, solve, traceback });
    let account = Account { engine, how, threads, arithmetic, why, updates, timings };
    let back: &WayBack = reduced.back();
    let weights: Vec<u64> = weights.into_iter().map(|weight| back.weight(weight)).collect();
    let values = values.scaled(&back.value_offset, &back.value_unit);
    let mut claim = Claim::new(weights, values, back.fixed.len(), back.complete);
    if let Some((from, picks)) = picks {
        claim = claim.with_configurations(from, Arc::new(Expanded { reduced, picks }));
    }
    Solution { claim, account }
}

/// The answer with the fault that a test plants: a wrong weight or a missing point.
fn spoilt(mut answer: Answer) -> Answer {
    use isx_machine::faults::{Door, figure, is_shut};
    answer.weights.iter_mut().for_each(figure);
    if let Some(at) = (0..answer.weights.len()).find(|_| is_shut(Door::Point)) {
        answer.weights.remove(at);
        answer.values.remove(at);
        answer.picks = answer.picks.map(|(from, all)| match at.checked_sub(from) {
            None => (from - 1, all),
            Some(at) => (from, Arc::new(Without { all, at, count: 1 }) as Arc<dyn Configurations>),
        });
    }
    answer
}

/// The walks of an engine, mapped to items of the original classes.
#[derive(Debug)]
struct Expanded {
    reduced: Tiered,
    picks: Arc<dyn Configurations>,
}

impl Configurations for Expanded {
    fn write(&self, configurations: Range<usize>, columns: &mut [u32]) {
        let (count, back) = (configurations.len(), self.reduced.back());
        let left = back.class_origin.len();
        self.picks.write(configurations, &mut columns[..left * count]);
        // A class comes no earlier in the problem than in the reduced one, so that the last is moved first.
        let mut left = back.class_origin.iter().enumerate().rev().peekable();
        for (at, fixed) in back.fixed.iter().enumerate().rev() {
            match left.next_if(|(_, origin)| **origin == at) {
                None => columns[at * count..][..count].fill(fixed.unwrap_or(NO_ITEM)),
                Some((class, _)) => {
                    let origin = self.reduced.origin(class);
                    for point in 0..count {
                        let item = columns[class * count + point];
                        columns[at * count + point] = origin[item as usize].unwrap_or(NO_ITEM);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isx_engine::Choice;
    use isx_exact::sampling::Sampler;
    use isx_mckp::Wanted;
    use isx_problems::mckp::{Choice as Give, Item};

    fn problem() -> Mckp<i64> {
        let class =
            |items: &[(i64, u64)]| items.iter().map(|&(value, weight)| Item { value, weight }).collect();
        let classes = vec![class(&[(3, 2), (9, 6)]), class(&[(1, 4), (5, 8), (6, 9)])];
        Mckp { classes, capacity: 40, choice: Give::ExactlyOne }
    }

    #[test]
    fn points_that_are_read_together_have_the_items_of_each() {
        let mut sampler = Sampler::new(15);
        let mut class = |items: u64| -> Vec<Item<i64>> {
            let item = |_| Item { value: sampler.uniform(1, 900) as i64, weight: sampler.uniform(1, 300) };
            (0..items).map(item).collect()
        };
        // One class that a single item dominates, and one with more than 256 remaining items.
        let mut classes: Vec<_> = [3, 7, 1, 0].map(&mut class).into();
        classes.insert(1, vec![Item { value: 5000, weight: 0 }, Item { value: 1, weight: 1 }]);
        classes.push((1..300).map(|at| Item { value: 2 * at, weight: at as u64 }).collect());
        let problem = Mckp { classes, capacity: 1000, choice: Give::Optional };
        for name in ["list", "dense", "reference"] {
            let engine = Choice::Named(ENGINES.named(name).unwrap());
            let claim = solve(&problem, &Options { engine, ..Options::default() }).unwrap().claim;
            assert!(claim.len() > 100, "{name}: {} points", claim.len());
            for points in [0..claim.len(), 3..60, 7..8, 9..9] {
                let mut columns = vec![0; points.len() * claim.classes];
                assert!(claim.write_columns(points.clone(), &mut columns), "{name}");
                for (row, point) in points.clone().enumerate() {
                    let items = claim.items(point).unwrap();
                    let read = (0..claim.classes).map(|class| columns[class * points.len() + row]);
                    assert!(read.eq(items.iter().map(|item| item.unwrap_or(NO_ITEM))), "{name}, {point}");
                }
            }
        }
    }

    #[test]
    fn only_the_best_points_items_are_known_where_only_they_were_wanted() {
        let options = Options { wanted: Wanted::BestPicks, ..Options::default() };
        let claim = solve(&problem(), &options).unwrap().claim;
        let best = claim.len() - 1;
        assert_eq!(claim.configured(), best..best + 1);
        assert_eq!((claim.items(best - 1), claim.items(best)), (None, Some(vec![Some(1), Some(2)])));
        let options = Options { wanted: Wanted::Values, ..Options::default() };
        assert!(solve(&problem(), &options).unwrap().claim.configured().is_empty());
    }
}
