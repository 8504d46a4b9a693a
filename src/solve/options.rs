//! What the families have in common: how to solve, and how an answer came to be.

use isx_engine::{
    Choice, Context, Engine, EngineError, Family, Keeper, NoProgress, Planned, Progress, Refusal, Request,
};
use isx_machine::Machine;
use isx_mckp::Mckp;
use isx_problems::account::{Account, Arithmetic, Timings};
use isx_problems::mckp::Claim;
use isx_problems::value::Tier;
use std::fmt;
use std::time::Duration;

/// How to solve a problem of a family, whose engines and answers differ.
pub struct Options<'a, F: Family = Mckp> {
    /// The engine.
    pub engine: Choice<F>,
    /// What of the answer is wanted.
    pub wanted: F::Wanted,
    /// The arithmetic tier of multiple-choice problems; the narrowest exact one if `None`, as for all others.
    pub arithmetic: Option<Tier>,
    /// Skip the reduction, and bounds with it: the engine looks at every item at every cell.
    pub raw: bool,
    /// Threads, memory, a GPU.
    pub machine: Machine,
    /// Told of the progress.
    pub progress: &'a dyn Progress,
    /// Keeps states to go on from, where that is wanted; engines that cannot are then left out.
    pub keeper: Option<&'a dyn Keeper>,
}

impl<F: Family> Default for Options<'_, F>
where
    F::Wanted: Default,
{
    /// The fastest engine, the narrowest exact arithmetic, reduced, and what is wanted by default.
    fn default() -> Self {
        Self {
            engine: Choice::Auto,
            wanted: F::Wanted::default(),
            arithmetic: None,
            raw: false,
            machine: Machine::default(),
            progress: &NoProgress,
            keeper: None,
        }
    }
}

impl<F: Family> Clone for Options<'_, F> {
    fn clone(&self) -> Self {
        Self { machine: self.machine.clone(), ..*self }
    }
}

impl<F: Family<Wanted: fmt::Debug>> fmt::Debug for Options<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { engine, wanted, arithmetic, raw, machine, .. } = self;
        f.debug_struct("Options")
            .field("engine", engine)
            .field("wanted", wanted)
            .field("arithmetic", arithmetic)
            .field("raw", raw)
            .field("machine", machine)
            .finish_non_exhaustive()
    }
}

impl<F: Family> Options<'_, F> {
    /// What an engine works with. Raw work looks at every candidate.
    pub(crate) fn context(&self) -> Context<'_> {
        let Self { machine, raw, progress, keeper, .. } = self;
        Context { machine, all_candidates: *raw, progress: *progress, keeper: *keeper }
    }
}

/// What is claimed of a problem, and how it was found.
#[derive(Clone, Debug)]
pub struct Solution<C = Claim> {
    /// The answer.
    pub claim: C,
    /// How it was found.
    pub account: Account,
}

/// Solves by an engine that need not be in the registry and goes by `name`.
pub(crate) fn by<F: Family>(
    name: &'static str,
    engine: &dyn Engine<F>,
    request: Request<'_, F>,
) -> Result<Planned<F::Answer>, Refusal> {
    let refused = |cause: EngineError| Refusal { engine: name, cause };
    let answer = engine.plan(request).map_err(refused)?.run().map_err(refused)?;
    Ok(Planned { answer, engine: name, why: "given".into() })
}

/// The account where the reduction alone has found the answer.
pub(crate) fn found_by_reduction(why: &str, tier: Tier, reduce: Duration) -> Account {
    Account {
        engine: "reduction",
        how: "1 thread".into(),
        threads: 1,
        arithmetic: Arithmetic::Exact(tier),
        why: why.into(),
        updates: 0,
        timings: Timings { reduce, ..Timings::default() },
    }
}
