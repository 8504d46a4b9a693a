//! What an engine receives besides the problem: a machine, and a receiver of progress reports.

use super::EngineError;
use isx_machine::Machine;
use std::fmt;
use std::time::Duration;

/// Receives the progress of a long computation; called from any thread.
pub trait Progress: Sync {
    /// A stage of `steps` steps begins.
    fn begin(&self, stage: &'static str, steps: u64);
    /// `steps` more steps of the current stage are done.
    fn advance(&self, steps: u64);
    /// Reports something that the user should know at once, such as failed hardware; a sentence without its full
    /// stop.
    fn tell(&self, _: &str) {}
}

/// Ignores all progress.
pub struct NoProgress;

impl Progress for NoProgress {
    fn begin(&self, _: &'static str, _: u64) {}
    fn advance(&self, _: u64) {}
}

/// Which engines the planner may run: callers with several problems come back to the long ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Turn {
    /// Any engine.
    #[default]
    Any,
    /// Only engines of the CPU, and none that is expected to take longer than this ([`Duration::MAX`]: any); otherwise
    /// the planner refuses with [`EngineError::TooLong`].
    Cpu(Duration),
    /// Any engine, after a turn on the CPU that was too short: what is tried first was tried then, and runs again only
    /// if no other engine finds an answer.
    AfterCpu,
}

/// The resources of an engine, and their limits.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Threads, memory, a GPU.
    pub machine: &'a Machine,
    /// Whether to process every candidate, including those that bounds rule out: raw work, for measurements.
    pub all_candidates: bool,
    /// Receives the progress, one step per class.
    pub progress: &'a dyn Progress,
    /// Which engines the planner may run.
    pub turn: Turn,
}

impl<'a> Context<'a> {
    /// A context without progress reports.
    pub fn new(machine: &'a Machine) -> Self {
        Self { machine, all_candidates: false, progress: &NoProgress, turn: Turn::Any }
    }

    /// Fails with [`EngineError::Cancelled`] if the computation was cancelled.
    pub fn go_on(&self) -> Result<(), EngineError> {
        if self.machine.is_cancelled() { Err(EngineError::Cancelled) } else { Ok(()) }
    }
}

impl fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { machine, all_candidates, .. } = self;
        f.debug_struct("Context").field("machine", machine).field("all_candidates", all_candidates).finish()
    }
}
