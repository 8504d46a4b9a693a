//! Solves a multiple-choice knapsack problem: reduce, plan, run the engine, and read the answer in the user's terms.

use crate::engine::{self, Answer, Context, Engine, EngineError, Planned, Wanted};
use crate::problem::mckp::Mckp;
use crate::problem::value::{Tier, Value};
use crate::reduce::{self, Infeasible, Tiered, reduce};
use num_bigint::BigInt;
use std::time::{Duration, Instant};

/// How to solve.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// The engine's name; by itself if `None`.
    pub engine: Option<&'a str>,
    /// The arithmetic tier; the narrowest exact one if `None`.
    pub arithmetic: Option<Tier>,
    /// Skip the reduction, and bounds with it: the engine looks at every item at every cell.
    pub raw: bool,
    /// For which points the items are wanted.
    pub wanted: Wanted,
    /// Threads, memory, progress.
    pub context: Context<'a>,
}

/// Why a problem was not solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// No selection fits; for the exactly-one problem this is an answer.
    #[error(transparent)]
    Infeasible(#[from] Infeasible),
    /// No engine gave an answer.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The arithmetic asked for would overflow.
    #[error("--arithmetic {asked} is too narrow for this problem; it needs {needed}")]
    Arithmetic {
        /// The tier asked for.
        asked: Tier,
        /// The narrowest exact one.
        needed: Tier,
    },
}

/// The front of a problem, all capacities up to its own: weights and values strictly rising, points numbered from 0.
#[derive(Clone, Debug)]
pub struct Solution {
    reduced: Tiered,
    answer: Answer,
    /// Why the engine was taken.
    pub why: String,
    /// Time of the reduction.
    pub reduce: Duration,
}

/// Solves the problem for every capacity up to its own.
///
/// # Errors
///
/// [`SolveError`]: nothing fits, an engine refused, or the arithmetic asked for is too narrow.
///
/// ```
/// use isx::problem::mckp::{Choice, Item, Mckp};
/// use isx::solve::{Options, solve};
/// let class = |items: &[(i64, u64)]| items.iter().map(|&(value, weight)| Item { value, weight }).collect();
/// let problem = Mckp {
///     classes: vec![class(&[(3, 2), (9, 6)]), class(&[(1, 4), (5, 8)])],
///     capacity: 13,
///     choice: Choice::ExactlyOne,
/// };
/// let solution = solve(&problem, Options::default()).unwrap();
/// let best = solution.points() - 1;
/// assert_eq!((solution.weight(best), solution.value(best)), (10, 10.into()));
/// assert_eq!(solution.picks(best), [Some(1), Some(0)]);
/// ```
pub fn solve<V: Value>(problem: &Mckp<V>, options: Options) -> Result<Solution, SolveError> {
    let Options { engine, wanted, .. } = options;
    let context = working(&options);
    solve_by(problem, options, |reduced| engine::solve(engine, reduced, wanted, &context))
}

/// As [`solve`], by this engine, which need not be among those with a name; [`Options::engine`] is not looked at.
///
/// # Errors
///
/// As [`solve`].
pub fn solve_with<V: Value>(
    problem: &Mckp<V>,
    engine: &dyn Engine,
    options: Options,
) -> Result<Solution, SolveError> {
    solve_by(problem, options, |reduced| {
        let answer = engine.solve(reduced, options.wanted, &working(&options))?;
        Ok(Planned { answer, why: "given".into() })
    })
}

/// The context of the engine: raw work looks at every candidate.
fn working<'a>(options: &Options<'a>) -> Context<'a> {
    Context { all_candidates: options.raw, ..options.context }
}

fn solve_by<V: Value>(
    problem: &Mckp<V>,
    options: Options,
    run: impl FnOnce(&Tiered) -> Result<Planned, EngineError>,
) -> Result<Solution, SolveError> {
    let started = Instant::now();
    let at_least = options.arithmetic.unwrap_or(Tier::I32);
    let reduced = reduce(problem, reduce::Options { raw: options.raw, at_least })?;
    let reduce = started.elapsed();
    let needed = reduced.tier();
    if let Some(asked) = options.arithmetic.filter(|&asked| needed > asked) {
        return Err(SolveError::Arithmetic { asked, needed });
    }
    let Planned { answer, why } = run(&reduced)?;
    Ok(Solution { reduced, answer, why, reduce })
}

impl Default for Options<'_> {
    /// The fastest engine, the narrowest exact arithmetic, reduced, the items of every point.
    fn default() -> Self {
        Self {
            engine: None,
            arithmetic: None,
            raw: false,
            wanted: Wanted::AllPicks,
            context: Context::default(),
        }
    }
}

impl Solution {
    /// Number of points, at least 1. The last is the best within the capacity.
    #[must_use]
    pub fn points(&self) -> usize {
        self.answer.weights.len()
    }

    /// Weight of point `point`.
    ///
    /// # Panics
    ///
    /// If there is no such point.
    #[must_use]
    pub fn weight(&self, point: usize) -> u64 {
        self.reduced.back().weight(self.answer.weights[point])
    }

    /// Value of point `point`.
    ///
    /// # Panics
    ///
    /// If there is no such point.
    #[must_use]
    pub fn value(&self, point: usize) -> BigInt {
        self.reduced.back().value(&self.answer.values.get(point))
    }

    /// The item of every class at point `point` (`None`: no item), in the order of the file.
    ///
    /// # Panics
    ///
    /// If there is no such point, or its items were not wanted.
    #[must_use]
    pub fn picks(&self, point: usize) -> Vec<Option<u32>> {
        let mut picks = vec![None; self.reduced.back().fixed.len()];
        self.write_picks(point, &mut picks, &mut Vec::new());
        picks
    }

    /// As [`Solution::picks`], into buffers that a loop over many points can use again.
    ///
    /// # Panics
    ///
    /// As [`Solution::picks`], and if `picks` is not one a class.
    #[allow(clippy::expect_used)]
    pub fn write_picks(&self, point: usize, picks: &mut [Option<u32>], scratch: &mut Vec<usize>) {
        scratch.resize(self.reduced.classes(), 0);
        let walks = self.answer.picks.as_ref().expect("the items must have been wanted");
        // Where only the best point's items were wanted there is one walk.
        let walk = if walks.start.len() == 1 { point + 1 - self.points() } else { point };
        walks.write(walk, scratch);
        self.reduced.expand(scratch, picks);
    }

    /// Number of classes of the problem.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.reduced.back().fixed.len()
    }

    /// The arithmetic it was solved in.
    #[must_use]
    pub fn tier(&self) -> Tier {
        self.reduced.tier()
    }

    /// Whether the capacity cut no point off.
    #[must_use]
    pub fn complete(&self) -> bool {
        self.reduced.back().complete
    }

    /// The engine's account: how it ran, the candidates it looked at, the time it took.
    #[must_use]
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// The number of points whose weight is at most `weight`.
    #[must_use]
    pub fn points_within(&self, weight: u64) -> usize {
        let back = self.reduced.back();
        self.answer.weights.partition_point(|&reduced| back.weight(reduced) <= weight)
    }
}
