//! Options and results common to all families.

use isx_engine::{
    Choice, Context, Engine, EngineError, Family, NoProgress, Planned, Progress, Refusal, Request, Turn,
};
use isx_machine::Machine;
use isx_mckp::Mckp;
use isx_problems::account::{Account, Timings};
use isx_problems::mckp::Claim;
use isx_problems::value::Tier;
use std::fmt;
use std::time::Duration;

/// How to solve a problem; engines and answers depend on the family.
#[derive(Clone)]
pub struct Options<'a, F: Family = Mckp> {
    /// The engine.
    pub engine: Choice<F>,
    /// The requested part of the answer.
    pub wanted: F::Wanted,
    /// The arithmetic tier for multiple-choice problems; `None` selects the narrowest exact one, as for all other
    /// families.
    pub arithmetic: Option<Tier>,
    /// Skip the reduction and the bounds: the engine examines every item at every cell.
    pub raw: bool,
    /// Threads, memory and GPU.
    pub machine: Machine,
    /// Receives progress updates.
    pub progress: &'a dyn Progress,
    /// Which engines may run, as in [`Context::turn`]. An engine that is named runs anyway.
    pub turn: Turn,
}

impl<F: Family> Default for Options<'_, F>
where
    F::Wanted: Default,
{
    /// The fastest engine, the narrowest exact arithmetic, with reduction, and the default part of the answer.
    fn default() -> Self {
        Self {
            engine: Choice::Auto,
            wanted: F::Wanted::default(),
            arithmetic: None,
            raw: false,
            machine: Machine::default(),
            progress: &NoProgress,
            turn: Turn::Any,
        }
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
    /// The context of an engine. Raw work examines every candidate.
    pub(crate) fn context(&self) -> Context<'_> {
        let Self { machine, raw, progress, turn, .. } = self;
        Context { machine, all_candidates: *raw, progress: *progress, turn: *turn }
    }
}

/// An answer to a problem, and how it was found.
#[derive(Clone, Debug)]
pub struct Solution<C = Claim> {
    /// The answer.
    pub claim: C,
    /// How it was found.
    pub account: Account,
}

/// Solves with an engine that need not be in the registry and is called `name`.
pub(crate) fn by<F: Family>(
    name: &'static str,
    engine: &dyn Engine<F>,
    request: Request<'_, F>,
) -> Result<Planned<F::Answer>, Refusal> {
    let refused = |cause: EngineError| Refusal { engine: name, cause };
    let answer = engine.plan(request).map_err(refused)?.run().map_err(refused)?;
    Ok(Planned { answer, engine: name, why: "given".into() })
}

/// The account if the reduction alone found the answer.
pub(crate) fn found_by_reduction(why: &str, tier: Tier, reduce: Duration) -> Account {
    Account {
        engine: "reduction",
        how: "1 thread".into(),
        threads: 1,
        arithmetic: tier,
        why: why.into(),
        updates: 0,
        timings: Timings { reduce, ..Timings::default() },
    }
}
