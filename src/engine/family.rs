//! What a family of problems is, and what an engine of one does.

use super::{Context, EngineError};

/// A family of problems that engines solve.
pub trait Family: 'static {
    /// The family's name on the command line and in file formats.
    const NAME: &'static str;
    /// A problem as engines get it: validated and reduced.
    type Problem: Sync;
    /// What of the answer is wanted.
    type Wanted: Copy + Send + Sync;
    /// What an engine answers.
    type Answer;
}

/// A problem, what is wanted of it, and what there is to solve it with.
pub struct Request<'a, F: Family> {
    /// The problem.
    pub problem: &'a F::Problem,
    /// What of the answer is wanted.
    pub wanted: F::Wanted,
    /// The machine, and somebody to tell of the progress.
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
    /// Peak memory of tables, in bytes; where it is only known once they grow, what is surely enough, if anything is:
    /// [`isx_machine::OverMemory::UNKNOWN`] otherwise.
    pub bytes: u64,
}

/// A way of solving the problems of a family.
pub trait Engine<F: Family>: Sync {
    /// Looks at the problem and says what solving it will take; nothing of size is allocated yet.
    ///
    /// # Errors
    ///
    /// When the engine cannot run here ([`EngineError::Unavailable`]), not on this problem
    /// ([`EngineError::Arithmetic`]), or not within the machine's memory ([`EngineError::Memory`]).
    fn plan<'a>(&'a self, request: Request<'a, F>) -> Result<Plan<'a, F>, EngineError>;

    /// Whether it keeps states and goes on from them (see [`super::Keeper`]); engines that do not are left out where
    /// states are to be kept.
    fn can_resume(&self) -> bool {
        false
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<A> {
    /// With the answer.
    Solved {
        /// The answer.
        answer: A,
        /// What speaks for this engine, known only now; half a sentence for the user.
        because: Option<String>,
    },
    /// Without: the rest would have taken longer than was allowed. Half a sentence for the user says how far it came.
    GaveUp(String),
}

impl<A> Outcome<A> {
    /// The answer, with nothing more to say about it.
    pub fn solved(answer: A) -> Self {
        Self::Solved { answer, because: None }
    }
}

type Run<'a, F> = dyn FnOnce(Option<f64>) -> Result<Outcome<<F as Family>::Answer>, EngineError> + Send + 'a;

/// What an engine will do for a problem: made once, run once.
pub struct Plan<'a, F: Family> {
    /// What it is expected to take.
    pub estimate: Estimate,
    run: Box<Run<'a, F>>,
}

impl<'a, F: Family> Plan<'a, F> {
    /// A plan that takes about `estimate` and is carried out by `run`, which is not told to give up.
    pub fn new(estimate: Estimate, run: impl FnOnce() -> Result<F::Answer, EngineError> + Send + 'a) -> Self {
        let seconds = estimate.seconds;
        Self::watched(estimate, move |patience| match patience {
            Some(patience) if seconds > patience => {
                Ok(Outcome::GaveUp(format!("it expects to take up to {seconds:.0} s")))
            }
            _ => Ok(Outcome::solved(run()?)),
        })
    }

    /// A plan of an engine that learns as it runs how long it will take: `run` is given the seconds after which it
    /// shall give up, if any.
    pub fn watched(
        estimate: Estimate,
        run: impl FnOnce(Option<f64>) -> Result<Outcome<F::Answer>, EngineError> + Send + 'a,
    ) -> Self {
        Self { estimate, run: Box::new(run) }
    }

    /// Carries it out, whatever it takes.
    ///
    /// # Errors
    ///
    /// When memory runs short after all, the hardware fails, or the computation is called off.
    pub fn run(self) -> Result<F::Answer, EngineError> {
        match (self.run)(None)? {
            Outcome::Solved { answer, .. } => Ok(answer),
            Outcome::GaveUp(why) => Err(EngineError::Failed(why)),
        }
    }

    /// Carries it out, or gives up as soon as it is seen to take longer than `patience` seconds.
    ///
    /// # Errors
    ///
    /// As [`Plan::run`].
    pub fn run_within(self, patience: f64) -> Result<Outcome<F::Answer>, EngineError> {
        (self.run)(Some(patience))
    }
}

impl<F: Family> std::fmt::Debug for Plan<'_, F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Plan").field("estimate", &self.estimate).finish_non_exhaustive()
    }
}
