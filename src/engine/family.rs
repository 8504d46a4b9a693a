//! The interface of a family of problems and of its engines.

use super::{Context, EngineError};
use std::fmt;

/// A family of problems that engines solve.
pub trait Family: Copy + fmt::Debug + 'static {
    /// The family's name on the command line and in file formats.
    const NAME: &'static str;
    /// A problem as engines receive it: validated and reduced.
    type Problem: Sync;
    /// Which parts of the answer are requested.
    type Wanted: Copy + Send + Sync;
    /// The answer of an engine.
    type Answer;
}

/// A problem, what is requested of it, and the resources to solve it.
pub struct Request<'a, F: Family> {
    /// The problem.
    pub problem: &'a F::Problem,
    /// Which parts of the answer are requested.
    pub wanted: F::Wanted,
    /// The machine, and the receiver of progress reports.
    pub context: &'a Context<'a>,
}

impl<F: Family> Clone for Request<'_, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F: Family> Copy for Request<'_, F> {}

/// What an engine is expected to need for a problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Wall-clock time, in seconds.
    pub seconds: f64,
    /// Peak memory of the tables, in bytes. If it is known only as they grow, an amount that is certainly enough;
    /// [`isx_machine::OverMemory::UNKNOWN`] if there is none.
    pub bytes: u64,
}

/// A way of solving the problems of a family.
pub trait Engine<F: Family>: Sync {
    /// Inspects the problem and estimates the cost of solving it; allocates nothing large yet. Fails if the engine
    /// cannot run on this machine ([`EngineError::Unavailable`]), not on this problem ([`EngineError::Arithmetic`]),
    /// or not within the machine's memory ([`EngineError::Memory`]).
    fn plan<'a>(&'a self, request: Request<'a, F>) -> Result<Plan<'a, F>, EngineError>;
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<A> {
    /// With the answer.
    Solved {
        /// The answer.
        answer: A,
        /// An argument for this engine that is known only after the run; a clause shown to the user.
        because: Option<String>,
    },
    /// Without an answer: the rest would have exceeded the time limit. The clause, shown to the user, reports the
    /// progress.
    GaveUp(String),
}

impl<A> Outcome<A> {
    /// An answer without further remarks.
    pub fn solved(answer: A) -> Self {
        Self::Solved { answer, because: None }
    }
}

/// How long an engine that learns its run time only as it runs may take: what the fastest of the others is expected to
/// need. That is found out when it first matters, since it takes longer than many a problem.
#[derive(Clone, Copy)]
pub struct Patience<'a> {
    limit: &'a (dyn Fn() -> Option<f64> + Sync),
}

impl Patience<'static> {
    /// Without a limit.
    pub const ENDLESS: Self = Self { limit: &|| None };
}

impl<'a> Patience<'a> {
    /// Seconds that are less than most engines need to begin with: no other engine is asked about for them.
    const SHORT: f64 = 50e-6;

    /// With the limit in seconds, if there is one, that the function returns.
    pub const fn new(limit: &'a (dyn Fn() -> Option<f64> + Sync)) -> Self {
        Self { limit }
    }

    /// Whether this many seconds are too long.
    pub fn is_exceeded_by(self, seconds: f64) -> bool {
        seconds > Self::SHORT && (self.limit)().is_some_and(|limit| seconds > limit)
    }
}

type Run<'a, F> = dyn FnOnce(Patience<'_>) -> Result<Outcome<<F as Family>::Answer>, EngineError> + Send + 'a;

/// What an engine will do for a problem: made once, run once.
pub struct Plan<'a, F: Family> {
    /// Its expected cost.
    pub estimate: Estimate,
    run: Box<Run<'a, F>>,
}

impl<'a, F: Family> Plan<'a, F> {
    /// A plan that takes about `estimate`; `run` carries it out and cannot give up.
    pub fn new(estimate: Estimate, run: impl FnOnce() -> Result<F::Answer, EngineError> + Send + 'a) -> Self {
        Self::boxed(estimate, Box::new(run))
    }

    fn boxed(
        estimate: Estimate,
        run: Box<dyn FnOnce() -> Result<F::Answer, EngineError> + Send + 'a>,
    ) -> Self {
        let seconds = estimate.seconds;
        Self::watched(estimate, move |patience| {
            if patience.is_exceeded_by(seconds) {
                return Ok(Outcome::GaveUp(format!("it expects to take up to {seconds:.0} s")));
            }
            Ok(Outcome::solved(run()?))
        })
    }

    /// A plan of an engine that learns its run time only as it runs: `run` receives how long it may take.
    pub fn watched(
        estimate: Estimate,
        run: impl FnOnce(Patience<'_>) -> Result<Outcome<F::Answer>, EngineError> + Send + 'a,
    ) -> Self {
        Self { estimate, run: Box::new(run) }
    }

    /// Runs the plan without a time limit. Fails if memory runs short after all, the hardware fails, or the
    /// computation is cancelled.
    pub fn run(self) -> Result<F::Answer, EngineError> {
        match (self.run)(Patience::ENDLESS)? {
            Outcome::Solved { answer, .. } => Ok(answer),
            Outcome::GaveUp(why) => Err(EngineError::Failed(why)),
        }
    }

    /// Runs the plan, or gives up as soon as it becomes clear that it takes too long.
    pub fn run_within(self, patience: Patience<'_>) -> Result<Outcome<F::Answer>, EngineError> {
        (self.run)(patience)
    }
}

impl<F: Family> fmt::Debug for Plan<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan").field("estimate", &self.estimate).finish_non_exhaustive()
    }
}
